"""Average pooling: gradients of plain and adaptive windows over two and three axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, layout_pairs, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16
from pyaclnn.selftest.suites.pooling_reference import (
    adaptive_avg_pool_backward,
    avg_pool_backward,
    pooled_shape,
)

FLOATS = ("float32", "float16", "bfloat16")


@dataclass(frozen=True, slots=True)
class Pooling:
    """Attributes of a pooling, as the operators take them."""

    kernel: Sequence[int]
    stride: Sequence[int] = ()
    padding: Sequence[int] = (0,)
    ceil: bool = False
    include_padding: bool = True
    divisor: int = 0


#: Input shape and attributes.
POOLINGS_2D: tuple[tuple[tuple[int, ...], Pooling], ...] = (
    ((2, 3, 8, 8), Pooling((2,))),
    ((2, 3, 8, 8), Pooling((2, 2), (2, 2))),
    ((2, 3, 9, 7), Pooling((3, 2), (2, 1), (1, 0))),
    ((3, 9, 7), Pooling((3, 2), (2, 1), (1, 0), include_padding=False)),
    ((1, 1, 1, 1), Pooling((1,))),
    ((4, 2, 5, 6), Pooling((1,))),
    ((2, 2, 13, 11), Pooling((3,), (1,), (1,))),
    ((2, 2, 13, 11), Pooling((3,), (1,), (1,), include_padding=False)),
    ((2, 2, 13, 11), Pooling((5, 3), (2, 3), (2, 1), ceil=True)),
    ((2, 2, 13, 11), Pooling((5, 3), (2, 3), (2, 1), ceil=True, include_padding=False)),
    ((1, 3, 7, 8), Pooling((2,), (3,))),
    ((1, 3, 7, 8), Pooling((2,), (3,), ceil=True)),
    ((1, 3, 7, 8), Pooling((3,), (2,), (1,), divisor=2)),
    ((1, 3, 7, 8), Pooling((3,), (2,), (1,), divisor=-5)),
    ((1, 3, 7, 8), Pooling((3,), (2,), (1,), ceil=True, include_padding=False, divisor=7)),
    ((2, 5, 12, 12), Pooling((12,))),
    ((2, 5, 11, 10), Pooling((11, 10), (1, 1))),
    ((2, 5, 9, 9), Pooling((9,), (9,))),
    ((2, 1, 40, 3), Pooling((4, 3), (4, 3))),
    ((2, 1, 3, 40), Pooling((3, 4), (1, 2))),
    ((1, 70, 6, 6), Pooling((2,), (2,))),
    ((2, 4, 66, 65), Pooling((3,), (2,), (1,))),
    ((2, 2, 30, 30), Pooling((16, 17), (3, 2), (8, 8))),
    ((5, 33, 34), Pooling((4,), (4,), (2,))),
)

POOLINGS_3D: tuple[tuple[tuple[int, ...], Pooling], ...] = (
    ((2, 3, 4, 6, 8), Pooling((2,))),
    ((2, 3, 4, 6, 8), Pooling((2, 2, 2), (2, 2, 2))),
    ((2, 3, 5, 9, 7), Pooling((2, 3, 2), (1, 2, 1), (1, 1, 0))),
    ((3, 5, 9, 7), Pooling((2, 3, 2), (1, 2, 1), (1, 1, 0), include_padding=False)),
    ((1, 1, 1, 1, 1), Pooling((1,))),
    ((4, 2, 3, 5, 6), Pooling((1,))),
    ((2, 2, 5, 7, 8), Pooling((3,), (1,), (1,))),
    ((2, 2, 5, 7, 8), Pooling((3,), (1,), (1,), include_padding=False)),
    ((2, 2, 6, 7, 8), Pooling((5, 3, 4), (2, 3, 1), (2, 1, 2), ceil=True)),
    ((2, 2, 6, 7, 8), Pooling((5, 3, 4), (2, 3, 1), (2, 1, 2), True, False)),
    ((1, 3, 5, 7, 8), Pooling((2,), (3,))),
    ((1, 3, 5, 7, 8), Pooling((2,), (3,), ceil=True)),
    ((1, 3, 5, 7, 8), Pooling((3,), (2,), (1,), divisor=2)),
    ((1, 3, 5, 7, 8), Pooling((3,), (2,), (1,), divisor=-5)),
    ((1, 3, 5, 7, 8), Pooling((3,), (2,), (1,), ceil=True, include_padding=False, divisor=300)),
    ((2, 5, 4, 5, 6), Pooling((4, 5, 6))),
    ((2, 7, 8, 4, 5), Pooling((3, 1, 1), (1, 1, 1))),
    ((1, 300, 2, 4, 4), Pooling((2,), (2,))),
    ((3, 4, 6, 18, 17), Pooling((2, 3, 3), (2, 2, 2), (0, 1, 1))),
    ((5, 4, 3, 34), Pooling((2, 2, 4), (2, 1, 4))),
)

#: Input shape and pooled extents.
ADAPTIVE_2D: tuple[tuple[tuple[int, ...], tuple[int, int]], ...] = (
    ((2, 3, 8, 8), (4, 4)), ((2, 3, 8, 8), (8, 8)), ((2, 3, 8, 8), (3, 5)), ((2, 3, 8, 8), (1, 1)),
    ((3, 9, 7), (4, 2)), ((3, 9, 7), (1, 1)), ((3, 9, 7), (9, 1)), ((1, 1, 1, 1), (1, 1)),
    ((2, 2, 5, 4), (7, 9)), ((2, 2, 13, 11), (1, 5)), ((2, 2, 13, 11), (5, 1)),
    ((4, 5, 14, 14), (7, 7)), ((1, 70, 7, 7), (1, 1)), ((2, 3, 33, 34), (6, 7)),
    ((2, 1, 50, 3), (10, 3)), ((2, 1, 3, 50), (2, 20)), ((2, 8, 64, 65), (16, 16)),
)  # fmt: skip

ADAPTIVE_3D: tuple[tuple[tuple[int, ...], tuple[int, int, int]], ...] = (
    ((2, 3, 4, 6, 8), (2, 3, 4)), ((2, 3, 4, 6, 8), (4, 6, 8)), ((2, 3, 4, 6, 8), (3, 5, 5)),
    ((2, 3, 4, 6, 8), (1, 1, 1)), ((3, 5, 9, 7), (2, 4, 3)), ((3, 5, 9, 7), (1, 1, 1)),
    ((3, 5, 9, 7), (5, 1, 7)), ((1, 1, 1, 1, 1), (1, 1, 1)), ((2, 2, 3, 5, 4), (4, 7, 9)),
    ((2, 2, 3, 13, 11), (1, 1, 5)), ((2, 2, 3, 13, 11), (3, 5, 1)), ((1, 70, 2, 3, 3), (1, 1, 1)),
    ((2, 3, 7, 11, 13), (6, 7, 5)), ((2, 1, 9, 2, 20), (3, 2, 10)),
)  # fmt: skip


def gradients(shape: tuple[int, ...], dtype: str, rng: np.random.Generator, axes: int) -> Array:
    """Return values of one sign in each plane of the last ``axes`` axes.

    Sums over overlapping windows then cancel nothing, and relative errors are the kernel's.
    """
    signs = rng.choice([-1.0, 1.0], (*shape[:-axes], *(1,) * axes))
    return np.asarray(rng.uniform(0.25, 2.0, shape) * signs).astype(numpy_dtype(dtype))


def _filled(shape: tuple[int, ...], dtype: str) -> Array:
    return np.ones(shape, dtype=numpy_dtype(dtype))


def _avg_pool(dtype: str, rng: np.random.Generator, axes: int) -> Iterator[Case]:
    # Before A2, float32 is computed in float16 on the matrix unit, and only when that is allowed.
    in_half = dtype == "float32" and not has_bfloat16()

    def case(
        label: str, shape: tuple[int, ...], pooling: Pooling, grad: Array | None = None,
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: tuple[str, ...] = (),
        cube_math_type: int = int(in_half),
    ) -> Case:  # fmt: skip
        p = pooling
        pooled = pooled_shape(shape, p.kernel, p.stride, p.padding, p.ceil, axes=axes)
        grad = gradients(pooled, dtype, rng, axes) if grad is None else grad
        exact = grad.astype(np.float16) if in_half else grad
        golden = avg_pool_backward(
            exact.astype(np.float64), shape, p.kernel, p.stride, p.padding, p.include_padding,
            p.divisor, axes,
        )  # fmt: skip
        golden = golden.astype(np.float16).astype(np.float64) if in_half else golden
        attributes: list[Any] = [tuple(p.kernel), tuple(p.stride), tuple(p.padding)]
        attributes += [p.ceil, p.include_padding, p.divisor]
        if axes == 2:
            attributes.append(cube_math_type)
        inputs = (Operand(grad, layouts[0]), Operand(_filled(shape, dtype), layouts[1]))
        return Case(label, (*inputs, *attributes), (golden,), out)

    if axes == 3 and not has_bfloat16():
        return
    poolings = POOLINGS_2D if axes == 2 else POOLINGS_3D
    for shape, pooling in poolings:
        if not has_bfloat16() and pooling.ceil and pooling.include_padding:
            continue  # divides by the kernel's size there, whatever the window covers
        yield case(f"{shape} {pooling}", shape, pooling)
    shape, pooling = poolings[2]
    for first, second, out in layout_pairs():
        yield case(f"{first} × {second} → {out}", shape, pooling, None, (first, second), (out,))
    pooled = pooled_shape(shape, pooling.kernel, pooling.stride, pooling.padding, False, axes=axes)
    for special in (np.nan, np.inf, -np.inf, 0.0, -0.0):
        grad = gradients(pooled, dtype, rng, axes)
        grad[(0,) * axes] = special
        yield case(f"{special} in a window", shape, pooling, grad)
    expanded = np.array(np.broadcast_to(gradients((1, *pooled[1:]), dtype, rng, axes), pooled))
    yield case("expanded", shape, pooling, expanded, ("expanded", "expanded"))
    if axes == 2:
        # Results of eleven bits, which no precision of the matrix unit changes.
        eighths = rng.integers(1, 16, (2, 3, 4, 4)).astype(numpy_dtype(dtype))
        lowered = {"float32": (1, 2, 3), "float16": (1, 2), "bfloat16": (1,)}[dtype]
        for number in lowered if has_bfloat16() else (1, 2):
            label = f"cubeMathType {number}"
            yield case(label, (2, 3, 8, 8), Pooling((2,)), eighths, cube_math_type=number)
    empty = (0, *shape[1:])
    yield case("empty batch", empty, pooling)


def _adaptive_avg_pool(dtype: str, rng: np.random.Generator, axes: int) -> Iterator[Case]:
    def case(
        label: str, shape: tuple[int, ...], size: tuple[int, ...], grad: Array | None = None,
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: tuple[str, ...] = (),
    ) -> Case:  # fmt: skip
        grad = gradients((*shape[:-axes], *size), dtype, rng, axes) if grad is None else grad
        golden = adaptive_avg_pool_backward(grad.astype(np.float64), shape, axes)
        inputs = (Operand(grad, layouts[0]), Operand(_filled(shape, dtype), layouts[1]))
        return Case(label, inputs, (golden,), out)

    windows = ADAPTIVE_2D if axes == 2 else ADAPTIVE_3D
    for shape, size in windows:
        if axes == 3 and max(size) > 1 and (dtype == "float64" or not has_bfloat16()):
            continue
        yield case(f"{shape} to {size}", shape, size)
    shape = windows[2][0]
    every = (1,) * axes if axes == 3 and dtype == "float64" else windows[2][1]
    if axes == 3 and not has_bfloat16():
        every = (1,) * axes
    for first, second, out in layout_pairs():
        yield case(f"{first} × {second} → {out}", shape, every, None, (first, second), (out,))
    for special in (np.nan, np.inf, -np.inf, 0.0):
        grad = gradients((*shape[:-axes], *every), dtype, rng, axes)
        grad[(0,) * axes] = special
        yield case(f"{special} in a window", shape, every, grad)
    if axes == 2:
        yield case("empty batch", (0, 3, 8, 8), (2, 2))


SUITES = (
    Suite("avg_pool2d_backward", FLOATS, lambda d, r: _avg_pool(d, r, 2)),
    Suite("avg_pool3d_backward", FLOATS, lambda d, r: _avg_pool(d, r, 3)),
    Suite("adaptive_avg_pool2d_backward", FLOATS, lambda d, r: _adaptive_avg_pool(d, r, 2)),
    Suite(
        "adaptive_avg_pool3d_backward",
        (*FLOATS, "float64"),
        lambda d, r: _adaptive_avg_pool(d, r, 3),
    ),
)
