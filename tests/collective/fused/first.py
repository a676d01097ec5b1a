"""The first version: ranks of the one shared expert each have a part of every rank's tokens."""

from __future__ import annotations

from typing import Any

import numpy as np
from collective.fused.homes import refuses
from collective.fused.pairs import groups
from collective.fused.ranks import HALVES, Array, Ranked, Ranks

import pyaclnn as pa
from pyaclnn.collective import Communicator

_TOKENS, _CHOSEN, _WIDTH = 5, 2, 7168


class World:
    """Which ranks there are, and where their tokens go."""

    def __init__(self, ranks: int, shared_ranks: int, each: int) -> None:
        self.ranks, self.shared_ranks, self.each = ranks, shared_ranks, each
        self.experts = each * (ranks - shared_ranks)

    def here(self, rank: int) -> int:
        return 1 if rank < self.shared_ranks else self.each

    def room(self, rank: int) -> int:
        if rank < self.shared_ranks:
            return _TOKENS * self.ranks // self.shared_ranks
        return _TOKENS * self.ranks * min(self.each, _CHOSEN)

    def parts(self, rank: int) -> list[int]:
        """Return how many of a rank's tokens are of each part; those of all ranks are even."""
        ends = [(rank + i) * _TOKENS // self.shared_ranks for i in range(self.shared_ranks + 1)]
        return np.diff(ends).tolist()

    def arrivals(self, given: Ranked) -> list[tuple[list[tuple[int, int, int]], list[int]]]:
        """Return by rank the rows that arrive, as rank, token and column, and their numbers."""
        results = []
        for home in range(self.ranks):
            rows: list[tuple[int, int, int]] = []
            counts: list[int] = []
            if home < self.shared_ranks:
                rows = [(home, token, _CHOSEN) for token in range(_TOKENS)]
                counts = self.parts(home)
                for sender in range(self.shared_ranks, self.ranks):
                    target = np.repeat(np.arange(self.shared_ranks), self.parts(sender))
                    tokens = np.flatnonzero(target == home).tolist()
                    rows += [(sender, token, _CHOSEN) for token in tokens]
                    counts.append(len(tokens))
                results.append((rows, counts))
                continue
            for expert in range(self.each):
                number = (home - self.shared_ranks) * self.each + expert
                for sender, one in enumerate(given):
                    found = [
                        (sender, token, ids.index(number))
                        for token, ids in enumerate(one["ids"].tolist()) if number in ids
                    ]  # fmt: skip
                    rows += found
                    counts.append(len(found))
            results.append((rows, counts))
        return results


def _drawn(ranks: Ranks, world: World, dtype: Any, smooth: bool) -> dict[str, Any]:
    one: dict[str, Any] = {
        "x": ranks.drawn((_TOKENS, _WIDTH), dtype),
        "ids": np.stack(
            [ranks.rng.permutation(world.experts)[:_CHOSEN] for _ in range(_TOKENS)]
        ).astype(np.int32),
        "weights": ranks.rng.choice([0.5, 1, 2], (_TOKENS, _CHOSEN)).astype(np.float32),
    }
    if smooth:
        rows = world.experts + (1 if world.shared_ranks else 0)
        one["smooth"] = np.abs(ranks.drawn((rows, _WIDTH), np.float32)) + np.float32(0.5)
    return one


def _check_rows(world: World, given: Ranked, rank: int, wanted: Any, rows: Array, scales: Array,
                start: int = 0) -> None:  # fmt: skip
    for place, (sender, token, column) in enumerate(wanted, start):
        row = given[sender]["x"][token]
        if "smooth" not in given[sender]:
            assert rows[place].tobytes() == row.tobytes(), (rank, place)
            continue
        expert = int(given[sender]["ids"][token, column]) + 1 if column < _CHOSEN else 0
        factors = given[sender]["smooth"][expert if world.shared_ranks else expert - 1]
        scaled = row.astype(np.float32) * factors
        most = np.abs(scaled).max()
        assert abs(scales[place] - most / 127) <= most * 2.0**-20
        assert np.abs(rows[place] - scaled * (127 / most)).max() <= 0.501


def _golden(given: Ranked, arrived: Any, back: list[Array], dtype: Any) -> list[Array]:
    """Return the sums: numbers are such that only the last step rounds."""
    sums = [np.zeros((_TOKENS, _WIDTH)) for _ in given]
    for home, (rows, _) in enumerate(arrived):
        for place, (sender, token, column) in enumerate(rows):
            weight = float(given[sender]["weights"][token, column]) if column < _CHOSEN else 1.0
            sums[sender][token] += weight * back[home][place].astype(np.float64)
    return [total.astype(np.float32).astype(dtype) for total in sums]


def shared_expert(ranks: Ranks) -> None:
    """Tokens go to parts of the ranks of the shared expert, which keep their own."""
    for shared_ranks, dtype, smooth in ((2, HALVES[0], False), (4, HALVES[1], True)):
        world = World(ranks.count, shared_ranks, 2)
        given: Ranked = [_drawn(ranks, world, dtype, smooth) for _ in ranks.members]

        def dispatch(member: Communicator, x: Any, ids: Any, smooth: Any = None,
                     world: World = world, **_: Any) -> Any:  # fmt: skip
            room, here = world.room(member.rank), world.here(member.rank)
            outs = (
                pa.zeros((room, _WIDTH), x.dtype if smooth is None else np.int8),
                pa.zeros((room,)), pa.zeros((_TOKENS * _CHOSEN,), np.int32),
                pa.zeros((here,), np.int64), pa.zeros((here * world.ranks,), np.int32),
                pa.zeros((1,), np.int32), pa.zeros((room,)),
            )  # fmt: skip
            pa.ops.moe_distribute_dispatch(
                x, ids, smooth, None, None, member, world.ranks, member.rank, world.experts, "", 0,
                0, 0, 1, world.shared_ranks, 0 if smooth is None else 2, 0, 1, out=outs,
            )  # fmt: skip
            return outs

        results = ranks.each(dispatch, given)
        arrived = world.arrivals(given)
        for rank, ((wanted, counts), (rows, scales, _, numbers, received, _, _)) in enumerate(
            zip(arrived, results, strict=True)
        ):
            assert received.tolist() == np.cumsum(counts).tolist()
            of_each = np.sum(np.reshape(counts, (world.here(rank), -1)), axis=1)
            assert numbers.tolist() == of_each.tolist()
            _check_rows(world, given, rank, wanted, rows, scales)
        for one, (rows, _, index, _, counts, _, _) in zip(given, results, strict=True):
            drawn = ranks.rng.integers(-64, 64, rows.shape) / 32
            one.update(back=drawn.astype(dtype), index=index, counts=counts)

        def combine(member: Communicator, back: Any, ids: Any, index: Any, counts: Any,
                    weights: Any, world: World = world, **_: Any) -> Any:  # fmt: skip
            return pa.ops.moe_distribute_combine(
                back, ids, index, counts, weights, None, None, None, None, None, None, member,
                world.ranks, member.rank, world.experts, "", 0, 0, 0, 1, world.shared_ranks, 0, 0,
                0, 0,
            )  # fmt: skip

        golden = _golden(given, arrived, [one["back"] for one in given], dtype)
        for got, wanted in zip(ranks.each(combine, given), golden, strict=True):
            assert got.tobytes() == wanted.tobytes()


def _pair_sum(one: Array, other: Array, dtype: Any) -> Array:
    """Return a sum in the type; of two bfloat16 that are as near the larger one is taken."""
    total = one.astype(np.float32) + other.astype(np.float32)
    if dtype == HALVES[0]:
        return total.astype(dtype)
    low = (total.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
    high = ((total.view(np.uint32) & np.uint32(0xFFFF0000)) + np.uint32(0x10000)).view(np.float32)
    return np.where(np.abs(total - low) < np.abs(high - total), low, high).astype(dtype)


def pairs_of_ranks(ranks: Ranks) -> None:
    """Both of a pair have the rows of both, and the sum of their results goes back."""
    by_expert, by_part = groups(ranks)
    count = ranks.count // 2
    for shared_ranks, dtype in ((0, HALVES[1]), (2, HALVES[0])):
        world = World(count, shared_ranks, 1)
        given: Ranked = [_drawn(ranks, world, dtype, False) for _ in ranks.members]
        rooms = [2 * world.room(rank // 2) for rank in range(ranks.count)]
        attributes = (0, 1, shared_ranks)

        def dispatch(member: Communicator, x: Any, ids: Any, world: World = world,
                     rooms: Any = rooms, attributes: Any = attributes,
                     **_: Any) -> Any:  # fmt: skip
            room = rooms[member.rank]
            outs = (
                pa.zeros((room, _WIDTH), x.dtype), pa.zeros((room,)),
                pa.zeros((_TOKENS * _CHOSEN,), np.int32), pa.zeros((1,), np.int64),
                pa.zeros((2 * world.ranks,), np.int32), pa.zeros((2,), np.int32),
                pa.zeros((room,)),
            )  # fmt: skip
            pa.ops.moe_distribute_dispatch(
                x, ids, None, None, None, by_expert[member.rank], world.ranks, member.rank // 2,
                world.experts, by_part[member.rank], 2, member.rank % 2, *attributes, 0, 0, 1,
                out=outs,
            )  # fmt: skip
            return outs

        results = ranks.each(dispatch, given)
        arrived = [world.arrivals(given[part::2]) for part in range(2)]
        for rank, (rows, scales, _, numbers, received, of_pair, _) in enumerate(results):
            home, part = divmod(rank, 2)
            (own, counts), (other, others) = arrived[part][home], arrived[1 - part][home]
            assert received.tolist() == [*np.cumsum(counts), *np.cumsum(others)]
            assert of_pair.tolist() == [len(arrived[0][home][0]), len(arrived[1][home][0])]
            assert numbers.tolist() == [len(own) + len(other)]
            _check_rows(world, given[part::2], rank, own, rows, scales)
            _check_rows(world, given[1 - part :: 2], rank, other, rows, scales, len(own))
        for one, (rows, _, index, _, counts, of_pair, _) in zip(given, results, strict=True):
            drawn = ranks.rng.integers(-512, 512, rows.shape) / 256
            one.update(back=drawn.astype(dtype), index=index, counts=counts, of_pair=of_pair)

        def combine(member: Communicator, back: Any, ids: Any, index: Any, counts: Any,
                    of_pair: Any, weights: Any, world: World = world, attributes: Any = attributes,
                    **_: Any) -> Any:  # fmt: skip
            return pa.ops.moe_distribute_combine(
                back, ids, index, counts, weights, of_pair, None, None, None, None, None,
                by_expert[member.rank], world.ranks, member.rank // 2, world.experts,
                by_part[member.rank], 2, member.rank % 2, *attributes, 0, 0, 0, 0,
            )  # fmt: skip

        found = ranks.each(combine, given)
        for part in range(2):
            sums = []
            for home in range(count):
                own, other = (len(arrived[p][home][0]) for p in (part, 1 - part))
                first = given[2 * home + part]["back"][:own]
                second = given[2 * home + 1 - part]["back"][other : other + own]
                sums.append(_pair_sum(first, second, dtype))
            golden = _golden(given[part::2], arrived[part], sums, dtype)
            for got, wanted in zip(found[part::2], golden, strict=True):
                assert got.tobytes() == wanted.tobytes()


def wrong_shares(ranks: Ranks) -> None:
    """Numbers of ranks that the shared expert cannot have."""
    member, count = ranks.members[0], ranks.count
    with member.device:
        right: dict[str, Any] = {
            "x": pa.zeros((_TOKENS, _WIDTH), "float16"),
            "expert_ids": pa.zeros((_TOKENS, _CHOSEN), np.int32), "scales": None,
            "x_active_mask": None, "expert_scales": None, "group_ep": member,
            "ep_world_size": count, "ep_rank_id": 0, "moe_expert_num": 12, "group_tp": "",
            "tp_world_size": 0, "tp_rank_id": 0, "expert_shard_type": 0, "shared_expert_num": 1,
            "shared_expert_rank_num": 2, "quant_mode": 0, "global_bs": 0,
            "expert_token_nums_type": 1, "expand_x": pa.zeros((19, _WIDTH), "float16"),
            "dynamic_scales": pa.zeros((20,)),
            "expand_idx": pa.zeros((_TOKENS * _CHOSEN,), np.int32),
            "expert_token_nums": pa.zeros((1,), np.int64),
            "ep_recv_counts": pa.zeros((count,), np.int32),
            "tp_recv_counts": pa.zeros((1,), np.int32), "expand_scales": pa.zeros((20,)),
        }  # fmt: skip
        for wrong, words in (
            ({"shared_expert_num": 0}, "sharedExpertNum is 0"),
            ({"shared_expert_num": 2}, "sharedExpertNum is 2"),
            ({"shared_expert_rank_num": 3, "moe_expert_num": 10}, "beside 3 ranks"),
            ({"shared_expert_rank_num": 8}, "sharedExpertRankNum is 8"),
            ({"quant_mode": 1}, "quantMode is 1"),
            ({}, "of 20 rows"),
        ):
            refuses(pa.ops.moe_distribute_dispatch, right, wrong, words)
