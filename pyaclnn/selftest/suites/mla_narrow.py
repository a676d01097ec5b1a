"""MlaPrologV3WeightNz of floats of 8 bits: in float32, operation by operation as its kernels are.

Tokens choose a line of each first matrix, whose magnitudes are alike, and further matrices choose a
number for each column: all sums are exact, and what is rounded on its way is to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyaclnn import ops
from pyaclnn.selftest.cases import Array, Case, Operand, numpy_dtype
from pyaclnn.selftest.chips import is_950, release
from pyaclnn.selftest.formulas.narrow import hifloat8_values, narrowed
from pyaclnn.selftest.suites.caches import in_fractals
from pyaclnn.selftest.suites.positions import rotated
from pyaclnn.selftest.suites.products_in_blocks import in_nz

BLOCKS, FLOATS, HIFLOATS = 3, 4, 5
WHOLE, TILES = 1, 3  # caches with one scale, and with one for each tile
TOKENS, HEADS, DEPTH, RANK, HIDDEN = 3, 2, 128, 1536, 1024
LATENT, TURNED, PAGE, BLOCK, TILE = 512, 64, 16, 32, 128

#: Of queries and keys. Powers of two times it lie between two numbers of bfloat16, of which the one
#: above alone is nearer to the next float8_e4m3fn.
FACTOR = np.float32(273 / 256)


def float8(values: Array) -> Array:
    """Return the nearest float8_e4m3fn, ties to even."""
    return narrowed(values, "float8_e4m3fn").astype(np.float32)


def hifloat8(values: Array) -> Array:
    """Return the nearest hifloat8, ties away from zero."""
    known = hifloat8_values()[:128]
    finite = np.sort(known[np.isfinite(known)])
    sizes = np.abs(values.astype(np.float64))
    middles = (finite[1:] + finite[:-1]) / 2
    nearest = finite[np.searchsorted(middles, sizes, side="right")]
    return np.asarray(np.copysign(nearest, values), np.float32)


def _half(values: Array) -> Array:
    return np.asarray(values.astype(np.float32).astype(numpy_dtype("bfloat16")), np.float32)


def _half_away(values: Array) -> Array:
    """Return the nearest bfloat16, ties away from zero."""
    bits = values.astype(np.float32).view(np.uint32) + np.uint32(0x8000)
    return np.asarray((bits & np.uint32(0xFFFF0000)).view(np.float32))


@dataclass(frozen=True)
class Drawn:
    """A call and its results, in float32.

    Attributes
    ----------
    given : dict
        Values by the names of parameters.
    scales : dict
        The same of those that products are multiplied with.
    made : dict
        Results by the names of outputs.
    rows : dict
        Rows of caches by their names, bytes of one in tiles.
    slots : ndarray
        The place of each row in its cache.
    """

    given: dict[str, Array]
    scales: dict[str, Array]
    made: dict[str, Array]
    rows: dict[str, Array]
    slots: Array


class _Numbers:
    """How values become floats of 8 bits."""

    def __init__(self, weights: int) -> None:
        self.in_blocks = weights == BLOCKS
        self.nearest: Callable[[Array], Array] = hifloat8 if weights == HIFLOATS else float8
        self._inverse = np.float32(1) / np.float32(32768 if weights == HIFLOATS else 448)

    def by_largest(self, rows: Array, least: float = 0) -> tuple[Array, Array]:
        """Return numbers, and what one stands for in each row."""
        most = np.abs(rows).max(-1, keepdims=True)
        step = np.maximum(most, np.float32(least)) * self._inverse
        return self.nearest(rows / step), step

    def of_rows(self, rows: Array) -> tuple[Array, Array]:
        """Return numbers, and what one stands for in each row or in each of its blocks."""
        if not self.in_blocks:
            return self.by_largest(rows)
        blocks = _half_away(rows).reshape(len(rows), -1, BLOCK)
        steps = (2.0 ** (np.floor(np.log2(np.abs(blocks).max(-1))) - 8)).astype(np.float32)
        return self.nearest(blocks / steps[..., None]).reshape(rows.shape), steps


def _turned(x: Array, cos: Array, sin: Array) -> Array:
    own, other = rotated(x, 3)
    return _half(own * cos.astype(np.float32) + other * sin.astype(np.float32))


def _in_tiles(numbers: Array, keys: Array, steps: Array) -> Array:
    """Return bytes: numbers, which are codes of 8 bits, keys of bfloat16 and scales."""
    stored = numbers, keys.astype(numpy_dtype("bfloat16")), steps.astype(np.float32)
    return np.concatenate([np.ascontiguousarray(x).view(np.uint8) for x in stored], -1)


def codes(values: Array, weights: int) -> Array:
    """Return the bytes that floats of 8 bits are."""
    if weights != HIFLOATS:
        return values.astype(numpy_dtype("float8_e4m3fn")).view(np.uint8)
    known = np.nan_to_num(hifloat8_values(), nan=np.inf)
    order = np.argsort(known)
    found = order[np.searchsorted(known[order], values.astype(np.float64))]
    assert np.array_equal(known[found], values)
    return np.where(values == 0, 0, found).astype(np.uint8)


def drawn_call(weights: int, caches: int, seed: int = 7) -> Drawn:
    """Draw a call by its modes.

    Parameters
    ----------
    weights : int
        `BLOCKS`, `FLOATS` or `HIFLOATS`.
    caches : int
        0, `WHOLE` or `TILES`.
    seed : int
        Of what is drawn.
    """
    rng = np.random.default_rng(seed)
    how = _Numbers(weights)
    in_blocks, joint = how.in_blocks, HEADS * (DEPTH + TURNED)
    given: dict[str, Array] = {}
    scales: dict[str, Array] = {}

    def signs(*shape: int) -> Array:
        return rng.choice((-1.0, 1.0), shape)

    def powers(*shape: int) -> Array:
        return np.asarray(2.0 ** rng.integers(-3, 4, shape))

    def keep(name: str, matrix: Array, of_columns: Array | None = None) -> None:
        """Keep a matrix without what its scales multiply, but for given ones of columns."""
        depth, columns = matrix.shape
        if in_blocks:
            scale = powers(columns, depth // BLOCK)
            matrix = matrix / np.repeat(scale.T, BLOCK, 0)
        elif of_columns is None:
            scale = powers(1, columns)
            matrix = matrix / scale
        else:
            scale = of_columns
        given[f"weight_{name}"] = matrix
        scales[f"dequant_scale_w_{name}_optional"] = scale

    lines, power = rng.choice(HIDDEN, TOKENS, replace=False), powers(TOKENS)
    given["token_x"] = np.zeros((TOKENS, HIDDEN))
    given["token_x"][np.arange(TOKENS), lines] = 1 / power
    of_x = powers(TOKENS, HIDDEN // BLOCK) if in_blocks else power[:, None].copy()
    of_x[np.arange(TOKENS), lines // BLOCK if in_blocks else 0] = power
    scales["dequant_scale_x_optional"] = of_x
    down, latent = signs(HIDDEN, RANK), signs(HIDDEN, LATENT + TURNED)
    latent[:, LATENT:] *= rng.integers(1, 8, (HIDDEN, TURNED))
    of_keys = np.ones((1, LATENT + TURNED), np.float32)
    of_keys[:, LATENT:] = rng.uniform(0.5, 1, TURNED)
    numbers, places = (
        signs(joint) * rng.choice((1.0, 1.5, 3.5), joint),
        rng.integers(0, RANK, joint),
    )
    up = np.zeros((RANK, joint))
    up[places, np.arange(joint)] = numbers
    of_queries = rng.uniform(0.5, 1, (1, joint)).astype(np.float32)
    keep("dq", down)
    keep("dkv_kr", latent, of_keys)
    keep("uq_qr", up, of_queries)
    which, sign = rng.integers(0, DEPTH, (HEADS, LATENT)), signs(HEADS, LATENT)
    absorb = np.zeros((HEADS, DEPTH, LATENT))
    for head in range(HEADS):
        absorb[head, which[head], np.arange(LATENT)] = sign[head]
    gammas = []
    for width in (RANK, LATENT):
        gamma = rng.uniform(0.1, 8, width) * np.repeat(powers(width // BLOCK), BLOCK)
        gamma[::7] = powers(len(gamma[::7]))
        gammas.append(_half(gamma))
    cos, sin = (rng.choice((-1.0, -0.5, 0.5, 1.0), (TOKENS, TURNED)) for _ in "cs")
    given |= {
        "weight_uk": absorb, "rmsnorm_gamma_cq": gammas[0], "rmsnorm_gamma_ckv": gammas[1],
        "rope_sin": sin, "rope_cos": cos,
    }  # fmt: skip

    normal = (down[lines] * gammas[0]).astype(np.float32) * FACTOR
    if not in_blocks:
        smooth = rng.uniform(0.5, 2, (1, RANK)).astype(np.float32)
        given["smooth_scales_cq_optional"] = smooth
        normal = normal * smooth
    small, step = how.of_rows(normal)
    query = small[:, places] * numbers.astype(np.float32)
    query = query * (step[:, places // BLOCK] if in_blocks else of_queries)
    query = (query if in_blocks else query * step).reshape(TOKENS, HEADS, -1)
    heads = _half(query[..., :DEPTH])
    made = np.stack([heads[:, n, which[n]] * sign[n].astype(np.float32) for n in range(HEADS)], 1)
    rope = _turned(query[..., DEPTH:], cos[:, None], sin[:, None])
    rows = (latent[lines, :LATENT] * gammas[1]).astype(np.float32) * FACTOR
    key = latent[lines, LATENT:].astype(np.float32)
    key = _turned(key if in_blocks else key * of_keys[:, LATENT:], cos, sin)
    results = {"query_norm_out_optional": small, "dequant_scale_q_norm_out_optional": step}
    if caches == WHOLE:
        by = np.float32(rng.uniform(5, 60))
        given["quant_scale_ckv_optional"] = np.array([by])
        made, by_query = how.by_largest(made)
        rope = _half(rope * (by / by_query))
        rows = how.nearest(rows * by)
        results["dequant_scale_q_nope_out_optional"] = by_query
    elif caches == TILES:
        tiles, steps = how.by_largest(rows.reshape(TOKENS, -1, TILE), 1e-4)
        rows = _in_tiles(codes(tiles.reshape(rows.shape), weights), key, steps[..., 0])
    else:
        rows = _half(rows)
    results |= {"query_out": made, "query_rope_out": rope}
    caches_made = {"kv_cache_ref": rows} | ({} if caches == TILES else {"kr_cache_ref": key})
    return Drawn(given, scales, results, caches_made, rng.permutation(2 * PAGE)[:TOKENS])


def modes(weights: int, caches: int, mode: str = "PA_BSND") -> dict[str, Any]:
    """Return the attributes of a call."""
    return {
        "rmsnorm_epsilon_cq": 1e-12, "rmsnorm_epsilon_ckv": 1e-12, "cache_mode_optional": mode,
        "weight_quant_mode": weights, "kv_cache_quant_mode": caches,
        "query_quant_mode": int(caches == WHOLE), "ckvkr_repo_mode": int(caches == TILES),
        "quant_scale_repo_mode": int(caches == TILES), "tile_size": TILE,
        "qc_qr_scale": float(FACTOR), "kc_scale": float(FACTOR),
    }  # fmt: skip


def _comparable(weights: int, caches: int, rng: np.random.Generator) -> Drawn:
    """Draw a call whose keys and scales are numbers, too, as float8_e4m3fn."""
    while True:
        drawn = drawn_call(weights, caches, int(rng.integers(1 << 30)))
        if caches != TILES or not (drawn.rows["kv_cache_ref"] & 0x7F == 0x7F).any():
            return drawn


def _case(weights: int, caches: int, mode: str, rng: np.random.Generator) -> Case:
    drawn = _comparable(weights, caches, rng)
    operator = ops["mla_prolog_v3_weight_nz"]
    narrow, half = numpy_dtype("float8_e4m3fn"), numpy_dtype("bfloat16")
    of_scales = numpy_dtype("float8_e8m0fnu") if weights == BLOCKS else np.dtype(np.float32)
    named: dict[str, Any] = {
        **modes(weights, caches, mode),
        "cache_index_optional": Operand(drawn.slots) if mode.startswith("PA") else None,
        **{name: Operand(scale.astype(of_scales)) for name, scale in drawn.scales.items()},
    }
    slots = drawn.slots if mode.startswith("PA") else np.arange(TOKENS)
    for name, values in drawn.given.items():
        if name in ("token_x", "weight_dq", "weight_uq_qr", "weight_dkv_kr"):
            stored = values.astype(narrow)
            named[name] = Operand(stored) if name == "token_x" else in_nz(stored)
        else:
            kind = np.dtype(np.float32) if "scale" in name else half
            named[name] = Operand(values.astype(kind))
    names = [parameter.name for parameter in operator.spec.inputs]
    named["kr_cache_ref"] = Operand(np.zeros((2, PAGE, 1, 0), half))
    written = []
    for name, rows in drawn.rows.items():
        kind = narrow if name == "kv_cache_ref" and caches else half
        new = rows.view(narrow) if rows.dtype == np.uint8 else rows.astype(kind)
        room = 2 * PAGE if mode.startswith("PA") else TOKENS
        old = rng.integers(-9, 10, (room, new.shape[-1])).astype(kind)
        whole = old.copy()
        whole[slots] = new
        lies = (2, PAGE, 1, -1) if mode.startswith("PA") else (TOKENS, 1, -1)
        before, after = (a.reshape(lies) for a in (old, whole))
        if mode == "PA_NZ":
            before, after = in_fractals(before), in_fractals(after)
        named[name] = Operand(before)
        written.append((names.index(name), after))
    kinds = {
        "query_out": narrow if caches == WHOLE else half, "query_rope_out": half,
        "dequant_scale_q_nope_out_optional": np.dtype(np.float32),
        "query_norm_out_optional": narrow, "dequant_scale_q_norm_out_optional": of_scales,
    }  # fmt: skip
    outputs = [output.name for output in operator.spec.outputs]
    golden = tuple(
        drawn.made[name].astype(kinds[name]) if name in drawn.made else False for name in outputs
    )
    return Case(
        f"floats {weights} {caches} {mode}", tuple(named.get(name) for name in names), golden,
        out_dtypes=tuple(kinds[name].name for name in outputs), written=tuple(written),
    )  # fmt: skip


def narrow_cases(rng: np.random.Generator) -> Iterator[Case]:
    """Yield those that the 950 has; it had blocks before all others."""
    if not is_950():
        return
    for weights in (BLOCKS, FLOATS) if release() >= (9, 0) else (BLOCKS,):
        for caches, mode in ((0, "PA_BSND"), (WHOLE, "PA_NZ"), (TILES, "PA_BSND"), (WHOLE, "TND")):
            yield _case(weights, caches, mode, rng)
