"""Sums over the ranks of products of small floats, on the 950."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
from collective.fused.ranks import HALVES, Array, Ranked, Ranks, near, same, wide
from collective.fused.small_floats import HIFLOAT8, drawn, placed

import pyaclnn as pa
from pyaclnn.collective import Communicator
from pyaclnn.selftest.chips import release

_E4M3, _E5M2 = np.dtype(ml_dtypes.float8_e4m3fn), np.dtype(ml_dtypes.float8_e5m2)
_E2M1, _E8M0 = np.dtype(ml_dtypes.float4_e2m1fn), np.dtype(ml_dtypes.float8_e8m0fnu)
_SINGLE = np.dtype(np.float32)
_MX_GROUPS, _TILE_GROUPS = 32 | 1 << 16 | 1 << 32, 128 | 128 << 16 | 128 << 32

#: x1, x2, scheme of the scales, result, whether x2 is transposed, groupSize, leading axes, k, n.
_PRODUCTS: tuple[tuple[Any, ...], ...] = (
    (_E4M3, _E5M2, "rows", HALVES[0], False, 0, (5,), 33, 12),
    (HIFLOAT8, HIFLOAT8, "rows", _SINGLE, True, 0, (2, 3), 40, 17),
    (_E5M2, _E5M2, "one", HALVES[1], False, 0, (2, 4), 50, 9),
    (_E4M3, _E4M3, "words", HALVES[1], True, 0, (6,), 70, 20),
    (HIFLOAT8, HIFLOAT8, "words", HALVES[0], False, 0, (2, 3), 16, 7),
    (_E4M3, _E4M3, "tiles", _SINGLE, False, _TILE_GROUPS, (130,), 200, 140),
    (_E5M2, _E4M3, "tiles", HALVES[0], True, _TILE_GROUPS, (2, 150), 256, 30),
    (HIFLOAT8, HIFLOAT8, "tiles", HALVES[1], True, 0, (2, 128), 128, 256),
    (_E4M3, _E5M2, "mx", _SINGLE, True, _MX_GROUPS, (6,), 100, 11),
    (_E5M2, _E5M2, "mx", HALVES[1], True, 0, (2, 3), 128, 8),
    (_E2M1, _E2M1, "mx", HALVES[0], True, 0, (4,), 192, 10),
)  # fmt: skip


def _spread(scales: Array, axis: int, step: int, extent: int) -> Array:
    """Return the scale of each number along an axis."""
    return np.take(np.repeat(scales.astype(np.float64), step, axis), range(extent), axis)


def _scales(ranks: Ranks, scheme: str, lead: tuple[int, ...], k: int, n: int,
            turned: bool) -> tuple[Array | None, Array, Any, Any]:  # fmt: skip
    """Return the scales of x1 and x2 as they are stored, and factors of their numbers."""
    rng = ranks.rng
    if scheme == "mx":
        pairs = -(-k // 64)
        of_rows = np.exp2(rng.integers(-2, 3, (lead[-1], pairs, 2))).astype(_E8M0)
        of_columns = np.exp2(rng.integers(-2, 3, (n, pairs, 2))).astype(_E8M0)
        wide_rows, wide_columns = (
            _spread(v.reshape(len(v), -1), 1, 32, k) for v in (of_rows, of_columns)
        )
        return of_rows, of_columns, wide_rows, wide_columns.T
    if scheme == "tiles":
        tiles = -(-lead[-1] // 128), -(-k // 128), -(-n // 128)
        of_rows = rng.uniform(0.5, 2, (*lead[:-1], *tiles[:2])).astype(np.float32)
        of_columns = rng.uniform(0.5, 2, tiles[1:]).astype(np.float32)
        wide_rows = _spread(_spread(of_rows, -2, 128, lead[-1]), -1, 128, k)
        wide_columns = _spread(_spread(of_columns, 0, 128, k), 1, 128, n)
        return of_rows, np.ascontiguousarray(of_columns.T) if turned else of_columns, \
            wide_rows, wide_columns  # fmt: skip
    scale = rng.uniform(0.5, 2, 1 if scheme == "one" else n).astype(np.float32)
    if scheme == "words":
        bits = scale.view(np.uint32) & np.uint32(0xFFFFE000)
        return None, bits.astype(np.uint64), 1.0, bits.view(np.float32).astype(np.float64)
    of_rows = rng.uniform(0.5, 2, int(np.prod(lead))).astype(np.float32)
    return of_rows, scale, of_rows.astype(np.float64).reshape(*lead, 1), scale.astype(np.float64)


def products(ranks: Ranks) -> None:
    """Each scheme of scales beside its types."""
    for number, (first, second, scheme, out_type, turned, groups, lead, k, n) in enumerate(
        _PRODUCTS
    ):
        grouped = scheme in ("mx", "tiles")
        given: Ranked = []
        total = np.zeros((*lead, n))
        for _ in ranks.members:
            (x1, exact1), (x2, exact2) = (
                drawn(ranks, first, (*lead, k)), drawn(ranks, second, (k, n))
            )  # fmt: skip
            of_rows, of_columns, wide_rows, wide_columns = _scales(
                ranks, scheme, lead, k, n, turned
            )
            bias = None if scheme == "tiles" else ranks.drawn((n,), np.float32) * np.float32(64)
            x3 = ranks.drawn((*lead, n), out_type) if number % 2 else None
            added = 0.0 if bias is None else bias.astype(np.float64)
            if grouped:
                total += (exact1 * wide_rows) @ (exact2 * wide_columns) + added
            else:
                total += (exact1 @ exact2 + added) * wide_rows * wide_columns
            total += 0.0 if x3 is None else x3.astype(np.float64)
            given.append(
                {
                    "x1": x1, "x2": np.ascontiguousarray(x2.T) if turned else x2, "bias": bias,
                    "x3": x3, "rows": of_rows, "columns": of_columns,
                }
            )  # fmt: skip

        def fused(member: Communicator, version: int, x1: Any, x2: Any, bias: Any, x3: Any,
                  rows: Any, columns: Any, own: Any = (first, second, out_type, turned, groups,
                                                       lead, n)) -> Any:  # fmt: skip
            first, second, out_type, turned, groups, lead, n = own
            call = getattr(pa.ops, f"quant_matmul_all_reduce_v{version}")
            return call(
                placed(x1, first), placed(x2, second, turned), bias, x3, rows, columns, None,
                None, member, "sum", *(("ccu",) if version == 5 else ()), 0, 1, groups, 0,
                out=pa.empty((*lead, n), out_type),
            )  # fmt: skip

        what = f"quant_matmul_all_reduce_v4 {first} {second} {scheme}"
        results = ranks.each(lambda member, **a: fused(member, 4, **a), given)
        same(results, [results[0]] * ranks.count, what)
        near(results[-1], total, what)
        if release() >= (9, 1):
            newest = ranks.each(lambda member, **a: fused(member, 5, **a), given)
            same(newest, results, what.replace("v4", "v5"))


def _in_tiles(values: Array, dtype: Any, divides: bool) -> Array:
    """Return float32 as it is after a journey in 8 bits, 128 columns with a scale of theirs."""
    result = np.empty_like(values)
    most = np.float32(ml_dtypes.finfo(dtype).max)
    for first in range(0, values.shape[-1], 128):
        part = values[..., first : first + 128]
        largest = np.abs(part).max(-1, keepdims=True)
        with np.errstate(divide="ignore"):
            scale = largest / most if divides else most / largest
        scale = np.where(largest == 0, np.float32(1), scale).astype(np.float32)
        narrow = (part / scale if divides else part * scale).clip(-most, most).astype(dtype)
        back = narrow.astype(np.float32)
        result[..., first : first + 128] = back * scale if divides else back / scale
    return result


def through_float8(ranks: Ranks) -> None:
    """Numbers between ranks are floats of 8 bits; whole products are exact before."""
    divides = release() >= (9, 1)
    for dtype, out_type, turned in (
        (_E4M3, HALVES[0], False), (_E5M2, HALVES[1], True), (_E4M3, _SINGLE, True),
    ):  # fmt: skip
        rng, lead, k, n = ranks.rng, (2, 3), 32, 300
        given: Ranked = [
            {
                "x1": rng.integers(-8, 9, (*lead, k)).astype(dtype),
                "x2": rng.integers(-4, 5, (n, k) if turned else (k, n)).astype(dtype),
                "bias": rng.integers(-9, 10, n).astype(np.float32),
                "x3": rng.integers(-9, 10, (*lead, n)).astype(out_type),
                "rows": np.exp2(rng.integers(-2, 3, 6)).astype(np.float32),
                "columns": np.exp2(rng.integers(-2, 3, n)).astype(np.float32),
            }
            for _ in ranks.members
        ]  # fmt: skip
        for one in given:  # A tile without numbers.
            one["x1"][0, 0] = 0
            one["bias"][:128], one["x3"][0, 0, :128] = 0, 0

        def fused(member: Communicator, x1: Any, x2: Any, bias: Any, x3: Any, rows: Any,
                  columns: Any, own: Any = (out_type, turned)) -> Any:  # fmt: skip
            out_type, turned = own
            base = pa.empty((300, 3, 2), out_type)
            return pa.ops.quant_matmul_all_reduce_v4(
                x1, x2.T if turned else x2, bias, x3, rows, columns, None, None, member, "sum", 0,
                1, 0, 1, out=base.transpose((2, 1, 0)),
            )  # fmt: skip

        total = np.zeros((*lead, n), np.float32)
        exact = np.zeros((*lead, n))
        for one in given:
            x1, x2, bias, x3, rows, columns = wide(*one.values())
            part = (x1 @ (x2.T if turned else x2) + bias) * rows.reshape(2, 3, 1) * columns + x3
            exact += part
            total += _in_tiles(part.astype(np.float32), dtype, divides)
        expected = _in_tiles(total, dtype, divides).astype(out_type)
        what = f"quant_matmul_all_reduce_v4 through {dtype}, {out_type}"
        same(ranks.each(fused, given), [expected] * ranks.count, what)
        step = 2.0 ** -(4 if dtype == _E4M3 else 3)
        most = np.abs(exact).max(-1, keepdims=True)
        assert (np.abs(expected.astype(np.float64) - exact) <= ranks.count * 4 * step * most).all()


def float_weights(ranks: Ranks) -> None:
    """Weights of 8 bit floats, which a scale for each column restores on their way in."""
    for kind, dtype, turned in ((_E4M3, HALVES[0], True), (HIFLOAT8, HALVES[1], False)):
        given: Ranked = []
        total = np.zeros((2, 3, 21))
        for _ in ranks.members:
            x1, (x2, exact) = ranks.drawn((2, 3, 70), dtype), drawn(ranks, kind, (70, 21))
            scale, bias = (ranks.drawn((21,), dtype) for _ in range(2))
            restored = (exact * scale.astype(np.float64)).astype(dtype).astype(np.float64)
            total += x1.astype(np.float64) @ restored + bias.astype(np.float64)
            x2 = np.ascontiguousarray(x2.T) if turned else x2
            given.append({"x1": x1, "x2": x2, "bias": bias, "scale": scale})

        def fused(member: Communicator, x1: Any, x2: Any, bias: Any, scale: Any,
                  own: Any = (kind, turned)) -> Any:  # fmt: skip
            return pa.ops.weight_quant_matmul_all_reduce(
                x1, placed(x2, *own), bias, scale, None, None, member, "sum", 0, 1, 0
            )

        what = f"weight_quant_matmul_all_reduce {kind}"
        results = ranks.each(fused, given)
        same(results, [results[0]] * ranks.count, what)
        near(results[0], total, what)
