"""What is measured, each in a process of its own."""

from __future__ import annotations

import contextlib
import itertools
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.bench.contenders import CALLS, SUBJECTS, Contender, torch_eager
from pyaclnn.bench.measure import interleave
from pyaclnn.bench.operators import PAIRS, operators

_SMALL = 8
_NATIVE = {"threshold", "softshrink", "hardswish", "softmax", "selu"}


def calls(operator: str, calls_in_batch: int = 300, rounds: int = 15) -> dict[str, float]:
    """Microseconds a call on 8 float32 elements, for every contender, one operator."""
    subject = next(s for s in SUBJECTS if s.operator == operator)
    contenders: dict[str, Contender] = {}
    for label, make in CALLS.items():
        try:
            contenders[label] = make(subject, _SMALL, "float32")
        except LookupError:
            continue
    results = interleave(
        contenders, lambda: pa.current_stream().sync(), calls=calls_in_batch, rounds=rounds
    )
    native = native_loop(operator.removesuffix("_backward"), calls_in_batch * rounds)
    return {"C++ loop": native, **results} if native else results


def native_loop(name: str, repetitions: int) -> float:
    """Microseconds a call in C++, or 0 where it cannot be compiled here."""
    if name not in _NATIVE:
        return 0.0
    root = Path(pa.backend.root)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "native"
        source = Path(__file__).with_name("native.cpp")
        command = [
            os.environ.get("CXX", "g++"), "-std=c++17", "-O2", str(source), "-o", str(program),
            f"-I{root / 'include'}", f"-L{root / 'lib64'}", "-lascendcl", "-lnnopbase", "-lopapi",
            f"-Wl,-rpath,{root / 'lib64'}",
        ]  # fmt: skip
        try:
            subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return 0.0
        done = subprocess.run(
            [str(program), name, str(_SMALL), str(repetitions)],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        return float(done.stdout) / 1e3


def throughput(operator: str, elements: int = 1 << 24, rounds: int = 7) -> dict[str, float]:
    """GB/s of one operator at 16 Mi elements, for each dtype, beside a triad and PyTorch."""
    subject = next(s for s in SUBJECTS if s.operator == operator)
    results: dict[str, float] = {}
    for dtype in ("float32", "float16", "bfloat16"):
        grad, x, out = subject.tensors(elements, dtype)
        extra = (*subject.scalars, *subject.numbers)
        stream = pa.current_stream()
        call = pa.ops[operator]

        def run(
            times: int, call: Any = call, a: Any = grad, b: Any = x, o: Any = out, e: Any = extra,
            s: Any = stream,
        ) -> None:  # fmt: skip
            for _ in range(times):
                call(a, b, *e, out=o)
            s.sync()

        batches = {"pyaclnn": run, "triad": _triad(elements, grad.itemsize)}
        with contextlib.suppress(LookupError):
            batches["torch"] = torch_eager(subject, elements, dtype)
        times = interleave(batches, lambda: None, calls=1, rounds=rounds)
        moved = 3 * elements * grad.itemsize
        results |= {f"{dtype} {name}": moved / t / 1e3 for name, t in times.items()}
    return results


def _triad(elements: int, itemsize: int) -> Contender:
    """Return a triad, a = b + s·c, over as many bytes, in NumPy, on two threads."""
    from concurrent.futures import ThreadPoolExecutor

    count = elements * itemsize // 4
    a, b, c = (np.ones(count, np.float32) for _ in range(3))
    threads = min(2, os.cpu_count() or 1)
    pool = ThreadPoolExecutor(threads)
    bounds = np.linspace(0, count, threads * 64 + 1).astype(int)
    pieces = list(itertools.pairwise(bounds))

    def piece(limits: tuple[int, int]) -> None:
        part = slice(*limits)
        # Pieces of a cache's size, so that the two steps cross memory once.
        np.multiply(c[part], 3.0, out=a[part])
        np.add(a[part], b[part], out=a[part])

    def run(times: int) -> None:
        for _ in range(times):
            list(pool.map(piece, pieces))

    return run


def copies(nbytes: int = 1 << 26, rounds: int = 9) -> dict[str, float]:
    """GB/s of copies of 64 MiB between host and device, and of memcpy."""
    host = np.ones(nbytes, np.uint8)
    other = np.empty_like(host)
    tensor = pa.asarray(host)

    def memcpy(times: int) -> None:
        for _ in range(times):
            np.copyto(other, host)

    def upload(times: int) -> None:
        for _ in range(times):
            tensor.copy_from(host)

    def download(times: int) -> None:
        for _ in range(times):
            tensor.numpy(out=other)

    batches = {"memcpy": memcpy, "host to device": upload, "device to host": download}
    times = interleave(batches, lambda: None, calls=1, rounds=rounds)
    return {name: nbytes / t / 1e3 for name, t in times.items()}


def tensors(rounds: int = 15) -> dict[str, float]:
    """Microseconds to make and drop a tensor and a view."""
    base = pa.empty((64, 64))

    def create(times: int) -> None:
        for _ in range(times):
            pa.empty((64, 64))

    def view(times: int) -> None:
        for _ in range(times):
            _ = base[1:, ::2]

    def transpose(times: int) -> None:
        for _ in range(times):
            _ = base.T

    batches = {"empty": create, "slice": view, "transpose": transpose}
    return interleave(batches, lambda: None, calls=300, rounds=rounds)


def memory(eager_calls: int = 1_000_000) -> dict[str, float]:
    """MiB by which the resident set grows over a million eager calls, after the first 10,000."""
    operator = pa.ops.threshold_backward
    x = pa.ones((8,))

    def run(times: int) -> None:
        for number in range(times):
            operator(x, x, 0.5)
            if number % 1000 == 0:
                pa.current_stream().sync()
        pa.current_stream().sync()

    run(10_000)
    before = _resident()
    run(eager_calls)
    return {
        "growth MiB": (_resident() - before) / 2**20,
        "peak MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10,
    }


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def start_up(rounds: int = 7) -> dict[str, float]:
    """Milliseconds of processor time to import, and for first calls, in fresh processes."""
    program = """
import time
t = [time.process_time()]
import numpy as np; t.append(time.process_time())
import pyaclnn as pa; t.append(time.process_time())
x = pa.asarray(np.ones(8, np.float32)); t.append(time.process_time())
pa.ops.selu_backward(x, x); t.append(time.process_time())
pa.ops.hardswish_backward(x, x); t.append(time.process_time())
print(*(1e3 * (b - a) for a, b in zip(t, t[1:])))
"""
    names = ("import numpy", "import pyaclnn", "first tensor", "first operator", "second operator")
    rows = []
    for _ in range(rounds):
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        )
        rows.append([float(value) for value in done.stdout.split()])
    return dict(zip(names, np.median(rows, axis=0).tolist(), strict=True))


#: Section -> (function, what it is called with, unit).
SECTIONS: dict[str, tuple[Any, tuple[str, ...], str]] = {
    "calls": (calls, tuple(s.operator for s in SUBJECTS), "µs"),
    "throughput": (throughput, tuple(s.operator for s in SUBJECTS), "GB/s"),
    "operators": (operators, tuple(PAIRS), "ms"),
    "copies": (copies, (), "GB/s"),
    "tensors": (tensors, (), "µs"),
    "memory": (memory, (), ""),
    "start-up": (start_up, (), "ms"),
}
