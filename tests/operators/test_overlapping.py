"""In place with an operand that lies across the result in another layout, as in x += x.T.

CANN brings a strided operand into a tensor of its own first, and writes a strided result once all
is read: so the operands are what they were before the call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyaclnn as pa

#: More than a block of either axis, and than one thread takes.
EXTENT = 300

#: How it is called, and its formula.
OPERATORS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "inplace_add": (lambda f, x, y: f(x, y, 2), lambda x, y: x + 2 * y),
    "inplace_mul": (lambda f, x, y: f(x, y), lambda x, y: x * y),
    "inplace_copy": (lambda f, x, y: f(x, y), lambda x, y: y),
    "inplace_addcmul": (lambda f, x, y: f(x, y, y, 1), lambda x, y: x + y * y),
    "inplace_gt_tensor": (lambda f, x, y: f(x, y), lambda x, y: x > y),
    "inplace_clamp_min_tensor": (lambda f, x, y: f(x, y), np.maximum),
    "inplace_floor_divide": (lambda f, x, y: f(x, y), lambda x, y: x // y),
    "inplace_bitwise_xor_tensor": (lambda f, x, y: f(x, y), np.bitwise_xor),
}

#: Of one array: what is written, and the other operand.
VIEWS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "transposed operand": (lambda a: a, lambda a: a.T),
    "transposed result": (lambda a: a.T, lambda a: a),
    "rows": (lambda a: a[: EXTENT // 2], lambda a: a[::2]),
    "columns": (lambda a: a[:, 1:], lambda a: a[:, :-1]),
    "one column": (lambda a: a, lambda a: a[:, 3:4]),
}


@pytest.mark.parametrize("views", VIEWS)
@pytest.mark.parametrize("operator", OPERATORS)
def test_the_operand_is_what_it_was(operator: str, views: str) -> None:
    call, formula = OPERATORS[operator]
    written, read = VIEWS[views]
    rng = np.random.default_rng(0)
    for dtype in ("int8", "int32", "int64", "float32", "float64"):
        if dtype.startswith("float") and "bitwise" in operator:
            continue
        expected = rng.integers(1, 5, (EXTENT, EXTENT)).astype(dtype)
        x = pa.asarray(expected)
        before = expected.copy()
        written(expected)[...] = formula(written(before), read(before))
        call(getattr(pa.ops, operator), written(x), read(x))
        assert np.array_equal(x.numpy(), expected), dtype


def test_each_run_of_a_graph_reads_first() -> None:
    before = np.random.default_rng(0).integers(1, 5, (EXTENT, EXTENT)).astype(np.float32)
    x = pa.asarray(before)
    with pa.Graph.capture() as graph:
        pa.ops.inplace_add(x, x.T)
    for _ in range(2):
        graph.run()
        before = before + before.T
    assert np.array_equal(x.numpy(), before)
