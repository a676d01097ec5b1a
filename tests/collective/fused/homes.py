"""Experts with ranks of their own, and experts without weights, beside those that tokens choose.

What every rank gets and makes is worked out here for all ranks together.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from collective.fused.ranks import HALVES, Array, Gaps, Ranked, Ranks, same

import pyaclnn as pa
from pyaclnn.collective import Communicator

_TOKENS, _CHOSEN, _WIDTH = 5, 3, 1024


@dataclass(frozen=True)
class World:
    """Which experts there are, where, and how tokens go to them and back."""

    ranks: int
    experts: int
    shared: int = 0
    shared_ranks: int = 0
    zero: int = 0
    copied: int = 0
    constant: int = 0
    dtype: Any = HALVES[0]
    quantised: bool = False
    narrowing: int = 0
    mask: str = ""
    totals: bool = False
    apart: bool = False

    @property
    def each(self) -> int:
        return self.experts // (self.ranks - self.shared_ranks)

    @property
    def first_constant(self) -> int:
        return self.experts + self.zero + self.copied

    def here(self, rank: int) -> int:
        return 1 if rank < self.shared_ranks else self.each

    def room(self, rank: int) -> int:
        if rank >= self.shared_ranks:
            return _TOKENS * self.ranks * min(self.each, _CHOSEN)
        return _TOKENS * -(-self.ranks * self.shared // self.shared_ranks)

    def attributes(self, version: int) -> tuple[Any, ...]:
        return (self.zero, self.copied, self.constant) if version > 2 else ()


@dataclass(frozen=True)
class Row:
    """A token on its way: from where it comes, and for which expert it is."""

    rank: int
    token: int
    column: int
    smooth: int


def _taking_part(world: World, one: dict[str, Any], token: int, column: int) -> bool:
    if world.mask == "tokens":
        return bool(one["mask"][token])
    return bool(one["mask"][token, column]) if world.mask else True


def arrivals(
    world: World, given: Ranked, tokens: int = _TOKENS, chosen: int = _CHOSEN
) -> list[list[list[list[Row]]]]:
    """Return what arrives, by rank, by expert there, and by the rank it comes from."""
    copies = world.shared_ranks // world.shared if world.shared_ranks else 1
    result = []
    for home in range(world.ranks):
        of_home = []
        for local in range(world.here(home)):
            by_sender = []
            for sender, one in enumerate(given):
                rows = []
                for token in range(tokens):
                    parts = [k for k in range(chosen) if _taking_part(world, one, token, k)]
                    if home < world.shared_ranks:
                        if parts and sender % copies == home % copies:
                            index = home // copies
                            rows.append(Row(sender, token, chosen + index, index))
                        continue
                    expert = (home - world.shared_ranks) * world.each + local
                    at = expert + (world.shared if world.shared_ranks else 0)
                    rows += [
                        Row(sender, token, k, at) for k in parts if one["ids"][token, k] == expert
                    ]
                by_sender.append(rows)
            of_home.append(by_sender)
        result.append(of_home)
    return result


def _through_int8(row: Array) -> Array:
    """Eight numbers share a scale; what goes with them is the scale in the row's type."""
    blocks = row.astype(np.float32).reshape(-1, 8)
    scales = np.abs(blocks).max(1, keepdims=True) * np.float32(1 / 127)
    narrow = np.rint((blocks / scales).astype(np.float16)).astype(np.float64)
    again = narrow * scales.astype(row.dtype).astype(np.float64)
    return again.astype(row.dtype).reshape(row.shape)


def _exchanged(row: Array, narrowing: int) -> Array:
    """Return a row as it is behind the exchange."""
    if narrowing < 3:
        return (_through_int8(row) if narrowing else row).astype(np.float64)
    largest, exponent, dtype = (
        (57344, 15, ml_dtypes.float8_e5m2),
        (448, 8, ml_dtypes.float8_e4m3fn),
    )[narrowing - 3]
    blocks = row.astype(np.float64).reshape(-1, 32)
    scales = 2.0 ** (np.floor(np.log2(np.abs(blocks).max(1, keepdims=True))) - exponent)
    narrow = np.clip(blocks / scales, -largest, largest).astype(np.float32).astype(dtype)
    return (narrow.astype(np.float64) * scales).reshape(row.shape)


