"""Normalised rows that are quantised: layers with sums and modulation, and root mean squares."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, chip_family
from pyaclnn.selftest.formulas.narrow import in_words, narrowed, symmetric
from pyaclnn.selftest.suites.quant_fused import _EPS, _HALVES, Cases, _drawn, _normalised

_SHAPES = ((3, 64), (2, 5, 40), (200, 136))
_ONE = np.float32(1)


def _layer(row: Array) -> Array:
    """Return float32 rows less their mean over their deviation."""
    row = row - row.astype(np.float64).mean(-1, keepdims=True).astype(np.float32)
    mean = np.square(row.astype(np.float64)).mean(-1, keepdims=True).astype(np.float32)
    return np.asarray(row * (_ONE / np.sqrt(mean + np.float32(_EPS))))


def _add_layer(second: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        kinds = ("float32", dtype) if dtype != "float32" else ("float32",)
        for number, (shape, mode, kind) in enumerate(
            product(_SHAPES, ("static", "divides", "dynamic"), kinds)
        ):
            if mode == "dynamic" and (dtype == "float32" or kind != dtype):
                continue
            width = shape[-1:]
            x1, x2, gamma, beta = (_drawn(s, dtype, rng) for s in (shape, shape, width, width))
            bias = (None, _drawn(width, dtype, rng), _drawn(shape, dtype, rng))[number % 3]
            count = 1 + (number % 2 == 0)
            total = x1.astype(np.float32) + x2.astype(np.float32)
            total = total if bias is None else total + bias.astype(np.float32)
            wide = _layer(total) * gamma.astype(np.float32) + beta.astype(np.float32)
            scales = [_drawn(width, kind, rng, 0.02) for _ in range(count)]
            zeros = [rng.integers(-5, 6, width).astype(numpy_dtype(kind)) for _ in range(count)]
            found: list[tuple[Array, Array | None]] = []
            for scale, zero in zip((s.astype(np.float32) for s in scales), zeros, strict=True):
                if mode == "dynamic":
                    found.append(symmetric(wide * scale, "int8", multiplies=False))
                else:
                    scaled = wide / scale if mode == "divides" else wide * scale
                    found.append((narrowed(scaled + zero.astype(np.float32), "int8"), None))
            y, by = zip(*[*found, (None, None)][:2], strict=True)
            given = [Operand(s) for s in scales], [Operand(z) for z in zeros]
            lists = [*(given[0] + [None])[:2], *(given[1] + [None])[:2]]
            if mode == "dynamic":
                lists[2:] = [None, None]
            yield Case(
                f"{shape} {mode} {kind} bias {number % 3} outputs {count}",
                (*map(Operand, (x1, x2, gamma, beta)), None if bias is None else Operand(bias),
                 *lists, "static" if mode == "divides" else mode, _EPS, True, mode == "divides"),
                (*y, total, *((None,) if second else ()), *by),
            )  # fmt: skip

    return cases


def _ada(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() not in ("A2", "950"):
        return
    for shape, affine, smooths in product(((3, 64), (2, 5, 40), (2, 3, 20, 136)), (0, 1), (0, 1)):
        width = shape[-1:]
        x = _drawn(shape, dtype, rng)
        scale, shift = (_drawn((*shape[:-2], *width), dtype, rng) for _ in range(2))
        gamma, beta = (_drawn(width, dtype, rng) for _ in range(2))
        smooth = _drawn(width, dtype, rng, 0.5)
        wide = _layer(x.astype(np.float32))
        if affine:
            wide = wide * gamma.astype(np.float32) + beta.astype(np.float32)
        factor = _ONE + scale.astype(np.float32)[..., None, :]
        added = shift.astype(np.float32)[..., None, :]
        if chip_family() == "950":  # multiplied and added in one step
            wide = (wide.astype(np.float64) * factor + added).astype(np.float32)
        else:
            wide = wide * factor + added
        wide = wide * smooth.astype(np.float32) if smooths else wide
        with_one = (*shape[:-2], 1, *width)
        yield Case(
            f"{shape} affine {affine} smooth {smooths}",
            (Operand(x), Operand(scale), Operand(shift.reshape(with_one)),
             Operand(gamma) if affine else None, Operand(beta) if affine else None,
             Operand(smooth) if smooths else None, _EPS, "dynamic"),
            (*symmetric(wide, "int8", multiplies=False), None),
        )  # fmt: skip


def _rms_dynamic(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    for shape, smooths, shifts in product(_SHAPES, (0, 1), (0, 1)):
        x, gamma, beta = (_drawn(s, dtype, rng) for s in (shape, shape[-1:], shape[-1:]))
        smooth = _drawn(shape[-1:], dtype, rng, 0.5)
        wide = _normalised(x.astype(np.float32), gamma, halves=False)
        wide = wide + beta.astype(np.float32) if shifts else wide
        wide = wide * smooth.astype(np.float32) if smooths else wide
        yield Case(
            f"{shape} smooth {smooths} beta {shifts}",
            (Operand(x), Operand(gamma), Operand(smooth) if smooths else None,
             Operand(beta) if shifts else None, _EPS, 2),
            symmetric(wide, "int8", multiplies=True),
        )  # fmt: skip


def _rms_static(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kinds = ("int8", "int32", "float8_e4m3fn", "float8_e5m2")
    for number, (shape, kind) in enumerate(product(_SHAPES, kinds)):
        width = shape[-1:]
        divides, one, shifts = number % 2 == 0, number % 3 == 0, number % 4 != 0
        by = "float32" if number % 2 else dtype
        x, gamma, beta = (_drawn(s, dtype, rng) for s in (shape, width, width))
        scale = _drawn((1,) if one else width, by, rng, 0.02)
        offset = rng.integers(-5, 6, scale.shape).astype(numpy_dtype(by))
        mean = np.square(x.astype(np.float64)).mean(-1, keepdims=True).astype(np.float32)
        inverse = _ONE / np.sqrt(mean + np.float32(_EPS))
        wide = x.astype(np.float32) * inverse * gamma.astype(np.float32)
        wide = wide + beta.astype(np.float32) if shifts else wide
        factor = scale.astype(np.float32)
        wide = wide / factor if divides else wide * factor
        wide = wide + offset.astype(np.float32) if shifts else wide
        y = narrowed(wide, "int4" if kind == "int32" else kind)
        yield Case(
            f"{shape} {kind} {by} divides {divides} one {one} offset {shifts}",
            (Operand(x), Operand(gamma), Operand(scale), Operand(offset) if shifts else None,
             Operand(beta) if shifts else None, _EPS, divides, True),
            (in_words(y) if kind == "int32" else y, inverse), out_dtypes=(kind, "float32"),
        )  # fmt: skip


_ALL = ("float32", *_HALVES)
SUITES = (
    Suite("add_layer_norm_quant", _ALL, _add_layer(second=False), chip=NEWEST),
    Suite("add_layer_norm_quant_v2", _ALL, _add_layer(second=True), chip=NEWEST),
    Suite("ada_layer_norm_quant", _HALVES, _ada),
    Suite("rms_norm_dynamic_quant", _HALVES, _rms_dynamic),
    Suite("rms_norm_quant_v3", _ALL, _rms_static, chip=NEWEST),
)
