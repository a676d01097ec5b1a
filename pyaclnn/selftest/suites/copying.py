"""Casts and copies: every pair of element types, views of every kind, limits and special values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import (
    EMPTY_SHAPES,
    SHAPES,
    Array,
    Case,
    Operand,
    Suite,
    numpy_dtype,
    random_values,
)
from pyaclnn.selftest.chips import has_bfloat16, lacks_narrow
from pyaclnn.selftest.layouts import LAYOUTS

DTYPES = (
    "float32", "float16", "bfloat16", "float64", "int8", "uint8", "int16", "uint16", "int32",
    "uint32", "int64", "uint64", "bool", "complex64", "complex128",
)  # fmt: skip

_WIDE = {"b": np.int64, "i": np.int64, "u": np.int64, "c": np.complex128}


def converted(values: Array, to: str) -> Array:
    """Return values as another type has them.

    Integers keep their low bits; floating point is cut off, saturates, and NaN is 0; of a complex
    number the real part is taken; a bool is whether something is not zero.
    """
    target = numpy_dtype(to)
    if to == "bool":
        return np.asarray(values != 0)
    if values.dtype.kind == "c" and target.kind != "c":
        values = values.real
    if target.kind not in "iu":
        wide: Array = values.astype(_WIDE.get(values.dtype.kind, np.float64))
        return np.asarray(wide.astype(np.complex128 if target.kind == "c" else np.float64))
    if values.dtype.kind in "biu":
        return np.asarray(values.astype(np.int64).astype(target))
    limits = np.iinfo(target)
    whole = np.trunc(np.nan_to_num(values.astype(np.float64), nan=0.0, posinf=1e300, neginf=-1e300))
    inside = np.where((whole > limits.min) & (whole < limits.max), whole, 0).astype(target)
    inside = np.where(whole >= float(limits.max), limits.max, inside)
    return np.asarray(np.where(whole <= float(limits.min), limits.min, inside).astype(target))


def _values(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    return random_values(shape, dtype, rng)


def _limits(dtype: str) -> Array:
    kind = numpy_dtype(dtype)
    if dtype == "bool":
        return np.array([True, False])
    if kind.kind in "iu":
        # An unsigned 64-bit integer beyond the signed ones is copied, but counts as negative.
        high = min(np.iinfo(kind).max, 2**53)
        return np.array([0, 1, 127, high, max(np.iinfo(kind).min, -(2**53))], dtype=kind)
    points = [0.0, -0.0, 0.9, -0.9, 1.5, 2.5, -1.5, 127.0, 300.0, -300.0, 65504.0, np.inf, -np.inf]
    if kind.kind != "c":
        points.append(np.nan)
    return np.array(points).astype(kind)


def _cast(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for to in DTYPES:
        if to == "bfloat16" and not has_bfloat16():
            continue
        for label, values in (("", _values((5, 7), dtype, rng)), ("limits ", _limits(dtype))):
            with np.errstate(all="ignore"):
                yield Case(f"{label}to {to}", (Operand(values), to), (converted(values, to),))
    for shape in (*SHAPES[::3], *EMPTY_SHAPES):
        values = _values(shape, dtype, rng)
        yield Case(f"shape {shape}", (Operand(values), "float32"), (converted(values, "float32"),))
    for layout in LAYOUTS[1:]:
        values = _values((6, 7, 10), dtype, rng)
        golden = converted(values, "int32")
        case = Case(
            f"{layout}", (Operand(values, layout), "int32"), (golden,), (layout,), ("int32",)
        )
        yield case


def _copy(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(label: str, ref: Operand, source: Operand) -> Case:
        to = "bfloat16" if ref.values.dtype.name == "bfloat16" else ref.values.dtype.name
        with np.errstate(all="ignore"):
            golden = converted(np.broadcast_to(source.values, ref.values.shape), to)
        return Case(label, (ref, source), (golden,))

    for source in DTYPES:
        if source == "bfloat16" and not has_bfloat16():
            continue
        ref = Operand(_values((4, 6), dtype, rng))
        yield case(f"from {source}", ref, Operand(_values((4, 6), source, rng)))
    for shape in (*SHAPES[::3], *EMPTY_SHAPES):
        ref = Operand(_values(shape, dtype, rng))
        yield case(f"shape {shape}", ref, Operand(_values(shape, dtype, rng)))
    for to in LAYOUTS:
        for layout in LAYOUTS:
            ref = Operand(_values((6, 7, 10), dtype, rng), to)
            yield case(f"{layout} to {to}", ref, Operand(_values((6, 7, 10), dtype, rng), layout))
    for small in ((7, 10), (1, 10), (6, 1, 1), (1,), ()):
        ref = Operand(_values((6, 7, 10), dtype, rng))
        yield case(f"broadcast {small}", ref, Operand(_values(small, dtype, rng)))


_MOVED = ((), (7,), (3, 5), (2, 3, 4), (2, 3, 4, 5), (2, 1, 2, 1, 2, 1, 2, 3), (0, 3))


def _moved(
    arguments: Callable[[tuple[int, ...], np.random.Generator], Iterator[tuple[Any, ...]]],
    golden: Callable[..., Array],
) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    """Cases of an operator that moves elements: values as they are, of whatever type."""

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if lacks_narrow(dtype, (8, 0)):
            return
        for shape in _MOVED:
            for numbers in arguments(shape, rng):
                values = _values(shape, dtype, rng)
                expected = np.asarray(golden(values, *numbers))
                yield Case(f"{shape} {numbers}", (Operand(values), *numbers), (_exact(expected),))
        for layout in LAYOUTS[1:]:
            for numbers in arguments((6, 7, 10), rng):
                values = _values((6, 7, 10), dtype, rng)
                expected = np.asarray(golden(values, *numbers))
                inputs = (Operand(values, layout), *numbers)
                yield Case(f"{layout} {numbers}", inputs, (_exact(expected),), (layout,))

    return cases


def _exact(values: Array) -> Array:
    return values if values.dtype.kind in "biu" else converted(values, "complex128" if (
        values.dtype.kind == "c") else "float64")  # fmt: skip


def _orders(shape: tuple[int, ...], rng: np.random.Generator) -> Iterator[tuple[Any, ...]]:
    yield (list(range(len(shape)))[::-1],)
    yield ([int(d) for d in rng.permutation(len(shape))],)
    if len(shape) > 1:
        yield ([-1, *range(len(shape) - 1)],)


def _some_dims(shape: tuple[int, ...], rng: np.random.Generator) -> Iterator[tuple[Any, ...]]:
    yield ([],)
    if shape:
        yield ([0],)
        yield ([-1],)
        yield (list(range(len(shape))),)


def _ranges(shape: tuple[int, ...], rng: np.random.Generator) -> Iterator[tuple[Any, ...]]:
    for dim in range(-1, min(len(shape), 3)) if shape else ():
        for start, end, step in ((0, 2, 1), (1, 100, 2), (-3, -1, 1), (2, 1, 1), (0, 9, 5)):
            yield dim, start, end, step


def _sliced(values: Array, dim: int, start: int, end: int, step: int) -> Array:
    places: list[slice] = [slice(None)] * values.ndim
    places[dim] = slice(start, end, step)
    return np.asarray(values[tuple(places)])


def _repeats(shape: tuple[int, ...], rng: np.random.Generator) -> Iterator[tuple[Any, ...]]:
    rank = len(shape)
    yield ([int(n) for n in rng.integers(1, 4, rank)],)
    if rank < 7:
        yield ([2, *(int(n) for n in rng.integers(1, 3, rank))],)
    if rank:
        yield ([0, *[1] * (rank - 1)],)


def _selections(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape in _MOVED[1:-1]:
        for dim in range(-1, min(len(shape), 3)):
            for kind in ("int32", "int64"):
                values = _values(shape, dtype, rng)
                index = rng.integers(0, shape[dim], 5).astype(kind)
                golden = _exact(np.take(values, index, axis=dim))
                yield Case(f"{shape} dim {dim}", (Operand(values), dim, Operand(index)), (golden,))
    for layout in LAYOUTS[1:]:
        for dim in range(3):
            values = _values((6, 7, 10), dtype, rng)
            index = rng.integers(0, 6, 9)
            golden = _exact(np.take(values, index, axis=dim))
            inputs = (Operand(values, layout), dim, Operand(index, layout))
            yield Case(f"{layout} dim {dim}", inputs, (golden,), (layout,))


_KINDS = ("float32", "float16", "bfloat16", "int32", "int64", "int8", "uint8", "bool")
_MORE = (*_KINDS, "float64", "int16", "complex64", "complex128")
_FLOAT8 = ("float8_e5m2", "float8_e4m3fn")

SUITES = (
    Suite("permute", (*_MORE, *_FLOAT8), _moved(_orders, np.transpose)),
    Suite("flip", _MORE, _moved(_some_dims, lambda x, dims: np.flip(x, dims))),
    Suite("slice", _KINDS, _moved(_ranges, _sliced)),
    Suite("repeat", (*_MORE, *_FLOAT8), _moved(_repeats, np.tile)),
    Suite("index_select", _MORE, _selections),
    Suite("cast", DTYPES, _cast),
    Suite("inplace_copy", DTYPES, _copy),
)
