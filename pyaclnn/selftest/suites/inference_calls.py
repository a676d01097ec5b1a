"""What calls of attention for inference are made of, and what they give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.selftest.cases import Array, Case, Operand, numpy_dtype
from pyaclnn.selftest.suites.attention import attention

MANY = 2**31 - 1


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


def in_lanes(cache: Array, lane: int) -> Array:
    """Return [pages, heads, rows, depth] with so many numbers of a row together."""
    split = cache.reshape(*cache.shape[:3], -1, lane)
    return np.ascontiguousarray(split.transpose(0, 1, 3, 2, 4))


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


def ahead_of(count: Callable[[int, int], int], behind: int = MANY) -> Callable[[int, int], Array]:
    """Return which columns a row does not see: those after it and so many more, or far before."""

    def unseen(rows: int, columns: int) -> Array:
        step = np.arange(columns) - np.arange(rows)[:, None]
        ahead = count(rows, columns)
        return np.asarray((step > ahead) | (step < ahead - behind))

    return unseen


def _inputs(operator: str, named: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the arguments of a call, from those that are given by name."""
    base: dict[str, Any] = {
        "pre_tokens": MANY, "next_tokens": MANY, "sparse_mode": 0, "inner_precise": 0,
        "block_size": 0, "antiquant_mode": 0, "softmax_lse_flag": False, "key_antiquant_mode": 0,
        "value_antiquant_mode": 0, "query_quant_mode": 0, "pse_type": 0,
    }  # fmt: skip
    found = {**base, **named}
    values = []
    for argument in getattr(pa.ops, operator).spec.inputs:
        name = argument.name.removesuffix("_optional")
        values.append(found.get(name, found.get(name.replace("_", ""))))
    return tuple(values)


def triangle() -> Operand:
    """Return the mask of which sparse modes read a corner."""
    return Operand(np.triu(np.ones((2048, 2048), bool), 1))


def drawn_values(
    rng: np.random.Generator, dtype: str, *shape: int, positive: bool = False
) -> Array:
    """Return normal values, or such that a sum of weighted ones does not cancel."""
    x = rng.normal(0, 1, shape)
    return np.asarray(np.abs(x) + 0.5 if positive else x).astype(numpy_dtype(dtype))


def case_of(
    operator: str, label: str, call: Call, operands: dict[str, Any], golden: Array,
    lse: Array | None,
) -> Case:  # fmt: skip
    """Return the case of a call with its operands, and with sums where they are given."""
    named = {**call.named, **operands, "softmax_lse_flag": lse is not None}
    if operator.startswith("prompt"):
        named["key"], named["value"] = named["key"][0], named["value"][0]
    outputs: tuple[Any, ...] = (golden,)
    if operator.startswith("fused"):
        outputs = (golden, lse)
    return Case(label, _inputs(operator, named), outputs)
