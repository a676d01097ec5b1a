"""Attention to a window of latent vectors and to compressed ones, in float64 from its document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, is_950
from pyaclnn.selftest.suites.indexers import in_pages, joined, sums_of

_D = 512


def _attended(
    q: Array, whole: Array, few: Array, sinks: Array, scale: float, ratio: int, residual: int,
    window: tuple[int, int], chosen: Array | None, modes: tuple[int, int],
) -> tuple[Array, Array]:  # fmt: skip
    """Return rows [rows, heads, D] and the logarithm of the sum of each, [rows, heads]."""
    rows, heads = q.shape[:2]
    out, lse = np.zeros((rows, heads, _D)), np.zeros((rows, heads))
    for i in range(rows):
        end = len(whole) - rows + i + 1
        first, last = 0, len(whole)
        if modes[0] == 3:
            last = end
        if modes[0] == 4:
            first = max(end - window[0] - 1, 0) if window[0] >= 0 else 0
            last = end + window[1] if window[1] >= 0 else len(whole)
        keys = whole[first : max(min(last, len(whole)), 0)]
        seen = (len(few) * ratio + residual - rows + i + 1) // ratio if modes[1] else len(few)
        seen = min(max(seen, 0), len(few))
        at = np.arange(seen)
        if chosen is not None:
            at = chosen[i, :seen]
            at = at[(at >= 0) & (at < seen)]
        keys = np.concatenate([keys, few[at]])
        scores = np.concatenate([q[i] @ keys.T * scale, sinks[:, None]], 1)
        most = scores.max(1, keepdims=True)
        weights = np.exp(scores - most)
        total = weights.sum(1, keepdims=True)
        out[i] = (weights / total)[:, :-1] @ keys
        lse[i] = (most + np.log(total))[:, 0]
    return out, lse


def _cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    kind = numpy_dtype(dtype)

    def case(
        layout: str, latent: str, lengths: Sequence[tuple[int, int]], heads: int, ratio: int,
        sparse: bool = False, window: tuple[int, int] = (127, 0), modes: tuple[int, int] = (4, 3),
        returns: bool = True,
    ) -> Case:  # fmt: skip
        packed, scale = layout == "TND", 0.04

        def numbers(*shape: int) -> Array:
            return np.asarray(np.abs(rng.normal(1, 0.4, shape)) * rng.choice([1, 0.5]), kind)

        queries = [numbers(rows, heads, _D) for rows, _ in lengths]
        whole = [numbers(columns, _D) for _, columns in lengths]
        few = [numbers(columns // ratio, _D) for _, columns in lengths]
        residuals = np.array([columns % ratio for _, columns in lengths], np.int32)
        sinks = rng.normal(3, 1, heads).astype(np.float32)
        chosen = None
        if sparse:
            chosen = []
            for (rows, _), of in zip(lengths, few, strict=True):
                lists = np.full((rows, 512), -1, np.int32)
                for row in lists:
                    order = rng.permutation(len(of))[:512]
                    row[: len(order)] = order
                chosen.append(lists)
        found = [
            _attended(
                q.astype(np.float64), w.astype(np.float64),
                (f if ratio > 1 else f[:0]).astype(np.float64), sinks.astype(np.float64), scale,
                ratio, int(r), window, None if chosen is None else chosen[b], modes,
            )
            for b, (q, w, f, r) in enumerate(zip(queries, whole, few, residuals, strict=True))
        ]  # fmt: skip
        tables: list[Operand | None] = [None, None]
        latents: list[Operand | None] = [None, None]
        used: list[Operand | None] = [None, None]
        sums: list[Operand | None] = [None, None]
        for i, parts in enumerate((whole, few) if ratio > 1 else (whole,)):
            if latent == "PA_BBND":
                stored, table = in_pages([p[:, None] for p in parts], 16, rng)
                latents[i], tables[i] = Operand(stored), Operand(table)
                used[i] = Operand(np.array([len(p) for p in parts], np.int32))
            else:
                latents[i] = Operand(joined([p[:, None] for p in parts], packed))
                if packed:
                    sums[i] = sums_of([len(p) for p in parts])
        inputs = (
            Operand(joined(queries, packed)), *latents, None,
            None if chosen is None else Operand(joined([c[:, None] for c in chosen], packed)),
            *tables, sums_of([n[0] for n in lengths]) if packed else None, *sums, None, *used,
            Operand(residuals) if ratio > 1 else None, None, None, Operand(sinks),
            Operand(np.zeros(1024, np.int32)), scale, ratio, *modes, *window, layout, latent, 1,
            returns,
        )  # fmt: skip
        lse = joined([x[1] for x in found], packed)
        golden = (
            joined([x[0] for x in found], packed),
            np.expand_dims(lse, 0 if packed else 1) if returns else None,
        )
        return Case(f"{layout} {latent} {lengths} {heads} {ratio} {sparse} {modes}", inputs, golden)

    yield case("BSND", "BSND", ((3, 5), (3, 5)), 4, 1)
    yield case("TND", "TND", ((2, 200), (40, 150)), 2, 1, returns=False)
    yield case("TND", "PA_BBND", ((2, 300), (140, 140)), 8, 4, sparse=True)
    yield case("BSND", "BSND", ((5, 700), (5, 700)), 16, 128)
    yield case("TND", "TND", ((260, 259), (1, 530)), 1, 4, sparse=True)
    yield case("BSND", "PA_BBND", ((1, 300), (1, 300)), 64, 128)
    if is_950():
        yield case("BSND", "BSND", ((4, 9), (4, 9)), 2, 3, window=(2, 1), modes=(4, 0))
        yield case("BSND", "BSND", ((9, 7), (9, 7)), 2, 2, window=(-1, -1), modes=(3, 3))
        yield case("BSND", "BSND", ((4, 9), (4, 9)), 2, 2, window=(-1, -1), modes=(0, 0))


def _plans(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    residuals = Operand(np.ones(2, np.int32))
    for layout, chosen in (("BSND", 0), ("TND", 512)):
        sums = [sums_of([3, 4]) if layout == "TND" else None] * 3
        inputs = (
            *sums, None, None, None, residuals, None, None, 8, 1, _D, 2, 4, 8, 2, 0, chosen,
            4 if chosen else 128, 4, 3, 127, 0, layout, layout, True, True,
        )  # fmt: skip
        yield Case(f"{layout} {chosen}", inputs, (np.zeros(1024, np.int32),))


SUITES = (
    Suite("sparse_flash_mla", ("float16", "bfloat16"), _cases),
    Suite("sparse_flash_mla_metadata", ("int32",), _plans),
)
