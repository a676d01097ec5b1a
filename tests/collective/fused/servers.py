"""Two servers of Atlas A2: results of experts are added up on their server before they go on."""

from __future__ import annotations

import os
from typing import Any

import ml_dtypes
import numpy as np
from collective.fused.homes import refuses
from collective.fused.ranks import HALVES, Array, Ranked, Ranks

import pyaclnn as pa
from pyaclnn.collective import Communicator

_TOKENS, _CHOSEN, _WIDTH, _LOCAL, _OF_SERVER = 3, 5, 64, 2, 8
_VARIABLES = {"HCCL_INTRA_PCIE_ENABLE": "1", "HCCL_INTRA_ROCE_ENABLE": "0"}


def _sizes(count: int) -> tuple[int, int, int]:
    """Return how many experts there are, rows that a rank may get, and numbers of epRecvCounts."""
    total = count * _LOCAL
    room = _TOKENS * count * min(_LOCAL, _CHOSEN)
    return total, room, total + 2 * _TOKENS * count * _CHOSEN * (count // _OF_SERVER)


def _drawn(ranks: Ranks, dtype: Any) -> Ranked:
    """Return numbers whose products and sums float32 holds, so that only what is meant rounds."""
    total = ranks.count * _LOCAL
    return [
        {
            "x": (ranks.rng.integers(-64, 64, (_TOKENS, _WIDTH)) / 32).astype(dtype),
            "ids": np.stack(
                [ranks.rng.permutation(total)[:_CHOSEN] for _ in range(_TOKENS)]
            ).astype(np.int32),
            "weights": (ranks.rng.integers(1, 1024, (_TOKENS, _CHOSEN)) / 1024).astype(np.float32),
        }
        for _ in ranks.members
    ]


def _dispatched(ranks: Ranks, given: Ranked, version: int, algorithm: str, narrow: bool) -> Any:
    total, room, numbers = _sizes(ranks.count)

    def call(member: Communicator, x: Any, ids: Any, weights: Any) -> Any:
        outs = (
            pa.zeros((room, _WIDTH), np.int8 if narrow else x.dtype), pa.zeros((room,)),
            pa.zeros((room * 128 if version > 1 else _TOKENS * _CHOSEN,), np.int32),
            pa.zeros((_LOCAL,), np.int64), pa.zeros((numbers,), np.int32),
            pa.zeros((1,), np.int32), pa.zeros((room,)),
        )  # fmt: skip
        world = (member, ranks.count, member.rank, total, "", 0, 0, 0, 0, 0, 2 * narrow, 0, 1)
        name = "moe_distribute_dispatch" + (f"_v{version}" if version > 1 else "")
        more = (None, None)[: max(version - 2, 0)]
        special = (0, 0, 0) if version > 2 else ()
        last = (algorithm, *special) if version > 1 else ()
        getattr(pa.ops, name)(x, ids, None, None, weights, *more, *world, *last, out=outs)
        return outs

    return ranks.each(call, given)


def _combined(ranks: Ranks, given: Ranked, version: int, algorithm: str, mode: int) -> Any:
    total, room, _ = _sizes(ranks.count)

    def call(member: Communicator, back: Any, ids: Any, weights: Any, counts: Any, row_weights: Any,
             **_: Any) -> Any:  # fmt: skip
        out = pa.zeros((_TOKENS, _WIDTH), back.dtype)
        assist = pa.zeros((room * 128 if version > 1 else _TOKENS * _CHOSEN,), np.int32)
        world = (member, ranks.count, member.rank, total, "", 0, 0, 0, 0, 0, 0, 0, mode, 0)
        name = "moe_distribute_combine" + (f"_v{version}" if version > 1 else "")
        more = (None,) * (0, 0, 1, 6, 7)[version]
        special = (0, 0, 0) if version > 2 else ()
        last = (algorithm, *special) if version > 1 else ()
        getattr(pa.ops, name)(
            back, ids, assist, counts, weights, None, None, None, None, None, row_weights, *more,
            *world, *last, out=out,
        )  # fmt: skip
        return out

    return ranks.each(call, given)


def _check_arrived(given: Ranked, results: list[Any], narrow: bool) -> list[list[Any]]:
    """Rows lie by expert, then by the rank they come from; return which these are."""
    arrived = []
    for rank, (rows, scales, _, numbers, received, _, row_weights) in enumerate(results):
        wanted: list[Any] = []
        ends, each = [], []
        for expert in range(rank * _LOCAL, (rank + 1) * _LOCAL):
            before = len(wanted)
            for sender, one in enumerate(given):
                for token, ids in enumerate(one["ids"].tolist()):
                    if expert in ids:
                        wanted.append((sender, token, ids.index(expert)))
                ends.append(len(wanted))
            each.append(len(wanted) - before)
        assert received[: len(ends)].tolist() == ends
        assert numbers.tolist() == each
        weights = [float(given[sender]["weights"][token, k]) for sender, token, k in wanted]
        assert row_weights[: len(wanted)].tolist() == weights
        for place, (sender, token, _) in enumerate(wanted):
            row = given[sender]["x"][token]
            if not narrow:
                assert rows[place].tobytes() == row.tobytes()
                continue
            most = np.float32(127) / np.abs(row.astype(np.float32)).max()
            assert rows[place].tolist() == np.rint(row.astype(np.float32) * most).tolist()
            assert scales[place] == np.float32(1) / most
        arrived.append(wanted)
    return arrived


def _through_int8(total: Array, part: Array, dtype: Any) -> Array:
    """Return a sum, to which that of a server is added that comes as numbers of 8 bits."""
    if dtype == HALVES[0]:
        blocks = part.astype(np.float16).reshape(-1, 16)
        scales = np.abs(blocks).max(1, keepdims=True) * np.float16(1 / 127)
        numbers = np.rint((blocks / scales).astype(np.float64))
        added = (numbers * scales.astype(np.float64)).reshape(-1)
        return np.asarray((total + added).astype(np.float16).astype(np.float64))
    blocks = part.astype(np.float32).reshape(-1, 8)
    scales = np.abs(blocks).max(1, keepdims=True) * np.float32(1 / 127)
    numbers = np.rint((blocks / scales).astype(np.float16).astype(np.float64))
    added = numbers * scales.astype(ml_dtypes.bfloat16).astype(np.float64)
    return np.asarray((total + added.reshape(-1)).astype(np.float32).astype(np.float64))


def _golden(given: Ranked, arrived: list[list[Any]], dtype: Any, mode: int) -> list[Array]:
    """Return the sums of the ranks, made for all of them together."""
    parts = np.zeros((len(given), _TOKENS, len(given) // _OF_SERVER, _WIDTH))
    there = np.zeros(parts.shape[:-1], bool)
    for rank, wanted in enumerate(arrived):
        for place, (sender, token, k) in enumerate(wanted):
            weight = float(given[sender]["weights"][token, k])
            row = given[rank]["back"][place].astype(np.float64)
            parts[sender, token, rank // _OF_SERVER] += weight * row
            there[sender, token, rank // _OF_SERVER] = True
    results = []
    for sender in range(len(given)):
        total = np.zeros((_TOKENS, _WIDTH))
        for token in range(_TOKENS):
            for server in np.flatnonzero(there[sender, token]):
                part = parts[sender, token, server]
                if mode:
                    total[token] = _through_int8(total[token], part, dtype)
                else:
                    total[token] += part.astype(dtype).astype(np.float64)
        results.append(total.astype(np.float32).astype(dtype))
    return results


def by_server(ranks: Ranks) -> None:
    """What is added up, and where it is rounded, is exact to the bit."""
    cases: tuple[tuple[int, str, Any, bool, int], ...] = (
        (2, "hierarchy", HALVES[0], False, 0), (2, "", HALVES[1], True, 0),
        (3, "hierarchy", HALVES[1], False, 2), (4, "hierarchy", HALVES[0], True, 2),
        (4, "", HALVES[1], False, 0), (1, "", HALVES[0], False, 0),
    )  # fmt: skip
    for version, algorithm, dtype, narrow, mode in cases:
        if not algorithm:
            os.environ.update(_VARIABLES)
        given = _drawn(ranks, dtype)
        results = _dispatched(ranks, given, version, algorithm, narrow)
        arrived = _check_arrived(given, results, narrow)
        for one, (rows, *_, counts, _, row_weights) in zip(given, results, strict=True):
            drawn = ranks.rng.integers(-64, 64, rows.shape) / 32
            one.update(back=drawn.astype(dtype), counts=counts, row_weights=row_weights)
        found = _combined(ranks, given, version, algorithm, mode)
        golden = _golden(given, arrived, dtype, mode)
        for got, wanted in zip(found, golden, strict=True):
            assert got.dtype == dtype
            assert got.tobytes() == wanted.tobytes(), (version, algorithm, dtype, mode)
        for variable in _VARIABLES:
            os.environ.pop(variable, None)


def wrong_servers(ranks: Ranks) -> None:
    """What does not go with sums by server, or has to."""
    total, room, numbers = _sizes(ranks.count)
    member, half = ranks.members[0], np.dtype(np.float16)
    with member.device:
        both = {
            "expert_ids": pa.zeros((_TOKENS, _CHOSEN), np.int32), "x_active_mask_optional": None,
            "group_ep": member, "ep_world_size": ranks.count, "ep_rank_id": 0,
            "moe_expert_num": total, "group_tp": "", "tp_world_size": 0, "tp_rank_id": 0,
            "expert_shard_type": 0, "shared_expert_num": 0, "shared_expert_rank_num": 0,
            "global_bs": 0, "comm_alg": "hierarchy", "zero_expert_num": 0, "copy_expert_num": 0,
            "const_expert_num": 0, "elastic_info_optional": None,
            "performance_info_optional": None,
        }  # fmt: skip
        there = {
            **both, "x": pa.zeros((_TOKENS, _WIDTH), half), "scales_optional": None,
            "expert_scales_optional": pa.zeros((_TOKENS, _CHOSEN)), "quant_mode": 0,
            "expert_token_nums_type": 1, "expand_x_out": pa.zeros((room, _WIDTH), half),
            "dynamic_scales_out": pa.zeros((room,)),
            "assist_info_for_combine_out": pa.zeros((room * 128,), np.int32),
            "expert_token_nums_out": pa.zeros((_LOCAL,), np.int64),
            "ep_recv_counts_out": pa.zeros((numbers,), np.int32),
            "tp_recv_counts_out": pa.zeros((1,), np.int32),
            "expand_scales_out": pa.zeros((room,)),
        }  # fmt: skip
        back = {
            **both, "expand_x": pa.zeros((room, _WIDTH), half),
            "assist_info_for_combine": pa.zeros((room * 128,), np.int32),
            "ep_send_counts": pa.zeros((numbers,), np.int32),
            "expert_scales": pa.zeros((_TOKENS, _CHOSEN)),
            "expand_scales_optional": pa.zeros((room,)),
            **dict.fromkeys(f"{name}_optional" for name in (
                "tp_send_counts", "activation_scale", "weight_scale", "group_list",
                "shared_expert_x", "ori_x", "const_expert_alpha1", "const_expert_alpha2",
                "const_expert_v")),
            "out_dtype": 0, "comm_quant_mode": 0, "group_list_type": 0,
            "x_out": pa.zeros((_TOKENS, _WIDTH), half),
        }  # fmt: skip
        short, few = pa.zeros((numbers - 1,), np.int32), pa.zeros((room - 1,))
        none: dict[str, Any] = {"x_active_mask_optional": pa.zeros((_TOKENS,), bool)}
        for call, right, wrong, words, code in (
            (
                pa.ops.moe_distribute_dispatch_v4,
                there,
                {"expert_scales_optional": None},
                "expertScalesOptional is null",
                561002,
            ),
            (
                pa.ops.moe_distribute_dispatch_v4,
                there,
                {"expand_scales_out": pa.zeros((0,))},
                "expandScalesOut is null",
                561002,
            ),
            (
                pa.ops.moe_distribute_dispatch_v4,
                there,
                {"ep_recv_counts_out": short},
                "epRecvCountsOut has",
                561002,
            ),
            (
                pa.ops.moe_distribute_dispatch_v4,
                there,
                {"moe_expert_num": 1024},
                "moeExpertNum is 1024",
                561002,
            ),
            (pa.ops.moe_distribute_dispatch_v4, there, none, "a mask", 561003),
            (pa.ops.moe_distribute_dispatch_v4, there, {"zero_expert_num": 1}, "a mask", 561003),
            (
                pa.ops.moe_distribute_dispatch_v4,
                there,
                {"ep_world_size": 24, "moe_expert_num": 48},
                "epWorldSize is 24",
                561002,
            ),
            (
                pa.ops.moe_distribute_combine_v4,
                back,
                {"expand_scales_optional": None},
                "expandScalesOptional is null",
                561002,
            ),
            (
                pa.ops.moe_distribute_combine_v4,
                back,
                {"expand_scales_optional": few},
                "expandScalesOptional has",
                561002,
            ),
            (
                pa.ops.moe_distribute_combine_v4,
                back,
                {"ep_send_counts": short},
                "epSendCounts has",
                561002,
            ),
            (pa.ops.moe_distribute_combine_v4, back, none, "a mask", 561003),
            (
                pa.ops.moe_distribute_combine_v4,
                back,
                {"comm_alg": "fullmesh", "comm_quant_mode": 2},
                "commQuantMode is 2",
                561002,
            ),
        ):
            refuses(call, right, wrong, words, code)
