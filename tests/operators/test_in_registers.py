"""Counts that do not fill a register, and special values in each of its places."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyaclnn as pa

_DTYPES = ["float32", "float16", "bfloat16"]
_COUNTS = [1, 15, 16, 17, 31, 32, 33, 64, 100, 517]
_SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-7, -6e-8, 1.5, -2.25, 60000.0]

#: One operation on float32, whose result is rounded once to the type.
_EXACT: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "neg": np.negative,
    "relu": lambda x: np.where(x <= 0, np.float32(0), x),
    "sqrt": np.sqrt,
    "mul": np.multiply,
    "div": np.divide,
    "maximum": np.maximum,
}
_OF_TWO = {"mul", "div", "maximum"}


def _given(count: int, dtype: str, turn: int) -> np.ndarray:
    return np.roll(np.resize(_SPECIAL, count), turn).astype(pa.tensor.as_dtype(dtype))


@pytest.mark.parametrize("dtype", _DTYPES)
@pytest.mark.parametrize("name", _EXACT)
def test_exact_operations(name: str, dtype: str) -> None:
    for count in _COUNTS:
        operands = [_given(count, dtype, turn) for turn in range(0, 6 * (1 + (name in _OF_TWO)), 6)]
        with np.errstate(all="ignore"):
            expected = _EXACT[name](*(x.astype(np.float32) for x in operands))
            expected = expected.astype(operands[0].dtype).astype(np.float32)

        found = pa.ops[name](*map(pa.asarray, operands)).numpy().astype(np.float32)

        np.testing.assert_array_equal(found, expected, err_msg=f"{count} elements")


@pytest.mark.parametrize("dtype", _DTYPES)
@pytest.mark.parametrize("name", ["amax", "amin"])
def test_a_nan_is_found_in_each_place_of_a_row(name: str, dtype: str) -> None:
    length = 83
    rows = np.random.default_rng(3).uniform(-2, 2, (length + 1, length))
    np.fill_diagonal(rows, np.nan)
    rows = rows.astype(pa.tensor.as_dtype(dtype))

    found = pa.ops[name](pa.asarray(rows), [1], False).numpy().astype(np.float32)

    np.testing.assert_array_equal(found, getattr(np, name[1:])(rows.astype(np.float32), axis=1))


@pytest.mark.parametrize("dtype", _DTYPES)
@pytest.mark.parametrize("name", ["amax", "amin", "reduce_sum"])
def test_columns_have_their_nans_and_no_others(name: str, dtype: str) -> None:
    lines = 19
    for count in _COUNTS:
        # Whole numbers, so that sums are exact in any order.
        values = np.random.default_rng(3).integers(-9, 9, (lines, count)).astype(np.float32)
        for column in range(0, count, 3):
            values[column % lines, column] = np.nan
        given = pa.asarray(values.astype(pa.tensor.as_dtype(dtype)))
        more = ["float32"] if name == "reduce_sum" else []

        found = pa.ops[name](given, [0], False, *more).numpy().astype(np.float32)

        expected = getattr(np, name.removeprefix("a").removeprefix("reduce_"))(values, axis=0)
        np.testing.assert_array_equal(found, expected, err_msg=f"{count} columns")


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("length", [*_COUNTS, 1023, 1025, 2100])
def test_sums_of_rows(dtype: str, length: int) -> None:
    rows = np.random.default_rng(length).uniform(-2, 2, (3, length))
    rows = rows.astype(pa.tensor.as_dtype(dtype))

    found = pa.ops.reduce_sum(pa.asarray(rows), [1], False, "float32").numpy()

    np.testing.assert_allclose(found, rows.astype(np.float64).sum(1), rtol=1e-6, atol=1e-4)


def test_casts_to_integers_saturate() -> None:
    special = [np.nan, np.inf, -np.inf, 2147483520.0, 2147483648.0, -2147483648.0, -3e9, -1.9, 1.9]
    limits = [0, 2**31 - 1, -(2**31), 2147483520, 2**31 - 1, -(2**31), -(2**31), -1, 1]
    values = np.resize(np.array(special, np.float32), 45)

    found = pa.ops.cast(pa.asarray(values), "int32").numpy()

    np.testing.assert_array_equal(found, np.resize(limits, 45))


@pytest.mark.parametrize("dtype", _DTYPES)
def test_a_power_of_zero_is_exactly_one(dtype: str) -> None:
    zeros = pa.zeros((3, 1), dtype)

    assert (pa.ops.exp(zeros).numpy() == 1).all()
    assert (pa.ops.softmax(zeros, 1).numpy() == 1).all()
    assert (pa.ops.log_softmax(zeros, 1).numpy() == 0).all()
