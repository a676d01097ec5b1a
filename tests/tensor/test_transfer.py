"""Values between tensors and the host."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from gates import Gate

import pyaclnn as pa
from pyaclnn.abi import check, lib
from pyaclnn.runtime import Device
from pyaclnn.sim import control

HOST = np.arange(24, dtype=np.float32).reshape(4, 6)


def test_numpy_waits_for_pending_work() -> None:
    stream = Device(0).create_stream()
    tensor = pa.full(1000, -1, "int32", stream=stream)
    gate = Gate(stream)
    check(lib.aclrtMemsetAsync(tensor.buffer.pointer, 4000, 0, 4000, stream.handle))
    threading.Timer(0.05, gate.open).start()

    assert not tensor.numpy().any()


def test_numpy_waits_for_work_on_another_stream() -> None:
    tensor = pa.full(1000, -1, "int32")
    stream = Device(0).create_stream()
    gate = Gate(stream)
    check(lib.aclrtMemsetAsync(tensor.buffer.pointer, 4000, 0, 4000, stream.handle))
    tensor.buffer.record_use(stream)
    threading.Timer(0.05, gate.open).start()

    assert not tensor.numpy().any()


def test_numpy_shows_the_error_of_pending_work() -> None:
    tensor = pa.asarray(HOST)

    with (
        control.fault("aclrtSynchronizeStreamWithTimeout:1:507015"),
        pytest.raises(pa.AclError) as caught,
    ):
        tensor.numpy()

    assert caught.value.code == 507015


def test_numpy_fills_an_array_that_is_given() -> None:
    out = np.full((4, 6), -1, np.float32)

    returned = pa.asarray(HOST).numpy(out)

    assert returned is out
    np.testing.assert_array_equal(out, HOST)


def test_numpy_fills_an_array_that_is_not_contiguous() -> None:
    out = np.full((6, 8), -1, np.float32)

    pa.asarray(HOST).numpy(out[:, ::2].T)
    pa.asarray(HOST).T.numpy(out[:, 1::2])

    np.testing.assert_array_equal(out[:, ::2].T, HOST)
    np.testing.assert_array_equal(out[:, 1::2], HOST.T)


READ_ONLY = np.zeros((4, 6), np.float32)
READ_ONLY.flags.writeable = False


@pytest.mark.parametrize(
    ("out", "error", "text"),
    [
        (np.zeros((4, 6)), TypeError, "out has dtype float64, the tensor float32"),
        (np.zeros((6, 4), np.float32), ValueError, r"out has shape \(6, 4\)"),
        (READ_ONLY, ValueError, "out is read-only"),
        ([[0.0] * 6] * 4, TypeError, "not list"),
    ],
)
def test_numpy_refuses_an_array_that_does_not_fit(
    out: object, error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        pa.asarray(HOST).numpy(out)


def test_the_returned_array_is_independent_of_the_tensor() -> None:
    tensor = pa.asarray(HOST)

    tensor.numpy()[:] = -1
    tensor.T.numpy()[:] = -1

    np.testing.assert_array_equal(tensor.numpy(), HOST)


def test_numpy_functions_take_tensors() -> None:
    tensor = pa.asarray(HOST)

    np.testing.assert_array_equal(np.asarray(tensor.T), HOST.T)
    assert np.asarray(tensor, np.int64).dtype == np.int64
    assert np.sum(tensor) == HOST.sum()


def test_an_array_without_a_copy_is_refused() -> None:
    with pytest.raises(ValueError, match="only by a copy"):
        pa.asarray(HOST).__array__(copy=False)


VIEWS = [lambda t: t, lambda t: t.T, lambda t: t[1:3, ::2], lambda t: t[::2, 1:], lambda t: t[2, 3]]


@pytest.mark.parametrize("view", VIEWS, ids=range(5))
def test_copy_from_changes_the_view_and_nothing_else(view) -> None:  # type: ignore[no-untyped-def]
    tensor, expected = pa.asarray(HOST), HOST.copy()
    values = np.random.default_rng(1).normal(size=view(tensor).shape).astype(np.float32)

    returned = view(tensor).copy_from(values)
    if expected[2, 3].ndim == 0 and not values.ndim:
        expected[2, 3] = values
    else:
        view(expected)[...] = values

    np.testing.assert_array_equal(tensor.numpy(), expected)
    np.testing.assert_array_equal(returned.numpy(), values)


def test_copy_from_broadcasts() -> None:
    tensor = pa.asarray(HOST)

    tensor.copy_from(7)
    assert (tensor.numpy() == 7).all()
    tensor.copy_from([1, 2, 3, 4, 5, 6])
    assert tensor.numpy()[3].tolist() == [1, 2, 3, 4, 5, 6]


def test_copy_from_waits_for_work_that_reads_the_old_values() -> None:
    stream = Device(0).create_stream()
    source = pa.full(1000, 1, "int32", stream=stream)
    target = pa.zeros(1000, "int32", stream=stream)
    gate = Gate(stream)
    with stream:
        target.copy_from(source)
    threading.Timer(0.05, gate.open).start()

    source.copy_from(np.full(1000, 2, np.int32))

    assert (target.numpy() == 1).all()


def test_copying_between_tensors_does_not_wait() -> None:
    stream = Device(0).create_stream()
    with stream, Gate(stream):
        target = pa.zeros((4, 6)).copy_from(pa.zeros((4, 6)))
        pending = not stream.is_done

    assert pending
    assert not target.numpy().any()


def test_copying_from_a_tensor_waits_for_the_stream_that_makes_it() -> None:
    maker, taker = Device(0).create_stream(), Device(0).create_stream()
    with taker:
        target = pa.zeros(1000, "int32")
    with Gate(maker):
        source = pa.zeros(1000, "int32", stream=maker)
        check(lib.aclrtMemsetAsync(source.buffer.pointer, 4000, 1, 4000, maker.handle))
        with taker:
            target.copy_from(source)
        del source
        reused = pa.zeros(1000, "int32", stream=maker)

    assert (target.numpy() == 0x01010101).all()
    assert not reused.numpy().any()


@pytest.mark.parametrize(
    "views",
    [
        (lambda t: t.T, lambda t: t),
        (lambda t: t, lambda t: t.T),
        (lambda t: t[0], lambda t: t[:, 0]),
        (lambda t: t[:, 1], lambda t: t[3, :]),
    ],
    ids=range(4),
)
def test_copying_between_views(views) -> None:  # type: ignore[no-untyped-def]
    square = np.arange(36, dtype=np.float32).reshape(6, 6)
    target, source = pa.zeros((6, 6)), pa.asarray(square)
    expected = np.zeros((6, 6), np.float32)

    views[0](target).copy_from(views[1](source))
    views[0](expected)[...] = views[1](square)

    np.testing.assert_array_equal(target.numpy(), expected)


def test_copying_within_one_buffer_may_overlap() -> None:
    tensor = pa.asarray(np.arange(10))

    tensor[1:].copy_from(tensor[:-1])

    assert tensor.numpy().tolist() == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize(
    ("target", "values", "error", "text"),
    [
        (("int32", 2), [1.5, 2.5], TypeError, "float64 do not convert to int32"),
        (("float32", 2), np.array([1j, 2]), TypeError, "complex128 do not convert"),
        (("uint8", 2), np.array([1, 2]), TypeError, "int64 do not convert to uint8"),
        (("float32", 2), ["a", "b"], TypeError, "do not convert"),
        (("float32", 2), [1, 2, 3], ValueError, "broadcast"),
    ],
)
def test_copy_from_refuses_what_does_not_fit(
    target: tuple[str, int], values: object, error: type[Exception], text: str
) -> None:
    tensor = pa.zeros(target[1], target[0])

    with pytest.raises(error, match=text):
        tensor.copy_from(values)


def test_copy_from_takes_python_integers_for_unsigned_ones() -> None:
    assert pa.zeros(2, "uint8").copy_from([1, 255]).numpy().tolist() == [1, 255]


def test_copying_between_dtypes_is_refused() -> None:
    with pytest.raises(TypeError, match="convert on the host"):
        pa.zeros(3).copy_from(pa.zeros(3, "int32"))


def test_writing_a_broadcast_view_is_refused() -> None:
    view = pa.zeros(3).broadcast_to(2, 3)

    with pytest.raises(ValueError, match="share memory"):
        view.copy_from(np.ones((2, 3)))


def test_writing_a_view_whose_elements_overlap_is_refused() -> None:
    windows = pa.Tensor(pa.zeros(5).buffer, (3, 3), "float32", strides=(1, 1))

    with pytest.raises(ValueError, match="share memory"):
        windows.copy_from(np.ones((3, 3)))
