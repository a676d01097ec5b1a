"""Products of vectors, sums of matrix products: every element type, views, factors of zero."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.creation import exact

Shape = tuple[int, ...]
Cases = Callable[[str, np.random.Generator], Iterator[Case]]

_FLOATS = ("float32", "float16", "bfloat16")
_INTEGERS = ("int8", "uint8", "int16", "int32", "int64")
_KEEP, _HFLOAT32 = 0, 3


def values_of(shape: Shape, dtype: str, rng: np.random.Generator) -> Array:
    """Return values of one sign; integers small enough that their sums fit."""
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if numpy_dtype(dtype).kind in "iu":
        return rng.integers(0, 3, shape).astype(numpy_dtype(dtype))
    values = rng.uniform(0.1, 1.0, shape)
    if dtype.startswith("complex"):
        values = values + 1j * rng.uniform(0.1, 1.0, shape)
    return np.asarray(values).astype(numpy_dtype(dtype))


def _wide(values: Array) -> Array:
    wide = exact(values)
    return wide.astype(np.int64) if wide.dtype.kind in "bu" else wide


def _as(golden: Array, dtype: str) -> Array:
    """Return integers as an element type has them: 0 or 1 for bool, their low bits else."""
    kind = numpy_dtype(dtype).kind
    return golden.astype(numpy_dtype(dtype)) if kind in "iub" else np.asarray(golden)


def _outs(layout: str) -> tuple[str, ...]:
    return () if layout == "contiguous" else (layout,)


def _computes(dtype: str) -> bool:
    """Whether the cube unit multiplies matrices of this type without rounding them first."""
    return chip_family() in ("A2", "950") or dtype != "float32"


def _dot(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for length, layout in (
        (1, "contiguous"),
        (0, "contiguous"),
        (33, "contiguous"),
        (40, "contiguous"),
        *((17, layout) for layout in LAYOUTS[1:]),
    ):
        a, b = (values_of((length,), dtype, rng) for _ in range(2))
        golden = _as(np.asarray(_wide(a) @ _wide(b)), dtype)
        yield Case(f"{length} {layout}", (Operand(a, layout), Operand(b, layout)), (golden,))


def _factors(dtype: str) -> Iterator[tuple[float, float]]:
    """Return beta and alpha in the kind of an element type."""
    if dtype == "bool":
        yield from ((1, 1),)
    else:
        yield from ((1, 1), (2, 1), (1, 3), (0, 1), (2, 0))
    if numpy_dtype(dtype).kind not in "iub":
        yield 0.5, 1.5


def _addmv(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not _computes(dtype):
        return

    def case(
        added: Shape, matrix: Shape, beta: float, alpha: float, layout: str = "contiguous",
        math: int = _KEEP,
    ) -> Case:  # fmt: skip
        a, b, c = (values_of(s, dtype, rng) for s in (added, matrix, matrix[1:]))
        golden = beta * _wide(a) + alpha * (_wide(b) @ _wide(c))
        operands = (Operand(a, layout), Operand(b, layout), Operand(c, layout))
        label = f"{added} {matrix} {beta} {alpha} {layout}"
        golden = _as(np.asarray(golden), dtype)
        return Case(label, (*operands, alpha, beta, math), (golden,), _outs(layout))

    for beta, alpha in _factors(dtype):
        yield case((5,), (5, 7), beta, alpha)
    for added, matrix in (((), (4, 3)), ((1,), (4, 3)), ((70,), (70, 33)), ((3,), (3, 0))):
        yield case(added, matrix, 1, 1)
    for layout in LAYOUTS[1:]:
        yield case((6,), (6, 9), 1, 1, layout)
    if dtype == "float32":
        yield case((6,), (6, 9), 1, 1, math=_HFLOAT32)


def _outer(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    sizes = ((1, 1), (3, 5), (40, 33), (0, 2))
    for (rows, columns), layout in (
        *((size, "contiguous") for size in sizes), *(((6, 7), layout) for layout in LAYOUTS[1:]),
    ):  # fmt: skip
        a, b = values_of((rows,), dtype, rng), values_of((columns,), dtype, rng)
        golden = _as(np.multiply.outer(_wide(a), _wide(b)), dtype)
        yield Case(f"{rows} {columns} {layout}", (Operand(a, layout), Operand(b, layout)),
                   (golden,), _outs(layout))  # fmt: skip


def _addr(in_place: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        def case(
            added: Shape, rows: int, columns: int, beta: float, alpha: float, layout: str
        ) -> Case:
            a = values_of(added, dtype, rng)
            b, c = values_of((rows,), dtype, rng), values_of((columns,), dtype, rng)
            golden = beta * _wide(a) + alpha * np.multiply.outer(_wide(b), _wide(c))
            factors = (bool(beta), bool(alpha)) if dtype == "bool" else (beta, alpha)
            operands = (Operand(a, layout), Operand(b, layout), Operand(c, layout))
            label = f"{added} {rows} {columns} {beta} {alpha} {layout}"
            golden = _as(np.asarray(golden), dtype)
            return Case(label, (*operands, *factors), (golden,), () if in_place else _outs(layout))

        for beta, alpha in _factors(dtype):
            yield case((3, 5), 3, 5, beta, alpha, "contiguous")
        for rows, columns in ((1, 1), (40, 33)):
            yield case((rows, columns), rows, columns, 1, 1, "contiguous")
        for added in () if in_place else ((1, 5), (3, 1), (5,), ()):
            yield case(added, 3, 5, 1, 1, "contiguous")
        for layout in LAYOUTS[1:]:
            yield case((6, 7), 6, 7, 1, 1, layout)

    return cases


def _cross(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    places: tuple[tuple[Shape, Shape, int], ...] = (
        ((3,), (3,), 0), ((2, 3), (2, 3), -1), ((3, 4), (3, 4), 0), ((2, 3, 5), (2, 3, 5), 1),
        ((2, 1, 3), (1, 4, 3), -1), ((3,), (5, 3), 0), ((0, 3), (0, 3), 1),
    )  # fmt: skip
    for (first, second, dim), layout in (
        *((place, "contiguous") for place in places),
        *(((((4, 3, 6)), (4, 3, 6), 1), layout) for layout in LAYOUTS[1:]),
    ):
        a, b = values_of(first, dtype, rng), values_of(second, dtype, rng)
        shape = np.broadcast_shapes(first, second)
        axis = dim + max(len(second) - len(first), 0) if dim >= 0 else dim
        wide = (np.broadcast_to(_wide(v), shape) for v in (a, b))
        golden = _as(_cross_of(*(np.moveaxis(v, axis, 0) for v in wide)), dtype)
        yield Case(f"{first} {second} {dim} {layout}",
                   (Operand(a, layout), Operand(b, layout), dim),
                   (np.moveaxis(golden, 0, axis),), _outs(layout))  # fmt: skip


def _cross_of(a: Array, b: Array) -> Array:
    """Return the cross product along the first axis."""
    return np.stack([a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]
                     for i in range(3)])  # fmt: skip


_BATCHES: tuple[tuple[Shape, Shape], ...] = (
    ((1, 1, 1), (1, 1, 1)), ((3, 4, 5), (3, 5, 2)), ((1, 3, 4), (6, 4, 5)), ((6, 3, 4), (1, 4, 5)),
    ((5, 40, 9), (5, 9, 50)), ((2, 3, 0), (2, 0, 4)), ((0, 3, 2), (0, 2, 4)),
)  # fmt: skip


def _addbmm(in_place: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not _computes(dtype):
            return

        def case(
            added: Shape, left: Shape, right: Shape, beta: float, alpha: float,
            layout: str = "contiguous",
        ) -> Case:  # fmt: skip
            a, b, c = (values_of(s, dtype, rng) for s in (added, left, right))
            golden = beta * exact(a) + alpha * (exact(b) @ exact(c)).sum(axis=0)
            operands = (Operand(a, layout), Operand(b, layout), Operand(c, layout))
            label = f"{added} {left} {right} {beta} {alpha} {layout}"
            outs = () if in_place else _outs(layout)
            return Case(label, (*operands, beta, alpha, _KEEP), (golden,), outs)

        for left, right in _BATCHES:
            yield case((left[1], right[2]), left, right, 1, 1)
        for beta, alpha in _factors(dtype):
            yield case((4, 2), (3, 4, 5), (3, 5, 2), beta, alpha)
        for added in () if in_place else ((2,), (1, 2), (4, 1), ()):
            yield case(added, (3, 4, 5), (3, 5, 2), 1, 1)
        for layout in LAYOUTS[1:]:
            yield case((4, 2), (3, 4, 5), (3, 5, 2), 1, 1, layout)

    return cases


def _gemm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not _computes(dtype):
        return

    def case(
        sizes: Shape, added: Shape, flags: Shape, beta: float, alpha: float,
        layout: str = "contiguous",
    ) -> Case:  # fmt: skip
        rows, depth, columns = sizes
        a = values_of((depth, rows) if flags[0] else (rows, depth), dtype, rng)
        b = values_of((columns, depth) if flags[1] else (depth, columns), dtype, rng)
        c = values_of(added, dtype, rng)
        left, right = exact(a.T if flags[0] else a), exact(b.T if flags[1] else b)
        golden = alpha * (left @ right) + beta * exact(c)
        operands = (Operand(a, layout), Operand(b, layout), Operand(c, layout))
        label = f"{sizes} {added} {flags} {beta} {alpha} {layout}"
        return Case(label, (*operands, alpha, beta, *flags, _KEEP), (golden,), _outs(layout))

    for flags in product((0, 1), repeat=2):
        yield case((4, 5, 6), (4, 6), flags, 1, 1)
        yield case((33, 17, 40), (33, 40), flags, 0.5, 2)
    for beta, alpha in _factors(dtype):
        yield case((4, 5, 6), (4, 6), (0, 1), beta, alpha)
    for added in ((6,), (1, 6), (4, 1), ()):
        yield case((4, 5, 6), added, (0, 0), 1, 1)
    yield case((4, 0, 6), (4, 6), (0, 0), 2, 1)
    for layout in LAYOUTS[1:]:
        yield case((4, 5, 6), (4, 6), (1, 0), 1, 1, layout)


_REAL = (*_FLOATS, "float64", *_INTEGERS, "bool")
_GER = ("float32", "float16", "float64", *_INTEGERS, "bool", "complex64", "complex128")
_CROSS = (*_FLOATS, "float64", *_INTEGERS, "complex64", "complex128")

SUITES: tuple[Suite, ...] = (
    Suite("dot", (*_FLOATS, "int8", "int32", "uint8"), _dot),
    Suite("addmv", _REAL, _addmv),
    Suite("ger", _GER, _outer),
    Suite("addr", _REAL, _addr(False)),
    Suite("inplace_addr", _REAL, _addr(True)),
    Suite("linalg_cross", _CROSS, _cross),
    Suite("addbmm", _FLOATS, _addbmm(False)),
    Suite("inplace_addbmm", _FLOATS, _addbmm(True)),
    Suite("gemm", _FLOATS, _gemm),
)
