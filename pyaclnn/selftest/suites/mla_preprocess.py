"""What stands before attention to latent vectors, on int8.

Numbers become int8 twice on the way. Tokens of which one lies so near to a tie that float32 and
float64 may round it otherwise are drawn again, so that what follows is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16
from pyaclnn.selftest.formulas.narrow import narrowed, quant_parameter
from pyaclnn.selftest.suites.positions import rotated
from pyaclnn.selftest.suites.products_in_blocks import in_nz

_LATENT, _TURNED = 512, 64
_BOTH = _LATENT + _TURNED
_EPS = 1e-6


class _Setting(NamedTuple):
    """A case: its mode of caches, sizes, and whether inputs are normalised and weights narrow."""

    mode: int
    tokens: int = 5
    hidden: int = 2048
    rank: int = 64
    heads: int = 2
    depth: int = 32
    norms: bool = True
    wide: bool = False
    blocks: bool = False  # whether wuk lies in FRACTAL_NZ


def _wide(values: Array) -> Array:
    return np.asarray(values.astype(np.float64))


def _normal(x: Array, gamma: Array, beta: Array | float = 0) -> Array:
    return np.asarray(x / np.sqrt((x**2).mean(-1, keepdims=True) + _EPS) * gamma + beta)


def _in_bytes(values: Array, error: float = 5e-7) -> tuple[Array, Array]:
    """Return int8 by way of float16, and which rows have some that may be another."""
    found = [
        narrowed((values + e * (1 + np.abs(values))).astype(np.float16).astype(np.float32), "int8")
        for e in (-error, error)
    ]
    return found[0], (found[0] != found[1]).reshape(len(values), -1).any(-1)


class _Layer:
    """The weights of a layer, and what it makes of tokens."""

    def __init__(self, of: _Setting, dtype: str, rng: np.random.Generator) -> None:
        self.of, self.kind = of, numpy_dtype(dtype)
        columns = of.heads * (of.depth + _TURNED)

        def numbers(low: float, high: float, *shape: int) -> Array:
            return np.asarray(rng.uniform(low, high, shape).astype(self.kind))

        self.gammas = [numbers(0.5, 1.5, n) for n in (of.hidden, of.rank, _LATENT)]
        self.betas = [numbers(-0.5, 0.5, n) for n in (of.hidden, of.rank)]
        self.scales = [numbers(0.02, 0.03, 1) for _ in range(2)]
        self.offsets = [np.array([n], np.int8) for n in (5, -7)]
        self.weights: list[Array] = []
        self.biases: list[Array] = []
        self.factors: list[Array] = []
        for lines, width in ((of.rank + _BOTH, of.hidden), (columns, of.rank)):
            if of.wide:
                self.weights.append(numbers(0.5 / width, 1.5 / width, lines, width))
            else:
                self.weights.append(rng.integers(-128, 128, (lines, width)).astype(np.int8))
            size = int(74 * 40 * np.sqrt(width))
            self.biases.append(rng.integers(4 * size, 6 * size, lines).astype(np.int32))
            # Short numbers, of which no bit is lost in a word of 64 bits.
            self.factors.append((rng.integers(64, 128, lines) * 2.0**-24).astype(np.float32))
        self.absorbed = numbers(0.5 / of.depth, 1.5 / of.depth, of.heads, of.depth, _LATENT)
        self.latent_scale = numbers(0.02, 0.03, 1)
        self.query_scale = numbers(10, 20, of.heads)
        self.cos = numbers(0.8, 1, of.tokens, _TURNED)
        self.sin = numbers(0.01, 0.1, of.tokens, _TURNED)

    def _projected(self, rows: Array, place: int) -> tuple[Array, Array]:
        scale, offset = _wide(self.scales[place]), _wide(self.offsets[place])
        numbers, doubtful = _in_bytes(rows / scale + offset)
        sums = numbers.astype(np.int64) @ self.weights[place].T.astype(np.int64)
        whole = (sums + self.biases[place]).astype(np.float32)
        return _wide((whole * self.factors[place]).astype(self.kind)), doubtful

    def __call__(self, x: Array) -> tuple[list[Array], Array]:
        """Return queries, latents, turned queries and keys, small queries; and which to doubt."""
        of, rows, doubts = self.of, _wide(x), []
        gammas, betas = ([_wide(v) for v in values] for values in (self.gammas, self.betas))
        if of.wide:
            small = _wide((rows @ _wide(self.weights[0]).T).astype(self.kind))
            normal = _normal(small[:, _BOTH:], gammas[1])
            both = _wide(normal.astype(self.kind)) @ _wide(self.weights[1]).T
            queries = _wide(both.astype(self.kind))
        else:
            first = _normal(rows, gammas[0], betas[0]) if of.norms else rows
            small, doubtful = self._projected(first, 0)
            doubts.append(doubtful)
            normal = _normal(small[:, _BOTH:], gammas[1], betas[1])
            queries, doubtful = self._projected(normal, 1)
            doubts.append(doubtful)
        queries = queries.reshape(of.tokens, of.heads, -1)
        cos, sin = _wide(self.cos), _wide(self.sin)
        own, other = rotated(queries[..., of.depth :], 0)
        turned = own * cos[:, None] + other * sin[:, None]
        own, other = rotated(small[:, _LATENT:_BOTH], 0)
        key = own * cos + other * sin
        latent = _normal(small[:, :_LATENT], gammas[2])
        made = np.einsum("tnd,ndc->tnc", queries[..., : of.depth], _wide(self.absorbed))
        if of.mode == 2:
            latent, doubtful = _in_bytes(latent / _wide(self.latent_scale))
            doubts.append(doubtful)
            near = [
                _in_bytes(_wide((made * (1 + e)).astype(self.kind))
                          * _wide(self.query_scale)[:, None], 0)[0]
                for e in (-3e-6, 3e-6)
            ]  # fmt: skip
            doubts.append((near[0] != near[1]).any((-1, -2)))
            made = near[0]
        doubtful = np.any(doubts, 0) if doubts else np.full(of.tokens, False)
        return [made, latent, turned, key, normal], doubtful


def _stored(rows: Array, slots: Array, blocks: int, block: int, lane: int, kind: Any) -> Array:
    """Return a cache that nothing but these rows was written to."""
    flat = np.full((blocks * block, rows.shape[-1]), 99.0)
    flat[slots[slots >= 0]] = rows[slots >= 0]
    cache = flat.reshape(blocks, block, -1, lane or rows.shape[-1]).astype(kind)
    return np.asarray(cache.transpose(0, 2, 1, 3) if lane else cache)


def _case(of: _Setting, dtype: str, rng: np.random.Generator, *, second: bool) -> Case:
    layer, kind = _Layer(of, dtype, rng), numpy_dtype(dtype)
    x, doubtful = np.empty((of.tokens, of.hidden), kind), np.full(of.tokens, True)
    while doubtful.any():
        drawn = rng.normal(0, 1, (int(doubtful.sum()), of.hidden))
        x[doubtful] = (np.abs(drawn) if of.wide else drawn).astype(kind)
        (made, latent, turned, key, normal), doubtful = layer(x)
    blocks, block = 3, 32
    slots = rng.permutation(blocks * block)[: of.tokens].astype(np.int32)
    slots[of.tokens // 2] = -1
    narrow = np.dtype(np.int8) if of.mode == 2 else kind
    lane = {2: 32, 3: 16}.get(of.mode, 0)
    if of.mode == 0:
        made, latent = np.concatenate((made, turned), -1), np.concatenate((latent, key), -1)
    caches = _stored(latent, slots, blocks, block, lane, narrow)
    keys = _stored(key, slots, blocks, block, min(lane, 16), kind)
    unused = np.full(1, 99.0).astype(kind)
    results: list[Array] = [
        made.astype(narrow) if of.mode == 2 else made, caches,
        unused if of.mode == 0 else turned, unused if of.mode == 0 else keys,
    ]  # fmt: skip
    if second:
        results.append(normal)
    half = dtype == "float16"
    factors = [quant_parameter(f, None).astype(np.int64) if half else f for f in layer.factors]
    absorbed = in_nz(layer.absorbed) if of.blocks else Operand(layer.absorbed)
    given: list[Any] = [Operand(x)]
    for place in range(2):
        given += [Operand(a) for a in (layer.gammas[place], layer.betas[place],
                                       layer.scales[place], layer.offsets[place])]  # fmt: skip
        given.append(in_nz(layer.weights[place]))
        given += [Operand(factors[place]), Operand(layer.biases[place])]
    given += [Operand(a) for a in (layer.gammas[2], layer.cos, layer.sin)]
    given.append(absorbed)
    given += [Operand(np.zeros_like(caches)), Operand(unused if of.mode == 0 else keys)]
    given += [Operand(a) for a in (slots, layer.latent_scale, layer.query_scale)]
    given += [1536, 64, 64, _EPS, 2, 2, True, True, True, of.mode, 0, of.norms, 1]
    kinds = (narrow.name, narrow.name, *(dtype,) * (len(results) - 2))
    label = " ".join(f"{name} {value}" for name, value in of._asdict().items())
    return Case(label, (*given, *((True,) if second else ())), tuple(results), out_dtypes=kinds)


_SETTINGS = (
    _Setting(0), _Setting(1, tokens=66, heads=1), _Setting(2, depth=128, heads=3),
    _Setting(3, rank=96, hidden=2304), _Setting(1, norms=False, blocks=True),
)  # fmt: skip
_WIDE = (_Setting(0, wide=True), _Setting(1, wide=True, blocks=True))


def _cases(dtype: str, rng: np.random.Generator, *, second: bool) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for of in (*_SETTINGS, *(_WIDE if dtype == "bfloat16" else ())):
        yield _case(of, dtype, rng, second=second)


def _first(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _cases(dtype, rng, second=False)


def _second(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _cases(dtype, rng, second=True)


_HALVES = ("float16", "bfloat16")

SUITES = (
    Suite("mla_preprocess", _HALVES, _first),
    Suite("mla_preprocess_v2", _HALVES, _second),
)
