"""What memory knows of the streams that use it, and of its owner."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
from collections.abc import Callable
from typing import Any

import pytest
from gates import Gate

from pyaclnn.runtime import Buffer, Device, Event, Stream
from pyaclnn.runtime.weak_set import ThreadSafeWeakSet
from pyaclnn.sim import control

SIZE = 100_000


@pytest.fixture(autouse=True)
def _fresh_pool() -> None:
    # What errors of other tests hold in cycles must not be freed in the middle of one.
    gc.collect()
    Device(0).pool.trim()


@pytest.fixture
def stream() -> Stream:
    return Device(0).create_stream()


def test_a_buffer_that_many_streams_used_keeps_none_of_them(stream: Stream) -> None:
    buffer = Buffer(SIZE, stream)
    before = control.count("stream")

    for _ in range(100):
        elsewhere = Device(0).create_stream()
        buffer.record_use(elsewhere)
        del elsewhere

    Device(0).destroy_dropped()
    assert control.count("stream") == before
    assert buffer.streams == (stream,)


def test_what_is_noted_of_streams_that_are_gone_is_bounded(stream: Stream) -> None:
    buffer = Buffer(SIZE, stream)
    living = [Device(0).create_stream() for _ in range(20)]
    for elsewhere in living:
        buffer.record_use(elsewhere)

    for _ in range(300):
        with Device(0).create_stream() as elsewhere:
            buffer.record_use(elsewhere)
        elsewhere.close()

    assert buffer.block is not None
    assert len(buffer.block.uses or ()) <= 64
    assert set(buffer.streams) == {stream, *living}


@pytest.mark.parametrize("how", ["closed", "dropped"])
def test_work_of_a_stream_that_ends_is_waited_for(stream: Stream, how: str) -> None:
    elsewhere = Device(0).create_stream()
    gate = Gate(elsewhere)
    end = elsewhere.record()
    buffer = Buffer(SIZE, stream)
    buffer.record_use(elsewhere)
    threading.Timer(0.05, gate.open).start()
    if how == "closed":
        elsewhere.close()
    del elsewhere, gate._stream

    buffer.sync()

    assert end.is_done


def test_a_block_of_a_stream_that_another_thread_closes_waits_for_its_work(
    stream: Stream,
) -> None:
    elsewhere = Device(0).create_stream()
    buffer = Buffer(SIZE, stream)
    address = buffer.ptr
    buffer.record_use(elsewhere)
    gate = Gate(elsewhere)
    closing = threading.Thread(target=elsewhere.close)
    closing.start()
    while not elsewhere.closed:
        pass
    buffer.close()

    early = Buffer(SIZE, stream).ptr
    gate.open()
    closing.join()
    # Asking CANN for memory also looks after freed blocks.
    others = [Buffer(SIZE * 5, stream), Buffer(SIZE, stream), Buffer(SIZE, stream)]

    assert early != address
    assert address in {other.ptr for other in others}


@pytest.mark.parametrize("kind", ["streams", "dependents"])
def test_members_may_come_and_go_while_they_are_gone_through(kind: str, stream: Stream) -> None:
    """As they do when the pool looks at all streams beside threads that make some."""
    device = Device(0)
    members: ThreadSafeWeakSet[Any] = (
        stream.dependents if kind == "dependents" else getattr(device, kind)
    )
    make = device.create_stream if kind == "streams" else lambda: Event(device)
    kept = [make() for _ in range(5)]
    for member in kept:
        members.add(member)
    seen = []

    for member in members:
        seen.append(member)
        kept.append(make())
        members.add(kept[-1])
        members.discard(kept[0])

    assert set(kept[1:5]) <= set(seen)
    assert not set(kept[5:]) & set(seen)
    assert set(kept[1:]) <= set(members)


def test_members_are_not_kept_alive() -> None:
    members: ThreadSafeWeakSet[Event] = ThreadSafeWeakSet()
    kept, dropped = Event(), Event()
    members.add(kept)
    members.add(dropped)

    del dropped

    assert list(members) == [kept]
    assert len(members) == 1


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_buffer_has_one_owner(way: Callable[[object], object], stream: Stream) -> None:
    buffer = Buffer(SIZE, stream)

    with pytest.raises(TypeError, match="owns device memory and cannot be copied or pickled"):
        way(buffer)

    first, second = Buffer(SIZE, stream), Buffer(SIZE, stream)
    assert len({buffer.ptr, first.ptr, second.ptr}) == 3
