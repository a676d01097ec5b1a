"""Timing inside one process: batches of all contenders in varying order, and medians."""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

#: Submits that many calls, and what waits for them outside the measured time.
Batch = Callable[[int], None]


#: Variable that chooses the clock: "wall", or "processor" for the time of all threads together and
#: "caller" for that of the calling one, which other programs on the machine do not lengthen much.
CLOCK = "PYACLNN_BENCH_CLOCK"

#: What confines PyTorch and its libraries to the instructions that the simulator is confined to.
_TORCH_INSTRUCTIONS = {
    "baseline": {
        "ATEN_CPU_CAPABILITY": "default", "ONEDNN_MAX_CPU_ISA": "SSE41",
        "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
    },
    "avx2": {
        "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    },
}  # fmt: skip

_CLOCKS = {"processor": time.process_time, "caller": time.thread_time}


def clock_in_use() -> Callable[[], float]:
    """Return the clock that the environment selects."""
    return _CLOCKS.get(os.environ.get(CLOCK, ""), time.perf_counter)


def interleave(
    batches: Mapping[str, Batch],
    settle: Callable[[], None],
    *,
    calls: int,
    rounds: int,
    clock: Callable[[], float] | None = None,
) -> dict[str, float]:
    """Return the median time of one call of each contender, in microseconds.

    Parameters
    ----------
    batches : mapping of str to callable
        The contenders; run in turn, round after round, so that all see the same machine, and in
        another order each time: the state that a batch leaves, such as sleeping or waiting workers,
        affects the next one by up to 4 µs a call.
    settle : callable
        Waits for what was submitted; not measured.
    calls : int
        Calls in a batch.
    rounds : int
        Batches of each contender.
    clock : callable, optional
        Seconds; that of `clock_in_use` if not given.
    """
    clock = clock_in_use() if clock is None else clock
    for batch in batches.values():
        batch(calls)
        settle()
    times: dict[str, list[float]] = {name: [] for name in batches}
    order = list(batches)
    for _ in range(rounds):
        random.shuffle(order)
        for name in order:
            batch = batches[name]
            begin = clock()
            batch(calls)
            times[name].append((clock() - begin) / calls * 1e6)
            settle()
    return {name: statistics.median(values) for name, values in times.items()}


#: Seconds after which all threads of a kernel sleep.
_QUIET = 0.02


def quiet() -> None:
    """Wait until the threads of the last kernel sleep: what settles kernels on several threads.

    OpenMP's threads, which are PyTorch's, wait for the next kernel awake, some 5 ms long, and keep
    the processor from whom runs next: with two threads on two processors that cost a sum of two
    arrays a third of its speed.
    """
    time.sleep(_QUIET)


def threads() -> int:
    """Return how many processors the simulator uses, which all contenders get."""
    return int(os.environ.get("PYACLNN_SIM_THREADS", "0")) or len(os.sched_getaffinity(0))


def installed_torch() -> Any:
    """Return PyTorch's module, confined to the instructions that ``PYACLNN_SIM_ISA`` names.

    Raises
    ------
    LookupError
        Where PyTorch is not installed.
    """
    # They are read when PyTorch is loaded.
    for name, value in _TORCH_INSTRUCTIONS.get(os.environ.get("PYACLNN_SIM_ISA", ""), {}).items():
        os.environ.setdefault(name, value)
    try:
        import torch
    except ImportError:
        raise LookupError("PyTorch is not installed") from None
    return torch


def ready_torch(processors: int = 0) -> Any:
    """Return PyTorch's module with fair settings: as many threads, and cached memory.

    Parameters
    ----------
    processors : int
        How many threads it gets; as many as the simulator if not given.

    Raises
    ------
    LookupError
        Where PyTorch is not installed.
    """
    torch = installed_torch()
    keep_memory()
    torch.set_num_threads(processors or threads())
    return torch


def keep_memory() -> None:
    """Make the C library cache freed memory, as pyaclnn's pool does.

    Otherwise every output of PyTorch would be in new pages, which take longer than the kernel.
    """
    trim_threshold, mmap_max = -1, -4
    with contextlib.suppress(AttributeError):  # glibc's
        mallopt: Callable[[int, int], int] = ctypes.CDLL(None).mallopt
        mallopt(mmap_max, 0)
        mallopt(trim_threshold, 2**31 - 1)
