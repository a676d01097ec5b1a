"""Rows that are multiplied by small matrices, or scattered, and quantised."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, chip_family
from pyaclnn.selftest.formulas.narrow import in_words, narrowed, symmetric
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


def _scatter(second: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() == "910" or (dtype == "bfloat16" and chip_family() == "310P"):
            return
        kinds = ("int8", "float8_e4m3fn", "float8_e5m2") if second else ("int8",)
        for kind, pairs, with_zeros in product(kinds, (0, 1) if second else (0,), (True, False)):
            shape, length = (4, 3, 8, 32), 2
            there = narrowed(_whole(shape, "float32", rng, 9), kind)
            updates = _drawn((2, 3, length, 32), dtype, rng)
            by = "float32" if dtype == "float16" else "bfloat16"
            scale = _drawn((32,), by, rng, 0.05)
            zeros = rng.integers(-5, 6, 32).astype("int32" if by == "float32" else numpy_dtype(by))
            wide = updates.astype(np.float32) / scale.astype(np.float32)
            wide = wide + zeros.astype(np.float32) if with_zeros else wide
            begins, batches = rng.integers(0, 6, 2), np.array([3, 1]) if pairs else np.arange(2)
            golden = there.copy()
            for batch, begin, block in zip(batches, begins, narrowed(wide, kind), strict=True):
                golden[batch, :, begin : begin + length] = block
            index = np.stack((batches, begins), 1) if pairs else begins.astype(np.int32)
            yield Case(
                f"{kind} pairs {pairs} zeros {with_zeros}",
                (Operand(there), Operand(index), Operand(updates), Operand(scale),
                 Operand(zeros) if with_zeros else None, -2, -1, 1,
                 *(("rint",) if second else ())),
                (golden,),
            )  # fmt: skip

    return cases


SUITES = (
    *(Suite(f"flat_quant{v}", _HALVES, _flat(n)) for n, v in enumerate(("", "_v2", "_v3"), 1)),
    Suite("rotate_quant", _HALVES, _rotate),
    Suite("inplace_quant_scatter", _HALVES, _scatter(second=False)),
    Suite("inplace_quant_scatter_v2", _HALVES, _scatter(second=True), chip=NEWEST),
)
