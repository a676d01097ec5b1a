"""Choosing, writing, combining by number or by a mask: every axis, repeats, views, empty ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import lacks_narrow
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.creation import exact, values_of

Shape = tuple[int, ...]
Cases = Callable[[str, np.random.Generator], Iterator[Case]]

_SHAPES: tuple[Shape, ...] = ((), (1,), (7,), (3, 5), (40, 17), (2, 3, 4), (2, 3, 4, 5))
_KINDS = ("float32", "float16", "bfloat16", "int32", "int64", "int8", "uint8", "bool")
_MORE = (*_KINDS, "float64", "int16")
_UNSIGNED = ("uint16", "uint32", "uint64")
_FLOAT8 = ("float8_e5m2", "float8_e4m3fn", "float8_e8m0fnu")
_COMPLEX = ("complex64", "complex128")


def _axes(shape: Shape) -> Iterator[int]:
    yield from range(min(len(shape), 3))
    yield -1


def _numbers(shape: Shape, extent: int, rng: np.random.Generator, low: int = 0) -> Array:
    kind = ("int32", "int64")[int(rng.integers(0, 2))]
    return rng.integers(low, extent, shape).astype(kind)


def _tried(rng: np.random.Generator) -> Iterator[tuple[Shape, int, str]]:
    for shape in _SHAPES:
        for axis in _axes(shape):
            yield shape, axis, "contiguous"
    for layout in LAYOUTS[1:]:
        for axis in range(3):
            yield (6, 7, 10), axis, layout


def _outs(layout: str, count: int = 1) -> tuple[str, ...]:
    return () if layout == "contiguous" else (layout,) * count


def _gather(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if lacks_narrow(dtype):
        return
    for shape, axis, layout in _tried(rng):
        values = values_of(shape, dtype, rng)
        grown = np.atleast_1d(values)
        extents = [int(rng.integers(1, n + 1)) for n in grown.shape]
        extents[axis] = 9
        index = _numbers(tuple(extents), grown.shape[axis], rng, low=-grown.shape[axis])
        window = tuple(
            slice(None) if i == axis % grown.ndim else slice(0, n) for i, n in enumerate(extents)
        )
        golden = exact(np.take_along_axis(grown[window], index % grown.shape[axis], axis))
        inputs = (Operand(values, layout), axis, Operand(index, layout))
        yield Case(f"{shape} {axis} {layout}", inputs, (golden,), _outs(layout))
    values = values_of((3, 4), dtype, rng)
    empty = Operand(np.zeros((0, 4), np.int64))
    yield Case("no index", (Operand(values), 0, empty), (np.zeros((0, 4)),))


def _slices(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape, axis, layout in _tried(rng):
        for of in ((), (4,), (2, 3)):
            values = values_of(shape, dtype, rng)
            extent = values.shape[axis] if shape else 1
            index = _numbers(of, extent, rng, low=-extent)
            golden = values if not shape else np.take(values, np.atleast_1d(index), axis=axis)
            inputs = (Operand(values, layout), axis, Operand(index, layout))
            yield Case(f"{shape} {axis} {of} {layout}", inputs, (exact(golden),), _outs(layout))
    yield Case("no index", (Operand(values_of((3, 4), dtype, rng)), 0,
                            Operand(np.zeros((0,), np.int64))), (np.zeros((0, 4)),))  # fmt: skip


def _embedding(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for rows, width in ((1, 1), (7, 3), (40, 65), (3, 0)):
        for of in ((), (5,), (2, 3), (2, 3, 4), (0,)):
            weight, index = values_of((rows, width), dtype, rng), _numbers(of, rows, rng)
            golden = exact(weight[index])
            yield Case(f"{rows} x {width} {of}", (Operand(weight), Operand(index)), (golden,))
    for layout in LAYOUTS[1:]:
        weight, index = values_of((9, 6), dtype, rng), _numbers((4, 5), 9, rng)
        inputs = (Operand(weight, layout), Operand(index, layout))
        yield Case(layout, inputs, (exact(weight[index]),), _outs(layout))


_COMBINED: dict[int, Callable[[Any, Any], Any]] = {
    0: lambda a, b: b, 1: lambda a, b: a + b, 2: lambda a, b: a * b, 3: max, 4: min,
}  # fmt: skip


def _combine(values: Array, axis: int, index: Array, source: Array, reduce: int) -> Array:
    result = exact(values).astype(np.int64) if values.dtype.kind in "biu" else exact(values)
    result = result.copy()
    for place in np.ndindex(index.shape):
        at = list(place)
        at[axis] = int(index[place])
        where = tuple(at)
        result[where] = _COMBINED[reduce](result[where], exact(source)[place])
    if values.dtype.kind == "b":
        return np.asarray(result != 0)
    wide = values.dtype if values.dtype.kind in "iu" else result.dtype
    return np.asarray(result.astype(wide))


def _scatter(kind: str) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        reduces = {"add": (1,), "value": (0, 1, 2), "all": (0, 1, 2, 3, 4)}[kind.split()[-1]]
        if numpy_dtype(dtype).kind == "c":
            reduces = tuple(r for r in reduces if r < 3)
        for number, (shape, axis, layout) in enumerate(_tried(rng)):
            if not shape:
                continue
            reduce = reduces[number % len(reduces)]
            values = values_of(shape, dtype, rng)
            extents = [int(rng.integers(1, n + 1)) for n in shape]
            extents[axis] = (
                min(shape[axis] + 2, 9) if reduce else int(rng.integers(1, shape[axis] + 1))
            )
            if reduce:
                index = _numbers(tuple(extents), shape[axis], rng)
            else:  # of numbers that repeat, which one stays is not said
                index = np.argsort(rng.random((*extents[:axis % len(shape)], shape[axis],
                                               *extents[axis % len(shape) + 1:])),
                                   axis=axis)  # fmt: skip
                index = np.take(index, range(extents[axis]), axis=axis)
            source = values_of(tuple(extents), dtype, rng)
            given: tuple[Any, ...] = (Operand(source, layout),)
            if "value" in kind:
                source = np.full(extents, 3 if dtype != "bool" else 1).astype(numpy_dtype(dtype))
                given = (3,)
            with np.errstate(all="ignore"):
                golden = _combine(values, axis, index, source, reduce)
            given = given if kind == "add" else (*given, reduce)
            inputs = (Operand(values, layout), axis, Operand(index, layout), *given)
            label = f"{shape} {axis} reduce {reduce} {layout}"
            yield Case(label, inputs, (golden,), () if "in place" in kind else _outs(layout))
        values = values_of((3, 4), dtype, rng)
        empty = Operand(np.zeros((0, 4), np.int64))
        given = (3,) if "value" in kind else (Operand(values_of((0, 4), dtype, rng)),)
        given = given if kind == "add" else (*given, reduces[0])
        yield Case("no index", (Operand(values), 0, empty, *given), (exact(values),))

    return cases


#: Which dimensions of four are chosen, and the shapes of the numbers.
_INDICES: tuple[tuple[Shape | None, ...], ...] = (
    ((5,),), ((2, 3),), (None, (5,)), (None, None, (4,)), ((4,), (4,)), ((3, 1), (1, 2)),
    (None, (4,), (4,)), ((4,), None, (4,)), (None, (2,), None, (2,)), ((4,), (4,), (4,), (4,)),
    ((), (3,)), (None, (2, 2), (2, 1)),
)  # fmt: skip


def _index_case(
    dtype: str, rng: np.random.Generator, shapes: tuple[Shape | None, ...], layout: str
) -> tuple[Array, list[Operand], tuple[Any, ...]]:
    values = values_of((3, 4, 5, 6), dtype, rng)
    operands, places = [], []
    for axis, of in enumerate(shapes):
        if of is None:
            operands.append(Operand(np.zeros((0,), np.int64)))
            places.append(slice(None))
        else:
            extent = values.shape[axis]
            numbers = _numbers(of, extent, rng, low=-extent)
            operands.append(Operand(numbers, layout))
            places.append(numbers)  # type: ignore[arg-type]
    return values, operands, tuple(places)


def _masks(rng: np.random.Generator) -> Iterator[tuple[list[Array | None], Shape]]:
    """Yield index arrays, some of bools, and the shape they choose from; None is a whole axis."""

    def two_of(count: int) -> Array:
        return rng.permutation(np.arange(count) < 2)

    yield [rng.integers(0, 2, (4, 5)).astype(bool)], (4, 5, 3)
    yield [None, two_of(5)], (4, 5, 3)
    yield [two_of(4), np.array([[2], [-1]])], (4, 5, 3)
    yield [two_of(4), None, two_of(3)], (4, 5, 3)
    yield [np.zeros((4, 5, 3), bool)], (4, 5, 3)


def _mask_case(
    dtype: str, rng: np.random.Generator, indices: list[Array | None], shape: Shape
) -> tuple[Array, list[Operand], tuple[Any, ...]]:
    places = tuple(slice(None) if i is None else i for i in indices)
    operands = [Operand(np.zeros((0,), np.int64) if i is None else i) for i in indices]
    return values_of(shape, dtype, rng), operands, places


def _index(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for indices, extents in _masks(rng):
        values, operands, places = _mask_case(dtype, rng, indices, extents)
        golden = exact(np.asarray(values[places]))
        yield Case("masks", (Operand(values), operands), (golden,), ("contiguous",))
    for shapes in _INDICES:
        for layout in ("contiguous", "every_second"):
            values, operands, places = _index_case(dtype, rng, shapes, layout)
            golden = exact(np.asarray(values[places]))
            inputs = (Operand(values, layout), operands)
            yield Case(f"{shapes} {layout}", inputs, (golden,), _outs(layout))
    empty = values_of((0, 3), dtype, rng)
    inputs = (Operand(empty), [Operand(np.zeros((0,), np.int64)), Operand(np.array([1, 2]))])
    yield Case("empty", inputs, (np.zeros((0, 2)),))


def _index_put(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for indices, extents in _masks(rng):
        if any(i is not None and i.dtype != bool for i in indices):
            continue  # Since 9.1 CANN takes what stands beside a mask for one.
        values, operands, places = _mask_case(dtype, rng, indices, extents)
        golden = values.copy()
        golden[places] = one = values.flat[0]
        inputs = (Operand(values), operands, Operand(np.asarray(one)), False, False)
        yield Case("masks", inputs, (golden if dtype == "bool" else exact(golden),))
    for number, shapes in enumerate((*_INDICES, *_INDICES)):
        layout = ("contiguous", "transposed")[number % 2]
        accumulate = number >= len(_INDICES)
        values, operands, places = _index_case(dtype, rng, shapes, layout)
        shape = values[places].shape
        one = number % 3 == 0
        source = values_of(() if one else shape[number % 2 :] if shape else (), dtype, rng)
        if not accumulate and not one:
            # Numbers that repeat leave open which value stays: the values are the same.
            source = np.full_like(source, source.flat[0] if source.size else 0)
        golden = exact(values).astype(np.int64) if values.dtype.kind in "biu" else exact(values)
        golden = golden.copy()
        wide = exact(source).astype(golden.dtype)
        if accumulate:
            np.add.at(golden, places, wide)
        else:
            golden[places] = wide
        if values.dtype.kind in "iu":
            golden = golden.astype(values.dtype)
        golden = golden != 0 if dtype == "bool" else golden
        inputs = (Operand(values, layout), operands, Operand(source), accumulate, bool(number % 2))
        yield Case(f"{shapes} {accumulate} {layout}", inputs, (golden,))
    empty = values_of((0, 3), dtype, rng)
    index = [Operand(np.zeros((0,), np.int64))]
    inputs = (Operand(empty), index, Operand(empty), False, False)
    yield Case("empty", inputs, (np.zeros((0, 3)),))


_PAIRS: tuple[tuple[Shape, Shape], ...] = (
    ((), ()), ((7,), (7,)), ((3, 5), (3, 5)), ((3, 5), (5,)), ((3, 5), (3, 1)), ((2, 3, 4), ()),
    ((1025,), (1025,)), ((40, 999), (40, 999)), ((0, 3), (0, 3)), ((3, 0), (1,)),
)  # fmt: skip


def _mask(shape: Shape, rng: np.random.Generator) -> Array:
    return rng.random(shape) < 0.4


def _fill(tensor: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        tried = [(*pair, "contiguous") for pair in _PAIRS]
        tried += [((6, 7, 10), (6, 7, 10), layout) for layout in LAYOUTS[1:]]
        for number, (shape, of, layout) in enumerate(tried):
            values, mask = values_of(shape, dtype, rng), _mask(of, rng)
            value = values_of((), dtype, rng)
            number_given = (2, -1.0, True)[number % 3] if dtype != "bool" else number % 2 == 0
            filled = exact(value) if tensor else np.asarray(number_given).astype(values.dtype)
            golden = np.where(mask, exact(np.asarray(filled)), exact(values)).astype(
                exact(values).dtype
            )
            given = Operand(value) if tensor else number_given
            inputs = (Operand(values, layout), Operand(mask, layout), given)
            yield Case(f"{shape} {of} {layout}", inputs, (golden,))

    return cases


def _where(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape, of in _PAIRS:
        for kind in (bool, np.uint8):
            mask = _mask(of, rng).astype(kind)
            a, b = values_of(shape, dtype, rng), values_of(of, dtype, rng)
            golden = exact(np.asarray(np.where(mask, a, b)))
            yield Case(f"{shape} {of}", (Operand(mask), Operand(a), Operand(b)), (golden,))
    for layout in LAYOUTS[1:]:
        mask = _mask((6, 7, 10), rng)
        a, b = values_of((6, 7, 10), dtype, rng), values_of((6, 7, 10), dtype, rng)
        inputs = (Operand(mask, layout), Operand(a, layout), Operand(b, layout))
        yield Case(layout, inputs, (exact(np.where(mask, a, b)),), _outs(layout), (dtype,))


def _select(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    tried = [(*pair, "contiguous") for pair in _PAIRS]
    tried += [((6, 7, 10), (6, 7, 10), layout) for layout in LAYOUTS[1:]]
    tried += [((200_000,), (200_000,), "contiguous")]
    for shape, of, layout in tried:
        values, mask = values_of(shape, dtype, rng), _mask(of, rng)
        both = np.broadcast_arrays(values, mask)
        golden = exact(both[0][both[1]])
        yield Case(f"{shape} {of} {layout}", (Operand(values, layout), Operand(mask, layout)),
                   (golden,))  # fmt: skip
    values = values_of((9,), dtype, rng)
    for flag in (True, False):
        golden = exact(values[np.full(9, flag)])
        yield Case(f"all {flag}", (Operand(values), Operand(np.full(9, flag))), (golden,))


def _nonzero(columns: bool) -> Cases:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        tried = [(s, "contiguous") for s in (*_SHAPES[1:], (1025,), (300, 401), (0, 3))]
        tried += [((6, 7, 10), layout) for layout in LAYOUTS[1:]]
        for shape, layout in tried:
            values = np.where(_mask(shape, rng), values_of(shape, dtype, rng), 0)
            values = values.astype(numpy_dtype(dtype))
            places = np.stack(np.nonzero(values), axis=0 if columns else 1)
            yield Case(f"{shape} {layout}", (Operand(values, layout),), (places,))
        none = np.zeros((4, 5), numpy_dtype(dtype))
        yield Case("zeros", (Operand(none),), (np.zeros((2, 0) if columns else (0, 2), np.int64),))
        if numpy_dtype(dtype).kind == "f":
            special = np.array([np.nan, 0.0, -0.0, np.inf]).astype(numpy_dtype(dtype))
            golden = np.array([[0, 3]]) if columns else np.array([[0], [3]])
            yield Case("NaN", (Operand(special),), (golden,))

    return cases


_FILLED = ("float32", "float16", "bfloat16", "int32", "int64", "int8", "bool")

SUITES: tuple[Suite, ...] = (
    Suite("gather", (*_MORE, *_UNSIGNED, *_FLOAT8), _gather),
    Suite("gather_v2", (*_MORE, *_COMPLEX), _slices),
    Suite("embedding", (*_MORE, *_COMPLEX), _embedding),
    *(
        Suite(prefix + name, (*_MORE, *_COMPLEX), _scatter(place + kind))
        for prefix, place in (("", ""), ("inplace_", "in place "))
        for name, kind in (("scatter", "all"), ("scatter_value", "value"))
    ),
    Suite("scatter_add", (*_MORE, *_COMPLEX), _scatter("add")),
    Suite("index", _MORE, _index),
    Suite("index_put_impl", _MORE, _index_put),
    Suite("inplace_masked_fill_scalar", _FILLED, _fill(False)),
    Suite("inplace_masked_fill_tensor", _FILLED, _fill(True)),
    Suite("s_where", (*_MORE, *_UNSIGNED, *_COMPLEX), _where),
    Suite("masked_select", _MORE, _select),
    Suite("nonzero", _MORE, _nonzero(False)),
    Suite("nonzero_v2", (*_MORE, *_UNSIGNED), _nonzero(True)),
)  # fmt: skip
