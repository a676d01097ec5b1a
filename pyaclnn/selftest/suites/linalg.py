"""Linear algebra against NumPy's in double precision, of matrices that are far from singular."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family, is_a2_or_late_950
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.affine import with_views
from pyaclnn.selftest.suites.creation import exact

Shape = tuple[int, ...]
Cases = Callable[[str, np.random.Generator], Iterator[Case]]

_EXACT = ("float32", "float64", "complex64", "complex128")
_SHAPES: tuple[Shape, ...] = ((1, 1), (3, 3), (2, 4, 4), (2, 1, 3, 2, 2), (33, 33))
_EMPTY: tuple[Shape, ...] = ((0, 0), (0, 3, 3))


def _values(shape: Shape, dtype: str, rng: np.random.Generator) -> Array:
    values = rng.uniform(0.1, 1.0, shape)
    if dtype.startswith("complex"):
        values = values + 1j * rng.uniform(0.1, 1.0, shape)
    return np.asarray(values).astype(numpy_dtype(dtype))


def _square(shape: Shape, dtype: str, rng: np.random.Generator) -> Array:
    """Return matrices whose diagonals outweigh all else."""
    diagonal = np.eye(shape[-1], dtype=numpy_dtype(dtype)) * shape[-1]
    return np.asarray(_values(shape, dtype, rng) + diagonal)


def _triangular(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(a: Shape, b: Shape, flags: tuple[bool, ...], layout: str = "contiguous") -> Case:
        upper, transpose, unit = flags
        matrix, right = _square(a, dtype, rng), _values(b, dtype, rng)
        counted = np.triu(exact(matrix)) if upper else np.tril(exact(matrix))
        if unit:
            # Large numbers beside a diagonal of ones would make the solution meaningless.
            matrix = (matrix / numpy_dtype(dtype).type(64 * a[-1])).astype(matrix.dtype)
            counted = np.triu(exact(matrix), 1) if upper else np.tril(exact(matrix), -1)
            counted = counted + np.eye(a[-1])
        batch = np.broadcast_shapes(a[:-2], b[:-2])
        solved = np.linalg.solve(
            np.broadcast_to(counted.swapaxes(-1, -2) if transpose else counted, (*batch, *a[-2:])),
            np.broadcast_to(exact(right), (*batch, *b[-2:])),
        )
        given = np.broadcast_to(exact(matrix), (*batch, *a[-2:]))
        outs = () if layout == "contiguous" else (layout, layout)
        inputs = (Operand(right, layout), Operand(matrix, layout), *flags)
        return Case(f"{a} {b} {flags} {layout}", inputs, (solved, given), outs)

    for flags in product((False, True), repeat=3):
        if not flags[2] or dtype == "float32":
            yield case((2, 5, 5), (2, 5, 3), flags)
    shapes = (
        ((1, 1), (1, 1)), ((4, 4), (3, 4, 2)), ((2, 1, 3, 3), (5, 3, 4)), ((70, 70), (70, 9)),
        ((0, 0), (0, 3)), ((3, 3), (0, 3, 1)),
    )  # fmt: skip
    for a, b in shapes:
        yield case(a, b, (True, False, False))
    for layout in LAYOUTS[1:]:
        yield case((3, 6, 6), (3, 6, 4), (False, False, False), layout)


def _inverse(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() not in ("A2", "950"):
        return
    for shape in (*_SHAPES, *_EMPTY):
        values = _square(shape, dtype, rng)
        yield Case(f"{shape}", (Operand(values),), (np.linalg.inv(exact(values)),))
    for layout in LAYOUTS[1:]:
        values = _square((2, 5, 5), dtype, rng)
        golden = np.linalg.inv(exact(values))
        yield Case(layout, (Operand(values, layout),), (golden,), (layout,))


_RECTANGLES: tuple[Shape, ...] = ((1, 1), (4, 3), (3, 4), (2, 5, 5), (2, 1, 6, 2), (40, 17))


def _well_conditioned(shape: Shape, dtype: str, rng: np.random.Generator) -> Array:
    """Return matrices of full rank, whose columns differ much."""
    values = _values(shape, dtype, rng)
    diagonal = 2 * shape[-1] * np.eye(*shape[-2:], dtype=numpy_dtype(dtype))
    return np.asarray(values + diagonal)


def _qr_of(values: Array, complete: bool) -> tuple[Array, Array]:
    wide = exact(values)
    if values.size == 0:
        # NumPy's batches are not empty.
        rows, columns = values.shape[-2:]
        inner = rows if complete else min(rows, columns)
        q = np.zeros((*values.shape[:-1], inner)) + np.eye(rows, inner)
        return q, np.zeros((*values.shape[:-2], inner, columns))
    return np.linalg.qr(wide, "complete" if complete else "reduced")


def _qr(modes: tuple[int | bool, ...], complete: int | bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() == "310P" or (complete == 1 and modes[0] == 0 and chip_family() == "950"):
            return
        for mode in modes:
            for shape in (*_RECTANGLES, (3, 0), (0, 3, 3)):
                values = _well_conditioned(shape, dtype, rng)
                q, r = _qr_of(values, mode is complete)
                inputs = (Operand(values), mode)
                yield Case(f"{shape} {mode}", inputs, (np.zeros(0) if mode == 2 else q, r))
        for layout in LAYOUTS[1:]:
            values = _well_conditioned((2, 6, 4), dtype, rng)
            inputs = (Operand(values, layout), complete)
            yield Case(layout, inputs, _qr_of(values, True), (layout, layout))

    return cases


def _cholesky(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() != "A2":
        return

    def case(shape: Shape, upper: bool, layout: str = "contiguous") -> Case:
        values = _values(shape, dtype, rng)
        values = values + values.swapaxes(-1, -2)
        values = (values + shape[-1] * np.eye(shape[-1])).astype(numpy_dtype(dtype))
        golden = np.linalg.cholesky(exact(values))
        golden = golden.swapaxes(-1, -2) if upper else golden
        outs = () if layout == "contiguous" else (layout,)
        return Case(f"{shape} {upper} {layout}", (Operand(values, layout), upper), (golden,), outs)

    for upper in (False, True):
        yield from (case(shape, upper) for shape in (*_SHAPES, *_EMPTY))
        yield from (case((3, 5, 5), upper, layout) for layout in LAYOUTS[1:])


def _svd(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Compare the singular values: the signs of vectors are nobody's to say."""
    if chip_family() not in ("A2", "950"):
        return
    for full, vectors in product((False, True), repeat=2):
        for shape in (*_RECTANGLES, (0, 3, 4)):
            values = _values(shape, dtype, rng) - 0.5
            golden = np.linalg.svd(exact(values), compute_uv=False)
            inputs = (Operand(values), full, vectors)
            yield Case(f"{shape} {full} {vectors}", inputs, (golden, None, None))
    for layout in LAYOUTS[1:]:
        values = _values((2, 5, 4), dtype, rng) - 0.5
        golden = np.linalg.svd(exact(values), compute_uv=False)
        yield Case(layout, (Operand(values, layout), False, True), (golden, None, None))


