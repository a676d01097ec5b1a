"""Experts of which two ranks have a part each: groupTp, a communicator of these two."""

from __future__ import annotations

from typing import Any

import numpy as np
from collective.fused.homes import World, arrivals, combined, refuses, right_dispatch
from collective.fused.ranks import HALVES, Array, Ranked, Ranks

import pyaclnn as pa
from pyaclnn.collective import Communicator

_TOKENS, _WIDTH = 5, 1024


def groups(ranks: Ranks) -> tuple[dict[int, Communicator], dict[int, Communicator]]:
    """Return for each device its member of every other device's, and of its pair's."""
    devices = range(ranks.count)
    by_expert = [devices[0::2], devices[1::2]]
    by_part = [devices[i : i + 2] for i in range(0, ranks.count, 2)]
    experts, parts = (
        {d: m for group in of for d, m in zip(group, Communicator.all_devices(group), strict=True)}
        for of in (by_expert, by_part)
    )
    return experts, parts


def parts(ranks: Ranks) -> None:
    """Both of a pair have the rows of both, and the sum of their results goes back."""
    by_expert, by_part = groups(ranks)
    for shared, dtype, quantised in ((0, HALVES[1], False), (1, HALVES[0], True)):
        count = ranks.count // 2
        world = World(count, experts=count - shared, shared=shared, shared_ranks=shared,
                      dtype=dtype, quantised=quantised)  # fmt: skip
        chosen = world.experts - 1
        given: Ranked = [_drawn(ranks, world, chosen) for _ in ranks.members]
        rooms = [_TOKENS * count * 2 for _ in ranks.members]

        def dispatch(member: Communicator, x: Any, ids: Any, smooth: Any = None,
                     world: World = world, rooms: Any = rooms, **_: Any) -> Any:  # fmt: skip
            room = rooms[member.rank]
            out = (
                pa.zeros((room, _WIDTH), np.int8 if world.quantised else world.dtype),
                pa.zeros((room,)), pa.zeros((room * 64,), np.int32), pa.zeros((1,), np.int64),
                pa.zeros((2 * world.ranks,), np.int32), pa.zeros((2,), np.int32), pa.zeros((room,)),
            )  # fmt: skip
            pa.ops.moe_distribute_dispatch_v3(
                x, ids, smooth, None, None, None, by_expert[member.rank], world.ranks,
                member.rank // 2, world.experts, by_part[member.rank], 2, member.rank % 2, 0,
                world.shared, world.shared_ranks, 2 if world.quantised else 0, 0, 1, "",
                0, 0, 0, out=out,
            )  # fmt: skip
            return out

        results = ranks.each(dispatch, given)
        arrived = [arrivals(world, given[part::2], _TOKENS, chosen) for part in range(2)]
        counts = [[[len(rows) for rows in here[0]] for here in of_part] for of_part in arrived]
        for rank, (rows, scales, _, numbers, received, of_pair, _) in enumerate(results):
            home, part = divmod(rank, 2)
            own, other = counts[part][home], counts[1 - part][home]
            assert received.tolist() == [*np.cumsum(own), *np.cumsum(other)]
            assert of_pair.tolist() == [sum(counts[0][home]), sum(counts[1][home])]
            assert numbers.tolist() == [sum(own) + sum(other)]
            place = 0
            for of_part in (part, 1 - part):
                for senders in arrived[of_part][home][0]:
                    for row in senders:
                        one = given[2 * row.rank + of_part]
                        token = one["x"][row.token].astype(np.float32)
                        if quantised:
                            token = token * one["smooth"][row.smooth]
                            most = np.abs(token).max()
                            assert abs(scales[place] - most / 127) <= most * 2.0**-20
                            token = token * (127 / most)
                        bound = 0.501 if quantised else 0
                        assert np.abs(rows[place] - token).max() <= bound
                        place += 1

        back = [ranks.drawn((rooms[0], _WIDTH), dtype) for _ in ranks.members]
        for rank, one in enumerate(given):
            one.update(back=back[rank], counts=results[rank][4], of_pair=results[rank][5])

        def combine(member: Communicator, back: Any, ids: Any, weights: Any, counts: Any,
                    of_pair: Any, world: World = world, **_: Any) -> Any:  # fmt: skip
            return pa.ops.moe_distribute_combine_v2(
                back, ids, pa.zeros((back.shape[0] * 64,), np.int32), counts, weights, of_pair,
                None, None, None, None, None, None, by_expert[member.rank], world.ranks,
                member.rank // 2, world.experts, by_part[member.rank], 2, member.rank % 2, 0,
                world.shared, world.shared_ranks, 0, 0, 0, 0, "",
            )  # fmt: skip

        found = ranks.each(combine, given)
        for part in range(2):
            sums = [_sum(back, counts, home, part) for home in range(count)]
            wanted = combined(world, given[part::2], sums, _TOKENS, chosen)
            for got, golden in zip(found[part::2], wanted, strict=True):
                step = 2.0 ** (-8 if dtype == HALVES[1] else -11)
                assert (np.abs(got - golden) <= step * np.abs(golden) + 2.0**-18).all()


