"""Indexing of tensors, compared with PyTorch and NumPy."""

from __future__ import annotations

import contextlib
import os
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.bench.measure import Batch, interleave, keep_memory, quiet

#: What is written; x has rows, i some of their numbers, mask truths of its shape, v a row.
EXPRESSIONS = (
    "x[1:, ::2] = 0",
    "x[i]",
    "x[i] = v",
    "x[:, j]",
    "x[i, k]",
    "x[mask]",
    "x[mask] = 0",
    "x[..., None, 3]",
)
#: Rows and columns, and how often each is measured in a batch.
SIZES = {"small": ((8, 8), 100), "large": ((4096, 1024), 2)}


def _batch(expression: str, names: dict[str, Any], wait: Any) -> Batch:
    """Return a function that evaluates an expression repeatedly, and one that waits for it."""
    lines = f"def batch(times):\n    for _ in range(times):\n        {expression}\n    wait()\n"
    found = {**names, "wait": wait}
    exec(lines, found)
    batch: Batch = found["batch"]
    return batch


def indexing(size: str, rounds: int = 9) -> dict[str, float]:
    """Microseconds an expression, with what it waits for, for one size of x.

    Parameters
    ----------
    size : str
        One of `SIZES`.
    rounds : int
        Batches of each contender.
    """
    (rows, columns), calls = SIZES[size]
    rng = np.random.default_rng(0)
    of_numpy: dict[str, Any] = {
        "x": rng.standard_normal((rows, columns), np.float32),
        "i": rng.integers(0, rows, rows), "j": rng.integers(0, columns, columns),
        "k": rng.integers(0, columns, rows), "v": np.arange(columns, dtype=np.float32),
    }  # fmt: skip
    of_numpy["mask"] = of_numpy["x"] > 0
    ours = {name: pa.asarray(value) for name, value in of_numpy.items()}
    contenders = {
        "pyaclnn": (ours, lambda: pa.current_stream().sync()),
        "numpy": (of_numpy, lambda: None),
    }
    with contextlib.suppress(ImportError):
        import torch

        keep_memory()
        torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", torch.get_num_threads())))
        of_torch = {name: torch.tensor(value) for name, value in of_numpy.items()}
        contenders["torch"] = (of_torch, lambda: None)
    found: dict[str, float] = {}
    for expression in EXPRESSIONS:
        batches = {
            f"{expression}: {name}": _batch(expression, names, wait)
            for name, (names, wait) in contenders.items()
        }
        found |= interleave(batches, quiet, calls=calls, rounds=rounds)
    return found
