"""Windows of tokens that NSA compresses to one: every window is a weighted sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16

from .flash_attention import Sample, laid_out, statistics_in
from .sparse_attention import paged

_SHAPES: tuple[tuple[int, int, int, int, tuple[int, ...]], ...] = (
    (32, 16, 3, 16, (70, 33, 20)), (16, 16, 2, 32, (16, 48)), (64, 48, 1, 16, (300,)),
)  # fmt: skip


def _starts(lengths: Sequence[int], size: int, stride: int) -> list[int]:
    """Return the first tokens of all windows."""
    ends = np.cumsum(lengths)
    return [
        first
        for end, length in zip(ends, lengths, strict=True)
        for first in range(int(end) - length, int(end) - size + 1, stride)
    ]


def compressed(tokens: Array, weight: Array, starts: Sequence[int]) -> Array:
    """Return a weighted sum of the tokens of each window."""
    windows = np.stack([tokens[first : first + len(weight)] for first in starts])
    return np.asarray(np.einsum("wknd,kn->wnd", windows, weight))


def _drawn(dtype: str, rng: np.random.Generator, *shape: int) -> Array:
    return np.abs(rng.normal(1, 0.5, shape)).astype(numpy_dtype(dtype))


def _forward(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for size, stride, heads, depth, lengths in _SHAPES:
        x, weight = _drawn(dtype, rng, sum(lengths), heads, depth), _drawn(dtype, rng, size, heads)
        golden = compressed(
            x.astype(np.float64), weight.astype(np.float64), _starts(lengths, size, stride)
        )
        ends = tuple(int(end) for end in np.cumsum(lengths))
        inputs = (Operand(x), Operand(weight), ends, "TND", size, stride, 0)
        yield Case(f"windows of {size} by {stride}", inputs, (golden,))


def _backward(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for size, stride, heads, depth, lengths in _SHAPES:
        x, weight = _drawn(dtype, rng, sum(lengths), heads, depth), _drawn(dtype, rng, size, heads)
        starts = _starts(lengths, size, stride)
        grad = _drawn(dtype, rng, len(starts), heads, depth)
        by_input = np.zeros(x.shape)
        by_weight = np.zeros(weight.shape)
        for first, own in zip(starts, grad.astype(np.float64), strict=True):
            window = x[first : first + size].astype(np.float64)
            by_input[first : first + size] += weight.astype(np.float64)[..., None] * own
            by_weight += (window * own).sum(-1)
        ends = tuple(int(end) for end in np.cumsum(lengths))
        for kind, given in enumerate((ends, lengths)):
            inputs = (Operand(grad), Operand(x), Operand(weight), given, size, stride, kind, "TND")
            label = f"windows of {size} by {stride}, actSeqLenType {kind}"
            yield Case(label, inputs, (by_input, by_weight))


def _cached(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Yield sequences of which some have a new window, in pages or not."""
    size, stride, heads, depth, page = 32, 16, 2, 16, 64
    for label, is_paged in (("tokens", False), ("pages", True)):
        lengths = (64, 31, 49, 96)
        tokens = [_drawn(dtype, rng, n, heads, depth) for n in lengths]
        weight = _drawn(dtype, rng, size, heads)
        cache = _drawn(dtype, rng, 9, heads, depth)
        slots = np.array([7, 3, 1, 2], np.int32)
        golden = cache.astype(np.float64)
        for slot, own in zip(slots, tokens, strict=True):
            if len(own) >= size and (len(own) - size) % stride == 0:
                golden[slot] = compressed(
                    own.astype(np.float64), weight.astype(np.float64), [len(own) - size]
                )[0]
        given: Array = np.concatenate(tokens)
        table: Any = None
        if is_paged:
            table = rng.permutation(8).astype(np.int32).reshape(4, 2)
            given = np.zeros((8, page, heads, depth), given.dtype)
            for own, numbers in zip(tokens, table, strict=True):
                for at in range(0, len(own), page):
                    part = own[at : at + page]
                    given[numbers[at // page], : len(part)] = part
            table = Operand(table)
        inputs = (
            Operand(given), Operand(weight), Operand(slots), lengths, table, "TND", size, stride,
            1, page, Operand(cache),
        )  # fmt: skip
        yield Case(label, inputs, (golden,))


def scored(weights: Array, step: int, overlap: int, blocks: int) -> Array:
    """Return what blocks weigh: the windows before their end, as often as they overlap them."""
    margin = overlap + step
    padded = np.pad(weights, ((0, 0), (0, 0), (margin, margin + step)))
    scores = np.zeros((*weights.shape[:2], blocks))
    for block in range(blocks):
        for a in range(step):
            for b in range(overlap):
                scores[..., block] += padded[..., (block + 1) * step - a - b + margin]
    return scores


def _inferred(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Yield up to four queries of each sample over compressed keys in pages."""
    window, stride, block, count, page, n, m = 32, 16, 64, 5, 16, 4, 2
    for layout, counts, is_masked in (
        ("BSND", (), False), ("TND", (), True), ("TND", (4, 1, 3), True), ("TND", (2, 4, 1), False),
        ("BSND", (3, 3, 3), True),
    ):  # fmt: skip
        lengths, rows = (24, 33, 30), counts or (1, 1, 1)
        tokens = [
            (columns - 1) * stride + window + spare
            for columns, spare in zip(lengths, (1, 0, 9), strict=True)
        ]
        query = [_drawn(dtype, rng, n, count_of, 32) for count_of in rows]
        key = [_drawn(dtype, rng, m, columns, 32) for columns in lengths]
        value = [_drawn(dtype, rng, m, columns, 16) for columns in lengths]
        outs, indices = [], []
        for q, k, v, end in zip(query, key, value, tokens, strict=True):
            query64, key64, value64 = (x.astype(np.float64) for x in (q, k, v))
            own, columns = q.shape[1], k.shape[1]
            seen = np.ones((n, own, columns), bool)
            if is_masked and counts:  # the last window from queries before its last token
                place = np.arange(own) + end - own
                seen[:, place < (columns - 1) * stride + window - 1, -1] = False
            sample = Sample(query64, key64, value64, np.zeros((n, own, 16)), seen)
            sample.attend(0.3, None)
            outs.append(sample.out)
            blocks = -(-((columns - 1) * stride + window) // block)
            weights = sample.p.reshape(m, n // m, own, columns).sum(1)
            scores = scored(weights, block // stride, window // stride, blocks)
            scores[..., [0, -2, -1]] = np.inf  # which are always chosen
            indices.append(np.argsort(-scores, -1, kind="stable")[..., :count])
        state = rng.bit_generator.state
        keys, table = paged(key, page, rng)
        rng.bit_generator.state = state
        values, _ = paged(value, page, rng)
        inputs = (
            Operand(laid_out(query, layout)), Operand(keys.reshape(*keys.shape[:2], -1)),
            Operand(values.reshape(*values.shape[:2], -1)),
            Operand(np.zeros((2, 2), bool)) if is_masked else None, Operand(table),
            counts or None, lengths, tuple(tokens) if counts else None, None, n, m, block, count,
            window, stride, 0.3, layout, page, 0,
        )  # fmt: skip
        label = f"{layout} {rows}" + ", masked" * is_masked
        yield Case(label, inputs, (laid_out(outs, layout), laid_out(indices, layout)))


def _attended(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Yield attention to compressed keys; blocks are chosen by weights that differ enough."""
    window, stride, block, count = 32, 16, 64, 3
    step, overlap = block // stride, window // stride
    for label, heads, is_masked in (("whole", (4, 2), False), ("masks", (4, 1), True)):
        lengths = ((3, 24), (5, 33))
        n, m = heads
        query = [_drawn(dtype, rng, n, rows, 32) for rows, _ in lengths]
        key = [_drawn(dtype, rng, m, columns, 32) for _, columns in lengths]
        value = [_drawn(dtype, rng, m, columns, 16) for _, columns in lengths]
        mask, forced = rng.random((5, 33)) < 0.3, np.zeros((5, 9), bool)
        mask[:, :2], forced[:, 4] = False, True
        samples, indices = [], []
        for q, k, v, (rows, columns) in zip(query, key, value, lengths, strict=True):
            seen = ~mask[:rows, :columns] if is_masked else np.ones((rows, columns), bool)
            query64, key64, value64 = (x.astype(np.float64) for x in (q, k, v))
            seen = np.broadcast_to(seen, (n, rows, columns))
            sample = Sample(query64, key64, value64, np.zeros((n, rows, 16)), seen)
            sample.attend(0.3, None)
            samples.append(sample)
            scores = scored(
                sample.p.reshape(m, n // m, rows, columns).sum(1),
                step,
                overlap,
                -(-columns // step),
            )
            if is_masked:
                scores[:, forced[:rows, : scores.shape[-1]]] = np.inf
            indices.append(np.argsort(-scores, -1, kind="stable")[..., :count])
        ends = np.cumsum(lengths, 0)
        chosen = np.cumsum([-(-columns // step) for _, columns in lengths])
        inputs = (
            *(Operand(laid_out(x, "TND")) for x in (query, key, value)),
            Operand(mask) if is_masked else None, Operand(forced) if is_masked else None,
            tuple(int(x) for x in ends[:, 0]), tuple(int(x) for x in ends[:, 1]),
            tuple(int(x) for x in chosen), 0.3, n, "TND", int(is_masked), window, stride, block,
            count,
        )  # fmt: skip
        golden = (
            statistics_in([s.maximum for s in samples], "TND", True),
            statistics_in([s.total for s in samples], "TND", True),
            laid_out([s.out for s in samples], "TND"), laid_out(indices, "TND"),
        )  # fmt: skip
        yield Case(label, inputs, golden)


def _of(operator: str, cases: Any) -> Suite:
    def drawn(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if has_bfloat16():
            yield from cases(dtype, rng)

    return Suite(operator, ("float16", "bfloat16"), drawn)


SUITES = (
    _of("nsa_compress", _forward),
    _of("nsa_compress_grad", _backward),
    _of("nsa_compress_with_cache", _cached),
    _of("nsa_compress_attention", _attended),
    _of("nsa_compress_attention_infer", _inferred),
)
