"""Sequences, the unit matrix, triangles and diagonals."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype, random_values
from pyaclnn.selftest.chips import has_bfloat16, soc_name
from pyaclnn.selftest.layouts import LAYOUTS

Cases = Callable[[str, np.random.Generator], Iterator[Case]]

KINDS = ("float32", "float16", "bfloat16", "float64", "int8", "uint8", "int16", "int32", "int64")
_OUT_LAYOUTS = ("contiguous", "every_second", "offset")


def values_of(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    """Return values of any element type."""
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    return random_values(shape, dtype, rng)


def exact(values: Array) -> Array:
    """Return values as references are held: in the widest type of their kind."""
    wide = {"c": np.complex128, "b": bool, "i": np.int64, "u": np.uint64}
    return values.astype(wide.get(values.dtype.kind, np.float64))


def _stepped(golden: Callable[[float, float, float], Array]) -> Cases:
    triples = ((0, 10, 1), (3, 3000, 7), (5, -5, -2), (-1, 2, 1), (0, 1, 2), (100, 0, -33))
    fractions = ((0.0, 1.0, 0.25), (-1.5, 2.0, 0.5), (3.0, -3.0, -0.75))

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if dtype == "float64" and soc_name().startswith(("Ascend910_95", "Ascend950")):
            return  # which has no such output
        whole = numpy_dtype(dtype).kind in "iu"
        for triple in (*triples, *(() if whole else fractions)):
            values = np.asarray(golden(*triple))
            values = values.astype(np.int64 if whole else np.float64)
            for layout in _OUT_LAYOUTS:
                yield Case(f"{triple} {layout}", triple, (values,), (layout,), (dtype,))

    return cases


def _linspace(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if dtype in ("int16", "int64") and not has_bfloat16():
        return  # chips without bfloat16 have none of these either
    whole = numpy_dtype(dtype).kind in "iu"
    ends = ((0, 10), (5, 100), (7, 7)) if whole else ((0.0, 1.0), (-3.5, 3.5), (2.0, -1.0), (1, 9))
    for start, end in ends:
        # Integers: steps that are whole ones, for the cut of a quotient may go either way.
        counts = (0, 1, 2, int(abs(end - start)) + 1) if whole else (0, 1, 2, 5, 1000)
        for count in counts:
            values = np.linspace(start, end, count)
            values = np.rint(values).astype(np.int64) if whole else values
            for layout in _OUT_LAYOUTS if count else _OUT_LAYOUTS[:1]:
                label = f"{start} to {end} in {count} {layout}"
                yield Case(label, (start, end, count), (values,), (layout,), (dtype,))


def _eye(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for n, m in ((1, 1), (3, 3), (2, 5), (5, 2), (0, 3), (3, 0), (40, 33)):
        values = exact(np.eye(n, m).astype(numpy_dtype(dtype)))
        for layout in ("contiguous", "transposed", "inner_slice"):
            yield Case(f"{n} x {m} {layout}", (n, m), (values,), (layout,), (dtype,))


def _with_diagonal(
    shapes: tuple[tuple[int, ...], ...], golden: Callable[[Array, int], Array], in_place: bool,
    diagonals: Callable[[tuple[int, ...]], tuple[int, ...]],
) -> Cases:  # fmt: skip
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for shape in shapes:
            for diagonal in diagonals(shape):
                values = values_of(shape, dtype, rng)
                expected = exact(np.asarray(golden(values, diagonal)))
                yield Case(f"{shape} {diagonal}", (Operand(values), diagonal), (expected,))
        for layout in LAYOUTS[1:]:
            shape = next(s for s in reversed(shapes) if 0 not in s)
            values = values_of(shape, dtype, rng)
            expected = exact(np.asarray(golden(values, 1)))
            inputs = (Operand(values, layout), 1)
            yield Case(f"{layout}", inputs, (expected,), () if in_place else (layout,))

    return cases


_MATRICES = ((1, 1), (3, 3), (2, 5), (5, 2), (4, 3, 5), (2, 3, 1, 4), (0, 3), (2, 0, 3), (70, 90))
_VECTORS = ((), (1,), (5,), (2, 5), (5, 2), (4, 4))
_ANY = ((), (1,), (5,), (2, 3), (2, 3, 4))


def _all_of(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (0, 1, -1, 2, -3, 100, -100)


def _inside(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (0, 1, -1, *((2, -3) if len(shape) < 2 else ()))


def _few(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (0, 2, -1)


def _diag_flat(values: Array, diagonal: int) -> Array:
    return np.diagflat(values, diagonal)


def _diag(values: Array, diagonal: int) -> Array:
    return np.diag(np.atleast_1d(values), diagonal)


def _fill_diagonal(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def one(shape: tuple[int, ...], layout: str, wrap: bool) -> Case:
        values = values_of(shape, dtype, rng)
        golden = values.copy()
        if golden.size:
            np.fill_diagonal(golden, 1, wrap=wrap)
        label = f"{shape} {layout} wrap {wrap}"
        return Case(label, (Operand(values, layout), 1, wrap), (exact(golden),))

    for shape in ((1, 1), (3, 3), (7, 3), (8, 3), (11, 2), (2, 5), (4, 4, 4), (0, 3)):
        for wrap in (False, True):
            yield one(shape, "contiguous", wrap)
    for layout in LAYOUTS[1:]:
        yield one((7, 3), layout, True)


def _fill_tensor(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    shapes = ((), (1,), (7,), (3, 5), (2, 3, 4), (0, 3), (1025,))
    for shape, layout in (*((s, "contiguous") for s in shapes), *(((3, 6), x) for x in LAYOUTS)):
        for of in ((), (1,)):
            values = values_of(shape, dtype, rng)
            value = values_of(of, dtype, rng)
            golden = exact(np.broadcast_to(value.reshape(()), shape))
            yield Case(
                f"{shape} {of} {layout}", (Operand(values, layout), Operand(value)), (golden,)
            )


def _range(start: float, end: float, step: float) -> Array:
    return start + step * np.arange(int(np.floor((end - start) / step)) + 1)


_FLAGS: tuple[str, ...] = (*KINDS, "bool")
_STEPPED = ("float32", "float16", "bfloat16", "float64", "int32", "int64")
_DIAGONAL = (*_FLAGS, "complex64")
_TRIANGLE = (*_FLAGS, "uint16", "uint32", "uint64")

SUITES: tuple[Suite, ...] = (
    Suite("arange", _STEPPED, _stepped(np.arange)),
    Suite("range", _STEPPED, _stepped(_range)),
    Suite("linspace", KINDS, _linspace),
    Suite("eye", ("float32", "float16", "bfloat16", "int32", "int8", "uint8", "int16", "int64",
                  "bool"), _eye),
    *(
        Suite(prefix + name, _TRIANGLE,
              _with_diagonal(_MATRICES, golden, bool(prefix), _all_of))
        for prefix in ("", "inplace_")
        for name, golden in (("tril", np.tril), ("triu", np.triu))
    ),
    Suite("diag", _DIAGONAL, _with_diagonal(_VECTORS, _diag, False, _inside)),
    Suite("diag_flat", _DIAGONAL, _with_diagonal(_ANY, _diag_flat, False, _few)),
    Suite("inplace_fill_diagonal", _FLAGS, _fill_diagonal),
    Suite("inplace_fill_tensor", (*_DIAGONAL, "complex128"), _fill_tensor),
)  # fmt: skip
