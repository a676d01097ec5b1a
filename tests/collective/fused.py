"""Operators that communicate, between the devices of one process; run with their number.

Each is compared with NumPy in float64, and to the bit with the operator and the collective made
apart.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np

import pyaclnn as pa
from pyaclnn.collective import Communicator
from pyaclnn.selftest.formulas.narrow import symmetric

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

    def product(self, rank: int, left: Array, right: Array) -> Array:
        """Return what a rank makes of two matrices without the others."""
        with self.members[rank].device:
            return pa.ops.matmul(pa.asarray(left), pa.asarray(right), 0).numpy()

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

        def apart(member: Communicator, x1: Any, x2: Any, bias: Any, scale: Any, rows: Any,
                  by_row: bool = by_row, dtype: Any = dtype) -> Any:  # fmt: skip
            part = pa.ops.quant_matmul_v4(
                x1.reshape(8, 48), x2, scale, None, rows if by_row else None, bias,
                out=pa.empty((8, 16), dtype),
            )  # fmt: skip
            return member.all_reduce(part).reshape(2, 4, 16)

        results = ranks.each(fused, given)
        same(results, ranks.each(apart, given), what)
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


def gathered(ranks: Ranks) -> None:
    for dtype in HALVES:
        given: Ranked = [
            {"x1": ranks.drawn((3, 256), dtype), "x2": ranks.drawn((256, 10), dtype)}
            for _ in ranks.members
        ]
        rows = 3 * ranks.count

        def fused(member: Communicator, x1: Any, x2: Any, dtype: Any = dtype,
                  rows: int = rows) -> Any:  # fmt: skip
            out = pa.empty((rows, 10), dtype), pa.empty((rows, 256), dtype)
            return pa.ops.all_gather_matmul(x1, x2, None, member, 0, 0, 1, out=out)

        def second(member: Communicator, x1: Any, x2: Any, dtype: Any = dtype,
                   rows: int = rows) -> Any:  # fmt: skip
            out = pa.empty((rows, 10), dtype), pa.empty((rows, 256), dtype), False
            return pa.ops.all_gather_matmul_v2(
                x1, x2, None, None, None, None, 0, member, 0, 0, 1, 0, "aiv", out=out
            )[:2]

        def apart(member: Communicator, x1: Any, x2: Any, rows: int = rows) -> Any:
            everything = member.all_gather(x1).reshape(rows, 256)
            return pa.ops.matmul(everything, x2, 0), everything

        expected = ranks.each(apart, given)
        same(ranks.each(fused, given), expected, "all_gather_matmul")
        same(ranks.each(second, given), expected, "all_gather_matmul_v2")
        everything = np.concatenate([one["x1"] for one in given])
        for (product, rows_of_all), one in zip(expected, given, strict=True):
            assert (rows_of_all == everything).all()
            near(product, np.matmul(*wide(everything, one["x2"])), "all_gather_matmul")


def scattered(ranks: Ranks) -> None:
    dtype, count = HALVES[0], ranks.count
    given: Ranked = [
        {"x1": ranks.drawn((2 * count, 300), dtype), "x2": ranks.drawn((300, 8), dtype),
         "bias": ranks.drawn((8,), dtype)}
        for _ in ranks.members
    ]  # fmt: skip

    def fused(member: Communicator, x1: Any, x2: Any, bias: Any) -> Any:
        out = pa.empty((2, 8), dtype)
        return pa.ops.matmul_reduce_scatter(x1, x2, bias, member, "sum", 0, 1, out=out)

    def apart(member: Communicator, x1: Any, x2: Any, bias: Any) -> Any:
        return member.reduce_scatter(pa.ops.addmm(bias, x1, x2, 1, 1, 0))

    results = ranks.each(fused, given)
    same(results, ranks.each(apart, given), "matmul_reduce_scatter")
    total = np.zeros((2 * count, 8))
    for one in given:
        x1, x2, bias = wide(*one.values())
        total += x1 @ x2 + bias
    near(np.concatenate(results), total, "matmul_reduce_scatter")


def of_bytes(ranks: Ranks) -> None:
    """Both with int8, where every row and every column has a scale."""
    dtype, count = HALVES[1], ranks.count
    given: Ranked = [
        {
            "x1": ranks.drawn((2 * count, 256), np.int8), "x2": ranks.drawn((256, 8), np.int8),
            "rows": np.abs(ranks.drawn((2 * count, 1), np.float32)),
            "columns": np.abs(ranks.drawn((8,), np.float32)) / np.float32(4096),
        }
        for _ in ranks.members
    ]  # fmt: skip

    def gather(member: Communicator, x1: Any, x2: Any, rows: Any, columns: Any) -> Any:
        out = pa.empty((2 * count * count, 8), dtype), False, False
        return pa.ops.all_gather_matmul_v2(
            x1, x2, None, rows, columns, None, 0, member, 0, 0, 1, 0, "aiv", out=out
        )[0]

    def scatter(member: Communicator, x1: Any, x2: Any, rows: Any, columns: Any) -> Any:
        return pa.ops.matmul_reduce_scatter_v2(
            x1, x2, None, rows, columns, None, 0, member, "sum", 0, 1, 0, "aiv",
            out=(pa.empty((2, 8), dtype), False),
        )[0]  # fmt: skip

    def product(x1: Any, x2: Any, rows: Any, columns: Any) -> Any:
        return pa.ops.quant_matmul_v4(
            x1, x2, columns, None, rows.reshape(-1), None, out=pa.empty((x1.shape[0], 8), dtype)
        )

    def gather_apart(member: Communicator, x1: Any, x2: Any, rows: Any, columns: Any) -> Any:
        everything = member.all_gather(x1).reshape(2 * count * count, 256)
        return product(everything, x2, member.all_gather(rows), columns)

    def scatter_apart(member: Communicator, x1: Any, x2: Any, rows: Any, columns: Any) -> Any:
        return member.reduce_scatter(product(x1, x2, rows, columns))

    same(ranks.each(gather, given), ranks.each(gather_apart, given), "all_gather_matmul of int8")
    same(ranks.each(scatter, given), ranks.each(scatter_apart, given), "scattered int8")
    scaled = [a * r for a, r in (wide(one["x1"], one["rows"]) for one in given)]
    weights = [b * c for b, c in (wide(one["x2"], one["columns"]) for one in given)]
    for result, weight in zip(ranks.each(gather, given), weights, strict=True):
        near(result, np.concatenate(scaled) @ weight, "all_gather_matmul of int8")
    total = sum((a @ b for a, b in zip(scaled, weights, strict=True)), np.zeros((2 * count, 8)))
    near(np.concatenate(ranks.each(scatter, given)), total, "matmul_reduce_scatter of int8")


def exchanged(ranks: Ranks) -> None:
    dtype, count = HALVES[0], ranks.count
    given: Ranked = [
        {"x1": ranks.drawn((3 * count, 20), dtype), "x2": ranks.drawn((20 * count, 7), dtype),
         "bias": ranks.drawn((7,), dtype)}
        for _ in ranks.members
    ]  # fmt: skip
    after: Ranked = [
        {"x1": ranks.drawn((5, 24), dtype), "x2": ranks.drawn((4 * count, 24), dtype)}
        for _ in ranks.members
    ]

    def before_product(member: Communicator, x1: Any, x2: Any, bias: Any) -> Any:
        out = pa.empty((3, 7), dtype), pa.empty((3, 20 * count), dtype)
        return pa.ops.allto_all_matmul(x1, x2, bias, None, member, False, False, out=out)

    def after_product(member: Communicator, x1: Any, x2: Any) -> Any:
        out = pa.empty((5 * count, 4), dtype)
        return pa.ops.matmul_allto_all(x1, x2, None, [-1, -2], member, False, True, out=out)

    def before_apart(member: Communicator, x1: Any, x2: Any, bias: Any) -> Any:
        parts = member.all_to_all(x1.reshape(count, 3, 20))
        met = parts.transpose(1, 0, 2).copy().reshape(3, 20 * count)
        return pa.ops.addmm(bias, met, x2, 1, 1, 0), met

    def after_apart(member: Communicator, x1: Any, x2: Any) -> Any:
        parts = pa.ops.matmul(x1, x2.T, 0).reshape(5, count, 4).transpose(1, 0, 2).copy()
        return member.all_to_all(parts).reshape(5 * count, 4)

    same(ranks.each(after_product, after), ranks.each(after_apart, after), "matmul_allto_all")
    results = ranks.each(before_product, given)
    same(results, ranks.each(before_apart, given), "allto_all_matmul")
    for rank, ((product, met), one) in enumerate(zip(results, given, strict=True)):
        parts = [other["x1"][3 * rank : 3 * rank + 3] for other in given]
        assert (met == np.concatenate(parts, axis=1)).all()
        golden = np.matmul(*wide(met, one["x2"])) + one["bias"].astype(np.float64)
        near(product, golden, "allto_all_matmul")
    results = ranks.each(after_product, after)
    products = [a @ b.T for a, b in (wide(*one.values()) for one in after)]
    for rank, result in enumerate(results):
        golden = np.concatenate([p[:, 4 * rank : 4 * rank + 4] for p in products])
        near(result, golden, "matmul_allto_all")


def exchanged_bytes(ranks: Ranks) -> None:
    dtype, count = HALVES[1], ranks.count
    given: Ranked = [
        {
            "x1": ranks.drawn((5, 24), np.int8), "x2": ranks.drawn((24, 4 * count), np.int8),
            "bias": ranks.drawn((4 * count,), np.float32),
            "rows": np.abs(ranks.drawn((5,), np.float32)),
            "columns": np.abs(ranks.drawn((4 * count,), np.float32)) / np.float32(4096),
        }
        for _ in ranks.members
    ]  # fmt: skip

    def fused(member: Communicator, x1: Any, x2: Any, bias: Any, rows: Any, columns: Any) -> Any:
        out = pa.empty((5 * count, 4), dtype)
        return pa.ops.quant_matmul_allto_all(
            x1, x2, bias, rows, columns, None, None, None, None, member, 3, 2, 0, -1, 0, False,
            False, out=out,
        )  # fmt: skip

    def apart(member: Communicator, x1: Any, x2: Any, bias: Any, rows: Any, columns: Any) -> Any:
        product = pa.ops.quant_matmul_v4(
            x1, x2, columns, None, rows, bias, out=pa.empty((5, 4 * count), dtype)
        )
        parts = product.reshape(5, count, 4).transpose(1, 0, 2).copy()
        return member.all_to_all(parts).reshape(5 * count, 4)

    results = ranks.each(fused, given)
    same(results, ranks.each(apart, given), "quant_matmul_allto_all")
    products = []
    for one in given:
        x1, x2, bias, rows, columns = wide(*one.values())
        products.append((x1 @ x2) * rows[:, None] * columns + bias)
    for rank, result in enumerate(results):
        golden = np.concatenate([p[:, 4 * rank : 4 * rank + 4] for p in products])
        near(result, golden, "quant_matmul_allto_all")


def met_rows(given: Ranked, rank: int, rows: int) -> Array:
    """Return the rows of a rank, the columns of all ranks beside one another."""
    return np.concatenate([one["x1"][rows * rank : rows * (rank + 1)] for one in given], axis=1)


def quantised_there(ranks: Ranks) -> None:
    """Rows are quantised behind the exchange, or were before; products of int8 and int4."""
    count, int4 = ranks.count, np.dtype(ml_dtypes.int4)
    kinds = (
        (HALVES[0], np.dtype(np.int8), np.float32, False),
        (HALVES[1], np.dtype(np.int8), None, True),
        (HALVES[1], int4, HALVES[1], True), (int4, int4, HALVES[0], False),
    )  # fmt: skip
    for dtype, narrow, bias_type, smooth in kinds:
        out_type = dtype if dtype in HALVES else HALVES[0]
        most = 8 if narrow == int4 else 100
        given: Ranked = [
            {
                "x1": ranks.rng.integers(-8, 8, (3 * count, 16)).astype(dtype) if dtype == int4
                else ranks.drawn((3 * count, 16), dtype),
                "x2": ranks.rng.integers(-most, most, (6, 16 * count)).astype(narrow),
                "bias": ranks.drawn((6,), bias_type or np.float32),
                "columns": np.abs(ranks.drawn((6,), np.float32)) / np.float32(most * 8),
                "rows": np.abs(ranks.drawn((16 * count,), dtype)) if smooth
                else np.abs(ranks.drawn((3 * count,), np.float32)),
            }
            for _ in ranks.members
        ]  # fmt: skip
        mode = 3 if dtype == int4 else 7

        def fused(member: Communicator, x1: Any, x2: Any, bias: Any, columns: Any, rows: Any,
                  types: Any = (dtype, out_type), has: Any = (bias_type is not None, smooth),
                  mode: int = mode) -> Any:  # fmt: skip
            out = pa.empty((3, 6), types[1]), pa.empty((3, 16 * count), types[0])
            scale = rows if has[1] or mode == 3 else None
            y, met = pa.ops.allto_all_quant_matmul_v2(
                x1, x2, bias if has[0] else None, scale, columns, None, None, None, member, "aiv",
                None, mode, 2, 0, -1, 0, 0, False, True, out=out,
            )  # fmt: skip
            return y, met

        for rank, (y, met) in enumerate(ranks.each(fused, given)):
            one, rows = given[rank], met_rows(given, rank, 3)
            assert (met.astype(np.float32) == rows.astype(np.float32)).all()
            numbers, scales = rows.astype(np.float64), one["rows"][3 * rank : 3 * rank + 3]
            if dtype != int4:
                wide_rows = rows.astype(np.float32)
                if smooth:
                    wide_rows = wide_rows * one["rows"].astype(np.float32)
                kind = "int4" if narrow == int4 else "int8"
                numbers, scales = symmetric(wide_rows, kind, multiplies=True)
            golden = np.matmul(*wide(numbers, one["x2"].T)) * scales[:, None] * one["columns"]
            golden = golden + (one["bias"].astype(np.float64) if bias_type else 0)
            near(y, golden, f"allto_all_quant_matmul {dtype} {narrow}")


def mx_factors(scales: Array) -> Array:
    """Return the scale of each number, from pairs behind the other axis."""
    return np.repeat(scales.astype(np.float64).reshape(len(scales), -1), 32, -1)


def narrow_floats(ranks: Ranks) -> None:
    """Products of floats of 8 and 4 bits, before and behind an exchange."""
    count, e4m3, e5m2 = ranks.count, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2
    e2m1, e8m0 = ml_dtypes.float4_e2m1fn, ml_dtypes.float8_e8m0fnu
    depth, columns = 64 * count, 4 * count
    for first, second, out_type in (
        (HALVES[0], e5m2, HALVES[1]), (e4m3, e5m2, np.dtype(np.float32)), (e2m1, e2m1, HALVES[0]),
    ):  # fmt: skip
        mx = np.dtype(first) not in HALVES
        given: Ranked = [
            {
                "x1": ranks.drawn((2 * count, 64), first),
                "x2": ranks.drawn((columns, depth), second),
                "bias": ranks.drawn((columns,), np.float32),
                "a": np.exp2(ranks.rng.integers(-2, 3, (2 * count, 1, 2))).astype(e8m0),
                "b": np.exp2(ranks.rng.integers(-2, 3, (columns, count, 2))).astype(e8m0) if mx
                else np.abs(ranks.drawn((columns,), np.float32)),
            }
            for _ in ranks.members
        ]  # fmt: skip
        modes = (6, 6) if mx else (7, 2)

        def there(
            member: Communicator,
            x1: Any,
            x2: Any,
            bias: Any,
            a: Any,
            b: Any,
            types: Any = (first, out_type),
            mx: bool = mx,
            modes: Any = modes,
        ) -> Any:
            out = pa.empty((2, columns), types[1]), pa.empty((2, depth), types[0])
            y, met = pa.ops.allto_all_quant_matmul_v2(
                x1,
                x2,
                bias,
                a if mx else None,
                b,
                None,
                None,
                None,
                member,
                "ccu",
                [-2, -1],
                *modes,
                0,
                -1,
                36,
                4295032864 if mx else 0,
                False,
                True,
                out=out,
            )
            return y, met

        for rank, (y, met) in enumerate(ranks.each(there, given)):
            one, rows = given[rank], met_rows(given, rank, 2)
            assert (met.astype(np.float32) == rows.astype(np.float32)).all()
            if mx:
                scales = [mx_factors(other["a"])[2 * rank : 2 * rank + 2] for other in given]
                left = rows.astype(np.float64) * np.concatenate(scales, axis=1)
                right = one["x2"].astype(np.float64) * mx_factors(one["b"])
                golden = left @ right.T + one["bias"]
            else:
                left, scales_of_rows = symmetric(
                    rows.astype(np.float32), "float8_e4m3fn", multiplies=False
                )
                golden = np.matmul(*wide(left, one["x2"].T)) + one["bias"]
                golden = golden * scales_of_rows[:, None] * one["b"]
            near(y, golden, f"allto_all_quant_matmul {first}")

        def back(member: Communicator, x1: Any, x2: Any, bias: Any, a: Any, b: Any,
                 rows: Any, out_type: Any = out_type, mx: bool = mx) -> Any:  # fmt: skip
            out = pa.empty((2 * count, 4), out_type)
            return pa.ops.quant_matmul_allto_all_v2(
                x1,
                x2,
                bias,
                a if mx else rows,
                b,
                None,
                None,
                None,
                None,
                member,
                "ai_cpu",
                *((6, 6) if mx else (3, 2)),
                0,
                -1,
                0,
                False,
                True,
                out=out,
            )

        after: Ranked = [
            {
                **one, "x1": ranks.drawn((2, depth), first if mx else e4m3),
                "a": np.exp2(ranks.rng.integers(-2, 3, (2, count, 2))).astype(e8m0),
                "rows": np.abs(ranks.drawn((2,), np.float32)),
            }
            for one in given
        ]  # fmt: skip
        products = []
        for one in after:
            left, right = wide(one["x1"], one["x2"])
            if mx:
                products.append((left * mx_factors(one["a"])) @ (right * mx_factors(one["b"])).T
                                + one["bias"])  # fmt: skip
            else:
                products.append((left @ right.T + one["bias"]) * one["rows"][:, None] * one["b"])
        for rank, result in enumerate(ranks.each(back, after)):
            golden = np.concatenate([p[:, 4 * rank : 4 * rank + 4] for p in products])
            near(result, golden, f"quant_matmul_allto_all {first}")


def experts(ranks: Ranks) -> None:
    """Tokens go to experts and come back; without and with int8, all tokens and some."""
    for dtype, quantised, active in ((HALVES[0], False, 5), (HALVES[1], True, 3)):
        count, local, chosen, width, tokens = ranks.count, 2, 3, 64, 5
        total = count * local
        room = tokens * count * min(local, chosen)
        given: Ranked = [
            {
                "x": ranks.drawn((tokens, width), dtype),
                "ids": np.stack(
                    [ranks.rng.permutation(total)[:chosen] for _ in range(tokens)]
                ).astype(np.int32),
                "weights": np.abs(ranks.drawn((tokens, chosen), np.float32)),
                "smooth": np.abs(ranks.drawn((total, width), np.float32)) + np.float32(0.5),
                "mask": np.arange(tokens) < active,
            }
            for _ in ranks.members
        ]

        def there_and_back(member: Communicator, x: Any, ids: Any, weights: Any, smooth: Any,
                           mask: Any, quantised: bool = quantised, dtype: Any = dtype,
                           sizes: Any = (local, total, room, count)) -> Any:  # fmt: skip
            local, total, room, count = sizes
            rows = pa.empty((room, x.shape[1]), np.int8 if quantised else dtype)
            scales = pa.zeros((room,))
            index = pa.zeros((room * 128,), np.int32)
            numbers, received = pa.zeros((local,), np.int64), pa.zeros((total,), np.int32)
            pa.ops.moe_distribute_dispatch_v2(
                x, ids, smooth if quantised else None, mask, weights, member, count, member.rank,
                total, "", 0, 0, 0, 0, 0, 2 if quantised else 0, 0, 1, "fullmesh",
                out=(rows, scales, index, numbers, received, pa.zeros((1,), np.int32),
                     pa.zeros((room,))),
            )  # fmt: skip
            back = rows if not quantised else x[:1].copy().broadcast_to((room, x.shape[1])).copy()
            combined = pa.zeros(x.shape, dtype)
            pa.ops.moe_distribute_combine_v2(
                back, ids, index, received, weights, None, mask, None, None, None, None, None,
                member, count, member.rank, total, "", 0, 0, 0, 0, 0, 0, 0, 0, 0, "fullmesh",
                out=combined,
            )  # fmt: skip
            return rows, scales, numbers, received, combined

        results = ranks.each(there_and_back, given)
        for rank, (rows, scales, numbers, received, combined) in enumerate(results):
            wanted, ends, each = [], [], []
            for expert in range(rank * local, rank * local + local):
                before = len(wanted)
                for one in given:
                    for token in range(active):
                        if expert in one["ids"][token]:
                            row = one["x"][token].astype(np.float32)
                            wanted.append(row * one["smooth"][expert] if quantised else row)
                    ends.append(len(wanted))
                each.append(len(wanted) - before)
            assert received.tolist() == ends
            assert numbers.tolist() == each
            found = rows[: len(wanted)].astype(np.float32)
            if quantised:
                found = found * scales[: len(wanted), None]
                bound = np.abs(wanted).max(-1, keepdims=True) / 127 * 0.51
                assert (np.abs(found - wanted) <= bound).all()
                assert (np.abs(rows[: len(wanted)]).max(-1) == 127).all()
            else:
                assert (found == np.array(wanted)).all()
            one = given[rank]
            sent = np.zeros((tokens, width))
            for token in range(active):
                for k in range(chosen):
                    home = int(one["ids"][token, k]) // local
                    row = given[home]["x"][0] if quantised else one["x"][token]
                    sent[token] += one["weights"][token, k] * row.astype(np.float64)
            near(combined, sent, "moe_distribute_combine")


def deliveries(ranks: Ranks) -> None:
    """Dispatch and Combine in two calls each, which wait for nobody, and for the others."""
    count, total, chosen, tokens, width = ranks.count, 32, 6, 8, 4096
    local = total // count
    for dtype, mode, active in ((HALVES[0], 0, 8), (HALVES[1], 2, 5), (HALVES[1], 4, 8)):
        given: Ranked = [
            {
                "x": ranks.drawn((tokens, width), dtype),
                "ids": np.stack(
                    [ranks.rng.permutation(total)[:chosen] for _ in range(tokens)]
                ).astype(np.int32),
                "weights": np.abs(ranks.drawn((tokens, chosen), np.float32)),
                "shared": ranks.drawn((2, tokens // 2, width), dtype),
                "smooth": np.abs(ranks.drawn((total, width), np.float32)) + np.float32(0.5),
                "mask": np.arange(tokens) < active,
            }
            for _ in ranks.members
        ]
        room = tokens * count * min(local, chosen)
        world = {"ep_world_size": count, "moe_expert_num": total}

        def placed(member: Communicator, world: Any = world) -> dict[str, Any]:
            return {"group_ep": member, "ep_rank_id": member.rank, **world}

        def begin(member: Communicator, x: Any, ids: Any, smooth: Any, mask: Any,
                  mode: int = mode, **_: Any) -> Any:  # fmt: skip
            narrow = ml_dtypes.float8_e4m3fn
            return pa.ops.moe_distribute_dispatch_setup(
                x, ids, smooth if mode == 2 else None, mask, quant_mode=mode, **placed(member),
                **{"y_out": pa.empty((48, 4608), narrow)} if mode == 4 else {},
            )  # fmt: skip

        def end(member: Communicator, x: Any, ids: Any, begun: Any, mode: int = mode) -> Any:
            y, _, commands = begun
            return pa.ops.moe_distribute_dispatch_teardown(
                x, y, ids, commands, quant_mode=mode, **placed(member)
            )

        on_device: Ranked = []
        for member, one in zip(ranks.members, given, strict=True):
            with member.device:
                on_device.append({name: pa.asarray(value) for name, value in one.items()})
        one_by_one = partial(ranks_by_turns, ranks, on_device)
        begun = one_by_one(begin, range(count))
        for one, all_of_it in zip(on_device, begun, strict=True):
            one["begun"] = all_of_it
        ended = one_by_one(
            lambda member, x, ids, begun, **_: end(member, x, ids, begun), reversed(range(count))
        )

        def apart(member: Communicator, x: Any, ids: Any, weights: Any, smooth: Any, mask: Any,
                  shared: Any, mode: int = mode, dtype: Any = dtype, room: int = room,
                  **_: Any) -> Any:  # fmt: skip
            rows = pa.zeros((room, width), np.int8 if mode == 2 else dtype)
            scales, index = pa.zeros((room,)), pa.zeros((room * 128,), np.int32)
            numbers, received = pa.zeros((local,), np.int64), pa.zeros((total,), np.int32)
            none = pa.zeros((1,), np.int32)
            pa.ops.moe_distribute_dispatch_v2(
                x, ids, smooth if mode == 2 else None, mask, None, member, count, member.rank,
                total, "", 0, 0, 0, 0, 0, mode if mode == 2 else 0, 0, 1, "fullmesh",
                out=(rows, scales, index, numbers, received, none, pa.zeros((room,))),
            )  # fmt: skip
            back = rows.astype(dtype)
            combined = pa.zeros(x.shape, dtype)
            pa.ops.moe_distribute_combine_v2(
                back, ids, index, received, weights, None, mask, None, None, None, None, shared,
                member, count, member.rank, total, "", 0, 0, 0, 0, 0, 0, 0, 0, 0, "fullmesh",
                out=combined,
            )  # fmt: skip
            return rows, scales, numbers, received, back, combined

        whole = ranks_at_once(ranks, apart, on_device)
        for rank, (rows, scales, numbers, received, _, _) in enumerate(whole):
            wide_rows, factors, assist, of_experts = ended[rank]
            got = int(received.numpy()[-1])
            assert assist.numpy()[:total].tolist() == received.numpy().tolist()
            assert of_experts.numpy().tolist() == numbers.numpy().tolist()
            if mode == 4:
                continue
            assert wide_rows.numpy()[:got].tobytes() == rows.numpy()[:got].tobytes()
            if mode == 2:
                assert factors.numpy()[:got].tobytes() == scales.numpy()[:got].tobytes()
        if mode == 4:
            blocks_that_arrived(ranks, on_device, begun, ended)

        for one, of_dispatch, of_whole in zip(on_device, ended, whole, strict=True):
            one["back"], one["assist"] = of_whole[4], of_dispatch[2]

        def begin_back(member: Communicator, ids: Any, back: Any, assist: Any, **_: Any) -> Any:
            return pa.ops.moe_distribute_combine_setup(back, ids, assist, **placed(member))

        sent_back = one_by_one(begin_back, reversed(range(count)))
        for one, all_of_it in zip(on_device, sent_back, strict=True):
            one["sent_back"] = all_of_it

        def end_back(member: Communicator, ids: Any, back: Any, weights: Any, mask: Any,
                     shared: Any, begun: Any, sent_back: Any, dtype: Any = dtype,
                     **_: Any) -> Any:  # fmt: skip
            narrow, commands = sent_back
            return pa.ops.moe_distribute_combine_teardown(
                back, narrow, ids, begun[1], weights, commands, mask, shared, **placed(member),
                out=pa.zeros((tokens, width), dtype),
            )  # fmt: skip

        combined = one_by_one(end_back, range(count))
        for rank, (result, of_whole) in enumerate(zip(combined, whole, strict=True)):
            assert result.numpy().tobytes() == of_whole[-1].numpy().tobytes(), f"rank {rank}"
            one = given[rank]
            golden = np.zeros((tokens, width))
            for token in range(active):
                golden[token] = one["shared"].reshape(tokens, width)[token].astype(np.float64)
                for k in range(chosen):
                    row = one["x"][token].astype(np.float64)
                    golden[token] += one["weights"][token, k] * row
            if mode != 2:
                near(result.numpy(), golden, "moe_distribute_combine_teardown")


def ranks_by_turns(
    ranks: Ranks, on_device: Ranked, call: Callable[..., Any], order: Iterable[int]
) -> list[Any]:
    """Call on one rank when the other has ended, so that nobody can wait for who comes later."""
    results: list[Any] = [None] * ranks.count
    for rank in order:
        member = ranks.members[rank]
        with member.device:
            results[rank] = call(member, **on_device[rank])
            member.sync()
    return results


def ranks_at_once(ranks: Ranks, call: Callable[..., Any], on_device: Ranked) -> list[Any]:
    """Call on all ranks, and then wait for them; arguments and results stay on the devices."""
    results = []
    for member, arguments in zip(ranks.members, on_device, strict=True):
        with member.device:
            results.append(call(member, **arguments))
    for member in ranks.members:
        with member.device:
            member.sync()
    return results


def blocks_that_arrived(ranks: Ranks, on_device: Ranked, begun: Any, ended: Any) -> None:
    """Tokens as 8 bit floats with scales for 32 are those of DynamicMxQuant, in y and behind it."""
    quantised = []
    for member, one in zip(ranks.members, on_device, strict=True):
        with member.device:
            y, scales = pa.ops.dynamic_mx_quant(one["x"], -1, "rint", 36, 32, 0)
            quantised.append((y.numpy(), scales.numpy().reshape(8, -1)))
    local = 32 // ranks.count
    ids = [one["ids"].numpy() for one in on_device]
    for rank, (rows, factors, *_) in enumerate(ended):
        wanted = [
            (source, token)
            for expert in range(rank * local, rank * local + local)
            for source in range(ranks.count)
            for token in range(8)
            if expert in ids[source][token]
        ]
        for row, (source, token) in enumerate(wanted):
            numbers, scales = quantised[source]
            assert rows.numpy()[row].tobytes() == numbers[token].tobytes()
            assert factors.numpy()[row].tobytes() == scales[token].tobytes()
    for (y, *_), all_ids, (numbers, scales) in zip(begun, ids, quantised, strict=True):
        order = np.argsort(all_ids.reshape(-1), kind="stable") // all_ids.shape[1]
        sent = y.numpy()
        assert sent[:, :4096].tobytes() == numbers[order].tobytes()
        assert sent[:, 4096 : 4096 + 128].tobytes() == scales[order].tobytes()


def rows_by_expert(ranks: Ranks) -> None:
    """Rows go to experts, are multiplied there, and come back; each with a product of its own."""
    count, local, width, columns = ranks.count, 2, 24, 9
    for dtype, turned in ((HALVES[0], False), (HALVES[1], True)):
        sent = ranks.rng.integers(0, 4, (count, count, local))  # by whom, to whom, for which
        sent[:, 0, 0] += 1
        sent[0, :, 1] = 0
        sent[:, :, 0] += (sent.sum((1, 2)) % 2)[:, None] * np.eye(count, dtype=int)[0]
        numbers = sent.reshape(count, -1).tolist()
        numbers_back = sent.transpose(1, 0, 2).reshape(count, -1).tolist()
        shape = (local, columns, width) if turned else (local, width, columns)
        given: Ranked = [
            {
                "x": ranks.drawn((sum(to), width), dtype),
                "weight": ranks.drawn(shape, dtype),
                "shared": ranks.drawn((sum(to) // 2, 7), dtype),
                "other": ranks.drawn((5, 7) if turned else (7, 5), dtype),
            }
            for to in numbers
        ]

        def there(
            member: Communicator,
            x: Any,
            weight: Any,
            shared: Any,
            other: Any,
            turned: bool = turned,
            numbers: Any = numbers,
            back: Any = numbers_back,
        ) -> Any:
            given = (member, "ccu", member.size, numbers[member.rank], back[member.rank])
            y, common, rows = pa.ops.allto_allv_grouped_mat_mul_v2(
                x, weight, None, None, shared, other, *given, turned, turned, True
            )
            given = (member, "ai_cpu", member.size, back[member.rank], numbers[member.rank])
            turned_back = weight.transpose(0, 2, 1) if turned else weight
            home, again = (
                pa.ops.grouped_mat_mul_allto_allv_v2(
                    rows,
                    turned_back.copy(),
                    None,
                    None,
                    None,
                    None,
                    *given,
                    False,
                    False,
                    out=(pa.empty((x.shape[0], y.shape[1]), x.dtype), False),
                ),
                common,
            )
            return y, common, rows, home[0] if isinstance(home, tuple) else home, again

        results = ranks.each(there, given)
        whole = np.array([0, *np.cumsum(sent.reshape(-1))])
        rows_of_all = np.concatenate([one["x"] for one in given])
        for rank, (y, common, rows, home, _) in enumerate(results):
            one = given[rank]
            first = 0
            for expert in range(local):
                weight = one["weight"][expert].T if turned else one["weight"][expert]
                for source in range(count):
                    place = (source * count + rank) * local + expert
                    part = rows_of_all[whole[place] : whole[place + 1]]
                    assert (rows[first : first + len(part)] == part).all()
                    found = y[first : first + len(part)]
                    near(found, np.matmul(*wide(part, weight)), "rows")
                    same([found], [ranks.product(rank, part, weight)], "rows, apart")
                    first += len(part)
            assert first == len(rows) == len(y)
            other = one["other"].T if turned else one["other"]
            near(common, np.matmul(*wide(one["shared"], other)), "shared")
            same([common], [ranks.product(rank, one["shared"], other)], "shared, apart")
            row = 0
            for home_rank in range(count):
                for expert in range(local):
                    weight = given[home_rank]["weight"][expert]
                    weight = weight.T if turned else weight
                    length = sent[rank, home_rank, expert]
                    part = one["x"][row : row + length]
                    found = home[row : row + length]
                    near(found, np.matmul(*wide(part, weight)), "rows home")
                    same([found], [ranks.product(home_rank, part, weight)], "rows home, apart")
                    row += length


def narrow_rows(ranks: Ranks) -> None:
    """The same of numbers of 8 and 4 bits, with scales for each 32 of the depth."""
    count, local, width, columns, e8m0 = ranks.count, 2, 72, 10, ml_dtypes.float8_e8m0fnu
    e4m3, e5m2, e2m1 = (np.dtype(getattr(ml_dtypes, f"float{name}"))
                        for name in ("8_e4m3fn", "8_e5m2", "4_e2m1fn"))  # fmt: skip
    pairs = -(-width // 64)
    for first, second, turned in ((e4m3, e5m2, False), (e5m2, e4m3, True), (e2m1, e2m1, True)):
        sent = ranks.rng.integers(0, 4, (count, count, local))
        sent[:, 0, 0] += 1
        sent[:, :, 0] += (sent.sum((1, 2)) % 2)[:, None] * np.eye(count, dtype=int)[0]
        numbers = sent.reshape(count, -1).tolist()
        back = sent.transpose(1, 0, 2).reshape(count, -1).tolist()

        def matrix(axes: tuple[int, ...], swapped: bool) -> tuple[int, ...]:
            return (*axes[:-2], axes[-1], axes[-2]) if swapped else axes

        def scales(*shape: int) -> Array:
            return np.exp2(ranks.rng.integers(-2, 3, (*shape, 2))).astype(e8m0)

        def weights(second: Any = second, turned: bool = turned) -> dict[str, Array]:
            return {
                "weight": ranks.drawn(matrix((local, width, columns), turned), second),
                "weight_scale": scales(*matrix((local, pairs, columns), turned)),
                "other": ranks.drawn(matrix((width, 6), turned), second),
                "other_scale": scales(*matrix((pairs, 6), turned)),
            }

        def rows(count: int, tokens: int, first: Any = first) -> dict[str, Array]:
            return {
                "x": ranks.drawn((count, width), first), "x_scale": scales(count, pairs),
                "shared": ranks.drawn((tokens, width), first),
                "shared_scale": scales(tokens, pairs),
            }  # fmt: skip

        there_given = [{**rows(sum(n), sum(n) // 2), **weights()} for n in numbers]
        back_given = [{**rows(sum(n), 3), **weights()} for n in back]

        def call(
            operator: Any,
            member: Communicator,
            attributes: Any,
            after: Any,
            out: Any,
            x: Any,
            x_scale: Any,
            shared: Any,
            shared_scale: Any,
            weight: Any,
            weight_scale: Any,
            other: Any,
            other_scale: Any,
        ) -> Any:
            return operator(
                x,
                weight,
                x_scale,
                weight_scale,
                None,
                None,
                shared,
                other,
                shared_scale,
                other_scale,
                *attributes,
                *after,
                out=out,
            )

        def there(
            member: Communicator,
            numbers: Any = numbers,
            back: Any = back,
            turned: bool = turned,
            first: Any = first,
            **given: Any,
        ) -> Any:
            total = sum(back[member.rank])
            out = (
                pa.empty((total, columns), HALVES[0]),
                pa.empty((given["shared"].shape[0], 6), HALVES[0]),
                pa.empty((total, width), first),
            )
            after = (
                member,
                "ccu",
                count,
                numbers[member.rank],
                back[member.rank],
                turned,
                turned,
                0,
                True,
            )
            return call(
                pa.ops.allto_allv_quant_grouped_mat_mul_v2,
                member,
                (6, 6, 6, 6),
                after,
                out,
                **given,
            )

        def home(
            member: Communicator,
            numbers: Any = numbers,
            back: Any = back,
            turned: bool = turned,
            **given: Any,
        ) -> Any:
            out = (
                pa.empty((sum(numbers[member.rank]), columns), HALVES[1]),
                pa.empty((3, 6), HALVES[1]),
            )
            after = (
                4295032864,
                member,
                "ai_cpu",
                count,
                back[member.rank],
                numbers[member.rank],
                turned,
                turned,
            )
            if turned:  # the flag, or a view
                after = (*after[:-2], False, False)
                for name, axes in (
                    ("weight", (0, 2, 1)),
                    ("weight_scale", (0, 2, 1, 3)),
                    ("other", (1, 0)),
                    ("other_scale", (1, 0, 2)),
                ):
                    given[name] = given[name].transpose(*axes)
            return call(
                pa.ops.quant_grouped_mat_mul_allto_allv_v2,
                member,
                (None, 6, 6, 6, 6, 0, -1),
                after,
                out,
                **given,
            )

        def restored(one: dict[str, Any], name: str, turned: bool = turned) -> Array:
            values, factors = one[name].astype(np.float64), one[f"{name}_scale"].astype(np.float64)
            if name in ("weight", "other") and not turned:
                values, factors = values.swapaxes(-1, -2), factors.swapaxes(-2, -3)
            factors = np.repeat(factors.reshape(*factors.shape[:-2], -1), 32, -1)[..., :width]
            return np.asarray(values * factors)

        whole = np.array([0, *np.cumsum(sent.reshape(-1))])
        everything = np.concatenate([restored(one, "x") for one in there_given])
        for rank, (y, shared, met) in enumerate(ranks.each(there, there_given)):
            one, first_row = there_given[rank], 0
            for expert in range(local):
                weight = restored(one, "weight")[expert].T
                for source in range(count):
                    place = (source * count + rank) * local + expert
                    part = everything[whole[place] : whole[place + 1]]
                    near(y[first_row : first_row + len(part)], part @ weight, "narrow rows")
                    first_row += len(part)
            assert first_row == len(met)
            near(shared, restored(one, "shared") @ restored(one, "other").T, "narrow shared")
        results = ranks.each(home, back_given)
        for rank, (y, shared) in enumerate(results):
            row = 0
            for source in range(count):
                one = back_given[source]
                starts = np.cumsum([0, *sent[:, source].T.reshape(-1)])  # by expert, then rank
                for expert in range(local):
                    begin = starts[expert * count + rank]
                    length = sent[rank, source, expert]
                    part = restored(one, "x")[begin : begin + length]
                    golden = part @ restored(one, "weight")[expert].T
                    near(y[row : row + length], golden, "narrow rows home")
                    row += length
            assert row == len(y)
            one = back_given[rank]
            near(shared, restored(one, "shared") @ restored(one, "other").T, "narrow shared")


def sums_of_groups(ranks: Ranks) -> None:
    for split in range(4):
        dtype = HALVES[split % 2]
        bias_type = np.float32 if split % 2 else dtype
        lengths = (3, 0, 5) if split in (1, 3) else (3, 2, 5)
        columns = (6, 6, 6) if split > 1 else (6, 7, 8)
        ends = np.cumsum(lengths).tolist()
        given: Ranked = [
            {
                **{f"x{i}": ranks.drawn((n, 16), dtype) for i, n in enumerate(lengths)},
                **{f"w{i}": ranks.drawn((16, n), dtype) for i, n in enumerate(columns)},
                **{f"b{i}": ranks.drawn((n,), bias_type) for i, n in enumerate(columns)},
            }
            for _ in ranks.members
        ]

        def fused(member: Communicator, split: int = split, ends: Any = ends, **all: Any) -> Any:
            x, w, b = ([all[f"{name}{i}"] for i in range(3)] for name in "xwb")
            if split in (1, 3):
                x = [pa.asarray(np.concatenate([part.numpy() for part in x]))]
            groups = ends if split in (1, 3) else None
            return tuple(
                pa.ops.grouped_mat_mul_all_reduce(x, w, b, groups, split, member, "sum", 0, 1)
            )

        def apart(member: Communicator, split: int = split, dtype: Any = dtype, **all: Any) -> Any:
            sums = [
                member.all_reduce(
                    pa.ops.addmm(
                        all[f"b{i}"], all[f"x{i}"], all[f"w{i}"], 1, 1, 0,
                        out=pa.empty((all[f"x{i}"].shape[0], all[f"w{i}"].shape[1]), dtype),
                    )
                )
                for i in range(3)
                if all[f"x{i}"].shape[0]
            ]  # fmt: skip
            return tuple(sums)

        results = ranks.each(fused, given)
        expected = ranks.each(apart, given)
        if split > 1:
            expected = [(np.concatenate(sums),) for sums in expected]
        found = [tuple(y for y in one if y.size) for one in results]
        same(found, expected, f"grouped_mat_mul_all_reduce {split}")
        total = np.zeros((lengths[0], columns[0]))
        for one in given:
            x, w, b = wide(one["x0"], one["w0"], one["b0"])
            total += x @ w + b
        near(results[0][0][: lengths[0]], total, "grouped_mat_mul_all_reduce")


def batches(ranks: Ranks) -> None:
    """Two by two ranks: experts are of ranks {0, 2} and {1, 3}, parts of {0, 1} and {2, 3}."""
    by_expert = {d: m for pair in ([0, 2], [1, 3])
                 for d, m in zip(pair, Communicator.all_devices(pair), strict=True)}  # fmt: skip
    by_part = {d: m for pair in ([0, 1], [2, 3])
               for d, m in zip(pair, Communicator.all_devices(pair), strict=True)}  # fmt: skip
    local, rows, depth, columns = 2, 3, 8, 10
    for dtype, shard, act in ((HALVES[0], 0, 3), (HALVES[1], 1, 2), (HALVES[0], 1, 0)):
        x_rows, x_depth = (rows, depth // 2) if shard == 0 else (rows, depth)
        bias_type = np.float32 if dtype == HALVES[1] else dtype
        given: Ranked = [
            {
                "x": ranks.drawn((2 * local, x_rows, x_depth), dtype),
                "weight": ranks.drawn((local, depth, columns), dtype),
                "bias": ranks.drawn((local, columns), bias_type),
            }
            for _ in ranks.members
        ]

        def gather(
            member: Communicator, x: Any, weight: Any, bias: Any, shard: int = shard, act: int = act
        ) -> Any:
            rank = member.rank
            total = 2 * x.shape[1] * (1 + shard)
            out = [pa.empty((2, total, n), x.dtype) for n in (10, 8, 10)]
            found = pa.ops.allto_all_all_gather_batch_mat_mul(
                x,
                weight,
                bias,
                by_expert[rank],
                by_part[rank],
                2,
                2,
                shard,
                act,
                out=(*out[:2], out[2] if act else False),
            )
            return tuple(t for t in found if isinstance(t, pa.Tensor))

        results = ranks.each(gather, given)
        for rank, found in enumerate(results):
            mine = range(rank // 2 * local, rank // 2 * local + local)
            parts = [[given[source * 2 + tp]["x"][list(mine)] for tp in range(2)]
                     for source in range(2)]  # fmt: skip
            axis = 1 if shard else 2
            met = np.concatenate([np.concatenate(part, axis) for part in parts], 1)
            assert (found[1] == met).all()
            one = given[rank]
            golden = np.matmul(*wide(met, one["weight"])) + one["bias"].astype(float)[:, None]
            near(found[-1] if act else found[0], golden, "bmm")
            activated = {0: golden, 2: golden / (1 + np.exp(-golden)), 3: np.maximum(golden, 0)}
            near(found[0], activated[act], "bmm, activated")

        back: Ranked = [
            {
                "x": ranks.drawn((local, 2 * rows * (1 + shard), depth), dtype),
                "weight": ranks.drawn((local, depth, columns), dtype),
                "bias": ranks.drawn((local, 1, columns // (2 - shard)), bias_type),
            }
            for _ in ranks.members
        ]

        def scatter(
            member: Communicator, x: Any, weight: Any, bias: Any, shard: int = shard
        ) -> Any:
            rank = member.rank
            return pa.ops.batch_mat_mul_reduce_scatter_allto_all(
                x, weight, bias, by_expert[rank], by_part[rank], 2, 2, shard
            )

        results = ranks.each(scatter, back)
        products = [np.matmul(*wide(one["x"], one["weight"])) for one in back]
        for rank, found in enumerate(results):
            ep, tp = divmod(rank, 2)
            for source in range(2):
                whole = products[source * 2] + products[source * 2 + 1]
                whole = whole.reshape(local, 2, -1, columns)[:, ep]
                if shard:
                    whole = whole.reshape(local, 2, rows, columns)[:, tp]
                else:
                    whole = whole[..., tp * columns // 2 : (tp + 1) * columns // 2]
                whole = whole + back[source * 2 + tp]["bias"].astype(float)
                near(found[source * local : (source + 1) * local], whole, "reduce, scatter")


def narrow_sums(ranks: Ranks) -> None:
    """Numbers of 8 bits with a scale for each 128, or for each 32 that is a power of two."""
    e4m3, e5m2 = ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2
    kinds = (
        (np.int8, np.float32, HALVES[0]), (e4m3, np.float32, HALVES[1]),
        (e5m2, ml_dtypes.float8_e8m0fnu, np.dtype(np.float32)),
    )  # fmt: skip
    rows, width, count = 3, 1024, ranks.count
    for dtype, scale_type, out_type in kinds:
        mx = scale_type is not np.float32
        scales = (width // 64, 2) if mx else (width // 128,)
        given: Ranked = [
            {
                "x": ranks.drawn((count, rows, width), np.int8).astype(dtype),
                "scales": np.exp2(ranks.rng.integers(-9, -3, (count, rows, *scales))
                                  if mx else ranks.drawn((count, rows, *scales), np.float32) - 9
                                  ).astype(scale_type),
            }
            for _ in ranks.members
        ]  # fmt: skip

        def everything(member: Communicator, x: Any, scales: Any, out_type: Any = out_type) -> Any:
            out = pa.empty((count, width, rows), out_type).transpose(0, 2, 1)
            return pa.ops.quant_all_reduce(x, scales, member, "sum", out=out)

        def part(member: Communicator, x: Any, scales: Any, out_type: Any = out_type) -> Any:
            out = pa.empty((rows, width), out_type)
            return pa.ops.quant_reduce_scatter(x, scales, member, "sum", out=out)

        total = np.zeros((count, rows, width), np.float32)
        for one in given:
            factors = one["scales"].astype(np.float32).reshape(count, rows, -1)
            factors = np.repeat(factors, width // factors.shape[-1], -1)
            total = total + one["x"].astype(np.float32) * factors
        golden = total.astype(out_type)
        same(ranks.each(everything, given), [golden] * count, f"quant_all_reduce {dtype}")
        same(ranks.each(part, given), list(golden), f"quant_reduce_scatter {dtype}")


def waiting(ranks: Ranks) -> None:
    def wait(member: Communicator, x: Any) -> Any:
        pa.ops.distribute_barrier_v2(x, None, None, member, member.size)
        pa.ops.distribute_barrier(x, member, member.size)
        return x

    given: Ranked = [{"x": ranks.drawn((3, 2), np.float32)} for _ in ranks.members]
    same(ranks.each(wait, given), [one["x"] for one in given], "distribute_barrier")


def reset(ranks: Ranks) -> None:
    """All ranks meet; a task that is to leave one out ends."""

    def call(member: Communicator, x: Any) -> Any:
        pa.ops.moe_distribute_buffer_reset(x, member, member.size, 1)
        return x

    given: Ranked = [{"x": np.ones(ranks.count, np.int32)} for _ in ranks.members]
    same(ranks.each(call, given), [one["x"] for one in given], "moe_distribute_buffer_reset")
    with ranks.members[0].device:
        pa.ops.moe_distribute_buffer_reset(
            pa.zeros(ranks.count, "int32"), ranks.members[0], ranks.count, 0
        )
        code = 0
        try:
            ranks.members[0].device.sync()
        except pa.AclError as error:
            code = error.code
        assert code == 507015


ALONE = (plain_sums, normalised, quantised, weights_of_bytes)
#: These take two ranks at least.
TOGETHER = (
    gathered,
    scattered,
    of_bytes,
    exchanged,
    exchanged_bytes,
    quantised_there,
    experts,
    sums_of_groups,
)
#: Those that other chips have, or that take four ranks.
CHOSEN = {
    "rows": (rows_by_expert, waiting, narrow_sums, narrow_floats, narrow_rows),
    "batches": (batches, waiting),
    "many": (reset,),
    "deliveries": (deliveries,),
}

if __name__ == "__main__":
    members = Ranks(int(sys.argv[1]))
    usual = ALONE + (TOGETHER if members.count > 1 else ())
    for each in CHOSEN[sys.argv[2]] if len(sys.argv) > 2 else usual:
        each(members)
    print("all equal")
