from __future__ import annotations

import gc
import threading

import pytest
from gates import Gate

from pyaclnn.abi import AclError, AclTimeoutError, ClosedError, check, ffi, lib
from pyaclnn.runtime import Buffer, Device, Stream, current_device, current_stream
from pyaclnn.sim import control


@pytest.fixture
def stream() -> Stream:
    return Device(0).create_stream()


def foreign_handle() -> int:
    current_stream()
    place = ffi.new("void **")
    check(lib.aclrtCreateStream(place), "aclrtCreateStream")
    return int(ffi.cast("uintptr_t", place[0]))


def test_a_new_stream_is_done(stream: Stream) -> None:
    assert stream.is_done


def test_a_stream_with_pending_work_is_not_done(stream: Stream) -> None:
    with Gate(stream):
        assert not stream.is_done
    assert stream.is_done


def test_sync_gives_up_after_its_timeout(stream: Stream) -> None:
    with Gate(stream), pytest.raises(AclTimeoutError) as caught:
        stream.sync(timeout=0.01)

    assert caught.value.code == 507046


def test_the_default_stream_is_current_at_first() -> None:
    assert current_stream() is current_device().default_stream


def test_the_default_stream_is_shared_by_threads() -> None:
    seen: list[Stream] = []
    thread = threading.Thread(target=lambda: seen.append(current_stream()))
    thread.start()
    thread.join()

    assert seen == [current_device().default_stream]


def test_with_stream_makes_it_current_and_returns_to_the_one_before(stream: Stream) -> None:
    other = Device(0).create_stream()
    before = current_stream()

    with stream:
        with other:
            inner = current_stream()
        outer = current_stream()

    assert (inner, outer, current_stream()) == (other, stream, before)


def test_a_stream_is_current_only_in_the_thread_that_chose_it(stream: Stream) -> None:
    seen: list[Stream] = []
    with stream:
        thread = threading.Thread(target=lambda: seen.append(current_stream()))
        thread.start()
        thread.join()

    assert seen == [Device(0).default_stream]


def test_an_exception_leaves_the_stream_before_current(stream: Stream) -> None:
    before = current_stream()

    with pytest.raises(KeyError), stream:
        raise KeyError

    assert current_stream() is before


def test_a_closed_stream_is_refused(stream: Stream) -> None:
    stream.close()

    for use in (stream.sync, stream.record, stream.__enter__, lambda: Buffer(8, stream)):
        with pytest.raises(ClosedError, match="stream is closed"):
            use()


def test_closing_twice_is_allowed(stream: Stream) -> None:
    before = control.count("stream")

    stream.close()
    stream.close()

    assert control.count("stream") == before - 1


def test_closing_waits_for_pending_work(stream: Stream) -> None:
    gate = Gate(stream)
    threading.Timer(0.05, gate.open).start()

    event = stream.record()
    stream.close()

    assert event.is_done


def test_closing_shows_the_error_of_pending_work_and_closes_all_the_same(stream: Stream) -> None:
    before = control.count("stream")

    with (
        control.fault("aclrtSynchronizeStreamWithTimeout:1:507015"),
        pytest.raises(AclError) as caught,
    ):
        stream.close()

    assert caught.value.code == 507015
    assert stream.closed
    assert control.count("stream") == before - 1


def test_the_default_stream_cannot_be_closed() -> None:
    stream = Device(0).default_stream

    with pytest.raises(ValueError, match="serves all threads"):
        stream.close()

    assert not stream.closed


def test_a_dropped_stream_is_destroyed_before_the_next_is_created() -> None:
    gc.collect()
    # Those of other tests too, which may have work yet.
    Device(0).destroy_dropped(wait=True)
    before = control.count("stream")

    for _ in range(20):
        Device(0).create_stream()
    Device(0).destroy_dropped()

    assert control.count("stream") == before


def test_a_borrowed_stream_is_used_and_never_destroyed() -> None:
    handle = foreign_handle()
    before = control.count("stream")

    borrowed = Stream.from_handle(handle)
    borrowed.record().sync()
    borrowed.close()

    assert control.count("stream") == before
    assert lib.aclrtDestroyStream(ffi.cast("void *", handle)) == 0


def test_memory_of_a_dropped_borrowed_stream_is_reused_by_others(stream: Stream) -> None:
    handle = foreign_handle()
    borrowed = Stream.from_handle(handle)
    size = 12345
    address = Buffer(size, borrowed).ptr
    del borrowed
    gc.collect()
    check(lib.aclrtDestroyStream(ffi.cast("void *", handle)))

    assert Buffer(size, stream).ptr == address


def test_cann_default_stream_is_not_borrowed() -> None:
    with pytest.raises(ValueError, match="null handle"):
        Stream.from_handle(0)


def test_a_stream_that_cannot_be_created_says_so() -> None:
    with (
        control.fault("aclrtCreateStreamWithConfig:1:207008"),
        pytest.raises(AclError) as caught,
    ):
        Device(0).create_stream()

    assert caught.value.function == "aclrtCreateStreamWithConfig"


def test_no_workspace_is_null(stream: Stream) -> None:
    assert stream.workspace(0) == ffi.NULL


def test_the_workspace_is_reused(stream: Stream) -> None:
    with stream.lock:
        first = stream.workspace(1024)
        second = stream.workspace(512)

    assert first == second


def test_a_larger_workspace_replaces_a_smaller_one(stream: Stream) -> None:
    pool = stream.device.pool
    before = pool.stats().in_use

    with stream.lock:
        stream.workspace(1024)
        stream.workspace(5 << 20)

    assert pool.stats().in_use - before == 6 << 20


def test_trimming_takes_the_workspace_of_an_unused_stream(stream: Stream) -> None:
    pool = stream.device.pool
    pool.trim()  # other streams of this process may have workspaces as well
    with stream.lock:
        stream.workspace(1 << 20)
    before = pool.stats().in_use

    pool.trim()

    assert before - pool.stats().in_use == 1 << 20


def test_trimming_leaves_the_workspace_of_a_stream_about_to_launch(stream: Stream) -> None:
    pool = stream.device.pool
    with stream.lock:
        stream.workspace(1 << 20)
        before = pool.stats().in_use
        pool.trim()

    assert pool.stats().in_use == before
