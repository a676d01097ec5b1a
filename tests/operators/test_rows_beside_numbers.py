"""Rows beside an operand that is one number for each, in front and behind; casts of long rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyaclnn as pa

Array = np.ndarray[Any, Any]

#: Rows and their length: shorter than a register, as long as what is computed at a time, longer.
SHAPES = ((3, 5), (70, 64), (9, 255), (4, 1024), (3, 5000), (1, 300))
FORMULAS = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum}


def drawn(shape: tuple[int, ...], dtype: str) -> Array:
    rng = np.random.default_rng(3)
    return rng.integers(-11, 11, shape).astype(dtype)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "float16", "float32"])
@pytest.mark.parametrize("operator", FORMULAS)
def test_a_column_is_computed_with_in_front_and_behind(
    operator: str, dtype: str, shape: tuple[int, int]
) -> None:
    rows, column = drawn(shape, dtype), drawn((shape[0], 1), dtype)
    for one, two in ((rows, column), (column, rows)):
        result = pa.ops[operator](pa.asarray(one), pa.asarray(two)).numpy()

        assert np.array_equal(result, FORMULAS[operator](one, two))


@pytest.mark.parametrize("shape", SHAPES)
def test_rows_of_a_view_are_written_between_others(shape: tuple[int, int]) -> None:
    rows, column = drawn(shape, "int8"), drawn((shape[0], 1), "int8")
    around = np.full((shape[0] + 2, shape[1] + 3), 77, np.int8)
    out = pa.asarray(around)

    pa.ops.add(pa.asarray(rows), pa.asarray(column), out=out[1:-1, 2:-1])

    around[1:-1, 2:-1] = rows + column
    assert np.array_equal(out.numpy(), around)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int64", "float16", "float32"])
@pytest.mark.parametrize("shape", [(5, 3000), (40, 64), (3, 70)])
def test_a_column_is_copied_along_its_rows(shape: tuple[int, int], dtype: str) -> None:
    column = drawn((shape[0], 1), "int8").astype(dtype)
    out = pa.asarray(np.zeros(shape, dtype))

    pa.ops.inplace_copy(out, pa.asarray(column))

    assert np.array_equal(out.numpy(), np.broadcast_to(column, shape))


@pytest.mark.parametrize("target", ["int8", "int64", "float16", "float32", "bool"])
@pytest.mark.parametrize("source", ["int8", "int32", "int64", "float16", "float32"])
def test_long_rows_are_cast_from_any_step(source: str, target: str) -> None:
    values = drawn((3, 9001), source)
    for view in (slice(None), slice(None, None, 2), slice(None, None, -1)):
        result = pa.asarray(values)[:, view].astype(target).numpy()

        assert np.array_equal(result, values[:, view].astype(target))
