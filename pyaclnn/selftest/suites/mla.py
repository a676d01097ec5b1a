"""What stands before attention to latent vectors, in float64 from its document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn import ops
from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import ends_older_versions, has_bfloat16, is_950, release
from pyaclnn.selftest.suites.caches import in_fractals
from pyaclnn.selftest.suites.mla_narrow import narrow_cases
from pyaclnn.selftest.suites.positions import drawn, rotated
from pyaclnn.selftest.suites.products_in_blocks import in_nz

_EPS = 1e-5
_LATENT, _TURNED, _BLOCK, _TILE = 512, 64, 16, 128
_NAMES = {1: "mla_prolog", 2: "mla_prolog_v2_weight_nz", 3: "mla_prolog_v3_weight_nz"}


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


#: What is of int8, by version: matrices (1: one, 2: all but weightUk), caches (1: as a whole, 2:
#: by channels, 3: by tiles), and whether scales of channels stand before the second matrix.
_BYTES = {
    1: ((1, 0, True), (1, 2, True)),
    2: ((1, 0, True), (1, 2, False), (2, 1, True)),
    3: (
        (1, 0, True),
        (1, 2, True),
        (2, 0, False),
        (2, 1, True),
        (1, 3, True),
        (2, 3, False),
    ),
}


def _in_tiles(latent: Array, key: Array) -> Array:
    """Return bytes: numbers, of which each tile's are cut at half of its largest, keys, scales."""
    tiles = latent.reshape(len(latent), -1, _TILE)
    most = np.abs(tiles).max(-1, keepdims=True) / 2
    numbers = np.rint(np.clip(tiles, -most, most) * 127 / most).astype(np.int8)
    stored = (
        numbers.reshape(latent.shape), key.astype(numpy_dtype("bfloat16")),
        (most[..., 0] / 127).astype(np.float32),
    )  # fmt: skip
    return np.concatenate([np.ascontiguousarray(x).view(np.int8) for x in stored], -1)


