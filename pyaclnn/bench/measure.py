"""Timing inside one process: batches in turn, medians, ratios within the same round."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping

#: Submits that many calls, and what waits for them outside the measured time.
Batch = Callable[[int], None]


def interleave(
    batches: Mapping[str, Batch],
    settle: Callable[[], None],
    *,
    calls: int,
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Return the median time of one call of each contender, in microseconds.

    Parameters
    ----------
    batches : mapping of str to callable
        The contenders; run in turn, round after round, so that all see the same machine.
    settle : callable
        Waits for what was submitted; not measured.
    calls : int
        Calls in a batch.
    rounds : int
        Batches of each contender.
    clock : callable
        Seconds.
    """
    for batch in batches.values():
        batch(calls)
        settle()
    times: dict[str, list[float]] = {name: [] for name in batches}
    for _ in range(rounds):
        for name, batch in batches.items():
            begin = clock()
            batch(calls)
            times[name].append((clock() - begin) / calls * 1e6)
            settle()
    return {name: statistics.median(values) for name, values in times.items()}
