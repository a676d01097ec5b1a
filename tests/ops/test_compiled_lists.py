"""Operators that give a list of tensors, called many times."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.sim import control
from pyaclnn.tensor.cached import clear_caches, share_list
from pyaclnn.tensor.formats import with_format

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


def test_lists_of_numbers_are_told_apart_by_values_and_types() -> None:
    mul = pa.ops.foreach_mul_scalar_list
    given = _tensors()
    whole = [pa.asarray(np.full((2, 2), i, np.int32)) for i in range(4)]
    for _ in range(3):
        for numbers in ([1.0, 2.0, 3.0, 4.0], (4.0, 3.0, 2.0, 1.0), np.array([0.5, 1.0, 1.5, 2.0])):
            assert _firsts(mul(given, numbers)) == [i * float(n) for i, n in enumerate(numbers)]
        assert _firsts(mul(whole, [4, 3, 2, 1])) == [0, 3, 4, 3]
        # Equal, and of another type: CANN takes integers beside int32 only.
        with pytest.raises(pa.AclError, match="161002"):
            mul(given, [4, 3, 2, 1])
        with pytest.raises(pa.AclError, match="161002"):
            mul(whole, [4.0, 3.0, 2.0, 1.0])
        with pytest.raises(TypeError, match="scalars"):
            mul(given, [1.0, "2", 3.0, 4.0])
        with pytest.raises(TypeError, match="scalars"):
            mul(given, 2.0)


def test_a_list_of_numbers_that_is_changed_is_seen() -> None:
    given, numbers = _tensors(), [1.0] * 4
    for last in (2.0, 3.0, float("inf")):
        numbers[3] = last
        assert _firsts(pa.ops.foreach_mul_scalar_list(given, numbers)) == [0, 1, 2, 3 * last]


def test_lists_of_one_number_for_each_tensor() -> None:
    for start in range(4):
        given = _tensors(start=start)
        norms = pa.ops.foreach_norm(given, 1.0)
        assert [t.shape for t in norms] == [()] * 4
        assert {t.dtype for t in norms} == {np.dtype(np.float32)}
        assert _firsts(norms) == [3 * (i + 1) * (start + i) for i in range(4)]


def test_lists_in_turn_are_told_apart() -> None:
    a, b, c = (pa.full((2,), value, "float32") for value in (1.0, 2.0, 3.0))
    lists = [[a, b], (a, b), [a, c], (a, b, c), [a], [b, a], (c,)]
    expected = [[2.0, 3.0], [2.0, 3.0], [2.0, 4.0], [2.0, 3.0, 4.0], [2.0], [3.0, 2.0], [4.0]]
    for _ in range(3):
        assert [_firsts(add(given, 1.0)) for given in lists] == expected
    del lists[3], c
    new = pa.full((2,), 7.0, "float32")
    assert _firsts(add([a, new], 1.0)) == [2.0, 8.0]


@pytest.mark.parametrize("given", [pa.Tensor, dict, set, int])
def test_what_is_no_list_is_refused(given: type) -> None:
    wrong = pa.ones((2, 3)) if given is pa.Tensor else given()
    with pytest.raises((TypeError, pa.AclError)):
        add(wrong, 1.0)


def test_views_made_anew_find_the_description_of_their_list() -> None:
    base = pa.asarray(np.arange(12, dtype=np.float32).reshape(3, 4))
    for _ in range(2):
        pa.ops.cat([base[1:], base[:2]], 0)
    before = control.count("tensor_list")
    for _ in range(4):
        found = pa.ops.cat([base[1:], base[:2]], 0).numpy()
        np.testing.assert_array_equal(found, base.numpy()[[1, 2, 0, 1]])
    assert control.count("tensor_list") == before


def test_lists_of_results_find_the_description_of_their_list() -> None:
    given, made = _tensors(2), []
    for start in range(24):
        found = pa.ops.cat([*add(given, float(start))], 0).numpy()
        np.testing.assert_array_equal(found[:, 0], [start, start + 1, start + 1])
        made.append(control.count("tensor_list"))
    # Memory takes turns, and the same turns again.
    assert made[-1] == made[12]


def test_memory_that_takes_many_forms_is_described_as_what_it_is() -> None:
    shapes = [(24,), (2, 12), (3, 8), (4, 6), (6, 4), (8, 3), (12, 2), (24, 1), (1, 24), (2, 3, 4)]
    for turn in range(3):
        for shape in shapes:
            x = pa.full(shape, float(turn), "float32")
            y = add([x], 1.0)[0]
            assert y.shape == shape
            np.testing.assert_array_equal(pa.ops.cat([y, x], 0).numpy()[-1], x.numpy()[-1])
            del x, y


def test_a_list_is_shared_by_what_is_described_alike_only() -> None:
    base = pa.ones((4, 4))
    row = share_list([base[0]])
    assert share_list([base[0]]) is row
    for other in (base[1], base[:, 0], base[:1], base, with_format(base[0], "NCHW")):
        assert share_list([other]) is not row
    assert share_list((base, base)) is share_list([base, base])
    for wrong in ([], [None], [base, 1]):
        with pytest.raises(LookupError):
            share_list(wrong)  # type: ignore[arg-type]
    base.close()
    with pytest.raises(LookupError):
        share_list([base])
