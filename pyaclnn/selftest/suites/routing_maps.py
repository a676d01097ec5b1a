"""Tokens permuted by maps of the experts that see them, or by the counts of each rank."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family, release
from pyaclnn.selftest.suites.creation import exact
from pyaclnn.selftest.suites.moe import positive

_FLOATS = ("float32", "float16", "bfloat16")
_SIZES = ((4, 6, 2, 5), (7, 3, 3, 16), (1, 1, 1, 3), (30, 8, 3, 33))
_VIEWS = ("contiguous", "every_second", "transposed")


class _Routed:
    """A map with k experts for each token, and the rows that follow from it."""

    def __init__(self, tokens: int, experts: int, k: int, rng: np.random.Generator) -> None:
        self.tokens, self.experts, self.k = tokens, experts, k
        self.map = np.zeros((tokens, experts), bool)
        for row in self.map:
            row[rng.permutation(experts)[:k]] = True
        self.pairs = [(t, e) for e in range(experts) for t in range(tokens) if self.map[t, e]]
        order = sorted(range(len(self.pairs)), key=lambda i: self.pairs[i][0])
        self.places = np.array(order, np.int32)
        self.capacity = max(1, tokens // 2)
        self.rooms: list[tuple[int, int]] = []
        for e in range(experts):
            first = [t for t in range(tokens) if self.map[t, e]]
            rest = [t for t in range(tokens) if not self.map[t, e]]
            self.rooms += [(t, e) for t in (*first, *rest)[: self.capacity]]

    def rows(self, padded: bool) -> list[tuple[int, int]]:
        """Return token and expert of each row."""
        return self.rooms if padded else self.pairs

    def indices(self, padded: bool) -> Array:
        """Return what the forward operator writes for the backward one."""
        return np.array([t for t, _ in self.rooms], np.int32) if padded else self.places


def _kinds(dtype: str) -> tuple[str, ...]:
    return ("", dtype, "float32") if dtype == "bfloat16" else ("", dtype)


def _each(
    dtype: str, rng: np.random.Generator
) -> Iterator[tuple[str, _Routed, bool, str, str, int]]:
    if chip_family() not in ("A2", "950"):
        return
    for number, (tokens, experts, k, columns) in enumerate(_SIZES):
        for padded in (False, True):
            for kind in _kinds(dtype):
                yield (
                    f"{tokens} {experts} {k} {padded} {kind}", _Routed(tokens, experts, k, rng),
                    padded, kind, _VIEWS[number % 3], columns,
                )  # fmt: skip


def _of(values: Array | None) -> Operand | None:
    return None if values is None else Operand(values)


def _permute(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for label, routed, padded, kind, layout, columns in _each(dtype, rng):
        x = positive((routed.tokens, columns), dtype, rng)
        probs = positive(routed.map.shape, kind, rng) if kind else None
        rows = routed.rows(padded)
        golden = np.array([exact(x)[t] for t, _ in rows])
        chosen = None if probs is None else np.array([exact(probs)[pair] for pair in rows])
        seen = routed.map if kind else routed.map.astype(np.int8)
        yield Case(label,
                   (Operand(x, layout), Operand(seen, layout), _of(probs), len(rows), padded),
                   (golden, chosen, routed.indices(padded)))  # fmt: skip


def _permute_grad(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for label, routed, padded, kind, layout, columns in _each(dtype, rng):
        rows = routed.rows(padded)
        grad = positive((len(rows), columns), dtype, rng)
        by_probs = positive((len(rows),), kind, rng) if kind else None
        golden = np.zeros((routed.tokens, columns))
        expected = np.zeros(routed.map.shape)
        for row, pair in enumerate(rows):
            golden[pair[0]] += exact(grad)[row]
            expected[pair] = 0 if by_probs is None else exact(by_probs)[row]
        yield Case(label, (Operand(grad, layout), _of(by_probs), Operand(routed.indices(padded)),
                           Operand(routed.map) if kind else None, routed.experts, routed.tokens,
                           padded), (golden, expected if kind else None))  # fmt: skip


def _unpermute(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for label, routed, padded, kind, layout, columns in _each(dtype, rng):
        rows = routed.rows(padded)
        x = positive((len(rows), columns), dtype, rng)
        probs = positive(routed.map.shape, kind, rng) if kind else None
        factors = np.array([1.0 if probs is None else exact(probs)[pair] for pair in rows])
        golden = np.zeros((routed.tokens, columns))
        for row, (token, _) in enumerate(rows):
            golden[token] += exact(x)[row] * factors[row]
        if probs is not None and not padded:
            factors = exact(probs)[routed.map]
        indices = routed.indices(padded)
        order = np.argsort(indices, kind="stable")
        yield Case(label, (Operand(x, layout), Operand(indices),
                           Operand(routed.map) if kind else None, _of(probs), padded,
                           [routed.tokens, columns]),
                   (golden, order if padded else None, indices[order] if padded else None,
                    factors if kind else None))  # fmt: skip


def _unpermute_grad(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for label, routed, padded, kind, layout, columns in _each(dtype, rng):
        rows, indices = routed.rows(padded), routed.indices(padded)
        grad = positive((routed.tokens, columns), dtype, rng)
        x = positive((len(rows), columns), dtype, rng) if kind else None
        probs = positive(routed.map.shape, kind, rng) if kind else None
        golden, expected = np.zeros((len(rows), columns)), np.zeros(routed.map.shape)
        for row, pair in enumerate(rows):
            golden[row] = exact(grad)[pair[0]] * (1.0 if probs is None else exact(probs)[pair])
            expected[pair] = 0 if x is None else exact(grad)[pair[0]] @ exact(x)[row]
        order = np.argsort(indices, kind="stable").astype(np.int32)
        places = order if padded else indices
        ids = indices[order] if padded else np.repeat(np.arange(routed.tokens), routed.k)
        yield Case(label, (Operand(grad, layout), Operand(places), Operand(ids.astype(np.int32)),
                           Operand(routed.map) if kind else None, _of(x), _of(probs), padded,
                           [routed.tokens, columns]),
                   (golden, expected if kind else None))  # fmt: skip


def _re_routing(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Rows carry their rank and expert, so that sorting them stably is the truth."""
    for kind, ranks, experts, scaled in (
        ("int32", 1, 1, None), ("int64", 3, 4, "float32"), ("int32", 5, 2, "float32"),
    ):  # fmt: skip
        if dtype == "float4_e2m1fn" and (chip_family() != "950" or release() < (9, 1)):
            return
        counts = rng.integers(0, 5, (ranks, experts))
        expert = np.repeat(np.tile(np.arange(experts), ranks), counts.ravel())
        order = np.argsort(expert, kind="stable")
        x = (100 * rng.uniform(0.1, 1.0, (len(order), 7))).astype(numpy_dtype(dtype))
        if dtype == "float4_e2m1fn":
            x = rng.choice([-6, -0.5, 0, 1.5, 4], (len(order), 6)).astype(numpy_dtype(dtype))
        scales = None if scaled is None else positive((len(order),), scaled, rng)
        yield Case(
            f"{kind} {ranks}x{experts}",
            (Operand(x), Operand(counts.astype(kind)), _of(scales), 1, 0),
            (exact(x)[order], None if scales is None else exact(scales)[order],
             order.astype(np.int32), counts.sum(0).astype(kind)),
        )  # fmt: skip


SUITES: tuple[Suite, ...] = (
    Suite("moe_token_permute_with_routing_map", _FLOATS, _permute),
    Suite("moe_token_permute_with_routing_map_grad", _FLOATS, _permute_grad),
    Suite("moe_token_unpermute_with_routing_map", _FLOATS, _unpermute),
    Suite("moe_token_unpermute_with_routing_map_grad", _FLOATS, _unpermute_grad),
    Suite("moe_re_routing", ("float16", "bfloat16", "int8", "float4_e2m1fn"), _re_routing),
)
