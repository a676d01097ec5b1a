from __future__ import annotations

import gc
import threading
import warnings

import pytest
from gates import Gate

from pyaclnn.abi import AclCleanupWarning, AclError, ClosedError, OutOfMemoryError, ffi
from pyaclnn.runtime import Buffer, Device, Stream, memory_stats
from pyaclnn.runtime.block import rounded_size
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


@pytest.fixture
def other() -> Stream:
    return Device(0).create_stream()


def test_memory_is_freed_with_the_last_reference(stream: Stream) -> None:
    before = memory_stats().in_use

    buffer = Buffer(SIZE, stream)
    during = memory_stats().in_use
    del buffer

    assert during - before == 100_352  # the next multiple of 512
    assert memory_stats().in_use == before


def test_large_blocks_are_multiples_of_huge_pages(stream: Stream) -> None:
    before = memory_stats().in_use
    buffer = Buffer((2 << 20) + 1, stream)

    assert memory_stats().in_use - before == 4 << 20
    assert buffer.nbytes == (2 << 20) + 1


def test_addresses_suit_every_operator(stream: Stream) -> None:
    buffers = [Buffer(n, stream) for n in (1, 31, 513, 1 << 20, 3 << 20)]

    assert [b.ptr % 64 for b in buffers] == [0] * 5


def test_a_block_is_reused_on_its_stream_though_work_is_pending(stream: Stream) -> None:
    buffer = Buffer(SIZE, stream)
    address = buffer.ptr
    with Gate(stream):
        buffer.close()
        again = Buffer(SIZE, stream)

        assert again.ptr == address


def test_a_block_is_not_handed_to_another_stream(stream: Stream, other: Stream) -> None:
    buffer = Buffer(SIZE, stream)
    address = buffer.ptr
    buffer.close()

    assert Buffer(SIZE, other).ptr != address


def test_a_block_used_elsewhere_returns_behind_that_work(stream: Stream, other: Stream) -> None:
    buffer = Buffer(SIZE, stream)
    address = buffer.ptr
    with Gate(other):
        buffer.record_use(other)
        buffer.close()
        again = Buffer(SIZE, stream)
        # It is the same memory, but this stream now waits for the other one.
        reused, done = again.ptr == address, stream.is_done

    assert (reused, done) == (True, False)
    stream.sync(timeout=10)


def test_a_block_used_elsewhere_needs_no_wait_when_that_work_is_over(
    stream: Stream, other: Stream
) -> None:
    buffer = Buffer(SIZE, stream)
    address = buffer.ptr
    buffer.record_use(other)
    buffer.close()
    Buffer(SIZE * 2, stream)  # an allocation that asks CANN also looks after such blocks
    other.sync()

    with Gate(other):
        again = Buffer(SIZE, stream)

        assert again.ptr == address
        assert stream.is_done


def test_use_on_its_own_stream_needs_no_event(stream: Stream) -> None:
    before = control.count("event")
    buffer = Buffer(SIZE, stream)

    buffer.record_use(stream)
    buffer.close()
    Buffer(SIZE * 2, stream)

    assert control.count("event") == before


def test_blocks_of_a_closed_stream_serve_any_other(stream: Stream, other: Stream) -> None:
    kept = Buffer(SIZE, stream)
    dropped = Buffer(SIZE * 3, stream)
    addresses = [kept.ptr, dropped.ptr]
    del dropped
    stream.close()
    kept.close()

    assert [Buffer(SIZE, other).ptr, Buffer(SIZE * 3, other).ptr] == addresses


def test_blocks_of_a_dropped_stream_serve_any_other(other: Stream) -> None:
    address = Buffer(SIZE, Device(0).create_stream()).ptr

    assert Buffer(SIZE, other).ptr == address


def test_trimming_returns_everything_cached(stream: Stream) -> None:
    bytes_before = control.count("device_bytes")
    del [Buffer(n, stream) for n in (1, SIZE, 10 << 20)][:]
    cached = memory_stats().cached

    freed = Device(0).pool.trim()

    assert freed == cached > 10 << 20
    assert control.count("device_bytes") == bytes_before


def test_trimming_waits_for_the_work_that_uses_the_memory(stream: Stream) -> None:
    buffer = Buffer(SIZE, stream)
    gate = Gate(stream)
    end = stream.record()
    buffer.close()
    threading.Timer(0.05, gate.open).start()

    Device(0).pool.trim()

    assert end.is_done


def test_trimming_waits_for_other_streams_that_used_the_memory(
    stream: Stream, other: Stream
) -> None:
    blocks = control.count("device_block")
    buffer = Buffer(SIZE, stream)
    gate = Gate(other)
    buffer.record_use(other)
    end = other.record()
    buffer.close()
    threading.Timer(0.05, gate.open).start()

    Device(0).pool.trim()

    assert end.is_done
    assert control.count("device_block") == blocks


def test_failed_work_shows_when_trimming_and_loses_no_memory(stream: Stream) -> None:
    Buffer(SIZE, stream).close()
    cached = memory_stats().cached

    with (
        control.fault("aclrtSynchronizeStreamWithTimeout:1:507015"),
        pytest.raises(AclError) as caught,
    ):
        Device(0).pool.trim()

    assert caught.value.code == 507015
    assert memory_stats().cached == cached


