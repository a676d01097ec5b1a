"""Weights that are copied into the blocks of a matrix unit, and back."""

from __future__ import annotations

from collections.abc import Iterator

import ml_dtypes
import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite
from pyaclnn.selftest.chips import chip_family
from pyaclnn.selftest.layouts import in_blocks

_TYPES = ("float16", "bfloat16", "float32", "int8", "uint8", "int32")
_MATRICES = ((16, 16), (5, 40), (130, 72), (3, 17, 33), (2, 1, 3, 31, 65))
_VOLUMES = ((1, 16, 4, 2, 3), (3, 5, 2, 4, 7), (17, 40, 3, 1, 2))


def _filled(values: Array, axis: int, unit: int) -> Array:
    widths = [(0, 0)] * values.ndim
    widths[axis] = (0, -values.shape[axis] % unit)
    return np.pad(values, widths)


def _channels_last(volume: Array, width: int) -> Array:
    """Return [n, c, d, h, w] as [n, d, c / width, h, w, width]."""
    whole = _filled(volume, 1, width)
    n, c, d, h, w = whole.shape
    pieces = whole.reshape(n, c // width, width, d, h, w)
    return np.moveaxis(pieces, (3, 1, 4, 5, 2), (1, 2, 3, 4, 5))


def _fractals(volume: Array, width: int) -> Array:
    """Return [n, c, d, h, w] as [d * c / width * h * w, n / 16, 16, width]."""
    blocks = _filled(_channels_last(volume, width), 0, 16)
    n, d, c, h, w, _ = blocks.shape
    fractals = np.moveaxis(blocks, 0, 4)
    return np.asarray(fractals.reshape(d * c * h * w, n // 16, 16, width))


def _values(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    return rng.integers(0, 100, shape).astype(np.dtype(dtype))


#: Plain format, its axes in those of NCDHW, the format in blocks, whether D is one and not there.
_PAIRS = (
    ("NCDHW", "ncdhw", "NDC1HWC0"), ("NDHWC", "ndhwc", "NDC1HWC0"), ("NCHW", "nchw", "NC1HWC0"),
    ("NHWC", "nhwc", "NC1HWC0"), ("NCHW", "nchw", "FRACTAL_Z"), ("HWCN", "hwcn", "FRACTAL_Z"),
)  # fmt: skip


def _volumes(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    width = 32 // np.dtype(dtype).itemsize
    for shape in _VOLUMES:
        for plain, axes, blocked in _PAIRS:
            flat = len(axes) == 4
            volume = _values((*shape[:2], 1, *shape[3:]) if flat else shape, dtype, rng)
            blocks = (_fractals if "FRACTAL" in blocked else _channels_last)(volume, width)
            if blocked == "NC1HWC0":
                blocks = blocks[:, 0]
            order = [("nchw" if flat else "ncdhw").index(a) for a in axes]
            given = (volume[:, :, 0] if flat else volume).transpose(order).copy()
            yield Case(f"{plain} to {blocked} {given.shape}", (Operand(given, format=plain),),
                       (blocks,), ("contiguous",), (dtype,), blocked)  # fmt: skip
            yield Case(f"{blocked} to {plain} {given.shape}",
                       (Operand(np.ascontiguousarray(blocks), format=blocked),),
                       (given,), ("contiguous",), (dtype,), plain)  # fmt: skip


def _cast(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    family = chip_family()
    if family not in ("A2", "950") or (family == "950" and dtype == "uint32"):
        return
    for shape in _MATRICES:
        if family == "950" and dtype == "int32" and len(shape) > 4:
            continue
        values = _values(shape, dtype, rng)
        blocks = in_blocks(values)
        yield Case(f"to NZ {shape}", (Operand(values, format="ND"),), (blocks,), ("contiguous",),
                   (dtype,), "FRACTAL_NZ")  # fmt: skip
        yield Case(f"from NZ {shape}", (Operand(values, format="FRACTAL_NZ"),), (values,),
                   ("contiguous",), (dtype,), "ND")  # fmt: skip
        if family == "A2" and blocks.dtype.itemsize == 4:
            yield Case(f"to wide NZ {shape}", (Operand(values, format="ND"),),
                       (in_blocks(values, 16),), ("contiguous",), (dtype,),
                       "FRACTAL_NZ")  # fmt: skip
    if family == "A2":
        yield from _volumes(dtype, rng)


def _in_place(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "910" and dtype != "float16":
        return
    wide = 32 // np.dtype(dtype).itemsize
    shapes: list[tuple[int, ...]] = [(16, wide), (48, 4 * wide)]
    if chip_family() == "A2":
        shapes.append((3, 32, 2 * wide))
    for shape in shapes:
        values = _values(shape, dtype, rng)
        if chip_family() == "310P" and dtype not in ("float16", "int8"):
            continue
        yield Case(f"{shape}", (Operand(values, format="ND"),),
                   (in_blocks(values).reshape(shape),))  # fmt: skip


def _convolution(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "310P":
        return
    for n, c, _, h, w in ((16, 16, 1, 3, 3), (32, 48, 1, 1, 2)):
        values = rng.normal(size=(n, c, h, w)).astype(np.dtype(dtype))
        blocks = _fractals(values[:, :, None].astype(np.float16), 16).reshape(values.shape)
        for layout in ("contiguous", "transposed"):
            yield Case(f"{values.shape} {layout}", (Operand(values, layout, "NCHW"), False, 1),
                       (blocks,), ("contiguous",), ("float16",), "NCHW")  # fmt: skip


_LEVELS = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])


def _packed(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape in ((3, 8), (17, 72), (2, 16, 64)):
        codes = rng.integers(0, 16, shape)
        values = codes - 16 * (codes > 7)
        if dtype == "float32":
            values = np.where(codes > 7, -1, 1) * _LEVELS[codes % 8]
        pairs = (codes[..., ::2] | codes[..., 1::2] << 4).astype(np.uint8)
        weight = Operand(values.astype(dtype), format="ND")
        words = np.ascontiguousarray(pairs).view(dtype)
        yield Case(f"{shape} words", (weight,), (words,), ("contiguous",), (dtype,), "ND")
        if dtype == "int32":
            small = values.astype(ml_dtypes.int4)
            yield Case(f"{shape} int4", (weight,), (small,), ("contiguous",), ("int4",), "ND")


SUITES: tuple[Suite, ...] = (
    Suite("npu_format_cast", _TYPES, _cast),
    Suite("trans_matmul_weight", ("float16", "bfloat16", "int8"), _in_place),
    Suite("trans_convolution_weight", ("float16", "float32"), _convolution, chip="Ascend310P3"),
    Suite("convert_weight_to_int4_pack", ("int32", "float32"), _packed),
)
