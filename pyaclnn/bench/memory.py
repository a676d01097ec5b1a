"""Memory and handles after a million eager calls, to find leaks."""

from __future__ import annotations

import contextlib
import os
import resource
from pathlib import Path

import pyaclnn as pa
from pyaclnn.sim import control
from pyaclnn.tensor import registry

_WARM_UP = 10_000


def memory(eager_calls: int = 1_000_000) -> dict[str, float]:
    """Growth over a million eager calls, after the first 10,000: MiB and handles.

    Handles are those that this package keeps, and, on the simulator, those that C has.
    """
    operator = pa.ops.threshold_backward
    x = pa.ones((8,))
    made = 0

    def run(times: int) -> None:
        nonlocal made
        for number in range(times):
            operator(x, x, 0.5)
            made += 1
            # Waits, so that the length of the queue is not measured.
            if number % 1000 == 0:
                pa.current_stream().sync()
        pa.current_stream().sync()

    run(_WARM_UP)
    before, handles, theirs = _resident(), registry.count(), _handles_in_c()
    run(eager_calls)
    results = {
        "calls": float(made - _WARM_UP),
        "growth MiB": (_resident() - before) / 2**20,
        "peak MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10,
        "handles more": float(registry.count() - handles),
    }
    if theirs is not None:
        results["handles more in C"] = float((_handles_in_c() or 0) - theirs)
    return results


def _handles_in_c() -> int | None:
    with contextlib.suppress(RuntimeError):
        return control.count("total")
    return None


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
