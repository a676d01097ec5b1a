"""Mixtures of experts: gates, tokens sorted by experts, and their rows put together again.

References are written token by token, apart from how the kernels do it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype, random_values
from pyaclnn.selftest.chips import chip_family, release
from pyaclnn.selftest.formulas.narrow import LARGEST, narrowed
from pyaclnn.selftest.suites.creation import exact
from pyaclnn.selftest.suites.quant_blocks import blocks, largest_of, pairs, spread

_FLOATS = ("float32", "float16", "bfloat16")
_VIEWS = ("contiguous", "every_second", "transposed")


def _is_newer() -> bool:
    return chip_family() in ("A2", "950")


def largest(values: Array, k: int) -> Array:
    """Return the places of the k largest numbers, of equal ones those in front."""
    return np.argsort(-values, axis=-1, kind="stable")[..., :k]


def softmax(x: Array) -> Array:
    """Return the softmax over the last axis."""
    power = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(power / power.sum(-1, keepdims=True))


def _softmax_gate(version: int) -> Any:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not _is_newer():
            return
        shapes = (((5, 8), 2), ((1, 1), 1), ((3, 7, 64), 8), ((40, 130), 130), ((6, 33), 4))
        for number, (shape, k) in enumerate(shapes):
            for renorm in range(version):
                layout = _VIEWS[number % 3] if len(shape) == 2 else "contiguous"
                x = random_values(shape, dtype, rng)
                done = rng.random(shape[:-1]) < 0.3 if number % 2 else None
                score = exact(x) if renorm else softmax(exact(x))
                places = largest(score, k)
                weights = np.take_along_axis(score, places, -1)
                if renorm:
                    weights = softmax(weights)
                experts = places if done is None else np.where(done[..., None], shape[-1], places)
                tokens = int(np.prod(shape[:-1]))
                rows = np.arange(tokens * k).reshape(k, tokens).T.reshape(places.shape)
                flag = bool(number % 2)
                third = rows if version == 1 else score if flag and not renorm else None
                rest = () if version == 1 else (renorm, flag)
                given = None if done is None else Operand(done)
                yield Case(f"{shape} {k} {renorm} {layout}",
                           (Operand(x, layout), given, k, *rest),
                           (weights, experts, third))  # fmt: skip

    return cases


def _gate(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not _is_newer():
        return
    sizes = (
        (8, 2, 1, 1, 0),
        (256, 8, 8, 4, 1),
        (64, 6, 8, 3, 0),
        (12, 5, 3, 2, 1),
        (16, 3, 16, 4, 0),
    )
    for number, (experts, k, groups, chosen, mode) in enumerate(sizes):
        for norm, renorm, biased in ((0, 0, False), (0, 1, True), (1, 0, True), (1, 1, False)):
            x = random_values((6, experts), dtype, rng)
            bias = random_values((experts,), dtype, rng, 0.5) if biased else None
            score = 1 / (1 + np.exp(-exact(x))) if norm else softmax(exact(x))
            compared = score if bias is None else score + exact(bias)
            grouped = compared.reshape(6, groups, -1)
            best = -np.sort(-grouped, -1)[..., : mode + 1].sum(-1)
            seen = np.zeros((6, groups), bool)
            np.put_along_axis(seen, largest(best, chosen), True, -1)
            places = largest(np.where(np.repeat(seen, experts // groups, -1), compared, -np.inf), k)
            weights = np.take_along_axis(score, places, -1)
            if norm or renorm:
                weights = weights / (weights.sum(-1, keepdims=True) + 1e-3)
            out = number % 2 == 0
            golden = (weights * 2.5, places, score if out else np.zeros((0, 0)))
            given = None if bias is None else Operand(bias)
            inputs = (Operand(x), given, k, chosen, groups, mode, renorm, norm, out, 2.5, 1e-3)
            yield Case(f"{experts} {k} {groups} {chosen} {mode} {norm} {renorm}", inputs, golden)


def _fused_gate(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    for number, (experts, k, groups, chosen, best) in enumerate(
        ((8, 2, 1, 1, 1), (64, 8, 8, 3, 2), (12, 5, 3, 1, 4), (16, 3, 16, 4, 1))
    ):
        for scaled, mapped in ((True, False), (False, True)):
            x, bias = random_values((7, experts), dtype, rng), random_values((experts,), dtype, rng)
            score = 1 / (1 + np.exp(-exact(x)))
            grouped = (score + exact(bias)).reshape(7, groups, -1)
            of_group = -np.sort(-grouped, -1)[..., :best].sum(-1)
            seen = np.zeros((7, groups))
            np.put_along_axis(seen, largest(of_group, chosen), 1, -1)
            places = largest((grouped * seen[..., None]).reshape(7, experts), k)
            weights = np.take_along_axis(score, places, -1)
            if scaled:
                weights = weights / weights.sum(-1, keepdims=True) * 2.5
            counts = rng.integers(0, 4, experts).astype(np.int32)
            names = rng.integers(0, 99, (experts, 3)).astype(np.int32)
            if mapped:
                turn = np.arange(7)[:, None] % np.maximum(counts[places], 1)
                places = names[places, turn]
            inputs = (Operand(x, _VIEWS[number % 3]), Operand(bias), Operand(counts),
                      Operand(names), groups, chosen, best, k, 0, scaled, 2.5, mapped)  # fmt: skip
            yield Case(f"{experts} {k} {groups} {scaled}", inputs, (weights, places))


def _gate_backward(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    for number, (tokens, experts, k) in enumerate(((3, 8, 2), (1, 2, 1), (40, 64, 8), (6, 5, 5))):
        score = rng.uniform(0.1, 0.9, (tokens, experts)).astype(np.float32)
        grad = random_values((tokens, k), dtype, rng)
        places = np.stack([rng.permutation(experts)[:k] for _ in range(tokens)]).astype(np.int32)
        golden = np.zeros((tokens, experts))
        for t in range(tokens):
            chosen = exact(score)[t, places[t]]
            total = chosen.sum() + 1e-3
            scaled = 1.5 * exact(grad)[t]
            mean = (chosen / total * scaled).sum()
            golden[t, places[t]] = (scaled - mean) / total * chosen * (1 - chosen)
        layout = _VIEWS[number % 3]
        yield Case(f"{tokens} {experts} {k} {layout}",
                   (Operand(score, layout), Operand(grad, layout), Operand(places), 0, 1, 1.5,
                    1e-3), (golden,), ("contiguous",), (dtype,))  # fmt: skip


def _tokens(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not _is_newer():
        return
    for length, experts in ((0, 3), (1, 1), (40, 7), (500, 64)):
        numbers = np.sort(rng.integers(0, experts, length)).astype(dtype)
        golden = [sum(int(n) <= i for n in numbers) for i in range(experts)]
        for layout in ("contiguous", "every_second"):
            yield Case(f"{length} {experts}", (Operand(numbers, layout), experts),
                       (np.array(golden),))  # fmt: skip


def _by_expert(experts: Array, seen: range) -> list[int]:
    """Return the pairs of the experts seen, expert by expert, each in the pairs' order."""
    return [pair for e in seen for pair, chosen in enumerate(experts.ravel()) if chosen == e]


