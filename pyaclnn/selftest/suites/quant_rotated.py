"""Rows that are multiplied by small matrices, or scattered, and quantised."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, chip_family
from pyaclnn.selftest.formulas.narrow import in_words, narrowed, symmetric
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.quant_blocks import blocks, pairs, ways
from pyaclnn.selftest.suites.quant_fused import _HALVES, Cases, _drawn


def _whole(shape: tuple[int, ...], dtype: str, rng: np.random.Generator, most: int = 2) -> Array:
    """Return small whole numbers, whose products and sums every float holds."""
    return rng.integers(-most, most + 1, shape).astype(numpy_dtype(dtype))


def _flat(version: int) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() not in ("A2", "950"):
            return
        for shape, kind, clip in product(
            ((3, 4, 8), (2, 16, 32), (1, 5, 24)), ("int32", "int4"), (1.0, 0.75)
        ):
            x = _whole(shape, dtype, rng)
            left, right = (_whole((n, n), dtype, rng, 1) for n in shape[1:])
            both = left.astype(np.float32) @ (x.astype(np.float32) @ right.astype(np.float32))
            rows = both.reshape(shape[0], -1)
            size = np.abs(rows).max(-1, keepdims=True)
            factor = np.float32(7) / np.float32(clip) / size
            scaled = (rows * factor).astype(np.float16).astype(np.float32)
            y = narrowed(scaled, "int4").reshape(shape)
            more: tuple[object, ...] = () if version == 1 else (0.0,)
            groups: tuple[object, ...] = (None,) if version == 3 else ()
            yield Case(
                f"{shape} {kind} clip {clip}",
                (Operand(x), Operand(left), Operand(right), *groups, clip, *more,
                 *((0,) if version == 3 else ())),
                (in_words(y) if kind == "int32" else y, size[:, 0] * np.float32(clip) / 7),
                out_dtypes=(kind, "float32"),
            )  # fmt: skip

    return cases


def _rotate(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "950":
        yield from _rotate_to_blocks(dtype, rng)
    if chip_family() != "A2":
        return
    for (rows, width, size), kind in product(
        ((3, 128, 16), (1, 256, 64), (7, 384, 128)), ("int8", "int32")
    ):
        x, rotation = _whole((rows, width), dtype, rng), _whole((size, size), dtype, rng, 1)
        parts = x.astype(np.float32).reshape(-1, size) @ rotation.astype(np.float32)
        turned = parts.astype(numpy_dtype(dtype)).astype(np.float32).reshape(rows, width)
        y, scale = symmetric(turned, "int4" if kind == "int32" else kind, multiplies=True)
        yield Case(
            f"{rows} {width} {size} {kind}",
            (Operand(x), Operand(rotation), None, -1, None, 0, 0.0, False),
            (in_words(y) if kind == "int32" else y, scale), out_dtypes=(kind, "float32"),
        )  # fmt: skip


def _rotate_to_blocks(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for (shape, size, apart), (kind, algorithm, most, mode), alpha in product(
        (((3, 96), 32, False), ((2, 3, 128), 64, True), ((256,), 128, True)), ways(2),
        (None, 0.75, 0.0),
    ):  # fmt: skip
        if algorithm == 2 and most == 0:
            continue
        parts = shape[-1] // size
        x = _whole(shape, dtype, rng)
        rotation = _whole((parts, size, size) if apart else (size, size), dtype, rng, 1)
        wide = x.astype(np.float64).reshape(-1, parts, 1, size) @ rotation.astype(np.float64)
        turned: Array = wide.reshape(-1, shape[-1]).astype(numpy_dtype("bfloat16"))
        if alpha == 0.75:
            tiles = turned.astype(np.float32).reshape(len(turned), -1, 32)
            limit = (np.abs(tiles).max(-1, keepdims=True) * np.float32(alpha)).astype(turned.dtype)
            limit = limit.astype(np.float32)
            turned = np.clip(tiles, -limit, limit).reshape(turned.shape).astype(turned.dtype)
        y, found = blocks(turned, kind, mode, (1, 32), algorithm, most)
        given = None if alpha is None else Operand(np.array([alpha], numpy_dtype("bfloat16")))
        yield Case(
            f"{shape} {size} apart {apart} {kind} {mode} way {algorithm} {most} alpha {alpha}",
            (Operand(x), Operand(rotation), given, -1, mode, algorithm, most, False),
            (y.reshape(shape), pairs(found.reshape(*shape[:-1], -1), -1)),
            out_dtypes=(kind, "float8_e8m0fnu"),
        )  # fmt: skip


def _scatter(second: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() == "910" or (dtype == "bfloat16" and chip_family() == "310P"):
            return
        kinds = ("int8", "float8_e4m3fn", "float8_e5m2") if second else ("int8",)
        for kind, by_batch, with_zeros in product(kinds, (0, 1) if second else (0,), (True, False)):
            shape, length = (4, 3, 8, 32), 2
            there = narrowed(_whole(shape, "float32", rng, 9), kind)
            updates = _drawn((2, 3, length, 32), dtype, rng)
            by = "float32" if dtype == "float16" else "bfloat16"
            scale = _drawn((32,), by, rng, 0.05)
            zeros = rng.integers(-5, 6, 32).astype("int32" if by == "float32" else numpy_dtype(by))
            wide = updates.astype(np.float32) / scale.astype(np.float32)
            wide = wide + zeros.astype(np.float32) if with_zeros else wide
            begins, batches = rng.integers(0, 6, 2), np.array([3, 1]) if by_batch else np.arange(2)
            golden = there.copy()
            for batch, begin, block in zip(batches, begins, narrowed(wide, kind), strict=True):
                golden[batch, :, begin : begin + length] = block
            index = np.stack((batches, begins), 1) if by_batch else begins.astype(np.int32)
            yield Case(
                f"{kind} pairs {by_batch} zeros {with_zeros}",
                (Operand(there), Operand(index), Operand(updates), Operand(scale),
                 Operand(zeros) if with_zeros else None, -2, -1, 1,
                 *(("rint",) if second else ())),
                (golden,),
            )  # fmt: skip

    return cases


def _turned(x: Array, cos: Array, sin: Array, *, halves: bool) -> Array:
    """Return heads turned by halves; float16 is rounded to after every operation."""

    def kept(values: Array) -> Array:
        return values.astype(np.float16).astype(np.float32) if halves else values

    first, second = np.split(x, 2, -1)
    other = np.concatenate([-second, first], -1)
    return kept(kept(x * cos) + kept(other * sin))


def _rope_cache(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    for number, (shape, mode, kind) in enumerate(
        product(((3, 2), (4,)), ("contiguous", "Page"), _HALVES)
    ):
        if dtype not in ("int32", kind):
            continue
        whole, halves = dtype == "int32", kind == "float16"
        depth, heads, kept = 16, 2, 1 + (number % 2)
        splits = [heads * depth, kept * depth, kept * depth]
        width = sum(splits) if sum(splits) % 64 == 0 else 128
        splits[0] += width - sum(splits)
        x = rng.integers(-99, 99, (*shape, width)) if whole else rng.normal(0, 1, (*shape, width))
        x = x.astype(numpy_dtype(dtype))
        angle = rng.uniform(-3, 3, (*shape, *(1,) * (len(shape) - 1), depth))
        cos, sin = (f(angle).astype(numpy_dtype(kind)) for f in (np.cos, np.sin))
        weight, rows = _drawn((width,), "float32", rng, 0.01), _drawn(shape, "float32", rng, 0.1)
        bias = rng.integers(-9, 9, width).astype(np.int32 if number % 2 else numpy_dtype(kind))
        scales, offsets = (
            [_drawn((kept, depth), "float32", rng, 0.02) for _ in range(2)] for _ in range(2)
        )
        wide = x.astype(np.float32)
        if whole:
            added = bias.astype(np.float32)
            wide = wide + added if number % 2 else wide
            wide = wide * weight * rows[..., None]
            wide = wide if number % 2 else wide + added
        q, k, v = np.split(wide, np.cumsum(splits)[:2], -1)
        if halves and whole:
            q, k = (n.astype(np.float16).astype(np.float32) for n in (q, k))
        q, k, v = (n.reshape(*shape, -1, depth) for n in (q, k, v))
        angles = [n.astype(np.float32).reshape(*shape, 1, depth) for n in (cos, sin)]
        q, k = (_turned(n, *angles, halves=halves) for n in (q, k))
        cached = [rng.integers(-9, 9, (5, 6, kept, depth)).astype(np.int8) for _ in range(2)]
        caches = [c.copy() for c in cached]
        places = rng.permutation(30 if mode == "Page" else 4)
        places = places[: int(np.prod(shape)) if mode == "Page" else shape[0]].astype(np.int32)
        for cache, values, scale, offset in zip(caches, (k, v), scales, offsets, strict=True):
            numbers = narrowed(values / scale + offset, "int8")
            if mode == "Page":
                cache.reshape(30, kept, depth)[places] = numbers.reshape(-1, kept, depth)
                continue
            for b, place in enumerate(places):
                part = numbers[b].reshape(-1, kept, depth)
                cache[b, place : place + len(part)] = part
        given = number % 3 > 0
        extra = (Operand(weight), Operand(rows.ravel()), Operand(bias)) if whole else (None,) * 3
        yield Case(
            f"{shape} {mode} {kind}",
            (Operand(x, LAYOUTS[number % len(LAYOUTS)]),
             *map(Operand, (cos, sin, *cached, places, *scales, *offsets)), *extra, splits,
             "static", "BSND", given, mode),
            (q, *((k, v) if given else (None, None))),
            written=((3, caches[0]), (4, caches[1])),
        )  # fmt: skip


SUITES = (
    *(Suite(f"flat_quant{v}", _HALVES, _flat(n)) for n, v in enumerate(("", "_v2", "_v3"), 1)),
    Suite("rotate_quant", _HALVES, _rotate),
    Suite("dequant_rope_quant_kvcache", ("int32", *_HALVES), _rope_cache),
    Suite("inplace_quant_scatter", _HALVES, _scatter(second=False)),
    Suite("inplace_quant_scatter_v2", _HALVES, _scatter(second=True), chip=NEWEST),
)
