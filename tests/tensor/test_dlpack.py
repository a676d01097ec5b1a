"""Memory shared with other libraries by DLPack: who says what, and who lives how long."""

from __future__ import annotations

import gc
import threading
from typing import Any

import numpy as np
import pytest
from children import output_of
from dlpack_peer import HOST, NPU, Consumed, Producer
from gates import Gate

import pyaclnn as pa
from pyaclnn.runtime.foreign import ForeignBlock
from pyaclnn.sim import races
from pyaclnn.tensor.dlpack import stream_number
from pyaclnn.tensor.formats import with_format

VALUES = np.arange(24, dtype=np.float32).reshape(4, 6)
VERSIONS = [None, (0, 8), (1, 0), (1, 3)]


@pytest.fixture
def memory() -> pa.Tensor:
    """Device memory that plays the part of another library's."""
    return pa.asarray(VALUES)


# Out


@pytest.mark.parametrize("version", VERSIONS)
def test_a_capsule_says_where_a_view_lies(version: Any, memory: pa.Tensor) -> None:
    view = memory[1:, ::2].T

    consumed = Consumed(view.__dlpack__(max_version=version, stream=-1))

    assert consumed.said == ((NPU, 0), (2, 32, 1), (3, 3), (2, 6), memory.buffer.ptr + 24)
    consumed.give_back()


@pytest.mark.parametrize(
    ("dtype", "code"),
    [
        ("float32", (2, 32, 1)),
        ("float16", (2, 16, 1)),
        ("bfloat16", (4, 16, 1)),
        ("float64", (2, 64, 1)),
        ("bool", (6, 8, 1)),
        ("int8", (0, 8, 1)),
        ("uint64", (1, 64, 1)),
        ("complex64", (5, 64, 1)),
        ("complex128", (5, 128, 1)),
    ],
)
def test_every_dtype_has_its_code_and_comes_back(dtype: str, code: tuple[int, int, int]) -> None:
    x = pa.asarray(np.arange(6).reshape(2, 3), dtype)
    consumed = Consumed(x.__dlpack__())
    said = consumed.said
    consumed.give_back()

    back = pa.from_dlpack(x[:, 1:])

    assert said[1] == code
    assert back.dtype is x.dtype
    np.testing.assert_array_equal(back.numpy(), x.numpy()[:, 1:])


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1, 1)])
def test_shapes_of_no_and_of_one_element_go_both_ways(shape: tuple[int, ...]) -> None:
    x = pa.ones(shape)

    back = pa.from_dlpack(x)

    assert back.shape == shape
    np.testing.assert_array_equal(back.numpy(), np.ones(shape))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("used", [False, True])
def test_the_memory_lives_as_long_as_the_capsule_and_its_consumer(version: Any, used: bool) -> None:
    x = pa.ones(1000)
    block = x.buffer.block
    assert block is not None
    capsule: Any = x.__dlpack__(max_version=version, stream=-1)
    x.close()
    del x
    consumed = Consumed(capsule) if used else None
    held = [block.stream_while_open is not None]
    del capsule
    gc.collect()
    held.append(block.stream_while_open is not None)
    if consumed is not None:
        thread = threading.Thread(target=consumed.give_back)
        thread.start()
        thread.join()

    assert held == [True, used]
    assert block.stream_while_open is None


def test_a_consumer_that_fails_gives_the_capsule_back_with_its_error(memory: pa.Tensor) -> None:
    class Plain:
        def __dlpack__(self, **_: Any) -> Any:
            return memory.__dlpack__()

    # NumPy drops the capsule with an error pending.
    with pytest.raises(RuntimeError, match="Unsupported device"):
        np.from_dlpack(Plain())


def test_host_consumers_are_refused_with_the_way_out(memory: pa.Tensor) -> None:
    with pytest.raises(BufferError, match=r"x\.numpy\(\)"):
        np.from_dlpack(memory)
    with pytest.raises(BufferError, match=r"x\.numpy\(\)"):
        memory.__dlpack__(dl_device=(HOST, 0))
    with pytest.raises(BufferError, match=r"\(12, 0\), not \(12, 7\)"):
        memory.__dlpack__(dl_device=(NPU, 7))
    assert memory.__dlpack_device__() == (NPU, 0)


def test_formats_of_canns_own_and_closed_tensors_are_refused(memory: pa.Tensor) -> None:
    with pytest.raises(BufferError, match="format"):
        with_format(pa.ones((2, 3, 4, 5)), "NCHW").__dlpack__()
    memory.close()
    with pytest.raises(pa.ClosedError):
        memory.__dlpack__()