def _drawn(ranks: Ranks, world: World, chosen: int) -> dict[str, Any]:
    ids = [ranks.rng.permutation(world.experts)[:chosen] for _ in range(_TOKENS)]
    one = {
        "x": ranks.drawn((_TOKENS, _WIDTH), world.dtype),
        "ids": np.array(ids, np.int32),
        "weights": np.abs(ranks.drawn((_TOKENS, chosen), np.float32)),
    }
    if world.quantised:
        rows = world.experts + world.shared
        one["smooth"] = np.abs(ranks.drawn((rows, _WIDTH), np.float32)) + np.float32(0.5)
    return one


def _sum(back: list[Array], counts: list[list[list[int]]], home: int, part: int) -> Array:
    """Return what both of a pair made of the rows that one of them got."""
    own, other = (sum(counts[p][home]) for p in (part, 1 - part))
    first, second = back[2 * home + part][:own], back[2 * home + 1 - part][other : other + own]
    return (first.astype(np.float32) + second.astype(np.float32)).astype(first.dtype)


def wrong_parts(ranks: Ranks) -> None:
    """Pairs that are none, and what does not go with them."""
    by_expert, by_part = groups(ranks)
    count = ranks.count // 2
    with ranks.members[0].device:
        right = {
            **right_dispatch(by_expert[0], count), "group_tp": by_part[0], "tp_world_size": 2,
            "moe_expert_num": count, "ep_recv_counts_out": pa.zeros((2 * count,), np.int32),
            "expert_ids": pa.zeros((5, 2), np.int32),
            "expert_token_nums_out": pa.zeros((1,), np.int64),
            "tp_recv_counts_out": pa.zeros((2,), np.int32),
        }  # fmt: skip
        for changed, words in (
            ({"tp_world_size": 3}, "tpWorldSize is 3"),
            ({"tp_world_size": -1}, "tpWorldSize is -1"),
            ({"tp_rank_id": 2}, "tpRankId is 2 of 2"),
            ({"tp_world_size": 1, "tp_rank_id": 1}, "tpRankId is 1 of 1"),
            ({"group_tp": ""}, "groupTp is empty"),
            ({"group_tp": by_expert[0]}, "are one"),
            ({"moe_expert_num": 2 * count}, "2 experts of a rank"),
            ({"comm_alg": "fullmesh_v2"}, "fullmesh_v2"),
            ({"tp_recv_counts_out": pa.zeros((1,), np.int32)}, "tpRecvCountsOut has shape [1]"),
            ({"ep_recv_counts_out": pa.zeros((2 * count - 1,), np.int32)}, "epRecvCountsOut has"),
            ({"expand_x_out": pa.zeros((10 * count - 1, 1024), "float16")}, "expandXOut has"),
        ):
            refuses(pa.ops.moe_distribute_dispatch_v4, right, changed, words)
        given = {"expand_x": pa.zeros((10 * count, 1024), "float16"), **right}
        combine = {
            **{name: given[name] for name in (
                "expand_x", "expert_ids", "group_ep", "ep_world_size", "ep_rank_id",
                "moe_expert_num", "group_tp", "tp_world_size", "tp_rank_id", "expert_shard_type",
                "shared_expert_num", "shared_expert_rank_num", "global_bs", "comm_alg")},
            **dict.fromkeys(f"{name}_optional" for name in (
                "x_active_mask", "activation_scale", "weight_scale", "group_list", "expand_scales",
                "shared_expert_x")),
            "assist_info_for_combine": right["assist_info_for_combine_out"],
            "ep_send_counts": right["ep_recv_counts_out"], "out_dtype": 0, "group_list_type": 0,
            "expert_scales": pa.zeros((5, 2)), "comm_quant_mode": 0,
            "tp_send_counts_optional": right["tp_recv_counts_out"],
            "x_out": pa.zeros((5, 1024), "float16"),
        }  # fmt: skip
        for changed, words in (
            ({"tp_send_counts_optional": None}, "tpSendCounts is null"),
            ({"tp_send_counts_optional": pa.zeros((1,), np.int32)}, "tpSendCounts is null, or not"),
            ({"comm_quant_mode": 2}, "commQuantMode is 2 beside"),
            ({"ep_send_counts": pa.zeros((2 * count - 1,), np.int32)}, "epSendCounts has"),
            ({"expand_x": pa.zeros((10 * count - 1, 1024), "float16")}, "expandX has"),
            ({"assist_info_for_combine": pa.zeros((127,), np.int32)}, "assistInfoForCombine has"),
        ):
            refuses(pa.ops.moe_distribute_combine_v2, combine, changed, words)
