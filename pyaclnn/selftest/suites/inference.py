"""Attention for inference in its layouts, in pages, quantised, padded, and with rotary parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import ends_older_versions, has_bfloat16, is_950
from pyaclnn.selftest.formulas.narrow import LARGEST, narrowed
from pyaclnn.selftest.suites.attention import attention, plain_cases
from pyaclnn.selftest.suites.grouped_quant import packed_int4

_MANY = 2**31 - 1
_LAYOUTS = (
    "BSH", "BSND", "BNSD", "BNSD_BSND", "BSH_BNSD", "BSND_BNSD", "BSH_NBSD", "BSND_NBSD",
    "BNSD_NBSD",
)  # fmt: skip


def laid_out(x: Array, letters: str) -> Array:
    """Return [B, N, S, D] in a layout."""
    if "H" in letters:
        turned = x.swapaxes(1, 2)
        return np.asarray(turned.reshape(*turned.shape[:2], -1))
    return np.ascontiguousarray(x.transpose(["BNSD".index(c) for c in letters]))


def behind_another(parts: list[Array], letters: str) -> Array:
    """Return [N, S, D] of several sequences as tokens."""
    joined = np.concatenate(parts, 1)
    return np.ascontiguousarray(joined if letters == "NTD" else joined.swapaxes(0, 1))


@dataclass
class Call:
    """Sequences to attend to, and what is done with them.

    Queries, keys and values are [N, S, D] of each sequence, as long as it is.
    """

    queries: list[Array]
    keys: list[Array]
    values: list[Array]
    named: dict[str, Any] = field(default_factory=dict)
    band: Callable[[int, int], Array] | None = None
    sink: Array | None = None

    def golden(self) -> list[tuple[Array, Array]]:
        """Return what each sequence gives, and the logarithms of its sums."""
        return [self._one(*each) for each in zip(self.queries, self.keys, self.values, strict=True)]

    def _one(self, query: Array, key: Array, value: Array) -> tuple[Array, Array]:
        q, k, v = (x.astype(np.float64)[None] for x in (query, key, value))
        rows, columns = q.shape[2], k.shape[2]
        unseen = np.zeros((rows, columns), bool)
        if self.band is not None:
            unseen = self.band(rows, columns)
        if self.sink is not None:
            # One more column, whose value is nothing.
            scale = float(self.named["scale_value"])
            return _with_sink(q[0], k[0], v[0], scale, self.sink, unseen)
        out, lse = attention(q, k, v, float(self.named["scale_value"]), None, unseen)
        return out[0], lse[0]


def _with_sink(
    q: Array, k: Array, v: Array, scale: float, sink: Array, unseen: Array
) -> tuple[Array, Array]:
    group = len(q) // len(k)
    scores = q @ np.repeat(k, group, 0).swapaxes(-1, -2) * scale
    scores = np.where(unseen, -np.inf, scores)
    all_scores = np.concatenate(
        (scores, np.broadcast_to(sink[:, None, None], (*scores.shape[:2], 1))), -1
    )
    largest = all_scores.max(-1, keepdims=True)
    power = np.exp(all_scores - largest)
    total = power.sum(-1, keepdims=True)
    out = (power / total)[..., :-1] @ np.repeat(v, group, 0)
    return out, np.log(total) + largest


def _ahead(count: Callable[[int, int], int], behind: int = _MANY) -> Callable[[int, int], Array]:
    """Return which columns a row does not see: those after it and so many more, or far before."""

    def unseen(rows: int, columns: int) -> Array:
        step = np.arange(columns) - np.arange(rows)[:, None]
        ahead = count(rows, columns)
        return np.asarray((step > ahead) | (step < ahead - behind))

    return unseen


def _inputs(operator: str, named: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the arguments of a call, from those that are given by name."""
    base: dict[str, Any] = {
        "pre_tokens": _MANY, "next_tokens": _MANY, "sparse_mode": 0, "inner_precise": 0,
        "block_size": 0, "antiquant_mode": 0, "softmax_lse_flag": False, "key_antiquant_mode": 0,
        "value_antiquant_mode": 0, "query_quant_mode": 0, "pse_type": 0,
    }  # fmt: skip
    found = {**base, **named}
    values = []
    for argument in getattr(pa.ops, operator).spec.inputs:
        name = argument.name.removesuffix("_optional")
        values.append(found.get(name, found.get(name.replace("_", ""))))
    return tuple(values)