def test_a_copy_has_memory_of_its_own(memory: pa.Tensor) -> None:
    consumed = Consumed(memory.__dlpack__(copy=True, max_version=(1, 0)))
    said, flags = consumed.said, consumed.managed.flags
    consumed.give_back()
    copy = pa.from_dlpack(memory, copy=True)
    memory.fill_(-1)

    assert said[-1] != memory.buffer.ptr
    assert flags == 2
    np.testing.assert_array_equal(copy.numpy(), VALUES)


# In


@pytest.mark.parametrize("versioned", [False, True])
def test_memory_of_others_is_shared_and_given_back_once(versioned: bool, memory: pa.Tensor) -> None:
    there = Producer(memory.buffer.ptr, (2, 6), (12, 1), byte_offset=24, versioned=versioned)

    x = pa.from_dlpack(there)
    view = x[:, 1:]
    x.fill_(5)
    x.close()
    del x
    pa.current_device().sync()
    kept = there.returned
    np.testing.assert_array_equal(view.numpy(), 5)
    view.close()
    pa.current_device().sync()

    expected = VALUES.copy()
    expected[1::2] = 5
    assert (kept, there.returned) == (0, 1)
    assert there.asked["stream"] == stream_number(pa.current_stream())
    np.testing.assert_array_equal(memory.numpy(), expected)


def test_a_capsule_is_used_once(memory: pa.Tensor) -> None:
    there = Producer(memory.buffer.ptr, (4, 6))
    capsule = there.__dlpack__()
    first = pa.from_dlpack(capsule)

    with pytest.raises(BufferError, match="used before"):
        pa.from_dlpack(capsule)

    np.testing.assert_array_equal(first.numpy(), VALUES)
    assert there.returned == 0


def test_asarray_shares_arrays_of_an_npu_and_copies_those_of_the_host(memory: pa.Tensor) -> None:
    there = Producer(memory.buffer.ptr, (4, 6))

    shared, converted = pa.asarray(there), pa.asarray(there, "float16")

    assert shared.buffer.ptr == memory.buffer.ptr
    assert converted.dtype == np.float16
    np.testing.assert_array_equal(converted.numpy(), VALUES.astype(np.float16))
    with pytest.raises(BufferError, match="asarray copies"):
        pa.from_dlpack(VALUES)
    with pytest.raises(TypeError, match="asarray copies"):
        pa.from_dlpack([1, 2])


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ({"dtype": (8, 8, 1)}, "float8_e4m3"),
        ({"dtype": (0, 4, 1)}, "int4"),
        ({"dtype": (2, 32, 4)}, "float32 in vectors of 4"),
        ({"dtype": (3, 64, 1)}, "opaque handle"),
        ({"dtype": (99, 8, 1)}, "type 99"),
        ({"flags": 1}, "read-only"),
        ({"major": 2}, "DLPack 2.0"),
        ({"strides": (-6, 1)}, "reversed"),
        ({"byte_offset": 2}, "no float32 elements at address"),
        ({"shape": (4, -6)}, r"shape \(4, -6\)"),
    ],
)
def test_what_tensors_cannot_be_is_refused_by_name(
    words: dict[str, Any], match: str, memory: pa.Tensor
) -> None:
    there = Producer(memory.buffer.ptr, words.pop("shape", (4, 6)), **words)

    with pytest.raises(BufferError, match=match):
        pa.from_dlpack(there)

    # A capsule of an unknown version is not read, and stays its maker's.
    capsule_is_theirs = words.get("major") == 2 or "-6" in match
    assert there.returned == (0 if capsule_is_theirs else 1)


def test_read_only_memory_can_be_copied(memory: pa.Tensor) -> None:
    there = Producer(memory.buffer.ptr, (4, 6), flags=1)

    copy = pa.from_dlpack(there, copy=True)
    pa.current_device().sync()

    np.testing.assert_array_equal(copy.numpy(), VALUES)
    assert there.returned == 1


def test_other_devices_are_refused(memory: pa.Tensor) -> None:
    with pytest.raises(ValueError, match="no device 7"):
        pa.from_dlpack(Producer(memory.buffer.ptr, (4, 6), device=(NPU, 7)))
    with pytest.raises(BufferError, match=r"DLPack device \(2, 0\)"):
        pa.from_dlpack(Producer(memory.buffer.ptr, (4, 6), device=(2, 0)).__dlpack__())


