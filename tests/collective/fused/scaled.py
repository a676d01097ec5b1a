"""Products of what ranks have, and whose parts they keep, with scales: small floats, int4, int8."""

from __future__ import annotations

from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
from collective.fused.quantised import mx_factors, placed_blocks
from collective.fused.ranks import HALVES, Array, Ranked, Ranks, near, same, wide
from collective.fused.small_floats import HIFLOAT8, drawn, placed

import pyaclnn as pa
from pyaclnn.collective import Communicator
from pyaclnn.selftest.chips import release
from pyaclnn.tensor.formats import with_format

_E4M3, _E5M2 = np.dtype(ml_dtypes.float8_e4m3fn), np.dtype(ml_dtypes.float8_e5m2)
_E8M0, _SINGLE = np.dtype(ml_dtypes.float8_e8m0fnu), np.dtype(np.float32)
_MX_GROUPS, _TILE_GROUPS = 32 | 1 << 16 | 1 << 32, 128 | 128 << 16 | 128 << 32

#: x1, x2, scheme, result, whether x2 is transposed, groupSize, rows of a rank, depth, columns.
_FLOATS: tuple[tuple[Any, ...], ...] = (
    (_E4M3, _E5M2, "one", HALVES[0], False, 0, 3, 300, 10),
    (HIFLOAT8, HIFLOAT8, "one", _SINGLE, True, 0, 2, 256, 7),
    (_E5M2, _E5M2, "tiles", HALVES[1], True, 0, 128, 384, 128),
    (_E4M3, _E4M3, "tiles", _SINGLE, False, _TILE_GROUPS, 128, 300, 140),
    (_E4M3, _E5M2, "mx", HALVES[0], True, _MX_GROUPS, 4, 330, 9),
    (_E5M2, _E4M3, "mx", _SINGLE, True, 0, 3, 256, 12),
)  # fmt: skip


