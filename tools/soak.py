"""Mixed work for a long time: memory, handles and time for each round have to stay flat.

    python tools/soak.py --minutes 20 --seed 1

Needs the simulator, which counts handles and lets calls fail. Compares the last third of the rounds
with the first; the status is 1 where one of the figures has grown.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import random
import statistics
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("PYACLNN_BACKEND", "simulator")

import pyaclnn as pa
from pyaclnn.sim import control

#: The largest ratio of the last third to the first.
LIMITS = {"handles": 1.05, "device bytes": 1.05, "resident": 1.25, "time": 1.5}
_CODES = (207001, 107000, 507899)
_ACTIONS_IN_A_ROUND = 40


class Figures(NamedTuple):
    """What is measured after a round."""

    handles: float
    device_bytes: float
    resident: float
    time: float


def _tensors(choose: random.Random) -> tuple[pa.Tensor, pa.Tensor]:
    # Of some hundred shapes, which caches come to know soon.
    shape = tuple(choose.choice((1, 2, 7, 40)) for _ in range(choose.randrange(1, 4)))
    return pa.ones(shape), pa.full(shape, 2.0)


def _threshold(choose: random.Random) -> float:
    # Calls are kept by their forms and numbers, up to some thousand: most are known after some
    # hundred rounds, and what still grows then is no cache.
    return choose.randrange(1, 4) / 64


def call(choose: random.Random) -> None:
    """Call an operator, on tensors or on views."""
    grad, x = _tensors(choose)
    if choose.random() < 0.5:
        grad, x = grad.T, x.T
    assert float(pa.ops.threshold_backward(grad, x, _threshold(choose)).numpy().flat[0]) == 1


def plan(choose: random.Random) -> None:
    """Plan, run, rebind, and close or drop."""
    grad, x = _tensors(choose)
    made = pa.ops.threshold_backward.plan(grad, x, _threshold(choose))
    made.run()
    made.rebind(self=pa.full(x.shape, 3.0)).run()
    if choose.random() < 0.5:
        made.close()


def graph(choose: random.Random) -> None:
    """Capture, run, and close or drop."""
    grad, x = _tensors(choose)
    pa.current_stream().sync()
    stream = pa.current_device().create_stream()
    with pa.Graph.capture(stream, mode="thread_local") as captured:
        pa.ops.threshold_backward(grad, x, 0.5)
    captured.run()
    if choose.random() < 0.5:
        captured.close()
        stream.close()


def streams(choose: random.Random) -> None:
    """Use a tensor on several streams, and copies that are submitted."""
    grad, x = _tensors(choose)
    pa.current_stream().sync()
    for _ in range(2):
        with pa.current_device().create_stream() as stream:
            result = pa.ops.threshold_backward(grad, x, 0.5)
            host = result.numpy(stream=stream)
            stream.record().sync()
        assert float(host.flat[0]) == 1


def failure(choose: random.Random) -> None:
    """Let one of the next C calls fail; only where no other thread is at work."""
    fault = control.fault(f"*:{choose.randrange(1, 30)}:{choose.choice(_CODES)}")
    with fault, contextlib.suppress(pa.AclError, MemoryError):
        choose.choice((call, plan, graph, streams))(choose)


def threads(choose: random.Random) -> None:
    """Let several threads work."""
    seeds = [choose.random() for _ in range(3)]
    errors: list[BaseException] = []

    def work(seed: float) -> None:
        own = random.Random(seed)
        try:
            for _ in range(5):
                own.choice((call, plan, streams))(own)
        except BaseException as error:
            errors.append(error)

    started = [threading.Thread(target=work, args=(seed,)) for seed in seeds]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    if errors:
        raise errors[0]


ACTIONS: tuple[Callable[[random.Random], None], ...] = (
    call, call, call, plan, plan, graph, streams, failure, failure, threads,
)  # fmt: skip


def measure(choose: random.Random) -> Figures:
    """Do one round, and look what is left of it."""
    begin = time.perf_counter()
    for _ in range(_ACTIONS_IN_A_ROUND):
        choose.choice(ACTIONS)(choose)
    took = time.perf_counter() - begin
    gc.collect()
    device = pa.current_device()
    device.sync()
    device.destroy_dropped(wait=True)
    device.pool.trim()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return Figures(control.count("total"), control.count("device_bytes"), pages, took)


def main() -> int:
    """Run for as long as asked, and compare."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    # Failures of clean-ups are asked for, and warned about.
    warnings.simplefilter("ignore", pa.abi.AclCleanupWarning)
    choose = random.Random(options.seed)
    for _ in range(20):  # what is made once, or for each of the calls
        measure(choose)
    end = time.monotonic() + 60 * options.minutes
    rounds: list[Figures] = []
    while time.monotonic() < end or len(rounds) < 6:
        rounds.append(measure(choose))
    third = len(rounds) // 3
    bad = 0
    print(f"{len(rounds)} rounds of {_ACTIONS_IN_A_ROUND}, seed {options.seed}")
    for place, (name, limit) in enumerate(LIMITS.items()):
        first = statistics.median(each[place] for each in rounds[:third])
        last = statistics.median(each[place] for each in rounds[-third:])
        # A few of anything more or less are no growth.
        ratio = (last + 16) / (first + 16) if place < 2 else last / first
        verdict = "flat" if ratio <= limit else "GROWS"
        bad += ratio > limit
        print(f"{name:>14}: {first:12.4g} -> {last:12.4g}  ratio {ratio:5.2f}  {verdict}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
