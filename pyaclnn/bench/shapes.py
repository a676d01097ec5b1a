"""The sweep: each mechanism over shapes, dtypes and views, on one thread, by processor time.

Each call is submitted many times and waited for once, in turn with PyTorch's, so that ratios are
meaningful on a machine that others use, too.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.bench.measure import interleave, ready_torch
from pyaclnn.bench.shape_rows import VIEWS, Operand, Row, rows
from pyaclnn.sim.progress import Progress

#: Seconds of one batch, and batches of each contender.
_BATCH, _ROUNDS = 0.008, 5
_MOST_CALLS = 400
#: Difference from PyTorch, as a share of the result, that rounding explains.
_TOLERANCE = 0.05
_SHOWN = 30
_ONE_THREAD = {
    "PYACLNN_SIM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
    "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",
}  # fmt: skip

Figures = dict[str, Any]


def chosen(only: Sequence[str]) -> list[Row]:
    """Return the rows whose names contain one of the texts; all without any."""
    return [row for row in rows() if not only or any(text in row.name for text in only)]


def _converted(value: Any, dtype: str, torch: Any) -> tuple[Any, Any]:
    """Return an argument for either library."""
    if isinstance(value, list) and value and isinstance(value[0], Operand):
        pairs = [_converted(item, dtype, torch) for item in value]
        return [own for own, _ in pairs], [other for _, other in pairs]
    if not isinstance(value, Operand):
        return value, value
    array, name = value.array(dtype)
    turn = VIEWS[value.view]
    own = turn(pa.asarray(array, dtype=name), value.shape)
    if torch is None:
        return own, None
    return own, turn(torch.from_numpy(array).to(getattr(torch, name)), value.shape)


def _many(results: Any) -> list[Any]:
    return list(results) if isinstance(results, (tuple, list)) else [results]


def _nbytes(values: Sequence[Any]) -> int:
    """Bytes that a call has to read or write; a value that is repeated counts once."""
    total = 0
    for value in values:
        if isinstance(value, list):
            total += _nbytes(value)
        elif isinstance(value, pa.Tensor):
            extents = zip(value.shape, value.strides, strict=True)
            seen = math.prod(extent for extent, step in extents if step)
            total += seen * value.dtype.itemsize
    return total


def _calls(batch: Callable[[int], None]) -> int:
    """Return how many calls fill a batch."""
    batch(2)
    begin = time.process_time()
    batch(1)
    first = max(time.process_time() - begin, 1e-6)
    count = min(max(int(_BATCH / first), 1), _MOST_CALLS)
    begin = time.process_time()
    batch(count)
    return min(max(int(count * _BATCH / max(time.process_time() - begin, 1e-6)), 1), _MOST_CALLS)


def measure(row: Row, torch: Any) -> Figures:
    """Return microseconds of a call, of both, and what it moves and computes.

    Raises
    ------
    RuntimeError
        If PyTorch's results are other ones: the two would not be comparable.
    """
    pairs = [_converted(value, row.dtype, torch) for value in row.arguments]
    given, theirs = [own for own, _ in pairs], [other for _, other in pairs]
    operator, stream = pa.ops[row.operator], pa.current_stream()
    results = operator(*given)
    out = {} if results is None or operator.name.startswith("inplace") else {"out": results}

    def ours(times: int) -> None:
        for _ in range(times):
            operator(*given, **out)
        stream.sync()

    batches = {"ours": ours}
    written = [tensor for tensor in _many(results) if isinstance(tensor, pa.Tensor)]
    figures: Figures = {"bytes": _nbytes(given) + _nbytes(written), "operations": row.operations}
    if torch is not None:
        other = _torch_result(row, torch, theirs, written)
        kept = {"out": other} if row.writes else {}

        def torchs(times: int) -> None:
            with torch.no_grad():
                for _ in range(times):
                    row.torch(torch, *theirs, **kept)

        _compare(row, written, other)
        batches["torch"] = torchs
    calls = {name: _calls(batch) for name, batch in batches.items()}
    bound = {name: _repeat(batch, calls[name]) for name, batch in batches.items()}
    times = interleave(
        bound, lambda: None, calls=1, rounds=_ROUNDS, clock=time.process_time
    )  # fmt: skip
    return figures | {name: value / calls[name] for name, value in times.items()}


def _repeat(batch: Callable[[int], None], calls: int) -> Callable[[int], None]:
    return lambda _: batch(calls)


def _torch_result(row: Row, torch: Any, given: list[Any], written: list[pa.Tensor]) -> Any:
    """Call PyTorch once: into memory of the shape that is to be written, where both keep it."""
    if not row.writes:
        return row.torch(torch, *given)
    name = str(written[0].dtype)
    return row.torch(torch, *given, out=torch.empty(written[0].shape, dtype=getattr(torch, name)))


def _compare(row: Row, ours: list[pa.Tensor], theirs: Any) -> None:
    # The first result: others have statistics of either's own type, or places of equal values.
    for own, other in zip(ours[:1], _many(theirs), strict=False):
        if own.size > 1 << 20 or own.size != other.numel():
            continue
        one = own.numpy().astype(np.float64).reshape(-1)
        two = other.double().numpy().reshape(-1)
        if not np.linalg.norm(one - two) <= _TOLERANCE * (1 + np.linalg.norm(two)):
            raise RuntimeError(f"{row.name}: PyTorch gives something else")


def limits() -> dict[str, float]:
    """Return what this machine reaches on one thread: bytes copied, operations of a product."""
    found = {}
    for name, size in (("copy in cache", 1 << 18), ("copy beyond", 1 << 26)):
        a = np.ones(size, np.uint8)
        copy = partial(np.copyto, a.copy(), a)
        found[name] = 2 * size / _best(copy, max(1, (1 << 26) // size))
    m = np.ones((1024, 1024), np.float32)
    out = np.empty_like(m)
    found["product"] = 2 * 1024**3 / _best(lambda: np.matmul(m, m, out=out), 1)
    return found


def _best(call: Callable[[], Any], repeat: int) -> float:
    times = []
    for _ in range(7):
        begin = time.process_time()
        for _ in range(repeat):
            call()
        times.append((time.process_time() - begin) / repeat)
    return min(times)


def _torch() -> Any:
    """PyTorch's module on one thread, or None."""
    with contextlib.suppress(LookupError):
        return ready_torch(1)
    return None


