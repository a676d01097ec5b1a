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


def forget_descriptors() -> None:
    """Let no block of the pool hold the aclTensor of a tensor that is gone."""
    gc.collect()
    pa.current_device().pool.trim()


def test_the_handle_is_made_once() -> None:
    forget_descriptors()
    tensor = pa.asarray(HOST)
    before = control.count("tensor")

    first, second = tensor.handle, tensor.handle

    assert first is second
    assert control.count("tensor") == before + 1


@pytest.mark.parametrize("attempt", range(20))
def test_threads_get_the_same_handle(attempt: int) -> None:
    forget_descriptors()
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


def test_an_output_of_the_same_layout_takes_over_the_descriptor_left_with_the_memory() -> None:
    forget_descriptors()
    first = pa.empty((5, 7), "float16")
    handle, address = int(ffi.cast("uintptr_t", first.handle)), first.buffer.ptr
    del first

    second = pa.empty((5, 7), "float16")

    assert second.buffer.ptr == address
    assert int(ffi.cast("uintptr_t", second.handle)) == handle
    assert c_view(second) == ([5, 7], [7, 1], 0, lib.ACL_FLOAT16)


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [((70_000, 5), "float16"), ((5, 70_000), "int16"), ((349_999,), "int16")],
)
def test_an_output_of_another_layout_gets_a_descriptor_of_its_own(
    shape: tuple[int, ...], dtype: str
) -> None:
    forget_descriptors()
    before = control.count("tensor")
    first = pa.empty((5, 70_000), "float16")
    _, address = first.handle, first.buffer.ptr
    del first

    second = pa.empty(shape, dtype)

    assert second.buffer.ptr == address
    assert c_view(second)[0] == list(shape)
    # The other one stays with the memory, for the next tensor of its layout.
    assert control.count("tensor") == before + 2


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
    forget_descriptors()
    tensor = pa.asarray(HOST)
    _ = tensor.handle
    before = control.count("tensor")
    cycle: list[object] = [tensor]
    cycle.append(cycle)
    del tensor, cycle
    forget_descriptors()

    assert control.count("tensor") == before - 1


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
    with pytest.raises(ValueError, match="ambiguous"):
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

    # The memory is kept for the next tensor, and its description with it.
    forget_descriptors()
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
    forget_descriptors()
    tensor = pa.asarray(HOST)

    with control.fault("aclCreateTensor:1:200000"), pytest.raises(pa.AclError, match="aclCreateT"):
        _ = tensor.handle

    assert tensor.handle != ffi.NULL
