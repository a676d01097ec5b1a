"""New keys and values on their way into caches: normalised, turned, quantised and placed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, is_950, is_a2_or_a3
from pyaclnn.selftest.formulas.narrow import narrowed
from pyaclnn.selftest.suites.positions import drawn, rotated

_HALVES = ("float16", "bfloat16")
_EPS = 1e-5


def _normal(x: Array, gamma: Array) -> Array:
    return np.asarray(x / np.sqrt((x**2).mean(-1, keepdims=True) + _EPS) * gamma)


def _turned(x: Array, cos: Array, sin: Array, mode: int) -> Array:
    own, other = rotated(x, mode)
    return np.asarray(own * cos + other * sin)


def in_fractals(cache: Array) -> Array:
    """Return [blocks, tokens, heads, depth] as it lies in fractals of 32 bytes, in this shape."""
    blocks, tokens, heads, depth = cache.shape
    lane = 32 // cache.dtype.itemsize
    parts = cache.reshape(blocks, tokens, heads, depth // lane, lane)
    return np.asarray(parts.transpose(0, 2, 3, 1, 4).reshape(cache.shape))


def _quantised(
    x: Array, scale: Array | None, offset: Array | None, dtype: str, kind: str = "int8"
) -> tuple[Array, np.dtype[Any]]:
    """Return values, and the dtype of the cache that takes them."""
    if scale is None:
        return x, numpy_dtype(dtype)
    wide = x * scale + (0 if offset is None else offset)
    return narrowed(wide, kind).astype(np.float64), numpy_dtype(kind)


def _scales(
    rng: np.random.Generator, rows: Array, shape: tuple[int, ...], offset: bool, kind: str
) -> list[Any]:
    """Return a scale and an offset with which no number lies between two of a narrow type."""
    while True:
        scale = rng.uniform(8, 16, shape).astype(np.float32)
        more = rng.uniform(-3, 3, shape).astype(np.float32) if offset else None
        wide = rows * scale[..., None, :] + (0 if more is None else more[..., None, :])
        margin = 1e-4 if kind == "int8" else 1e-5 * np.abs(wide)
        low, high = (narrowed(wide + sign * margin, kind) for sign in (-1, 1))
        if bool((low == high).all()):
            return [scale, more]


def _placed(rows: Array, cache: Array, index: Array, mode: str) -> Array:
    """Return the cache, [blocks or batch, tokens, heads, depth], with rows [b, s, n, d] in it."""
    result = cache.copy()
    batch, length = rows.shape[:2]
    block = cache.shape[1]
    for b in range(batch):
        for s in range(length):
            if mode == "Norm":
                at = b, index[b, s]
            elif "BLK" in mode:
                first = index[b * -(-length // block) + s // block]
                at = (first // block, s % block) if first >= 0 else (0, -1)
            else:
                slot = index[b * length + s]
                at = (slot // block, slot % block) if slot >= 0 else (0, -1)
            if at[1] >= 0:
                result[at] = rows[b, s]
    return np.asarray(result)


def _joint(dtype: str, rng: np.random.Generator, version: int) -> Iterator[Case]:
    if not has_bfloat16():
        return

    def case(
        mode: str, sizes: tuple[int, int], *, turned: int = 64, normed: int = 512, heads: int = 1,
        apart: bool = False, angles: int = 0, k_scale: bool = False, v_scale: bool = False,
        offset: bool = False, gives: bool = False, kind: str = "int8",
    ) -> Case:  # fmt: skip
        b, s = sizes
        quantised = k_scale or v_scale
        width = 192 if apart else turned + normed
        kv = drawn(rng, dtype, (b, heads, s, width), 0.5, 2)
        gamma = drawn(rng, dtype, (192 if apart else normed,), 0.5, 2)
        cos, sin = (
            drawn(rng, dtype, (b, 1, angles or s, turned), *bounds)
            for bounds in ((0.8, 1), (0.01, 0.1))
        )
        v = drawn(rng, dtype, (b, heads, s, 128), 0.5, 2) if apart else None
        wide = kv.astype(np.float64)
        c, n, g = cos.astype(np.float64), sin.astype(np.float64), gamma.astype(np.float64)
        if v is not None:
            normal = _normal(wide, g)
            keys = np.concatenate(
                (_turned(normal[..., :turned], c, n, 3), normal[..., turned:]), -1
            )
            values = v.astype(np.float64)
        else:
            values = _normal(wide[..., :normed], g)
            keys = _turned(wide[..., normed:], c, n, 3)
        scales: list[Any] = []
        for rows, wanted in ((keys, k_scale), (values, v_scale)):
            shape = (heads, rows.shape[-1]) if apart else (rows.shape[-1],)
            scales += _scales(rng, rows, shape, offset, kind) if wanted else [None, None]
        block = 32
        pages = -(-s // block)
        index: Array
        if mode == "Norm":
            index = np.stack([rng.permutation(s + 3)[:s] for _ in range(b)])
            index[0, 0] = -1
        elif "BLK" in mode:
            index = rng.permutation(b * pages + 1)[: b * pages] * block
        else:
            index = rng.permutation((b * pages + 1) * block)[: b * s]
            index[-1] = -1
        outs, caches = [], []
        for stored_rows, scale, more in ((keys, *scales[:2]), (values, *scales[2:])):
            # Joint keys and values of Atlas A2 and A3 have no offset.
            used = None if not apart and not is_950() else more
            stored, own = _quantised(stored_rows.transpose(0, 2, 1, 3), scale, used, dtype, kind)
            blocks = (b, s + 3) if mode == "Norm" else (b * pages + 1, block)
            old = rng.integers(-9, 9, (*blocks, *stored.shape[2:])).astype(own)
            new = _placed(stored, old.astype(np.float64), index, mode)
            if "NZ" in mode:
                old, new = in_fractals(old), in_fractals(new.astype(own)).astype(np.float64)
            if mode == "Norm":
                old, new = (np.ascontiguousarray(x.transpose(0, 2, 1, 3)) for x in (old, new))
            caches.append(old)
            outs.append(new)
        written = gives and (mode != "Norm" or (apart and quantised))
        label = (
            f"{mode} {sizes} {heads} {apart} {angles} {k_scale} {v_scale} {offset} {gives} {kind}"
        )
        inputs = (
            *(Operand(x) for x in (kv, gamma, cos, sin, index, *caches)),
            *(None if scales[i] is None else Operand(scales[i]) for i in (0, 2, 1, 3)),
            *((None if v is None else Operand(v),) if version == 2 else ()), _EPS, mode, written,
        )  # fmt: skip
        rows_out = (keys, values) if written else (None, None)
        return Case(label, inputs, rows_out, written=tuple(enumerate(outs, 5)))

    modes = ("Norm", "PA", "PA_BNSD", "PA_NZ", "PA_BLK_BNSD", "PA_BLK_NZ")
    for mode in modes:
        yield case(mode, (2, 3))
        yield case(mode, (1, 40), gives=True)
        if mode != "Norm" or is_950():
            yield case(mode, (2, 3), k_scale=True, v_scale=True)
            yield case(mode, (2, 3), k_scale=True, gives=True)
            yield case(mode, (2, 3), v_scale=True, offset=is_950())
        for kind in ("float8_e4m3fn", "float8_e5m2") if is_950() else ():
            yield case(mode, (2, 3), k_scale=True, v_scale=True, kind=kind)
            yield case(mode, (2, 3), v_scale=True, offset=True, kind=kind)
        if version == 2 and is_a2_or_a3():
            for heads in (1, 4):
                yield case(mode, (2, 3), heads=heads, normed=192, apart=True)
                yield case(mode, (2, 3), heads=heads, normed=192, apart=True, k_scale=True,
                           v_scale=True, offset=True, gives=True)  # fmt: skip
    yield case("Norm", (2, 3), angles=1)
    yield case("PA", (2, 3), angles=1)
    if is_950():
        yield case("Norm", (2, 3), turned=6, normed=10)


def _joint_1(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _joint(dtype, rng, 1)


def _joint_2(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _joint(dtype, rng, 2)


def _fused(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    depth, block, blocks = 128, 32, 3
    for (b, s), (q_heads, heads), scaled, offset in (
        ((2, 3), (4, 2), (False, False), False), ((1, 5), (3, 1), (True, True), True),
        ((2, 3), (2, 2), (True, False), False), ((2, 7), (1, 1), (False, True), True),
    ):  # fmt: skip
        tokens, all_heads = b * s, q_heads + 2 * heads
        qkv = drawn(rng, dtype, (tokens, all_heads * depth), 0.5, 2)
        gammas = [drawn(rng, dtype, (depth,), 0.5, 2) for _ in range(2)]
        cos, sin = (
            drawn(rng, dtype, (tokens, depth), *bounds) for bounds in ((0.8, 1), (0.01, 0.1))
        )
        index = rng.permutation(blocks * block)[:tokens]
        index[0] = -1
        wide = qkv.astype(np.float64).reshape(tokens, all_heads, depth)
        q, k, v = np.split(wide, (q_heads, q_heads + heads), 1)
        c, n = (x.astype(np.float64)[:, None] for x in (cos, sin))
        q, k = (
            _turned(_normal(x, g.astype(np.float64)), c, n, 0)
            for x, g in zip((q, k), gammas, strict=True)
        )
        scales: list[Any] = []
        caches, outs = [], []
        for rows, has_scale in ((k, scaled[0]), (v, scaled[1])):
            scale = rng.uniform(0.05, 0.1, (heads, depth)).astype(np.float32) if has_scale else None
            more = (
                rng.uniform(-3, 3, (heads, depth)).astype(np.float32)
                if has_scale and offset
                else None
            )
            scales += [scale, more]
            factor = None if scale is None else 1 / scale.astype(np.float64)
            stored, kind = _quantised(rows, factor, more, dtype)
            old = rng.integers(-9, 9, (blocks, block, heads, depth)).astype(kind)
            new = _placed(stored[None], old.astype(np.float64), index, "PA_NZ")
            lane = 32 // kind.itemsize
            shape = (blocks, heads * depth // lane, block, lane)
            caches.append(in_fractals(old).reshape(shape))
            outs.append(in_fractals(new.astype(kind)).astype(np.float64).reshape(shape))
        inputs = (
            *(Operand(x) for x in (qkv, *gammas, cos, sin, index)),
            Operand(np.zeros((tokens, q_heads * depth), numpy_dtype(dtype))),
            *(Operand(x) for x in caches),
            *(None if scales[i] is None else Operand(scales[i]) for i in (0, 2, 1, 3)),
            (b, s, all_heads, depth), (q_heads, heads, heads), _EPS, "PA_NZ",
        )  # fmt: skip
        before = tuple(x.reshape(tokens, -1) for x in (q, k, v))
        yield Case(
            f"{(b, s)} {(q_heads, heads)} {scaled} {offset}", inputs,
            before, written=tuple(enumerate((q.reshape(tokens, -1), *outs), 6)),
        )  # fmt: skip


SUITES = (
    Suite("kv_rms_norm_rope_cache", _HALVES, _joint_1),
    Suite("kv_rms_norm_rope_cache_v2", _HALVES, _joint_2),
    Suite("qkv_rms_norm_rope_cache", _HALVES, _fused),
)
