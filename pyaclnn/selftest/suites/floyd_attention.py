"""Attention over two axes: einsums over whole tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16


class Floyd:
    """The weights of all pairs of (n, m) and k, and what follows from them, in float64."""

    def __init__(self, given: dict[str, Array], mask: Array | None, scale: float) -> None:
        self.q, self.k1, self.v1, self.k2, self.v2 = (
            given[name].astype(np.float64) for name in ("query", "key1", "value1", "key2", "value2")
        )
        self.scale = scale
        scores = np.einsum("bhnmd,bhnkd->bhnmk", self.q, self.k1)
        scores += np.einsum("bhnmd,bhkmd->bhnmk", self.q, self.k2)
        scores = scores * scale
        if mask is not None:
            scores = np.where(mask.astype(bool), -np.inf, scores)
        self.maximum = scores.max(-1, keepdims=True)
        power = np.exp(scores - self.maximum)
        self.total = power.sum(-1, keepdims=True)
        self.p = power / self.total
        self.out = np.einsum("bhnmk,bhnkd->bhnmd", self.p, self.v1)
        self.out += np.einsum("bhnmk,bhkmd->bhnmd", self.p, self.v2)

    def gradients(self, grad: Array, out: Array) -> tuple[Array, ...]:
        """Return the gradients where the forward pass has given ``out``."""
        slopes = np.einsum("bhnmd,bhnkd->bhnmk", grad, self.v1)
        slopes += np.einsum("bhnmd,bhkmd->bhnmk", grad, self.v2)
        slopes = self.p * (slopes - (grad * out).sum(-1, keepdims=True)) * self.scale
        by_query = np.einsum("bhnmk,bhnkd->bhnmd", slopes, self.k1)
        by_query += np.einsum("bhnmk,bhkmd->bhnmd", slopes, self.k2)
        return (
            by_query,
            np.einsum("bhnmk,bhnmd->bhnkd", slopes, self.q),
            np.einsum("bhnmk,bhnmd->bhnkd", self.p, grad),
            np.einsum("bhnmk,bhnmd->bhkmd", slopes, self.q),
            np.einsum("bhnmk,bhnmd->bhkmd", self.p, grad),
        )


def _cases(operator: str, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    n, m, k, d = 16, 128, 128, 32
    kind = numpy_dtype(dtype)

    def drawn(*shape: int) -> Array:
        return np.abs(rng.normal(0.5, 0.25, shape)).astype(kind)

    for label, b, h, is_masked in (("whole", 1, 1, False), ("mask", 2, 2, True)):
        first, second = (b, h, n, k, d), (b, h, k, m, d)
        given = {
            "query": drawn(b, h, n, m, d), "key1": drawn(*first), "value1": drawn(*first),
            "key2": drawn(*second), "value2": drawn(*second),
        }  # fmt: skip
        mask = rng.random((b, 1, n, 1, k)) < 0.3 if is_masked else None
        floyd = Floyd(given, mask, 0.1)
        inputs: list[Any] = [Operand(x) for x in given.values()]
        hidden = None if mask is None else Operand(mask)
        statistics = [np.repeat(x, 8, -1) for x in (floyd.maximum, floyd.total)]
        if not operator.endswith("grad"):
            yield Case(label, (*inputs, hidden, 0.1), (*statistics, floyd.out))
            continue
        grad = drawn(b, h, n, m, d)
        # A part of the output, so that no gradient cancels.
        out = (floyd.out / 2).astype(kind)
        saved = [Operand(x.astype(np.float32)) for x in statistics]
        golden = floyd.gradients(grad.astype(np.float64), out.astype(np.float64))
        yield Case(label, (*inputs, Operand(grad), hidden, *saved, Operand(out), 0.1), golden)


def _of(operator: str) -> Suite:
    def drawn(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if has_bfloat16():
            yield from _cases(operator, dtype, rng)

    return Suite(operator, ("float16", "bfloat16"), drawn)


SUITES = (_of("fused_floyd_attention"), _of("fused_floyd_attention_grad"))
