"""Rows that go to experts in fewer bits, as the Ascend950 makes them.

Rows are told by NumPy, from the tokens of all ranks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from collective.fused.homes import World, arrivals, refuses, right_dispatch
from collective.fused.ranks import HALVES, Array, Ranked, Ranks

import pyaclnn as pa
from pyaclnn.collective import Communicator
from pyaclnn.selftest.formulas.narrow import hifloat8_values
from pyaclnn.tensor.formats import with_format

_TOKENS, _CHOSEN, _WIDTH, _GROUPS = 4, 2, 1088, 9
_E4M3, _E5M2 = np.dtype(ml_dtypes.float8_e4m3fn), np.dtype(ml_dtypes.float8_e5m2)
_E8M0 = np.dtype(ml_dtypes.float8_e8m0fnu)
_LARGEST = {np.dtype(np.int8): 127.0, _E4M3: 448.0, _E5M2: 57344.0}
_EXPONENT = {_E4M3: 8, _E5M2: 15, "float4_e2m1fn": 2, "float4_e1m2": 0}
#: Magnitudes of numbers of half a byte, by their codes.
_HALVES = {
    "float4_e2m1fn": np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6]),
    "float4_e1m2": np.arange(8) / 4,
}


@dataclass(frozen=True)
class Case:
    """A quantMode, what it makes of x, the shape of its scales, and how wide those of a row are."""

    mode: int
    x: Any
    out: Any
    factors: tuple[int, ...] | None = None
    of_row: int = 0
    of_type: Any = np.float32


def _scaled(values: Array, out: Any) -> tuple[Array, Array]:
    """Return numbers that span all of the type's, and their scale."""
    factor = np.float32(_LARGEST[out]) / np.abs(values).max()
    wide = (values * factor).astype(np.float32)
    numbers = np.rint(wide) if out == np.int8 else wide
    return numbers.astype(out), np.float32(1) / factor


