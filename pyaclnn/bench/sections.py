"""The sections of the benchmark, each measured in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.bench.attention import KINDS, attention, attention_memory, growth
from pyaclnn.bench.attention import ROWS as ATTENTION_ROWS
from pyaclnn.bench.collectives import COLLECTIVES, collectives
from pyaclnn.bench.contenders import CALLS, SUBJECTS, Contender
from pyaclnn.bench.forward import LISTS, ROWS, large, lists, small
from pyaclnn.bench.fused import FUSED, fused
from pyaclnn.bench.indexing import SIZES, indexing
from pyaclnn.bench.measure import interleave
from pyaclnn.bench.memory import memory
from pyaclnn.bench.methods import methods
from pyaclnn.bench.operators import PAIRS, operators
from pyaclnn.bench.overlap import overlap
from pyaclnn.bench.quantised import QUANTISED, quantised
from pyaclnn.bench.steps import STEPS, steps
from pyaclnn.bench.streams import OPERATORS as STREAM_OPERATORS
from pyaclnn.bench.streams import streams
from pyaclnn.bench.throughput import STREAMED, copies, throughput

_SMALL = 8


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


def start_up(rounds: int = 7) -> dict[str, float]:
    """Milliseconds of the thread's processor time to import, and for first calls.

    Not of the process: threads that NumPy starts spin for as long again. In fresh processes.
    Modules come from compiled files, as in an installation, whatever this process was told.
    """
    program = """
import time
t = [time.thread_time()]
import numpy as np; t.append(time.thread_time())
import pyaclnn as pa; t.append(time.thread_time())
x = pa.asarray(np.ones(8, np.float32)); t.append(time.thread_time())
pa.ops.selu_backward(x, x); t.append(time.thread_time())
pa.ops.hardswish_backward(x, x); t.append(time.thread_time())
dir(pa.ops); t.append(time.thread_time())
operators = pa.abi.operators()
pa.abi.define(*operators, *(name + "GetWorkspaceSize" for name in operators))
t.append(time.thread_time())
print(*(1e3 * (b - a) for a, b in zip(t, t[1:])))
"""
    names = (
        "import numpy", "import pyaclnn", "first tensor", "first operator", "second operator",
        "dir of operators", "all declarations",
    )  # fmt: skip
    rows = []
    with tempfile.TemporaryDirectory() as compiled:
        environment = os.environ | {"PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        # The first one compiles, and does not count.
        for _ in range(rounds + 1):
            done = subprocess.run(
                [sys.executable, "-c", program],
                env=environment, capture_output=True, text=True, check=True,
            )  # fmt: skip
            rows.append([float(value) for value in done.stdout.split()])
    return dict(zip(names, np.median(rows[1:], axis=0).tolist(), strict=True))


#: Section -> (function, what it is called with, unit).
SECTIONS: dict[str, tuple[Any, tuple[str, ...], str]] = {
    "calls": (calls, tuple(s.operator for s in SUBJECTS), "µs"),
    "streams": (streams, STREAM_OPERATORS, "µs"),
    "methods": (methods, (), "µs"),
    "indexing": (indexing, tuple(SIZES), "µs"),
    "throughput": (throughput, tuple(STREAMED), "GB/s"),
    "forward": (large, tuple(row.name for row in ROWS), "Me/s"),
    "small": (small, tuple(row.name for row in ROWS), "µs"),
    "lists": (lists, tuple(LISTS), "µs"),
    "operators": (operators, tuple(PAIRS), "ms"),
    "quantised": (quantised, QUANTISED, "/s"),
    "attention": (attention, tuple(ATTENTION_ROWS), "ms"),
    "attention growth": (growth, (), ""),
    "attention memory": (attention_memory, KINDS, "MiB"),
    "copies": (copies, (), "GB/s"),
    "collectives": (collectives, COLLECTIVES, "µs"),
    "fused": (fused, FUSED, "µs"),
    "overlap": (overlap, (), ""),
    "tensors": (tensors, (), "µs"),
    "memory": (memory, (), ""),
    "start-up": (start_up, (), "ms"),
    "steps": (steps, tuple(STEPS), "ms"),
}
