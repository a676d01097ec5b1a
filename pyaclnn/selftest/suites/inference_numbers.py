"""Keys, values and results of 8 and 4 bits in attention for inference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, is_950
from pyaclnn.selftest.formulas.narrow import LARGEST, narrowed
from pyaclnn.selftest.suites.grouped_quant import packed_int4
from pyaclnn.selftest.suites.inference_calls import (
    Call,
    behind_another,
    case_of,
    drawn_values,
    in_lanes,
    laid_out,
)

GROUPS = 6
NARROW_FLOATS = ("float8_e4m3fn", "float4_e2m1fn")


def _codes(rng: np.random.Generator, kind: str, shape: tuple[int, ...], positive: bool) -> Array:
    """Return numbers that a narrow type holds."""
    if kind in NARROW_FLOATS:
        drawn = rng.normal(0, 2, shape)
        return np.asarray(np.abs(drawn) if positive else drawn).astype(numpy_dtype(kind))
    most = 8 if kind == "int4" else 90
    low = 0 if positive else -most
    return rng.integers(low, most, shape).astype(np.int8)


def _steps(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return scales, a hundredth and more, which powers of two near them stand for."""
    return rng.uniform(0.01, 0.02, shape)


def _as_made(x: Array, dtype: str) -> Array:
    """Return numbers as the 950 makes them before it multiplies: of the queries' type."""
    return np.asarray(x.astype(numpy_dtype(dtype)) if is_950() else x).astype(np.float64)


