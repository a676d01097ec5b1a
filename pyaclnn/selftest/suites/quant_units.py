"""SiTU and clipped SwiGLU units whose rows are quantised, and a gradient."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, chip_family
from pyaclnn.selftest.formulas.narrow import narrowed
from pyaclnn.selftest.suites.quant_blocks import CODES, blocks, pairs
from pyaclnn.selftest.suites.quant_fused import _HALVES, _PLAIN_WAYS, _drawn, _settled

_LARGEST = {"float8_e4m3fn": 448.0, "float8_e5m2": 57344.0}


def _situ(x: Array, *, left: bool, linear: float = 25, beta: float = 4) -> Array:
    a, b = np.split(x.astype(np.float64), 2, -1)
    a, b = (a, b) if left else (b, a)
    b = linear * np.tanh(b / linear) if linear > 0 else b
    return np.asarray(beta * np.tanh(a / beta) / (1 + np.exp(-a)) * b)


def _near_tie(scaled: Array) -> bool:
    return bool((np.abs(np.abs(scaled % 1) - 0.5) < 2e-4).any())


def _drawn_until(shape: tuple[int, ...], dtype: str, rng: np.random.Generator, low: int = -60,
                 high: int = 60) -> Array:  # fmt: skip
    if dtype.startswith("int"):
        return rng.integers(low, high, shape).astype(dtype)
    return _drawn(shape, dtype, rng)


def _dequant_situ(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return
    modes = ("dynamic", "static") if dtype == "int8" else ("dynamic",)
    for shape, mode, left, linear in product(((2, 64), (7, 48)), modes, (True, False), (25.0, 0.0)):
        rows, whole = shape
        groups = np.array([1, rows - 1]) if dtype == "int32" and left else None
        group = (np.arange(rows) > 0).astype(int) if groups is not None else np.zeros(rows, int)
        for _ in range(99):
            x = _drawn_until(shape, dtype, rng)
            count = 2 if groups is not None else 1
            weight = _drawn((count, whole), "float32", rng, 0.5) / np.float32(20)
            bias = _drawn((count, whole), "float32", rng)
            by_row = _drawn((rows,), "float32", rng, 0.5)
            quant, offset = (_drawn((whole // 2,), "float32", rng, 0.05) for _ in range(2))
            row = x.astype(np.float64)
            if dtype.startswith("int"):
                row = row * weight[group]
                row = row * by_row[:, None] if dtype == "int32" else row
                row = row + bias[group]
            wide = _situ(row, left=left, linear=linear)
            if mode == "static":
                scaled, scale = wide / quant + offset, None
            else:
                wide = wide * quant if dtype == "int8" else wide
                scale = np.abs(wide).max(-1) / 127
                scaled = wide / scale[:, None]
            if not _near_tie(scaled):
                break
        else:
            raise RuntimeError("always near a tie")
        given: list[Operand | None] = [None] * 6
        if dtype.startswith("int"):
            given[0], given[2] = (
                Operand(v if groups is not None else v[0]) for v in (weight, bias)
            )
        if dtype == "int32":
            given[1] = Operand(by_row)
            given[5] = None if groups is None else Operand(groups)
        elif dtype == "int8":
            given[3] = Operand(quant)
            given[4] = Operand(offset) if mode == "static" else None
        yield Case(
            f"{shape} {mode} left {left} linear {linear}",
            (Operand(x), *given, 4.0, linear, left, mode), (narrowed(scaled, "int8"), scale),
        )  # fmt: skip


def _situ_mx(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape, (kind, algorithm, _, mode), left in product(
        ((2, 64), (3, 140), (2, 3, 192)), _PLAIN_WAYS, (True, False)
    ):
        if algorithm:
            continue
        x, wide = _settled(shape, dtype, partial(_situ, left=left, beta=2.0, linear=0), rng)
        y, found = blocks(wide, kind, mode, (1, 32), 0)
        yield Case(
            f"{shape} {kind} {mode} left {left}",
            (Operand(x), 2.0, 0.0, left, -1, CODES[kind], mode), (y, pairs(found, -1)),
        )  # fmt: skip


def _clipped(x: Array, limit: float) -> Array:
    a, b = np.split(x.astype(np.float32).astype(np.float64), 2, -1)
    if limit > 0:
        a, b = np.minimum(a, limit), np.clip(b, -limit, limit)
    return np.asarray(a / (1 + np.exp(-a)) * b)


def _swiglu_group(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Blocks of 128 and of 32: numbers, scales, and the powers of two above these."""
    for shape, mode, kind, powers, limit in product(
        ((3, 256), (2, 2, 512)), (0, 1), _LARGEST, (True, False), (-1.0, 1.5)
    ):
        if dtype == "float32" or (mode == 1 and not powers):
            continue
        block, rows, width = 32 if mode else 128, int(np.prod(shape[:-1])), shape[-1] // 2
        weight = _drawn((rows,), "float32", rng, 0.5)
        groups = np.array([1, rows - 1]) if powers else None
        for _ in range(199):
            x = _drawn(shape, dtype, rng)
            wide = (_clipped(x, limit).reshape(rows, -1) * weight[:, None]).reshape(rows, -1, block)
            scale = np.maximum(np.abs(wide).max(-1, keepdims=True), 1e-4) / _LARGEST[kind]
            scale = np.exp2(np.ceil(np.log2(scale))) if powers else scale
            scaled = wide / scale
            ends = [narrowed(scaled * (1 + e), kind).astype(np.float32) for e in (-2e-6, 2e-6)]
            unsure = ends[0] != ends[1]
            if unsure.sum() == 0:
                break
        narrow = narrowed(scaled, kind).reshape(*shape[:-1], width)
        if unsure.sum():
            continue
        found = scale.reshape(*shape[:-1], -1).astype(np.float32)
        if mode:
            found = found.reshape(*shape[:-1], -1, 2).astype(numpy_dtype("float8_e8m0fnu"))
        yield Case(
            f"{shape} mode {mode} {kind} powers {powers} limit {limit}",
            (Operand(x), Operand(weight), None if groups is None else Operand(groups), None,
             CODES[kind], mode, 0, powers, limit, 0.0, False),
            (narrow, found, None),
            out_dtypes=(kind, "float8_e8m0fnu" if mode else "float32", dtype),
        )  # fmt: skip


