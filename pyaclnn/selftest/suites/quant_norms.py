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


def _added(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Yield calls of the version that has beta, or the norm as a result."""
    if chip_family() not in ("A2", "310P") or (dtype == "bfloat16" and chip_family() != "A2"):
        return
    for shape, mode, divides in product(_SHAPES, ("beta", "norm", "rows", "two"), (True, False)):
        one = mode in ("beta", "norm")
        if one and not divides:
            continue
        width = shape[-1:]
        x1, x2, gamma, beta = (_drawn(s, dtype, rng) for s in (shape, shape, width, width))
        scales = [_drawn((1,) if one else width, "float32", rng, 0.02) for _ in range(2)]
        zeros = rng.integers(-5, 6, 1 if one else width[0]).astype(np.int32)
        total = x1.astype(np.float32) + x2.astype(np.float32)
        rounded = total if one else total.astype(numpy_dtype(dtype)).astype(np.float32)
        norm = _normalised(rounded, gamma, halves=dtype == "float16" and not one)
        wide = norm if mode == "norm" else norm + beta.astype(np.float32)
        y = [
            narrowed((wide * (_ONE / s) if one else wide / s if divides else wide * s) + zeros,
                     "int8")
            for s in scales
        ]  # fmt: skip
        two = (Operand(scales[1]), Operand(zeros), Operand(zeros)) if mode == "two" else (
            None, Operand(zeros), None)  # fmt: skip
        golden = (y[0], y[1] if mode == "two" else None, *(
            (False, norm) if mode == "norm" else (total, False)))  # fmt: skip
        yield Case(
            f"{shape} {mode} divides {divides}",
            (*map(Operand, (x1, x2, gamma, scales[0])), *two,
             None if mode == "norm" else Operand(beta), -1, _EPS, divides),
            golden, out_dtypes=("int8", "int8", dtype, dtype),
        )  # fmt: skip


def _rms_gradient(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for number, (shape, divides) in enumerate(
        product(((3, 64), (2, 5, 40), (40, 4, 34)), (True, False))
    ):
        axes = 1 + (shape[0] == 40)
        dy, x = (_drawn(shape, dtype, rng) for _ in range(2))
        gamma = _drawn(shape[-axes:], "float32" if number % 2 else dtype, rng)
        scale = _drawn((1,), "float32" if number % 2 else dtype, rng, 0.05)
        zero = rng.integers(-5, 6, 1).astype(np.int32) if number % 3 else None
        rows = [a.astype(np.float32).reshape(*shape[:-axes], -1) for a in (dy, x)]
        rstd = _ONE / np.sqrt(np.square(rows[1].astype(np.float64)).mean(-1) + _EPS)
        rstd = rstd.astype(np.float32)
        normal = rows[1] * rstd[..., None]
        product_ = rows[0] * gamma.astype(np.float32).ravel()
        mean = (product_ * normal).astype(np.float64).sum(-1, keepdims=True).astype(np.float32)
        mean = mean * (_ONE / np.float32(normal.shape[-1]))
        dx = ((product_ - normal * mean) * rstd[..., None]).reshape(shape)
        factor = scale.astype(np.float32)
        wide = (dx / factor if divides else dx * factor) + np.float32(0 if zero is None else zero)
        gradient = (rows[0].astype(np.float64) * normal).reshape(-1, normal.shape[-1]).sum(0)
        yield Case(
            f"{shape} divides {divides}",
            (*map(Operand, (dy, x, rstd, gamma, scale)), None if zero is None else Operand(zero),
             "static", divides),
            (narrowed(wide, "int8"), gradient.reshape(gamma.shape)),
        )  # fmt: skip


def _silu_groups(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    for shape, groups, affine, each in product(
        ((2, 6), (3, 4, 5, 7), (1, 8, 33)), (1, 2), (True, False), (True, False)
    ):
        gamma, beta = (_drawn(shape[1:2], dtype, rng) if affine else None for _ in range(2))
        scale = _drawn(shape[1:2] if each else (1,), "float32", rng, 0.02)
        tail = (1,) * (len(shape) - 2)
        for _ in range(99):
            x = _drawn(shape, dtype, rng)
            wide = x.astype(np.float64).reshape(shape[0], groups, -1)
            mean, rstd = wide.mean(-1), 1 / np.sqrt(wide.var(-1) + _EPS)
            wide = ((wide - mean[..., None]) * rstd[..., None]).reshape(shape)
            if gamma is not None and beta is not None:
                wide = wide * gamma.astype(np.float64).reshape(-1, *tail)
                wide = wide + beta.astype(np.float64).reshape(-1, *tail)
            scaled = wide / (1 + np.exp(-wide)) / scale.astype(np.float64).reshape(-1, *tail)
            inside = np.abs(scaled) < 128
            if not (inside & (np.abs(np.abs(scaled % 1) - 0.5) < 2e-5 * np.abs(scaled))).any():
                break
        halved = scaled.astype(np.float16).astype(np.float64)  # as the kernel rounds twice
        yield Case(
            f"{shape} groups {groups} affine {affine} scales {scale.size}",
            (Operand(x), None if gamma is None else Operand(gamma),
             None if beta is None else Operand(beta), Operand(scale), groups, _EPS, True),
            (narrowed(halved, "int8"), mean, rstd),
        )  # fmt: skip


def _batch(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() not in ("A2", "950"):
        return
    low, high = {"int8": (-128, 128), "uint8": (0, 256), "int32": (-9999, 9999)}[dtype]
    for shape, affine in product(((2, 3, 4, 5), (1, 7, 1, 1), (3, 2, 17, 9)), (True, False)):
        x = rng.integers(low, high, shape).astype(dtype)
        mean, weight, bias = (_drawn(shape[1:2], "float32", rng) for _ in range(3))
        var = _drawn(shape[1:2], "float32", rng, 0.5)
        scales = (np.float32(0.125), np.float32(0.0625))
        zeros = (3, 7)
        given = (weight, bias) if affine else (np.ones_like(weight), np.zeros_like(bias))
        slope = given[0] / np.sqrt(var + np.float32(_EPS))
        shift = (-slope * mean + given[1]) * (_ONE / scales[1])
        factor = slope * (scales[0] / scales[1])
        channel = (slice(None), None, None)
        wide = (x.astype(np.float32) + np.float32(-zeros[0])) * factor[channel]
        wide = wide + shift[channel] + np.float32(zeros[1])
        yield Case(
            f"{shape} affine {affine}",
            (*map(Operand, (x, mean, var)), float(scales[0]), zeros[0], float(scales[1]), zeros[1],
             *(map(Operand, given) if affine else (None, None)), _EPS),
            (narrowed(wide, dtype, "round"),),
        )  # fmt: skip


SUITES = (
    Suite("add_layer_norm_quant", _ALL, _add_layer(second=False), chip=NEWEST),
    Suite("add_layer_norm_quant_v2", _ALL, _add_layer(second=True), chip=NEWEST),
    Suite("ada_layer_norm_quant", _HALVES, _ada),
    Suite("rms_norm_dynamic_quant", _HALVES, _rms_dynamic),
    Suite("rms_norm_quant_v3", _ALL, _rms_static, chip=NEWEST),
    Suite("add_rms_norm_quant_v2", _HALVES, _added),
    Suite("rms_norm_grad_quant", ("float32", *_HALVES), _rms_gradient, chip=NEWEST),
    Suite("group_norm_silu_quant", _HALVES, _silu_groups),
    Suite("quantized_batch_norm", ("int8", "uint8", "int32"), _batch),
)
