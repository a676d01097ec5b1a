"""Pooling: maxima and their places, means, windows of every kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype, random_values
from pyaclnn.selftest.chips import has_950_kernels, has_bfloat16, is_950, is_first_generation
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.pooling import (
    ADAPTIVE_2D,
    ADAPTIVE_3D,
    FLOATS,
    POOLINGS_2D,
    POOLINGS_3D,
    Pooling,
    gradients,
)
from pyaclnn.selftest.suites.pooling_reference import (
    adaptive_avg_pool,
    adaptive_max_pool,
    avg_pool,
    expand,
    max_pool,
)

SPECIAL = (np.nan, np.inf, -np.inf)
_INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "int64")


def containing(
    shape: tuple[int, ...], dtype: str, rng: np.random.Generator, special: float
) -> Array:
    """Return random values, but for one."""
    values = random_values(shape, dtype, rng)
    values[(0,) * (len(shape) - 1)][1] = special
    return values


def _max_pool_2d(dtype: str, rng: np.random.Generator, masked: bool) -> Iterator[Case]:
    def case(
        label: str, x: Array, p: Pooling, dilation: Sequence[int] = (1,),
        layout: str = "contiguous", **options: Any,
    ) -> Case:  # fmt: skip
        values, places = max_pool(
            x.astype(np.float64), p.kernel, p.stride, p.padding, p.ceil, dilation
        )
        attributes = (tuple(p.kernel), tuple(p.stride), tuple(p.padding), tuple(dilation), p.ceil)
        # The bytes of a mask behind the places are nobody's.
        golden = (values, None if masked else places)
        return Case(label, (Operand(x, layout), *attributes), golden, **options)

    if not has_bfloat16():
        return
    for shape, pooling in POOLINGS_2D:
        if not masked or max(pooling.kernel) > 1:
            yield case(f"{shape} {pooling}", random_values(shape, dtype, rng), pooling)
    shape, pooling = POOLINGS_2D[2]
    for layout in LAYOUTS[1:]:
        yield case(
            layout, random_values(shape, dtype, rng), pooling, layout=layout,
            out_layouts=(layout, "every_second"), out_dtypes=(dtype, "int64"),
        )  # fmt: skip
    for special in SPECIAL:
        yield case(f"{special}", containing(shape, dtype, rng, special), Pooling((2,)))
    yield case("all alike", np.ones(shape, numpy_dtype(dtype)), pooling)
    yield case("dilation of every axis", random_values(shape, dtype, rng), pooling, (1, 1))
    yield case("no samples", np.zeros((0, *shape[1:]), numpy_dtype(dtype)), pooling)
    if has_950_kernels() and not masked:
        x = random_values((2, 3, 9, 10), dtype, rng)
        yield case("dilation 2, 3", x, Pooling((3,), (2,), (1,)), (2, 3))


def _with_indices(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _max_pool_2d(dtype, rng, masked=False)


def _with_mask(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_950_kernels():
        yield from _max_pool_2d(dtype, rng, masked=True)


def _max_pool(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        label: str, x: Array, kernel: Sequence[int], strides: Sequence[int] = (),
        pads: Sequence[int] = (), ceil: bool = False, layout: str = "contiguous",
        dilations: Sequence[int] = (), **options: Any,
    ) -> Case:  # fmt: skip
        sides = (*expand(pads, 2, (0, 0)),) * 2 if len(pads) < 4 else tuple(pads)
        top, left, bottom, right = sides
        height, width = x.shape[-2:]
        wide = x.astype(np.float64)
        padded = np.pad(
            wide, [(0, 0)] * (x.ndim - 2) + [(top, bottom), (left, right)],
            constant_values=-np.inf,
        )  # fmt: skip
        kernels, steps = expand(kernel, 2), expand(strides, 2, (1, 1))
        size = []
        for extent, before, behind, k, s in (
            (height, top, bottom, kernels[0], steps[0]), (width, left, right, kernels[1], steps[1]),
        ):  # fmt: skip
            starts = range(0, extent + before if ceil else extent + before + behind - k + 1, s)
            whole = extent + before + behind - k
            size.append(len([at for at in starts if at <= whole + (s - 1 if ceil else 0)]))
        golden = np.zeros((*x.shape[:-2], *size))
        for i, j in np.ndindex(*size):
            rows = slice(i * steps[0], i * steps[0] + kernels[0])
            columns = slice(j * steps[1], j * steps[1] + kernels[1])
            golden[..., i, j] = padded[..., rows, columns].max(axis=(-2, -1))
        inputs = (
            Operand(x, layout), tuple(kernel), tuple(strides), 0, tuple(pads), tuple(dilations),
            int(ceil),
        )  # fmt: skip
        return Case(label, inputs, (golden,), **options)

    if dtype != "float16" and not (has_bfloat16() if dtype == "float32" else is_950()):
        return
    for shape in ((2, 3, 8, 9), (3, 8, 9), (1, 1, 1, 1), (2, 70, 13, 12)):
        for kernel, strides, pads in (
            ((1,), (), ()), ((2,), (2,), (0,)), ((3,), (2, 1), (1,)), ((3, 2), (1, 2), (1, 1)),
            ((3, 2), (2,), (0, 1, 2, 0)), ((4,), (3,), (1, 2, 3, 0)),
        ):  # fmt: skip
            for ceil in (False, True):
                if min(shape[-2:]) > 1 or max(kernel) == 1:
                    x = random_values(shape, dtype, rng)
                    yield case(f"{shape} {kernel} {strides} {pads} {ceil}", x, kernel, strides,
                               pads, ceil)  # fmt: skip
    for layout in LAYOUTS[1:]:
        x = random_values((2, 3, 6, 7), dtype, rng)
        yield case(layout, x, (3,), (2,), (1,), layout=layout, out_layouts=(layout,))
    for special in SPECIAL if "int" not in dtype else ():
        yield case(f"{special}", containing((2, 3, 6, 7), dtype, rng, special), (2,), (2,))
    yield case("dilations", random_values((2, 3, 6, 7), dtype, rng), (2,), dilations=(1, 1))
    yield case("no samples", np.zeros((0, 3, 6, 7), numpy_dtype(dtype)), (2,))


def _adaptive_max_pool(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(x: Array, size: tuple[int, ...], layout: str, **options: Any) -> Case:
        golden = adaptive_max_pool(x.astype(np.float64), size)
        label = f"{x.shape} to {size} {layout}"
        return Case(label, (Operand(x, layout), size), golden, **options)

    for shape, size in ADAPTIVE_2D:
        yield case(random_values(shape, dtype, rng), size, "contiguous")
    shape, size = ADAPTIVE_2D[2]
    for layout in LAYOUTS[1:]:
        x = random_values(shape, dtype, rng)
        outs = {"out_layouts": (layout, "offset"), "out_dtypes": (dtype, "int64")}
        yield case(x, size, layout, **outs)
    for special in SPECIAL:
        yield case(containing(shape, dtype, rng, special), (4, 4), "contiguous")
    yield case(np.zeros((0, 3, 6, 7), numpy_dtype(dtype)), (2, 3), "contiguous")


def _avg_pool(dtype: str, rng: np.random.Generator, axes: int) -> Iterator[Case]:
    if axes == 3 and is_first_generation():  # which has no such kernel
        return
    # Before A2, float32 is computed in float16 on the matrix unit, and only when that is allowed;
    # the 950 does not use it.
    in_half = dtype == "float32" and not has_bfloat16() and axes == 2

    def case(
        label: str, x: Array, p: Pooling, layout: str = "contiguous", math: int = int(in_half),
        **options: Any,
    ) -> Case:  # fmt: skip
        lowered = in_half or (math == 2 and dtype == "float32" and not is_950())
        exact = x.astype(np.float16) if lowered else x
        golden = avg_pool(
            exact.astype(np.float64), p.kernel, p.stride, p.padding, p.ceil, p.include_padding,
            p.divisor, axes,
        )  # fmt: skip
        golden = golden.astype(np.float16).astype(np.float64) if lowered else golden
        attributes: tuple[Any, ...] = (tuple(p.kernel), tuple(p.stride), tuple(p.padding))
        attributes += (p.ceil, p.include_padding, p.divisor)
        attributes += (math,) if axes == 2 else ()
        return Case(label, (Operand(x, layout), *attributes), (golden,), **options)

    poolings = POOLINGS_2D if axes == 2 else POOLINGS_3D
    for shape, pooling in poolings:
        if not has_bfloat16() and pooling.ceil and pooling.include_padding:
            continue  # divides by the kernel's size there, whatever the window covers
        yield case(f"{shape} {pooling}", gradients(shape, dtype, rng, axes), pooling)
    shape, pooling = poolings[2]
    for layout in LAYOUTS[1:]:
        x = gradients(shape, dtype, rng, axes)
        yield case(layout, x, pooling, layout, out_layouts=(layout,))
    for special in SPECIAL:
        yield case(f"{special}", containing(shape, dtype, rng, special), pooling)
    if axes == 2 and dtype == "float32":
        yield case("cubeMathType 2", gradients((2, 3, 8, 8), dtype, rng, 2), Pooling((2,)), math=2)
    yield case("no samples", np.zeros((0, *shape[1:]), numpy_dtype(dtype)), pooling)


def _adaptive_avg_pool(dtype: str, rng: np.random.Generator, axes: int) -> Iterator[Case]:
    def case(x: Array, size: tuple[int, ...], layout: str, **options: Any) -> Case:
        golden = adaptive_avg_pool(x.astype(np.float64), size)
        label = f"{x.shape} to {size} {layout}"
        return Case(label, (Operand(x, layout), size), (golden,), **options)

    windows = ADAPTIVE_2D if axes == 2 else ADAPTIVE_3D
    only_means = axes == 3 and is_first_generation()
    for shape, size in windows:
        if not only_means or set(size) == {1}:
            yield case(gradients(shape, dtype, rng, axes), size, "contiguous")
    if only_means:
        return
    shape, size = windows[2]
    for layout in LAYOUTS[1:]:
        yield case(gradients(shape, dtype, rng, axes), size, layout, out_layouts=(layout,))
    for special in SPECIAL:
        yield case(containing(shape, dtype, rng, special), size, "contiguous")
    if axes == 2:
        yield case(np.zeros((0, 3, 6, 7), numpy_dtype(dtype)), size, "contiguous")


SUITES = (
    Suite("max_pool2d_with_indices", FLOATS, _with_indices),
    Suite("max_pool2d_with_mask", FLOATS, _with_mask),
    Suite("max_pool", (*FLOATS, *_INTEGERS), _max_pool),
    Suite(
        "adaptive_max_pool2d", (*FLOATS, "float64"), _adaptive_max_pool,
    ),
    Suite("avg_pool2d", FLOATS, lambda d, r: _avg_pool(d, r, 2)),
    Suite("avg_pool3d", FLOATS, lambda d, r: _avg_pool(d, r, 3)),
    Suite("adaptive_avg_pool2d", FLOATS, lambda d, r: _adaptive_avg_pool(d, r, 2)),
    Suite("adaptive_avg_pool3d", FLOATS, lambda d, r: _adaptive_avg_pool(d, r, 3)),
)  # fmt: skip
