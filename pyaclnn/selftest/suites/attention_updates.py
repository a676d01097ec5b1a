"""What stands before and behind attention."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.flash_attention import laid_out, statistics_in


def _updated(
    parts: Sequence[tuple[Array, Array, Array]],
) -> tuple[Array, Array, Array]:
    """Return rows, maxima and sums of two passes together, in float64."""
    rows, maxima, sums = (np.stack(x) for x in zip(*parts, strict=True))
    largest = maxima.max(0)
    shares = sums * np.exp(maxima - largest)
    total = shares.sum(0)
    return (rows * (shares / total)).sum(0), largest, total


def _ring(second: bool) -> object:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not has_bfloat16():
            return
        kind = numpy_dtype(dtype)

        def case(
            label: str, heads: int, lengths: Sequence[int], depth: int, layout: str,
            numbers: str = "", where: Sequence[str] = ("contiguous",) * 6,
        ) -> Case:  # fmt: skip
            passes = [
                [
                    (
                        np.abs(rng.normal(1, 0.3, (heads, rows, depth))).astype(kind),
                        rng.uniform(0.5, 3, (heads, rows, 1)).astype(np.float32),
                        rng.uniform(1, 9, (heads, rows, 1)).astype(np.float32),
                    )
                    for rows in lengths
                ]
                for _ in range(2)
            ]
            golden = [
                _updated([tuple(x.astype(np.float64) for x in part) for part in both])
                for both in zip(*passes, strict=True)
            ]
            like_input = numbers == "TND"

            def given(samples: Sequence[tuple[Array, Array, Array]]) -> tuple[Array, Array, Array]:
                rows, maxima, sums = zip(*samples, strict=True)
                return (
                    laid_out(rows, layout), statistics_in(maxima, layout, like_input),
                    statistics_in(sums, layout, like_input),
                )  # fmt: skip

            operands = [
                Operand(x, w)
                for x, w in zip((*given(passes[0]), *given(passes[1])), where, strict=True)
            ]
            ends = np.cumsum([0, *lengths]).astype(np.int64) if layout == "TND" else None
            inputs = (
                *operands, None if ends is None else Operand(ends), layout,
                *((numbers,) if second else ()),
            )  # fmt: skip
            return Case(label, inputs, given(golden))

        yield case("SBH", 3, (5, 5), 16, "SBH")
        yield case("one token", 1, (1,), 8, "SBH")
        yield case("TND", 2, (3, 1, 40), 64, "TND")
        yield case("TND of one sequence", 4, (7,), 128, "TND")
        if second:
            yield case("statistics as SBH", 2, (3, 4), 64, "TND", "SBH")
            yield case("statistics as TND", 2, (3, 4), 64, "TND", "TND")
        for layout in LAYOUTS[1:]:
            yield case(layout, 2, (4, 4), 16, "SBH", "", (layout, "every_second", "offset") * 2)

    return cases


def _parts(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    kind = numpy_dtype(dtype)
    for count, rows, depth in ((1, 3, 8), (2, 5, 16), (3, 130, 128), (16, 4, 512)):
        for wants in (0, 1):
            powers = [rng.normal(2, 1, rows).astype(np.float32) for _ in range(count)]
            locals_ = [np.abs(rng.normal(1, 0.3, (rows, depth))).astype(kind) for _ in range(count)]
            scores = np.stack(powers).astype(np.float64)
            if count > 1:
                powers[0][0] = np.inf  # this part has seen nothing of the first row
                scores[0, 0] = -np.inf
            total = np.log(np.exp(scores).sum(0))
            weights = np.exp(scores - total)[..., None]
            out = (weights * np.stack(locals_).astype(np.float64)).sum(0)
            inputs = ([Operand(x) for x in powers], [Operand(x) for x in locals_], wants)
            yield Case(f"{count} of {rows} {wants}", inputs, (out, total if wants else None))


def _rescaled(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    kind = numpy_dtype(dtype)
    for batch, tokens, heads, depth in ((1, 1, 1, 1), (2, 5, 3, 7), (3, 4, 2, 64)):
        for where in LAYOUTS:
            qkv = np.abs(rng.normal(1, 0.5, (batch, tokens, 3 * heads * depth))).astype(kind)
            bias = rng.uniform(0.1, 1, 3 * heads * depth).astype(kind)
            sums = qkv.astype(np.float64) + bias.astype(np.float64)
            q, k, v = (
                x.reshape(batch, tokens, heads, depth).swapaxes(1, 2) for x in np.split(sums, 3, -1)
            )
            inputs = (Operand(qkv, where), Operand(bias), heads)
            golden = (q / np.sqrt(depth), k, v)
            yield Case(f"{batch} {tokens} {heads} {depth} {where}", inputs, golden)


_FLOATS = ("float32", "float16", "bfloat16")

SUITES = (
    Suite("ring_attention_update", _FLOATS, _ring(second=False)),  # type: ignore[arg-type]
    Suite("ring_attention_update_v2", _FLOATS, _ring(second=True)),  # type: ignore[arg-type]
    Suite("attention_update", _FLOATS, _parts),
    Suite("transform_bias_rescale_qkv", _FLOATS, _rescaled),
)
