"""The simulator's threads: how many there are, and that a worker which sleeps misses nothing."""

from __future__ import annotations

import os

import pytest
from children import output_of

COUNT = """
import os
{before}
import pyaclnn as pa
(pa.ones(1 << 20) + pa.ones(1 << 20)).numpy()
print(len(os.listdir("/proc/self/task")))
"""
#: NumPy's threads are not what is counted.
ALONE = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

QUEUES = """
import time
import pyaclnn as pa
first, second = pa.current_stream(), pa.Device(0).create_stream()
total, one, copied = pa.zeros(8), pa.ones(8), pa.zeros(8)
seen = 0
for calls in (1, 20, 25, 300, 2000, 100):
    for _ in range(calls):
        pa.ops.inplace_add(total, one, 1)
    # The worker has caught up, and may be asleep when the last one comes.
    time.sleep(0.0002 if calls % 2 == 0 else 0)
    pa.ops.inplace_add(total, one, 1)
    second.wait(first.record())
    with second:
        pa.ops.inplace_copy(copied, total)
    second.sync()
    seen += calls + 1
    assert (copied.numpy() == seen).all(), (copied.numpy(), seen)
first.sync()
print(total.numpy()[0], seen)
"""


def threads(before: str = "", **environment: str) -> int:
    return int(output_of(COUNT.format(before=before), **ALONE, **environment))


def test_kernels_have_a_thread_for_each_processor_that_the_process_may_run_on() -> None:
    one = threads(PYACLNN_SIM_THREADS="1")
    processor = min(os.sched_getaffinity(0))

    assert threads(f"os.sched_setaffinity(0, {{{processor}}})") == one
    assert threads(PYACLNN_SIM_THREADS="3") == one + 2


@pytest.mark.parametrize("count", ["1", "2"])
def test_short_and_long_queues_are_worked_off(count: str) -> None:
    total, seen = output_of(QUEUES, PYACLNN_SIM_THREADS=count).split()

    assert float(total) == float(seen) == 2452