def _constant(world: World, one: dict[str, Any], token: int, number: int) -> Array:
    x = one["x"][token].astype(np.float64)
    alphas = [float(one[name][number].astype(np.float64) @ x) for name in ("alpha1", "alpha2")]
    parts = np.exp(np.array(alphas) - max(alphas))
    first, second = parts / parts.sum()
    return first * x + second * one["v"][number].astype(np.float64)


def combined(
    world: World, given: Ranked, back: list[Array], tokens: int = _TOKENS, chosen: int = _CHOSEN
) -> list[Array]:
    """Return the sum of what comes back, by token, on each rank; 7 where a token takes no part."""
    sums = [np.full((tokens, _WIDTH), 7.0) for _ in given]
    for one, total in zip(given, sums, strict=True):
        for token in range(tokens):
            parts = [k for k in range(chosen) if _taking_part(world, one, token, k)]
            if not parts:
                continue
            total[token] = one["added"][token] if "added" in one else 0
            for k in parts:
                number = int(one["ids"][token, k])
                weight = float(one["weights"][token, k])
                if number >= world.first_constant:
                    made = _constant(world, one, token, number - world.first_constant)
                    total[token] += weight * made
                elif number >= world.experts + world.zero:
                    total[token] += weight * one["x"][token].astype(np.float64)
    for home, experts in enumerate(arrivals(world, given, tokens, chosen)):
        rows = [row for senders in experts for rows in senders for row in rows]
        for place, row in enumerate(rows):
            line = back[home][place]
            line = _exchanged(line, world.narrowing)
            weights = given[row.rank]["weights"]
            weight = weights[row.token, row.column] if row.column < chosen else 1
            sums[row.rank][row.token] += float(weight) * line
    return sums


def _drawn(ranks: Ranks, world: World) -> Ranked:
    total = world.first_constant + world.constant
    given: Ranked = []
    for _ in range(world.ranks):
        ids = np.stack([ranks.rng.permutation(total)[:_CHOSEN] for _ in range(_TOKENS)])
        one = {
            "x": ranks.drawn((_TOKENS, _WIDTH), world.dtype),
            "ids": ids.astype(np.int32),
            "weights": np.abs(ranks.drawn((_TOKENS, _CHOSEN), np.float32)),
        }
        if world.quantised:
            rows = world.experts + (world.shared if world.shared_ranks else 0)
            one["smooth"] = np.abs(ranks.drawn((rows, _WIDTH), np.float32)) + np.float32(0.5)
        if world.mask == "tokens":
            one["mask"] = np.arange(_TOKENS) < 3
        elif world.mask:
            one["mask"] = ranks.rng.uniform(size=(_TOKENS, _CHOSEN)) < 0.6
            one["mask"][1] = False
        if world.constant:
            for name in ("alpha1", "alpha2", "v"):
                drawn = ranks.drawn((world.constant, _WIDTH), np.float32)
                one[name] = (drawn / (1 if name == "v" else 16)).astype(world.dtype)
        if not world.shared_ranks and not _is("Ascend910B"):
            one["added"] = ranks.drawn((_TOKENS, _WIDTH), world.dtype)
        given.append(one)
    return given


def _sent(ranks: Ranks, world: World, given: Ranked, version: int) -> list[Any]:
    gaps = Gaps(world.apart)

    def dispatch(member: Communicator, x: Any, ids: Any, smooth: Any = None, mask: Any = None,
                 **_: Any) -> Any:  # fmt: skip
        room, here = world.room(member.rank), world.here(member.rank)
        out = (
            gaps.zeros((room, _WIDTH), np.int8 if world.quantised else world.dtype),
            gaps.zeros((room,)),
            pa.zeros((room * 128,), np.int32),
            pa.zeros((here,), np.int64),
            pa.zeros((here * world.ranks,), np.int32),
        )
        times = pa.asarray(_times(world.ranks))
        getattr(pa.ops, f"moe_distribute_dispatch_v{version}")(
            x, ids, smooth, mask, None, *(None, times)[: version - 2], member, world.ranks,
            member.rank, world.experts, "", 0, 0, 0, world.shared, world.shared_ranks,
            2 if world.quantised else 0, 0, 0 if world.totals else 1, "fullmesh_v1",
            *world.attributes(version), out=(*out, pa.zeros((1,), np.int32), pa.zeros((room,))),
        )  # fmt: skip
        return *out, times

    results = ranks.each(dispatch, given)
    gaps.check()
    return results


