"""Products of experts' rows, which every rank sends to every other."""

from __future__ import annotations

from typing import Any

import numpy as np
from collective.fused.ranks import HALVES, Ranked, Ranks, near, same, wide

import pyaclnn as pa
from pyaclnn.collective import Communicator


def experts(ranks: Ranks) -> None:
    """Tokens go to experts and come back; without and with int8, all tokens and some.

    On one server of A2, there is only one algorithm.
    """
    for dtype, quantised, active in ((HALVES[0], False, 5), (HALVES[1], True, 3)):
        count, local, chosen, width, tokens = ranks.count, 2, 3, 64, 5
        total = count * local
        room = tokens * count * min(local, chosen)
        given: Ranked = [
            {
                "x": ranks.drawn((tokens, width), dtype),
                "ids": np.stack(
                    [ranks.rng.permutation(total)[:chosen] for _ in range(tokens)]
                ).astype(np.int32),
                "weights": np.abs(ranks.drawn((tokens, chosen), np.float32)),
                "smooth": np.abs(ranks.drawn((total, width), np.float32)) + np.float32(0.5),
                "mask": np.arange(tokens) < active,
            }
            for _ in ranks.members
        ]

        def there_and_back(member: Communicator, x: Any, ids: Any, weights: Any, smooth: Any,
                           mask: Any, quantised: bool = quantised, dtype: Any = dtype,
                           sizes: Any = (local, total, room, count)) -> Any:  # fmt: skip
            local, total, room, count = sizes
            rows = pa.empty((room, x.shape[1]), np.int8 if quantised else dtype)
            scales = pa.zeros((room,))
            index = pa.zeros((room * 128,), np.int32)
            numbers, received = pa.zeros((local,), np.int64), pa.zeros((total,), np.int32)
            pa.ops.moe_distribute_dispatch_v2(
                x, ids, smooth if quantised else None, mask, weights, member, count, member.rank,
                total, "", 0, 0, 0, 0, 0, 2 if quantised else 0, 0, 1,
                "hierarchy" if quantised else "fullmesh",
                out=(rows, scales, index, numbers, received, pa.zeros((1,), np.int32),
                     pa.zeros((room,))),
            )  # fmt: skip
            back = rows if not quantised else x[:1].copy().broadcast_to((room, x.shape[1])).copy()
            combined = pa.zeros(x.shape, dtype)
            pa.ops.moe_distribute_combine_v2(
                back, ids, index, received, weights, None, mask, None, None, None, None, None,
                member, count, member.rank, total, "", 0, 0, 0, 0, 0, 0, 0, 0, 0,
                "hierarchy" if quantised else "fullmesh", out=combined,
            )  # fmt: skip
            return rows, scales, numbers, received, combined

        results = ranks.each(there_and_back, given)
        for rank, (rows, scales, numbers, received, combined) in enumerate(results):
            wanted, ends, each = [], [], []
            for expert in range(rank * local, rank * local + local):
                before = len(wanted)
                for one in given:
                    for token in range(active):
                        if expert in one["ids"][token]:
                            row = one["x"][token].astype(np.float32)
                            wanted.append(row * one["smooth"][expert] if quantised else row)
                    ends.append(len(wanted))
                each.append(len(wanted) - before)
            assert received.tolist() == ends
            assert numbers.tolist() == each
            found = rows[: len(wanted)].astype(np.float32)
            if quantised:
                found = found * scales[: len(wanted), None]
                bound = np.abs(wanted).max(-1, keepdims=True) / 127 * 0.51
                assert (np.abs(found - wanted) <= bound).all()
                assert (np.abs(rows[: len(wanted)]).max(-1) == 127).all()
            else:
                assert (found == np.array(wanted)).all()
            one = given[rank]
            sent = np.zeros((tokens, width))
            for token in range(active):
                for k in range(chosen):
                    home = int(one["ids"][token, k]) // local
                    row = given[home]["x"][0] if quantised else one["x"][token]
                    sent[token] += one["weights"][token, k] * row.astype(np.float64)
            near(combined, sent, "moe_distribute_combine")


def sums_of_groups(ranks: Ranks) -> None:
    for split in range(4):
        dtype = HALVES[split % 2]
        bias_type = np.float32 if split % 2 else dtype
        lengths = (3, 0, 5) if split in (1, 3) else (3, 2, 5)
        columns = (6, 6, 6) if split > 1 else (6, 7, 8)
        ends = np.cumsum(lengths).tolist()
        given: Ranked = [
            {
                **{f"x{i}": ranks.drawn((n, 16), dtype) for i, n in enumerate(lengths)},
                **{f"w{i}": ranks.drawn((16, n), dtype) for i, n in enumerate(columns)},
                **{f"b{i}": ranks.drawn((n,), bias_type) for i, n in enumerate(columns)},
            }
            for _ in ranks.members
        ]

        def fused(member: Communicator, split: int = split, ends: Any = ends, **all: Any) -> Any:
            x, w, b = ([all[f"{name}{i}"] for i in range(3)] for name in "xwb")
            if split in (1, 3):
                x = [pa.asarray(np.concatenate([part.numpy() for part in x]))]
            groups = ends if split in (1, 3) else None
            return tuple(
                pa.ops.grouped_mat_mul_all_reduce(x, w, b, groups, split, member, "sum", 0, 1)
            )

        def apart(member: Communicator, split: int = split, dtype: Any = dtype, **all: Any) -> Any:
            sums = [
                member.all_reduce(
                    pa.ops.addmm(
                        all[f"b{i}"], all[f"x{i}"], all[f"w{i}"], 1, 1, 0,
                        out=pa.empty((all[f"x{i}"].shape[0], all[f"w{i}"].shape[1]), dtype),
                    )
                )
                for i in range(3)
                if all[f"x{i}"].shape[0]
            ]  # fmt: skip
            return tuple(sums)

        results = ranks.each(fused, given)
        expected = ranks.each(apart, given)
        if split > 1:
            expected = [(np.concatenate(sums),) for sums in expected]
        found = [tuple(y for y in one if y.size) for one in results]
        same(found, expected, f"grouped_mat_mul_all_reduce {split}")
        total = np.zeros((lengths[0], columns[0]))
        for one in given:
            x, w, b = wide(one["x0"], one["w0"], one["b0"])
            total += x @ w + b
        near(results[0][0][: lengths[0]], total, "grouped_mat_mul_all_reduce")
