"""Attention for inference in its layouts, in pages, quantised, padded, and with rotary parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import ends_older_versions, has_bfloat16, is_950
from pyaclnn.selftest.suites.attention import attention, plain_cases
from pyaclnn.selftest.suites.inference_calls import (
    Call,
    ahead_of,
    behind_another,
    case_of,
    drawn_values,
    in_lanes,
    laid_out,
    triangle,
)
from pyaclnn.selftest.suites.inference_exponents import of_groups
from pyaclnn.selftest.suites.inference_numbers import (
    GROUPS,
    NARROW_FLOATS,
    antiquant,
    latents,
    packed_numbers,
    paged_numbers,
    quantised,
)

_LAYOUTS = (
    "BSH", "BSND", "BNSD", "BNSD_BSND", "BSH_BNSD", "BSND_BNSD", "BSH_NBSD", "BSND_NBSD",
    "BNSD_NBSD",
)  # fmt: skip


def _plain(
    operator: str, dtype: str, rng: np.random.Generator, sizes: tuple[int, ...], layout: str,
    band: Callable[[int, int], Array] | None = None, lse: bool = False, **named: Any,
) -> Case:  # fmt: skip
    """Return a case of [B, N, S, D] without lengths."""
    b, n, m, rows, columns, depth = sizes
    query = drawn_values(rng, dtype, b, n, rows, depth)
    key = drawn_values(rng, dtype, b, m, columns, depth)
    value = drawn_values(rng, dtype, b, m, columns, depth, positive=True)
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
    return case_of(operator, f"{sizes} {layout} {sorted(named)}", call, operands, golden, sums)


def _masked(operator: str, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    sizes = (2, 4, 2, 5, 9, 16)
    mask = triangle()
    yield _plain(operator, dtype, rng, sizes, "BNSD", ahead_of(lambda r, c: 0), sparse_mode=2,
                 atten_mask=mask)  # fmt: skip
    yield _plain(operator, dtype, rng, sizes, "BSND", ahead_of(lambda r, c: c - r), sparse_mode=3,
                 atten_mask=mask)  # fmt: skip
    yield _plain(operator, dtype, rng, sizes, "BSH", ahead_of(lambda r, c: c - r + 1, 4),
                 sparse_mode=4, atten_mask=mask, pre_tokens=3, next_tokens=1)  # fmt: skip
    banded = ahead_of(lambda r, c: 2, 5)
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
    queries = [drawn_values(rng, dtype, n, r, depth) for r in rows]
    keys = [drawn_values(rng, dtype, m, c, depth) for c in columns]
    values = [drawn_values(rng, dtype, m, c, depth, positive=True) for c in columns]
    named = {
        "num_heads": n, "num_key_value_heads": m, "scale_value": 0.25, "input_layout": "BNSD",
        "actual_seq_lengths": rows, "actual_seq_lengths_kv": columns,
    }  # fmt: skip
    unseen = np.zeros((3, 1, room, place), bool)
    shift = np.zeros((3, n, room, place))
    if masked:
        unseen[...] = rng.random(unseen.shape) < 0.3
        unseen[..., [2, 6]] = False  # every row sees a column, in front or behind
        shift = drawn_values(rng, dtype, *shift.shape)
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
    return case_of(operator, label, Call([], [], [], named), operands, golden, sums)


def _tokens(
    operator: str, dtype: str, rng: np.random.Generator, layout: str, *, turned: int = 0,
    causal: bool = True, lse: bool = False, depth: int = 128, tree: bool = False,
) -> Case:  # fmt: skip
    """Return a case of sequences behind one another, with rotary parts if ``turned``."""
    n, m = 4, 1 if turned else 2
    rows, columns = [5, 1, 3], [7, 6, 3]
    call = Call(
        [drawn_values(rng, dtype, n, r, depth + turned) for r in rows],
        [drawn_values(rng, dtype, m, c, depth + turned) for c in columns],
        [drawn_values(rng, dtype, m, c, depth, positive=True) for c in columns],
        {"num_heads": n, "num_key_value_heads": m, "scale_value": 0.07, "input_layout": layout,
         "actual_seq_lengths": list(np.cumsum(rows)),
         "actual_seq_lengths_kv": list(np.cumsum(columns))},
        ahead_of(lambda r, c: c - r) if causal else None,
    )  # fmt: skip
    if causal:
        call.named |= {"sparse_mode": 3, "atten_mask": triangle()}
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
    return case_of(operator, label, call, operands, golden, sums)


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
        [drawn_values(rng, dtype, n, r, depth + turned) for r in rows],
        [drawn_values(rng, dtype, m, c, depth + turned) for c in columns],
        [drawn_values(rng, dtype, m, c, depth, positive=True) for c in columns],
        {"num_heads": n, "num_key_value_heads": m, "scale_value": 0.1, "input_layout": layout,
         "actual_seq_lengths_kv": columns, "actual_seq_lengths": columns, "block_size": block},
        ahead_of(lambda r, c: c - r) if causal else None,
    )  # fmt: skip
    if causal:
        call.named |= {"sparse_mode": 3, "atten_mask": triangle()}
    caches = [drawn_values(rng, dtype, pages, m, block, width) for width in (depth + turned, depth)]
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
    return case_of(operator, label, call, operands, golden, None)


def _in_parts(
    operator: str, dtype: str, rng: np.random.Generator, layout: str, rows: int, shared: int
) -> Case:
    """Return a case of keys in a list, or behind a beginning that samples share."""
    n, m, depth = 4, 2, 32
    columns = [7, 7] if shared else [7, 3]
    source, _, target = layout.partition("_")
    prefix = [drawn_values(rng, dtype, m, shared, depth, positive=k == 1) for k in range(2)]
    own = [
        [drawn_values(rng, dtype, m, c, depth, positive=k == 1) for c in columns] for k in range(2)
    ]  # fmt: skip
    lengths = [6, 2]
    keys, values = (
        [np.concatenate((p, part[:, :c]), 1) for part, c in zip(parts, lengths, strict=True)]
        for p, parts in zip(prefix, own, strict=True)
    )
    call = Call(
        list(drawn_values(rng, dtype, 2, n, rows, depth)), keys, values,
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
    return case_of(operator, f"parts {layout} {rows} {shared}", call, operands, golden, None)


def _sunk(operator: str, dtype: str, rng: np.random.Generator) -> Case:
    n = 4
    sink = rng.normal(0, 1, n).astype(numpy_dtype(dtype if is_950() else "bfloat16"))
    rows, columns, depth = [5, 2], [7, 6], 128
    call = Call(
        [drawn_values(rng, dtype, n, r, depth) for r in rows],
        [drawn_values(rng, dtype, 2, c, depth) for c in columns],
        [drawn_values(rng, dtype, 2, c, depth, positive=True) for c in columns],
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
    return case_of(operator, "sink", call, operands, golden, None)


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
                    yield antiquant(operator, dtype, rng, layout, 0, joint, offset)
            yield antiquant(operator, dtype, rng, layout, 1, True, True, rows=3)
            for mode in (0, 1) if version > 1 else ():
                yield antiquant(operator, dtype, rng, layout, mode, False, True, kind="int4")
            if version > 1 and is_950():
                yield antiquant(operator, dtype, rng, layout, 0, False, False, 3, NARROW_FLOATS[0])
                yield antiquant(operator, dtype, rng, layout, 1, False, False, 1, NARROW_FLOATS[0])
                yield antiquant(
                    operator, dtype, rng, layout, GROUPS, False, False, 3, NARROW_FLOATS[1]
                )
        for rows in (1, 3):
            yield from quantised(operator, dtype, rng, rows)
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
            yield paged_numbers(operator, dtype, rng, mode)
        if version > 1 and dtype == "bfloat16":
            yield paged_numbers(operator, dtype, rng, 0, lane=32)
        if version > 1 and is_950():
            for mode in (0, 1, 4):
                yield paged_numbers(operator, dtype, rng, mode, kind=NARROW_FLOATS[0])
            yield paged_numbers(operator, dtype, rng, 0, 32, NARROW_FLOATS[0])
            yield packed_numbers(operator, dtype, rng, 1, NARROW_FLOATS[0])
            yield packed_numbers(operator, dtype, rng, GROUPS, NARROW_FLOATS[1])
            for lane in (0, 64):
                yield paged_numbers(operator, dtype, rng, GROUPS, lane, NARROW_FLOATS[1])
        if version > 3:
            yield _sunk(operator, dtype, rng)
        for layout in ("BSH", "BSND_NBSD", "TND") if version > 3 and dtype == "bfloat16" else ():
            yield latents(operator, rng, layout)
            if is_950():
                yield latents(operator, rng, layout, "float8_e4m3fn")
                yield latents(operator, rng, layout, "float8_e4m3fn", lane=0)
        if version > 3 and dtype == "bfloat16":
            yield from of_groups(operator, rng)

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
            yield from quantised(operator, dtype, rng, 3)

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
                    yield antiquant(operator, dtype, rng, layout, 0, True, offset)
        if version > 1:
            yield from quantised(operator, dtype, rng, 1)

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