def _times(ranks: int) -> Array:
    """Return times of which the first is longer than anyone waits, and the others shorter."""
    return np.array([10**9] + [-5] * (ranks - 1))


def _check_times(times: Array, written: bool) -> None:
    if not written:
        assert times.tolist() == _times(len(times)).tolist()
        return
    assert times[0] == 10**9
    assert ((times[1:] >= 0) & (times[1:] < 10**9)).all()


def check_rows(world: World, given: Ranked, wanted: list[Row], found: tuple[Any, ...]) -> None:
    """Compare rows of a rank, their scales and where they come from with those it should get."""
    rows, scales, assist = found
    triples = [[row.rank, row.token, row.column] for row in wanted]
    assert assist[: 3 * len(wanted)].reshape(-1, 3).tolist() == triples
    for place, row in enumerate(wanted):
        token = given[row.rank]["x"][row.token]
        if not world.quantised:
            assert rows[place].tobytes() == token.tobytes()
            continue
        scaled = token.astype(np.float32) * given[row.rank]["smooth"][row.smooth]
        most = np.abs(scaled).max()
        assert abs(scales[place] - most / 127) <= most * 2.0**-20
        assert np.abs(rows[place] - scaled * (127 / most)).max() <= 0.501


def _check_sent(world: World, given: Ranked, results: list[Any]) -> None:
    arrived = arrivals(world, given)
    for experts, (rows, scales, assist, numbers, received, _) in zip(arrived, results, strict=True):
        wanted = [row for senders in experts for rows_of in senders for row in rows_of]
        counts = [len(rows_of) for senders in experts for rows_of in senders]
        assert received.tolist() == np.cumsum(counts).tolist()
        each = [sum(len(rows_of) for rows_of in senders) for senders in experts]
        assert numbers.tolist() == (np.cumsum(each).tolist() if world.totals else each)
        check_rows(world, given, wanted, (rows, scales, assist))


def _returned(ranks: Ranks, world: World, given: Ranked, received: list[Array],
              back: list[Array], version: int) -> list[Any]:  # fmt: skip
    gaps = Gaps(world.apart)

    def combine(member: Communicator, back: Any, x: Any, ids: Any, weights: Any, counts: Any,
                mask: Any = None, added: Any = None, alpha1: Any = None, alpha2: Any = None,
                v: Any = None, **_: Any) -> Any:  # fmt: skip
        assist = pa.zeros((back.shape[0] * 128,), np.int32)
        out = gaps.zeros((_TOKENS, _WIDTH), world.dtype)
        out.copy_from(np.full((_TOKENS, _WIDTH), 7, world.dtype))
        ori = x if world.copied or world.constant else None
        times = pa.asarray(_times(world.ranks))
        special = (None, ori, alpha1, alpha2, v, times)[: version + 2]
        getattr(pa.ops, f"moe_distribute_combine_v{version}")(
            back, ids, assist, counts, weights, None, mask, None, None, None, None, added,
            *(special if version > 2 else ()), member, world.ranks, member.rank, world.experts,
            "", 0, 0, 0, world.shared, world.shared_ranks, 0, 0, world.narrowing, 0,
            "", *world.attributes(version), out=out,
        )  # fmt: skip
        return out, times

    both = [
        {**one, "counts": counts, "back": rows}
        for one, counts, rows in zip(given, received, back, strict=True)
    ]
    results = ranks.each(combine, both)
    gaps.check()
    return results


def _there_and_back(ranks: Ranks, world: World, version: int) -> None:
    given = _drawn(ranks, world)
    results = _sent(ranks, world, given, version)
    _check_sent(world, given, results)
    back = [ranks.drawn(rows.shape, world.dtype) for rows, *_ in results]
    received = [one[4] for one in results]
    results_back = _returned(ranks, world, given, received, back, version)
    for *_, times in results:
        _check_times(times, version == 4 and not _is("Ascend950"))
    for (found, times), wanted in zip(results_back, combined(world, given, back), strict=True):
        _check_times(times, version == 4)
        assert found.dtype == world.dtype
        step = 2.0 ** (-8 if world.dtype == HALVES[1] else -11)
        error = np.abs(found.astype(np.float64) - wanted)
        assert (error <= step * np.abs(wanted) + 2.0**-18).all(), (world, error.max())


