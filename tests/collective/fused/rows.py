"""Rows that are sent to the ranks of their experts, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np
from collective.fused.ranks import HALVES, Array, Gaps, Ranked, Ranks, near, same, wide

import pyaclnn as pa
from pyaclnn.collective import Communicator


def deliveries(ranks: Ranks) -> None:
    """Dispatch and Combine in two calls each, which wait for nobody, and for the others."""
    count, total, chosen, tokens, width = ranks.count, 32, 6, 8, 4096
    local = total // count
    float8 = np.dtype(ml_dtypes.float8_e4m3fn)
    for dtype, mode, active, narrow in (
        (HALVES[0], 0, 8, HALVES[0]),
        (HALVES[1], 2, 5, np.dtype(np.int8)),
        (HALVES[1], 2, 5, float8),
        (HALVES[1], 4, 8, float8),
        (HALVES[0], 1, 8, np.dtype(np.int8)),
        (HALVES[1], 3, 5, float8),
    ):
        given: Ranked = [
            {
                "x": ranks.drawn((tokens, width), dtype),
                "ids": np.stack(
                    [ranks.rng.permutation(total)[:chosen] for _ in range(tokens)]
                ).astype(np.int32),
                "weights": np.abs(ranks.drawn((tokens, chosen), np.float32)),
                "shared": ranks.drawn((2, tokens // 2, width), dtype),
                "smooth": np.abs(ranks.drawn((total, width), np.float32)) + np.float32(0.5),
                "mask": np.arange(tokens) < active,
            }
            for _ in ranks.members
        ]
        room = tokens * count * min(local, chosen)
        gaps = Gaps(mode == 2)
        world = {"ep_world_size": count, "moe_expert_num": total}

        def placed(member: Communicator, world: Any = world) -> dict[str, Any]:
            return {"group_ep": member, "ep_rank_id": member.rank, **world}

        def begin(member: Communicator, x: Any, ids: Any, smooth: Any, mask: Any,
                  mode: int = mode, narrow: Any = narrow, gaps: Gaps = gaps,
                  **_: Any) -> Any:  # fmt: skip
            return pa.ops.moe_distribute_dispatch_setup(
                x, ids, smooth if 0 < mode < 4 else None, mask, quant_mode=mode, **placed(member),
                **{"y_out": gaps.zeros((48, 4096 if mode == 1 else 4608), narrow)}
                if narrow.itemsize == 1 else {},
            )  # fmt: skip

        def end(member: Communicator, x: Any, ids: Any, begun: Any, mode: int = mode,
                gaps: Gaps = gaps, room: int = room) -> Any:  # fmt: skip
            y, _, commands = begun
            outs = {
                "expand_x_out": gaps.zeros((room, width), y.dtype),
                "dynamic_scales_out": gaps.zeros((room,)),
            }
            return pa.ops.moe_distribute_dispatch_teardown(
                x, y, ids, commands, quant_mode=mode, **placed(member),
                **outs if mode == 2 else {},
            )  # fmt: skip

        on_device: Ranked = []
        for member, one in zip(ranks.members, given, strict=True):
            with member.device:
                on_device.append({name: pa.asarray(value) for name, value in one.items()})
        one_by_one = partial(ranks_by_turns, ranks, on_device)
        begun = one_by_one(begin, range(count))
        for one, all_of_it in zip(on_device, begun, strict=True):
            one["begun"] = all_of_it
        ended = one_by_one(
            lambda member, x, ids, begun, **_: end(member, x, ids, begun), reversed(range(count))
        )

        def apart(member: Communicator, x: Any, ids: Any, weights: Any, smooth: Any, mask: Any,
                  shared: Any, mode: int = mode, dtype: Any = dtype, room: int = room,
                  narrow: Any = narrow,
                  **_: Any) -> Any:  # fmt: skip
            rows = pa.zeros((room, width), narrow if 0 < mode < 4 else dtype)
            scales = pa.zeros((room, width // 128) if mode == 3 else (room,))
            index = pa.zeros((room * 128,), np.int32)
            numbers, received = pa.zeros((local,), np.int64), pa.zeros((total,), np.int32)
            none = pa.zeros((1,), np.int32)
            pa.ops.moe_distribute_dispatch_v2(
                x, ids, smooth if 0 < mode < 4 else None, mask, None, member, count, member.rank,
                total, "", 0, 0, 0, 0, 0, mode if mode < 4 else 0, 0, 1, "fullmesh_v1",
                out=(rows, scales, index, numbers, received, none, pa.zeros((room,))),
            )  # fmt: skip
            back = rows.astype(dtype)
            combined = pa.zeros(x.shape, dtype)
            pa.ops.moe_distribute_combine_v2(
                back, ids, index, received, weights, None, mask, None, None, None, None, shared,
                member, count, member.rank, total, "", 0, 0, 0, 0, 0, 0, 0, 0, 0, "",
                out=combined,
            )  # fmt: skip
            return rows, scales, numbers, received, back, combined

        whole = ranks_at_once(ranks, apart, on_device)
        for rank, (rows, scales, numbers, received, _, _) in enumerate(whole):
            wide_rows, factors, assist, of_experts = ended[rank]
            got = int(received.numpy()[-1])
            assert assist.numpy()[:total].tolist() == received.numpy().tolist()
            assert of_experts.numpy().tolist() == numbers.numpy().tolist()
            if mode == 4:
                continue
            assert wide_rows.numpy()[:got].tobytes() == rows.numpy()[:got].tobytes()
            if mode in (2, 3):
                assert factors.numpy()[:got].tobytes() == scales.numpy()[:got].tobytes()
        if mode == 4:
            blocks_that_arrived(ranks, on_device, begun, ended)
        if 0 < mode < 4:
            length = {1: 0, 2: 4, 3: 4 * (width // 128)}[mode]
            sent = [y.numpy().view(np.uint8)[: active * chosen] for y, *_ in begun]
            of_y = sorted(row[: width + length].tobytes() for rows in sent for row in rows)
            arrived = []
            for rows, scales, _, received, *_ in whole:
                for place in range(int(received.numpy()[-1])):
                    factors_of = scales.numpy()[place].tobytes() if mode > 1 else b""
                    arrived.append(rows.numpy()[place].tobytes() + factors_of)
            assert of_y == sorted(arrived)

        for one, of_dispatch, of_whole in zip(on_device, ended, whole, strict=True):
            one["back"], one["assist"] = of_whole[4], of_dispatch[2]

        def begin_back(member: Communicator, ids: Any, back: Any, assist: Any, **_: Any) -> Any:
            return pa.ops.moe_distribute_combine_setup(back, ids, assist, **placed(member))

        sent_back = one_by_one(begin_back, reversed(range(count)))
        for one, all_of_it in zip(on_device, sent_back, strict=True):
            one["sent_back"] = all_of_it

        def end_back(member: Communicator, ids: Any, back: Any, weights: Any, mask: Any,
                     shared: Any, begun: Any, sent_back: Any, dtype: Any = dtype,
                     gaps: Gaps = gaps, **_: Any) -> Any:  # fmt: skip
            narrow, commands = sent_back
            return pa.ops.moe_distribute_combine_teardown(
                back, narrow, ids, begun[1], weights, commands, mask, shared, **placed(member),
                out=gaps.zeros((tokens, width), dtype),
            )  # fmt: skip

        combined = one_by_one(end_back, range(count))
        gaps.check()
        for rank, (result, of_whole) in enumerate(zip(combined, whole, strict=True)):
            assert result.numpy().tobytes() == of_whole[-1].numpy().tobytes(), f"rank {rank}"
            one = given[rank]
            golden = np.zeros((tokens, width))
            for token in range(active):
                golden[token] = one["shared"].reshape(tokens, width)[token].astype(np.float64)
                for k in range(chosen):
                    row = one["x"][token].astype(np.float64)
                    golden[token] += one["weights"][token, k] * row
            if mode in (0, 4):
                near(result.numpy(), golden, "moe_distribute_combine_teardown")


def ranks_by_turns(
    ranks: Ranks, on_device: Ranked, call: Callable[..., Any], order: Iterable[int]
) -> list[Any]:
    """Call on one rank when the other has ended, so that nobody can wait for who comes later."""
    results: list[Any] = [None] * ranks.count
    for rank in order:
        member = ranks.members[rank]
        with member.device:
            results[rank] = call(member, **on_device[rank])
            member.sync()
    return results


def ranks_at_once(ranks: Ranks, call: Callable[..., Any], on_device: Ranked) -> list[Any]:
    """Call on all ranks, and then wait for them; arguments and results stay on the devices."""
    results = []
    for member, arguments in zip(ranks.members, on_device, strict=True):
        with member.device:
            results.append(call(member, **arguments))
    for member in ranks.members:
        with member.device:
            member.sync()
    return results


def blocks_that_arrived(ranks: Ranks, on_device: Ranked, begun: Any, ended: Any) -> None:
    """Tokens as 8 bit floats with scales for 32 are those of DynamicMxQuant, in y and behind it."""
    quantised = []
    for member, one in zip(ranks.members, on_device, strict=True):
        with member.device:
            y, scales = pa.ops.dynamic_mx_quant(one["x"], -1, "rint", 36, 32, 0)
            quantised.append((y.numpy(), scales.numpy().reshape(8, -1)))
    local = 32 // ranks.count
    ids = [one["ids"].numpy() for one in on_device]
    for rank, (rows, factors, *_) in enumerate(ended):
        wanted = [
            (source, token)
            for expert in range(rank * local, rank * local + local)
            for source in range(ranks.count)
            for token in range(8)
            if expert in ids[source][token]
        ]
        for row, (source, token) in enumerate(wanted):
            numbers, scales = quantised[source]
            assert rows.numpy()[row].tobytes() == numbers[token].tobytes()
            assert factors.numpy()[row].tobytes() == scales[token].tobytes()
    for (y, *_), all_ids, (numbers, scales) in zip(begun, ids, quantised, strict=True):
        order = np.argsort(all_ids.reshape(-1), kind="stable") // all_ids.shape[1]
        sent = y.numpy()
        assert sent[:, :4096].tobytes() == numbers[order].tobytes()
        assert sent[:, 4096 : 4096 + 128].tobytes() == scales[order].tobytes()


def rows_by_expert(ranks: Ranks) -> None:
    """Rows go to experts, are multiplied there, and come back; each with a product of its own."""
    count, local, width, columns = ranks.count, 2, 24, 9
    for dtype, turned in ((HALVES[0], False), (HALVES[1], True)):
        sent = ranks.rng.integers(0, 4, (count, count, local))  # by whom, to whom, for which
        sent[:, 0, 0] += 1
        sent[0, :, 1] = 0
        sent[:, :, 0] += (sent.sum((1, 2)) % 2)[:, None] * np.eye(count, dtype=int)[0]
        numbers = sent.reshape(count, -1).tolist()
        numbers_back = sent.transpose(1, 0, 2).reshape(count, -1).tolist()
        shape = (local, columns, width) if turned else (local, width, columns)
        given: Ranked = [
            {
                "x": ranks.drawn((sum(to), width), dtype),
                "weight": ranks.drawn(shape, dtype),
                "shared": ranks.drawn((sum(to) // 2, 7), dtype),
                "other": ranks.drawn((5, 7) if turned else (7, 5), dtype),
            }
            for to in numbers
        ]

        def there(
            member: Communicator,
            x: Any,
            weight: Any,
            shared: Any,
            other: Any,
            turned: bool = turned,
            numbers: Any = numbers,
            back: Any = numbers_back,
        ) -> Any:
            given = (member, "ccu", member.size, numbers[member.rank], back[member.rank])
            y, common, rows = pa.ops.allto_allv_grouped_mat_mul_v2(
                x, weight, None, None, shared, other, *given, turned, turned, True
            )
            given = (member, "ai_cpu", member.size, back[member.rank], numbers[member.rank])
            turned_back = weight.transpose(0, 2, 1) if turned else weight
            home, again = (
                pa.ops.grouped_mat_mul_allto_allv_v2(
                    rows,
                    turned_back.copy(),
                    None,
                    None,
                    None,
                    None,
                    *given,
                    False,
                    False,
                    out=(pa.empty((x.shape[0], y.shape[1]), x.dtype), False),
                ),
                common,
            )
            return y, common, rows, home[0] if isinstance(home, tuple) else home, again

        results = ranks.each(there, given)
        whole = np.array([0, *np.cumsum(sent.reshape(-1))])
        rows_of_all = np.concatenate([one["x"] for one in given])
        for rank, (y, common, rows, home, _) in enumerate(results):
            one = given[rank]
            first = 0
            for expert in range(local):
                weight = one["weight"][expert].T if turned else one["weight"][expert]
                for source in range(count):
                    place = (source * count + rank) * local + expert
                    part = rows_of_all[whole[place] : whole[place + 1]]
                    assert (rows[first : first + len(part)] == part).all()
                    found = y[first : first + len(part)]
                    near(found, np.matmul(*wide(part, weight)), "rows")
                    same([found], [ranks.product(rank, part, weight)], "rows, apart")
                    first += len(part)
            assert first == len(rows) == len(y)
            other = one["other"].T if turned else one["other"]
            near(common, np.matmul(*wide(one["shared"], other)), "shared")
            same([common], [ranks.product(rank, one["shared"], other)], "shared, apart")
            row = 0
            for home_rank in range(count):
                for expert in range(local):
                    weight = given[home_rank]["weight"][expert]
                    weight = weight.T if turned else weight
                    length = sent[rank, home_rank, expert]
                    part = one["x"][row : row + length]
                    found = home[row : row + length]
                    near(found, np.matmul(*wide(part, weight)), "rows home")
                    same([found], [ranks.product(home_rank, part, weight)], "rows home, apart")
                    row += length


def narrow_rows(ranks: Ranks) -> None:
    """The same of numbers of 8 and 4 bits, with scales for each 32 of the depth."""
    count, local, width, columns, e8m0 = ranks.count, 2, 72, 10, ml_dtypes.float8_e8m0fnu
    e4m3, e5m2, e2m1 = (np.dtype(getattr(ml_dtypes, f"float{name}"))
                        for name in ("8_e4m3fn", "8_e5m2", "4_e2m1fn"))  # fmt: skip
    pairs = -(-width // 64)
    for first, second, turned in ((e4m3, e5m2, False), (e5m2, e4m3, True), (e2m1, e2m1, True)):
        sent = ranks.rng.integers(0, 4, (count, count, local))
        sent[:, 0, 0] += 1
        sent[:, :, 0] += (sent.sum((1, 2)) % 2)[:, None] * np.eye(count, dtype=int)[0]
        numbers = sent.reshape(count, -1).tolist()
        back = sent.transpose(1, 0, 2).reshape(count, -1).tolist()

        def matrix(axes: tuple[int, ...], swapped: bool) -> tuple[int, ...]:
            return (*axes[:-2], axes[-1], axes[-2]) if swapped else axes

        def scales(*shape: int) -> Array:
            return np.exp2(ranks.rng.integers(-2, 3, (*shape, 2))).astype(e8m0)

        def weights(second: Any = second, turned: bool = turned) -> dict[str, Array]:
            return {
                "weight": ranks.drawn(matrix((local, width, columns), turned), second),
                "weight_scale": scales(*matrix((local, pairs, columns), turned)),
                "other": ranks.drawn(matrix((width, 6), turned), second),
                "other_scale": scales(*matrix((pairs, 6), turned)),
            }

        def rows(count: int, tokens: int, first: Any = first) -> dict[str, Array]:
            return {
                "x": ranks.drawn((count, width), first), "x_scale": scales(count, pairs),
                "shared": ranks.drawn((tokens, width), first),
                "shared_scale": scales(tokens, pairs),
            }  # fmt: skip

        there_given = [{**rows(sum(n), sum(n) // 2), **weights()} for n in numbers]
        back_given = [{**rows(sum(n), 3), **weights()} for n in back]

        def call(
            operator: Any,
            member: Communicator,
            attributes: Any,
            after: Any,
            out: Any,
            x: Any,
            x_scale: Any,
            shared: Any,
            shared_scale: Any,
            weight: Any,
            weight_scale: Any,
            other: Any,
            other_scale: Any,
        ) -> Any:
            return operator(
                x,
                weight,
                x_scale,
                weight_scale,
                None,
                None,
                shared,
                other,
                shared_scale,
                other_scale,
                *attributes,
                *after,
                out=out,
            )

        def there(
            member: Communicator,
            numbers: Any = numbers,
            back: Any = back,
            turned: bool = turned,
            first: Any = first,
            **given: Any,
        ) -> Any:
            total = sum(back[member.rank])
            out = (
                pa.empty((total, columns), HALVES[0]),
                pa.empty((given["shared"].shape[0], 6), HALVES[0]),
                pa.empty((total, width), first),
            )
            after = (
                member,
                "ccu",
                count,
                numbers[member.rank],
                back[member.rank],
                turned,
                turned,
                0,
                True,
            )
            return call(
                pa.ops.allto_allv_quant_grouped_mat_mul_v2,
                member,
                (6, 6, 6, 6),
                after,
                out,
                **given,
            )

        def home(
            member: Communicator,
            numbers: Any = numbers,
            back: Any = back,
            turned: bool = turned,
            **given: Any,
        ) -> Any:
            out = (
                pa.empty((sum(numbers[member.rank]), columns), HALVES[1]),
                pa.empty((3, 6), HALVES[1]),
            )
            after = (
                4295032864,
                member,
                "ai_cpu",
                count,
                back[member.rank],
                numbers[member.rank],
                turned,
                turned,
            )
            if turned:  # the flag, or a view
                after = (*after[:-2], False, False)
                for name, axes in (
                    ("weight", (0, 2, 1)),
                    ("weight_scale", (0, 2, 1, 3)),
                    ("other", (1, 0)),
                    ("other_scale", (1, 0, 2)),
                ):
                    given[name] = given[name].transpose(*axes)
            return call(
                pa.ops.quant_grouped_mat_mul_allto_allv_v2,
                member,
                (None, 6, 6, 6, 6, 0, -1),
                after,
                out,
                **given,
            )

        def restored(one: dict[str, Any], name: str, turned: bool = turned) -> Array:
            values, factors = one[name].astype(np.float64), one[f"{name}_scale"].astype(np.float64)
            if name in ("weight", "other") and not turned:
                values, factors = values.swapaxes(-1, -2), factors.swapaxes(-2, -3)
            factors = np.repeat(factors.reshape(*factors.shape[:-2], -1), 32, -1)[..., :width]
            return np.asarray(values * factors)

        whole = np.array([0, *np.cumsum(sent.reshape(-1))])
        everything = np.concatenate([restored(one, "x") for one in there_given])
        for rank, (y, shared, met) in enumerate(ranks.each(there, there_given)):
            one, first_row = there_given[rank], 0
            for expert in range(local):
                weight = restored(one, "weight")[expert].T
                for source in range(count):
                    place = (source * count + rank) * local + expert
                    part = everything[whole[place] : whole[place + 1]]
                    near(y[first_row : first_row + len(part)], part @ weight, "narrow rows")
                    first_row += len(part)
            assert first_row == len(met)
            near(shared, restored(one, "shared") @ restored(one, "other").T, "narrow shared")
        results = ranks.each(home, back_given)
        for rank, (y, shared) in enumerate(results):
            row = 0
            for source in range(count):
                one = back_given[source]
                starts = np.cumsum([0, *sent[:, source].T.reshape(-1)])  # by expert, then rank
                for expert in range(local):
                    begin = starts[expert * count + rank]
                    length = sent[rank, source, expert]
                    part = restored(one, "x")[begin : begin + length]
                    golden = part @ restored(one, "weight")[expert].T
                    near(y[row : row + length], golden, "narrow rows home")
                    row += length
            assert row == len(y)
            one = back_given[rank]
            near(shared, restored(one, "shared") @ restored(one, "other").T, "narrow shared")


def batches(ranks: Ranks) -> None:
    """Two by two ranks: experts are of ranks {0, 2} and {1, 3}, parts of {0, 1} and {2, 3}."""
    by_expert = {d: m for pair in ([0, 2], [1, 3])
                 for d, m in zip(pair, Communicator.all_devices(pair), strict=True)}  # fmt: skip
    by_part = {d: m for pair in ([0, 1], [2, 3])
               for d, m in zip(pair, Communicator.all_devices(pair), strict=True)}  # fmt: skip
    local, rows, depth, columns = 2, 3, 8, 10
    for dtype, shard, act in ((HALVES[0], 0, 3), (HALVES[1], 1, 2), (HALVES[0], 1, 0)):
        x_rows, x_depth = (rows, depth // 2) if shard == 0 else (rows, depth)
        bias_type = np.float32 if dtype == HALVES[1] else dtype
        given: Ranked = [
            {
                "x": ranks.drawn((2 * local, x_rows, x_depth), dtype),
                "weight": ranks.drawn((local, depth, columns), dtype),
                "bias": ranks.drawn((local, columns), bias_type),
            }
            for _ in ranks.members
        ]

        def gather(
            member: Communicator, x: Any, weight: Any, bias: Any, shard: int = shard, act: int = act
        ) -> Any:
            rank = member.rank
            total = 2 * x.shape[1] * (1 + shard)
            out = [pa.empty((2, total, n), x.dtype) for n in (10, 8, 10)]
            found = pa.ops.allto_all_all_gather_batch_mat_mul(
                x,
                weight,
                bias,
                by_expert[rank],
                by_part[rank],
                2,
                2,
                shard,
                act,
                out=(*out[:2], out[2] if act else False),
            )
            return tuple(t for t in found if isinstance(t, pa.Tensor))

        results = ranks.each(gather, given)
        for rank, found in enumerate(results):
            mine = range(rank // 2 * local, rank // 2 * local + local)
            parts = [[given[source * 2 + tp]["x"][list(mine)] for tp in range(2)]
                     for source in range(2)]  # fmt: skip
            axis = 1 if shard else 2
            met = np.concatenate([np.concatenate(part, axis) for part in parts], 1)
            assert (found[1] == met).all()
            one = given[rank]
            golden = np.matmul(*wide(met, one["weight"])) + one["bias"].astype(float)[:, None]
            near(found[-1] if act else found[0], golden, "bmm")
            activated = {0: golden, 2: golden / (1 + np.exp(-golden)), 3: np.maximum(golden, 0)}
            near(found[0], activated[act], "bmm, activated")

        back: Ranked = [
            {
                "x": ranks.drawn((local, 2 * rows * (1 + shard), depth), dtype),
                "weight": ranks.drawn((local, depth, columns), dtype),
                "bias": ranks.drawn((local, 1, columns // (2 - shard)), bias_type),
            }
            for _ in ranks.members
        ]

        def scatter(
            member: Communicator, x: Any, weight: Any, bias: Any, shard: int = shard
        ) -> Any:
            rank = member.rank
            return pa.ops.batch_mat_mul_reduce_scatter_allto_all(
                x, weight, bias, by_expert[rank], by_part[rank], 2, 2, shard
            )

        results = ranks.each(scatter, back)
        products = [np.matmul(*wide(one["x"], one["weight"])) for one in back]
        for rank, found in enumerate(results):
            ep, tp = divmod(rank, 2)
            for source in range(2):
                whole = products[source * 2] + products[source * 2 + 1]
                whole = whole.reshape(local, 2, -1, columns)[:, ep]
                if shard:
                    whole = whole.reshape(local, 2, rows, columns)[:, tp]
                else:
                    whole = whole[..., tp * columns // 2 : (tp + 1) * columns // 2]
                whole = whole + back[source * 2 + tp]["bias"].astype(float)
                near(found[source * local : (source + 1) * local], whole, "reduce, scatter")