def test_out_of_memory_once_is_cured_by_giving_back_the_cache(stream: Stream) -> None:
    Buffer(SIZE, stream).close()

    with control.fault("aclrtMalloc:1:207001"):
        buffer = Buffer(SIZE * 2, stream)

    assert buffer.ptr != 0
    assert memory_stats().cached == 0


def test_out_of_memory_twice_is_cured_by_collecting_cycles(stream: Stream) -> None:
    cycle: list[object] = [Buffer(SIZE, stream)]
    cycle.append(cycle)
    in_use = memory_stats().in_use
    del cycle

    with control.fault("aclrtMalloc:1:207001,aclrtMalloc:2:207001"):
        Buffer(SIZE * 2, stream)

    assert memory_stats().in_use < in_use


def test_out_of_memory_names_the_figures(stream: Stream) -> None:
    with control.fault("aclrtMalloc:0:207001"), pytest.raises(OutOfMemoryError) as caught:
        Buffer(SIZE * 2, stream)

    info = Device(0).memory_info()
    assert isinstance(caught.value, MemoryError)
    assert caught.value.code == 207001
    assert "200,192 bytes were asked of Device(0)" in str(caught.value)
    assert f"of {info.total:,} bytes free" in str(caught.value)


def test_asking_for_more_than_there_is_raises(stream: Stream) -> None:
    with pytest.raises(OutOfMemoryError):
        Buffer(Device(0).memory_info().total * 2, stream)


@pytest.mark.parametrize("size", [2**64 - 1, 2**64, 2**124])
def test_sizes_that_no_device_can_have_are_out_of_memory(size: int, stream: Stream) -> None:
    with pytest.raises(OutOfMemoryError, match=rf"{rounded_size(size):,} bytes were asked"):
        Buffer(size, stream)


def test_a_block_that_cann_does_not_take_back_is_kept_for_another_try(stream: Stream) -> None:
    pool, bytes_before = Device(0).pool, control.count("device_bytes")
    Buffer(SIZE, stream).close()
    cached = memory_stats().cached

    with control.fault("aclrtFree:0:507899"), pytest.warns(AclCleanupWarning, match="aclrtFree"):
        assert pool.trim() == 0
    assert memory_stats().cached == cached
    other = Buffer(SIZE, stream)  # of a block whose state nobody knows nothing is made
    assert control.count("device_bytes") > bytes_before + SIZE
    other.close()

    assert pool.trim() > cached
    assert control.count("device_bytes") == bytes_before


def test_a_block_that_cann_never_takes_back_is_given_up_after_three_tries(stream: Stream) -> None:
    pool, reserved = Device(0).pool, memory_stats().reserved
    Buffer(SIZE, stream).close()

    with control.fault("aclrtFree:0:507899"):
        for _ in range(3):
            with pytest.warns(AclCleanupWarning, match="aclrtFree"):
                pool.trim()
        assert memory_stats().reserved == reserved
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            pool.trim()


def test_out_of_memory_leaves_the_pool_usable(stream: Stream) -> None:
    with control.fault("aclrtMalloc:0:207001"), pytest.raises(OutOfMemoryError):
        Buffer(SIZE, stream)

    assert Buffer(SIZE, stream).ptr != 0


def test_another_failure_of_malloc_is_not_out_of_memory(stream: Stream) -> None:
    with control.fault("aclrtMalloc:1:507899"), pytest.raises(AclError) as caught:
        Buffer(SIZE, stream)

    assert caught.value.code == 507899
    assert not isinstance(caught.value, MemoryError)


def test_an_empty_buffer_takes_no_memory(stream: Stream) -> None:
    blocks = control.count("device_block")

    buffer = Buffer(0, stream)

    assert (buffer.ptr, buffer.pointer, buffer.nbytes) == (0, ffi.NULL, 0)
    assert control.count("device_block") == blocks


@pytest.mark.parametrize(("nbytes", "error"), [(-1, ValueError), (1.5, TypeError)])
def test_a_size_is_an_integer_of_at_least_zero(nbytes: int, error: type[Exception]) -> None:
    with pytest.raises(error):
        Buffer(nbytes)


def test_a_closed_buffer_has_no_address(stream: Stream) -> None:
    buffer = Buffer(SIZE, stream)
    buffer.close()

    with pytest.raises(ClosedError, match="100000 bytes is closed"):
        _ = buffer.ptr


def test_closing_twice_frees_once(stream: Stream) -> None:
    buffer = Buffer(SIZE, stream)
    buffer.close()
    buffer.close()
    first, second = Buffer(SIZE, stream), Buffer(SIZE, stream)

    assert first.ptr != second.ptr


def test_ten_thousand_buffers_need_one_allocation(stream: Stream) -> None:
    Buffer(SIZE, stream)
    before = memory_stats().mallocs

    for _ in range(10_000):
        Buffer(SIZE, stream)

    assert memory_stats().mallocs == before


def test_threads_never_share_a_block(stream: Stream) -> None:
    clashes: list[int] = []
    live: set[int] = set()

    def work(seed: int) -> None:
        for step in range(2000):
            buffer = Buffer(512 * (1 + (seed + step) % 3), stream)
            address = buffer.ptr
            if address in live:
                clashes.append(address)
            live.add(address)
            live.discard(address)
            buffer.close()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert clashes == []