def shared_experts(ranks: Ranks) -> None:
    """One expert or several on ranks of their own, of which each has one or more."""
    world = World(ranks.count, experts=2 * 3 * 5)
    for changed in (
        {"shared": 1, "shared_ranks": 1},
        {"shared": 2, "shared_ranks": 4, "quantised": True, "mask": "places"},
        {"shared": 1, "shared_ranks": 4, "mask": "tokens", "dtype": HALVES[1], "totals": True},
        {"shared": 3, "shared_ranks": 3, "quantised": True, "dtype": HALVES[1], "apart": True},
        {"shared": 1},
    ):
        for version in (2, 4):
            _there_and_back(ranks, replace(world, **changed), version)


def experts_without_weights(ranks: Ranks) -> None:
    """Zeros, the token itself and constants need no other rank."""
    world = World(ranks.count, experts=6, zero=2, copied=1, constant=3)
    for changed in (
        {},
        {"mask": "places", "dtype": HALVES[1]},
        {"mask": "tokens", "quantised": True, "copied": 0},
        {"shared": 2, "shared_ranks": 4, "mask": "places", "constant": 0},
        {"shared": 1, "shared_ranks": 3, "zero": 40},
    ):
        for version in (3, 4):
            _there_and_back(ranks, replace(world, **changed), version)


def experts_of_a2(ranks: Ranks) -> None:
    """Zeros and copies are all that A2 has of experts without weights."""
    world = World(ranks.count, experts=6, zero=2, copied=3)
    for changed in ({}, {"mask": "tokens", "quantised": True}, {"zero": 0, "dtype": HALVES[1]}):
        for version in (3, 4):
            _there_and_back(ranks, replace(world, **changed), version)


def narrow_results(ranks: Ranks, modes: tuple[int, ...] = (2,)) -> None:
    """Results go back in int8, or in 8 bit floats."""
    for narrowing in modes:
        world = World(ranks.count, experts=12, narrowing=narrowing)
        for changed in (
            {},
            {"dtype": HALVES[1], "mask": "places"},
            {"shared": 2, "shared_ranks": 2, "zero": 1, "copied": 2, "constant": 1},
        ):
            _there_and_back(ranks, replace(world, **changed), 4)


def normalised_results(ranks: Ranks) -> None:
    """With a residual and a normalisation, they are the operators apart, to the bit."""
    world = World(ranks.count, experts=6, shared=1, shared_ranks=3, zero=1, copied=1, constant=1,
                  dtype=HALVES[1], narrowing=2)  # fmt: skip
    given = _drawn(ranks, world)
    counts = [one[4] for one in _sent(ranks, world, given, 4)]
    back = [ranks.drawn((world.room(rank), _WIDTH), world.dtype) for rank in range(ranks.count)]
    apart = _returned(ranks, world, given, counts, back, 4)
    for one, number, rows, (combined_there, _) in zip(given, counts, back, apart, strict=True):
        one.update(counts=number, back=rows, apart=combined_there,
                   residual=ranks.drawn((_TOKENS, 1, _WIDTH), world.dtype),
                   gamma=ranks.drawn((_WIDTH,), world.dtype))  # fmt: skip

    def combine(
        member: Communicator,
        back: Any,
        x: Any,
        ids: Any,
        weights: Any,
        counts: Any,
        residual: Any,
        gamma: Any,
        alpha1: Any,
        alpha2: Any,
        v: Any,
        **_: Any,
    ) -> Any:
        assist = pa.zeros((back.shape[0] * 128,), np.int32)
        return pa.ops.moe_distribute_combine_add_rms_norm_v2(
            back, ids, assist, counts, weights, residual, gamma, *(None,) * 8, x, alpha1, alpha2, v,
            member, world.ranks, member.rank, world.experts, "", 0, 0, 0, world.shared,
            world.shared_ranks, 0, 0, world.narrowing, 0, "", 1e-6, *world.attributes(4),
        )  # fmt: skip

    def normalise(member: Communicator, apart: Any, residual: Any, gamma: Any, **_: Any) -> Any:
        return pa.ops.add_rms_norm(apart.reshape(_TOKENS, 1, _WIDTH), residual, gamma, 1e-6)

    found, wanted = ranks.each(combine, given), ranks.each(normalise, given)
    same(found, wanted, "moe_distribute_combine_add_rms_norm_v2")


def results_of_floats(ranks: Ranks) -> None:
    narrow_results(ranks, (3, 4))


def _is(chip: str) -> bool:
    return os.environ["PYACLNN_SIM_SOC"].startswith(chip)


