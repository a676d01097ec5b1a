"""Orders: sorted numbers with NaN and equal ones, and sums of places that are named repeatedly."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.tensor import as_dtype

Array = np.ndarray[Any, Any]
DTYPES = ["float32", "float16", "bfloat16"]


def drawn(dtype: str, count: int = 700) -> Array:
    """Return few different numbers, so that many are equal, NaN and infinities among them."""
    rng = np.random.default_rng(8)
    values = rng.integers(-4, 5, (3, count)).astype(np.float32)
    values[rng.random(values.shape) < 0.1] = np.nan
    values[rng.random(values.shape) < 0.05] = -np.inf
    return values.astype(as_dtype(dtype))


def ordered(values: Array, descending: bool) -> Array:
    """Return places in order: NaN is the largest, equal numbers stay as they were."""
    wide = values.astype(np.float64)
    keys = np.where(np.isnan(wide), np.inf, wide)
    return np.argsort(-keys if descending else keys, axis=-1, kind="stable")


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", [*DTYPES, "int32", "int64", "int8", "uint8"])
def test_stable_sorts_keep_equal_numbers_in_order(dtype: str, descending: bool) -> None:
    x = drawn("float32")
    x = np.nan_to_num(x, neginf=-5).astype(dtype) if "int" in dtype else drawn(dtype)
    if dtype == "uint8":
        x = x % 7
    places = ordered(x, descending)
    values, indices = pa.ops.sort(pa.asarray(x), True, -1, descending)

    np.testing.assert_array_equal(indices.numpy(), places)
    expected = np.take_along_axis(x, places, -1).astype(float)
    np.testing.assert_array_equal(values.numpy().astype(float), expected)


@pytest.mark.parametrize("descending", [False, True])
def test_argsort_gives_the_places_of_a_sort(descending: bool) -> None:
    x = drawn("float32")
    found = pa.ops.argsort(pa.asarray(x), 1, descending).numpy()

    np.testing.assert_array_equal(np.sort(found, axis=1), np.broadcast_to(np.arange(700), x.shape))
    expected = np.take_along_axis(x, ordered(x, descending), 1)
    np.testing.assert_array_equal(np.take_along_axis(x, found, 1), expected)


@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize("is_sorted", [False, True])
@pytest.mark.parametrize("k", [1, 5, 300, 700])
def test_topk_is_the_beginning_of_a_sort(k: int, is_sorted: bool, largest: bool) -> None:
    x = drawn("float32")
    values, places = (t.numpy() for t in pa.ops.topk(pa.asarray(x), k, 1, largest, is_sorted))
    expected = np.take_along_axis(x, ordered(x, largest), 1)[:, :k]

    assert places.shape == values.shape == (3, k)
    np.testing.assert_array_equal(np.take_along_axis(x, places, 1), values)
    assert all(len(set(row)) == k for row in places.tolist())
    if not is_sorted:
        values = np.sort(values, axis=1)
        expected = np.sort(expected, axis=1)
    np.testing.assert_array_equal(values, expected)


@pytest.mark.parametrize("place", [1, 2, 6])
def test_the_kth_value_is_that_of_a_sort(place: int) -> None:
    x = np.array([[3, 1, 2, 9, -4, 7]], np.float32)
    value, index = pa.ops.kthvalue(pa.asarray(x), place, 1, False)
    assert value.numpy() == np.sort(x)[0, place - 1]
    assert x[0, index.numpy()] == value.numpy()


ROWS, NUMBERS = 5, 400


def summed(rows: Array, numbers: Array, start: Array) -> Array:
    """Return sums in the order of the numbers: in float32, rounded once at the end."""
    sums = start.astype(np.float32)
    for number, row in zip(numbers, rows.astype(np.float32), strict=True):
        sums[number] += row
    return sums.astype(start.dtype)


@pytest.mark.parametrize(
    ("operator", "dtype"),
    [
        *itertools.product(("scatter_add", "index_put_impl", "index_add"), DTYPES),
        ("scatter_reduce", "float32"),
    ],
)
def test_places_named_repeatedly_add_up_in_order(operator: str, dtype: str) -> None:
    rng = np.random.default_rng(9)
    numbers = rng.integers(0, ROWS, NUMBERS)
    # Magnitudes apart: another order gives other bits.
    source = rng.normal(size=(NUMBERS, 3)) * 10.0 ** rng.integers(-3, 4, (NUMBERS, 1))
    source = source.astype(as_dtype(dtype))
    start = rng.normal(size=(ROWS, 3)).astype(as_dtype(dtype))
    x, index, added = pa.asarray(start), pa.asarray(numbers), pa.asarray(source)
    wide = pa.asarray(np.repeat(numbers[:, None], 3, axis=1))

    def result() -> pa.Tensor:
        if operator == "scatter_add":
            return pa.ops.scatter_add(x, 0, wide, added)
        if operator == "scatter_reduce":
            return pa.ops.scatter_reduce(x, 0, wide, added, 1, True)
        if operator == "index_add":
            return pa.ops.index_add(x, 0, index, added, 1.0)
        changed = pa.asarray(start)
        pa.ops.index_put_impl(changed, [index], added, True, False)
        return changed

    first = result().numpy()
    np.testing.assert_array_equal(first, summed(source, numbers, start))
    np.testing.assert_array_equal(result().numpy(), first)


@pytest.mark.parametrize("operator", ["scatter", "index_copy", "scatter_nd_update"])
def test_of_values_for_one_place_the_last_stays(operator: str) -> None:
    numbers = np.array([2, 0, 2, 2, 0], np.int64)
    rows = np.arange(10, dtype=np.float32).reshape(5, 2)
    x, source = pa.zeros((4, 2)), pa.asarray(rows)
    if operator == "scatter":
        index = pa.asarray(np.repeat(numbers[:, None], 2, axis=1))
        found = pa.ops.scatter(pa.zeros((5, 2)), 0, index, source, 0).numpy()[:4]
    elif operator == "index_copy":
        found = pa.ops.index_copy(x, 0, pa.asarray(numbers), source).numpy()
    else:
        pa.ops.scatter_nd_update(x, pa.asarray(numbers[:, None].copy()), source)
        found = x.numpy()
    assert found.tolist() == [[8, 9], [0, 0], [6, 7], [0, 0]]
