"""Headers that published samples include beside the operators' own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import toolchain

import pyaclnn as pa
from pyaclnn.sim import environment

PROGRAM = toolchain.C_TESTS / "headers" / "headers_of_samples.cpp"
HALVES = """
#include <cstdint>
#include <cstdio>
#include <cstring>
#include "aclnn/opdev/fp16_t.h"
int main() {
  float number;
  while (std::fread(&number, 4, 1, stdin) == 1) {
    const op::fp16_t half(number);
    const float back = half;
    std::fwrite(&half, 2, 1, stdout);
    std::fwrite(&back, 4, 1, stdout);
  }
}
"""


def test_what_samples_include_is_there_and_links() -> None:
    flags = tuple(f"-I{folder}" for folder in environment.include_directories(toolchain.toolkit()))

    done = toolchain.run(toolchain.build(PROGRAM, flags=flags))

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "1 3.5 1.19209e-07 1",
        "0 abc 1 []",
        "161001 161001 161001 161002 161002 561003",
    ]


def floats() -> Iterator[float]:
    """Yield every float16, the middle between neighbours, and what lies beside the middle."""
    halves = np.arange(0, 0x7C00, dtype=np.uint16).view(np.float16).astype(np.float32)
    middles = (halves[:-1].astype(np.float64) + halves[1:]) / 2
    for middle in middles.astype(np.float32):
        yield from (middle, np.nextafter(middle, np.float32(0)), np.nextafter(middle, np.inf))
    yield from halves
    yield from (65519.0, 65520.0, 1e9, np.inf, -0.0, -1.5, -65520.0)


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
def test_a_half_is_rounded_as_numpy_rounds_it(tmp_path: Path) -> None:
    import subprocess

    source = tmp_path / "halves.cpp"
    source.write_text(HALVES)
    numbers = np.array(list(floats()), np.float32)

    done = subprocess.run(
        [str(toolchain.build(source))], input=numbers.tobytes(), capture_output=True, check=True
    )

    answer = np.frombuffer(done.stdout, np.dtype([("half", np.uint16), ("back", np.float32)]))
    expected = numbers.astype(np.float16)
    assert (answer["half"] == expected.view(np.uint16)).all()
    assert (answer["back"] == expected.astype(np.float32)).all()


QUARTERS = """
#include <cstdio>
#include "aclnn/opdev/float4_e2m1.h"
int main() {
  float number;
  while (std::fread(&number, 4, 1, stdin) == 1) {
    const op::Float4E2M1 quarter(number);
    const float back = quarter;
    std::fwrite(&quarter.value, 1, 1, stdout);
    std::fwrite(&back, 4, 1, stdout);
  }
  return op::Float4E2M1(0x3a, op::Float4E2M1::FromBits()).value != 0xa;
}
"""


def test_a_number_of_four_bits_is_rounded_as_cann_rounds_it(tmp_path: Path) -> None:
    import subprocess

    source = tmp_path / "quarters.cpp"
    source.write_text(QUARTERS)
    grid = np.arange(-640, 641, dtype=np.float32) / 64
    between = np.nextafter(grid, np.float32(np.inf))
    extremes = np.array([1e-45, 1e-30, 3e38, np.inf, -np.inf, np.nan, -0.0], np.float32)
    numbers = np.concatenate([grid, between, extremes])

    done = subprocess.run(
        [str(toolchain.build(source))], input=numbers.tobytes(), capture_output=True, check=True
    )

    mantissa, exponent = np.frexp(np.abs(numbers).astype(np.float64))
    expected = np.ldexp(np.rint(mantissa * 4) / 4, exponent)
    expected = np.where(expected < 1, np.floor(expected * 2) / 2, expected)
    expected = np.where(np.isnan(numbers), 6, np.copysign(np.minimum(expected, 6), numbers))
    answer = np.frombuffer(done.stdout, np.dtype([("bits", np.uint8), ("back", np.float32)]))
    np.testing.assert_array_equal(answer["back"], expected.astype(np.float32))
    assert (np.signbit(answer["back"]) == (answer["bits"] >= 8)).all()


@pytest.mark.parametrize("name", ["aclnnTransSparse4to2Para"])
def test_functions_of_the_host_are_declared_and_no_operators(name: str) -> None:
    assert pa.abi.declaration(name).kind == "function"
    assert name not in pa.ops
    with pytest.raises(pa.SymbolNotFoundError, match="not simulated here"):
        getattr(pa.lib, name)
