"""The overlap of a copy on one stream with an operator on another."""

from __future__ import annotations

import os

import numpy as np

import pyaclnn as pa
from pyaclnn.bench.measure import interleave


def overlap(nbytes: int = 1 << 26, rounds: int = 15) -> dict[str, float]:
    """Milliseconds of copies from pinned memory, of operators, and of both on two streams.

    The simulator's kernels get one processor unless ``--threads`` says otherwise, so that another
    is left for the copy: the part of an NPU's copy engine. Copies and operators are as many as
    take about the same time; "both / longer" is 1 for perfect overlap, "both / sum" is 1 for none.
    """
    os.environ.setdefault("PYACLNN_SIM_THREADS", "1")
    device = pa.current_device()
    copying, computing = device.create_stream(), device.create_stream()
    source = pa.empty_pinned((nbytes,), "uint8")
    source[...] = 1
    target = pa.asarray(source)
    x = pa.asarray(np.linspace(-3, 3, 1 << 20, dtype=np.float32))
    out = pa.empty_like(x)

    def copy(times: int) -> None:
        for _ in range(times):
            target.copy_from(source, stream=copying)

    def compute(times: int) -> None:
        with computing:
            for _ in range(times):
                pa.ops.gelu_backward(x, x, out=out)

    def alone(work: object, times: int) -> None:
        work(times)  # type: ignore[operator]
        device.sync()

    lone = interleave(
        {"copy": lambda n: alone(copy, n), "compute": lambda n: alone(compute, n)},
        lambda: None, calls=8, rounds=5,
    )  # fmt: skip
    copies = 8
    operators = max(1, round(copies * lone["copy"] / lone["compute"]))

    def both(_: int) -> None:
        copy(copies)
        compute(operators)
        device.sync()

    times = interleave(
        {
            "copy": lambda _: alone(copy, copies),
            "compute": lambda _: alone(compute, operators),
            "both": both,
        },
        lambda: None, calls=1, rounds=rounds,
    )  # fmt: skip
    copied, computed, together = (times[name] / 1e3 for name in ("copy", "compute", "both"))
    return {
        "copy, ms": copied,
        "compute, ms": computed,
        "both, ms": together,
        "both / longer": together / max(copied, computed),
        "both / sum": together / (copied + computed),
    }
