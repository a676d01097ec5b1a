"""Running sums and extrema, sorting, choosing by order: ties, NaN, long lines, views."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.creation import exact

Shape = tuple[int, ...]
Cases = Callable[[str, np.random.Generator], Iterator[Case]]

_SHAPES: tuple[Shape, ...] = (
    (), (1,), (7,), (33,), (1025,), (3, 5), (40, 17), (2, 3, 4), (5, 1, 6), (3, 700), (700, 3),
    (2, 3, 4, 5), (2, 1, 2, 1, 2, 1, 2, 3), (0,), (0, 3),
)  # fmt: skip
_FLOATS = ("float32", "float16", "bfloat16")
_INTEGERS = ("int8", "uint8", "int16", "int32", "int64")


def _values(shape: Shape, dtype: str, rng: np.random.Generator, low: int = -9) -> Array:
    """Return few different values: there are ties."""
    kind = numpy_dtype(dtype)
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if kind.kind in "iu":
        return rng.integers(0 if kind.kind == "u" else low, 10, shape).astype(kind)
    values = rng.integers(4 * low, 40, shape) / 4.0
    if kind.kind == "c":
        values = values + 1j * rng.integers(-4, 5, shape)
    return np.asarray(values).astype(kind)


def _axes(shape: Shape) -> Iterator[int]:
    yield from range(min(len(shape), 3))
    yield -1


def _placed(
    dtype: str, rng: np.random.Generator, long: Shape = ()
) -> Iterator[tuple[Array, int, str]]:
    for shape in (*_SHAPES, *((long,) if long and dtype in ("float32", "int64") else ())):
        for axis in _axes(shape):
            yield _values(shape, dtype, rng), axis, "contiguous"
    for layout in LAYOUTS[1:]:
        for axis in range(3):
            yield _values((6, 7, 10), dtype, rng), axis, layout


def _along(values: Array, axis: int) -> tuple[Array, int]:
    """Return at least one dimension, and an axis that is not negative."""
    grown = np.atleast_1d(values)
    return grown, axis % grown.ndim


def _scan(formula: Callable[..., Array], *options: str) -> Cases:
    product = formula is np.multiply.accumulate

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        whole = numpy_dtype(dtype).kind in "iu"
        for values, axis, layout in _placed(dtype, rng, (300_000,)):
            values = _near_one(values) if product else values
            grown, place = _along(values, axis)
            wide = grown.astype(np.int64) if whole else exact(grown)
            with np.errstate(all="ignore"):
                golden = np.asarray(formula(wide, axis=place)).reshape(values.shape)
            golden = golden.astype(numpy_dtype(dtype)) if whole else golden
            operand = Operand(values, layout)
            outs = () if layout == "contiguous" else (layout,)
            if "in place" in options:
                yield Case(f"{values.shape} {axis} {layout}", (operand, axis), (golden,))
            else:
                inputs = (operand, axis, dtype)
                yield Case(f"{values.shape} {axis} {layout}", inputs, (golden,), outs)

    return cases


def _near_one(values: Array) -> Array:
    """Return factors whose products neither vanish nor overflow."""
    if values.dtype.kind in "iu":
        return np.where(values == values.dtype.type(3), 2, 1).astype(values.dtype)
    signs = np.where(values.real < 0, -1, 1) if values.dtype.kind == "c" else np.sign(values)
    return np.asarray(np.where(signs == 0, 1, signs)).astype(values.dtype)


def _exclusive(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    whole = numpy_dtype(dtype).kind in "iu"
    for number, (values, axis, layout) in enumerate(_placed(dtype, rng, (300_000,))):
        exclusive, reverse = bool(number & 1), bool(number & 2)
        grown, place = _along(values, axis)
        wide = grown.astype(np.int64) if whole else exact(grown)
        turned = np.flip(wide, place) if reverse else wide
        sums = np.cumsum(turned, axis=place) - (turned if exclusive else 0)
        golden = (np.flip(sums, place) if reverse else sums).reshape(values.shape)
        golden = golden.astype(numpy_dtype(dtype)) if whole else golden
        outs = () if layout == "contiguous" else (layout,)
        inputs = (Operand(values, layout), axis, exclusive, reverse)
        yield Case(f"{values.shape} {axis} {layout}", inputs, (golden,), outs)


def _running(largest: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        def one(values: Array, axis: int, layout: str) -> Case:
            grown, place = _along(values, axis)
            lines = np.moveaxis(exact(grown).copy(), place, -1)
            best = np.zeros(lines.shape, np.int64)
            for index in np.ndindex(lines.shape[:-1]):
                line, places = lines[index], best[index]
                held = 0
                for i, value in enumerate(line):
                    better = value >= line[held] if largest else value <= line[held]
                    held = i if value != value or (line[held] == line[held] and better) else held
                    places[i] = held
            taken = np.take_along_axis(lines, best, -1) if lines.size else lines
            golden = np.moveaxis(taken, -1, place).reshape(values.shape)
            where = np.moveaxis(best, -1, place).reshape(values.shape)
            outs = () if layout == "contiguous" else (layout, layout)
            types = () if layout == "contiguous" else (dtype, "int32")
            label = f"{values.shape} {axis} {layout}"
            return Case(label, (Operand(values, layout), axis), (golden, where), outs, types)

        for values, axis, layout in _placed(dtype, rng):
            if values.ndim or not largest:
                yield one(values, axis, layout)
        if numpy_dtype(dtype).kind == "f":
            nan = np.array([1.0, np.nan, 3.0, np.nan, 2.0]).astype(numpy_dtype(dtype))
            yield one(nan, 0, "contiguous")

    return cases


def _order(values: Array, axis: int, descending: bool) -> Array:
    """Return the stable order along an axis: NaN is the largest."""
    wide = exact(values)
    wide = wide.astype(np.int64) if wide.dtype.kind == "b" else wide
    if wide.dtype.kind == "f":
        nan = np.isnan(wide)
        wide = np.where(nan, 0.0, wide)
        keys = (-wide, ~nan) if descending else (wide, nan)
    else:
        # The complement turns the order round without leaving the type.
        keys = (~wide if descending else wide, np.zeros_like(wide))
    return np.asarray(np.lexsort(keys, axis=axis))


def _special(dtype: str) -> list[Array]:
    if numpy_dtype(dtype).kind in "iub":
        limits = [0, 1] if dtype == "bool" else [np.iinfo(dtype).max, 0, np.iinfo(dtype).min, 1]
        return [np.array(limits).astype(numpy_dtype(dtype))]
    points = [np.nan, 1.0, -np.inf, -0.0, 0.0, np.inf, -1.0, np.nan, 2.0**-20, -(2.0**-20)]
    return [np.array(points).astype(numpy_dtype(dtype))]


def _sorted(
    golden: Callable[..., tuple[Array, ...]], arguments: Callable[[int, int], tuple[Any, ...]],
    few: Callable[[int], int],
) -> Cases:  # fmt: skip
    """Cases of an operator that orders lines; ``few`` of the places of each are taken."""

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        long = (150_000,)
        tried = [*_placed(dtype, rng, long), *((v, 0, "contiguous") for v in _special(dtype))]
        if dtype in ("float32", "int64"):
            tried.append((rng.normal(0, 1e6, 5000).astype(dtype), 0, "contiguous"))
        for number, (values, axis, layout) in enumerate(tried):
            if dtype == "bfloat16" and np.atleast_1d(values).shape[axis] == 1:
                continue  # Argsort refuses it
            grown, place = _along(values, axis)
            length = grown.shape[place]
            count = few(length)
            if count > length:
                continue
            results = golden(grown, place, bool(number % 2), count)
            shaped = tuple(r.reshape(()) if values.ndim == 0 else r for r in results)
            given = arguments(number % 2, count)
            inputs = tuple(axis if a == "axis" else a for a in (Operand(values, layout), *given))
            outs = () if layout == "contiguous" else (layout,) * len(results)
            types = (dtype, "int64")[-len(results) :] if outs else ()
            yield Case(f"{values.shape} {axis} {number % 2} {layout}", inputs, shaped, outs, types)

    return cases


def _both(values: Array, axis: int, descending: bool, count: int) -> tuple[Array, Array]:
    order = _order(values, axis, descending)
    chosen = np.take(order, range(count), axis=axis)
    return exact(np.take_along_axis(values, chosen, axis)), chosen


def _kth(values: Array, axis: int, descending: bool, count: int) -> tuple[Array, Array]:
    order = _order(values, axis, False)
    chosen = np.take(order, [count - 1], axis=axis)
    found = exact(np.take_along_axis(values, chosen, axis)), chosen
    return found if descending else (found[0].squeeze(axis), found[1].squeeze(axis))


_ALL = (*_FLOATS, *_INTEGERS)
_SUMMED = (*_ALL, "float64", "complex64", "complex128")
_MULTIPLIED = (*_ALL, "float64", "uint16", "uint32", "uint64")
_EXTREMES = (*_ALL, "float64", "bool")

SUITES: tuple[Suite, ...] = (
    Suite("cumsum", _SUMMED, _scan(np.add.accumulate)),
    Suite("cumsum_v2", _SUMMED, _exclusive),
    Suite("cumprod", _MULTIPLIED, _scan(np.multiply.accumulate)),
    Suite("inplace_cumprod", _MULTIPLIED, _scan(np.multiply.accumulate, "in place")),
    Suite("cummax", _EXTREMES, _running(True)),
    Suite("cummin", _EXTREMES, _running(False)),
    Suite("sort", (*_ALL, "bool"), _sorted(
        _both, lambda odd, n: (True, "axis", bool(odd)), lambda n: n)),
    Suite("topk", (*_ALL, "float64"), _sorted(
        _both, lambda odd, k: (k, "axis", bool(odd), True), lambda n: min(n, 1 + n // 9))),
    Suite("argsort", _ALL, _sorted(
        lambda *a: (_both(*a)[1],), lambda odd, n: ("axis", bool(odd)), lambda n: n)),
    Suite("kthvalue", _ALL, _sorted(
        _kth, lambda odd, k: (k, "axis", bool(odd)), lambda n: max(1, n // 2))),
)  # fmt: skip
