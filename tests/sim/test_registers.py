"""What the simulator has in intrinsics, on the processor at hand."""

from __future__ import annotations

import pytest
import toolchain

SOURCES = toolchain.REPOSITORY / "pyaclnn" / "sim" / "src"
FILES = (
    "common/cpu", "common/convert_wide", "common/convert_neon", "common/scratch",
    "convolution/shifted_tiles", "product/matrix", "product/add_lines", "product/packed_product",
    "product/pairs",
)  # fmt: skip


@pytest.mark.parametrize("isa", ["", "amx", "avx512", "avx2", "baseline"])
def test_they_compute_what_plain_arithmetic_does(isa: str) -> None:
    files = (str(SOURCES / "opapi" / f"{name}.cpp") for name in FILES)
    flags = ("-O2", "-ffp-contract=off", f"-I{SOURCES}", *files)
    program = toolchain.build(toolchain.C_TESTS / "opapi" / "registers.cpp", (), flags)
    done = toolchain.run(program, env={"PYACLNN_SIM_ISA": isa})
    if "this processor lacks it" in done.stderr:
        pytest.skip(done.stderr)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
