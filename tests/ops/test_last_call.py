"""What a compiled call keeps of the last one is told apart from what the next one is given."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.sim import control
from pyaclnn.tensor.cached import clear_caches


def parts(*rows: int) -> list[pa.Tensor]:
    generator = np.random.default_rng(len(rows))
    return [pa.asarray(generator.standard_normal((n, 3)).astype(np.float32)) for n in rows]


def joined(tensors: Any) -> np.ndarray[Any, Any]:
    return np.concatenate([t.numpy() for t in tensors])


def cat(tensors: Any, dim: int = 0, **options: Any) -> np.ndarray[Any, Any]:
    result: np.ndarray[Any, Any] = pa.ops.cat(tensors, dim, **options).numpy()
    return result


def test_a_list_that_was_changed_in_place_is_another() -> None:
    tensors = parts(2, 4, 1)
    for _ in range(3):
        cat(tensors)

    tensors[1], tensors[2] = tensors[2], tensors[1]
    np.testing.assert_array_equal(cat(tensors), joined(tensors))
    tensors.append(tensors[0])
    np.testing.assert_array_equal(cat(tensors), joined(tensors))
    del tensors[0]
    np.testing.assert_array_equal(cat(tensors), joined(tensors))


def test_lists_and_tuples_take_turns() -> None:
    one, other = parts(2, 4), tuple(parts(1, 2, 3))
    for _ in range(4):
        np.testing.assert_array_equal(cat(one), joined(one))
        np.testing.assert_array_equal(cat(tuple(one)), joined(one))
        np.testing.assert_array_equal(cat(other), joined(other))


@pytest.mark.parametrize("stranger", [np.ones((1, 1), np.float32), np.float32(1), 1.0, None, "x"])
def test_what_equals_a_tensor_of_the_last_list_is_none(stranger: object) -> None:
    tensors = [pa.ones((1, 1)), pa.ones((1, 1))]
    for _ in range(3):
        cat(tensors)

    with pytest.raises((TypeError, pa.AclError)):
        pa.ops.cat([tensors[0], stranger], 0, out=pa.empty((2, 1)))


@pytest.mark.parametrize("nothing", [[], ()])
def test_an_empty_list_is_not_that_of_the_last_call(nothing: Any) -> None:
    out = pa.zeros((3, 3))
    for _ in range(3):
        np.testing.assert_array_equal(cat(parts(1, 2), out=out), joined(parts(1, 2)))
        pa.ops.cat(nothing, 0, out=pa.zeros(0))


def test_the_last_list_keeps_nothing_alive() -> None:
    pa.current_device().pool.trim()
    clear_caches()
    before = control.count("tensor_list")
    tensors = parts(2, 4)
    for _ in range(3):
        cat(tensors)
    gone = [weakref.ref(t) for t in tensors]
    assert control.count("tensor_list") == before + 1

    del tensors
    gc.collect()

    assert [g() for g in gone] == [None, None]
    # The description stays for the next list at these addresses; it holds no memory.
    clear_caches()
    assert control.count("tensor_list") == before


def padded(padding: Any) -> np.ndarray[Any, Any]:
    """Return the gradient of padding four values by their ends, of ones."""
    left, right = padding
    x = pa.ones((1, 1, 4))
    grad = pa.ones((1, 1, 4 + left + right))
    result: np.ndarray[Any, Any] = pa.ops.replication_pad1d_backward(grad, x, padding).numpy()
    return result[0, 0]


def test_emptying_the_caches_empties_what_is_kept_of_last_calls() -> None:
    tensors = parts(1, 1)
    clear_caches()
    before = control.count("tensor_list"), control.count("int_array")
    for _ in range(3):
        cat(tensors)
        padded([1, 1])
    assert control.count("int_array") > before[1]

    clear_caches()

    assert (control.count("tensor_list"), control.count("int_array")) == before
    np.testing.assert_array_equal(cat(tensors), joined(tensors))
    np.testing.assert_array_equal(padded([1, 1]), [2, 1, 1, 2])


def test_arrays_take_turns() -> None:
    for _ in range(3):
        for left, right in ((1, 1), (2, 0), (0, 1)):
            np.testing.assert_array_equal(padded((left, right)), [1 + left, 1, 1, 1 + right])


def test_an_array_that_was_changed_in_place_is_another() -> None:
    padding = [1, 1]
    for _ in range(3):
        padded(padding)
    padding[1] = 2

    np.testing.assert_array_equal(padded(padding), [2, 1, 1, 3])


def test_an_error_tells_of_nothing_that_the_call_tried_before() -> None:
    x = pa.ones(4)
    for _ in range(3):
        pa.ops.selu_backward(x, x)

    for wrong in (np.ones(4, np.float32), "x", 3):
        with pytest.raises(TypeError) as caught:
            pa.ops.selu_backward(x, wrong)
        assert caught.value.__context__ is None


@pytest.mark.parametrize("times", [0, 3])
@pytest.mark.parametrize(
    ("tensors", "dim", "message"),
    [
        ([0, 1], "0", "cat: argument dim: an integer is needed, not str '0'"),
        ([0, 1], 1 << 70, "cat: argument dim: 1180591620717411303424 is out of range"),
        ([0, "x"], 0, "cat: argument tensors: item 1 must be a pyaclnn.Tensor or None, not str"),
    ],
)
def test_wrong_arguments_are_named_where_shapes_follow_from_them(
    tensors: list[Any], dim: Any, message: str, times: int
) -> None:
    known = parts(1, 1)
    for _ in range(times):
        cat(known)

    with pytest.raises((TypeError, ValueError), match=message) as caught:
        pa.ops.cat([known[t] if isinstance(t, int) else t for t in tensors], dim)
    assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_a_tensor_of_another_stream_is_announced_there() -> None:
    elsewhere = pa.current_device().create_stream()
    x, y = pa.ones(4), pa.ones(4, stream=elsewhere)
    elsewhere.sync()
    for _ in range(3):
        pa.ops.selu_backward(x, x)

    pa.ops.selu_backward(x, y).numpy()

    assert pa.current_stream() in y.buffer.streams


def test_outputs_in_a_list_come_back_in_a_tuple() -> None:
    rows, ones = pa.ones((2, 4)), pa.ones((2, 1))
    weight = pa.ones(4)
    for kind in (tuple, list, tuple, list):
        out = kind([pa.empty((2, 4)), pa.empty(4), pa.empty(4)])

        returned = pa.ops.layer_norm_backward(
            rows, rows, [4], ones, ones, weight, weight, [True] * 3, out=out
        )

        assert type(returned) is tuple
        assert all(a is b for a, b in zip(returned, out, strict=True))
