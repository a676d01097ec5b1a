"""Places in sorted numbers, numbers among others, counts, slices that differ, candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import chip_family, is_950
from pyaclnn.selftest.suites.creation import exact, values_of

Shape = tuple[int, ...]
Cases = Callable[[str, np.random.Generator], Iterator[Case]]
_VIEWS = ("contiguous", "transposed", "every_second", "inner_slice")
_NEWEST = "Ascend910_95"
_FLOATS = ("float32", "float16", "bfloat16")
_INTEGERS = ("int8", "uint8", "int16", "int32", "int64")


def _few(shape: Shape, dtype: str, rng: np.random.Generator) -> Array:
    """Return few different values, so that some are alike."""
    if numpy_dtype(dtype).kind in "iub":
        return rng.integers(0, 2 if dtype == "bool" else 5, shape).astype(numpy_dtype(dtype))
    values = rng.integers(-4, 5, shape) / 2.0
    if numpy_dtype(dtype).kind == "c":
        values = values + 1j * rng.integers(0, 2, shape)
    return np.asarray(values).astype(numpy_dtype(dtype))


def _place(sequence: Array, values: Array, right: bool) -> Array:
    """Count the numbers before each place: no search."""
    pairs = (sequence[..., None, :], values[..., :, None])
    before = pairs[0] <= pairs[1] if right else pairs[0] < pairs[1]
    return np.asarray(before.sum(-1))


def _search(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    pairs: tuple[tuple[Shape, Shape], ...] = (
        ((9,), (7,)), ((9,), (3, 5)), ((9,), (1,)), ((1,), (4,)), ((9,), ()), ((3, 9), (3, 4)),
        ((2, 3, 9), (2, 3, 1)), ((500,), (40, 17)), ((0,), (3,)), ((9,), (0, 3)),
    )  # fmt: skip
    for number, (length, shape) in enumerate((*pairs, *pairs)):
        layout, right = _VIEWS[number % 4], bool(number % 2) != (number >= len(pairs))
        sequence, values = _few(length, dtype, rng), _few(shape, dtype, rng)
        order = np.argsort(exact(sequence), axis=-1, kind="stable")
        ordered = np.take_along_axis(exact(sequence), order, -1)
        golden = _place(ordered, np.atleast_1d(exact(values)), right).reshape(shape)
        if number % 3:
            sequence, sorter = np.take_along_axis(sequence, order, -1), None
        else:
            sorter = Operand(order, layout)
        inputs = (
            Operand(sequence, layout),
            Operand(values, layout),
            number % 2 == 0,
            right,
            sorter,
        )
        yield Case(f"{length} {shape} {layout} {right}", inputs, (golden,))
    if dtype != "float64":  # the two are compared as what they have in common
        sequence, values = np.array([-1.5, 0.25, 3.0]), _few((6,), dtype, rng)
        golden = _place(sequence, exact(values), False)
        inputs = (Operand(sequence), Operand(values), False, False, None)
        yield Case("mixed", inputs, (golden,))
        inputs = (Operand(np.sort(values)), Operand(np.array([0.75, 2.0])), False, True, None)
        yield Case(
            "mixed, right", inputs, (_place(np.sort(exact(values)), np.array([0.75, 2]), True),)
        )


def _search_number(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for number, length in enumerate((1, 9, 9, 9, 500, 0)):
        for value in (0, 2, 100):
            layout, right = _VIEWS[number % 4], number % 2 == 1
            sequence = _few((length,), dtype, rng)
            order = np.argsort(exact(sequence), kind="stable")
            golden = _place(np.sort(exact(sequence)), np.array([value]), right)
            sorter = Operand(order, layout) if number % 3 == 2 else None
            given = sequence if sorter else sequence[order]
            inputs = (Operand(given, layout), value, number % 2 == 0, right, sorter)
            yield Case(f"{length} {value} {layout} {right}", inputs, (golden,))


def _buckets(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return
    for number, shape in enumerate(((), (7,), (3, 5), (40, 17), (0, 3), (6, 7), (6, 7))):
        for length in (0, 1, 9):
            layout, right = _VIEWS[number % 4], number % 2 == 1
            values, edges = _few(shape, dtype, rng), _few((length,), dtype, rng)
            edges = edges[np.argsort(exact(edges), kind="stable")]
            golden = _place(exact(edges), np.atleast_1d(exact(values)), right).reshape(shape)
            inputs = (Operand(values, layout), Operand(edges), number % 3 == 0, right)
            yield Case(f"{shape} {length} {layout} {right}", inputs, (golden,))


def _number(dtype: str) -> tuple[Any, ...]:
    return (2, 3) if numpy_dtype(dtype).kind in "iu" else (0.5, 2.0, float("nan"))


def _among(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for number, shape in enumerate(((), (7,), (3, 5), (40, 17), (0, 3), (6, 7), (2000,))):
        for value in _number(dtype):
            layout, invert = _VIEWS[number % 4], number % 2 == 1
            values = _few(shape, dtype, rng)
            golden = np.asarray(np.any(exact(values) == value) != invert)
            inputs = (value, Operand(values, layout), number % 3 == 0, invert)
            yield Case(f"{shape} {value} {layout}", inputs, (golden,))


def _each_in(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for number, shape in enumerate(((), (7,), (3, 5), (40, 17), (0, 3), (6, 7), (2000,))):
        for value in _number(dtype):
            layout, invert = _VIEWS[number % 4], number % 2 == 1
            values = _few(shape, dtype, rng)
            golden = (exact(values) == value) != invert
            outs = () if layout == "contiguous" else (layout,)
            inputs = (Operand(values, layout), value, number % 3 == 0, invert)
            yield Case(f"{shape} {value} {layout}", inputs, (golden,), outs, ("bool",) * len(outs))


def _infinite(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "910":
        return
    for number, shape in enumerate(((), (7,), (3, 5), (40, 17), (0, 3), (6, 7), (6, 7))):
        layout, values = _VIEWS[number % 4], values_of(shape, dtype, rng)
        if numpy_dtype(dtype).kind in "fV":
            special = np.array([np.inf, -np.inf, np.nan, 0]).astype(values.dtype)
            values = np.where(rng.random(shape) < 0.5, values, rng.choice(special, shape))
            values = np.asarray(values).astype(special.dtype)
        outs = () if layout == "contiguous" else (layout,)
        golden = np.isinf(exact(values).astype(np.float64))
        yield Case(f"{shape} {layout}", (Operand(values, layout),), (golden,), outs,
                   ("bool",) * len(outs))  # fmt: skip


def _count(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for number, kind in enumerate(("", "float32", "float16", "float64", "int32", "uint8", "bool")):
        for length in (1, 40, 3000):
            layout = _VIEWS[number % 2 * 2]
            values = rng.integers(0, 50, (length,)).astype(dtype)
            weights = values_of((length,), kind, rng) if kind else None
            least = (0, 60)[number % 2]
            golden = np.bincount(values, exact(weights) if weights is not None else None, least)
            out = ("int64", "float32", "float64", "int32")[number % 4]
            if weights is not None and out.startswith("int"):
                out = "float64"
            given = Operand(weights, layout) if weights is not None else None
            yield Case(f"{length} {kind} {least}", (Operand(values, layout), given, least),
                       (golden,), (layout,), (out,))  # fmt: skip
    none = Operand(np.zeros((0,), dtype))
    yield Case("nothing", (none, None, 5), (np.zeros(5),), ("contiguous",), ("float32",))


def _histogram(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    whole = numpy_dtype(dtype).kind in "iu"
    for number, shape in enumerate(((), (7,), (3, 5), (40, 17), (0, 3), (6, 7, 10), (3000,))):
        for least, most, bins in ((0, 0, 4), (0, 8, 8), (1, 5, 4), (2, 100, 7)):
            layout = _VIEWS[number % 4]
            values = rng.integers(0, 9, shape).astype(dtype)
            if not whole:
                values = np.asarray(values + 0.5 * rng.integers(0, 2, shape))
                values = values.astype(dtype)
            wide = exact(values).astype(np.float64).reshape(-1)
            ends = (least, most)
            if least == most and wide.size:
                ends = (wide.min(), wide.max())
            ends = (ends[0] - 1, ends[1] + 1) if ends[0] == ends[1] else ends
            scaled = (wide - ends[0]) * bins / (ends[1] - ends[0])
            inside = scaled[(wide >= ends[0]) & (wide <= ends[1])]
            golden = np.bincount(np.minimum(np.floor(inside), bins - 1).astype(int), None, bins)
            outs = () if layout == "contiguous" else (layout,)
            given = (least, most) if whole else (float(least), float(most))
            limit = np.iinfo(dtype).max if whole else 2048
            if golden.max() <= limit:  # out is of self's type
                inputs = (Operand(values, layout), bins, *given)
                yield Case(f"{shape} {ends} {layout}", inputs, (golden,), outs)


def _slices(neighbours: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if dtype == "bfloat16" and is_950() and not neighbours:
            return  # which has none of these
        tried: tuple[tuple[Shape, int], ...] = (
            ((7,), 0), ((40, 2), 0), ((2, 40), 1), ((2, 30, 2), -2), ((9, 1, 2), 0), ((3, 4), -1),
            *((((), 1000), ((50,), 1000), ((6, 7, 3), 1000)) if neighbours else ()),
        )  # fmt: skip
        for number, (shape, dim) in enumerate((*tried, *tried)):
            layout, inverse, counted = _VIEWS[number % 4], number % 2 == 0, number % 3 > 0
            values = _few(shape, dtype, rng)
            values = np.where(rng.random(shape) < 0.5, values, values.flat[0]).astype(values.dtype)
            golden = _different(exact(values), dim, neighbours)
            named = f"{shape} {dim} {inverse} {layout}"
            flags = (inverse, counted, dim) if neighbours else (number % 4 < 2, inverse, dim)
            wanted = (True, inverse, counted or not neighbours)
            results = tuple(g if w else None for g, w in zip(golden, wanted, strict=True))
            yield Case(named, (Operand(values, layout), *flags), results)

    return cases


def _different(values: Array, dim: int, neighbours: bool) -> tuple[Array, Array, Array]:
    """Return slices that differ, the place of each, how many there were: one by one."""
    flat = dim == 1000
    lines = values.reshape(-1, 1) if flat else np.moveaxis(values, dim, 0)
    rows = [tuple(line.reshape(-1).tolist()) for line in lines]
    order = (
        list(range(len(rows))) if neighbours else sorted(range(len(rows)), key=lambda i: rows[i])
    )
    found, counts, places = list[int](), list[int](), np.zeros(len(rows), np.int64)
    for before, i in zip([-1, *order], order, strict=False):
        if before < 0 or rows[before] != rows[i]:
            found.append(i)
            counts.append(0)
        counts[-1] += 1
        places[i] = len(found) - 1
    kept = lines[found].reshape(-1) if flat else np.moveaxis(lines[found], 0, dim)
    return kept, places.reshape(values.shape) if flat else places, np.array(counts)


def _candidates(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for number, (rows, width) in enumerate(((1, 1), (3, 7), (5, 64), (2, 1000), (4, 33), (0, 5))):
        for has_p, has_k in ((True, True), (True, False), (False, True)):
            layout = _VIEWS[number % 4]
            # Probabilities that are powers of two, in any order, add up exactly.
            ranks = np.stack(
                [rng.permutation(width) for _ in range(rows)] or [np.zeros(width, np.int64)]
            )
            values = (-np.minimum(ranks[:rows], 9) * 4).astype(numpy_dtype(dtype))
            p = rng.choice([0.25, 0.5, 0.9375], rows).astype(numpy_dtype(dtype))
            k = rng.integers(1, width + 1, rows).astype(np.int32)
            golden = _filtered(exact(values), exact(p) if has_p else None, k if has_k else None)
            inputs = (Operand(values, layout), Operand(p) if has_p else None,
                      Operand(k) if has_k else None)  # fmt: skip
            outs = () if layout == "contiguous" else (layout,)
            yield Case(f"{rows} x {width} {has_p} {has_k} {layout}", inputs, (golden,), outs)


def _filtered(values: Array, p: Array | None, k: Array | None) -> Array:
    if values.shape[-1] == 1 or not values.size:
        return values
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, -1)
    if k is not None:
        limit = np.take_along_axis(ordered, values.shape[-1] - k[:, None].astype(int), -1)
        ordered = np.where(ordered < limit, -np.inf, ordered)
    if p is not None:
        shares = np.exp(ordered) / np.exp(ordered).sum(-1, keepdims=True)
        gone = np.cumsum(shares, -1) <= 1 - p[:, None]
        gone[:, -1] = False
        ordered = np.where(gone, -np.inf, ordered)
    golden = np.empty_like(ordered)
    np.put_along_axis(golden, order, ordered, -1)
    return golden


_REAL = (*_FLOATS, "float64", *_INTEGERS)
_SEARCHED = ("float32", "float16", "float64", *_INTEGERS)
_UNSIGNED = ("uint16", "uint32", "uint64")

SUITES: tuple[Suite, ...] = (
    Suite("search_sorted", _SEARCHED, _search),
    Suite("search_sorteds", _SEARCHED, _search_number),
    Suite("bucketize", (*_FLOATS, *_INTEGERS), _buckets, chip=_NEWEST),
    Suite("is_in_scalar_tensor", _REAL, _among),
    Suite("is_in_tensor_scalar", _REAL, _each_in),
    Suite("is_inf", (*_REAL, "bool"), _infinite),
    Suite("bincount", _INTEGERS, _count),
    Suite("histc", ("float32", "float16", *_INTEGERS), _histogram),
    Suite("unique_consecutive", (*_REAL, *_UNSIGNED, "bool", "complex64", "complex128"),
          _slices(True)),
    Suite("unique_dim", (*_REAL, *_UNSIGNED, "bool"), _slices(False)),
    Suite("apply_top_k_top_p", _FLOATS, _candidates),
)  # fmt: skip
