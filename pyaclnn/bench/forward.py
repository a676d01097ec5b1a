"""Forward operators of each mechanism compared with PyTorch: large tensors, small calls, lists."""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.bench.measure import Batch, interleave, quiet, ready_torch
from pyaclnn.bench.mechanisms import MECHANISMS, SMALL, Mechanism, Shape, values
from pyaclnn.bench.mechanisms_indexing import INDEXING
from pyaclnn.bench.mechanisms_spatial import SPATIAL
from pyaclnn.bench.subjects import converted

ROWS = (*MECHANISMS, *INDEXING, *SPATIAL)
_BY_NAME = {row.name: row for row in ROWS}
_WARM_UP = 3
_FLOATS = ("float32", "float16", "bfloat16")

#: Seconds that one type of one row may take.
_BUDGET = 1.5
_MOST_ROUNDS = 9


def large(name: str, budget: float = _BUDGET) -> dict[str, float]:
    """Millions of elements a second, in each type, beside PyTorch on as many threads."""
    row = _BY_NAME[name]
    count = row.large[0] * row.large[1]
    results: dict[str, float] = {}
    for dtype in row.dtypes:
        batches = {"pyaclnn": _pyaclnn(row, row.large, dtype)}
        with contextlib.suppress(LookupError):
            batches["torch"] = _torch(row, row.large, dtype)
        times = interleave(batches, quiet, calls=1, rounds=_rounds(batches, budget))
        results |= {f"{dtype} {label}": count / t for label, t in times.items()}
    return results


def small(name: str, calls: int = 300, rounds: int = 15) -> dict[str, float]:
    """Microseconds of a call on 1,000 elements, in each type, beside PyTorch's.

    ``kept``: both into tensors that are given; otherwise both allocate them.
    """
    row = _BY_NAME[name]
    results: dict[str, float] = {}
    ways = {"eager": replace(row, writes=False)} | ({"kept": row} if row.writes else {})
    for dtype in row.dtypes:
        batches: dict[str, Batch] = {}
        for label, way in ways.items():
            batches[label] = _pyaclnn(way, SMALL, dtype)
            with contextlib.suppress(LookupError):
                batches[f"torch {label}"] = _torch(way, SMALL, dtype)
        times = interleave(batches, lambda: None, calls=calls, rounds=rounds)
        results |= {f"{dtype} {label}": t for label, t in times.items()}
    return results


def _rounds(batches: dict[str, Batch], budget: float) -> int:
    """Return how many rounds fit, an odd number."""
    begin = time.perf_counter()
    for batch in batches.values():
        batch(1)
    fit = int(budget / (time.perf_counter() - begin))
    return min(max(fit, 3), _MOST_ROUNDS) | 1


def _pyaclnn(row: Mechanism, shape: Shape, dtype: str) -> Batch:
    operator, stream = pa.ops[row.operator], pa.current_stream()

    def tensor(array: Any) -> pa.Tensor:
        return pa.asarray(array, dtype=dtype if array.dtype == np.float32 else None)

    given = converted(row.arguments(shape, dtype), tensor)
    options = {"out": operator(*given)} if row.writes else {}

    def run(times: int) -> None:
        for _ in range(times):
            operator(*given, **options)
        stream.sync()

    return run


def _torch(row: Mechanism, shape: Shape, dtype: str) -> Batch:
    torch = ready_torch()

    def tensor(array: Any) -> Any:
        made = torch.from_numpy(array)
        return made.to(getattr(torch, dtype)) if array.dtype == np.float32 else made

    given = converted(row.arguments(shape, dtype), tensor)
    options = {"out": row.torch(torch, *given)} if row.writes else {}

    def run(times: int) -> None:
        with torch.no_grad():
            for _ in range(times):
                row.torch(torch, *given, **options)

    run(_WARM_UP)
    return run


#: Tensors in a list, their elements, and how many of them an operator of CANN takes at most.
_LIST, _EACH, _AT_MOST = 100, 1000, 50

#: Python name -> numbers after the lists, lists, PyTorch's function, its numbers.
LISTS: dict[str, tuple[tuple[Any, ...], int, str]] = {
    "foreach_add_scalar_v2": ((2.0,), 1, "_foreach_add"),
    "foreach_mul_scalar_v2": ((2.0,), 1, "_foreach_mul"),
    "foreach_mul_list": ((), 2, "_foreach_mul"),
    "foreach_mul_scalar_list": (([1 + i / 64 for i in range(_AT_MOST)],), 1, "_foreach_mul"),
    "foreach_exp": ((), 1, "_foreach_exp"),
    "foreach_sqrt": ((), 1, "_foreach_sqrt"),
    "foreach_norm": ((2.0,), 1, "_foreach_norm"),
}


def lists(name: str, calls: int = 20, rounds: int = 15) -> dict[str, float]:
    """Microseconds for 100 tensors of 1,000 elements, as many as one call takes at a time.

    ``kept``: into tensors that are given.
    """
    results: dict[str, float] = {}
    for dtype in _FLOATS:
        batches = _lists_here(name, dtype)
        with contextlib.suppress(LookupError):
            batches["torch eager"] = _lists_of_torch(name, dtype)
        times = interleave(batches, lambda: None, calls=calls, rounds=rounds)
        results |= {f"{dtype} {label}": t for label, t in times.items()}
    return results


def _lists_here(name: str, dtype: str) -> dict[str, Batch]:
    numbers, count, _ = LISTS[name]
    operator, stream = pa.ops[name], pa.current_stream()
    array = values(_EACH)
    parts = [
        [[pa.asarray(array, dtype=dtype) for _ in range(_AT_MOST)] for _ in range(count)]
        for _ in range(_LIST // _AT_MOST)
    ]
    outs = [operator(*part, *numbers) for part in parts]

    def eager(times: int) -> None:
        for _ in range(times):
            for part in parts:
                operator(*part, *numbers)
        stream.sync()

    def kept(times: int) -> None:
        for _ in range(times):
            for part, out in zip(parts, outs, strict=True):
                operator(*part, *numbers, out=out)
        stream.sync()

    return {"eager": eager, "kept": kept}


def _lists_of_torch(name: str, dtype: str) -> Batch:
    torch = ready_torch()
    few, count, function = LISTS[name]
    # All tensors in one call: a number for each of them.
    numbers = [n * (_LIST // _AT_MOST) if isinstance(n, list) else n for n in few]
    foreach, element = getattr(torch, function), getattr(torch, dtype)
    array = values(_EACH)
    given = [
        [torch.from_numpy(array.copy()).to(element) for _ in range(_LIST)] for _ in range(count)
    ]

    def run(times: int) -> None:
        for _ in range(times):
            foreach(*given, *numbers)

    return run