_MATRICES: tuple[Shape, ...] = (
    (1, 1), (3, 3), (2, 4, 4), (2, 1, 3, 2, 2), (33, 33), (2, 1, 2, 1, 2, 1, 3, 3), (0, 3, 3),
)  # fmt: skip


def _matrices(shape: Shape, dtype: str, rng: np.random.Generator) -> Array:
    values: Array = rng.normal(0, 1, shape)
    if dtype.startswith("complex"):
        values = values + 1j * rng.normal(0, 1, shape)
    return values.astype(numpy_dtype(dtype))


def _slogdet(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "950" and not is_a2_or_late_950():
        return

    def case(values: Array, label: str) -> Case:
        sign, log = np.linalg.slogdet(exact(values))
        return Case(label, (Operand(values),), (np.asarray(sign), np.asarray(log)))

    for shape in _MATRICES:
        usual = case(_matrices(shape, dtype, rng), f"{shape}")
        if shape == (2, 4, 4):
            yield from with_views(usual, 0)
        else:
            yield usual
    # A zero column stays one, whatever the pivots.
    singular = _matrices((3, 4, 4), dtype, rng)
    singular[1, :, 2] = 0
    yield case(singular, "one is singular")
    yield case(np.diag([-2.0, 1.0, 3.0]).astype(numpy_dtype(dtype)), "negative")
    yield case(np.eye(3)[[1, 0, 2]].astype(numpy_dtype(dtype)), "rows exchanged")


def _logdet(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "310P":
        return

    def case(values: Array, label: str) -> Case:
        sign, log = np.linalg.slogdet(exact(values))
        with np.errstate(all="ignore"):
            golden = np.log(sign) + log
        return Case(label, (Operand(values),), (np.asarray(golden),))

    for shape in _MATRICES:
        values = _matrices(shape, dtype, rng)
        # Large diagonals: no logarithm is near 0, and real determinants are positive.
        values = values / 4 + np.eye(shape[-1], dtype=values.dtype) * 2
        usual = case(values.astype(numpy_dtype(dtype)), f"{shape}")
        if shape == (2, 4, 4):
            yield from with_views(usual, 0)
        else:
            yield usual
    yield case(np.diag([2.0, 0.0, 3.0]).astype(numpy_dtype(dtype)), "singular")
    if not dtype.startswith("complex"):
        yield case(np.diag([-2.0, 1.0, 3.0]).astype(numpy_dtype(dtype)), "negative")


SUITES: tuple[Suite, ...] = (
    Suite("triangular_solve", _EXACT, _triangular),
    Suite("inverse", (*_EXACT, "float16"), _inverse),
    Suite("linalg_qr", (*_EXACT, "float16"), _qr((0, 1, 2), 1)),
    Suite("qr", (*_EXACT, "float16"), _qr((True, False), False)),
    Suite("linalg_cholesky", ("float32", "bfloat16"), _cholesky),
    Suite("svd", _EXACT, _svd),
    Suite("logdet", _EXACT, _logdet),
    Suite("slogdet", _EXACT, _slogdet),
)
