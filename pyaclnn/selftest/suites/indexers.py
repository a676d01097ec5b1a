"""Indexers: which keys they choose, and the gradients of their scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, is_950, is_a2_or_a3

_HALVES = ("float16", "bfloat16")
_ALL = 2**63 - 1
_D = 128


@dataclass(frozen=True)
class _Samples:
    """Queries [rows, heads, d], keys [columns, d] and weights [rows, heads] of each sequence."""

    queries: list[Array]
    keys: list[Array]
    weights: list[Array]

    def scores(self, b: int) -> Array:
        """Return [rows, columns] in float64."""
        q, k, w = (x[b].astype(np.float64) for x in (self.queries, self.keys, self.weights))
        products: Array = np.einsum("ihd,sd->ihs", q, k)
        return np.asarray((np.maximum(products, 0) * w[..., None]).sum(1))

    def seen(self, b: int, causal: bool) -> Array:
        """Return how many columns each row sees."""
        rows, columns = len(self.queries[b]), len(self.keys[b])
        ends = np.arange(rows) + columns - rows + 1 if causal else np.full(rows, columns)
        return np.asarray(np.clip(ends, 0, columns))


def _samples(
    rng: np.random.Generator, dtype: str, lengths: Sequence[tuple[int, int]], heads: int,
    whole: bool = False, weight_dtype: str = "",
) -> _Samples:  # fmt: skip
    """Return samples whose scores are exact, and all different within a row for whole numbers."""
    kind = numpy_dtype(dtype)

    def numbers(*shape: int) -> Array:
        if whole:
            return rng.integers(-3, 4, shape).astype(kind)
        return (rng.normal(0, 1, shape) / 4).astype(kind)

    return _Samples(
        [numbers(rows, heads, _D) for rows, _ in lengths],
        [numbers(columns, _D) for _, columns in lengths],
        [
            rng.uniform(0.25, 1, (rows, heads)).astype(numpy_dtype(weight_dtype or dtype))
            for rows, _ in lengths
        ],
    )


def _mild(
    rng: np.random.Generator, dtype: str, lengths: Sequence[tuple[int, int]], heads: int,
    weight_dtype: str = "",
) -> _Samples:  # fmt: skip
    """Return samples whose gradients have one sign: every other key has no score, others some 2."""
    size = np.sqrt(2 / (0.6 * heads * _D))

    def numbers(*shape: int) -> Array:
        return np.asarray(rng.uniform(0.9, 1.1, shape) * size)

    wide = _samples(rng, dtype, lengths, heads, weight_dtype=weight_dtype)
    keys = [numbers(n, _D) * np.where(np.arange(n) % 2, -1, 1)[:, None] for _, n in lengths]
    return _Samples(
        [numbers(*x.shape).astype(x.dtype) for x in wide.queries],
        [x.astype(numpy_dtype(dtype)) for x in keys], wide.weights,
    )  # fmt: skip


def joined(parts: Sequence[Array], packed: bool) -> Array:
    """Return samples behind one another, or stacked, padded at their ends."""
    if packed:
        return np.concatenate(parts)
    longest = max(len(p) for p in parts)
    return np.stack([np.pad(p, ((0, longest - len(p)), *((0, 0),) * (p.ndim - 1))) for p in parts])


def _lengths(counts: Sequence[int], packed: bool) -> Array:
    return np.cumsum(counts) if packed else np.asarray(counts)


def in_pages(parts: Sequence[Array], block: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return pages of keys, and the table of each sequence's."""
    pages = [-(-len(p) // block) for p in parts]
    table = np.full((len(parts), max(pages)), -1, np.int32)
    order = rng.permutation(sum(pages))
    stored = np.zeros((sum(pages), block, *parts[0].shape[1:]), parts[0].dtype)
    done = 0
    for b, part in enumerate(parts):
        for page in range(pages[b]):
            table[b, page] = order[done]
            rows = part[page * block : (page + 1) * block]
            stored[order[done], : len(rows)] = rows
            done += 1
    return stored, table


def _best(scores: Array, seen: Array, count: int) -> tuple[Array, Array]:
    """Return positions of the largest scores that each row sees, and these."""
    indices = np.full((len(scores), 1, count), -1)
    values = np.full((len(scores), 1, count), -np.inf)
    for i, end in enumerate(seen):
        order = np.argsort(-scores[i, :end], kind="stable")[:count]
        indices[i, 0, : len(order)] = order
        values[i, 0, : len(order)] = scores[i, order]
    return indices, values


def _filled(parts: Sequence[Array], packed: bool, value: float) -> Array:
    if packed:
        return np.concatenate(parts)
    longest = max(len(p) for p in parts)
    return np.stack(
        [
            np.pad(
                p, ((0, longest - len(p)), *((0, 0),) * (p.ndim - 1)), constant_values=value
            )
            for p in parts
        ]
    )  # fmt: skip


_LAYOUTS = (("BSND", "BSND"), ("TND", "TND"), ("BSND", "PA_BSND"), ("TND", "PA_BSND"))
_SIZES = (
    (((3, 5),), 8, 4), (((4, 300), (2, 7)), 64, 16), (((1, 40), (1, 513), (1, 3)), 24, 32),
    (((5, 3),), 8, 2),
)  # fmt: skip


def _chosen(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    kinds = (dtype,) if is_950() else (dtype, "float32")
    for lengths, heads, count in _SIZES:
        for rows, keys in (
            ("BSND", "BSND"),
            ("TND", "TND"),
            ("BSND", "PA_BSND"),
            ("TND", "PA_BSND"),
        ):
            for mode, kind in ((0, dtype), (3, kinds[-1])):
                wide = _samples(rng, dtype, lengths, heads, weight_dtype=kind)
                packed, paged = rows == "TND", keys == "PA_BSND"
                best = [
                    _best(wide.scores(b), wide.seen(b, mode == 3), count)
                    for b in range(len(lengths))
                ]
                table = None
                if paged:
                    key, table = in_pages([k[:, None] for k in wide.keys], 16, rng)
                else:
                    key = joined([k[:, None] for k in wide.keys], packed)
                ends = [
                    _lengths([n[i] for n in lengths], packed and not (i and paged)) for i in (0, 1)
                ]
                inputs = (
                    Operand(joined(wide.queries, packed)), Operand(key),
                    Operand(joined(wide.weights, packed)),
                    *(Operand(e.astype(np.int32)) for e in ends),
                    None if table is None else Operand(table),
                    rows, keys, count, mode, _ALL, _ALL, not paged,
                )  # fmt: skip
                indices = _filled([b[0] for b in best], packed, -1)
                values = None if paged else _filled([b[1] for b in best], packed, -np.inf)
                yield Case(
                    f"{lengths} {heads} {rows} {keys} {mode} {kind}", inputs, (indices, values)
                )


def _compressed(rows: int, columns: int, ratio: int, residual: int, mode: int) -> Array:
    """Return how many columns, each for `ratio` tokens, each row sees."""
    if mode == 0:
        return np.full(rows, columns)
    ends = np.arange(rows) + columns * ratio + residual - rows + 1
    return np.asarray(np.clip(ends // ratio, 0, columns))


def sums_of(lengths: Sequence[int]) -> Operand:
    """Return running sums of lengths, from 0 on."""
    return Operand(np.cumsum([0, *lengths]).astype(np.int32))


def _chosen_v2(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    for lengths, heads, count, ratio in (
        (((3, 5),), 8, 4, 1), (((4, 300), (4, 300)), 64, 16, 1),
        (((1, 40), (9, 513), (1, 3)), 24, 32, 4), (((9, 2), (9, 2)), 8, 2, 4),
        (((130, 1), (3, 7)), 16, 3, 128),
    ):  # fmt: skip
        alike = len(set(lengths)) == 1
        for rows, keys in _LAYOUTS:
            if rows == "BSND" and not alike:
                continue
            for mode, is_short in ((0, False), (3, False), (3, True)):
                packed, paged = rows == "TND", keys == "PA_BSND"
                if is_short and keys != "BSND":
                    continue
                wide = _samples(rng, dtype, lengths, heads, weight_dtype="float32")
                residuals = rng.integers(0, ratio, len(lengths)).astype(np.int32)
                taken = [(n[0] - b, n[1] - 2 * b) if is_short else n for b, n in enumerate(lengths)]
                best = [
                    _best(
                        wide.scores(b)[: n[0], : n[1]],
                        _compressed(*n, ratio, int(residuals[b]), mode), count,
                    )
                    for b, n in enumerate(taken)
                ]  # fmt: skip
                # The numbers behind the first are lengths of samples, where no sums are needed.
                sums = sums_of([n[0] for n in lengths]) if packed else None
                if is_short:
                    sums = Operand(np.array([7, *(n[0] for n in taken)], np.int32))
                table = None
                key = joined([k[:, None] for k in wide.keys], packed) if not paged else None
                if paged:
                    key, table = in_pages([k[:, None] for k in wide.keys], 16, rng)
                used = np.array([n[1] for n in taken], np.int32)
                unread = Operand(np.ones(len(lengths), np.int32))
                lengths_of_keys = Operand(used) if paged or is_short else None
                inputs = (
                    Operand(joined(wide.queries, packed)), Operand(np.asarray(key)),
                    Operand(joined(wide.weights, packed)), sums,
                    sums_of([n[1] for n in lengths]) if keys == "TND" else None,
                    unread, unread if keys == "TND" else lengths_of_keys,
                    Operand(residuals), None if table is None else Operand(table), unread,
                    Operand(np.zeros(1024, np.int32)), count, -1, rows,
                    "PA_BBND" if paged else keys, mode, ratio, 1,
                )  # fmt: skip
                golden = (
                    _filled([b[0] for b in best], packed, -1),
                    _filled([b[1] for b in best], packed, -np.inf),
                )
                label = f"{lengths} {heads} {rows} {keys} {mode} {ratio}"
                yield Case(label + ", short" * is_short, inputs, golden)


def _distilled(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    count = 512
    for lengths, heads, ratio in ((((3, 5),), 8, 1), (((8, 60), (8, 60)), 16, 4)):
        for packed in (False, True):
            for mode in (0, 3):
                wide = _mild(rng, dtype, lengths, heads, "float32")
                residuals = rng.integers(0, ratio, len(lengths)).astype(np.int32)
                indices, targets, softmaxes, results = [], [], [], []
                for b, (rows, columns) in enumerate(lengths):
                    at = np.full((rows, 1, count), -1, np.int32)
                    target = np.zeros((rows, 1, count), np.float32)
                    softmax = np.zeros((rows, 1, count))
                    full = np.zeros((rows, columns))
                    scores = wide.scores(b)
                    seen = _compressed(rows, columns, ratio, int(residuals[b]), mode)
                    for i, end in enumerate(seen):
                        chosen = rng.permutation(end)
                        own = np.exp(scores[i, chosen] - scores[i, chosen].max(initial=0))
                        softmax[i, 0, :end] = own / own.sum()
                        at[i, 0, :end] = chosen
                        # Gradients of one sign do not cancel.
                        target[i, 0, :end] = softmax[i, 0, :end] / 4
                        full[i, chosen] = softmax[i, 0, :end] - target[i, 0, :end]
                    indices.append(at)
                    targets.append(target)
                    softmaxes.append(softmax)
                    results.append(_pulled(wide, b, full))
                layout = "TND" if packed else "BSND"
                inputs = (
                    Operand(joined(wide.queries, packed)),
                    Operand(joined([k[:, None] for k in wide.keys], packed)),
                    Operand(joined(wide.weights, packed)), Operand(joined(indices, packed)),
                    Operand(joined(targets, packed)),
                    *(sums_of([n[j] for n in lengths]) if packed else None for j in (0, 1)),
                    None, None, Operand(residuals), None, layout, layout, mode, ratio,
                )  # fmt: skip
                golden = tuple(joined(x, packed) for x in (*zip(*results, strict=True), softmaxes))
                yield Case(f"{lengths} {heads} {layout} {mode} {ratio}", inputs, golden)


def _plan_of_choice(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for layout, mode, ratio in (("BSND", 0, 4), ("TND", 3, 1), ("TND", 3, 4)):
        sums = (sums_of([3, 4]), sums_of([5, 6])) if layout == "TND" else (None, None)
        residuals = Operand(np.ones(2, np.int32))
        inputs = (*sums, None, None, residuals, 8, 1, _D, 4, 2, 4, 6, layout, layout, mode, ratio)
        yield Case(f"{layout} {mode} {ratio}", inputs, (np.zeros(1024, np.int32),))


def _plan_of_loss(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    for layout, rows in (("BSND", 8), ("TND", 7)):
        sums = (sums_of([3, 4]), sums_of([5, 6])) if layout == "TND" else (None, None)
        plan = np.zeros(64, np.int32)
        plan[[0, 1, 2]] = 1, rows, rows
        plan[9:33] = rows
        inputs = (*sums, None, None, None, 2, 4, 6, 8, 1, _D, 512, layout, layout, 3, 1)
        yield Case(layout, inputs, (plan,))


def _chosen_quantised(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for lengths, heads, count in _SIZES:
        for rows, keys in (("BSND", "BSND"), ("TND", "TND"), ("TND", "PA_BSND")):
            for mode in (0, 3):
                packed, paged = rows == "TND", keys == "PA_BSND"
                given = _samples(rng, dtype, lengths, heads, whole=True, weight_dtype="float16")
                scales = [
                    [rng.uniform(0.25, 1, x.shape[:-1]).astype(np.float16) for x in of]
                    for of in (given.queries, given.keys)
                ]
                queries, keys_64 = (
                    [x.astype(np.float64) * s[..., None] for x, s in zip(of, sc, strict=True)]
                    for of, sc in zip((given.queries, given.keys), scales, strict=True)
                )
                wide = _Samples(queries, keys_64, given.weights)
                best = [
                    _best(wide.scores(b), wide.seen(b, mode == 3), count)[0]
                    for b in range(len(lengths))
                ]
                table = None
                key_parts, scale_parts = (
                    [k[:, None] for k in given.keys],
                    [s[:, None] for s in scales[1]],
                )
                if paged:
                    seed = int(rng.integers(2**31))
                    key, table = in_pages(key_parts, 32, np.random.default_rng(seed))
                    key_scale, _ = in_pages(scale_parts, 32, np.random.default_rng(seed))
                else:
                    key, key_scale = joined(key_parts, packed), joined(scale_parts, packed)
                ends = [
                    _lengths([n[i] for n in lengths], packed and not (i and paged)) for i in (0, 1)
                ]
                inputs = (
                    Operand(joined(given.queries, packed)), Operand(key),
                    Operand(joined(given.weights, packed)), Operand(joined(scales[0], packed)),
                    Operand(key_scale), *(Operand(e.astype(np.int32)) for e in ends),
                    None if table is None else Operand(table), 0, 0, rows, keys, count, mode,
                    _ALL, _ALL,
                )  # fmt: skip
                label = f"{lengths} {heads} {rows} {keys} {mode}"
                yield Case(label, inputs, (_filled(best, packed, -1),))


_DENSE = ((((3, 5),), 8), (((4, 300), (4, 300)), 64), (((2, 40), (2, 40), (2, 40)), 16))


def _statistics(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for lengths, heads in _DENSE:
        for packed in (False, True):
            wide = _samples(rng, dtype, lengths, heads)
            most, total = [], []
            for b in range(len(lengths)):
                scores, seen = wide.scores(b), wide.seen(b, True)
                rows = [scores[i, :end] for i, end in enumerate(seen)]
                most.append(np.array([r.max() for r in rows]))
                total.append(np.array([np.exp(r - r.max()).sum() for r in rows]))
            ends = [_lengths([n[i] for n in lengths], packed) for i in (0, 1)]
            axis = 0 if packed else 1
            inputs = (
                Operand(joined(wide.queries, packed)),
                Operand(joined([k[:, None] for k in wide.keys], packed)),
                Operand(joined(wide.weights, packed)),
                *(tuple(int(n) for n in e) for e in ends), "TND" if packed else "BSND", 3,
                _ALL, _ALL,
            )  # fmt: skip
            golden = tuple(np.expand_dims(joined(x, packed), axis) for x in (most, total))
            yield Case(f"{lengths} {heads} {packed}", inputs, golden)


def _pulled(wide: _Samples, b: int, gradients: Array) -> tuple[Array, Array, Array]:
    """Return the gradients of queries, keys and weights from those of scores, [rows, columns]."""
    q, k, w = (x[b].astype(np.float64) for x in (wide.queries, wide.keys, wide.weights))
    products = np.einsum("ihd,sd->ihs", q, k)
    inner = gradients[:, None] * w[..., None] * (products > 0)
    return (
        np.einsum("ihs,sd->ihd", inner, k), np.einsum("ihs,ihd->sd", inner, q)[:, None],
        np.einsum("ihs,is->ih", np.maximum(products, 0), gradients),
    )  # fmt: skip


def _gradients(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    for lengths, heads, count in ((((3, 5),), 8, 4), (((4, 60), (4, 60)), 64, 32)):
        for packed in (False, True):
            for mode in (0, 3):
                wide = _mild(rng, dtype, lengths, heads)
                indices, given, results = [], [], []
                for b, (rows, columns) in enumerate(lengths):
                    at = np.full((rows, count), -1, np.int32)
                    dy = rng.uniform(0.5, 2, (rows, count)).astype(numpy_dtype(dtype))
                    full = np.zeros((rows, columns))
                    for i, end in enumerate(wide.seen(b, mode == 3)):
                        chosen = rng.permutation(end)[:count]
                        at[i, : len(chosen)] = chosen
                        full[i, chosen] = dy[i, : len(chosen)].astype(np.float64)
                    indices.append(at)
                    given.append(dy)
                    results.append(_pulled(wide, b, full))
                ends = [_lengths([n[i] for n in lengths], True).astype(np.int32) for i in (0, 1)]
                inputs = (
                    Operand(joined(wide.queries, packed)),
                    Operand(joined([k[:, None] for k in wide.keys], packed)),
                    Operand(joined(given, packed)), Operand(joined(indices, packed)),
                    Operand(joined(wide.weights, packed)),
                    *(Operand(e) if packed else None for e in ends), heads,
                    "TND" if packed else "BSND", mode, _ALL, _ALL, False,
                )  # fmt: skip
                golden = tuple(joined(x, packed) for x in zip(*results, strict=True))
                yield Case(f"{lengths} {heads} {packed} {mode}", inputs, golden)


def _loss(dtype: str, rng: np.random.Generator, sparse: bool) -> Iterator[Case]:
    if not (has_bfloat16() if sparse else is_a2_or_a3()):
        return
    kind = numpy_dtype(dtype)
    depth, main_heads, scale = (512 if sparse else _D), 32, 0.05
    for lengths, heads, roped, weight_dtype in (
        (((1, 3),), 8, True, dtype), (((3, 5),), 8, True, dtype),
        (((4, 60), (4, 60)), 16, sparse, "float32"),
    ):  # fmt: skip
        for packed in (False, True):
            wide = _mild(rng, dtype, lengths, heads, weight_dtype)
            count = 1024
            key_heads = 1 if sparse else main_heads
            parts: dict[str, list[Array]] = {
                name: []
                for name in (
                    "q", "k", "qr", "kr", "indices", "max", "sum", "own_max", "own_sum",
                    "dq", "dk", "dw",
                )
            }  # fmt: skip
            total_loss = 0.0
            for b, (rows, columns) in enumerate(lengths):
                q, k = (
                    (rng.normal(0, 1, s) / 2).astype(kind)
                    for s in ((rows, main_heads, depth), (columns, key_heads, depth))
                )
                qr, kr = (
                    (rng.normal(0, 1, s) / 2).astype(kind)
                    for s in ((rows, main_heads, 64), (columns, key_heads, 64))
                )
                seen = wide.seen(b, True)
                hidden = np.arange(columns)[None] >= seen[:, None]
                main = np.einsum("ihd,shd->his", *_wide(q, k, main_heads))
                if roped:
                    main += np.einsum("ihd,shd->his", *_wide(qr, kr, main_heads))
                main = np.where(hidden, -np.inf, main * scale)
                most = main.max(-1)
                powers = np.exp(main - most[..., None])
                sums = powers.sum(-1)
                target = (powers / sums[..., None]).mean(0)
                own = np.where(hidden, -np.inf, wide.scores(b))
                own_most = own.max(-1)
                own_powers = np.exp(own - own_most[:, None])
                own_sums = own_powers.sum(-1)
                own_weights = own_powers / own_sums[:, None]
                least = 1e-8
                logs = np.log(np.maximum(target, least)) - np.log(np.maximum(own_weights, least))
                total_loss += float((target * logs).sum())
                dq, dk, dw = _pulled(wide, b, np.where(hidden, 0, own_weights - target))
                indices = np.full((rows, 1, count), -1, np.int32)
                for i, end in enumerate(seen):
                    indices[i, 0, :end] = rng.permutation(end)
                for name, value in zip(
                    parts, (q, k, qr, kr, indices, most.T, sums.T, own_most, own_sums, dq, dk, dw),
                    strict=True,
                ):  # fmt: skip
                    parts[name].append(value)

            def placed(name: str, packed: bool = packed, parts: Any = parts) -> Operand:
                return Operand(joined(parts[name], packed))

            def statistic(name: str, packed: bool = packed, parts: Any = parts) -> Operand:
                # [rows, heads] as [heads, rows, 1], or [1, rows, heads] of shared keys.
                whole = np.float32(joined(parts[name], packed))
                if name.startswith("own"):
                    return Operand(np.ascontiguousarray(np.expand_dims(whole, 0 if packed else 1)))
                axes = np.expand_dims(whole, -3) if sparse else whole.swapaxes(-1, -2)[..., None]
                return Operand(np.ascontiguousarray(axes))

            ends = [
                tuple(int(n) for n in _lengths([n[i] for n in lengths], packed)) for i in (0, 1)
            ]
            index = (
                Operand(joined(wide.queries, packed)),
                Operand(joined([x[:, None] for x in wide.keys], packed)),
                Operand(joined(wide.weights, packed)),
            )
            ropes = (placed("qr"), placed("kr")) if roped else (None, None)
            attention = (statistic("max"), statistic("sum"))
            layout = "TND" if packed else "BSND"
            inputs: tuple[Any, ...]
            if sparse:
                inputs = (
                    placed("q"), placed("k"), *index, placed("indices"), *attention, *ropes, *ends,
                    scale, layout, 3, _ALL, _ALL, False,
                )  # fmt: skip
            else:
                inputs = (
                    placed("q"), placed("k"), *index, *attention, statistic("own_max"),
                    statistic("own_sum"), *ropes, *ends, scale, layout, 3, _ALL, _ALL,
                )  # fmt: skip
            golden = (
                *(joined(parts[n], packed) for n in ("dq", "dk", "dw")), np.array([total_loss]),
            )  # fmt: skip
            yield Case(f"{lengths} {heads} {roped} {packed}", inputs, golden)


def _wide(q: Array, k: Array, heads: int) -> tuple[Array, Array]:
    """Return queries and keys in float64, with keys for each head."""
    return q.astype(np.float64), np.repeat(k.astype(np.float64), heads // k.shape[1], 1)


def _dense_loss(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _loss(dtype, rng, sparse=False)


def _sparse_loss(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _loss(dtype, rng, sparse=True)


SUITES = (
    Suite("lightning_indexer", _HALVES, _chosen),
    Suite("lightning_indexer_v2", _HALVES, _chosen_v2),
    Suite("lightning_indexer_v2_metadata", ("int32",), _plan_of_choice),
    Suite("sparse_lightning_indexer_kl_loss_grad", _HALVES, _distilled),
    Suite("sparse_lightning_indexer_kl_loss_grad_metadata", ("int32",), _plan_of_loss),
    Suite("quant_lightning_indexer", ("int8",), _chosen_quantised),
    Suite("dense_lightning_indexer_softmax_lse", _HALVES, _statistics),
    Suite("lightning_indexer_grad", _HALVES, _gradients),
    Suite("dense_lightning_indexer_grad_kl_loss", _HALVES, _dense_loss),
    Suite("sparse_lightning_indexer_grad_kl_loss", _HALVES, _sparse_loss),
)