def _triangle() -> Operand:
    return Operand(np.triu(np.ones((2048, 2048), bool), 1))


def _drawn(rng: np.random.Generator, dtype: str, *shape: int, positive: bool = False) -> Array:
    x = rng.normal(0, 1, shape)
    return np.asarray(np.abs(x) + 0.5 if positive else x).astype(numpy_dtype(dtype))


def _case(
    operator: str, label: str, call: Call, operands: dict[str, Any], golden: Array,
    lse: Array | None,
) -> Case:  # fmt: skip
    named = {**call.named, **operands, "softmax_lse_flag": lse is not None}
    if operator.startswith("prompt"):
        named["key"], named["value"] = named["key"][0], named["value"][0]
    outputs: tuple[Any, ...] = (golden,)
    if operator.startswith("fused"):
        outputs = (golden, lse)
    return Case(label, _inputs(operator, named), outputs)


def _plain(
    operator: str, dtype: str, rng: np.random.Generator, sizes: tuple[int, ...], layout: str,
    band: Callable[[int, int], Array] | None = None, lse: bool = False, **named: Any,
) -> Case:  # fmt: skip
    """Return a case of [B, N, S, D] without lengths."""
    b, n, m, rows, columns, depth = sizes
    query = _drawn(rng, dtype, b, n, rows, depth)
    key = _drawn(rng, dtype, b, m, columns, depth)
    value = _drawn(rng, dtype, b, m, columns, depth, positive=True)
    scale = depth**-0.5
    call = Call(
        list(query), list(key), list(value),
        {"num_heads": n, "num_key_value_heads": m, "scale_value": scale, "input_layout": layout,
         **named}, band,
    )  # fmt: skip
    found = call.golden()
    source, _, target = layout.partition("_")
    golden = laid_out(np.stack([out for out, _ in found]), target or source)
    operands = {
        "query": Operand(laid_out(query, source)), "key": [Operand(laid_out(key, source))],
        "value": [Operand(laid_out(value, source))],
    }  # fmt: skip
    sums = np.stack([s for _, s in found]) if lse else None
    return _case(operator, f"{sizes} {layout} {sorted(named)}", call, operands, golden, sums)


