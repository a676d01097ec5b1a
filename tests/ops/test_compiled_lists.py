"""Operators that give a list of tensors, called many times."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.tensor.cached import clear_caches

add = pa.ops.foreach_add_scalar_v2


def _tensors(count: int = 4, start: int = 0) -> list[pa.Tensor]:
    return [pa.asarray(np.full((i + 1, 3), start + i, np.float32)) for i in range(count)]


def _firsts(tensors: Any) -> list[float]:
    return [float(t.numpy().reshape(-1)[0]) for t in tensors]


@pytest.fixture(autouse=True)
def compiled() -> None:
    for _ in range(3):
        add(_tensors(), 1.0)


def test_results_are_right_while_memory_goes_round() -> None:
    for start in range(6):
        given = _tensors(start=start)
        once = add(given, 2.0)
        assert isinstance(once, list)
        assert [t.shape for t in once] == [t.shape for t in given]
        twice = add(once, 1.0)
        del once
        assert _firsts(twice) == [start + i + 3 for i in range(4)]


def test_results_that_are_held_stay_what_they_are() -> None:
    given = _tensors()
    held = [add(given, float(n)) for n in range(8)]
    for n, tensors in enumerate(held):
        assert _firsts(tensors) == [i + n for i in range(4)]


def test_given_outputs_are_written_and_returned() -> None:
    given, out = _tensors(), _tensors(start=50)
    assert add(given, 2.0, out=out) is out
    assert _firsts(out) == [i + 2 for i in range(4)]
    assert add(out, 1.0, out=out) is out
    assert _firsts(out) == [i + 3 for i in range(4)]
    assert _firsts(given) == [0, 1, 2, 3]


def test_a_tensor_that_is_exchanged_in_the_list_is_seen() -> None:
    given, out = _tensors(), _tensors()
    add(given, 2.0, out=out)
    before = out[1]
    out[1] = pa.asarray(np.zeros((2, 3), np.float32))
    given[1] = pa.asarray(np.full((2, 3), 7, np.float32))
    add(given, 2.0, out=out)
    assert _firsts(out) == [2, 9, 4, 5]
    assert _firsts([before]) == [3]


def test_overlapping_outputs_are_refused() -> None:
    base = pa.asarray(np.zeros(8, np.float32))
    given = [base[:4], pa.asarray(np.zeros(4, np.float32))]
    with pytest.raises(ValueError, match="overlaps"):
        add(given, 1.0, out=[base[2:6], pa.empty(4)])


def test_closed_outputs_are_refused() -> None:
    out = _tensors()
    add(_tensors(), 1.0, out=out)
    out[2].close()
    with pytest.raises(pa.ClosedError):
        add(_tensors(), 1.0, out=out)


def test_what_is_no_list_of_tensors_is_refused() -> None:
    for out in ([None] * 4, [1, 2, 3, 4], _tensors(3)):
        with pytest.raises((TypeError, ValueError)):
            add(_tensors(), 1.0, out=out)


def test_shapes_are_those_of_the_call() -> None:
    for count in (2, 4, 3, 4):
        assert _firsts(add(_tensors(count), 1.0)) == [i + 1 for i in range(count)]
    halves = [pa.asarray(np.ones((2, 2)), dtype="float16") for _ in range(2)]
    assert [t.dtype for t in add(halves, 1.0)] == [np.float16] * 2


def test_other_streams_and_empty_caches() -> None:
    given = _tensors()
    stream = pa.current_device().create_stream()
    first = add(given, 1.0, stream=stream)
    clear_caches()
    with stream:
        second = add(first, 1.0)
    assert _firsts(second) == [i + 2 for i in range(4)]
    third = add(second, 1.0, stream=stream, out=first)
    stream.sync()
    assert _firsts(third) == [i + 3 for i in range(4)]


def test_views_in_lists_are_read() -> None:
    base = pa.asarray(np.arange(12, dtype=np.float32).reshape(3, 4))
    given = [base[1:], base.T]
    found = add(given, 1.0)
    for tensor, view in zip(found, given, strict=True):
        np.testing.assert_array_equal(tensor.numpy(), view.numpy() + 1)