def _half(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, HALVES[0])


def _int32(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, np.int32)


def refuses(
    call: Any, right: dict[str, Any], wrong: dict[str, Any], words: str, code: int = 561002
) -> None:
    """Check the status and what is said of it."""
    with pytest.raises(pa.AclError, match=re.escape(words)) as refused:
        call(**{**right, **wrong})
    assert refused.value.code == code, wrong


def _right(member: Communicator, ranks: int) -> dict[str, Any]:
    """Return what both ways have, of two experts on each rank."""
    return {
        "expert_ids": _int32(_TOKENS, _CHOSEN), "x_active_mask_optional": None,
        "group_ep": member, "ep_world_size": ranks, "ep_rank_id": 0, "moe_expert_num": 2 * ranks,
        "group_tp": "", "tp_world_size": 0, "tp_rank_id": 0, "expert_shard_type": 0,
        "shared_expert_num": 0, "shared_expert_rank_num": 0, "global_bs": 0, "comm_alg": "",
        "zero_expert_num": 0, "copy_expert_num": 0, "const_expert_num": 0,
        "elastic_info_optional": None, "performance_info_optional": None,
    }  # fmt: skip


def right_dispatch(member: Communicator, ranks: int) -> dict[str, Any]:
    """Return arguments of a dispatch on a rank."""
    room = 2 * _TOKENS * ranks
    return {
        **_right(member, ranks), "x": _half(_TOKENS, _WIDTH), "scales_optional": None,
        "expert_scales_optional": None, "quant_mode": 0, "expert_token_nums_type": 1,
        "expand_x_out": _half(room, _WIDTH), "dynamic_scales_out": pa.zeros((room,)),
        "assist_info_for_combine_out": _int32(room * 128),
        "expert_token_nums_out": pa.zeros((2,), np.int64),
        "ep_recv_counts_out": _int32(2 * ranks), "tp_recv_counts_out": _int32(1),
        "expand_scales_out": pa.zeros((room,)),
    }  # fmt: skip


