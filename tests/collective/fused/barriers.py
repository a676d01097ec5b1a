"""Ranks that wait for one another."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from collective.fused.homes import refuses
from collective.fused.ranks import Ranked, Ranks, same

import pyaclnn as pa
from pyaclnn.collective import Communicator


def waiting(ranks: Ranks) -> None:
    def wait(member: Communicator, x: Any) -> Any:
        pa.ops.distribute_barrier_v2(x, None, None, member, member.size)
        pa.ops.distribute_barrier(x, member, member.size)
        return x

    given: Ranked = [{"x": ranks.drawn((3, 2), np.float32)} for _ in ranks.members]
    same(ranks.each(wait, given), [one["x"] for one in given], "distribute_barrier")


def limits(ranks: Ranks) -> None:
    """A limit that is kept, one that passes while another rank is away, and one of nothing."""

    def wait(member: Communicator, x: Any) -> Any:
        limit = pa.full((1,), 60_000_000, "int32")
        pa.ops.distribute_barrier_v2(x, limit, None, member, member.size)
        return x

    given: Ranked = [{"x": ranks.drawn((3, 2), np.float32)} for _ in ranks.members]
    same(ranks.each(wait, given), [one["x"] for one in given], "distribute_barrier_v2")
    # What failed once communicates no more.
    for microseconds, words in (
        (30_000, "for rank 1 for more than the 30000 us"), (0, "timeOut is 0"),
    ):  # fmt: skip
        member = Communicator.all_devices(range(2))[0]
        with member.device:
            limit = pa.full((1,), microseconds, "int32")
            pa.ops.distribute_barrier_v2(pa.zeros(1), limit, None, member, 2)
            with pytest.raises(pa.AclError, match=words) as late:
                member.device.sync()
        assert late.value.code == 507015


def reset(ranks: Ranks) -> None:
    """All ranks meet, or those that reach one another."""

    def call(member: Communicator, x: Any) -> Any:
        pa.ops.moe_distribute_buffer_reset(x, member, member.size, 1)
        return x

    given: Ranked = [{"x": np.ones(ranks.count, np.int32)} for _ in ranks.members]
    same(ranks.each(call, given), [one["x"] for one in given], "moe_distribute_buffer_reset")
    there = copy.copy(ranks)
    there.members = ranks.members[:5] + ranks.members[7:]
    reached = np.ones(ranks.count, np.int32)
    reached[5:7] = 0
    given = [{"x": reached} for _ in there.members]
    same(there.each(call, given), [reached] * len(given), "moe_distribute_buffer_reset")
    with ranks.members[0].device:
        pa.ops.moe_distribute_buffer_reset(
            pa.zeros(ranks.count, "int32"), ranks.members[0], ranks.count, 0
        )
        ranks.members[0].device.sync()


def wrong_reset(ranks: Ranks) -> None:
    """A server and a half; a whole one has 16."""
    with ranks.members[0].device:
        right = {
            "elastic_info": pa.zeros(ranks.count, "int32"), "group_ep": ranks.members[0],
            "ep_world_size": ranks.count, "need_sync": 0,
        }  # fmt: skip
        refuses(pa.ops.moe_distribute_buffer_reset, right, {}, f"epWorldSize is {ranks.count}")