def _of_bytes(
    version: int, rng: np.random.Generator, weights: int, caches: int, smooth: bool
) -> Case:
    """Return a case of int8.

    Everything that is rounded on its way is an integer, or a part of one by a power of two: tokens
    choose a line of each first matrix, whose numbers are alike but for signs, and further matrices
    choose a number for each column, for one of each head the largest, 127.
    """
    heads, depth, rank, hidden, tokens = 2, 128, 1536, 1024, 3
    operator = ops[_NAMES[version]]
    factors = (0.5, 2.0) if version == 3 else (1.0, 1.0)

    def halves(x: Array) -> Array:
        return x.astype(numpy_dtype("bfloat16"))

    def signs(*shape: int) -> Array:
        return rng.choice((-1.0, 1.0), shape)

    def chosen(lines: int, columns: int, first: int) -> Array:
        """Return a matrix that takes a line of either sign for each column, `first` of all."""
        matrix = np.zeros((lines, columns))
        which = rng.integers(0, lines, columns)
        which[0] = first
        matrix[which, np.arange(columns)] = signs(columns)
        return matrix

    def fits(x: Array, narrow: bool) -> Array:
        return x.astype(np.int8) if narrow else halves(x)

    all_bytes = weights == 2
    lines = rng.choice(hidden, tokens, replace=False)
    x = np.zeros((tokens, hidden))
    x[np.arange(tokens), lines] = 1
    down, latent = signs(hidden, rank), signs(hidden, _LATENT + _TURNED)
    latent[:, _LATENT:] *= rng.integers(1, 8, (hidden, _TURNED))
    numbers = rng.integers(1, 127, rank)
    largest = int(rng.integers(rank))
    numbers[largest] = 127
    up = np.concatenate([chosen(rank, depth + _TURNED, largest) for _ in range(heads)], 1)
    absorb = np.stack([chosen(depth, _LATENT, 0) for _ in range(heads)])
    smoothing = rng.choice((0.5, 2.0), (1, rank)) if smooth else np.ones((1, rank))
    gammas = [numbers / smoothing[0], rng.integers(1, 100, _LATENT)]
    if caches == 3:
        gammas[1][::_TILE] = 127
    cos, sin = (rng.choice((0.5, 1.0), (tokens, _TURNED)) for _ in "cs")
    by_token = rng.choice((0.25, 0.5), (tokens, 1)) if all_bytes else np.ones((tokens, 1))
    by_column = np.repeat(rng.choice((0.25, 0.5), (1, heads)), depth + _TURNED, 1)

    signed = numbers * down[lines]
    query = (signed @ up * factors[0] * by_column).reshape(tokens, heads, -1)
    made = np.einsum("tnd,ndc->tnc", query[..., :depth], absorb)
    rope = _turned(query[..., depth:], cos[:, None], sin[:, None])
    rows = [
        latent[lines, :_LATENT] * gammas[1] * factors[1],
        _turned(latent[lines, _LATENT:] * by_token, cos, sin),
    ]  # fmt: skip
    named: dict[str, Any] = {}
    golden: dict[str, Array] = {"query_out": made, "query_rope_out": rope}
    # No odd number of tenths: no half.
    steps = [rng.choice((0.4, 0.8, 1.2), (1, n)).astype(np.float32) for n in (_LATENT, _TURNED)]
    if caches == 1:
        steps = [np.full((1,) if version == 3 else (1, _LATENT), 0.8, np.float32)]
        step = np.abs(made).max(-1, keepdims=True) / 127
        golden |= {
            "query_out": np.rint(made / step).astype(np.int8),  # of integers
            "query_rope_out": rope * 0.8 / step, "dequant_scale_q_nope_out_optional": step,
        }  # fmt: skip
    if caches == 3:
        steps = []
        named["k_nope_clip_alpha_optional"] = Operand(np.array([0.5], np.float32))
        rows = [_in_tiles(*rows), np.zeros((tokens, 0))]
    for name, row, by in zip(("ckv", "ckr"), range(2), steps[: 2 * (caches > 0)], strict=False):
        named[f"quant_scale_{name}_optional"] = Operand(by)
        rows[row] = np.clip(np.rint(rows[row] * by.astype(np.float64)), -128, 127)
    slots = rng.permutation(2 * _BLOCK)[:tokens]
    written: list[tuple[int, Array]] = []
    places = [parameter.name for parameter in operator.spec.inputs]
    for name, new, narrow in zip(
        ("kv_cache_ref", "kr_cache_ref"), rows, (caches > 0, caches == 2), strict=True
    ):
        old = rng.integers(-99, 99, (2 * _BLOCK, new.shape[-1])).astype(np.float64)
        shape = (2, _BLOCK, 1, new.shape[-1])
        named[name] = Operand(fits(old.reshape(shape), narrow))
        old[slots] = new
        whole = old.reshape(shape)
        written.append((places.index(name), whole.astype(np.int8) if narrow else whole))
    if all_bytes:
        named["dequant_scale_x_optional"] = Operand(by_token.astype(np.float32))
        for name, columns in (("w_dq", rank), ("w_dkv_kr", _LATENT + _TURNED)):
            ones = Operand(np.ones((1, columns), np.float32))
            named[f"dequant_scale_{name}_optional"] = ones
    if smooth:
        named["smooth_scales_cq_optional"] = Operand(smoothing.astype(np.float32))
    named |= {
        "token_x": Operand(fits(x, all_bytes)), "weight_dq": in_nz(fits(down, all_bytes)),
        "weight_uq_qr": in_nz(up.astype(np.int8)), "weight_uk": Operand(halves(absorb)),
        "weight_dkv_kr": in_nz(fits(latent, all_bytes)),
        "rmsnorm_gamma_cq": Operand(halves(gammas[0])),
        "rmsnorm_gamma_ckv": Operand(halves(gammas[1])), "rope_sin": Operand(halves(sin)),
        "rope_cos": Operand(halves(cos)),
        "dequant_scale_w_uq_qr_optional": Operand(by_column.astype(np.float32)),
        "cache_index": Operand(slots), "cache_index_optional": Operand(slots),
        "rmsnorm_epsilon_cq": 1e-12, "rmsnorm_epsilon_ckv": 1e-12,
        "cache_mode_optional": "PA_BSND", "weight_quant_mode": weights,
        "kv_cache_quant_mode": caches, "query_quant_mode": int(caches == 1),
        "ckvkr_repo_mode": int(caches == 3), "quant_scale_repo_mode": int(caches == 3),
        "tile_size": _TILE,
        "qc_qr_scale": factors[0], "kc_scale": factors[1],
    }  # fmt: skip
    inputs = tuple(named.get(name) for name in places)
    results = tuple(golden.get(output.name) for output in operator.spec.outputs)
    label = f"int8 {weights} {caches} {smooth}"
    return Case(label, inputs, results, written=tuple(written))


def _quantised(version: int, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16() or (version < 3 and ends_older_versions()):
        return
    if version == 3 and is_950() and release() < (9, 0):
        return
    for scenario in _BYTES[version]:
        yield _of_bytes(version, rng, *scenario)


def _first(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from (*_prolog(1, rng), *_quantised(1, rng))


def _second(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from (*_prolog(2, rng), *_quantised(2, rng))


def _third(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from (*_prolog(3, rng), *_quantised(3, rng), *narrow_cases(rng))


SUITES = (
    Suite("mla_prolog", ("bfloat16",), _first),
    Suite("mla_prolog_v2_weight_nz", ("bfloat16",), _second),
    Suite("mla_prolog_v3_weight_nz", ("bfloat16",), _third),
)
