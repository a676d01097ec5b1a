"""Blocks of rows, of columns or both that share a scale, and rectangles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, chip_family, is_950
from pyaclnn.selftest.formulas.narrow import LARGEST, narrowed

CODES = {"int8": 2, "float8_e5m2": 35, "float8_e4m3fn": 36, "float4_e2m1fn": 40}
_FLOAT8 = ("float8_e5m2", "float8_e4m3fn")
_EMAX = {"float8_e5m2": 15, "float8_e4m3fn": 8, "float4_e2m1fn": 2}
_FLOAT4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
_SHAPES = (
    ((32,), 0), ((3, 64), -1), ((5, 70), 1), ((64, 6), 0), ((2, 130, 4), -2), ((4, 2, 1100), -1)
)  # fmt: skip
_PLANES = ((2, 64), (70, 40), (3, 33, 130))

Cases = Callable[[str, np.random.Generator], Iterator[Case]]


def _drawn(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    values = rng.normal(0, 1, shape) * 2.0 ** rng.integers(-9, 9, shape)
    return np.asarray(values).astype(numpy_dtype(dtype))


def largest_of(x: Array, height: int, width: int) -> Array:
    """Return the largest magnitude of each tile of the last two axes."""
    rows, columns = -(-x.shape[-2] // height), -(-x.shape[-1] // width)
    filled = np.zeros((*x.shape[:-2], rows * height, columns * width))
    filled[..., : x.shape[-2], : x.shape[-1]] = np.abs(x.astype(np.float64))
    tiles = filled.reshape(*x.shape[:-2], rows, height, columns, width)
    return np.asarray(tiles.max((-3, -1)))


def spread(scales: Array, height: int, width: int, shape: tuple[int, ...]) -> Array:
    """Return the scale of each element."""
    wide = np.repeat(np.repeat(scales, height, -2), width, -1)
    return np.asarray(wide[..., : shape[-2], : shape[-1]])


def _exponents(size: Array, kind: str, algorithm: int = 0, most: float = 0) -> Array:
    """Return the exponent of each block, from the magnitude of its largest number."""
    if algorithm == 0:
        return np.asarray(np.floor(np.log2(size)) - _EMAX[kind])
    most = LARGEST[kind] if algorithm == 1 else most or 6
    if most in (6, 7):
        return np.asarray(np.ceil(np.log2(size / most)))
    least = size.astype(np.float32) * (np.float32(1) / np.float32(most))
    return np.asarray(np.ceil(np.log2(least.astype(np.float64))))


def nearest_float4(values: Array, mode: str) -> Array:
    """Return what each value is as float4_e2m1, rounded by a mode of CANN."""
    size = np.minimum(np.abs(values), 6)
    above = np.searchsorted(_FLOAT4, size)
    below = np.maximum(above - 1, 0)
    up, down = _FLOAT4[above] - size, size - _FLOAT4[below]
    outward = {
        "rint": (up < down) | ((up == down) & (below % 2 == 1)),
        "round": up <= down,
        "floor": values < 0,
    }[mode] | (up == 0)
    return np.asarray(np.copysign(np.where(outward, _FLOAT4[above], _FLOAT4[below]), values))


def _narrow(values: Array, kind: str, mode: str) -> Array:
    if kind == "float4_e2m1fn":
        return nearest_float4(values, mode).astype(numpy_dtype(kind))
    return np.clip(values, -LARGEST[kind], LARGEST[kind]).astype(numpy_dtype(kind))


def pairs(found: Array, axis: int) -> Array:
    """Return powers of two with an axis in pairs, which are behind all others."""
    last = np.moveaxis(found, axis, -1)
    scales = np.full((*last.shape[:-1], last.shape[-1] + last.shape[-1] % 2), 2.0**-127)
    scales[..., : last.shape[-1]] = 2.0**last
    wide = scales.reshape(*last.shape[:-1], -1, 2)
    return np.moveaxis(wide, -2, axis % found.ndim).astype(numpy_dtype("float8_e8m0fnu"))


def blocks(x: Array, kind: str, mode: str, tile: tuple[int, int], algorithm: int = 0,
            most: float = 0, rounds: bool = False) -> tuple[Array, Array]:  # fmt: skip
    """Return x in tiles of the last two axes, and the exponent of each."""
    size = largest_of(x, *tile)
    if rounds and x.dtype == np.float32:
        bits = size.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
        size = bits.view(np.float32).astype(np.float64)
    elif rounds:
        size = size.astype(numpy_dtype("bfloat16")).astype(np.float64)
    found = _exponents(size, kind, algorithm, most)
    wide = x.astype(np.float64) / 2.0 ** spread(found, *tile, x.shape)
    return _narrow(wide, kind, mode), found


#: Algorithm and largest number that a type has, of the first version and of the second.
_WAYS: dict[str, tuple[tuple[int, float], ...]] = {
    **dict.fromkeys(_FLOAT8, ((0, 0.0), (1, 0.0))),
    "float4_e2m1fn": ((0, 0.0), (2, 0.0), (2, 7.0), (2, 9.5)),
}


def ways(version: int) -> Iterator[tuple[str, int, float, str]]:
    """Yield narrow types with algorithm, largest number and rounding that a version has."""
    for kind, ways in _WAYS.items():
        for (algorithm, most), mode in product(ways, ("rint", "round", "floor")):
            if (version > 1 or most == 0) and (mode == "rint" or kind == "float4_e2m1fn"):
                yield kind, algorithm, most, mode


def _mx(version: int) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for (shape, axis), (kind, algorithm, most, mode), length in product(
            _SHAPES, ways(version), (32, 96)
        ):
            at = axis % len(shape)
            last = at == len(shape) - 1
            if kind == "float4_e2m1fn" and shape[-1] % 2:
                continue
            if length > 32 and (algorithm == 2 or dtype == "float32"):
                continue
            x = _drawn(shape, dtype, rng)
            # The other axes lie beside one another, before and behind.
            plane = x.reshape(int(np.prod(shape[:at])), shape[at], -1)
            if last:
                plane = plane.reshape(1, -1, shape[-1])
            y, found = blocks(plane, kind, mode, (1, length) if last else (length, 1), algorithm,
                               most, rounds=last and algorithm == 2 and most != 9.5)  # fmt: skip
            count = found.shape[2 if last else 1]
            found = found.reshape(*shape[:at], count, *shape[at + 1 :])
            more = ((), (most,), (most, 0.0))[version - 1]
            yield Case(
                f"{shape} axis {axis} {kind} {mode} way {algorithm} {most} of {length}",
                (Operand(x), axis, mode, CODES[kind], length, algorithm, *more),
                (y.reshape(shape), pairs(found, at)),
            )
        if version == 3 and dtype != "float32":
            x = _drawn((3, 64), dtype, rng)
            size = np.maximum(largest_of(x, 1, 32), 500)
            found = _exponents(size, "float8_e5m2", 1)
            wide = x.astype(np.float64) / 2.0 ** spread(found, 1, 32, x.shape)
            yield Case("clamped", (Operand(x), -1, "rint", 35, 32, 1, 0.0, 500.0),
                       (_narrow(wide, "float8_e5m2", "rint"), pairs(found, -1)))  # fmt: skip

    return cases


def _dual_axis(version: int) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for shape, (kind, algorithm, most, mode) in product(_PLANES, ways(version)):
            x = _drawn(shape, dtype, rng)
            y1, found1 = blocks(x, kind, mode, (1, 32), algorithm, most)
            y2, found2 = blocks(x, kind, mode, (32, 1), algorithm, most)
            yield Case(
                f"{shape} {kind} {mode} way {algorithm} {most}",
                (Operand(x), mode, CODES[kind], algorithm, *((most,) if version > 1 else ())),
                (y1, pairs(found1, -1), y2, pairs(found2, -2)),
            )

    return cases


def _squares(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape, (kind, algorithm, most, mode) in product(_PLANES, ways(2)):
        if algorithm == 1 or most == 9.5:
            continue
        x = _drawn(shape, dtype, rng)
        y, found = blocks(x, kind, mode, (32, 32), algorithm, most)
        rows = np.repeat(found, 32, -2)[..., : shape[-2], :]
        columns = np.repeat(found, 32, -1)[..., : shape[-1]]
        yield Case(f"{shape} {kind} {mode} way {algorithm} {most}",
                   (Operand(x), mode, CODES[kind], algorithm, most),
                   (y, pairs(rows, -1), pairs(columns, -2)))  # fmt: skip


def _dual_level(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape, mode, smooths in product(
        ((2, 64), (3, 1100), (2, 2, 514)), ("rint", "round", "floor"), (False, True)
    ):
        x = _drawn(shape, dtype, rng)
        smooth = rng.uniform(0.5, 2, shape[-1:]).astype(numpy_dtype(dtype))
        wide = x * smooth if smooths else x
        size = largest_of(wide, 1, 512).astype(np.float32) * (np.float32(1) / np.float32(6))
        inner = wide.astype(np.float32) / spread(size, 1, 512, shape)
        y, found = blocks(inner.astype(numpy_dtype(dtype)), "float4_e2m1fn", mode, (1, 32))
        yield Case(f"{shape} {mode} smooth {smooths}",
                   (Operand(x), Operand(smooth) if smooths else None, mode, 512, 32),
                   (y, size, pairs(found, -1)))  # fmt: skip


def _by_int8(x: Array, least: float) -> tuple[Array, Array]:
    """Return tiles of 128 as Atlas A2 has them: scale and factor are found apart."""
    one, most = np.float32(1), np.float32(127)
    size = largest_of(x, 1, 128).astype(np.float32)
    scale, factor = size * (one / most), one / size * most
    if least > 0:
        scale = np.minimum(scale, one / np.float32(least))
        factor = np.maximum(factor, np.float32(least))
    wide = x.astype(np.float32) * spread(factor, 1, 128, x.shape)
    return narrowed(wide, "int8"), scale


def _by_quotient(x: Array, kind: str, least: float, tile: tuple[int, int]) -> tuple[Array, Array]:
    scale = largest_of(x, *tile).astype(np.float32) / np.float32(LARGEST[kind])
    if least > 0:
        scale = np.minimum(scale, np.float32(1) / np.float32(least))
    return narrowed(x.astype(np.float32) / spread(scale, *tile, x.shape), kind), scale


def _rectangles(more: tuple[Any, ...]) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for shape, least in product(((3, 256), (130, 70), (2, 3, 300)), (0.0, 0.5)):
            x = _drawn(shape, dtype, rng)
            if chip_family() == "A2":
                inputs = (Operand(x), least, "rint", 2, 1, 128, *more)
                yield Case(f"{shape} least {least}", inputs, _by_int8(x, least))
            elif is_950():
                for tile, kind in product(((1, 64), (128, 192)), _FLOAT8):
                    yield Case(f"{shape} least {least} {kind} {tile}",
                               (Operand(x), least, "rint", CODES[kind], *tile, *more),
                               _by_quotient(x, kind, least, tile))  # fmt: skip

    return cases


#: Ends of groups of rows: of all sizes, and so that there are rows of scales for all blocks of 64
#: or 128 rows and no more, which can be compared.
_ENDS = ((0, 33, 33, 200, 264), (65, 130), (129, 258))


def _groups(x: Array, ends: tuple[int, ...]) -> Iterator[tuple[int, int, Array]]:
    """Yield the number, the start and the rows of each group."""
    for group, (start, end) in enumerate(zip((0, *ends[:-1]), ends, strict=True)):
        if end > start:
            yield group, start, x[..., start:end, :]


def _grouped_rectangles(more: tuple[Any, ...]) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for ends, before, height, kind in product(_ENDS, ((), (2,)), (1, 128), _FLOAT8):
            shape = (*before, ends[-1], 130)
            x = _drawn(shape, dtype, rng)
            y = np.zeros(shape, numpy_dtype(kind))
            rows_of_scales = shape[-2] // height + len(ends)
            scales = np.full((*before, rows_of_scales, 3), np.nan, np.float32)
            for group, start, rows in _groups(x, ends):
                part, found = _by_quotient(rows, kind, 0, (height, 64))
                y[..., start : start + rows.shape[-2], :] = part
                first = start // height + group
                scales[..., first : first + found.shape[-2], :] = found
            yield Case(f"{shape} {ends} {kind} {height}",
                       (Operand(x), Operand(np.array(ends, np.int32)), 0.0, "rint", CODES[kind],
                        height, 64, 0, *more),
                       (y, None if np.isnan(scales).any() else scales))  # fmt: skip

    return cases


def _grouped_columns(
    x: Array, ends: tuple[int, ...], kind: str, algorithm: int
) -> tuple[Array, Array | None]:
    """Return blocks of columns that begin anew with each group, and scales if all are written."""
    y = np.zeros(x.shape, numpy_dtype(kind))
    scales = np.full((ends[-1] // 64 + len(ends), x.shape[1], 2), np.nan)
    for group, start, rows in _groups(x, ends):
        part, found = blocks(rows, kind, "rint", (32, 1), algorithm)
        y[start : start + len(rows)] = part
        part_scales = pairs(found, 0).astype(np.float64)
        first = start // 64 + group
        scales[first : first + len(part_scales)] = part_scales
    return y, None if np.isnan(scales).any() else scales.astype(numpy_dtype("float8_e8m0fnu"))


def _grouped_mx(version: int) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for ends, kind, algorithm in product(_ENDS, _FLOAT8, (0, 1) if version > 1 else (0,)):
            x = _drawn((ends[-1], 70), dtype, rng)
            more = (algorithm, 0.0) if version > 1 else ()
            yield Case(f"{ends} {kind} way {algorithm}",
                       (Operand(x), Operand(np.array(ends, np.int32)), "rint", CODES[kind], 32,
                        *more),
                       _grouped_columns(x, ends, kind, algorithm))  # fmt: skip

    return cases


def _grouped_dual_axis(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for ends, kind, width in product(_ENDS, _FLOAT8, (64, 192)):
        x = _drawn((ends[-1], width), dtype, rng)
        y, found = blocks(x, kind, "rint", (1, 32), 1)
        yield Case(
            f"{ends} {kind} {width}",
            (Operand(x), Operand(np.array(ends)), "rint", 1, CODES[kind], 0.0),
            (y, pairs(found, -1), *_grouped_columns(x, ends, kind, 1)),
        )


def _quant_max(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape, kind in product(((7,), (3, 64), (2, 5, 40)), _FLOAT8):
        x, scale = _drawn(shape, dtype, rng), rng.uniform(0.5, 2, 1).astype(np.float32)
        yield Case(f"{shape} {kind}", (Operand(x), Operand(scale), "rint", CODES[kind]),
                   (narrowed(x.astype(np.float32) * scale, kind),
                    np.abs(x.astype(np.float64)).max(keepdims=True).reshape(1)))  # fmt: skip


def _grouped_quant_max(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape, kind in product(((9, 64), (9, 5, 8)), _FLOAT8):
        ends = np.array([2, 3, 9])
        group = np.searchsorted(ends, np.arange(9), side="right")
        x, scale = _drawn(shape, dtype, rng), rng.uniform(0.5, 2, 3).astype(np.float32)
        factors = scale[group].reshape(-1, *(1,) * (len(shape) - 1))
        parts = np.split(np.abs(x.astype(np.float64)), ends[:-1])
        yield Case(f"{shape} {kind}",
                   (Operand(x), Operand(scale), Operand(ends), "rint", CODES[kind]),
                   (narrowed(x.astype(np.float32) * factors, kind),
                    np.array([p.max() for p in parts])))  # fmt: skip


def _anti(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    code = {"float32": 0, "float16": 1, "bfloat16": 27}[dtype]
    for shape, kind in product(((32,), (3, 70), (2, 2, 96)), _WAYS):
        x = _narrow(rng.normal(0, 2, shape), kind, "rint")
        found = rng.integers(-5, 5, (*shape[:-1], -(-shape[-1] // 32)))
        wide = np.repeat(2.0**found, 32, -1)[..., : shape[-1]]
        yield Case(f"{shape} {kind}",
                   (Operand(x), Operand(pairs(found, -1)), -1, code),
                   ((x.astype(np.float64) * wide).astype(numpy_dtype(dtype)),))  # fmt: skip


def _to_squares(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape, kind in product(((64, 64), (3, 70, 100), (33, 2)), _FLOAT8):
        x = _narrow(rng.normal(0, 2, shape), dtype, "rint")
        length = -(-shape[-1] // 64) * 2
        found = rng.integers(-90, 90, (*shape[:-1], length)) // rng.integers(1, 20)
        bands = -(-shape[-2] // 32)
        filled = np.full((*shape[:-2], bands * 32, length), -127)
        filled[..., : shape[-2], :] = found
        common = filled.reshape(*shape[:-2], bands, 32, length).max(-2)
        common = common - {"float8_e5m2": 13, "float8_e4m3fn": 6}[kind]
        shift = (found - np.repeat(common, 32, -2)[..., : shape[-2], :]).astype(np.float64)
        wide = x.astype(np.float64) * 2.0 ** np.repeat(shift, 32, -1)[..., : shape[-1]]
        rows = np.repeat(common, 32, -2)[..., : shape[-2], :]
        columns = np.repeat(common, 32, -1)[..., : shape[-1]]
        yield Case(
            f"{shape} {kind}",
            (Operand(x), Operand(pairs(found, -1)), CODES[kind]),
            (wide.astype(numpy_dtype(kind)), pairs(rows, -1), pairs(columns, -2)),
        )


_HALVES = ("float16", "bfloat16")
_FLOATS = ("float32", *_HALVES)
SUITES = (
    Suite("dynamic_mx_quant", _HALVES, _mx(1), chip=NEWEST),
    Suite("dynamic_mx_quant_v2", _FLOATS, _mx(2), chip=NEWEST),
    Suite("dynamic_mx_quant_v3", _FLOATS, _mx(3), chip=NEWEST),
    Suite("dynamic_mx_quant_with_dual_axis", _HALVES, _dual_axis(1), chip=NEWEST),
    Suite("dynamic_mx_quant_with_dual_axis_v2", _HALVES, _dual_axis(2), chip=NEWEST),
    Suite("dynamic_block_mx_quant", _HALVES, _squares, chip=NEWEST),
    Suite("dynamic_dual_level_mx_quant", _HALVES, _dual_level, chip=NEWEST),
    Suite("dynamic_block_quant", _HALVES, _rectangles(())),
    Suite("dynamic_block_quant_v2", _HALVES, _rectangles((0.0,))),
    Suite("grouped_dynamic_block_quant", _HALVES, _grouped_rectangles(()), chip=NEWEST),
    Suite("grouped_dynamic_block_quant_v2", _HALVES, _grouped_rectangles((0.0,)), chip=NEWEST),
    Suite("grouped_dynamic_mx_quant", _HALVES, _grouped_mx(1), chip=NEWEST),
    Suite("grouped_dynamic_mx_quant_v2", _HALVES, _grouped_mx(2), chip=NEWEST),
    Suite("grouped_dynamic_mx_quant_with_dual_axis", _HALVES, _grouped_dual_axis, chip=NEWEST),
    Suite("quant_max", _FLOATS, _quant_max, chip=NEWEST),
    Suite("grouped_quant_max", _FLOATS, _grouped_quant_max, chip=NEWEST),
    Suite("mx_to_block_mx_quant", ("float4_e2m1fn",), _to_squares, chip=NEWEST),
    Suite("anti_mx_quant", _FLOATS, _anti, chip=NEWEST),
)
