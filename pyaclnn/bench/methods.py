"""Methods and operators of tensors, compared with the calls that they make; plans, with calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.bench.measure import Batch, interleave

#: What a person writes -> the operator call that it makes.
METHODS: Mapping[str, str] = {
    "x + y": "add(x, y)",
    "x += y": "inplace_add(x, y)",
    "x + 1.5": "adds(x, 1.5)",
    "x += 1.5": "inplace_adds(x, 1.5)",
    "x * 2": "muls(x, 2)",
    "1 - x": "rsubs(x, 1)",
    "x / y": "div(x, y)",
    "x // 2.5": "floor_divides(x, two_and_a_half)",
    "x % 2": "remainder_tensor_scalar(x, 2)",
    "x ** 2": "pow_tensor_scalar(x, 2)",
    "x < 1": "lt_scalar(x, 1)",
    "x < y": "lt_tensor(x, y)",
    "i & 1": "bitwise_and_scalar(i, 1)",
    "-x": "neg(x)",
    "abs(x)": "abs_(x)",
    "m @ m": "matmul(m, m)",
    "x.sum()": "reduce_sum(x, [0], False, float32)",
    "x.max(0)": "amax(x, [0], False)",
    "x.argmax(0)": "arg_max(x, 0, False)",
    "x.astype(float16)": "cast(x, float16)",
    "plan.run()": "add(x, y, out=out)",
}


def _batch(expression: str, names: Mapping[str, Any]) -> Batch:
    """Return a function that evaluates an expression repeatedly and does not change x."""
    found: dict[str, Any] = dict(names)
    lines = f"def batch(times, x=x):\n    for _ in range(times):\n        {expression}\n"
    exec(lines, found)
    batch: Batch = found["batch"]
    return batch


def methods(calls: int = 200, rounds: int = 31) -> dict[str, float]:
    """Microseconds a call on 8 elements: each method, and the operator call that it makes.

    Parameters
    ----------
    calls : int
        Calls in a batch.
    rounds : int
        Batches of each contender.
    """
    x, y = (pa.asarray(np.arange(1, 9, dtype=np.float32)) for _ in range(2))
    names = {
        "x": x, "y": y, "i": pa.asarray(np.arange(8)), "m": pa.ones((8, 8)), "out": pa.empty(8),
        "float32": np.dtype(np.float32), "float16": np.dtype(np.float16),
        "two_and_a_half": np.float32(2.5),
    }  # fmt: skip
    for call in METHODS.values():
        name = call.partition("(")[0]
        names[name] = pa.ops[name.rstrip("_")]
    for _ in range(2):
        names["add"](x, y, out=names["out"])
    # For a call that ran before, CANN does not make the executor repeatable.
    names["plan"] = pa.ops.add.plan(x, y, out=names["out"])
    found: dict[str, float] = {}
    for method, call in METHODS.items():
        pair = {
            f"{method}: method": _batch(method, names | {"abs": abs}),
            f"{method}: operator": _batch(call, names),
        }
        found |= interleave(pair, lambda: pa.current_stream().sync(), calls=calls, rounds=rounds)
    return found