def _masked(operator: str, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    sizes = (2, 4, 2, 5, 9, 16)
    mask = _triangle()
    yield _plain(operator, dtype, rng, sizes, "BNSD", _ahead(lambda r, c: 0), sparse_mode=2,
                 atten_mask=mask)  # fmt: skip
    yield _plain(operator, dtype, rng, sizes, "BSND", _ahead(lambda r, c: c - r), sparse_mode=3,
                 atten_mask=mask)  # fmt: skip
    yield _plain(operator, dtype, rng, sizes, "BSH", _ahead(lambda r, c: c - r + 1, 4),
                 sparse_mode=4, atten_mask=mask, pre_tokens=3, next_tokens=1)  # fmt: skip
    banded = _ahead(lambda r, c: 2, 5)
    full = Operand(banded(5, 9))
    yield _plain(operator, dtype, rng, sizes, "BNSD", banded, atten_mask=full, pre_tokens=3,
                 next_tokens=2)  # fmt: skip
    yield _plain(operator, dtype, rng, sizes, "BNSD", banded, atten_mask=full, sparse_mode=1)


def _lengths(
    operator: str, dtype: str, rng: np.random.Generator, padded: bool, lse: bool,
    masked: bool = False,
) -> Case:  # fmt: skip
    """Return a case whose sequences are shorter than their room, or end before it does.

    ``masked`` has a mask and a shift of all pairs of the room.
    """
    n, m, depth, room, place = 4, 2, 16, 7, 11
    rows, columns = [7, 3, 5], [11, 4, 8]
    behind = (0, 0) if not padded else (1, 2)
    if padded:
        rows, columns = [6, 3, 5], [9, 4, 8]
    queries = [_drawn(rng, dtype, n, r, depth) for r in rows]
    keys = [_drawn(rng, dtype, m, c, depth) for c in columns]
    values = [_drawn(rng, dtype, m, c, depth, positive=True) for c in columns]
    named = {
        "num_heads": n, "num_key_value_heads": m, "scale_value": 0.25, "input_layout": "BNSD",
        "actual_seq_lengths": rows, "actual_seq_lengths_kv": columns,
    }  # fmt: skip
    unseen = np.zeros((3, 1, room, place), bool)
    shift = np.zeros((3, n, room, place))
    if masked:
        unseen[...] = rng.random(unseen.shape) < 0.3
        unseen[..., [2, 6]] = False  # every row sees a column, in front or behind
        shift = _drawn(rng, dtype, *shift.shape)
        named |= {"atten_mask": Operand(unseen), "pse_shift": Operand(shift)}
    if padded:
        named["query_padding_size"] = Operand(np.array([behind[0]]))
        named["kv_padding_size"] = Operand(np.array([behind[1]]))

    def part(b: int) -> tuple[slice, slice]:
        """Return where a sequence's rows and columns are."""
        first = [
            length - count - end if padded else 0
            for length, count, end in zip((room, place), (rows[b], columns[b]), behind, strict=True)
        ]
        return slice(first[0], first[0] + rows[b]), slice(first[1], first[1] + columns[b])

    def placed(parts: list[Array], axis: int, fill: float) -> Array:
        length = (room, place)[axis]
        whole = np.full((len(parts), parts[0].shape[0], length, parts[0].shape[2]), float(fill))
        for b, own in enumerate(parts):
            whole[b, :, part(b)[axis]] = own
        return whole

    found = []
    for b, parts in enumerate(zip(queries, keys, values, strict=True)):
        at = (b, slice(None), *part(b))
        q, k, v = (x.astype(np.float64)[None] for x in parts)
        out, total = attention(q, k, v, 0.25, shift[at].astype(np.float64)[None], unseen[at])
        found.append((out[0], total[0]))
    operands: dict[str, Any] = {
        "query": Operand(placed(queries, 0, 9).astype(numpy_dtype(dtype))),
        "key": [Operand(placed(keys, 1, 9).astype(numpy_dtype(dtype)))],
        "value": [Operand(placed(values, 1, 9).astype(numpy_dtype(dtype)))],
    }
    golden = placed([out for out, _ in found], 0, 0)
    sums = placed([s for _, s in found], 0, np.inf) if lse else None
    label = f"lengths, padded {padded}{' beside a mask' * masked}"
    return _case(operator, label, Call([], [], [], named), operands, golden, sums)


def _tokens(
    operator: str, dtype: str, rng: np.random.Generator, layout: str, *, turned: int = 0,
    causal: bool = True, lse: bool = False, depth: int = 128, tree: bool = False,
) -> Case:  # fmt: skip
    """Return a case of sequences behind one another, with rotary parts if ``turned``."""
    n, m = 4, 1 if turned else 2
    rows, columns = [5, 1, 3], [7, 6, 3]
    call = Call(
        [_drawn(rng, dtype, n, r, depth + turned) for r in rows],
        [_drawn(rng, dtype, m, c, depth + turned) for c in columns],
        [_drawn(rng, dtype, m, c, depth, positive=True) for c in columns],
        {"num_heads": n, "num_key_value_heads": m, "scale_value": 0.07, "input_layout": layout,
         "actual_seq_lengths": list(np.cumsum(rows)),
         "actual_seq_lengths_kv": list(np.cumsum(columns))},
        _ahead(lambda r, c: c - r) if causal else None,
    )  # fmt: skip
    if causal:
        call.named |= {"sparse_mode": 3, "atten_mask": _triangle()}
    if tree:
        masks = [rng.random((r, r)) < 0.4 * (1 - np.eye(r)) for r in rows]
        whole = np.concatenate([mask.reshape(-1) for mask in masks])
        call.named |= {"sparse_mode": 9, "atten_mask": Operand(whole)}
        each = iter(masks)
        call.band = lambda r, c: np.concatenate((np.zeros((r, c - r), bool), next(each)), 1)
    found = call.golden()
    source, _, target = layout.partition("_")
    q, k = (behind_another(x, source) for x in (call.queries, call.keys))
    operands: dict[str, Any] = {
        "query": Operand(q[..., :depth]), "key": [Operand(k[..., :depth])],
        "value": [Operand(behind_another(call.values, source))],
    }  # fmt: skip
    if turned:
        operands |= {"query_rope": Operand(q[..., depth:]), "key_rope": Operand(k[..., depth:])}
    golden = behind_another([out for out, _ in found], target or source)
    sums = behind_another([s for _, s in found], "TND") if lse else None
    label = f"{layout} {turned} {causal}{' tree' * tree}"
    return _case(operator, label, call, operands, golden, sums)


def _paged(
    operator: str, dtype: str, rng: np.random.Generator, layout: str, flat: bool,
    rows: list[int], *, turned: int = 0, causal: bool = False, lane: int = 0,
) -> Case:  # fmt: skip
    """Return a case whose keys lie in pages: [pages, rows, H] where ``flat``, or in lanes."""
    n, m, depth, block = 4, 2, 64, 128 if lane else 16
    columns = [block + 21, 16, 20][: len(rows)]
    pages = sum(-(-c // block) for c in columns) + 2
    order = iter(rng.permutation(pages))
    table = np.full((len(columns), -(-max(columns) // block)), -1, np.int32)
    call = Call(
        [_drawn(rng, dtype, n, r, depth + turned) for r in rows],
        [_drawn(rng, dtype, m, c, depth + turned) for c in columns],
        [_drawn(rng, dtype, m, c, depth, positive=True) for c in columns],
        {"num_heads": n, "num_key_value_heads": m, "scale_value": 0.1, "input_layout": layout,
         "actual_seq_lengths_kv": columns, "actual_seq_lengths": columns, "block_size": block},
        _ahead(lambda r, c: c - r) if causal else None,
    )  # fmt: skip
    if causal:
        call.named |= {"sparse_mode": 3, "atten_mask": _triangle()}
    caches = [_drawn(rng, dtype, pages, m, block, width) for width in (depth + turned, depth)]
    for b, c in enumerate(columns):
        for page in range(-(-c // block)):
            table[b, page] = at = next(order)
            for cache, parts in zip(caches, (call.keys, call.values), strict=True):
                piece = parts[b][:, page * block : (page + 1) * block]
                cache[at, :, : piece.shape[1]] = piece
    found = call.golden()

    def stored(cache: Array) -> Array:
        if lane:
            return in_lanes(cache, lane)
        return laid_out(cache, "BSH") if flat else np.ascontiguousarray(cache)

    operands: dict[str, Any] = {
        "key": [Operand(stored(caches[0][..., :depth]))], "value": [Operand(stored(caches[1]))],
        "block_table": Operand(table), "blocktable": Operand(table),
    }  # fmt: skip
    if "T" in layout:
        call.named["actual_seq_lengths"] = list(np.cumsum(rows))
        q = behind_another(call.queries, layout)
        golden = behind_another([out for out, _ in found], layout)
    else:
        if operator.startswith("fused"):
            call.named["actual_seq_lengths"] = None
        q = laid_out(np.stack(call.queries), layout)
        golden = laid_out(np.stack([out for out, _ in found]), layout)
    operands["query"] = Operand(q[..., :depth] if turned else q)
    if turned:
        operands |= {
            "query_rope": Operand(q[..., depth:]),
            "key_rope": Operand(stored(caches[0][..., depth:])),
        }
    label = f"pages {layout} {flat} {rows} {turned} {causal} {lane or ''}"
    return _case(operator, label, call, operands, golden, None)


def _in_parts(
    operator: str, dtype: str, rng: np.random.Generator, layout: str, rows: int, shared: int
) -> Case:
    """Return a case of keys in a list, or behind a beginning that samples share."""
    n, m, depth = 4, 2, 32
    columns = [7, 7] if shared else [7, 3]
    source, _, target = layout.partition("_")
    prefix = [_drawn(rng, dtype, m, shared, depth, positive=k == 1) for k in range(2)]
    own = [
        [_drawn(rng, dtype, m, c, depth, positive=k == 1) for c in columns] for k in range(2)
    ]  # fmt: skip
    lengths = [6, 2]
    keys, values = (
        [np.concatenate((p, part[:, :c]), 1) for part, c in zip(parts, lengths, strict=True)]
        for p, parts in zip(prefix, own, strict=True)
    )
    call = Call(
        list(_drawn(rng, dtype, 2, n, rows, depth)), keys, values,
        {"num_heads": n, "num_key_value_heads": m, "scale_value": 0.2, "input_layout": layout,
         "actual_seq_lengths_kv": lengths},
    )  # fmt: skip
    operands: dict[str, Any] = {"query": Operand(laid_out(np.stack(call.queries), source))}
    for name, p, parts in zip(("key", "value"), prefix, own, strict=True):
        if shared:
            # One row more than counts.
            whole = np.concatenate((p, np.full_like(p[:, :1], 9)), 1)
            operands[name] = [Operand(laid_out(np.stack(parts), source))]
            operands[f"{name}_shared_prefix"] = Operand(laid_out(whole[None], source))
            call.named["actual_shared_prefix_len"] = [shared]
        else:
            operands[name] = [Operand(laid_out(part[None], source)) for part in parts]
    golden = laid_out(np.stack([out for out, _ in call.golden()]), target or source)
    return _case(operator, f"parts {layout} {rows} {shared}", call, operands, golden, None)


def in_lanes(cache: Array, lane: int) -> Array:
    """Return [pages, heads, rows, depth] with so many numbers of a row together."""
    split = cache.reshape(*cache.shape[:3], -1, lane)
    return np.ascontiguousarray(split.transpose(0, 1, 3, 2, 4))


def _paged_numbers(
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
    of_scales = "float8_e8m0fnu" if mode == _GROUPS else dtype if mode in (0, 2) else "float32"
    caches = [_codes(rng, kind, (pages, m, block, depth), positive=k == 1) for k in range(2)]
    scales = [_steps(rng, shape).astype(numpy_dtype(of_scales)) for _ in "kv"]

    def numbers(cache: Array, scale: Array, b: int) -> Array:
        whole = np.concatenate([cache[page] for page in table[b]], 1).astype(np.float64)
        wide = _as_made(scale, dtype)
        if mode == _GROUPS:
            return _as_made(whole * np.repeat(wide[0, b], 32, -1), dtype)[:, : columns[b]]
        own = wide[b] if mode in (1, 3) else wide
        if mode >= 4:
            own = np.concatenate([wide[page] for page in table[b]], -1)
        by = {0: wide[:, None], 2: wide[:, None, None]}.get(mode, own[..., None])
        return _as_made(whole * by, dtype)[:, : columns[b]]

    query = _drawn(rng, dtype, 2, n, 1, depth)
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
    return _case(operator, f"{kind} in pages {mode} {lane}", call, operands, golden, None)


def _latents(
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
        q_rope = _drawn(rng, "bfloat16", 2, n, rows, turned)
        k_rope = _drawn(rng, "bfloat16", 4, 1, block, turned)
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
    return _case(
        operator, f"latents {kind} {layout} {lane}", Call([], [], [], named), operands, golden, None
    )


_GROUPS = 6
_NARROW_FLOATS = ("float8_e4m3fn", "float4_e2m1fn")


def _codes(rng: np.random.Generator, kind: str, shape: tuple[int, ...], positive: bool) -> Array:
    """Return numbers that a narrow type holds."""
    if kind in _NARROW_FLOATS:
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


def _antiquant(
    operator: str, dtype: str, rng: np.random.Generator, layout: str, mode: int, joint: bool,
    offset: bool, rows: int = 1, kind: str = "int8",
) -> Case:  # fmt: skip
    """Return a case of narrow keys and values, with numbers for channels, tokens or groups.

    An int32 holds eight of int4.
    """
    b, n, m, columns, depth = 2, 4, 2, 9, 64
    whole = [_codes(rng, kind, (b, m, columns, depth), positive=k == 1) for k in range(2)]
    shape = {1: (b, columns), _GROUPS: (b, m, columns, depth // 32)}.get(mode, (m, depth))
    of_scales = {1: "float32", _GROUPS: "float8_e8m0fnu"}.get(mode, dtype)
    scales = [_steps(rng, shape).astype(numpy_dtype(of_scales)) for _ in range(2)]
    offsets = [rng.integers(0, 9, shape).astype(numpy_dtype(of_scales)) for _ in range(2)]

    def spread(a: Array) -> Array:
        wide = _as_made(a, dtype)
        if mode == _GROUPS:
            return np.repeat(wide, 32, -1)
        return np.asarray(wide[:, None, :, None] if mode == 1 else wide[None, :, None])

    def number(x: Array, scale: Array, more: Array) -> Array:
        added = x.astype(np.float64) + (spread(more) if offset else 0)
        return _as_made(_as_made(added, dtype) * spread(scale), dtype)

    query = _drawn(rng, dtype, b, n, rows, depth)
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
        if mode == _GROUPS:
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
    return _case(operator, label, call, operands, golden, None)


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
            query = _drawn(rng, dtype, b, n, rows, depth)
            key, value = (_drawn(rng, dtype, b, m, columns, depth) for _ in "kv")
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
    return _case(operator, label, Call([], [], [], named), operands, golden, sums if lse else None)


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


def _quantised(operator: str, dtype: str, rng: np.random.Generator, rows: int) -> Iterator[Case]:
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


def _sunk(operator: str, dtype: str, rng: np.random.Generator) -> Case:
    n = 4
    sink = rng.normal(0, 1, n).astype(numpy_dtype(dtype if is_950() else "bfloat16"))
    rows, columns, depth = [5, 2], [7, 6], 128
    call = Call(
        [_drawn(rng, dtype, n, r, depth) for r in rows],
        [_drawn(rng, dtype, 2, c, depth) for c in columns],
        [_drawn(rng, dtype, 2, c, depth, positive=True) for c in columns],
        {"num_heads": n, "num_key_value_heads": 2, "scale_value": 0.07, "input_layout": "TND",
         "actual_seq_lengths": list(np.cumsum(rows)),
         "actual_seq_lengths_kv": list(np.cumsum(columns)), "learnable_sink": Operand(sink)},
        sink=sink.astype(np.float64),
    )  # fmt: skip
    golden = behind_another([out for out, _ in call.golden()], "TND")
    operands = {
        "query": Operand(behind_another(call.queries, "TND")),
        "key": [Operand(behind_another(call.keys, "TND"))],
        "value": [Operand(behind_another(call.values, "TND"))],
    }
    return _case(operator, "sink", call, operands, golden, None)


def _fused(version: int) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    operator = "fused_infer_attention_score" + (f"_v{version}" if version > 1 else "")

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not has_bfloat16() or (version < 5 and ends_older_versions()):
            return
        if version == 2:
            yield from plain_cases(dtype, rng)
        for layout in _LAYOUTS:
            yield _plain(operator, dtype, rng, (2, 4, 2, 5, 7, 16), layout, lse=layout == "BSH")
        yield from _masked(operator, dtype, rng)
        for padded in (False, True):
            yield _lengths(operator, dtype, rng, padded, lse=not padded)
            yield _lengths(operator, dtype, rng, padded, lse=not padded, masked=True)
        for layout in ("TND", "NTD", "NTD_TND", "TND_NTD"):
            yield _tokens(operator, dtype, rng, layout, causal=layout != "NTD", lse=layout == "TND")
            if version > 2:
                yield _tokens(operator, dtype, rng, layout, turned=64)
                yield _tokens(operator, dtype, rng, layout, turned=64, causal=False, tree=True)
        for flat in (False, True):
            for layout in ("BSH", "BSND", "BNSD"):
                yield _paged(operator, dtype, rng, layout, flat, [1, 1, 1])
                yield _paged(operator, dtype, rng, layout, flat, [3, 3, 3], causal=True)
            for layout in ("TND", "NTD"):
                yield _paged(operator, dtype, rng, layout, flat, [5, 1, 3], causal=True)
            if version > 2:
                yield _paged(operator, dtype, rng, "BSND", flat, [1, 1], turned=64)
                yield _paged(operator, dtype, rng, "TND", flat, [2, 4], turned=64, causal=True)
        for layout in ("BSH", "BSND", "BNSD"):
            for joint in (True,) if version == 1 else (True, False):
                for offset in (False, True):
                    yield _antiquant(operator, dtype, rng, layout, 0, joint, offset)
            yield _antiquant(operator, dtype, rng, layout, 1, True, True, rows=3)
            for mode in (0, 1) if version > 1 else ():
                yield _antiquant(operator, dtype, rng, layout, mode, False, True, kind="int4")
            if version > 1 and is_950():
                yield _antiquant(
                    operator, dtype, rng, layout, 0, False, False, 3, _NARROW_FLOATS[0]
                )
                yield _antiquant(
                    operator, dtype, rng, layout, 1, False, False, 1, _NARROW_FLOATS[0]
                )
                yield _antiquant(
                    operator, dtype, rng, layout, _GROUPS, False, False, 3, _NARROW_FLOATS[1]
                )
        for rows in (1, 3):
            yield from _quantised(operator, dtype, rng, rows)
        if is_950():
            yield _plain(operator, dtype, rng, (2, 4, 2, 1, 7, 64), "BNSD_BSND")
        if version > 2:
            yield _paged(operator, dtype, rng, "BSND", False, [1, 1], turned=64, lane=16)
            yield _paged(operator, dtype, rng, "TND", False, [2, 4], turned=64, lane=16)
        for rows in (1, 3):
            for layout in ("BSH", "BSND", "BNSD"):
                yield _in_parts(operator, dtype, rng, layout, rows, 0)
                if version > 1:
                    yield _in_parts(operator, dtype, rng, layout, rows, 4)
        for mode in range(6) if version > 1 else ():
            yield _paged_numbers(operator, dtype, rng, mode)
        if version > 1 and dtype == "bfloat16":
            yield _paged_numbers(operator, dtype, rng, 0, lane=32)
        if version > 1 and is_950():
            for mode in (0, 1, 4):
                yield _paged_numbers(operator, dtype, rng, mode, kind=_NARROW_FLOATS[0])
            yield _paged_numbers(operator, dtype, rng, 0, 32, _NARROW_FLOATS[0])
            for lane in (0, 64):
                yield _paged_numbers(operator, dtype, rng, _GROUPS, lane, _NARROW_FLOATS[1])
        if version > 3:
            yield _sunk(operator, dtype, rng)
        for layout in ("BSH", "BSND_NBSD", "TND") if version > 3 and dtype == "bfloat16" else ():
            yield _latents(operator, rng, layout)
            if is_950():
                yield _latents(operator, rng, layout, "float8_e4m3fn")
                yield _latents(operator, rng, layout, "float8_e4m3fn", lane=0)

    return cases


def _prompt(version: int) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    operator = "prompt_flash_attention" + (f"_v{version}" if version > 1 else "")

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if ends_older_versions():
            return
        for layout in ("BSH", "BSND", "BNSD", "BNSD_BSND"):
            yield _plain(operator, dtype, rng, (2, 4, 2, 5, 7, 16), layout)
            yield _plain(operator, dtype, rng, (1, 3, 3, 70, 130, 64), layout)
        if version > 1:
            yield from _masked(operator, dtype, rng)
            yield _lengths(operator, dtype, rng, False, False)
            yield from _quantised(operator, dtype, rng, 3)

    return cases


def _incre(version: int) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    operator = "incre_flash_attention" + (f"_v{version}" if version > 1 else "")

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if ends_older_versions():
            return
        for layout in ("BSH", "BSND", "BNSD"):
            yield _plain(operator, dtype, rng, (2, 4, 2, 1, 70, 64), layout)
            yield _plain(operator, dtype, rng, (3, 3, 3, 1, 9, 24), layout)
            if version > 2:
                for flat in (False, True):
                    yield _paged(operator, dtype, rng, layout, flat, [1, 1, 1])
                for offset in (False, True):
                    yield _antiquant(operator, dtype, rng, layout, 0, True, offset)
        if version > 1:
            yield from _quantised(operator, dtype, rng, 1)

    return cases


_HALVES = ("float16", "bfloat16")

SUITES = (
    *(
        Suite("fused_infer_attention_score" + (f"_v{v}" if v > 1 else ""), _HALVES, _fused(v))
        for v in (1, 2, 3, 4, 5)
    ),
    *(
        Suite("prompt_flash_attention" + (f"_v{v}" if v > 1 else ""), _HALVES, _prompt(v))
        for v in (1, 2, 3)
    ),
    *(
        Suite("incre_flash_attention" + (f"_v{v}" if v > 1 else ""), _HALVES, _incre(v))
        for v in (1, 2, 3, 4)
    ),
)  # fmt: skip
