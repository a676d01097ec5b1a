"""An output takes memory and aclTensor of an earlier one of its layout, if nobody has them."""

from __future__ import annotations

import copy
import gc
import threading
import weakref
from collections.abc import Iterator

import numpy as np
import pytest
from gates import Gate

import pyaclnn as pa
from pyaclnn.runtime import Device, Stream
from pyaclnn.sim import control
from pyaclnn.tensor import layout as layouts

SHAPE = (3, 41)


@pytest.fixture(autouse=True)
def _no_memory_of_others() -> Iterator[None]:
    gc.collect()
    Device(0).pool.trim()
    yield
    gc.collect()


def described(shape: int | tuple[int, ...] = SHAPE) -> pa.Tensor:
    """Return a tensor that has an aclTensor, as an output has."""
    tensor = pa.empty(shape)
    assert tensor.handle
    return tensor


def test_the_memory_and_the_descriptor_serve_the_next_output() -> None:
    first = described()
    handle, address = first.handle, first.buffer.ptr
    del first

    second = pa.empty(SHAPE)

    assert (second.handle, second.buffer.ptr) == (handle, address)
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
    Device(0).pool.trim()

    assert control.count("tensor") == before


@pytest.mark.exhaustive
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
    assert other.buffer.stream_while_open is pa.current_stream()


def test_tensors_that_take_turns_find_the_memory_of_one_another() -> None:
    turns: list[pa.Tensor | None] = [None, None, None]
    addresses = set()

    for number in range(60):
        turns[number % 3] = tensor = described()
        addresses.add(tensor.buffer.ptr)
        del tensor
        alive = [t for t in turns if t is not None]
        assert len({t.buffer.ptr for t in alive}) == len(alive)

    assert len(addresses) <= 4


def test_tensors_that_stay_do_not_stand_in_the_way() -> None:
    staying = [described() for _ in range(10)]
    described()
    before = Device(0).pool.stats().mallocs, control.count("tensor")

    addresses = {described().buffer.ptr for _ in range(100)}

    assert addresses.isdisjoint(t.buffer.ptr for t in staying)
    assert (Device(0).pool.stats().mallocs, control.count("tensor")) == before


def test_layouts_that_take_turns_in_a_block_keep_their_descriptors() -> None:
    shapes = [(123,), (41, 3), (1, 123), (3, 41)]
    first = {shape: described(shape).handle for shape in shapes}

    for _ in range(5):
        for shape in shapes:
            assert described(shape).handle == first[shape]


def test_a_block_keeps_a_few_descriptors() -> None:
    before = control.count("tensor")

    for rank in range(1, 20):
        described((1,) * rank)

    assert control.count("tensor") == before + 8


def test_a_tensor_and_its_views_have_one_buffer() -> None:
    tensor = described()

    assert tensor.T.buffer is tensor.buffer is tensor[1:].T.buffer


@pytest.mark.parametrize("attempt", range(20))
def test_threads_get_the_same_buffer(attempt: int) -> None:
    tensor = described()
    barrier = threading.Barrier(4)
    seen = []

    def work() -> None:
        barrier.wait()
        seen.append(tensor.buffer)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(seen) == 4
    assert all(buffer is tensor.buffer for buffer in seen)


def test_a_closed_tensor_gives_its_memory_back_once() -> None:
    tensor = described()
    address = described().buffer.ptr
    tensor.close()
    tensor.close()
    del tensor

    others = [described() for _ in range(4)]

    assert len({t.buffer.ptr for t in others}) == 4
    assert address in {t.buffer.ptr for t in others}


def test_a_copy_of_a_tensor_is_a_view_and_has_no_memory_of_its_own() -> None:
    tensor = pa.asarray(np.arange(6, dtype=np.float32))
    view = copy.copy(tensor)
    address = tensor.buffer.ptr
    del tensor

    others = [pa.zeros(6) for _ in range(4)]

    assert view.buffer.ptr == address
    np.testing.assert_array_equal(view.numpy(), np.arange(6))
    del others


@pytest.mark.parametrize("live", [1, 3, 30])
@pytest.mark.parametrize("extent", [100, 100_000])
def test_memory_does_not_grow_with_shapes_that_come_and_go(live: int, extent: int) -> None:
    """Of one size: kept for its own layout, memory serves another when there is enough of it."""
    shapes = [(first, extent - 7 * (first == 2)) for first in (1, 2)]
    shapes = [(*((1,) * ones), *shape) for ones in range(6) for shape in shapes]
    alive: list[pa.Tensor | None] = [None] * live
    pool = Device(0).pool
    # Of what other tests of this process left, free blocks go and used ones are counted.
    pool.trim()
    before = pool.stats().reserved
    reserved = []
    for number in range(600):
        alive[number % live] = described(shapes[number % len(shapes)])
        reserved.append(pool.stats().reserved - before)

    assert reserved[-1] == reserved[200]
    needed = sum(tensor.nbytes for tensor in alive if tensor is not None)
    assert reserved[-1] <= 3 * needed + (1 << 21) * 6


def test_what_a_layout_keeps_counts_as_cached() -> None:
    pool = Device(0).pool
    before = pool.stats()

    tensor = described()
    assert pool.stats().in_use > before.in_use
    del tensor

    assert pool.stats().in_use == before.in_use


def test_what_a_layout_keeps_serves_others_of_its_size() -> None:
    large = 1 << 20
    address = pa.empty(large).buffer.ptr
    mallocs = Device(0).pool.stats().mallocs

    # Asked first, `stats` itself would have let go of it.
    pa.empty((2, large))
    described()
    other = pa.empty((1, large))

    assert other.buffer.ptr == address
    assert Device(0).pool.stats().mallocs <= mallocs + 2


def test_trimming_gives_it_back() -> None:
    before = control.count("tensor")
    described()

    assert Device(0).pool.trim() > 0
    assert control.count("tensor") == before


def test_a_weak_reference_ends_with_its_tensor() -> None:
    tensor = described()
    gone = weakref.ref(tensor)
    del tensor

    assert gone() is None


def test_a_tensor_that_was_closed_is_not_brought_back() -> None:
    tensor = described()
    tensor.close()

    other = described()

    assert tensor.closed
    assert not other.closed


def test_a_buffer_that_was_closed_serves_nobody() -> None:
    tensor = described()
    buffer = tensor.buffer
    buffer.close()
    del tensor, buffer

    others = [described() for _ in range(3)]

    assert not any(other.closed for other in others)


def test_layouts_begin_anew_without_losing_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "MAX_LAYOUTS", len(layouts.known_layouts) + 3)
    before = Device(0).pool.stats().in_use
    kept = described()

    for extent in range(1, 40):
        described(extent)
        like = pa.empty_like(kept)
        assert like.handle

    del kept, like
    assert Device(0).pool.stats().in_use == before