def child(only: Sequence[str]) -> int:
    """Measure in this process, a line of JSON for each row."""
    torch = _torch()
    print(json.dumps({"limits": limits()}), flush=True)
    for row in chosen(only):
        try:
            figures = measure(row, torch)
        except (pa.AclError, RuntimeError, TypeError, ValueError) as error:
            figures = {"error": str(error).splitlines()[0]}
        print(json.dumps({row.name: figures}), flush=True)
    return 0


def run(only: Sequence[str], write: Path | None, against: Path | None) -> int:
    """Measure in a process with one thread, print what is slow, and write all figures."""
    command = [sys.executable, "-m", "pyaclnn.bench", "--child", "shapes", json.dumps(list(only))]
    progress = Progress("measuring", len(chosen(only)))
    report: dict[str, Any] = {"limits": {}, "rows": {}}
    with subprocess.Popen(
        command, env=os.environ | _ONE_THREAD, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            found = json.loads(line)
            if "limits" in found:
                report |= found
                continue
            report["rows"] |= found
            progress.show(len(report["rows"]), *found)
    progress.clear()
    if process.returncode:
        return 1
    show(report)
    if write is not None:
        write.write_text(json.dumps(report, indent=1), encoding="utf-8")
    if against is not None:
        compare(report["rows"], json.loads(against.read_text(encoding="utf-8"))["rows"])
    return 1 if any("error" in figures for figures in report["rows"].values()) else 0


def share_of_limit(figures: Figures, limit: Mapping[str, float]) -> float:
    """Return the share of the machine's peak that a row reaches, of bytes or operations."""
    beyond = figures["bytes"] > 1 << 23
    seconds = figures["ours"] / 1e6
    moved = figures["bytes"] / limit["copy beyond" if beyond else "copy in cache"]
    return float(max(moved, figures["operations"] / limit["product"]) / seconds)


def show(report: Mapping[str, Any]) -> None:
    """Print a summary, and the rows that are slowest beside PyTorch, or beside the machine."""
    measured = {name: f for name, f in report["rows"].items() if "ours" in f}
    for name, figures in report["rows"].items():
        if "error" in figures:
            print(f"failed: {name}: {figures['error']}")
    with_torch = {n: f["torch"] / f["ours"] for n, f in measured.items() if "torch" in f}
    shares = {n: share_of_limit(f, report["limits"]) for n, f in measured.items()}
    if with_torch:
        print(summary(list(with_torch.values())))
    print(f"{'µs':>9} {'x torch':>8} {'of limit':>8}")
    order = sorted(measured, key=lambda name: with_torch.get(name, shares[name]))
    for name in order[:_SHOWN]:
        ratio = f"{with_torch[name]:8.2f}" if name in with_torch else " " * 8
        print(f"{measured[name]['ours']:9.1f} {ratio} {shares[name]:8.2f}  {name}")


def summary(ratios: Sequence[float]) -> str:
    """Say how many rows are slower than PyTorch."""
    below = ", ".join(f"{sum(r < t for r in ratios)} below {t}" for t in (0.5, 0.8, 1.0))
    return f"{len(ratios)} rows beside PyTorch: median {statistics.median(ratios):.2f}, {below}"


def compare(now: Mapping[str, Figures], before: Mapping[str, Figures]) -> None:
    """Print which rows became faster or slower: beside PyTorch, where both runs have it."""

    def speed(figures: Figures) -> float:
        return float(figures.get("torch", 1.0) / figures["ours"])

    both = [n for n in now if n in before and "ours" in now[n] and "ours" in before[n]]
    change = {name: speed(now[name]) / speed(before[name]) for name in both}
    print(f"\nbefore: {summary([speed(before[name]) for name in both])}")
    print(f"now:    {summary([speed(now[name]) for name in both])}")
    print(f"{sum(c < 0.95 for c in change.values())} of {len(both)} rows are 5 % slower")
    order = sorted(both, key=lambda name: change[name])
    for name in [*order[:_SHOWN], *order[max(_SHOWN, len(order) - _SHOWN) :]]:
        print(f"{speed(before[name]):8.2f} to {speed(now[name]):5.2f}  {name}")