def wrong_homes(ranks: Ranks) -> None:
    """Numbers of experts and ranks, and tensors, that do not go together, by what is said of it."""
    member, half, int32 = ranks.members[0], _half, _int32
    room = 2 * _TOKENS * ranks.count
    with member.device:
        both, dispatch = _right(member, ranks.count), right_dispatch(member, ranks.count)
        combine = {
            **both, "expand_x": half(room, _WIDTH), "assist_info_for_combine": int32(room * 128),
            "ep_send_counts": int32(12), "expert_scales": pa.zeros((_TOKENS, _CHOSEN)),
            **dict.fromkeys(f"{name}_optional" for name in (
                "tp_send_counts", "activation_scale", "weight_scale", "group_list", "expand_scales",
                "shared_expert_x", "ori_x", "const_expert_alpha1", "const_expert_alpha2",
                "const_expert_v")),
            "out_dtype": 0, "comm_quant_mode": 0, "group_list_type": 0,
            "x_out": half(_TOKENS, _WIDTH),
        }  # fmt: skip
        calls = (
            (pa.ops.moe_distribute_dispatch_v4, dispatch),
            (pa.ops.moe_distribute_combine_v4, combine),
        )
        shared = {"shared_expert_num": 1, "shared_expert_rank_num": 2}
        of_both: tuple[tuple[dict[str, Any], str], ...] = (
            ({"shared_expert_num": 5}, "sharedExpertNum is 5"),
            ({"shared_expert_num": -1}, "sharedExpertNum is -1"),
            ({"shared_expert_num": 2}, "sharedExpertNum is 2 beside 0 ranks"),
            ({"shared_expert_rank_num": 1}, "sharedExpertNum is 0 beside 1 ranks"),
            ({**shared, "shared_expert_rank_num": 6}, "sharedExpertRankNum is 6 of 6"),
            ({"shared_expert_num": 2, "shared_expert_rank_num": 3}, "is 2 beside 3 ranks"),
            ({**shared, "moe_expert_num": 6}, "moeExpertNum is 6 beside 4 ranks"),
            ({"moe_expert_num": 1026}, "moeExpertNum is 1026"),
            ({"expert_shard_type": 1}, "expertShardType is 1"),
            ({"zero_expert_num": -1}, "constExpertNum is -1"),
            ({"copy_expert_num": 2**31}, "constExpertNum is 2147483648"),
            ({"zero_expert_num": 2**31 - 1}, "2147483659 experts"),
            ({"moe_expert_num": 6, "expert_ids": int32(_TOKENS, 7)}, "has 7 columns"),
            ({"x_active_mask_optional": pa.zeros((_TOKENS,), bool), "global_bs": 36}, "globalBs"),
            ({**shared, "expert_ids": int32(_TOKENS, 13)}, "has 13 columns"),
        )
        for call, right in calls:
            for wrong, words in of_both:
                refuses(call, right, wrong, words)
        lines, constants = half(1, _WIDTH), ("alpha1", "alpha2", "v")
        const = {"const_expert_num": 1, "ori_x_optional": half(_TOKENS, _WIDTH),
                 **{f"const_expert_{name}_optional": lines for name in constants}}  # fmt: skip
        of_combine: tuple[tuple[dict[str, Any], str], ...] = (
            ({"copy_expert_num": 1}, "oriX is null"),
            ({**const, "ori_x_optional": None}, "oriX is null"),
            ({**const, "ori_x_optional": half(4, _WIDTH)}, "oriX has shape"),
            *(({**const, f"const_expert_{name}_optional": None}, "is null") for name in constants),
            *(
                ({**const, f"const_expert_{name}_optional": half(2, _WIDTH)}, "has shape")
                for name in constants
            ),
            ({"shared_expert_x_optional": half(_TOKENS * _WIDTH)}, "sharedExpertX has shape"),
            ({**shared, "shared_expert_x_optional": half(_TOKENS, _WIDTH)}, "sharedExpertX beside"),
            ({"ep_send_counts": int32(11)}, "epSendCounts has shape"),
            ({"expand_x": half(room - 1, _WIDTH)}, "of 60"),
            ({**shared, "expand_x": half(14, _WIDTH)}, "of 15"),
            ({**shared, "ep_send_counts": int32(5)}, "of 6 numbers"),
            ({"comm_quant_mode": 1}, "commQuantMode is 1"),
        )
        for wrong, words in of_combine:
            refuses(pa.ops.moe_distribute_combine_v4, combine, wrong, words)
        of_float32 = {**const, "const_expert_v_optional": pa.zeros((1, _WIDTH))}
        refuses(pa.ops.moe_distribute_combine_v4, combine, of_float32, "constExpertV", 161002)
        # 2 * 512 * (2 * 6 * 16896 + 3 * 16384) bytes are more than 200 MB.
        large = {
            "expand_x": half(1, 8192).broadcast_to((512 * 12, 8192)), "global_bs": 512 * 6,
            "assist_info_for_combine": int32(512 * 12 * 128), "x_out": half(_TOKENS, 8192),
        }  # fmt: skip
        words = "the exchange takes 257949696"
        refuses(pa.ops.moe_distribute_combine_v4, combine, large, words)
        times = {"performance_info_optional": pa.zeros((5,), np.int64)}
        for call, right in calls[1:] if _is("Ascend950") else calls:
            refuses(call, right, times, "performanceInfo has shape [5]")
        for algorithm in ("fullmesh", "hierarchy") if _is("Ascend950") else ("fullmesh",):
            for call, right in calls[: 2 if _is("Ascend950") else 1]:
                refuses(call, right, {"comm_alg": algorithm}, f'commAlg is "{algorithm}"')
        narrow = {"quant_mode": 2, "expand_x_out": pa.zeros((room, _WIDTH), np.int8)}
        one = pa.zeros((1,), np.int64)
        of_dispatch: tuple[tuple[dict[str, Any], str], ...] = (
            ({**shared, "expand_x_out": half(14, _WIDTH)}, "of 15 rows"),
            (shared, "expertTokenNumsOut has shape"),
            ({**shared, "expert_token_nums_out": one, "ep_recv_counts_out": int32(5)}, "epRecv"),
            ({**narrow, **shared, "scales_optional": pa.zeros((12, _WIDTH))}, "scales has shape"),
            ({**narrow, "scales_optional": pa.zeros((13, _WIDTH))}, "scales has shape"),
            ({"comm_alg": "fullmesh_v2", "expert_ids": int32(_TOKENS, 13),
              "zero_expert_num": 1}, "beside commAlg fullmesh_v2"),
        )  # fmt: skip
        for wrong, words in of_dispatch:
            refuses(pa.ops.moe_distribute_dispatch_v4, dispatch, wrong, words)
