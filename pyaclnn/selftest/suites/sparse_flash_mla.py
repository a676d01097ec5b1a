"""Attention to a window of latent vectors and to compressed ones, and its gradients, in float64."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, is_950, is_a2_or_a3
from pyaclnn.selftest.suites.flash_attention import Sample
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


def _chosen(
    lengths: Sequence[tuple[int, int]], ratio: int, most: int, rng: np.random.Generator
) -> list[Array]:
    """Return which compressed vectors each row takes, -1 behind the last."""
    chosen = []
    for rows, columns in lengths:
        lists = np.full((rows, most), -1, np.int32)
        for row in lists:
            order = rng.permutation(columns // ratio)[:most]
            row[: len(order)] = order
        chosen.append(lists)
    return chosen


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
        chosen = _chosen(lengths, ratio, 512, rng) if sparse else None
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


@dataclass
class _Sequence:
    """Rows [rows, heads, D], what they attend to, and what that gives."""

    query: Array
    grad: Array
    whole: Array
    few: Array
    chosen: Array | None
    sample: Sample = field(init=False)
    seen: Array = field(init=False)  # compressed vectors of each row

    def attend(self, scale: float, ratio: int, residual: int, sinks: Array) -> None:
        rows, columns, few = len(self.query), len(self.whole), len(self.few)
        place = np.arange(rows)[:, None] + columns - rows  # rows end where columns do
        column = np.arange(columns)
        window = (column <= place) & (column >= place - 127)
        self.seen = np.clip((few * ratio + residual - rows + np.arange(rows) + 1) // ratio, 0, few)
        compressed = np.arange(few) < self.seen[:, None]
        if self.chosen is not None:
            for i, own in enumerate(self.chosen):
                compressed[i] &= np.isin(np.arange(few), own[: self.seen[i]])
        keys = np.concatenate([self.whole, self.few]).astype(np.float64)[None]
        query, grad = (x.astype(np.float64).swapaxes(0, 1) for x in (self.query, self.grad))
        pairs = np.broadcast_to(
            np.concatenate([window, compressed], 1), (query.shape[0], rows, columns + few)
        )
        self.sample = Sample(query, keys, keys, grad, pairs)
        self.sample.attend(scale, sinks.astype(np.float64))

    def lse(self) -> Array:
        logarithms: Array = (self.sample.maximum + np.log(self.sample.total))[..., 0].T
        return logarithms

    def weights(self) -> Array:
        """Return the mean over heads of what chosen vectors weigh."""
        assert self.chosen is not None
        means = self.sample.p.mean(0)[:, len(self.whole) :]
        result = np.zeros(self.chosen.shape)
        for i, own in enumerate(self.chosen):
            for j, at in enumerate(own[: self.seen[i]]):
                result[i, j] = means[i, at] if 0 <= at < self.seen[i] else 0
        return result


def _backward(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    kind = numpy_dtype(dtype)

    def case(
        layout: str, lengths: Sequence[tuple[int, int]], heads: int, ratio: int = 0, most: int = 0
    ) -> Case:
        packed, scale = layout == "TND", 0.04
        few = [n // ratio if ratio else 0 for _, n in lengths]
        residuals = [n % ratio if ratio else 0 for _, n in lengths]
        chosen = _chosen(lengths, ratio, most, rng) if most else [None] * len(lengths)
        sinks = rng.normal(3, 1, heads).astype(np.float32)

        def numbers(*shape: int) -> Array:
            return np.asarray(np.abs(rng.normal(1, 0.4, shape)) / 2, kind)

        each = [
            _Sequence(
                numbers(rows, heads, _D), numbers(rows, heads, _D), numbers(columns, _D),
                numbers(few[b], _D), chosen[b],
            )
            for b, (rows, columns) in enumerate(lengths)
        ]  # fmt: skip
        for one, residual in zip(each, residuals, strict=True):
            one.attend(scale, max(ratio, 1), residual, sinks)
        # The output is halved, so that no difference cancels.
        outs = [(one.sample.out / 2).astype(kind) for one in each]
        found = [
            one.sample.gradients(out.astype(np.float64))
            for one, out in zip(each, outs, strict=True)
        ]
        latent = [(x["key"] + x["value"])[0][:, None] for x in found]
        ends = [len(one.whole) for one in each]
        lse = joined([one.lse() for one in each], packed)

        def of(parts: Sequence[Array]) -> Operand:
            return Operand(joined(parts, packed))

        inputs = (
            of([x.query for x in each]), of([x.grad for x in each]),
            of([out.swapaxes(0, 1) for out in outs]),
            Operand(np.expand_dims(lse, 0 if packed else 1).astype(np.float32)),
            of([x.whole[:, None] for x in each]),
            of([x.few[:, None] for x in each]) if ratio else None,
            None, of([x[:, None] for x in chosen if x is not None]) if most else None,
            sums_of([n[0] for n in lengths]) if packed else None,
            sums_of(ends) if packed else None, sums_of(few) if packed and ratio else None,
            None, None, None, Operand(np.array(residuals, np.int32)) if ratio else None,
            None, None, Operand(sinks), None, scale, max(ratio, 1), 4, 3, 127, 0, layout, layout,
        )  # fmt: skip
        golden = (
            joined([x["query"].swapaxes(0, 1) for x in found], packed),
            joined([x[:n] for x, n in zip(latent, ends, strict=True)], packed),
            joined([x[n:] for x, n in zip(latent, ends, strict=True)], packed) if ratio else False,
            np.sum([x["sink"] for x in found], 0), False,
            joined([x.weights()[:, None] for x in each], packed) if most else False,
        )  # fmt: skip
        return Case(f"{layout} {lengths} {heads} {ratio} {most}", inputs, golden)

    yield case("BSND", ((3, 5), (3, 5)), 4)
    yield case("TND", ((2, 200), (40, 150)), 3)
    yield case("TND", ((9, 300), (140, 140)), 8, 4, 24)
    yield case("BSND", ((5, 400), (5, 400)), 8, 128)
    yield case("TND", ((260, 259), (1, 530)), 1, 5, 512)
    yield case("BSND", ((2, 150), (2, 150)), 24, 4, 64)


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
    Suite("sparse_flash_mla_grad", ("float16", "bfloat16"), _backward),
    Suite("sparse_flash_mla_metadata", ("int32",), _plans),
)
