from __future__ import annotations

import gc
import threading

import numpy as np
import pytest
from gates import Gate

import pyaclnn as pa
from pyaclnn.abi import check, ffi, lib
from pyaclnn.runtime import Buffer, Device, memory_stats
from pyaclnn.sim import control

HOST = np.arange(24, dtype=np.float32).reshape(4, 6)


def c_view(tensor: pa.Tensor) -> tuple[list[int], list[int], int, int]:
    """Shape, strides, offset and dtype as C tells them."""
    dims, strides = ffi.new("int64_t **"), ffi.new("int64_t **")
    rank, stride_count = ffi.new("uint64_t *"), ffi.new("uint64_t *")
    offset, dtype = ffi.new("int64_t *"), ffi.new("aclDataType *")
    check(lib.aclGetViewShape(tensor.handle, dims, rank))
    check(lib.aclGetViewStrides(tensor.handle, strides, stride_count))
    check(lib.aclGetViewOffset(tensor.handle, offset))
    check(lib.aclGetDataType(tensor.handle, dtype))
    return (
        list(dims[0][0 : rank[0]]),
        list(strides[0][0 : stride_count[0]]),
        int(offset[0]),
        int(dtype[0]),
    )


def test_attributes_describe_the_view() -> None:
    tensor = pa.asarray(HOST)[1:, ::2]

    assert tensor.shape == (3, 3)
    assert tensor.strides == (6, 2)
    assert tensor.offset == 6
    assert tensor.dtype == np.float32
    assert (tensor.size, tensor.ndim, tensor.itemsize, tensor.nbytes) == (9, 2, 4, 36)
    assert not tensor.is_contiguous
    assert tensor.device is Device(0)
    assert len(tensor) == 3


@pytest.mark.parametrize(
    "tensor",
    [
        pa.Tensor.T.fget,
        lambda t: t,
        lambda t: t[1:, ::2],
        lambda t: t[3, 5],
        lambda t: t[:, :1].broadcast_to(2, 4, 3),
        lambda t: t[2:2],
    ],
    ids=["transposed", "whole", "sliced", "0-d", "broadcast", "empty"],
)
def test_c_sees_the_same_view(tensor) -> None:  # type: ignore[no-untyped-def]
    view = tensor(pa.asarray(HOST))

    assert c_view(view) == (list(view.shape), list(view.strides), view.offset, 0)


def test_c_sees_the_whole_buffer_as_storage() -> None:
    view = pa.asarray(HOST)[1:, ::2]
    dims, rank, address = ffi.new("int64_t **"), ffi.new("uint64_t *"), ffi.new("void **")
    check(lib.aclGetStorageShape(view.handle, dims, rank))
    check(lib.aclGetRawTensorAddr(view.handle, address))

    assert list(dims[0][0 : rank[0]]) == [24]
    assert int(ffi.cast("uintptr_t", address[0])) == view.buffer.ptr


def test_the_handle_is_made_once() -> None:
    tensor = pa.asarray(HOST)
    before = control.count("tensor")

    first, second = tensor.handle, tensor.handle

    assert first is second
    assert control.count("tensor") == before + 1


