"""Products of matrices beside a sum, a gathering or a scattering over the ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
from collective.fused.ranks import HALVES, Ranked, Ranks, near, same, wide

import pyaclnn as pa
from pyaclnn.collective import Communicator


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