def _scales(ranks: Ranks, scheme: str, shape: tuple[int, int]) -> tuple[Array, Array]:
    """Return scales of lines by depth, and for each number."""
    lines, depth = shape
    if scheme == "mx":
        scales = np.exp2(ranks.rng.integers(-2, 3, (lines, -(-depth // 64), 2))).astype(_E8M0)
        return scales, mx_factors(scales)[:, :depth]
    if scheme == "tiles":
        count = -(-lines // 128), -(-depth // 128)
        scales = ranks.rng.uniform(0.5, 2, count).astype(np.float32)
        each = np.repeat(np.repeat(scales.astype(np.float64), 128, 0), 128, 1)
        return scales, each[:lines, :depth]
    scales = ranks.rng.uniform(0.5, 2, 1).astype(np.float32)
    return scales, np.full(shape, float(scales[0]))


def floats(ranks: Ranks) -> None:
    """Rows of all ranks, and sums of which each keeps a part, with scales of each scheme.

    A rank that has one scale takes it for the rows of all. The bias is scaled as well; since CANN
    9.1 that of parts is not.
    """
    count = ranks.count
    behind = release() >= (9, 1)
    modes = ("ccu", "ai_cpu") if behind else ("ccu", "ccu")
    for first, second, scheme, out_type, turned, groups, rows, depth, columns in _FLOATS:
        given: Ranked = []
        exact: list[dict[str, Array]] = []
        for _ in ranks.members:
            x1, wide1 = drawn(ranks, first, (rows, depth))
            whole, wide_whole = drawn(ranks, first, (rows * count, depth))
            x2, wide2 = drawn(ranks, second, (columns, depth))
            of_rows, each1 = _scales(ranks, scheme, (rows, depth))
            of_whole, each_whole = _scales(ranks, scheme, (rows * count, depth))
            of_columns, each2 = _scales(ranks, scheme, (columns, depth))
            bias = ranks.drawn((columns,), np.float32) * np.float32(64)
            given.append(
                {
                    "x1": x1, "whole": whole, "x2": x2 if turned else np.ascontiguousarray(x2.T),
                    "rows": of_rows, "of_whole": of_whole,
                    "columns": of_columns if turned or scheme != "tiles"
                    else np.ascontiguousarray(of_columns.T),
                    "bias": None if scheme == "tiles" else bias,
                }
            )  # fmt: skip
            exact.append(
                {
                    "x1": wide1, "each1": each1, "whole": wide_whole * each_whole,
                    "x2": (wide2 * each2).T, "bias": bias.astype(np.float64),
                    "both": each_whole[:1, :1] * each2[:1, :1],
                }
            )  # fmt: skip

        def gather(member: Communicator, own: Any = (first, second, out_type, turned, groups, rows,
                   depth, columns), **a: Any) -> Any:  # fmt: skip
            first, second, out_type, turned, groups, rows, depth, columns = own
            met = pa.empty((rows * count, depth), "uint8" if first == HIFLOAT8 else first)
            out = pa.empty((rows * count, columns), out_type), placed(met, first), False
            y = pa.ops.all_gather_matmul_v2(
                placed(a["x1"], first), placed(a["x2"], second, turned), a["bias"], a["rows"],
                a["columns"], None, 0, member, 0, 0, 1, groups, modes[0], out=out,
            )[0]  # fmt: skip
            return y, met

        def scatter(member: Communicator, own: Any = (first, second, out_type, turned, groups,
                    rows, columns), **a: Any) -> Any:  # fmt: skip
            first, second, out_type, turned, groups, rows, columns = own
            return pa.ops.matmul_reduce_scatter_v2(
                placed(a["whole"], first), placed(a["x2"], second, turned), a["bias"],
                a["of_whole"], a["columns"], None, 0, member, "sum", 0, 1, groups, modes[1],
                out=(pa.empty((rows, columns), out_type), False),
            )[0]  # fmt: skip

        what = f"{first} {second} {scheme}"
        biased, grouped = scheme != "tiles", scheme != "one"
        for rank, (y, met) in enumerate(ranks.each(gather, given)):
            assert met.tobytes() == b"".join(one["x1"].tobytes() for one in given)
            own = exact[rank]
            left = np.concatenate(
                [one["x1"] * (one["each1"] if grouped else own["each1"]) for one in exact]
            )
            factor = 1.0 if grouped else float(own["each1"][0, 0]) * float(
                given[rank]["columns"][0]
            )  # fmt: skip
            near(y, left @ own["x2"] + (own["bias"] * factor if biased else 0),
                 f"all_gather_matmul_v2 {what}")  # fmt: skip
        total = np.zeros((rows * count, columns))
        for one in exact:
            factor = 1.0 if grouped or behind else one["both"]
            total += one["whole"] @ one["x2"] + (one["bias"] * factor if biased else 0)
        near(np.concatenate(ranks.each(scatter, given)), total, f"matmul_reduce_scatter_v2 {what}")


def of_few_bits(ranks: Ranks) -> None:
    """Rows of int4 and int8, whose columns alone have scales, or rows as well, on A2."""
    count, int4 = ranks.count, np.dtype(ml_dtypes.int4)
    for kind, out_type, by_row, turned in (
        (int4, HALVES[0], False, False), (int4, HALVES[1], True, True),
        (np.dtype(np.int8), HALVES[0], False, True),
    ):  # fmt: skip
        most = 8 if kind == int4 else 100
        draw = ranks.rng.integers
        given: Ranked = [
            {
                "x1": draw(-most, most, (2, 256)).astype(kind),
                "whole": draw(-most, most, (2 * count, 256)).astype(kind),
                "x2": draw(-most, most, (6, 256) if turned else (256, 6)).astype(kind),
                "rows": np.exp2(draw(-2, 2, (2, 1))).astype(np.float32),
                "columns": np.exp2(draw(-9, -6, 6)).astype(np.float32),
            }
            for _ in ranks.members
        ]  # fmt: skip

        def gather(member: Communicator, own: Any = (kind, out_type, by_row, turned),
                   **a: Any) -> Any:  # fmt: skip
            kind, out_type, by_row, turned = own
            x2 = a["x2"]
            if turned:
                x2 = with_format(x2, "ND", shape=(256, 6), strides=(1, 256))
            out = pa.empty((2 * count, 6), out_type), pa.empty((2 * count, 256), kind), False
            return pa.ops.all_gather_matmul_v2(
                a["x1"], x2, None, a["rows"] if by_row else None, a["columns"], None, 0, member, 0,
                0, 1, 0, "aiv", out=out,
            )[:2]  # fmt: skip

        def scatter(member: Communicator, own: Any = (out_type, turned), **a: Any) -> Any:
            out_type, turned = own
            return pa.ops.matmul_reduce_scatter_v2(
                a["whole"], a["x2"].T if turned else a["x2"], None, None, a["columns"], None, 0,
                member, "sum", 0, 1, 0, "aiv", out=(pa.empty((2, 6), out_type), False),
            )[0]  # fmt: skip

        met = np.concatenate([one["x1"] for one in given])
        expected = []
        for one in given:
            left, x2, columns = wide(met, one["x2"], one["columns"])
            factors = np.concatenate([other["rows"] for other in given]) if by_row else 1.0
            # Whole sums and powers of two: rounded once.
            product = left @ (x2.T if turned else x2) * columns * factors
            expected.append(product.astype(out_type))
        results = ranks.each(gather, given)
        same([y for y, _ in results], expected, f"all_gather_matmul_v2 {kind} {by_row}")
        assert all((found.astype(int) == met.astype(int)).all() for _, found in results)
        if kind != int4:
            total = np.zeros((2 * count, 6))
            for one in given:
                left, x2, columns = wide(one["whole"], one["x2"], one["columns"])
                total += left @ x2.T * columns
            near(np.concatenate(ranks.each(scatter, given)), total, "matmul_reduce_scatter_v2")


def parts_in_fractals(ranks: Ranks) -> None:
    """Sums with weights in FRACTAL_NZ, turned or not, are those with weights in lines."""
    count = ranks.count
    for kind, out_type, turned in (
        (np.dtype(np.int8), HALVES[1], False), (HALVES[0], HALVES[0], True),
        (HALVES[1], HALVES[1], False), (np.dtype(np.int8), HALVES[0], True),
    ):  # fmt: skip
        given: Ranked = [
            {
                "x1": ranks.drawn((2 * count, 270), kind), "x2": ranks.drawn((270, 40), kind),
                "rows": np.abs(ranks.drawn((2 * count, 1), np.float32)),
                "columns": np.abs(ranks.drawn((40,), np.float32)) / np.float32(4096),
                "bias": ranks.drawn((40,), out_type),
            }
            for _ in ranks.members
        ]  # fmt: skip

        def scatter(member: Communicator, blocked: bool, own: Any = (out_type, turned, kind),
                    **a: Any) -> Any:  # fmt: skip
            out_type, turned, kind = own
            narrow = kind == np.int8
            x2 = placed_blocks(a["x2"], turned) if blocked else a["x2"]
            return pa.ops.matmul_reduce_scatter_v2(
                a["x1"], x2, a["bias"], a["rows"] if narrow else None,
                a["columns"] if narrow else None, None, 0, member, "sum", 0, 1, 0, "aiv",
                out=(pa.empty((2, 40), out_type), False),
            )[0]  # fmt: skip

        found, lines = (ranks.each(partial(scatter, blocked=b), given) for b in (True, False))
        same(found, lines, f"matmul_reduce_scatter_v2 {kind} {turned} in FRACTAL_NZ")
        total = np.zeros((2 * count, 40))
        for one in given:
            x1, x2, rows, columns, bias = wide(*one.values())
            total += x1 @ x2 * (rows * columns if kind == np.int8 else 1) + bias
        near(np.concatenate(found), total, f"matmul_reduce_scatter_v2 {kind}")
