"""Slices filled or replaced by number, elements taken from anywhere, different elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pyaclnn.selftest.cases import Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.creation import exact, values_of

Shape = tuple[int, ...]
Cases = Callable[[str, np.random.Generator], Iterator[Case]]

_SHAPES: tuple[Shape, ...] = ((), (1,), (7,), (3, 5), (40, 17), (2, 3, 4), (2, 3, 4, 5))


def _tried() -> Iterator[tuple[Shape, int, str]]:
    for shape in _SHAPES:
        for axis in (*range(min(len(shape), 3)), -1):
            yield shape, axis, "contiguous"
    for layout in LAYOUTS[1:]:
        for axis in range(3):
            yield (6, 7, 10), axis, layout


def _fill(listed: bool, in_place: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for number, (shape, axis, layout) in enumerate(_tried()):
            values = values_of(shape, dtype, rng)
            grown = np.atleast_1d(exact(values)).copy()
            extent = grown.shape[axis]
            numbers = rng.integers(-extent, extent, (0, 1, 4)[number % 3])
            grown[(slice(None),) * (axis % grown.ndim) + (numbers,)] = 1
            golden = grown.reshape(values.shape)
            index = numbers.tolist() if listed else Operand(numbers, layout)
            inputs = (Operand(values, layout), axis, index, 1)
            outs = () if in_place or layout == "contiguous" else (layout,)
            yield Case(f"{shape} {axis} {numbers} {layout}", inputs, (golden,), outs)
        empty = values_of((0, 3), dtype, rng)
        index = [0] if listed else Operand(np.array([0]))
        yield Case("empty", (Operand(empty), 1, index, 1), (np.zeros((0, 3)),))

    return cases


def _copy(in_place: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for number, (shape, axis, layout) in enumerate(_tried()):
            values = values_of(shape, dtype, rng)
            grown = np.atleast_1d(exact(values)).copy()
            extent = grown.shape[axis]
            count = 1 if not shape else max(1, extent // 2)
            numbers = rng.permutation(extent)[:count].astype(("int32", "int64")[number % 2])
            extents = list(grown.shape)
            extents[axis] = count
            source = values_of(tuple(extents) if shape else (), dtype, rng)
            where = (slice(None),) * (axis % grown.ndim) + (numbers,)
            grown[where] = np.atleast_1d(exact(source))
            golden = grown.reshape(values.shape)
            inputs = (Operand(values, layout), axis, Operand(numbers, layout),
                      Operand(source, layout))  # fmt: skip
            outs = () if in_place or layout == "contiguous" else (layout,)
            yield Case(f"{shape} {axis} {layout}", inputs, (golden,), outs)

    return cases


def _take(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape in (*_SHAPES, (300, 401)):
        for of in ((), (5,), (2, 3), (0,)):
            values = values_of(shape, dtype, rng)
            index = rng.integers(-values.size, values.size, of)
            golden = exact(np.asarray(values.reshape(-1)[index]))
            yield Case(f"{shape} {of}", (Operand(values), Operand(index)), (golden,))
    for layout in LAYOUTS[1:]:
        values = values_of((6, 7, 10), dtype, rng)
        index = rng.integers(0, 420, (4, 6)).astype(np.int32)
        golden = exact(values.reshape(-1)[index])
        yield Case(layout, (Operand(values, layout), Operand(index, layout)), (golden,), (layout,))


def _unique(counted: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        tried = [(s, "contiguous") for s in (*_SHAPES, (20_000,))]
        tried += [((6, 7, 10), layout) for layout in LAYOUTS[1:]]
        for number, (shape, layout) in enumerate(tried):
            values = values_of(shape, dtype, rng)
            if numpy_dtype(dtype).kind in "fV":
                values = np.asarray(np.round(values)).astype(values.dtype)
            found = np.unique(exact(values), return_inverse=True, return_counts=True)
            inverse, counts = bool(number % 2), counted and number % 3 > 0
            flags = (True, inverse, counts) if counted else (True, inverse)
            golden = (
                found[0],
                found[1].reshape(shape) if inverse or counts else None,
                *((found[2] if counts else None,) if counted else ()),
            )
            yield Case(f"{shape} {flags} {layout}", (Operand(values, layout), *flags), golden)
        if numpy_dtype(dtype).kind in "fV":
            nan = np.array([np.nan, 1.0, np.nan, -0.0, 0.0, np.inf]).astype(numpy_dtype(dtype))
            flags = (True, False, False) if counted else (True, False)
            golden = (np.array([0.0, 1.0, np.inf, np.nan, np.nan]), None, None)
            yield Case("NaN", (Operand(nan), *flags), golden[: 3 if counted else 2])

    return cases


_FILLED = ("float32", "float16", "bfloat16", "int32", "int64", "bool")
_KINDS = (*_FILLED, "int8", "uint8", "int16", "float64")
_COMPLEX = ("complex64", "complex128")
_UNSIGNED = ("uint16", "uint32", "uint64")

SUITES: tuple[Suite, ...] = (
    *(Suite(prefix + name, _FILLED, _fill(name.endswith("tensor"), bool(prefix)))
      for prefix in ("", "inplace_") for name in ("index_fill", "index_fill_tensor")),
    *(Suite(prefix + "index_copy", (*_KINDS, *_COMPLEX), _copy(bool(prefix)))
      for prefix in ("", "inplace_")),
    Suite("take", (*_KINDS, *_UNSIGNED, *_COMPLEX), _take),
    Suite("unique2", (*_KINDS, *_UNSIGNED), _unique(True)),
    Suite("unique", (*_KINDS, *_UNSIGNED), _unique(False)),
)  # fmt: skip
