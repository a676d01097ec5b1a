"""What stands before attention to latent vectors, in float64 from its document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite
from pyaclnn.selftest.chips import ends_older_versions, has_bfloat16
from pyaclnn.selftest.suites.caches import in_fractals
from pyaclnn.selftest.suites.positions import drawn, rotated
from pyaclnn.selftest.suites.products_in_blocks import in_nz

_EPS = 1e-5
_LATENT, _TURNED, _BLOCK = 512, 64, 16


def _normal(x: Array, gamma: Array) -> Array:
    return np.asarray(x / np.sqrt((x**2).mean(-1, keepdims=True) + _EPS) * gamma)


def _turned(x: Array, cos: Array, sin: Array) -> Array:
    own, other = rotated(x, 3)
    return np.asarray(own * cos + other * sin)


def _slots(
    mode: str, shape: tuple[int, ...], rng: np.random.Generator
) -> tuple[Array, Array | None, Array | None]:
    """Return the slot of each token, the index that says so, and the ends of sequences."""
    tokens = int(np.prod(shape))
    if not mode.startswith("PA"):
        return np.arange(tokens), None, None
    if "BLK" not in mode:
        index = rng.permutation(4 * _BLOCK)[:tokens]
        return index, index.reshape(shape), None
    lengths = np.full(shape[0], shape[1]) if len(shape) == 2 else np.array([17, tokens - 17])
    blocks = rng.permutation(4)
    slots, first = [], 0
    for length in lengths:
        at = np.arange(length)
        slots.append(blocks[first + at // _BLOCK] * _BLOCK + at % _BLOCK)
        first += -(-int(length) // _BLOCK)
    index = blocks[:first]
    if len(shape) == 2:
        return np.concatenate(slots), index.reshape(shape[0], -1), None
    return np.concatenate(slots), index, np.cumsum(lengths).astype(np.int32)


def _prolog(version: int, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16() or (version < 3 and ends_older_versions()):
        return
    dtype = "bfloat16"

    def case(
        mode: str, shape: tuple[int, ...], heads: int = 2, hidden: int = 1024,
        factors: tuple[float, float] = (1, 1),
    ) -> Case:  # fmt: skip
        rank, depth = 1536, 128
        tokens = int(np.prod(shape))

        def numbers(*size: int, low: float = 0.5, high: float = 1.5, by: float = 1) -> Array:
            return drawn(rng, dtype, size, low * by, high * by)

        x = numbers(*shape, hidden)
        down, latent = (numbers(hidden, n, by=1 / hidden) for n in (rank, _LATENT + _TURNED))
        up = numbers(rank, heads * (depth + _TURNED), by=1 / rank)
        absorb = numbers(heads, depth, _LATENT, by=1 / depth)
        gammas = [numbers(n) for n in (rank, _LATENT)]
        cos = numbers(*shape, _TURNED, low=0.8, high=1)
        sin = numbers(*shape, _TURNED, low=0.01, high=0.1)
        wide = x.astype(np.float64).reshape(tokens, hidden)
        c, s = (a.astype(np.float64).reshape(tokens, _TURNED) for a in (cos, sin))
        small = _normal(wide @ down.astype(np.float64), gammas[0].astype(np.float64)) * factors[0]
        query = (small @ up.astype(np.float64)).reshape(tokens, heads, depth + _TURNED)
        absorbed = np.einsum("tnd,ndc->tnc", query[..., :depth], absorb.astype(np.float64))
        turned = _turned(query[..., depth:], c[:, None], s[:, None])
        both = wide @ latent.astype(np.float64)
        rows = (
            _normal(both[:, :_LATENT], gammas[1].astype(np.float64)) * factors[1],
            _turned(both[:, _LATENT:], c, s),
        )  # fmt: skip
        slots, index, ends = _slots(mode, shape, rng)
        caches, results = [], []
        for new in rows:
            width = new.shape[-1]
            lies = (4, _BLOCK, 1, width) if mode.startswith("PA") else (*shape, 1, width)
            old = drawn(rng, dtype, lies, 0.5, 2)
            flat = old.astype(np.float64).reshape(-1, width)
            flat[slots] = new
            result = flat.reshape(lies)
            if "NZ" in mode:
                old, result = in_fractals(old), in_fractals(result.astype(old.dtype))
            caches.append(old)
            results.append(result.astype(np.float64))
        given: list[Any] = [
            Operand(x), in_nz(down), in_nz(up), Operand(absorb), in_nz(latent),
            *(Operand(g) for g in gammas), Operand(sin), Operand(cos),
        ]  # fmt: skip
        places = None if index is None else Operand(index.astype(np.int64))
        first = len(given) + (version < 3)
        given += [places] * (version < 3) + [Operand(k) for k in caches] + [places] * (version == 3)
        given += [None] * 7
        if version == 3:
            given += [None if ends is None else Operand(ends), None]
        given += [_EPS, _EPS, mode] + [0, 0, 0, 0, 0, 128, *factors] * (version == 3)
        golden: tuple[Any, ...] = (
            absorbed.reshape(*shape, heads, _LATENT), turned.reshape(*shape, heads, _TURNED),
        )  # fmt: skip
        golden += (None,) * {1: 0, 2: 1, 3: 3}[version]
        label = f"{mode} {shape} {heads} {hidden} {factors}"
        return Case(label, tuple(given), golden, written=tuple(enumerate(results, first)))

    yield case("PA_BSND", (2, 3))
    yield case("PA_BSND", (5,), heads=1, hidden=2048)
    yield case("PA_NZ", (1, 4))
    if version == 3:
        yield case("PA_BLK_BSND", (2, 20), factors=(0.5, 2))
        yield case("PA_BLK_NZ", (22,))
        yield case("BSND", (2, 3), factors=(1, 0.5))
        yield case("TND", (3,), heads=4)


def _first(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _prolog(1, rng)


def _second(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _prolog(2, rng)


def _third(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return _prolog(3, rng)


SUITES = (
    Suite("mla_prolog", ("bfloat16",), _first),
    Suite("mla_prolog_v2_weight_nz", ("bfloat16",), _second),
    Suite("mla_prolog_v3_weight_nz", ("bfloat16",), _third),
)
