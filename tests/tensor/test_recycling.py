"""An output takes over the buffer and aclTensor of the last one of its form, if nobody has them."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import numpy as np
import pytest
from gates import Gate

import pyaclnn as pa
from pyaclnn.runtime import Device, Stream
from pyaclnn.sim import control
from pyaclnn.tensor import tensor as tensor_module

SHAPE = (3, 41)


@pytest.fixture(autouse=True)
def _no_memory_of_others() -> Iterator[None]:
    gc.collect()
    Device(0).pool.trim()
    yield
    gc.collect()


def described() -> pa.Tensor:
    """Return a tensor that has an aclTensor, as an output has."""
    tensor = pa.empty(SHAPE)
    assert tensor.handle
    return tensor


@pytest.mark.skipif(tensor_module._ALONE == -1, reason="this Python does not count references")
def test_the_buffer_and_the_descriptor_serve_the_next_output() -> None:
    first = described()
    buffer, handle, address = id(first.buffer), first.handle, first.buffer.ptr
    del first

    second = pa.empty(SHAPE)

    assert (id(second.buffer), second.handle, second.buffer.ptr) == (buffer, handle, address)
    assert not second.closed
    assert second.buffer.stream is pa.current_stream()


def test_a_buffer_that_the_program_holds_is_left_to_it() -> None:
    tensor = described()
    buffer, address = tensor.buffer, tensor.buffer.ptr
    del tensor

    other = described()

    assert other.buffer is not buffer
    assert other.buffer.ptr != address
    assert buffer.ptr == address


def test_a_view_keeps_the_memory() -> None:
    tensor = pa.asarray(np.arange(6, dtype=np.float32))
    assert tensor.handle
    view = tensor[2:4]
    del tensor

    pa.zeros(6)
    pa.current_stream().sync()

    np.testing.assert_array_equal(view.numpy(), [2, 3])


def test_memory_in_use_on_another_stream_is_waited_for() -> None:
    tensor = described()
    address = tensor.buffer.ptr
    elsewhere = Device(0).create_stream()
    with Gate(elsewhere):
        tensor.buffer.record_use(elsewhere)
        del tensor

        other = described()

        assert other.buffer.ptr != address or not pa.current_stream().is_done


def test_memory_that_a_plan_uses_is_not_taken_over() -> None:
    x = pa.asarray(np.linspace(-1, 1, 123, dtype=np.float32))
    plan = pa.ops.hardswish_backward.plan(x, x)
    address = plan.outputs.buffer.ptr

    assert pa.empty(123).buffer.ptr != address


def test_a_closed_tensor_leaves_nothing() -> None:
    before = control.count("tensor")
    tensor = described()
    tensor.buffer.close()
    del tensor

    assert control.count("tensor") == before


@pytest.mark.parametrize("times", [1, 50])
def test_tensors_in_cycles_neither_share_memory_nor_lose_it(times: int) -> None:
    """The collector ends tensor and buffer in an order of its own, and each only once."""
    described()
    before = control.count("tensor"), Device(0).pool.stats().in_use

    for _ in range(times):
        tensor = described()
        cycle: list[object] = [tensor, tensor.buffer]
        cycle.append(cycle)
        del tensor, cycle
        gc.collect()
        a, b = described(), described()
        assert a.buffer.ptr != b.buffer.ptr
        assert a.handle != b.handle
        del a, b
    Device(0).pool.trim()
    described()

    assert (control.count("tensor"), Device(0).pool.stats().in_use) == before


def test_a_tensor_that_a_finalizer_brings_back_is_closed() -> None:
    saved = []

    class Holder:
        def __init__(self, tensor: pa.Tensor) -> None:
            self.tensor = tensor
            self.itself = self

        def __del__(self) -> None:
            saved.append(self.tensor)

    Holder(described())
    gc.collect()
    other = described()

    assert saved[0].closed or saved[0].buffer.ptr != other.buffer.ptr


def test_a_stream_that_is_dropped_goes_at_once() -> None:
    stream = Stream(Device(0))
    tensor = pa.empty(SHAPE, stream=stream)
    assert tensor.handle
    del tensor
    gone = weakref.ref(stream)
    gc.disable()
    try:
        del stream

        assert gone() is None
    finally:
        gc.enable()


def test_an_output_of_a_stream_stays_with_that_stream() -> None:
    stream = Stream(Device(0))
    tensor = pa.empty(SHAPE, stream=stream)
    assert tensor.handle
    del tensor
    stream.close()

    other = pa.empty(SHAPE)

    assert other.buffer.stream is pa.current_stream()
    assert other.buffer.open_on is pa.current_stream()