def _in_blocks(values: Array, out: Any) -> tuple[Array, Array]:
    blocks = values.reshape(-1, 32)
    exponents = np.floor(np.log2(np.abs(blocks).max(1))).astype(int) - _EXPONENT[out]
    numbers = blocks * 2.0 ** -exponents[:, None]
    if out in _HALVES:
        # Of two codes that are as near, the even one.
        codes = np.rint(np.interp(np.abs(numbers), _HALVES[out], np.arange(8))).astype(np.uint8)
        codes = (codes | np.signbit(numbers).astype(np.uint8) << 3).reshape(-1)
        numbers = codes[::2] | codes[1::2] << 4
    else:
        numbers = np.clip(numbers, -_LARGEST[out], _LARGEST[out]).astype(out)
    scales = np.zeros(_WIDTH // 64 * 2, np.uint8)
    scales[: len(exponents)] = exponents + 127
    return numbers.reshape(-1), scales.view(_E8M0)


def _made(case: Case, token: Array, factors: Array | None, expert: int) -> tuple[Array, Array]:
    """Return the numbers of a row, of hifloat8 before they are rounded, and its scales."""
    if case.mode == 0 and case.x == case.out:
        return token, np.zeros(0, np.float32)
    values = token.astype(np.float32)
    if factors is not None:
        values = values * (factors if factors.ndim == 1 else factors[expert])
    if case.mode == 2:
        numbers, scale = _scaled(values, case.out)
        return numbers, np.atleast_1d(scale)
    if case.mode == 3:
        groups = [_scaled(values[i : i + 128], case.out) for i in range(0, _WIDTH, 128)]
        return np.concatenate([g[0] for g in groups]), np.array([g[1] for g in groups])
    if case.mode == 4:
        return _in_blocks(values, case.out)
    if case.out == "hifloat8":
        return values, np.zeros(0, np.float32)
    return np.clip(np.rint(values), -128, 127).astype(case.out), np.zeros(0, np.float32)


def _is_nearest(codes: Array, values: Array) -> bool:
    of_codes = hifloat8_values()
    finite = np.unique(of_codes[np.isfinite(of_codes)])
    above = np.clip(np.searchsorted(finite, values), 1, len(finite) - 1)
    least = np.minimum(np.abs(finite[above] - values), np.abs(finite[above - 1] - values))
    return bool((np.abs(of_codes[codes] - values) == least).all())


def _placed(room: int, dtype: Any) -> tuple[Any, Any]:
    """Return zeros for rows, bytes where NumPy has no such type, and as the operator sees them."""
    if not isinstance(dtype, str):
        rows = pa.zeros((room, _WIDTH), dtype)
        return rows, rows
    rows = pa.zeros((room, _WIDTH // 2 if dtype in _HALVES else _WIDTH), np.uint8)
    return rows, with_format(rows, "ND", shape=(room, _WIDTH), dtype=dtype)


def _sent(case: Case, world: World) -> Callable[..., Any]:
    def dispatch(member: Communicator, x: Any, ids: Any, scales: Any = None) -> Any:
        room = _TOKENS * world.ranks
        if member.rank >= world.shared_ranks:
            room *= min(world.each, _CHOSEN)
        here = world.here(member.rank)
        rows, seen = _placed(room, case.out)
        if case.x in _HALVES:
            x = with_format(x, "ND", shape=(_TOKENS, _WIDTH), dtype=case.x)
        shape = (room, case.of_row) if case.of_row > 1 else (room,)
        of_rows = pa.asarray(np.zeros(shape, case.of_type))
        out = (
            seen, of_rows, pa.zeros((room * 128,), np.int32), pa.zeros((here,), np.int64),
            pa.zeros((here * world.ranks,), np.int32), pa.zeros((1,), np.int32), pa.zeros((room,)),
        )  # fmt: skip
        pa.ops.moe_distribute_dispatch_v4(
            x, ids, scales, None, None, None, None, member, world.ranks, member.rank,
            world.experts, "", 0, 0, 0, world.shared, world.shared_ranks, case.mode, 0, 1, "",
            0, 0, 0, out=out,
        )  # fmt: skip
        return rows, of_rows

    return dispatch


def fewer_bits(ranks: Ranks) -> None:
    """Rows are what NumPy makes of the token and its expert's factors."""
    shared, shared_ranks = (1, 2) if ranks.count > 4 else (0, 0)
    experts = 2 * (ranks.count - shared_ranks)
    world = World(ranks.count, experts=experts, shared=shared, shared_ranks=shared_ranks)
    all_of = (shared + experts, _WIDTH)
    int8 = np.dtype(np.int8)
    half, bfloat16 = HALVES
    for case in (
        Case(0, half, "hifloat8"),
        Case(0, _E4M3, _E4M3, (_TOKENS, 8), 8),
        Case(0, _E5M2, _E5M2, (_TOKENS, 34), 34, _E8M0),
        Case(1, half, int8, (1,)),
        Case(1, bfloat16, int8, (_WIDTH,)),
        Case(1, half, int8, all_of),
        Case(1, bfloat16, "hifloat8", (1,)),
        Case(2, half, _E4M3, all_of, 1),
        Case(2, bfloat16, _E5M2, None, 1),
        Case(2, half, int8, all_of, 1),
        Case(3, half, _E5M2, None, _GROUPS),
        Case(3, bfloat16, _E4M3, all_of, _GROUPS),
        Case(4, half, _E4M3, None, 34, _E8M0),
        Case(4, bfloat16, _E5M2, None, 34, _E8M0),
        Case(4, half, "float4_e2m1fn", None, 34, _E8M0),
        Case(4, bfloat16, "float4_e2m1fn", None, 34, _E8M0),
        Case(4, half, "float4_e1m2", None, 34, _E8M0),
        Case(0, "float4_e2m1fn", "float4_e2m1fn", (_TOKENS, 34), 34, _E8M0),
        Case(0, "float4_e1m2", "float4_e1m2", (_TOKENS, 17), 17, _E8M0),
    ):
        given: Ranked = [_drawn(ranks, case, experts) for _ in ranks.members]
        results = ranks.each(_sent(case, world), given)
        for here, (rows, scales) in zip(_rows(world, given), results, strict=True):
            for place, (one, token, expert) in enumerate(here):
                numbers, of_row = _made(case, one["x"][token], one.get("scales"), expert)
                if case.mode == 0 and case.out != "hifloat8":
                    of_row = one["scales"][token]
                if case.out == "hifloat8":
                    assert _is_nearest(rows[place], numbers), case
                else:
                    assert rows[place].tobytes() == numbers.tobytes(), (case, place)
                if case.of_row:
                    found = np.atleast_1d(scales[place])
                    assert found.tobytes() == of_row.tobytes(), (case, place)


def _drawn(ranks: Ranks, case: Case, experts: int) -> dict[str, Any]:
    ids = [ranks.rng.permutation(experts)[:_CHOSEN] for _ in range(_TOKENS)]
    x = ranks.rng.integers(0, 256, (_TOKENS, _WIDTH // 2)).astype(np.uint8) \
        if case.x in _HALVES else ranks.drawn((_TOKENS, _WIDTH), case.x)  # fmt: skip
    one = {"x": x, "ids": np.array(ids, np.int32)}
    if case.factors is not None:
        one["scales"] = ranks.rng.uniform(0.5, 60, case.factors).astype(case.of_type)
    return one


def _rows(world: World, given: Ranked) -> list[list[tuple[dict[str, Any], int, int]]]:
    """Return, by rank, whose token each row is, which, and its expert's row of the factors."""
    return [
        [
            (given[row.rank], row.token, row.smooth)
            for senders in experts
            for rows in senders
            for row in rows
        ]
        for experts in arrivals(world, given, _TOKENS, _CHOSEN)
    ]


def wrong_rows(ranks: Ranks) -> None:
    """Types and shapes of rows and scales that do not go with a quantMode."""
    member, room = ranks.members[0], 10 * ranks.count
    experts = 2 * ranks.count

    def of(dtype: Any, *shape: int) -> pa.Tensor:
        return pa.asarray(np.zeros(shape, dtype))

    with member.device:
        right = right_dispatch(member, ranks.count)
        int8 = {"expand_x_out": of(np.int8, room, 1024)}
        e4m3 = {"expand_x_out": of(_E4M3, room, 1024)}
        groups = {**e4m3, "quant_mode": 3, "dynamic_scales_out": of(np.float32, room, 8)}
        blocks = {**e4m3, "quant_mode": 4, "dynamic_scales_out": of(_E8M0, room, 32)}
        own = {**e4m3, "x": of(_E4M3, 5, 1024), "scales_optional": of(np.float32, 5, 8),
               "dynamic_scales_out": of(np.float32, room, 8)}  # fmt: skip

        def four(*shape: int) -> pa.Tensor:
            whole = pa.zeros(((shape[0] * shape[1] + 1) // 2,), np.uint8)
            return with_format(whole, "ND", shape=shape, dtype="float4_e2m1fn")

        fours = {"x": four(5, 1024), "expand_x_out": four(room, 1024),
                 "scales_optional": of(_E8M0, 5, 8),
                 "dynamic_scales_out": of(_E8M0, room, 8)}  # fmt: skip
        factors, wrong = of(np.float32, experts, 1024), of(np.float32, experts - 1, 1024)
        for changed, words in (
            ({"quant_mode": 5}, "quantMode is 5"),
            ({**own, "quant_mode": 2}, "x has dtype float8_e4m3fn"),
            ({**e4m3, "quant_mode": 1, "scales_optional": of(np.float32, 1)}, "expandX has dtype"),
            ({**int8, "quant_mode": 3}, "expandX has dtype int8 beside quantMode 3"),
            ({**int8, "quant_mode": 4}, "expandX has dtype int8 beside quantMode 4"),
            ({"quant_mode": 2}, "expandX has dtype float16 beside quantMode 2"),
            ({**int8, "quant_mode": 0}, "expandX has dtype int8 beside quantMode 0"),
            ({**int8, "quant_mode": 1}, "scales go with quantMode 1"),
            ({**own, "scales_optional": None}, "scales go with quantMode 0"),
            ({"scales_optional": factors}, "scales do not go with quantMode 0"),
            ({**blocks, "scales_optional": factors}, "scales do not go with quantMode 4"),
            ({**groups, "scales_optional": of(_E8M0, experts, 1024)}, "scales has dtype"),
            ({**own, "dynamic_scales_out": of(_E8M0, room, 8)}, "dynamicScales has dtype"),
            ({**blocks, "dynamic_scales_out": of(np.float32, room, 32)}, "dynamicScales has dtype"),
            ({**groups, "dynamic_scales_out": of(_E8M0, room, 8)}, "dynamicScales has dtype"),
            ({**int8, "quant_mode": 1, "scales_optional": of(np.float32, 2)}, "scales has shape"),
            ({**int8, "quant_mode": 1, "scales_optional": wrong}, "scales has shape"),
            ({**groups, "scales_optional": wrong}, "scales has shape"),
            ({**own, "scales_optional": of(np.float32, 4, 8)}, "scales has shape"),
            ({**own, "scales_optional": of(np.float32, 5, 1025)}, "scales has shape"),
            ({**groups, "dynamic_scales_out": of(np.float32, room, 9)}, "dynamicScalesOut has"),
            ({**blocks, "dynamic_scales_out": of(_E8M0, room, 33)}, "dynamicScalesOut has"),
            ({**e4m3, "quant_mode": 2, "dynamic_scales_out": of(np.float32, 9)}, "dynamicS"),
            ({**fours, "scales_optional": of(np.float32, 5, 8)}, "scales has dtype float32"),
            ({"expand_x_out": fours["expand_x_out"], "quant_mode": 3}, "expandX has dtype"),
            ({"expand_x_out": four(room, 1025), "x": of("float16", 5, 1025), "quant_mode": 4,
              "dynamic_scales_out": of(_E8M0, room, 34)}, "rows of 1025 numbers"),
        ):  # fmt: skip
            refuses(pa.ops.moe_distribute_dispatch_v4, right, changed, words)
