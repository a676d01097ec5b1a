"""The same of int8 and smaller floats, with the scales of both sides."""

from __future__ import annotations

from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
from collective.fused.ranks import HALVES, Array, Ranked, Ranks, near, same, wide

import pyaclnn as pa
from pyaclnn.collective import Communicator
from pyaclnn.selftest.formulas.narrow import symmetric
from pyaclnn.selftest.layouts import in_blocks
from pyaclnn.tensor.formats import with_format


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


def placed_blocks(matrix: Any, turned: bool) -> Any:
    """Return a matrix in FRACTAL_NZ as a weight, stored as it is or transposed."""
    values = matrix.numpy()
    blocks = in_blocks(np.ascontiguousarray(values.T) if turned else values)
    depth, columns = values.shape
    return with_format(
        pa.asarray(blocks), "FRACTAL_NZ", shape=values.shape, storage_shape=blocks.shape,
        strides=(1, depth) if turned else (columns, 1),
    )  # fmt: skip


def in_fractals(ranks: Ranks) -> None:
    """Weights in FRACTAL_NZ, also of extents that fill no blocks, give what they give in lines."""
    for dtype, turned in ((HALVES[0], False), (HALVES[1], True), (HALVES[0], True)):
        given: Ranked = [
            {
                "x1": ranks.drawn((2, 3, 50), np.int8), "x2": ranks.drawn((50, 70), np.int8),
                "bias": ranks.drawn((70,), np.int32), "x3": ranks.drawn((2, 3, 70), dtype),
                "scale": np.abs(ranks.drawn((70,), np.float32)) / np.float32(4096),
                "rows": np.abs(ranks.drawn((6,), np.float32)),
                "half": ranks.drawn((2, 3, 50), dtype), "offset": ranks.drawn((1, 70), dtype),
            }
            for _ in ranks.members
        ]  # fmt: skip

        def bytes_of(member: Communicator, blocked: bool, dtype: Any = dtype,
                     turned: bool = turned, **a: Any) -> Any:  # fmt: skip
            x2 = placed_blocks(a["x2"], turned) if blocked else a["x2"]
            scale = a["scale"] if dtype == HALVES[0] else a["scale"].astype(dtype)
            return pa.ops.quant_matmul_all_reduce_v2(
                a["x1"], x2, a["bias"], a["x3"], scale, a["rows"], member, "sum", 0, 1,
                out=pa.empty((2, 3, 70), dtype),
            )  # fmt: skip

        def weights_of(member: Communicator, blocked: bool, dtype: Any = dtype,
                       turned: bool = turned, **a: Any) -> Any:  # fmt: skip
            x2 = placed_blocks(a["x2"], turned) if blocked else a["x2"]
            scale = a["scale"].astype(dtype)
            return pa.ops.weight_quant_matmul_all_reduce(
                a["half"], x2, None, scale.reshape(1, 70), a["offset"], a["x3"], member, "sum", 0,
                1, 0, out=pa.empty((2, 3, 70), dtype),
            )  # fmt: skip

        for call in (bytes_of, weights_of):
            what = f"{call.__name__} {dtype} {turned} in FRACTAL_NZ"
            found, lines = (ranks.each(partial(call, blocked=b), given) for b in (True, False))
            same(found, lines, what)
            total = np.zeros((2, 3, 70))
            for one in given:
                x1, x2, half, x3, bias, rows, offset = wide(
                    *(one[k] for k in ("x1", "x2", "half", "x3", "bias", "rows", "offset"))
                )
                kept = one["scale"] if call is bytes_of and dtype == HALVES[0] else (
                    one["scale"].astype(dtype))  # fmt: skip
                scale = kept.astype(np.float64)
                if call is bytes_of:
                    total += (x1 @ x2 + bias) * scale * rows.reshape(2, 3, 1) + x3
                else:
                    total += half @ ((x2 + offset) * scale) + x3
            near(found[-1], total, what)


def through_int8(ranks: Ranks) -> None:
    """The product is rounded to int8 before the exchange, and its sum behind it."""
    for dtype, steps in ((HALVES[0], 1.0), (HALVES[1], 1.0), (HALVES[0], 1 / 16)):
        # Products are whole numbers of both halves; the last kind saturates.
        given: Ranked = [
            {
                "x1": ranks.rng.integers(-3, 4, (2, 3, 12)).astype(np.int8),
                "x2": ranks.rng.integers(-3, 4, (12, 70)).astype(np.int8),
                "x3": ranks.rng.integers(-60, 60, (2, 3, 70)).astype(dtype),
                "scale": np.ones(70, np.float32 if dtype == HALVES[0] else dtype),
                "rows": np.float32(2) ** -ranks.rng.integers(0, 2, 6),
            }
            for _ in ranks.members
        ]
        sent = (np.arange(1, 71) * (steps / 32) + 0.75 * steps).astype(dtype)
        back = (ranks.count * sent.astype(np.float32) * np.float32(0.9)).astype(dtype)
        for one in given:
            one |= {"sent": sent, "back": back, "rows": one["rows"].astype(np.float32)}

        def fused(member: Communicator, x1: Any, x2: Any, x3: Any, scale: Any, rows: Any,
                  sent: Any, back: Any, dtype: Any = dtype) -> Any:  # fmt: skip
            return pa.ops.quant_matmul_all_reduce_v5(
                x1, x2, None, x3, rows, scale, sent, back.reshape(70), member, "sum", "ai_cpu",
                0, 1, 0, 0, out=pa.empty((2, 3, 70), dtype),
            )  # fmt: skip

        def narrow(numbers: Array) -> Array:
            whole = np.rint(numbers.astype(np.float16).astype(np.float32))
            return np.clip(whole, -128, 127).astype(np.int64)

        units, results = sent.astype(np.float32), back.astype(np.float32)
        total, exact = np.zeros((2, 3, 70), np.int64), np.zeros((2, 3, 70))
        for one in given:
            x1, x2, x3, rows = wide(one["x1"], one["x2"], one["x3"], one["rows"])
            part = ((x1 @ x2) * rows.reshape(2, 3, 1)).astype(dtype) + x3.astype(dtype)
            exact += part.astype(np.float64)
            total += narrow(part.astype(np.float32) / units)
        whole = narrow(total.astype(np.float32) * (units / results))
        expected = (whole.astype(np.float32) * results).astype(dtype)
        found = ranks.each(fused, given)
        same(found, [expected] * ranks.count, f"quant_matmul_all_reduce through int8, {dtype}")
        if steps == 1.0:
            most = ranks.count * units * 0.51 + results * 0.51
            kept = np.abs(expected.astype(np.float64) - exact) <= most + np.abs(exact) * 2.0**-7
            assert kept[np.abs(total) < 127].all()


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
