"""Eight threads with a stream each, and tensors that wander between streams."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

import pyaclnn as pa
from pyaclnn.runtime import Device
from pyaclnn.sim import control

THREADS = 8


def in_threads(work: Callable[[int], None]) -> list[BaseException]:
    """Run ``work(number)`` in eight threads at once; return what they raised."""
    raised: list[BaseException] = []
    barrier = threading.Barrier(THREADS)

    def run(number: int) -> None:
        barrier.wait()
        try:
            work(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def chain_on_own_stream(number: int) -> None:
    """Copy values along a chain of tensors, most of them dropped while their work is pending."""
    random = np.random.default_rng(number)
    with Device(0).create_stream() as stream:
        assert stream is pa.current_stream()
        for _ in range(60):
            values = random.integers(0, 1000, size=random.integers(1, 5000), dtype=np.int32)
            tensor = pa.asarray(values)
            for _ in range(5):
                tensor = pa.empty_like(tensor).copy_from(tensor)
            np.testing.assert_array_equal(tensor.numpy(), values)


def test_eight_threads_with_a_stream_each() -> None:
    assert in_threads(chain_on_own_stream) == []


def test_eight_threads_on_one_stream() -> None:
    def work(number: int) -> None:
        for step in range(60):
            tensor = pa.full(1000, number * 1000 + step, "int32")
            copy = pa.zeros(1000, "int32").copy_from(tensor)
            del tensor
            assert (copy.numpy() == number * 1000 + step).all()

    assert in_threads(work) == []


def test_tensors_wander_between_streams() -> None:
    streams = [Device(0).create_stream() for _ in range(THREADS)]
    source = pa.asarray(np.arange(10_000))

    def work(number: int) -> None:
        for step in range(40):
            with streams[(number + step) % THREADS]:
                first = pa.empty_like(source).copy_from(source)
            with streams[number]:
                second = pa.empty_like(first).copy_from(first)
                # Freed while both streams still use it, and its memory asked for again at once.
                del first
                pa.zeros(10_000, "int64")
            np.testing.assert_array_equal(second.numpy(), np.arange(10_000))

    assert in_threads(work) == []


def test_threads_leave_nothing_behind() -> None:
    in_threads(chain_on_own_stream)
    Device(0).pool.trim()
    Device(0).destroy_dropped()
    before = control.count("total")

    in_threads(chain_on_own_stream)
    Device(0).pool.trim()
    Device(0).destroy_dropped()

    assert control.count("total") <= before


def test_trimming_beside_working_threads_harms_nobody() -> None:
    def work(number: int) -> None:
        if number == 0:
            for _ in range(50):
                Device(0).pool.trim()
        else:
            chain_on_own_stream(number)

    assert in_threads(work) == []
