"""Tables so large that threads share them out, and integers that are counted in place of sorted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyaclnn as pa


def _wholes(*shape: int, seed: int = 0, most: int = 8) -> np.ndarray:
    """Small integers: whatever the order, sums of them are exact in each type."""
    return np.random.default_rng(seed).integers(-most, most + 1, shape)


def _held(values: np.ndarray, dtype: str, layout: str) -> pa.Tensor:
    """Return a tensor of these values, or a view of a larger one."""
    if layout == "contiguous":
        return pa.asarray(values.astype(pa.tensor.as_dtype(dtype)))
    if layout == "turned":
        return _held(values.T, dtype, "contiguous").T
    step = 2 if layout == "every other" else 1
    wide = pa.zeros((values.shape[0], step * values.shape[1] + 3), dtype)
    view = wide[:, 2:-1:step]
    view.copy_from(values.astype(pa.tensor.as_dtype(dtype)))
    return view


@pytest.mark.parametrize("layout", ["contiguous", "between others", "turned"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "int8"])
@pytest.mark.parametrize(
    ("rows", "columns", "index_rows", "index_columns", "dim"),
    [(700, 257, 700, 130, 1), (257, 700, 130, 700, 0), (300, 200, 280, 200, 1), (9, 40, 9, 40, 1)],
)
def test_scattered_elements(
    rows: int, columns: int, index_rows: int, index_columns: int, dim: int, dtype: str, layout: str
) -> None:
    x = _wholes(rows, columns, seed=1)
    random = np.random.default_rng(2)
    index = random.integers(0, x.shape[dim], (index_rows, index_columns))
    source = _wholes(index_rows, index_columns, seed=3, most=1)
    places = [*np.indices(index.shape)]
    places[dim] = index
    summed, placed = x.copy(), x.copy()
    np.add.at(summed, tuple(places), source)
    for i, j in np.ndindex(index.shape):
        placed[(i, index[i, j]) if dim else (index[i, j], j)] = source[i, j]

    given = _held(x, dtype, layout)
    numbers, terms = pa.asarray(index), pa.asarray(source.astype(dtype))
    out = _held(np.zeros_like(x), dtype, layout)
    if dtype != "int8":
        pa.ops.scatter_add(given, dim, numbers, terms, out=out)
        np.testing.assert_array_equal(out.numpy(), summed.astype(dtype))
    pa.ops.scatter(given, dim, numbers, terms, 0, out=out)
    np.testing.assert_array_equal(out.numpy(), placed.astype(dtype))
    np.testing.assert_array_equal(given.numpy(), x.astype(dtype))
    pa.ops.inplace_scatter(given, dim, numbers, terms, 0)
    np.testing.assert_array_equal(given.numpy(), placed.astype(dtype))


@pytest.mark.parametrize("layout", ["contiguous", "between others", "every other", "turned"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "int64"])
@pytest.mark.parametrize("axis", [0, 1])
def test_chosen_rows(axis: int, dtype: str, layout: str) -> None:
    x = _wholes(130, 70, seed=7)
    index = np.random.default_rng(8).integers(0, x.shape[axis], 90)
    given, numbers = _held(x, dtype, layout), pa.asarray(index)
    expected = x.take(index, axis).astype(dtype)
    for lies in (layout, "contiguous"):
        out = _held(np.zeros_like(expected), dtype, lies)
        pa.ops.index_select(given, axis, numbers, out=out)
        np.testing.assert_array_equal(out.numpy(), expected)


@pytest.mark.parametrize("layout", ["contiguous", "between others"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize(
    ("rows", "columns", "positions"),
    [(9000, 260, 700), (700, 70, 3000), (5, 9000, 40), (3, 5, 4000), (40, 1, 90)],
)
def test_rows_added(rows: int, columns: int, positions: int, dtype: str, layout: str) -> None:
    x = _wholes(rows, columns, seed=4)
    # Some rows are met often, the others seldom or not at all.
    random = np.random.default_rng(5)
    index = np.minimum(random.integers(0, rows, positions), random.integers(0, rows, positions))
    source = _wholes(positions, columns, seed=6, most=1)
    expected = x.astype(np.float64)
    np.add.at(expected, index, 2 * source)

    element = pa.tensor.as_dtype(dtype)
    given = _held(x, dtype, layout)
    out = _held(np.zeros_like(x), dtype, layout)
    arguments: tuple[Any, ...] = (0, pa.asarray(index), pa.asarray(source.astype(element)), 2.0)
    pa.ops.index_add(given, *arguments, out=out)
    np.testing.assert_array_equal(out.numpy(), expected.astype(element))
    pa.ops.index_add(given, *arguments, out=given)
    np.testing.assert_array_equal(given.numpy(), expected.astype(element))


def test_terms_are_added_in_their_order() -> None:
    terms = np.random.default_rng(7).standard_normal((5000, 33)).astype(np.float32)
    index = np.arange(5000) % 7
    expected = np.ones((7, 33), np.float32)
    for row, term in zip(index, terms, strict=True):
        expected[row] += term

    out = pa.ops.index_add(pa.ones((7, 33)), 0, pa.asarray(index), pa.asarray(terms), 1.0)

    np.testing.assert_array_equal(out.numpy(), expected)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64", "uint64", "bool"])
@pytest.mark.parametrize("spread", [1, 90, 1 << 40], ids=["equal", "close", "far apart"])
@pytest.mark.parametrize("turned", [False, True])
def test_different_integers(dtype: str, spread: int, turned: bool) -> None:
    limits = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    random = np.random.default_rng(8)
    # At either end of what the type holds, and around zero.
    for origin in {limits[0], limits[1], 0}:
        low, high = max(origin - spread, limits[0]), min(origin + spread, limits[1])
        x = random.integers(low, high, (260, 270), np.uint64 if low >= 0 else np.int64, True)
        x = x.astype(dtype)
        given = pa.asarray(np.ascontiguousarray(x.T)).T if turned else pa.asarray(x)
        found = pa.ops.unique2(given, True, True, True)
        values, inverse, counts = (pa.filled_part(tensor) for tensor in found)
        expected = np.unique(x, return_inverse=True, return_counts=True)
        np.testing.assert_array_equal(values.numpy(), expected[0])
        np.testing.assert_array_equal(inverse.numpy().reshape(-1), expected[1].reshape(-1))
        np.testing.assert_array_equal(counts.numpy(), expected[2])