def antiquant(
    operator: str, dtype: str, rng: np.random.Generator, layout: str, mode: int, joint: bool,
    offset: bool, rows: int = 1, kind: str = "int8",
) -> Case:  # fmt: skip
    """Return a case of narrow keys and values, with numbers for channels, tokens or groups.

    An int32 holds eight of int4.
    """
    b, n, m, columns, depth = 2, 4, 2, 9, 64
    whole = [_codes(rng, kind, (b, m, columns, depth), positive=k == 1) for k in range(2)]
    shape = {1: (b, columns), GROUPS: (b, m, columns, depth // 32)}.get(mode, (m, depth))
    of_scales = {1: "float32", GROUPS: "float8_e8m0fnu"}.get(mode, dtype)
    scales = [_steps(rng, shape).astype(numpy_dtype(of_scales)) for _ in range(2)]
    offsets = [rng.integers(0, 9, shape).astype(numpy_dtype(of_scales)) for _ in range(2)]

    def spread(a: Array) -> Array:
        wide = _as_made(a, dtype)
        if mode == GROUPS:
            return np.repeat(wide, 32, -1)
        return np.asarray(wide[:, None, :, None] if mode == 1 else wide[None, :, None])

    def number(x: Array, scale: Array, more: Array) -> Array:
        added = x.astype(np.float64) + (spread(more) if offset else 0)
        return _as_made(_as_made(added, dtype) * spread(scale), dtype)

    query = drawn_values(rng, dtype, b, n, rows, depth)
    k, v = (number(*each) for each in zip(whole, scales, offsets, strict=True))
    call = Call(
        list(query), list(k), list(v),
        {"num_heads": n, "num_key_value_heads": m, "scale_value": depth**-0.5,
         "input_layout": layout},
    )  # fmt: skip
    found = call.golden()
    operands: dict[str, Any] = {
        "query": Operand(laid_out(query, layout)),
    }
    for name, numbers in zip(("key", "value"), whole, strict=True):
        stored = laid_out(numbers, layout)
        operands[name] = [packed_int4(stored) if kind == "int4" else Operand(stored)]

    def shaped(x: Array) -> Array:
        if mode == 1:
            return x
        if mode == GROUPS:
            return x[None]
        ends = {"BSH": (m * depth,), "BNSD": (m, 1, depth)}.get(layout, (m, depth))
        return np.asarray(x.reshape(*x.shape[:-2], *ends))

    if joint:
        operands["antiquant_scale"] = Operand(shaped(np.stack(scales)))
        operands["antiquant_offset"] = Operand(shaped(np.stack(offsets))) if offset else None
        operands["antiquant_mode"] = mode
    else:
        for name, at in (("key", 0), ("value", 1)):
            operands[f"{name}_antiquant_scale"] = Operand(shaped(scales[at]))
            if offset:
                operands[f"{name}_antiquant_offset"] = Operand(shaped(offsets[at]))
            operands[f"{name}_antiquant_mode"] = mode
    golden = laid_out(np.stack([out for out, _ in found]), layout)
    label = f"{kind} {layout} {mode} {joint} {offset} {rows}"
    return case_of(operator, label, call, operands, golden, None)


def paged_numbers(
    operator: str, dtype: str, rng: np.random.Generator, mode: int, lane: int = 0,
    kind: str = "int8",
) -> Case:  # fmt: skip
    """Return a case of narrow numbers in pages, with scales in each of their modes."""
    n, m, depth, block, pages = 4, 2, 128 if lane == 64 else 64, 64, 5
    columns = [block + 5, 20]
    table = rng.permutation(pages)[:4].reshape(2, 2).astype(np.int32)
    shape = [
        (m, depth), (2, 2 * block), (m,), (2, m, 2 * block), (pages, block), (pages, m, block),
        (1, 2, m, 2 * block, depth // 32),
    ][mode]  # fmt: skip
    of_scales = "float8_e8m0fnu" if mode == GROUPS else dtype if mode in (0, 2) else "float32"
    caches = [_codes(rng, kind, (pages, m, block, depth), positive=k == 1) for k in range(2)]
    scales = [_steps(rng, shape).astype(numpy_dtype(of_scales)) for _ in "kv"]

    def numbers(cache: Array, scale: Array, b: int) -> Array:
        whole = np.concatenate([cache[page] for page in table[b]], 1).astype(np.float64)
        wide = _as_made(scale, dtype)
        if mode == GROUPS:
            return _as_made(whole * np.repeat(wide[0, b], 32, -1), dtype)[:, : columns[b]]
        own = wide[b] if mode in (1, 3) else wide
        if mode >= 4:
            own = np.concatenate([wide[page] for page in table[b]], -1)
        by = {0: wide[:, None], 2: wide[:, None, None]}.get(mode, own[..., None])
        return _as_made(whole * by, dtype)[:, : columns[b]]

    query = drawn_values(rng, dtype, 2, n, 1, depth)
    keys, values = (
        [numbers(*pair, b) for b in range(2)] for pair in zip(caches, scales, strict=True)
    )
    call = Call(
        list(query), keys, values,
        {"num_heads": n, "num_key_value_heads": m, "scale_value": depth**-0.5,
         "input_layout": "BNSD", "block_size": block, "actual_seq_lengths_kv": columns},
    )  # fmt: skip
    operands: dict[str, Any] = {"query": Operand(query), "block_table": Operand(table)}
    for name, cache, scale in zip(("key", "value"), caches, scales, strict=True):
        operands[name] = [Operand(in_lanes(cache, lane) if lane else cache)]
        operands[f"{name}_antiquant_scale"] = Operand(scale)
        operands[f"{name}_antiquant_mode"] = mode
    golden = np.stack([out for out, _ in call.golden()])
    return case_of(operator, f"{kind} in pages {mode} {lane}", call, operands, golden, None)


def packed_numbers(
    operator: str, dtype: str, rng: np.random.Generator, mode: int, kind: str
) -> Case:
    """Return a case of narrow numbers behind one another, with scales for tokens or groups."""
    n, m, depth = 4, 2, 64
    rows, columns = [2, 1, 3], [9, 4, 7]
    room = max(columns) + 2
    shape = (3, room) if mode == 1 else (1, 3, m, room, depth // 32)
    of_scales = numpy_dtype("float8_e8m0fnu" if mode == GROUPS else "float32")
    codes = [_codes(rng, kind, (m, sum(columns), depth), positive=k == 1) for k in range(2)]
    scales = [_steps(rng, shape).astype(of_scales) for _ in "kv"]
    firsts = np.cumsum([0, *columns])

    def numbers(code: Array, scale: Array, b: int) -> Array:
        own = code[:, firsts[b] : firsts[b + 1]].astype(np.float64)
        wide = _as_made(scale, dtype)
        if mode == GROUPS:
            by = np.repeat(wide[0, b, :, : columns[b]], 32, -1)
        else:
            by = wide[b, None, : columns[b], None]
        return _as_made(own * by, dtype)

    queries = [drawn_values(rng, dtype, n, count, depth) for count in rows]
    keys, values = (
        [numbers(*pair, b) for b in range(3)] for pair in zip(codes, scales, strict=True)
    )
    call = Call(
        queries, keys, values,
        {"num_heads": n, "num_key_value_heads": m, "scale_value": depth**-0.5,
         "input_layout": "TND", "actual_seq_lengths": list(np.cumsum(rows)),
         "actual_seq_lengths_kv": list(firsts[1:])},
    )  # fmt: skip
    operands: dict[str, Any] = {"query": Operand(behind_another(queries, "TND"))}
    for name, code, scale in zip(("key", "value"), codes, scales, strict=True):
        operands[name] = [Operand(behind_another([code], "TND"))]
        operands[f"{name}_antiquant_scale"] = Operand(scale)
        operands[f"{name}_antiquant_mode"] = mode
    golden = behind_another([out for out, _ in call.golden()], "TND")
    return case_of(operator, f"{kind} of tokens {mode}", call, operands, golden, None)


def latents(
    operator: str, rng: np.random.Generator, layout: str, kind: str = "int8", lane: int = 32
) -> Case:
    """Return a case of latent vectors of 8 bits, whose values are the keys.

    Weights become numbers of the same type, of which the largest stands for 1.
    """
    most = LARGEST[kind]
    n, depth, turned, block, rows = 2, 512, 64, 128, 2
    columns = [130, 20]
    table = rng.permutation(4).reshape(2, 2).astype(np.int32)
    source, _, target = layout.partition("_")
    while True:
        q = rng.integers(-9, 10, (2, n, rows, depth)).astype(numpy_dtype(kind))
        cache = rng.integers(-9, 10, (4, 1, block, depth)).astype(numpy_dtype(kind))
        q_rope = drawn_values(rng, "bfloat16", 2, n, rows, turned)
        k_rope = drawn_values(rng, "bfloat16", 4, 1, block, turned)
        by_query = rng.uniform(0.5, 1, (2, n, rows, 1)).astype(np.float32)
        steps = np.array([0.25, 0.5], np.float32)
        outs, weights = [], []
        for b, count in enumerate(columns):
            k, r = (
                np.concatenate([x[page, 0] for page in table[b]])[:count].astype(np.float64)
                for x in (cache, k_rope)
            )
            scores = q[b].astype(np.float64) @ k.T + q_rope[b].astype(np.float64) @ r.T
            scores = scores * by_query[b].astype(np.float64) * 0.25 * 0.05
            power = np.exp(scores - scores.max(-1, keepdims=True))
            weights.append(power.reshape(-1) * most)
            coded = narrowed(power * most, kind).astype(np.float64)
            outs.append(coded @ k * 0.5 / most / power.sum(-1, keepdims=True))
        drawn = np.concatenate(weights)
        near = [narrowed(drawn * (1 + sign * 1e-5), kind) for sign in (-1, 1)]
        if is_clear(drawn) if kind == "int8" else bool((near[0] == near[1]).all()):
            break

    def stored(x: Array, lane_of: int) -> Array:
        return in_lanes(x, lane_of) if lane else laid_out(x, "BSH")

    def placed(x: Array, letters: str) -> Array:
        if "T" in letters:
            return behind_another(list(x), letters)
        return laid_out(x, letters)

    named: dict[str, Any] = {
        "num_heads": n, "num_key_value_heads": 1, "scale_value": 0.05, "input_layout": layout,
        "block_size": block, "actual_seq_lengths_kv": columns, "query_quant_mode": 3,
        "actual_seq_lengths": [rows, 2 * rows] if "T" in layout else None,
    }  # fmt: skip
    letters = "BSND" if source == "BSH" else source
    operands: dict[str, Any] = {
        "query": Operand(placed(q, source)), "query_rope": Operand(placed(q_rope, source)),
        "dequant_scale_query": Operand(placed(by_query, letters)[..., 0]),
        "key": [Operand(stored(cache, 32))], "value": [Operand(stored(cache, 32))],
        "key_rope": Operand(stored(k_rope, 16)), "block_table": Operand(table),
        "key_antiquant_scale": Operand(steps[:1]), "value_antiquant_scale": Operand(steps[1:]),
    }  # fmt: skip
    golden = placed(np.stack(outs), target or source)
    return case_of(
        operator, f"latents {kind} {layout} {lane}", Call([], [], [], named), operands, golden, None
    )


def is_clear(x: Array, margin: float = 1e-3) -> bool:
    """Whether numbers lie far enough from halves that every right sum of them rounds alike."""
    return bool((np.abs(x - np.floor(x) - 0.5) > margin).all())


def _rounded(
    operator: str, dtype: str, rng: np.random.Generator, layout: str, rows: int, *,
    offset: bool = False, channels: bool = False, lse: bool = False,
) -> Case:  # fmt: skip
    """Return a case whose result is int8, and for the dtype int8 all of it."""
    b, n, m, columns, depth = 1, 2, 1, 9, 32
    narrow = dtype == "int8"
    kind = numpy_dtype("bfloat16" if dtype == "bfloat16" else "float32")
    source, _, target = layout.partition("_")
    named: dict[str, Any] = {
        "num_heads": n, "num_key_value_heads": m, "scale_value": 0.25, "input_layout": layout,
    }  # fmt: skip
    while True:
        if narrow:
            query, key, value = (
                rng.integers(-9, 10, (b, heads, s, depth)).astype(np.int8)
                for heads, s in ((n, rows), (m, columns), (m, columns))
            )
            result, sums, steps = _by_bytes(query, key, value, 0.25)
        else:
            query = drawn_values(rng, dtype, b, n, rows, depth)
            key, value = (drawn_values(rng, dtype, b, m, columns, depth) for _ in "kv")
            found = Call(list(query), list(key), list(value), named).golden()
            result, sums = (np.stack(x) for x in zip(*found, strict=True))
            steps = np.zeros(())
        shape = (1, n, 1, depth) if channels else (1,)
        scale, more = (rng.uniform(5, 15, shape).astype(kind) for _ in "so")
        scaled = result * scale.astype(np.float64) + offset * more.astype(np.float64)
        if is_clear(scaled) and is_clear(steps) and np.abs(scaled).max() < 127:
            break
    operands: dict[str, Any] = {
        "query": Operand(laid_out(query, source)), "key": [Operand(laid_out(key, source))],
        "value": [Operand(laid_out(value, source))], "quant_scale2": Operand(scale),
        "quant_offset2": Operand(more) if offset else None,
    }  # fmt: skip
    if narrow:
        operands |= {
            "deq_scale1": Operand(np.array([0.125], np.float32)),
            "quant_scale1": Operand(np.array([100], np.float32)),
            "deq_scale2": Operand(np.array([np.float32(0.01)]).view(np.uint32).astype(np.uint64)),
        }
    label = f"int8 of {dtype} {layout} {rows} {offset} {channels}"
    golden = np.rint(laid_out(scaled, target or source)).astype(np.int8)
    return case_of(
        operator, label, Call([], [], [], named), operands, golden, sums if lse else None
    )


def _by_bytes(query: Array, key: Array, value: Array, scale: float) -> tuple[Array, Array, Array]:
    """Return the result, the logarithms of sums, and weights before they are rounded."""

    def half(x: Array) -> Array:
        return np.asarray(x.astype(np.float16).astype(np.float64))

    q, k, v = (x.astype(np.float64) for x in (query, key, value))
    scores = half(q @ k.swapaxes(-1, -2) * 0.125) * scale
    largest = scores.max(-1, keepdims=True)
    power = np.exp(scores - largest)
    total = power.sum(-1, keepdims=True)
    sums = half(np.rint(power * 100) @ v * float(np.float32(0.01)))
    return sums / total, np.log(total) + largest, power * 100


def quantised(operator: str, dtype: str, rng: np.random.Generator, rows: int) -> Iterator[Case]:
    """Return cases of results of int8, and of int8 throughout."""
    if not has_bfloat16():
        return
    for layout in ("BSH", "BSND", "BNSD", "BNSD_BSND")[: 3 if rows == 1 else 4]:
        yield _rounded(operator, dtype, rng, layout, rows, offset=layout != "BSH",
                       channels=layout == "BSND")  # fmt: skip
        if rows > 1 and dtype == "float16":
            yield _rounded(operator, "int8", rng, layout, rows, offset=layout == "BNSD",
                           channels=layout == "BSH",
                           lse=operator.startswith("fused") and layout == "BSND")  # fmt: skip