def _swiglu_group_grad(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape, limit, grouped, weighted in product(
        ((3, 64), (2, 3, 40)), (-1.0, 1.0), (0, 1), (0, 1)
    ):
        half = (*shape[:-1], shape[-1] // 2)
        x, grad, y = (_drawn(s, dtype, rng) for s in (shape, half, half))
        weight = _drawn((*shape[:-1], 1), "float32", rng, 0.5)
        rows = int(np.prod(shape[:-1]))
        kept = (np.arange(rows) < 2).reshape(*shape[:-1], 1) if grouped else True
        a, b = np.split(x.astype(np.float64), 2, -1)
        cut = limit if limit > 0 else np.inf
        gate, other = np.minimum(a, cut), np.clip(b, -cut, cut)
        sigmoid = 1 / (1 + np.exp(-gate))
        wide = grad.astype(np.float64) * (weight if weighted else 1)
        of_a = wide * other * sigmoid * (1 + gate * (1 - sigmoid)) * (a < cut)
        of_b = wide * gate * sigmoid * (np.abs(b) < cut)
        sums = (grad.astype(np.float64) * y.astype(np.float64)).sum(-1, keepdims=True)
        yield Case(
            f"{shape} limit {limit} grouped {grouped} weighted {weighted}",
            (Operand(grad), Operand(x), Operand(weight) if weighted else None,
             Operand(y) if weighted else None,
             Operand(np.array([1, 1])) if grouped else None, limit),
            (np.concatenate([of_a, of_b], -1) * kept, sums * kept if weighted else None),
        )  # fmt: skip


SUITES = (
    Suite("dequant_situ_quant", ("int8", "int32", *_HALVES), _dequant_situ),
    Suite("situ_mx_quant", _HALVES, _situ_mx, chip=NEWEST),
    Suite("swiglu_group_quant", _HALVES, _swiglu_group, chip=NEWEST),
    Suite("swiglu_group_quant_grad", ("float32", *_HALVES), _swiglu_group_grad, chip=NEWEST),
)
