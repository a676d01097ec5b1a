"""Operators that put elements elsewhere: values as they are, of whatever type."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite
from pyaclnn.selftest.chips import has_bfloat16, is_950, is_a2_or_late_950
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.creation import exact, values_of

Shape = tuple[int, ...]
Numbers = tuple[Any, ...]


def _moved(
    golden: Callable[..., Array], tried: tuple[tuple[Shape, Numbers], ...], views: Numbers,
    shape: Shape = (3, 4, 6),
) -> Callable[[str, np.random.Generator], Iterator[Case]]:  # fmt: skip
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        def one(extents: Shape, numbers: Numbers, layout: str) -> Case:
            values = values_of(extents, dtype, rng)
            given = tuple(list(n) if isinstance(n, tuple) else n for n in numbers)
            expected = exact(np.asarray(golden(values, *numbers)))
            outs = () if layout == "contiguous" else (layout,)
            label = f"{extents} {numbers} {layout}"
            return Case(label, (Operand(values, layout), *given), (expected,), outs)

        for extents, numbers in tried:
            yield one(extents, numbers, "contiguous")
        for layout in LAYOUTS[1:]:
            yield one(shape, views, layout)

    return cases


def _roll(values: Array, shifts: Shape, dims: Shape) -> Array:
    return np.roll(values, shifts, dims) if dims else np.roll(values, shifts[0])


def _flatten(values: Array, axis: int) -> Array:
    axis = axis % max(values.ndim, 1)
    first = math.prod(values.shape[:axis])
    return values.reshape(first, math.prod(values.shape[axis:]))


def _slices(values: Array, starts: Shape, ends: Shape, axes: Shape, steps: Shape) -> Array:
    places = [slice(None)] * values.ndim
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        places[axis] = slice(start, end, step)
    return np.asarray(values[tuple(places)])


def _shuffle(values: Array, groups: int) -> Array:
    n, c, *rest = values.shape
    split = values.reshape(n, groups, c // groups, *rest)
    return np.asarray(split.swapaxes(1, 2).reshape(values.shape))


def _complex(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    shapes: tuple[tuple[Shape, Shape], ...] = (
        ((), ()), ((7,), (7,)), ((3, 5), (5,)), ((1, 4), (3, 1)), ((2, 3, 4), ()), ((0, 3), (3,)),
        ((1025,), (1025,)),
    )  # fmt: skip
    gives = "complex128" if dtype == "float64" else "complex64"
    for a, b in shapes:
        if is_950() and len(a) > 2 > len(b):
            continue  # of another format
        real, imag = values_of(a, dtype, rng), values_of(b, dtype, rng)
        yield Case(f"{a} {b}", (Operand(real), Operand(imag)), (real + 1j * imag,))
    for layout in LAYOUTS[1:]:
        real, imag = values_of((3, 4, 6), dtype, rng), values_of((3, 4, 6), dtype, rng)
        inputs = (Operand(real, layout), Operand(imag, layout))
        yield Case(layout, inputs, (real + 1j * imag,), (layout,), (gives,))


def _real(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not dtype.startswith("complex") and not has_bfloat16():
        return  # which only chips with bfloat16 pass through
    if dtype == "complex128" and is_950():
        return
    gives = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    for shape in ((), (7,), (3, 5), (2, 3, 4), (0, 3), (1025,)):
        values = values_of(shape, dtype, rng)
        yield Case(f"{shape}", (Operand(values),), (values.real.astype(np.float64),))
    for layout in LAYOUTS[1:]:
        values = values_of((3, 4, 6), dtype, rng)
        golden = values.real.astype(np.float64)
        yield Case(layout, (Operand(values, layout),), (golden,), (layout,), (gives,))


def _stack(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for shape in ((), (7,), (3, 5), (2, 3, 4), (0, 3), (1025,)):
        for dim in (*range(len(shape) + 1), -1):
            for count in (1, 2, 3):
                values = [values_of(shape, dtype, rng) for _ in range(count)]
                golden = exact(np.stack(values, dim))
                inputs = ([Operand(v) for v in values], dim)
                yield Case(f"{shape} {dim} {count}", inputs, (golden,))
    for layout in LAYOUTS[1:]:
        values = [values_of((3, 4, 6), dtype, rng) for _ in range(3)]
        golden = exact(np.stack(values, 1))
        inputs = ([Operand(v, layout) for v in values], 1)
        yield Case(layout, inputs, (golden,), (layout,), (dtype,))
    values = [values_of((2, 3), dtype, rng) for _ in range(70)]
    golden = exact(np.stack(values, 0))
    yield Case("70 tensors", ([Operand(v) for v in values], 0), (golden,))


def _chunk_cat(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_late_950():
        return

    def case(
        shapes: tuple[Shape, ...], chunks: int, layout: str = "contiguous", gives: str = dtype
    ) -> Case:
        tensors = [values_of(shape, dtype, rng) for shape in shapes]
        columns = []
        for values in tensors:
            rows = -(-values.shape[0] // chunks)
            gap = [(0, rows * chunks - values.shape[0]), *[(0, 0)] * (values.ndim - 1)]
            columns.append(np.pad(exact(values), gap).reshape(chunks, -1))
        golden = np.concatenate([c for c in columns if c.size] or [np.zeros((chunks, 0))], 1)
        inputs = ([Operand(values, layout) for values in tensors], 0, chunks)
        outs = ((layout,), (gives,)) if layout != "contiguous" or gives != dtype else ((), ())
        return Case(f"{shapes} {chunks} {layout} {gives}", inputs, (golden,), *outs)

    for chunks in (1, 2, 3, 4, 7):
        yield case(((4,),), chunks)
        yield case(((2, 3), (1, 3)), chunks)
        yield case(((5, 2, 3), (0, 4), (4,), (1, 1, 2)), chunks)
        yield case(((64, 33), (33,)), chunks)
        yield case(((7, 1, 2, 1, 2, 1, 2, 3), (3,)), chunks)
    for layout in LAYOUTS[1:]:
        yield case(((3, 4, 6), (5, 2, 4)), 2, layout)
    yield case(((2,), (3, 2)) * 300, 2)
    for gives in ("float32", "float16", "bfloat16") if dtype != "float32" else ():
        yield case(((5, 3), (4,)), 2, gives=gives)


def _split(sizes: bool) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        tried = [((7,), 0), ((3, 5), 0), ((3, 5), -1), ((2, 6, 4), 1), ((2, 70), 1), ((4, 0), 0)]
        shapes = [(*t, "contiguous") for t in tried] + [((3, 4, 6), 2, x) for x in LAYOUTS[1:]]
        for shape, dim, layout in shapes:
            extent = shape[dim]
            for each in (1, 2, extent, extent + 3):
                parts = [min(each, extent - at) for at in range(0, extent, each)]
                values = values_of(shape, dtype, rng)
                split = np.split(values, np.cumsum(parts)[:-1].tolist(), dim)
                golden: Any = [exact(part) for part in split]
                inputs = (Operand(values, layout), parts if sizes else each, dim)
                yield Case(f"{shape} {dim} {each} {layout}", inputs, (golden,))

    return cases


_FEW = ("float32", "float16", "bfloat16", "uint8", "int8", "int32", "int64", "bool")

SUITES: tuple[Suite, ...] = (
    Suite(
        "roll", ("float32", "float16", "bfloat16", "uint8", "int8", "int32", "uint32", "int64",
                 "bool"),
        _moved(_roll, (
            ((), ((1,), ())), ((5,), ((2,), (0,))), ((5,), ((-7,), (0,))), ((5,), ((0,), (0,))),
            ((3, 4), ((1,), ())), ((3, 4), ((-5,), ())), ((3, 4), ((1, 2), (0, 1))),
            ((3, 4), ((1, 1), (1, 1))), ((1, 7), ((3,), (1,))), ((2, 3, 4), ((100, -1), (-1, 0))),
            ((0, 3), ((1,), (0,))), ((64, 33), ((17, 5), (0, 1))), ((2, 3, 4), ((13,), ())),
        ), ((7,), ())),
    ),
    Suite("expand", _FEW, _moved(np.broadcast_to, (
        ((), ((),)), ((), ((3,),)), ((1,), ((5,),)), ((3, 1), ((3, 4),)), ((4,), ((2, 3, 4),)),
        ((1, 4), ((5, 4),)), ((2, 1, 3), ((2, 4, 3),)), ((0, 3), ((0, 3),)), ((1, 3), ((0, 3),)),
        ((1,), ((1025,),)),
    ), ((2, 3, 4, 6),))),
    Suite(
        "flatten", ("float32", "float16", "bfloat16", "uint8", "int8", "int16", "int32", "int64",
                    "uint16", "uint32", "uint64", "bool"),
        _moved(_flatten, (
            ((), (0,)), ((5,), (0,)), ((5,), (-1,)), ((3, 4), (0,)), ((3, 4), (1,)),
            ((2, 3, 4), (1,)), ((2, 3, 4), (2,)), ((2, 3, 4), (-1,)), ((2, 1, 1, 4), (2,)),
            ((0, 3), (1,)), ((2, 1, 2, 1, 2, 1, 2, 3), (4,)),
        ), (1,)),
    ),
    Suite("slice_v2", _FEW, _moved(_slices, (
        ((7,), ((1,), (6,), (0,), (2,))), ((3, 5), ((0, 1), (2, 4), (0, 1), (1, 1))),
        ((3, 5), ((-2,), (100,), (-1,), (1,))), ((2, 3, 4), ((1, 0), (3, 4), (1, 2), (1, 3))),
        ((3, 5), ((2,), (1,), (0,), (1,))), ((3, 5), ((), (), (), ())),
        ((0, 3), ((0,), (2,), (1,), (1,))), ((3, 5), ((0,), (9,), (1,), (9,))),
    ), ((0, 1), (3, 6), (0, 2), (2, 2)))),
    Suite(
        "channel_shuffle", (*_FEW, "float64", "int16", "complex64", "complex128"),
        _moved(_shuffle, (
            ((2, 6, 3), (2,)), ((2, 6, 3), (3,)), ((1, 6, 3), (1,)), ((1, 6, 3), (6,)),
            ((2, 4, 3, 5), (2,)), ((2, 4, 1, 2, 3, 1, 2), (4,)), ((0, 4, 3), (2,)),
        ), (2,)),
    ),
    Suite("repeat_interleave_int", (*_FEW, "int16"), _moved(
        lambda x, n, size: np.repeat(x, n), (
            ((), (3, 3)), ((5,), (2, 10)), ((5,), (1, 5)), ((5,), (0, 0)), ((2, 3), (4, 24)),
            ((2, 1, 2, 1, 2, 1, 2, 3), (2, 96)), ((0, 3), (2, 0)), ((600,), (3, 1800)),
        ), (2, 144))),
    Suite("repeat_interleave_int_with_dim", (*_FEW, "int16"), _moved(
        lambda x, n, dim, size: np.repeat(x, n, dim), (
            ((5,), (2, 0, 10)), ((5,), (1, -1, 5)), ((5,), (0, 0, 0)), ((2, 3), (4, 0, 8)),
            ((2, 3), (4, 1, 12)), ((2, 3, 4), (2, 1, 6)), ((2, 1, 2, 1, 2, 1, 2, 3), (2, -2, 4)),
            ((0, 3), (2, 1, 6)), ((40, 33), (3, 1, 99)),
        ), (2, 1, 8))),
    Suite("stack", (*_FEW, "float64", "int16", "complex64", "complex128"), _stack),
    Suite("chunk_cat", ("float32", "float16", "bfloat16"), _chunk_cat),
    Suite("split_tensor", (*_FEW, "float64", "int16", "complex64", "complex128"), _split(False)),
    Suite("split_with_size", (*_FEW, "float64", "int16", "complex64", "complex128"),
          _split(True)),
    Suite("complex", ("float32", "float64"), _complex),
    Suite("real", ("complex64", "complex128", "float32", "float16"), _real),
)  # fmt: skip
