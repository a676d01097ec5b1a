"""Casts from and to elements of 4 bits: every number of 16 bits, every code, strides, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INNER_NULL, INVALID, TILING, code_of
from operators.test_moved_narrow_950 import bits

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import hifloat8_values
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

#: The magnitudes of codes 0 to 7; bit 3 is the sign.
MAGNITUDES = {
    "float4_e2m1fn": (0, 0.5, 1, 1.5, 2, 3, 4, 6),
    "float4_e1m2": (0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75),
}
_CODES = np.arange(16)
_FLOATS = ("float16", "bfloat16", "float32", "float8_e5m2", "float8_e4m3fn")


def values_of(name: str) -> Any:
    """Return what the codes stand for."""
    positive = np.array(MAGNITUDES[name], np.float64)
    return np.concatenate((positive, -positive))


def _in_bytes(codes: Any) -> Any:
    pairs = np.asarray(codes, np.uint8).reshape(-1, 2)
    return pairs[:, 0] | pairs[:, 1] << 4


def packed(name: str, codes: Any, *shape: int) -> tuple[pa.Tensor, pa.Tensor]:
    """Return bytes, and what describes them as numbers."""
    array = pa.asarray(_in_bytes(codes))
    return array, with_format(array, "ND", dtype=name, shape=shape or (2 * array.size,))


def narrowed(name: str, source: str) -> list[int]:
    """Return the bits of all numbers of a type of 16 or 8 bits, as another type."""
    numbers = _numbers(source)
    found, out = packed(name, np.zeros(len(numbers)))
    pa.ops.cast(pa.asarray(numbers), name, out=out)
    bits_of: list[int] = found.numpy().tolist()
    return bits_of


def _numbers(source: str) -> Any:
    kind = as_dtype(source)
    unsigned = np.uint16 if kind.itemsize == 2 else np.uint8
    codes = np.arange(2 ** (8 * kind.itemsize)).astype(unsigned).view(kind)
    with np.errstate(invalid="ignore"):  # what is none is left out
        finite = codes[np.isfinite(codes.astype(np.float64))]
    return finite[: len(finite) // 2 * 2]


def _nearest(name: str, numbers: Any) -> Any:
    """Return the codes of the nearest numbers, of two the even code, by way of bfloat16."""
    wide = numbers.astype(np.float32).astype(as_dtype("bfloat16")).astype(np.float64)
    magnitudes = np.array(MAGNITUDES[name])
    off = np.abs(np.minimum(np.abs(wide), magnitudes[-1])[:, None] - magnitudes)
    # Of two that are as near the even code comes first.
    order = np.argsort(np.arange(8) % 2, kind="stable")
    code = order[np.argmin(off[:, order], axis=1)]
    return code + 8 * np.signbit(wide)


@pytest.mark.parametrize("name", list(MAGNITUDES))
@pytest.mark.parametrize("source", ["float16", "bfloat16", "float8_e5m2", "float8_e4m3fn"])
def test_every_number_becomes_the_nearest(name: str, source: str) -> None:
    found = found_on("Ascend950", __name__, f"narrowed('{name}', '{source}')")

    numbers = _numbers(source)
    assert found == _in_bytes(_nearest(name, numbers)).tolist()


def widened(name: str) -> list[Any]:
    """Return what all codes become, by type, and as hifloat8's bits."""
    _, x = packed(name, _CODES)
    found = []
    for to in _FLOATS:
        out = pa.zeros((16,), to)
        pa.ops.cast(x, to, out=out)
        found.append(out.numpy().astype(np.float64).tolist())
    codes = pa.zeros((16,), "uint8")
    pa.ops.cast(x, "hifloat8", out=with_format(codes, "ND", dtype="hifloat8", shape=(16,)))
    rows = pa.zeros((4, 8))
    pa.ops.cast(packed(name, _CODES, 4, 4)[1], "float32", out=rows[:, ::2])
    again, out = packed(name, np.zeros(16))
    pa.ops.cast(x, name, out=out)
    return [*found, codes.numpy().tolist(), rows.numpy().tolist(), again.numpy().tolist()]


@pytest.mark.parametrize("name", list(MAGNITUDES))
def test_every_code_becomes_its_number(name: str) -> None:
    *found, codes, rows, again = found_on("Ascend950", __name__, f"widened('{name}')")

    expected = values_of(name)
    for numbers in found:
        assert numbers == expected.tolist()
    assert hifloat8_values()[codes].tolist() == expected.tolist()
    spread = np.zeros((4, 8))
    spread[:, ::2] = expected.reshape(4, 4)
    assert rows == spread.tolist()
    assert again == _in_bytes(_CODES).tolist()


def strided() -> list[Any]:
    """Return what turned numbers and rows of odd length become, and integers of 4 bits."""
    x = pa.asarray(np.arange(15, dtype=np.float32).reshape(5, 3) - 7)
    turned, out = packed("float4_e2m1fn", np.zeros(16), 3, 5)
    pa.ops.cast(x.T, "float4_e2m1fn", out=out)
    four = pa.ops.cast(pa.asarray(np.arange(-20, 20, dtype=np.int32)), "int4")
    return [turned.numpy().tolist(), four.numpy().astype(int).tolist()]


def test_strides_and_odd_rows_are_followed() -> None:
    turned, four = found_on("Ascend950", __name__, "strided()")

    numbers = (np.arange(15).reshape(5, 3) - 7).T.reshape(-1).astype(np.float64)
    codes = _nearest("float4_e2m1fn", numbers)
    assert turned == _in_bytes([*codes, 0]).tolist()
    assert four == [(n + 8) % 16 - 8 for n in range(-20, 20)]


def answers() -> list[int]:
    """Return what calls are answered with."""
    two, four = "float4_e2m1fn", "int4"
    ints, floats = pa.zeros((2, 4), "int32"), pa.zeros((2, 4))
    calls = [
        (floats, two, bits(two, 2, 4)), (ints, four, bits(four, 2, 4)),
        (ints, two, bits(two, 2, 4)), (floats, four, bits(four, 2, 4)),
        (pa.zeros((4, 2), "int32").T, four, bits(four, 2, 4)),
        (pa.zeros((2, 3), "int32"), four, bits(four, 2, 3)),
        (floats, two, bits("float4_e1m2", 2, 4)), (bits(four, 2, 4), "int32", ints),
        (bits(two, 2, 4), "float4_e1m2", bits("float4_e1m2", 2, 4)),
        (bits(two, 2, 4), "int8", pa.zeros((2, 4), "int8")),
    ]  # fmt: skip
    return [code_of(pa.ops.cast, x, to, out=out) for x, to, out in calls]


def test_casts_that_there_are_not() -> None:
    found = found_on("Ascend950", __name__, "answers()")

    assert found == [
        0, 0, INNER_NULL, INNER_NULL, INVALID, TILING, found[6], INVALID, INNER_NULL, INNER_NULL,
    ]  # fmt: skip
    assert found[6] != 0
    assert set(found_on("Ascend910B1", __name__, "answers()")) == {INVALID}