def test_memory_is_not_given_back_while_work_on_it_is_pending(memory: pa.Tensor) -> None:
    home, other = (pa.current_device().create_stream() for _ in range(2))
    there = Producer(memory.buffer.ptr, (4, 6))
    x = pa.from_dlpack(there, stream=home)
    with Gate(other):
        with other:
            x.fill_(1)
        x.close()
        home.sync()
        early = there.returned
    other.sync()
    home.sync()

    assert (early, there.returned) == (0, 1)


def test_memory_that_is_dropped_again_and_again_is_given_back_with_every_wait(
    memory: pa.Tensor,
) -> None:
    given_back = []
    for _ in range(3):
        peers = [Producer(memory.buffer.ptr, (4, 6)) for _ in range(100)]
        for there in peers:
            pa.asarray(there)
        pa.current_stream().sync()
        given_back += [there.returned for there in peers]

    assert given_back == [1] * 300


def test_blocks_of_others_count_for_nothing_in_the_pool(memory: pa.Tensor) -> None:
    before = pa.memory_stats()
    x = pa.from_dlpack(Producer(memory.buffer.ptr, (4, 6)))
    assert isinstance(x.buffer.block, ForeignBlock)
    during = pa.memory_stats()
    del x

    assert during == before
    assert pa.memory_stats() == before


# Order


def test_streams_that_share_memory_are_ordered_in_both_directions() -> None:
    device = pa.current_device()
    ours, theirs = device.create_stream(), device.create_stream()
    x = pa.empty(1000, stream=theirs)
    with races.search("collect") as found:
        with theirs:
            x.fill_(3)
        with ours:
            y = pa.from_dlpack(x)
            y += 1
        with theirs:
            z = pa.from_dlpack(y)
            z += 1
        theirs.sync()
        ours.sync()

    assert [str(hazard) for hazard in found] == []
    np.testing.assert_array_equal(x.numpy(), 5)


def test_who_asks_for_no_order_gets_none() -> None:
    stream = pa.current_device().create_stream()
    x = pa.zeros(10, stream=stream)
    stream.sync()
    with Gate(stream):
        with stream:
            x.fill_(3)
        # Returns while the stream is held; without -1 it would wait.
        Consumed(x.__dlpack__(stream=-1)).give_back()

    np.testing.assert_array_equal(x.numpy(), 3)


def test_the_end_of_the_interpreter_is_quiet() -> None:
    code = """
        import sys
        sys.path.insert(0, "tests")
        import builtins, pyaclnn as pa
        from dlpack_peer import Consumed, Producer
        x = pa.ones(10)
        builtins.kept = [x.__dlpack__(), Consumed(x.__dlpack__(max_version=(1, 0), stream=-1))]
        builtins.there = pa.from_dlpack(Producer(x.buffer.ptr, (10,)))
        builtins.back = pa.from_dlpack(x)
        print(builtins.back.numpy().sum())
    """

    assert output_of(code) == "10.0"


@pytest.mark.parametrize("way", ["close", "with"])
def test_memory_that_others_have_is_not_closed_under_them(way: str, memory: pa.Tensor) -> None:
    buffer = memory.buffer

    def close() -> None:
        if way == "close":
            buffer.close()
        else:
            with buffer:
                pass

    capsule = memory.__dlpack__()
    with pytest.raises(ValueError, match="lent by DLPack"):
        close()
    theirs = pa.from_dlpack(capsule)
    del capsule
    memory.close()
    with pytest.raises(ValueError, match="lent by DLPack"):
        close()
    stranger = pa.full((4, 6), 7.0)
    theirs.fill_(-5.0)

    np.testing.assert_array_equal(theirs.numpy(), -5)
    np.testing.assert_array_equal(stranger.numpy(), 7)
    del theirs
    pa.current_stream().sync()
    close()
    assert buffer.closed


def test_memory_lent_to_two_is_kept_until_both_are_done(memory: pa.Tensor) -> None:
    buffer = memory.buffer
    first, second = Consumed(memory.__dlpack__()), Consumed(memory[1:].__dlpack__())
    for each in (first, second):
        with pytest.raises(ValueError, match="lent by DLPack"):
            buffer.close()
        each.give_back()
    buffer.close()


@pytest.mark.parametrize(
    ("shape", "strides"),
    [((2, 2), (2**62, 1)), ((2**40, 2**40), None), ((3,), (2**63 - 1,)), ((2**63 - 1,), None)],
)
def test_what_reaches_beyond_all_memory_is_refused(
    shape: tuple[int, ...], strides: tuple[int, ...] | None, memory: pa.Tensor
) -> None:
    producer = Producer(memory.buffer.ptr, shape, strides=strides)

    with pytest.raises(BufferError, match="no device has as many"):
        pa.from_dlpack(producer)
    assert producer.returned == 1
