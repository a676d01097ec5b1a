"""Attention whose lengths stand in tensors, and its plan, in float64 from the definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, has_operator, is_950
from pyaclnn.selftest.suites.flash_attention import Sample, laid_out
from pyaclnn.selftest.suites.indexers import in_pages, joined, sums_of

_INT = "int32"


def _attended(
    q: Array, k: Array, v: Array, scale: float, mode: int, window: tuple[int, int]
) -> tuple[Array, Array]:
    """Return rows [rows, heads, D] and the logarithm of the sum of each, [rows, heads]."""
    rows, heads, _ = q.shape
    columns, key_heads, _ = k.shape
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    out, lse = np.zeros(q.shape), np.full((rows, heads), np.inf)
    for i in range(rows):
        place = i + columns - rows  # rows end where columns do
        seen = np.ones(columns, bool)
        if mode == 3:
            seen = np.arange(columns) <= place
        if mode == 4:
            right = place + window[1] if window[1] >= 0 else columns
            left = place - window[0] if window[0] >= 0 else -1
            seen = (np.arange(columns) <= right) & (np.arange(columns) >= left)
        if not seen.any():
            continue
        for n in range(heads):
            m = n * key_heads // heads
            scores = k[seen, m] @ q[i, n] * scale
            weights = np.exp(scores - scores.max())
            out[i, n] = weights @ v[seen, m] / weights.sum()
            lse[i, n] = scores.max() + np.log(weights.sum())
    return out, lse


def _cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return
    kind = numpy_dtype(dtype)

    def case(
        layout: str, keys: str, lengths: Sequence[tuple[int, int]], heads: tuple[int, int],
        depth: int = 64, mode: int = 0, window: tuple[int, int] = (-1, -1), out: str = "",
        used: Sequence[tuple[int, int]] | None = None, returns: bool = True,
    ) -> Case:  # fmt: skip
        packed, paged, scale = layout == "TND", keys.startswith("PA"), depth**-0.5
        used = used or lengths

        def numbers(*shape: int) -> Array:
            return np.asarray(np.abs(rng.normal(1, 0.4, shape)) * rng.choice([1, 0.5]), kind)

        queries = [numbers(rows, heads[0], depth) for rows, _ in lengths]
        pairs = [[numbers(columns, heads[1], depth) for _, columns in lengths] for _ in "kv"]
        found = [
            _attended(q[:rows], k[:columns], v[:columns], scale, mode, window)
            for q, k, v, (rows, columns) in zip(queries, *pairs, used, strict=True)
        ]
        # Rows that are not used have no result.
        results = [np.zeros(q.shape) for q in queries]
        logarithms = [np.full(q.shape[:2], np.inf) for q in queries]
        for b, (rows, _) in enumerate(used):
            results[b][:rows], logarithms[b][:rows] = found[b]
        table = None
        if paged:
            joint = [np.stack(pair, 1) for pair in zip(*pairs, strict=True)]
            stored, table = in_pages(joint, 16, rng)
            stacked = [stored[:, :, i] for i in (0, 1)]
        else:
            stacked = [joined(x, packed) for x in pairs]
        if keys in ("BNSD", "PA_BNBD"):
            stacked = [np.swapaxes(x, 1, 2) for x in stacked]
        if keys == "PA_NZ":
            stacked = [
                x.reshape(*x.shape[:3], depth // 16, 16).transpose(0, 2, 3, 1, 4) for x in stacked
            ]
        query, result = joined(queries, packed), joined(results, packed)
        lse = np.swapaxes(joined(logarithms, packed), -1, -2)
        if layout == "BNSD":
            query = np.swapaxes(query, 1, 2)
        if (out or layout) == "BNSD":
            result = np.swapaxes(result, 1, 2)
        says_rows, says_columns = used != lengths, paged or used != lengths
        inputs = (
            Operand(query), *(Operand(np.ascontiguousarray(x)) for x in stacked),
            None if table is None else Operand(table),
            sums_of([n[0] for n in lengths]) if packed else None,
            sums_of([n[1] for n in lengths]) if keys == "TND" else None,
            Operand(np.array([n[0] for n in used], _INT)) if says_rows else None,
            Operand(np.array([n[1] for n in used], _INT)) if says_columns else None,
            None, Operand(np.triu(np.ones((2048, 2048), np.int8), 1)) if mode else None,
            Operand(np.zeros(4096, _INT)), scale, mode, *window, -1, -1, layout, keys,
            out or layout, int(returns),
        )  # fmt: skip
        label = f"{layout} {keys} {lengths} {heads} {mode} {window} {used}"
        return Case(label, inputs, (result, lse if returns else False))

    yield case("BSND", "BSND", ((3, 5), (3, 5)), (4, 2))
    yield case("BNSD", "BNSD", ((130, 250),), (4, 1), 128, out="BSND")
    yield case("BNSD", "BNSD", ((5, 3), (5, 3)), (2, 2), mode=3)  # rows that see nothing
    yield case("TND", "TND", ((2, 7), (3, 3), (40, 300)), (8, 2), mode=3)
    yield case("TND", "TND", ((4, 9), (6, 2)), (2, 1), 256, 4, (2, 1), returns=False)
    yield case("BSND", "BSND", ((9, 9),), (2, 1), mode=4, window=(-1, 2))
    yield case("BSND", "BSND", ((6, 9), (6, 9)), (2, 1), mode=3, used=((6, 4), (2, 9)))
    yield case("TND", "TND", ((6, 9), (4, 5)), (2, 1), used=((3, 8), (4, 1)))
    for pages in ("PA_BBND", "PA_BNBD", "PA_NZ"):
        yield case("TND", pages, ((1, 70), (2, 5)), (6, 2), mode=3)
        yield case("BSND", pages, ((1, 33), (1, 48)), (4, 4), 128)
        yield case("BNSD", pages, ((3, 20), (3, 20)), (2, 1), mode=4, window=(3, 0))


def _plans(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return
    # All work is the first core's: to the last head of keys, in tiles of so many rows and columns.
    for sums, used, batch, longest, depth, mode, window, tile in (
        (None, None, 3, 128, 128, 3, -1, (128, 128)), (None, None, 3, 64, 128, 3, -1, (64, 256)),
        ([2, 5], None, -1, -1, 64, 0, -1, (128, 128)),
        (None, [4, 6, 1], -1, 8, 256, 0, -1, (64, 256)),
        (None, None, 2, 64, 64, 4, 128, (128, 128)), (None, None, 2, 64, 64, 4, 129, (64, 256)),
    ):  # fmt: skip
        layout = "BSND" if sums is None else "TND"
        ends = None if sums is None else sums_of(sums)
        lengths = None if used is None else Operand(np.array(used, _INT))
        samples = len(sums or used or range(batch))
        inputs = (
            ends, ends, lengths, lengths, batch, longest, 129 if longest > 0 else -1, 8, 2, depth,
            mode, window, window, layout, layout, layout,
        )  # fmt: skip
        size = ((36 + 72) * samples * 2 + 1) * 16
        plan = np.zeros((size + 4095) // 4096 * 4096, _INT)
        plan[[0, 2, 3, 19]] = 1, *tile, samples * 2
        yield Case(f"{layout} {batch} {longest} {depth} {mode} {window}", inputs, (plan,))


def _quant(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Yield cases of operands that are not narrow: scales, mask and window do not count."""
    if not is_950() or not has_operator("aclnnQuantFlashAttentionScore"):
        return
    kind = numpy_dtype(dtype)
    for layout, heads, rows, columns in (
        ("BSND", (4, 2), 5, 300), ("BNSD", (2, 2), 130, 600), ("BSH", (6, 1), 3, 4),
        ("SBH", (1, 1), 7, 129),
    ):  # fmt: skip
        batch, depth, scale = 2, 32, 0.15
        parts = [
            np.abs(rng.normal(1, 0.4, (batch, count, tokens, depth))).astype(kind)
            for count, tokens in ((heads[0], rows), (heads[1], columns), (heads[1], columns))
        ]
        whole = np.ones((heads[0], rows, columns), bool)
        q, k, v = (p.astype(np.float64) for p in parts)
        samples = [Sample(q[b], k[b], v[b], q[b], whole) for b in range(batch)]
        for sample in samples:
            sample.attend(scale, None)
        blocks = [-(-rows // 128), -(-columns // 256), -(-columns // 512)]
        scales = [
            Operand(rng.uniform(0.5, 2, (batch, heads[i > 0], n, 1)).astype(np.float32))
            for i, n in enumerate(blocks)
        ]
        inputs = (
            *(Operand(laid_out(list(p), layout)) for p in parts),
            Operand(np.ones((rows, columns), bool)), *scales,
            Operand(np.ones(1, np.float32)), scale, 0, 0, heads[0], layout, 1,
        )  # fmt: skip
        statistics = [
            np.repeat(np.stack([getattr(s, name) for s in samples]), 8, -1)
            for name in ("maximum", "total")
        ]
        golden = (*statistics, False, laid_out([s.out for s in samples], layout))
        yield Case(f"{layout} {heads} {rows} {columns}", inputs, golden)


SUITES = (
    Suite("quant_flash_attention_score", ("float32", "float16", "bfloat16"), _quant, chip=NEWEST),
    Suite("flash_attn", ("float16", "bfloat16"), _cases, chip=NEWEST),
    Suite("flash_attn_metadata", (_INT,), _plans, chip=NEWEST),
)