@pytest.mark.parametrize("attempt", range(20))
def test_threads_get_the_same_handle(attempt: int) -> None:
    gc.collect()
    tensor = pa.asarray(HOST)
    before = control.count("tensor")
    barrier = threading.Barrier(4)
    seen: list[int] = []

    def work() -> None:
        barrier.wait()
        seen.append(int(ffi.cast("uintptr_t", tensor.handle)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(seen)) == 1
    assert control.count("tensor") == before + 1


@pytest.mark.parametrize("rank", [0, 1, 8, 9, 25])
def test_tensors_of_many_dimensions(rank: int) -> None:
    host = np.arange(2, dtype=np.int8).reshape((1,) * (rank - 1) + (2,)) if rank else np.int8(1)

    tensor = pa.asarray(host)

    assert len(c_view(tensor)[0]) == rank
    np.testing.assert_array_equal(tensor.numpy(), host)


def test_ten_thousand_tensors_leave_nothing_behind() -> None:
    pa.asarray(HOST).T.numpy()
    Device(0).pool.trim()
    handles, nbytes = control.count("total"), control.count("device_bytes")

    for _ in range(10_000):
        tensor = pa.empty((4, 6))
        assert tensor.handle != tensor.T.handle
        del tensor
    Device(0).pool.trim()

    assert control.count("total") == handles
    assert control.count("device_bytes") == nbytes


def test_a_tensor_in_a_cycle_is_destroyed_by_the_collector() -> None:
    gc.collect()
    tensor = pa.asarray(HOST)
    _ = tensor.handle
    before = control.count("tensor")
    cycle: list[object] = [tensor]
    cycle.append(cycle)
    del tensor, cycle
    gc.collect()

    assert control.count("tensor") == before - 1


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

    with control.fault("aclrtSynchronizeStream:1:507015"), pytest.raises(pa.AclError) as caught:
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


def test_a_tensor_over_a_buffer() -> None:
    buffer = Buffer(HOST.nbytes)
    pa.Tensor(buffer, (24,)).copy_from(HOST.reshape(-1))

    np.testing.assert_array_equal(
        pa.Tensor(buffer, (2, 3), "float32", strides=(12, 2), offset=1).numpy(),
        HOST.reshape(2, 12)[:, 1:6:2],
    )


@pytest.mark.parametrize(
    ("shape", "strides", "offset", "text"),
    [
        ((25,), None, 0, "reaches 25 elements into a buffer that has 24"),
        ((24,), None, 1, "reaches 25 elements"),
        ((2, 2), (24, 1), 0, "reaches 26 elements"),
        ((2, 2), (-1, 1), 4, "no reversed views"),
        ((2,), None, -1, "at least 0"),
        ((2, 2), (1,), 0, "1 strides for 2 dimensions"),
    ],
)
def test_a_tensor_beyond_its_buffer_is_refused(
    shape: tuple[int, ...], strides: tuple[int, ...] | None, offset: int, text: str
) -> None:
    with pytest.raises(ValueError, match=text):
        pa.Tensor(Buffer(HOST.nbytes), shape, np.float32, strides, offset)


def test_item_gives_a_python_number() -> None:
    assert pa.asarray(HOST)[2, 3].item() == 15.0
    assert type(pa.asarray(np.int8(3)).item()) is int
    assert (float(pa.full((1, 1), 2.5)), int(pa.full(1, 7, "int64"))) == (2.5, 7)


def test_item_needs_one_element() -> None:
    with pytest.raises(ValueError, match="24 elements, item"):
        pa.asarray(HOST).item()


def test_the_truth_of_several_elements_is_not_defined() -> None:
    assert bool(pa.ones(1))
    assert not bool(pa.zeros((1, 1)))
    with pytest.raises(ValueError, match="its truth is not defined"):
        bool(pa.ones(2))


def test_a_0d_tensor_has_no_length() -> None:
    with pytest.raises(TypeError, match="0-d"):
        len(pa.zeros(()))


def test_description_and_repr_say_what_matters_and_do_not_wait() -> None:
    stream = Device(0).create_stream()
    with Gate(stream):
        tensor = pa.empty((4, 6), stream=stream)

        assert tensor.describe() == "float32[4,6] @dev0"
        assert tensor[1:, ::2].describe() == "float32[3,3] strides(6,2) offset(6) @dev0"
        assert repr(tensor.T) == "<Tensor float32[6,4] strides(1,6) @dev0>"


def test_a_closed_tensor_is_refused() -> None:
    tensor = pa.asarray(HOST)
    tensor.close()

    uses = [
        lambda: tensor.handle,
        tensor.numpy,
        lambda: tensor.copy_from(HOST),
        lambda: tensor.buffer,
        lambda: tensor[0],
        lambda: tensor.T,
        lambda: pa.zeros((4, 6)).copy_from(tensor),
    ]
    for use in uses:
        with pytest.raises(pa.ClosedError, match=r"float32\[4,6\] closed is closed"):
            use()
    assert tensor.closed


def test_closing_twice_destroys_the_handle_once() -> None:
    with pa.asarray(HOST) as tensor:
        _ = tensor.handle
        before = control.count("tensor")
        tensor.close()

    assert control.count("tensor") == before - 1


def test_closing_frees_the_memory_with_the_last_view() -> None:
    tensor = pa.asarray(HOST)
    view = tensor[1]
    before = memory_stats().in_use

    tensor.close()
    np.testing.assert_array_equal(view.numpy(), HOST[1])
    between = memory_stats().in_use
    view.close()

    assert (between, memory_stats().in_use) == (before, before - 512)


def test_a_tensor_whose_buffer_was_closed_is_refused() -> None:
    tensor = pa.asarray(HOST)
    _ = tensor.handle
    tensor.buffer.close()

    for use in (lambda: tensor.handle, tensor.numpy, lambda: tensor.copy_from(HOST)):
        with pytest.raises(pa.ClosedError, match="closed"):
            use()


def test_a_handle_that_c_cannot_make_is_an_error_and_may_be_tried_again() -> None:
    tensor = pa.asarray(HOST)

    with control.fault("aclCreateTensor:1:200000"), pytest.raises(pa.AclError, match="aclCreateT"):
        _ = tensor.handle

    assert tensor.handle != ffi.NULL
