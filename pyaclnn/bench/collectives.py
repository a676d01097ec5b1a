"""Collectives of two processes, compared with gloo's where PyTorch is installed."""

from __future__ import annotations

import importlib.util
import os
import random
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.collective import Communicator

#: What is measured; the number of bytes is that of the larger of its tensors.
COLLECTIVES = ("all_reduce", "all_gather", "reduce_scatter", "broadcast", "all_to_all")
SIZES = {"1 KiB": 1 << 10, "1 MiB": 1 << 20, "64 MiB": 64 << 20}

RANKS = 2
_ROUNDS = 9
# About as many bytes in each batch, up to a number of calls.
_BYTES, _CALLS = 128 << 20, 300

#: Does one call, and waits until this rank's part of it is done.
Call = Callable[[], object]


def collectives(name: str) -> dict[str, float]:
    """Microseconds of one call that is waited for, for each size and contender.

    Contenders take turns, both ranks in the same order, and begin together.
    """
    return on_two_ranks(__name__, name, _measure)


def on_two_ranks(
    module: str, name: str, measure: Callable[[str], dict[str, float]]
) -> dict[str, float]:
    """Measure as rank 0, beside a process that runs the module with the name as rank 1."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    environment = os.environ | {"WORLD_SIZE": str(RANKS), "MASTER_ADDR": "127.0.0.1"}
    environment |= {"PYACLNN_MASTER_PORT": port, "RANK": "1", "LOCAL_RANK": "1"}
    # One thread each: two processes use both processors of the machine.
    environment |= {"OMP_NUM_THREADS": "1"}
    other = subprocess.Popen([sys.executable, "-m", module, name], env=environment)
    try:
        os.environ |= environment | {"RANK": "0", "LOCAL_RANK": "0"}
        return measure(name)
    finally:
        other.wait(60)


def _measure(name: str) -> dict[str, float]:
    ranks = Communicator.from_env()
    dist = _gloo(ranks)
    results = {}
    for label, nbytes in SIZES.items():
        calls = {"pyaclnn": _ours(ranks, name, nbytes // 4)}
        if dist is not None:
            calls["gloo"] = _gloos(dist, ranks, name, nbytes // 4)
        count = max(2, min(_CALLS, _BYTES // nbytes))
        for contender, microseconds in take_turns(ranks, calls, count).items():
            results[f"{label} {contender}"] = microseconds
    ranks.sync()
    if dist is not None:
        dist.destroy_process_group()
    ranks.close()
    return results


def take_turns(ranks: Communicator, calls: dict[str, Call], count: int) -> dict[str, float]:
    """Microseconds of a call of each, in the median of rounds that both ranks begin together."""
    times: dict[str, list[float]] = {contender: [] for contender in calls}
    order = list(calls)
    shuffle = random.Random(5).shuffle
    for turn in range(_ROUNDS + 1):
        shuffle(order)
        for contender in order:
            ranks.barrier()
            ranks.sync()
            call = calls[contender]
            begin = time.perf_counter()
            for _ in range(count):
                call()
            if turn:
                times[contender].append((time.perf_counter() - begin) / count * 1e6)
    return {contender: statistics.median(values) for contender, values in times.items()}


def _ours(ranks: Communicator, name: str, elements: int) -> Call:
    large = pa.asarray(np.ones((RANKS, elements // RANKS), np.float32))
    small = pa.asarray(np.ones(elements // RANKS, np.float32))
    out = pa.empty_like(large)
    stream = pa.current_stream()
    calls: dict[str, Call] = {
        "all_reduce": lambda: ranks.all_reduce(large, "max", out=out),
        "all_gather": lambda: ranks.all_gather(small, out=out),
        "reduce_scatter": lambda: ranks.reduce_scatter(large, out=small),
        "broadcast": lambda: ranks.broadcast(large, 0),
        "all_to_all": lambda: ranks.all_to_all(large, out=out),
    }
    call = calls[name]

    def waited() -> None:
        call()
        stream.sync()

    return waited


def _gloo(ranks: Communicator) -> Any:
    """Return torch.distributed with a process group, or None without PyTorch."""
    if importlib.util.find_spec("torch") is None:
        return None
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    port = int(os.environ["PYACLNN_MASTER_PORT"]) + 1
    place = f"tcp://127.0.0.1:{port}"
    dist.init_process_group("gloo", init_method=place, rank=ranks.rank, world_size=RANKS)
    return dist


def _gloos(dist: Any, ranks: Communicator, name: str, elements: int) -> Call:
    import torch

    large, small = torch.ones(elements), torch.ones(elements // RANKS)
    out = torch.empty(elements)
    calls: dict[str, Call] = {
        "all_reduce": lambda: dist.all_reduce(large, op=dist.ReduceOp.MAX),
        "all_gather": lambda: dist.all_gather_into_tensor(out, small),
        "reduce_scatter": lambda: dist.reduce_scatter_tensor(small, large),
        "broadcast": lambda: dist.broadcast(large, 0),
        "all_to_all": lambda: dist.all_to_all_single(out, large),
    }
    return calls[name]


if __name__ == "__main__":
    _measure(sys.argv[1])