def _places(order: list[int], total: int) -> Array:
    result = np.full(total, -1)
    result[order] = np.arange(len(order))
    return result


def _init_routing(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not _is_newer():
        return
    for tokens, k, columns, active in ((4, 2, 5, 4), (7, 3, 16, 3), (1, 1, 1, 9), (30, 6, 33, 0)):
        x = random_values((tokens, columns), dtype, rng)
        experts = rng.integers(0, 5, (tokens, k)).astype(np.int32)
        rows = np.arange(tokens * k).reshape(k, tokens).T.astype(np.int32)
        order = _by_expert(experts, range(5))
        names = rows.ravel()[order]
        golden = exact(x)[names % tokens][: min(tokens, active) * k]
        layout = _VIEWS[tokens % 3]
        yield Case(f"{tokens} {k} {columns} {active}",
                   (Operand(x, layout), Operand(rows), Operand(experts, layout), active),
                   (golden, _places(list(names), tokens * k), experts.ravel()[order]))  # fmt: skip


def _static_half(rows: Array, scale: float, offset: float) -> Array:
    """Return rows times a scale and an offset, each step in float16, as int8 has them."""
    half = rows.astype(np.float16) * np.float16(scale) + np.float16(offset)
    return np.asarray(np.clip(np.rint(half), -128, 127))


def _init_routing_quant(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "A2":
        for case in _init_routing(dtype, rng):
            rows, *golden = case.golden
            yield Case(case.label, (*case.inputs, 12.5, -3.0),
                       (_static_half(rows, 12.5, -3.0), *golden))  # fmt: skip


def _init_routing_quant_v2(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not _is_newer():
        return
    for number, case in enumerate(_init_routing_v2(dtype, rng)):
        rows, *golden = case.golden
        flat, columns = rows.reshape(-1, rows.shape[-1]), rows.shape[-1]
        scale, offset = np.array([7.0], np.float32), np.array([0.5], np.float32)
        kept = np.abs(flat).max(-1, initial=0) > 0  # not those that fill rooms
        static = np.where(kept[:, None], _static_half(flat, 7.0, 0.5), 0).reshape(rows.shape)
        yield Case(f"{case.label} of one scale", (*case.inputs[:2], Operand(scale),
                   Operand(offset), *case.inputs[2:], 0), (static, *golden, None))  # fmt: skip
        smooth = rng.uniform(0.5, 2, (1, columns)).astype(np.float32) if number % 2 else None
        wide = flat.astype(np.float32) * (1 if smooth is None else smooth)
        levels, step = quantised(wide, 2)
        yield Case(f"{case.label} of largest", (*case.inputs[:2],
                   None if smooth is None else Operand(smooth), None, *case.inputs[2:], 1),
                   (levels.reshape(rows.shape), *golden, step))  # fmt: skip


def _in_rooms(order: list[int], experts: Array, number: int, capacity: int) -> list[int]:
    """Return the pair of each row of rooms, -1 for none."""
    rooms: list[list[int]] = [[] for _ in range(number)]
    for pair in order:
        rooms[experts.ravel()[pair]].append(pair)
    return [p for room in rooms for p in (*room[:capacity], *(-1,) * (capacity - len(room)))]


def _places_in_rooms(source: list[int], total: int) -> Array:
    places = np.full(total, -1)
    for row, pair in enumerate(source):
        if pair >= 0:
            places[pair] = row
    return places


def _rows_of(x: Array, source: list[int], k: int) -> Array:
    rows = [np.zeros(x.shape[1]) if p < 0 else exact(x)[p // k] for p in source]
    return np.array(rows).reshape(len(source), x.shape[1])


def _init_routing_v2(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    family = chip_family()
    if family == "910":
        return
    for number, (tokens, k) in enumerate(((4, 2), (7, 3), (1, 1), (30, 6), (6, 1))):
        columns = 32 if family == "310P" else 5 + number
        x = random_values((tokens, columns), dtype, rng)
        experts = rng.integers(0, 5, (tokens, k)).astype(np.int32)
        order, total, layout = _by_expert(experts, range(5)), tokens * k, _VIEWS[number % 3]
        count = np.bincount(experts.ravel(), minlength=5)
        operands = (Operand(x, layout), Operand(experts, layout))
        for active, flag in ((0, 0), (5, 1), (100, 2)):
            counted = None if flag == 0 else np.cumsum(count) if flag == 1 else count
            rows = _rows_of(x, order[: active or total], k)
            yield Case(f"{tokens} {k} {active} {flag}", (*operands, active, 0, 5, 0, flag, True),
                       (rows, _places(order, total), counted, None))  # fmt: skip
        if family == "310P":
            continue
        capacity = max(1, tokens // 3)
        source = _in_rooms(order, experts, 5, capacity)
        places = _places_in_rooms(source, total)
        rows = _rows_of(x, source, k).reshape(5, capacity, columns)
        yield Case(f"{tokens} {k} in rooms", (*operands, 0, capacity, 5, 1, 0, number % 2 == 0),
                   (rows, places, None, count if number % 2 == 0 else None))  # fmt: skip


def quantised(rows: Array, version: int) -> tuple[Array, Array]:
    """Return rows by 127 levels of their largest number, and those levels, in float32."""
    rows = rows.astype(np.float32)
    step = np.abs(rows).max(-1) / np.float32(127)
    with np.errstate(invalid="ignore"):
        levels = rows / step[:, None]
    if version == 2:  # through float16, its further digits cut off; halves go away from zero
        near = levels.astype(np.float16)
        far = np.abs(near.astype(np.float32)) > np.abs(levels)
        levels = np.where(far, np.nextafter(near, np.float16(0)), near).astype(np.float32)
        levels = np.sign(levels) * np.floor(np.abs(levels) + 0.5)
    return np.nan_to_num(np.rint(levels)), step


#: What each quantMode of the 950 gives that is not simply rounded.
_NARROW = {
    2: "float8_e5m2", 3: "float8_e4m3fn", 9: "float4_e2m1fn", 11: "float8_e5m2",
    12: "float8_e4m3fn", 13: "int4",
}  # fmt: skip


def _routed_narrow(rows: Array, mode: int, smooth: Array | None) -> tuple[Array, Array]:
    """Return rows as narrow numbers, and their scales."""
    kind = _NARROW[mode]
    if mode == 13:
        wide = rows if smooth is None else rows * smooth
        step = np.abs(wide).max(-1) * (np.float32(1) / np.float32(7))
        return narrowed(wide * (np.float32(1) / step)[:, None], kind), step
    if mode < 10:
        y, found = blocks(rows, kind, "rint", (1, 32))
        scale = pairs(found, -1)
        return y, scale.reshape(len(rows), -1) if mode < 9 else scale
    size = largest_of(rows, 1, 128).astype(np.float32) / np.float32(LARGEST[kind])
    room = np.zeros((len(rows), size.shape[1] + size.shape[1] % 2), np.float32)
    room[:, : size.shape[1]] = size
    wide = rows / spread(size, 1, 128, rows.shape)
    return narrowed(wide, kind), room.reshape(len(rows), -1, 2)


def _init_routing_v3_narrow(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for mode, (tokens, k, columns) in product(
        _NARROW if release() >= (9, 1) else (2, 3), ((4, 2, 70), (1, 1, 32), (9, 3, 300))
    ):
        if dtype not in (("float32", "bfloat16") if mode == 13 else ("float16", "bfloat16")):
            continue
        x = random_values((tokens, columns), dtype, rng)
        experts = rng.integers(0, 6, (tokens, k)).astype(np.int32)
        order = _by_expert(experts, range(6))
        smooth = rng.uniform(0.5, 2, (1, columns)).astype(np.float32)
        smooth_of = smooth if mode == 13 and tokens > 4 else None
        rows = _rows_of(x, order, k).astype(np.float32)
        y, scale = _routed_narrow(rows, mode, smooth_of)
        yield Case(
            f"{tokens} {k} {columns} mode {mode}",
            (Operand(x), Operand(experts), None if smooth_of is None else Operand(smooth), None,
             -1, 0, 6, 0, 1, True, mode, [0, 6], 0),
            (y, _places(order, tokens * k), np.bincount(experts.ravel(), minlength=6), scale),
        )  # fmt: skip


def _init_routing_v3(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not _is_newer():
        return
    newest = chip_family() == "950"
    if newest:
        yield from _init_routing_v3_narrow(dtype, rng)
    for number, (tokens, k, columns) in enumerate(((4, 2, 5), (7, 3, 16), (1, 1, 3), (30, 6, 33))):
        x = random_values((tokens, columns), dtype, rng)
        experts = rng.integers(0, 6, (tokens, k)).astype(np.int32)
        total, layout = tokens * k, _VIEWS[number % 3]
        operands = (Operand(x, layout), Operand(experts, layout))
        token_scale = random_values((tokens,), "float32", rng)
        order = _by_expert(experts, range(6))
        count = np.bincount(experts.ravel(), minlength=6)
        whole = [0, 6] if newest else None
        for kind in (1, 2) if newest else (0, 1, 2):
            pairs = np.array([(e, n) for e, n in enumerate(count) if n])
            counted = (np.cumsum(count), count, pairs)[kind]
            if kind == 2 and len(pairs) < 6:
                continue  # what is behind them is not written
            for sources in (0, 1):
                places = np.array(order) if sources else _places(order, total)
                yield Case(f"{tokens} {k} counts {kind} {sources}",
                           (*operands, Operand(token_scale), None, -1, 0, 6, 0, kind, True, -1,
                            whole, sources),
                           (_rows_of(x, order, k), places, counted,
                            exact(token_scale)[np.array(order) // k]))  # fmt: skip
        smooth = rng.uniform(0.5, 2, (6, columns)).astype(np.float32)
        if dtype == "int8":
            continue
        for scale in (None, smooth, smooth[:1]):
            rows = _rows_of(x, order, k).astype(np.float32)
            if scale is not None:
                rows = rows * scale[experts.ravel()[order] if len(scale) > 1 else 0]
            yield Case(f"{tokens} {k} of largest",
                       (*operands, None if scale is None else Operand(scale), None, -1, 0, 6, 0, 1,
                        True, 1, whole, 0),
                       (quantised(rows, 3)[0], _places(order, total), count,
                        quantised(rows, 3)[1]))  # fmt: skip
        if newest:
            continue
        few, active = _by_expert(experts, range(6)), min(5, total)
        one, shift = np.array([3.25], np.float32), np.array([-1.5], np.float32)
        static = np.clip(np.rint(_rows_of(x, few[:active], k) * 3.25 - 1.5), -128, 127)
        yield Case(f"{tokens} {k} of one scale",
                   (*operands, Operand(one), Operand(shift), active, 0, 6, 0, 1, True, 0, [0, 6],
                    0),
                   (static, _places(few, total), count, None), ("contiguous",) * 4,
                   ("int8", "int32", "int64", "float32"))  # fmt: skip
        capacity = max(1, tokens // 3)
        source = _in_rooms(order, experts, 6, capacity)
        places = _places_in_rooms(source, total)
        scales = [0.0 if p < 0 else float(token_scale[p // k]) for p in source]
        yield Case(f"{tokens} {k} in rooms",
                   (*operands, Operand(token_scale), None, 0, capacity, 6, 1, 1, True, -1, [0, 6],
                    1),
                   (_rows_of(x, source, k).reshape(6, capacity, columns), places, count,
                    np.array(scales)))  # fmt: skip


def _permute(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not _is_newer():
        return
    for number, (tokens, k) in enumerate(((4, 2), (7, 3), (1, 1), (30, 6), (9, 0))):
        x = random_values((tokens, 5 + number), dtype, rng)
        kind = np.int64 if number % 2 else np.int32
        experts = rng.integers(0, 5, (tokens, k) if k else (tokens,)).astype(kind)
        order, total = _by_expert(experts, range(5)), experts.size
        for wanted in (0, 3, -2, 1000):
            taken = min(wanted, total) if wanted > 0 else max(0, total + wanted)
            layout = _VIEWS[number % 3]
            yield Case(f"{tokens} {k} {wanted} {layout}",
                       (Operand(x, layout), Operand(experts), wanted, False),
                       (_rows_of(x, order[:taken], max(k, 1)), _places(order, total)))  # fmt: skip


def combined(rows: Array, places: Array, scales: Array | None, k: int) -> Array:
    """Return the sum of the rows of each token, with a scale each; -1 is no row."""
    tokens = len(places) // k
    result = np.zeros((tokens, rows.shape[-1]))
    flat = exact(rows).reshape(-1, rows.shape[-1])
    for pair, place in enumerate(places):
        if 0 <= place < len(flat):
            scale = 1.0 if scales is None else exact(scales)[pair // k, pair % k]
            result[pair // k] += scale * flat[place]
    return result


def positive(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    """Return values of one sign, so that sums do not cancel."""
    return np.asarray(rng.uniform(0.1, 1.0, shape)).astype(numpy_dtype(dtype))


def _sum_of_rows(name: str) -> Any:
    """Return the cases of gradients that add up each token's rows."""

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not _is_newer():
            return
        for number, (tokens, k) in enumerate(((4, 2), (7, 3), (1, 1), (30, 6))):
            layout, total = _VIEWS[number % 3], tokens * k
            places = rng.permutation(total).astype(np.int32)
            grad = positive((total, 5 + number), dtype, rng)
            rest: tuple[Any, ...] = (False,) if name == "permute" else (0, 0)
            yield Case(f"{tokens} {k} {layout}",
                       (Operand(grad, layout), Operand(places), k, *rest),
                       (combined(grad, places, None, k),))  # fmt: skip
            if name == "permute":
                continue
            part = grad[: total // 2 + 1]
            yield Case(f"{tokens} {k} active", (Operand(part), Operand(places), k, 0, len(part)),
                       (combined(part, places, None, k),))  # fmt: skip
            rooms = positive((3, total, 7), dtype, rng)
            dropped = np.where(rng.random(total) < 0.3, -1, places).astype(np.int32)
            yield Case(f"{tokens} {k} in rooms", (Operand(rooms), Operand(dropped), k, 1, 0),
                       (combined(rooms, dropped, None, k),))  # fmt: skip

    return cases


def _unpermute(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    family = chip_family()
    if family == "910":
        return
    for number, (tokens, k) in enumerate(((4, 2), (7, 3), (1, 1), (30, 6))):
        columns = 128 if family == "310P" else 5 + number
        for kind in ("", *(_FLOATS if _is_newer() else ("float32", "float16"))):
            each = k if kind else 1
            places = rng.permutation(tokens * each).astype(np.int32)
            rows = positive((tokens * each, columns), dtype, rng)
            scales = positive((tokens, each), kind, rng) if kind else None
            given = None if scales is None else Operand(scales, _VIEWS[number % 3])
            yield Case(f"{tokens} {each} {kind}",
                       (Operand(rows, _VIEWS[number % 3]), Operand(places), given, False, None),
                       (combined(rows, places, scales, each),))  # fmt: skip


def gradients(
    grad: Array, places: Array, rows: Array, scales: Array | None, k: int,
    bias: Array | None = None, experts: Array | None = None,
) -> tuple[Array, Array]:  # fmt: skip
    """Return the gradients by rows and by scales, pair by pair."""
    columns = grad.shape[1]
    flat = exact(rows).reshape(-1, columns)
    by_rows, by_scales = np.zeros_like(flat, np.float64), np.zeros(len(places))
    for pair, place in enumerate(places):
        row = np.zeros(columns)
        if 0 <= place < len(flat):
            scale = 1.0 if scales is None else exact(scales).ravel()[pair]
            by_rows[place] = scale * exact(grad)[pair // k]
            row = flat[place]
        if bias is not None and experts is not None:
            row = row + exact(bias)[experts.ravel()[pair]]
        by_scales[pair] = row @ exact(grad)[pair // k]
    return by_rows.reshape(rows.shape), by_scales.reshape(-1, k)


def _unpermute_grad(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not _is_newer():
        return
    for number, (tokens, k) in enumerate(((4, 2), (7, 3), (1, 1), (30, 6))):
        for kind in ("", *_FLOATS):
            each, layout = (k if kind else 1), _VIEWS[number % 3]
            places = rng.permutation(tokens * each).astype(np.int32)
            rows = positive((tokens * each, 5 + number), dtype, rng)
            grad = positive((tokens, 5 + number), dtype, rng)
            scales = positive((tokens, each), kind, rng) if kind else None
            golden = gradients(grad, places, rows, scales, each)
            given = None if scales is None else Operand(scales)
            yield Case(f"{tokens} {each} {kind}",
                       (Operand(rows, layout), Operand(grad, layout), Operand(places), given, False,
                        None),
                       golden if kind else (golden[0], None), () if kind else ("contiguous",) * 2,
                       () if kind else (dtype, dtype))  # fmt: skip


def _finalize(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    for number, (tokens, k) in enumerate(((4, 2), (7, 3), (1, 1), (30, 6))):
        rows, x1, x2, bias, scales = (
            positive(shape, dtype, rng)
            for shape in ((tokens * k, 7), (tokens, 7), (tokens, 7), (6, 7), (tokens, k))
        )
        places = rng.permutation(tokens * k).astype(np.int32)
        experts = rng.integers(0, 6, (tokens, k)).astype(np.int32)
        golden = exact(x1) + (exact(x2) if number % 2 else 0)
        for t in range(tokens):
            for j in range(k):
                row = exact(rows)[places[j * tokens + t]] + exact(bias)[experts[t, j]]
                golden[t] += exact(scales)[t, j] * row
        operands = [Operand(v, _VIEWS[number % 3]) for v in (rows, x1, x2, bias, scales)]
        if not number % 2:
            operands[2] = None  # type: ignore[call-overload]
        yield Case(f"{tokens} {k}", (*operands, Operand(places), Operand(experts)), (golden,))


def _finalize_v2(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    family = chip_family()
    if family == "910":
        return
    kinds = {"A2": (dtype, "float32") if dtype == "bfloat16" else (dtype,), "310P": (dtype,)}
    for number, (tokens, k) in enumerate(((4, 2), (7, 3), (1, 1), (30, 6))):
        columns = 32 if family == "310P" else 7
        for mode in (2,) if family == "310P" else range(4):
            for kind in ("", *kinds.get(family, _FLOATS)):
                each = k if kind else 1
                rows = positive(
                    (tokens * each, columns) if mode % 2 == 0 else (8, tokens * each, columns),
                    dtype, rng,
                )  # fmt: skip
                places = rng.permutation(tokens * each).astype(np.int32)
                if mode % 2:
                    places[rng.random(len(places)) < 0.3] = -1
                full = family != "310P" and number % 2 == 1
                x1, x2, bias = (
                    positive(s, dtype, rng) for s in ((tokens, columns),) * 2 + ((8, columns),)
                )
                experts = rng.integers(0, 8, (tokens, each)).astype(np.int32)
                scales = positive((tokens, each), kind, rng) if kind else None
                by_token = places if mode > 1 else places.reshape(each, tokens).T.ravel()
                golden = combined(rows, by_token, scales, each)
                if full:
                    shift = exact(bias)[experts]
                    weights = 1.0 if scales is None else exact(scales)[..., None]
                    golden = golden + exact(x1) + exact(x2) + (shift * weights).sum(1)
                rest = [Operand(v) if full else None for v in (x1, x2, bias)]
                given = None if scales is None else Operand(scales)
                yield Case(f"{tokens} {each} {mode} {kind}",
                           (Operand(rows), Operand(places), *rest, given,
                            Operand(experts) if full else None, mode), (golden,))  # fmt: skip


def _finalize_v3(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """As the second version, and experts that give nothing, the token, or numbers of their own.

    Kernels before the 950 do not look which these are: they have rows like any other.
    """
    for case in _finalize_v2(dtype, rng):
        no = (None,) * 4
        yield Case(case.label, (*case.inputs[:7], *no, case.inputs[7], None, None, None),
                   case.golden)  # fmt: skip
    if chip_family() not in ("A2", "950"):
        return
    for tokens, k, mode in ((5, 3, 2), (6, 4, 0)):
        rows, x1, bias, x, scales = (
            positive(shape, dtype, rng)
            for shape in ((tokens * k, 7), (tokens, 7), (12, 7), (tokens, 7), (tokens, k))
        )
        alphas = [positive((2, 7), dtype, rng) for _ in range(3)]
        places = rng.permutation(tokens * k).astype(np.int32)
        experts = rng.integers(0, 12, (tokens, k)).astype(np.int32)
        golden = exact(x1).copy()
        a1, a2, v = map(exact, alphas)
        for t in range(tokens):
            for j in range(k):
                e = experts[t, j]
                kind = e if chip_family() == "950" else 0
                row = exact(rows)[places[t * k + j if mode == 2 else j * tokens + t]]
                if 4 <= kind < 6:
                    continue
                if 6 <= kind < 9:
                    row = exact(x)[t]
                elif 9 <= kind < 11:
                    row = a1[e - 9] * exact(x)[t] + a2[e - 9] * v[e - 9]
                golden[t] += exact(scales)[t, j] * (row + exact(bias)[e])
        yield Case(f"special {tokens} {k} {mode}",
                   (Operand(rows), Operand(places), Operand(x1), None, Operand(bias),
                    Operand(scales), Operand(experts), Operand(x), *map(Operand, alphas), mode,
                    [4, 6], [6, 9], [9, 11]), (golden,))  # fmt: skip


def _finalize_v2_grad(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not _is_newer():
        return
    for tokens, k in ((4, 2), (7, 3), (1, 1), (30, 6)):
        for mode, scaled, biased in ((0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)):
            each = k if scaled else 1
            total = tokens * each
            active = total // 2 if tokens == 7 and mode == 0 else 0
            shape = (5, total, 6) if mode else (active or total, 6)
            rows, grad = positive(shape, dtype, rng), positive((tokens, 6), dtype, rng)
            places = rng.permutation(total).astype(np.int32)
            if mode:
                places[rng.random(total) < 0.3] = -1
            scales = positive((tokens, each), dtype, rng) if scaled else None
            bias = positive((5, 6), dtype, rng) if biased else None
            experts = rng.integers(0, 5, (tokens, each)).astype(np.int32)
            golden = gradients(grad, places, rows, scales, each, bias, experts)
            optional = [
                None if v is None else Operand(v)
                for v in (rows if scaled else None, scales, experts if biased else None, bias)
            ]
            out = () if scaled else ("contiguous",) * 2
            yield Case(f"{tokens} {each} {mode} {scaled} {biased} {active}",
                       (Operand(grad), Operand(places), *optional, mode, active, 5,
                        total if mode else 0),
                       golden if scaled else (golden[0], None), out,
                       () if scaled else (dtype, dtype))  # fmt: skip


def _ranges(total: int, number: int) -> tuple[list[int] | None, int, int]:
    """Return a range of rows, and its ends, or none for all rows."""
    first, last = (0, total) if number % 3 == 0 else (total // 4, max(total // 4 + 1, total // 2))
    return (None if number % 3 == 2 else [first, last]), first, last


def _permute_ep(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    for number, (tokens, k) in enumerate(((4, 2), (7, 3), (1, 1), (30, 6))):
        x, probs = random_values((tokens, 5), dtype, rng), positive((tokens, k), dtype, rng)
        experts = rng.integers(0, 5, (tokens, k)).astype(np.int32)
        order, total = _by_expert(experts, range(5)), experts.size
        for case in (0, 1, 2):
            own, first, last = _ranges(total, number + case)
            if case == 2:  # one without rows stands for all
                own, first, last = [total // 2, total // 2], 0, total
            part = order[first:last] if own else order
            given = Operand(probs) if own and case != 1 else None
            yield Case(f"{tokens} {k} {own}",
                       (Operand(x, _VIEWS[number % 3]), Operand(experts), given, own, 0, False),
                       (_rows_of(x, part, k), _places(order, total),
                        exact(probs).ravel()[part] if given else None))  # fmt: skip


def _of_range(name: str) -> Any:
    """Return the cases of what reads rows of a range: a sum of rows, with scales or without."""

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() != "A2":
            return
        for number, (tokens, k) in enumerate(((4, 2), (7, 3), (1, 1), (30, 6), (9, 2))):
            total = tokens * k
            own, first, last = _ranges(total, number % 2)
            rows = positive((last - first, 6), dtype, rng)
            places = rng.permutation(total).astype(np.int32)
            seen = np.where((places >= first) & (places < last), places - first, -1)
            layout = _VIEWS[number % 3]
            if name == "unpermute":
                for kind in ("", *_FLOATS):
                    scales = positive((tokens, k), kind, rng) if kind else None
                    given = None if scales is None else Operand(scales)
                    yield Case(f"{tokens} {k} {own} {kind}",
                               (Operand(rows, layout), Operand(places), given, k, own, False, None),
                               (combined(rows, seen, scales, k),))  # fmt: skip
                continue
            by_probs = positive((last - first,), dtype, rng)
            picked = np.where(seen >= 0, exact(by_probs)[seen], 0).reshape(tokens, k)
            yield Case(f"{tokens} {k} {own}",
                       (Operand(rows, layout), Operand(places), Operand(by_probs), k, own, False),
                       (combined(rows, seen, None, k), picked))  # fmt: skip

    return cases


def _unpermute_ep_grad(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    for number, (tokens, k) in enumerate(((4, 2), (7, 3), (1, 1), (30, 6))):
        for kind in ("", *_FLOATS):
            each, layout = (k if kind else 1), _VIEWS[number % 3]
            total = tokens * each
            own, first, last = _ranges(total, number % 2)
            places = rng.permutation(total).astype(np.int32)
            seen = np.where((places >= first) & (places < last), places - first, -1)
            rows = positive((last - first, 5 + number), dtype, rng)
            grad = positive((tokens, 5 + number), dtype, rng)
            scales = positive((tokens, each), kind, rng) if kind else None
            golden = gradients(grad, seen, rows, scales, each)
            given = None if scales is None else Operand(scales)
            yield Case(f"{tokens} {each} {kind} {own}",
                       (Operand(grad, layout), Operand(places), Operand(rows, layout), given, False,
                        None, own, each),
                       golden if kind else (golden[0], None))  # fmt: skip


SUITES: tuple[Suite, ...] = (
    Suite("moe_gating_top_k_softmax", _FLOATS, _softmax_gate(1)),
    Suite("moe_gating_top_k_softmax_v2", _FLOATS, _softmax_gate(2)),
    Suite("moe_gating_top_k", _FLOATS, _gate),
    Suite("moe_gating_top_k_backward", _FLOATS, _gate_backward),
    Suite("moe_fused_topk", _FLOATS, _fused_gate),
    Suite("moe_compute_expert_tokens", ("int32",), _tokens),
    Suite("moe_init_routing", _FLOATS, _init_routing),
    Suite("moe_init_routing_quant", _FLOATS, _init_routing_quant),
    Suite("moe_init_routing_quant_v2", _FLOATS, _init_routing_quant_v2),
    Suite("moe_init_routing_v2", _FLOATS, _init_routing_v2),
    Suite("moe_init_routing_v3", (*_FLOATS, "int8"), _init_routing_v3),
    Suite("moe_init_routing_v2_grad", _FLOATS, _sum_of_rows("routing")),
    Suite("moe_token_permute", _FLOATS, _permute),
    Suite("moe_token_permute_grad", _FLOATS, _sum_of_rows("permute")),
    Suite("moe_token_unpermute", _FLOATS, _unpermute),
    Suite("moe_token_unpermute_grad", _FLOATS, _unpermute_grad),
    Suite("moe_token_permute_with_ep", _FLOATS, _permute_ep),
    Suite("moe_token_permute_with_ep_grad", _FLOATS, _of_range("permute")),
    Suite("moe_token_unpermute_with_ep", _FLOATS, _of_range("unpermute")),
    Suite("moe_finalize_routing", _FLOATS, _finalize),
    Suite("moe_finalize_routing_v2", _FLOATS, _finalize_v2),
    Suite("moe_finalize_routing_v3", _FLOATS, _finalize_v3),
    Suite("moe_token_unpermute_with_ep_grad", _FLOATS, _unpermute_ep_grad),
    Suite("moe_finalize_routing_v2_grad", _FLOATS, _finalize_v2_grad),
)
