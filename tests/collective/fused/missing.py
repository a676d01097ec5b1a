"""Ranks that have left: elasticInfo says which remain, by what numbers, and with which experts."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from collective.fused.homes import (
    World,
    arrivals,
    check_rows,
    combined,
    refuses,
    right_dispatch,
)
from collective.fused.ranks import HALVES, Array, Ranked, Ranks, same

import pyaclnn as pa
from pyaclnn.collective import Communicator

_TOKENS, _CHOSEN, _WIDTH = 5, 3, 1024


@dataclass(frozen=True)
class Loss:
    """The world before, and what is left of it."""

    before: World
    gone: tuple[int, ...]
    shared_ranks: int = 0

    @property
    def members(self) -> list[int]:
        return [rank for rank in range(self.before.ranks) if rank not in self.gone]

    @property
    def after(self) -> World:
        count = len(self.members)
        return replace(
            self.before, ranks=count, shared_ranks=self.shared_ranks,
            experts=self.before.each * (count - self.shared_ranks),
        )  # fmt: skip

    @property
    def table(self) -> Array:
        """Return an elasticInfo: four numbers, new numbers of all ranks, and ranks by number."""
        numbers = np.full(self.before.ranks, -1)
        numbers[self.members] = np.arange(len(self.members))
        ranks = np.zeros(self.before.ranks, int)
        ranks[: len(self.members)] = self.members
        head = [1, len(self.members), self.shared_ranks, self.after.experts]
        return np.concatenate([head, numbers, ranks]).astype(np.int32)

    @property
    def room(self) -> int:
        """Return rows that a rank may get, whichever experts it comes to have."""
        world = self.before
        senders = -(-world.ranks * world.shared // world.shared_ranks) if world.shared_ranks else 0
        return _TOKENS * max(senders, world.ranks * min(world.each, _CHOSEN))


def _left(ranks: Ranks, loss: Loss) -> Ranks:
    """Return those that are left of ranks which have not communicated yet; who left stays away."""
    some = copy.copy(ranks)
    all_members = Communicator.all_devices(range(ranks.count))
    some.members = [all_members[i] for i in loss.members]
    return some


def _drawn(ranks: Ranks, loss: Loss) -> Ranked:
    """Return what each rank has; those without weights keep their numbers."""
    before, after = loss.before, loss.after
    special = range(before.experts, before.first_constant + before.constant)
    numbers = np.array([*range(after.experts), *special], np.int32)
    given: Ranked = []
    for _ in loss.members:
        one: dict[str, Any] = {
            "x": ranks.drawn((_TOKENS, _WIDTH), before.dtype),
            "ids": np.stack([ranks.rng.permutation(numbers)[:_CHOSEN] for _ in range(_TOKENS)]),
            "weights": np.abs(ranks.drawn((_TOKENS, _CHOSEN), np.float32)),
        }
        if before.quantised:
            rows = before.experts + (before.shared if before.shared_ranks else 0)
            one["smooth"] = np.abs(ranks.drawn((rows, _WIDTH), np.float32)) + np.float32(0.5)
        if before.mask:
            one["mask"] = np.arange(_TOKENS) < 3
        for name in ("alpha1", "alpha2", "v") if before.constant else ():
            drawn = ranks.drawn((before.constant, _WIDTH), np.float32)
            one[name] = (drawn / (1 if name == "v" else 16)).astype(before.dtype)
        given.append(one)
    return given


def _renumbered(loss: Loss, given: Ranked) -> Ranked:
    """Return the same where nothing is missing between the numbers of experts."""
    gap = loss.before.experts - loss.after.experts
    return [
        {**one, "ids": np.where(one["ids"] < loss.after.experts, one["ids"], one["ids"] - gap)}
        for one in given
    ]


def _dispatched(ranks: Ranks, loss: Loss, given: Ranked, version: int, table: Array) -> list[Any]:
    before = loss.before

    def call(member: Communicator, x: Any, ids: Any, smooth: Any = None, mask: Any = None,
             **_: Any) -> Any:  # fmt: skip
        times = pa.zeros((before.ranks,), np.int64)
        outs = (
            pa.zeros((loss.room, _WIDTH), np.int8 if before.quantised else before.dtype),
            pa.zeros((loss.room,)), pa.zeros((loss.room * 128,), np.int32),
            pa.zeros((before.each,), np.int64), pa.zeros((before.each * before.ranks,), np.int32),
        )  # fmt: skip
        getattr(pa.ops, f"moe_distribute_dispatch_v{version}")(
            x, ids, smooth, mask, None, pa.asarray(table), *(times,)[: version - 3], member,
            before.ranks, member.rank, before.experts, "", 0, 0, 0, before.shared,
            before.shared_ranks, 2 if before.quantised else 0, 0, 1, "", *before.attributes(4),
            out=(*outs, pa.zeros((1,), np.int32), pa.zeros((loss.room,))),
        )  # fmt: skip
        return *outs, times

    return ranks.each(call, given)


def _combined(ranks: Ranks, loss: Loss, given: Ranked, version: int, table: Array) -> list[Any]:
    before = loss.before

    def call(member: Communicator, back: Any, x: Any, ids: Any, weights: Any, counts: Any,
             mask: Any = None, alpha1: Any = None, alpha2: Any = None, v: Any = None,
             **_: Any) -> Any:  # fmt: skip
        times = pa.zeros((before.ranks,), np.int64)
        out = pa.full((_TOKENS, _WIDTH), 7, before.dtype)
        ori = x if before.copied or before.constant else None
        getattr(pa.ops, f"moe_distribute_combine_v{version}")(
            back, ids, pa.zeros((loss.room * 128,), np.int32), counts, weights, None, mask, None,
            None, None, None, None, pa.asarray(table), ori, alpha1, alpha2, v,
            *(times,)[: version - 3], member, before.ranks, member.rank, before.experts, "", 0, 0,
            0, before.shared, before.shared_ranks, 0, 0, 0, 0, "", *before.attributes(4), out=out,
        )  # fmt: skip
        return out, times

    return ranks.each(call, given)


def _check_arrived(loss: Loss, given: Ranked, results: list[Any]) -> None:
    arrived = arrivals(loss.after, _renumbered(loss, given))
    for experts, (rows, scales, assist, numbers, received, _) in zip(arrived, results, strict=True):
        wanted = [row for senders in experts for rows_of in senders for row in rows_of]
        counts = [len(rows_of) for senders in experts for rows_of in senders]
        assert received[: len(counts)].tolist() == np.cumsum(counts).tolist()
        each = [sum(len(rows_of) for rows_of in senders) for senders in experts]
        assert numbers[: len(each)].tolist() == each
        check_rows(loss.before, given, wanted, (rows, scales, assist))


def _losses(count: int) -> tuple[Loss, ...]:
    plain = World(count, experts=2 * count)
    shared = World(count, experts=2 * (count - 2), shared=1, shared_ranks=2, quantised=True)
    return (
        Loss(plain, (2, 3)),
        Loss(replace(plain, zero=2, copied=1, constant=2, dtype=HALVES[1]), (0,)),
        Loss(replace(plain, mask="tokens", quantised=True), tuple(range(1, count - 1))),
        Loss(shared, (1, count - 1), 1),
        # What is left of the ranks of shared experts are others than before.
        Loss(replace(shared, dtype=HALVES[1], zero=1), (0, 1), 1),
        Loss(replace(shared, quantised=False), (0, 1), 0),
        Loss(plain, ()),
    )


def fewer_ranks(ranks: Ranks) -> None:
    """Those that remain do the work, and wait for nobody else."""
    for loss in _losses(ranks.count):
        there = _left(ranks, loss)
        table = loss.table
        if not loss.gone:
            table[:] = -1
            table[0] = 0
        for version in (3, 4):
            given = _drawn(ranks, loss)
            results = _dispatched(there, loss, given, version, table)
            _check_arrived(loss, given, results)
            for one, (rows, _, _, _, counts, _) in zip(given, results, strict=True):
                one.update(back=ranks.drawn(rows.shape, loss.before.dtype), counts=counts)
            found = _combined(there, loss, given, version, table)
            back = [one["back"] for one in given]
            golden = combined(loss.after, _renumbered(loss, given), back)
            for (out, times), wanted in zip(found, golden, strict=True):
                step = 2.0 ** (-8 if loss.before.dtype == HALVES[1] else -11)
                error = np.abs(out.astype(np.float64) - wanted)
                assert (error <= step * np.abs(wanted) + 2.0**-18).all(), (loss, error.max())
                assert (times[list(loss.gone)] == 0).all()


def normalised(ranks: Ranks) -> None:
    """With a residual and a normalisation, they are the operators apart, to the bit."""
    loss = Loss(World(ranks.count, experts=2 * ranks.count, dtype=HALVES[1]), (1, 4))
    there, before = _left(ranks, loss), loss.before
    given = _drawn(ranks, loss)
    for one, result in zip(given, _dispatched(there, loss, given, 4, loss.table), strict=True):
        one.update(back=ranks.drawn((loss.room, _WIDTH), before.dtype), counts=result[4])
    for one, (out, _) in zip(given, _combined(there, loss, given, 4, loss.table), strict=True):
        one.update(apart=out, residual=ranks.drawn((_TOKENS, 1, _WIDTH), before.dtype),
                   gamma=ranks.drawn((_WIDTH,), before.dtype))  # fmt: skip

    def fused(member: Communicator, back: Any, ids: Any, weights: Any, counts: Any, residual: Any,
              gamma: Any, **_: Any) -> Any:  # fmt: skip
        return pa.ops.moe_distribute_combine_add_rms_norm_v2(
            back, ids, pa.zeros((loss.room * 128,), np.int32), counts, weights, residual, gamma,
            *(None,) * 7, pa.asarray(loss.table), None, None, None, None, member, before.ranks,
            member.rank, before.experts, "", 0, 0, 0, 0, 0, 0, 0, 0, 0, "", 1e-6, 0, 0, 0,
        )  # fmt: skip

    def apart(member: Communicator, apart: Any, residual: Any, gamma: Any, **_: Any) -> Any:
        return pa.ops.add_rms_norm(apart.reshape(_TOKENS, 1, _WIDTH), residual, gamma, 1e-6)

    same(there.each(fused, given), there.each(apart, given), "combine_add_rms_norm_v2")


def barriers(ranks: Ranks) -> None:
    """Those that remain meet, with all numbers of the table or with none."""

    def wait(member: Communicator, x: Any, table: Any) -> Any:
        pa.ops.distribute_barrier_v2(x, None, table, member, member.size)
        return x

    for loss in _losses(ranks.count):
        given: Ranked = [
            {"x": ranks.drawn((3, 2), np.float32), "table": loss.table} for _ in loss.members
        ]
        found = _left(ranks, loss).each(wait, given)
        same(found, [one["x"] for one in given], "distribute_barrier_v2")


def wrong_tables(ranks: Ranks) -> None:
    """Tables of another shape or type."""
    member = ranks.members[0]
    with member.device:
        right = right_dispatch(member, ranks.count)
        for shape in ((4 + 2 * ranks.count - 1,), (1, 4 + 2 * ranks.count), (0,)):
            table = {"elastic_info_optional": pa.zeros(shape, np.int32)}
            refuses(pa.ops.moe_distribute_dispatch_v4, right, table, "elasticInfo has shape")
        wide = {"elastic_info_optional": pa.zeros((4 + 2 * ranks.count,), np.int64)}
        refuses(pa.ops.moe_distribute_dispatch_v4, right, wide, "elasticInfo", 161002)


def wrong_numbers(ranks: Ranks) -> None:
    """The table is read when the operator runs, which ends with an error."""
    loss = Loss(World(ranks.count, experts=2 * ranks.count), (2, 3))
    changes: tuple[tuple[int, int, str], ...] = (
        (1, 0, "leaves 0 of"), (1, ranks.count + 1, f"leaves {ranks.count + 1} of"),
        (2, 1, "1 are of shared experts"), (3, 9, "and 9 experts"),
        (4, -1, "rank 0 at 0"), (4 + ranks.count, 1, "rank 1 at 0"),
        (4 + ranks.count + 1, ranks.count, f"rank {ranks.count} at 1"),
    )  # fmt: skip
    # The number of the last rank, which lies before the ranks by number, is that of this one.
    last_but_one = ranks.count - 2
    without_it = Loss(loss.before, (last_but_one,))
    # One communicator for each: what failed once communicates no more.
    for table, rank, place, value, words in (
        *((loss.table, 0, *change) for change in changes),
        (loss.table, 2, 0, 1, "leaves out rank 2"),
        (without_it.table, last_but_one, 0, 1, f"leaves out rank {last_but_one}"),
    ):
        member = Communicator.all_devices(range(ranks.count))[rank]
        with member.device:
            table[place] = value
            right = right_dispatch(member, ranks.count)
            changed = {"elastic_info_optional": pa.asarray(table), "ep_rank_id": rank}
            text = ""
            try:
                pa.ops.moe_distribute_dispatch_v4(**{**right, **changed})
                member.device.sync()
            except pa.AclError as error:
                text = f"{error.code} {error}"
            assert text.startswith("507015"), (words, text)
            assert words in text, text
