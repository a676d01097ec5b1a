"""Blocks of numbers that share an exponent."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, is_950
from pyaclnn.selftest.formulas.narrow import LARGEST

_CODES = {"float8_e5m2": 35, "float8_e4m3fn": 36, "float4_e2m1fn": 40}
_EMAX = {"float8_e5m2": 15, "float8_e4m3fn": 8, "float4_e2m1fn": 2}
_FLOAT4 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
_SHAPES = (
    ((32,), 0), ((3, 64), -1), ((5, 70), 1), ((64, 6), 0), ((2, 130, 4), -2), ((4, 2, 1100), -1)
)  # fmt: skip


def _exponents(size: Array, kind: str, *, up: bool) -> Array:
    """Return the exponent of each block, from the magnitude of its largest number."""
    if not up:
        return np.asarray(np.floor(np.log2(size)) - _EMAX[kind])
    least = size.astype(np.float32) * (np.float32(1) / np.float32(LARGEST[kind]))
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


def _cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return
    for (shape, axis), kind, up, length in product(_SHAPES, _CODES, (False, True), (32, 96)):
        last = axis in (-1, len(shape) - 1)
        if kind == "float4_e2m1fn" and (up or not last):
            continue
        for mode in ("rint", "round", "floor") if kind == "float4_e2m1fn" else ("rint",):
            x = (rng.normal(0, 1, shape) * 2.0 ** rng.integers(-9, 9, shape)).astype(
                numpy_dtype(dtype)
            )
            wide = np.moveaxis(x.astype(np.float64), axis, -1)
            blocks = -(-wide.shape[-1] // length)
            filled = np.zeros((*wide.shape[:-1], blocks * length))
            filled[..., : wide.shape[-1]] = wide
            filled = filled.reshape(*wide.shape[:-1], blocks, length)
            found = _exponents(np.abs(filled).max(-1), kind, up=up)
            scaled = (filled / 2.0 ** found[..., None]).reshape(*wide.shape[:-1], -1)
            scaled = scaled[..., : wide.shape[-1]]
            if kind == "float4_e2m1fn":
                y = nearest_float4(scaled, mode).astype(numpy_dtype(kind))
            else:
                y = np.clip(scaled, -LARGEST[kind], LARGEST[kind]).astype(numpy_dtype(kind))
            scales = np.full((*found.shape[:-1], blocks + blocks % 2), 2.0**-127)
            scales[..., :blocks] = 2.0**found
            pairs = scales.reshape(*found.shape[:-1], -1, 2)
            at = axis % len(shape)
            yield Case(
                f"{shape} axis {axis} {kind} up {up} of {length} {mode}",
                (Operand(x), axis, mode, _CODES[kind], length, int(up)),
                (np.moveaxis(y, -1, at),
                 np.moveaxis(pairs, -2, at).astype(numpy_dtype("float8_e8m0fnu"))),
            )  # fmt: skip


SUITES = (Suite("dynamic_mx_quant", ("float16", "bfloat16"), _cases, chip=NEWEST),)
