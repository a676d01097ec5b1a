"""Rows that are added to those of a table, many to one: in order, and rounded once."""

from __future__ import annotations

import numpy as np
import pytest

import pyaclnn as pa


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("alpha", [1.0, 0.5])
@pytest.mark.parametrize("columns", [1, 40, 700])
def test_rows_are_summed_in_order_and_rounded_once(columns: int, alpha: float, dtype: str) -> None:
    rng = np.random.default_rng(columns)
    index = np.append(rng.integers(0, 9, 150), 11)  # nothing goes to two rows
    table = rng.integers(-8, 9, (12, columns)).astype(np.float32)
    # Beside a large number each of these would be lost, were it rounded each time.
    rows = rng.integers(1, 4, (151, columns)).astype(np.float32)
    table[3] = 2**11
    expected = table.copy()
    for number, row in zip(index, rows, strict=True):
        expected[number] += np.float32(alpha) * row

    own, others = (pa.asarray(array, dtype=dtype) for array in (table, rows))
    got = pa.ops.index_add(own, 0, pa.asarray(index), others, alpha)

    rounded = pa.asarray(expected, dtype=dtype).astype("float32")
    np.testing.assert_array_equal(got.astype("float32").numpy(), rounded.numpy())


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("apart", ["table", "rows", "both"])
def test_rows_whose_numbers_lie_apart_are_added(apart: str, dtype: str) -> None:
    table, rows = np.arange(48.0).reshape(6, 8), np.arange(40.0).reshape(5, 8) * 4
    index = [3, 0, 3, 5, 1]
    expected = table.copy()
    np.add.at(expected, index, rows)
    own, others = (
        pa.asarray(np.repeat(values, 2, 1), dtype=dtype)[:, ::2]
        if apart in (name, "both")
        else pa.asarray(values, dtype=dtype)
        for name, values in (("table", table), ("rows", rows))
    )

    got = pa.ops.index_add(own, 0, pa.asarray(np.array(index)), others, 1.0, out=own)

    assert got.numpy().tolist() == expected.tolist()


@pytest.mark.parametrize("number", [-13, 12])
def test_a_row_that_is_not_there_ends_the_task(number: int) -> None:
    table = pa.zeros((12, 40), "float16")
    index = np.array([1, number, 2])

    with pytest.raises(pa.AclError) as caught:
        pa.ops.index_add(table, 0, pa.asarray(index), pa.ones((3, 40), "float16"), 1.0).numpy()

    assert caught.value.code == 507015
