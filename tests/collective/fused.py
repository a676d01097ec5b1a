"""Operators that communicate, between the devices of one process; run with their number.

Each is compared with NumPy in float64, and to the bit with the operator and the collective made
apart.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

import pyaclnn as pa
from pyaclnn.collective import Communicator

Array = np.ndarray[Any, Any]
Ranked = list[dict[str, Any]]

HALVES = (np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16))


class Ranks:
    """The members of one process, and calls on all of them."""

    def __init__(self, count: int) -> None:
        self.members = Communicator.all_devices(range(count))
        self.count = count
        self.rng = np.random.default_rng(count)

    def drawn(self, shape: tuple[int, ...], dtype: Any) -> Array:
        if np.dtype(dtype).kind == "i":
            return self.rng.integers(-100, 100, shape).astype(dtype)
        return self.rng.uniform(-1, 1, shape).astype(dtype)

    def each(self, call: Callable[..., Any], given: Ranked) -> list[Any]:
        """Call with the arguments of each rank, arrays as tensors; results as arrays."""
        results = []
        for member, arguments in zip(self.members, given, strict=True):
            with member.device:
                placed = {
                    k: pa.asarray(v) if isinstance(v, np.ndarray) else v
                    for k, v in arguments.items()
                }
                results.append(call(member, **placed))
        for member in self.members:
            with member.device:
                member.sync()
        return [tuple(x.numpy() for x in r) if isinstance(r, tuple) else r.numpy() for r in results]


def same(actual: list[Any], expected: list[Any], what: str) -> None:
    """Compare to the bit."""
    for rank, (a, b) in enumerate(zip(actual, expected, strict=True)):
        got, want = (x if isinstance(x, tuple) else (x,) for x in (a, b))
        for one, other in zip(got, want, strict=True):
            assert one.dtype == other.dtype, what
            assert one.tobytes() == other.tobytes(), f"{what} on rank {rank}"


def near(actual: Array, golden: Array, what: str) -> None:
    """Compare with float64, as closely as the type allows for the largest number."""
    error = np.abs(actual.astype(np.float64) - golden).max(initial=0)
    tolerance = 2.0 ** (-5 if actual.dtype == HALVES[1] else -8)
    assert error <= tolerance * max(np.abs(golden).max(initial=0), 1), f"{what}: {error}"


def wide(*arrays: Array) -> tuple[Array, ...]:
    return tuple(array.astype(np.float64) for array in arrays)


def plain_sums(ranks: Ranks) -> None:
    for dtype in HALVES:
        for shape, columns, turned in (((5, 33), 9, False), ((2, 3, 40), 17, True)):
            what = f"matmul_all_reduce {dtype} {shape}"
            given: Ranked = [
                {
                    "x1": ranks.drawn(shape, dtype),
                    "x2": ranks.drawn(
                        (columns, shape[-1]) if turned else (shape[-1], columns), dtype
                    ),
                    "bias": ranks.drawn((columns,), dtype),
                    "x3": ranks.drawn((*shape[:-1], columns), dtype),
                }
                for _ in ranks.members
            ]

            def fused(member: Communicator, x1: Any, x2: Any, bias: Any, x3: Any,
                      turned: bool = turned) -> Any:  # fmt: skip
                matrix = x2.T if turned else x2
                return pa.ops.matmul_all_reduce_v2(x1, matrix, bias, x3, member, "sum", 0, 1)

            def apart(member: Communicator, x1: Any, x2: Any, bias: Any, x3: Any,
                      turned: bool = turned) -> Any:  # fmt: skip
                matrix = x2.T if turned else x2
                rows = x1.reshape(-1, x1.shape[-1])
                product = pa.ops.addmm(bias, rows, matrix, 1, 1, 0).reshape(x3.shape)
                return member.all_reduce(pa.ops.add(product, x3, 1))

            results = ranks.each(fused, given)
            same(results, ranks.each(apart, given), what)
            total = np.zeros((*shape[:-1], columns))
            for one in given:
                x1, x2, bias, x3 = wide(*one.values())
                total += x1 @ (x2.T if turned else x2) + bias + x3
            near(results[0], total, what)


def normalised(ranks: Ranks) -> None:
    dtype = HALVES[0]
    residual, gamma = ranks.drawn((2, 3, 24), dtype), ranks.drawn((24,), dtype)
    given: Ranked = [
        {
            "x1": ranks.drawn((6, 32), dtype),
            "x2": ranks.drawn((32, 24), dtype),
            "residual": residual,
            "gamma": gamma,
        }
        for _ in ranks.members
    ]

    def fused(member: Communicator, x1: Any, x2: Any, residual: Any, gamma: Any) -> Any:
        return pa.ops.matmul_all_reduce_add_rms_norm(
            x1, x2, None, residual, gamma, 1e-6, member, "sum", 0, 1
        )

    def in_place(member: Communicator, x1: Any, x2: Any, residual: Any, gamma: Any) -> Any:
        return residual, pa.ops.inplace_matmul_all_reduce_add_rms_norm(
            x1, x2, None, residual, gamma, 1e-6, member, "sum", 0, 1
        )

    def apart(member: Communicator, x1: Any, x2: Any, residual: Any, gamma: Any) -> Any:
        total = member.all_reduce(pa.ops.matmul(x1, x2, 0)).reshape(residual.shape)
        normed, _, summed = pa.ops.add_rms_norm(total, residual, gamma, 1e-6)
        return summed, normed

    expected = ranks.each(apart, given)
    same(ranks.each(fused, given), expected, "add_rms_norm")
    same(ranks.each(in_place, given), expected, "add_rms_norm in place")
    total = np.zeros((6, 24))
    for one in given:
        total += one["x1"].astype(np.float64) @ one["x2"].astype(np.float64)
    y = total.reshape(2, 3, 24) + residual
    golden = y / np.sqrt((y * y).mean(-1, keepdims=True) + 1e-6) * gamma
    near(expected[0][1], golden, "add_rms_norm")


def quantised(ranks: Ranks) -> None:
    for dtype, by_row in ((HALVES[0], True), (HALVES[1], True), (HALVES[1], False)):
        what = f"quant_matmul_all_reduce {dtype} {by_row}"
        scale_type = np.float32 if dtype == HALVES[0] else dtype
        given: Ranked = [
            {
                "x1": ranks.drawn((2, 4, 48), np.int8),
                "x2": ranks.drawn((48, 16), np.int8),
                "bias": ranks.drawn((16,), np.int32),
                "scale": (np.abs(ranks.drawn((16,), np.float32)) / 4096).astype(scale_type),
                "rows": np.abs(ranks.drawn((8,), np.float32)),
            }
            for _ in ranks.members
        ]

        def fused(member: Communicator, x1: Any, x2: Any, bias: Any, scale: Any, rows: Any,
                  by_row: bool = by_row, dtype: Any = dtype) -> Any:  # fmt: skip
            return pa.ops.quant_matmul_all_reduce_v3(
                x1, x2, bias, None, scale, rows if by_row else None, None, None, member, "sum", 0,
                1, out=pa.empty((2, 4, 16), dtype),
            )  # fmt: skip

        results = ranks.each(fused, given)
        total = np.zeros((8, 16))
        for one in given:
            x1, x2, bias, scale, rows = wide(*one.values())
            part = (x1.reshape(8, 48) @ x2 + bias) * scale
            total += part * rows[:, None] if by_row else part
        near(results[-1], total.reshape(2, 4, 16), what)


def weights_of_bytes(ranks: Ranks) -> None:
    dtype = HALVES[0]
    given: Ranked = [
        {
            "x1": ranks.drawn((3, 64), dtype),
            "x2": ranks.drawn((64, 10), np.int8),
            "bias": ranks.drawn((10,), dtype),
            "scale": ranks.drawn((2, 10), dtype) / dtype.type(64),
            "offset": ranks.drawn((2, 10), dtype),
        }
        for _ in ranks.members
    ]

    def fused(member: Communicator, x1: Any, x2: Any, bias: Any, scale: Any, offset: Any) -> Any:
        return pa.ops.weight_quant_matmul_all_reduce(
            x1, x2, bias, scale, offset, None, member, "sum", 0, 1, 32
        )

    def apart(member: Communicator, x1: Any, x2: Any, bias: Any, scale: Any, offset: Any) -> Any:
        product = pa.ops.weight_quant_batch_matmul_v2(x1, x2, scale, offset, None, None, bias, 32)
        return member.all_reduce(product)

    results = ranks.each(fused, given)
    same(results, ranks.each(apart, given), "weight_quant_matmul_all_reduce")


EVERY = (plain_sums, normalised, quantised, weights_of_bytes)

if __name__ == "__main__":
    members = Ranks(int(sys.argv[1]))
    for each in EVERY:
        each(members)
    print("all equal")
