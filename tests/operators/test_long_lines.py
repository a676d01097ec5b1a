"""Lines that are longer than what kernels work on at a time, beside NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyaclnn as pa

Array = np.ndarray[Any, Any]

#: Around the numbers of lanes, of a block, and of what is sorted in another way.
_LENGTHS = (63, 65, 257, 512, 1000)
_MANY = 20_000

both = pytest.mark.parametrize("axis", [0, 1], ids=["columns", "rows"])
lengths = pytest.mark.parametrize("length", _LENGTHS)


def _lines(length: int, axis: int, dtype: str = "float32") -> Array:
    """Eight lines with many ties."""
    rng = np.random.default_rng(length)
    values = rng.integers(-20, 20, (8, length)).astype(dtype)
    return np.ascontiguousarray(values if axis == 1 else values.T)


@both
@lengths
@pytest.mark.parametrize("dtype", ["float32", "float16", "int64"])
def test_the_first_extremum_is_found(length: int, axis: int, dtype: str) -> None:
    values = _lines(length, axis, dtype)
    found, places = pa.ops.max_dim(pa.asarray(values), axis, False)
    np.testing.assert_array_equal(found.numpy(), values.max(axis))
    np.testing.assert_array_equal(places.numpy(), values.argmax(axis))
    found, places = pa.ops.min_dim(pa.asarray(values), axis, False)
    np.testing.assert_array_equal(found.numpy(), values.min(axis))
    np.testing.assert_array_equal(places.numpy(), values.argmin(axis))


@pytest.mark.parametrize("dtype", ["int64", "int32", "int8", "float32", "float16"])
@pytest.mark.parametrize("length", [31, 255, 256, 257, 287, 289])
def test_an_extremum_is_found_wherever_it_lies(length: int, dtype: str) -> None:
    peaks = np.arange(1, length + 1) % 100 + 1
    values = np.diag(peaks).astype(dtype)
    np.testing.assert_array_equal(pa.ops.amax(pa.asarray(values), [1], False).numpy(), peaks)
    np.testing.assert_array_equal(pa.ops.amin(pa.asarray(-values), [1], False).numpy(), -peaks)


@both
def test_the_first_nan_is_the_extremum(axis: int) -> None:
    values = _lines(1000, axis)
    lines = values if axis == 1 else values.T
    for line, place in zip(lines, (0, 1, 63, 64, 511, 512, 700, 999), strict=True):
        line[place:] = np.nan
    _, places = pa.ops.max_dim(pa.asarray(values), axis, False)
    np.testing.assert_array_equal(places.numpy(), values.argmax(axis))
    np.testing.assert_array_equal(pa.ops.amax(pa.asarray(values), [axis], False).numpy(), np.nan)


def test_places_of_extrema_side_by_side_are_as_many_as_the_columns() -> None:
    values = np.random.default_rng(1).integers(-20, 20, (3, 1100)).astype(np.float32)
    room = pa.asarray(np.full(2200, -1))

    pa.ops.arg_max(pa.asarray(values), 0, False, out=room[:1100])

    np.testing.assert_array_equal(room.numpy(), [*values.argmax(0), *[-1] * 1100])


def test_nothing_but_negative_infinity_has_a_first_place() -> None:
    values = np.full((2, 600), -np.inf, np.float32)
    np.testing.assert_array_equal(pa.ops.arg_max(pa.asarray(values), 1, False).numpy(), 0)


@both
@lengths
@pytest.mark.parametrize("descending", [False, True])
def test_equal_ones_stay_in_order(length: int, axis: int, descending: bool) -> None:
    values = _lines(length, axis)
    found, places = pa.ops.sort(pa.asarray(values), True, axis, descending)
    order = np.argsort(-values if descending else values, axis, kind="stable")
    np.testing.assert_array_equal(places.numpy(), order)
    np.testing.assert_array_equal(found.numpy(), np.take_along_axis(values, order, axis))


@pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "int64"])
def test_a_long_line_is_sorted(dtype: str) -> None:
    values = np.random.default_rng(3).integers(-100, 100, _MANY).astype(dtype)
    found, places = pa.ops.sort(pa.asarray(values), True, 0, False)
    np.testing.assert_array_equal(places.numpy(), np.argsort(values, kind="stable"))
    np.testing.assert_array_equal(found.numpy(), np.sort(values))
    most, places = pa.ops.topk(pa.asarray(values), 70, 0, True, True)
    order = np.argsort(-values.astype(np.float64), kind="stable")[:70]
    np.testing.assert_array_equal(places.numpy(), order)
    np.testing.assert_array_equal(most.numpy(), values[order])


@both
@lengths
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_softmax_of_long_lines(length: int, axis: int, dtype: str) -> None:
    values = np.random.default_rng(length).standard_normal((300, length))
    given = np.ascontiguousarray(values if axis == 1 else values.T).astype(dtype)
    wide = given.astype(np.float64)
    powers = np.exp(wide - wide.max(axis, keepdims=True))
    expected = powers / powers.sum(axis, keepdims=True)
    tolerance = {"float32": 2e-6, "float16": 1e-3}[dtype]
    found = pa.ops.softmax(pa.asarray(given), axis).numpy()
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=1e-7)
    found = pa.ops.log_softmax(pa.asarray(given), axis).numpy()
    np.testing.assert_allclose(found, np.log(expected), rtol=tolerance, atol=tolerance)


@both
@lengths
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_sums_of_long_lines(length: int, axis: int, dtype: str) -> None:
    values = np.random.default_rng(length).random((300, length))
    given = np.ascontiguousarray(values if axis == 1 else values.T).astype(dtype)
    found = pa.ops.reduce_sum(pa.asarray(given), [axis], False, dtype).numpy()
    tolerance = {"float32": 2e-7, "float16": 1e-3}[dtype]
    np.testing.assert_allclose(found, given.astype(np.float64).sum(axis), rtol=tolerance)


@both
@lengths
@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_running_sums_of_lines(length: int, axis: int, dtype: str) -> None:
    values = _lines(length, 1, dtype)[:7]
    given = np.ascontiguousarray(values if axis == 1 else values.T)
    found = pa.ops.cumsum(pa.asarray(given), axis, dtype).numpy()
    np.testing.assert_array_equal(found, given.astype(np.float64).cumsum(axis).astype(dtype))


def test_running_sums_of_int64_go_into_every_second_place() -> None:
    values = np.arange(1, 40)
    room = pa.asarray(np.full(78, -1))

    pa.ops.cumsum(pa.asarray(values), 0, "int64", out=room[::2])

    np.testing.assert_array_equal(room.numpy().reshape(39, 2)[:, 0], values.cumsum())
    assert (room.numpy()[1::2] == -1).all()
