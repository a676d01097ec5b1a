"""Slices taken by tuples of numbers or batch by batch, and classes as rows of two numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyaclnn.selftest.cases import Case, Operand, Suite
from pyaclnn.selftest.chips import is_950
from pyaclnn.selftest.suites.creation import exact, values_of

Shape = tuple[int, ...]
_VIEWS = ("contiguous", "transposed", "every_second", "inner_slice")


def _outs(layout: str) -> tuple[str, ...]:
    return () if layout == "contiguous" else (layout,)


def _tuples(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    pairs: tuple[tuple[Shape, Shape], ...] = (
        ((7,), (4, 1)), ((3, 5), (2, 1)), ((3, 5), (6, 2)), ((4, 3, 5), (2, 2, 2)), ((3, 5), (1,)),
        ((4, 3, 5), (3,)), ((4, 3, 5, 2), (3, 2)),
    )  # fmt: skip
    for number, (shape, of) in enumerate(pairs):
        for layout in _VIEWS:
            values, negative = values_of(shape, dtype, rng), bool(number % 2)
            named = np.array(shape[: of[-1]])
            index = rng.integers(-named if negative else 0 * named, named, of)
            index = index.astype(("int32", "int64")[number % 2])
            golden = exact(values[tuple(np.moveaxis(index, -1, 0))])
            inputs = (Operand(values, layout), Operand(index, layout), negative)
            yield Case(f"{shape} {of} {layout}", inputs, (golden,), _outs(layout))


def _batches(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for number, (shape, of) in enumerate(
        (s, o) for s in ((), (7,), (3, 5), (40, 17), (2, 3, 4)) for o in ((), (5,), (2, 3))
    ):
        layout = _VIEWS[number % 4]
        values = values_of(shape, dtype, rng)
        index = rng.integers(0, shape[0] if shape else 1, of).astype(("int32", "int64")[number % 2])
        golden = exact(np.asarray(values[index] if shape else values))
        inputs = (Operand(values, layout), 0, Operand(index, layout), 0, 1)
        yield Case(f"{shape} {of} {layout}", inputs, (golden,), _outs(layout))
    if not is_950():
        return
    for axis, batch in ((1, 1), (2, 1), (2, 2), (-1, 2)):
        values = values_of((2, 3, 4, 5), dtype, rng)
        index = rng.integers(0, values.shape[axis], (*values.shape[:batch], 6))
        places = tuple(
            np.arange(n).reshape(-1, *(1,) * (batch - i)) for i, n in enumerate(index.shape[:-1])
        )
        moved = np.moveaxis(values, axis, batch)
        golden = np.moveaxis(moved[places + (index,)], batch, axis)  # noqa: RUF005
        inputs = (Operand(values), axis, Operand(index), batch, 0)
        yield Case(f"batches {axis} {batch}", inputs, (exact(golden),))


def _one_hot(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for number, (shape, classes) in enumerate(
        (s, c) for s in ((), (7,), (3, 5), (2, 3, 4), (0, 3)) for c in (1, 6, 33)
    ):
        for axis in (-1, *range(len(shape) + 1)):
            layout = _VIEWS[number % 4]
            values = rng.integers(-1, classes + 1, shape).astype(("int32", "int64")[number % 2])
            on, off = values_of((1,), dtype, rng), values_of((2,), dtype, rng)
            place = len(shape) if axis < 0 else axis
            column = np.arange(classes).reshape(-1, *(1,) * (len(shape) - place))
            hot = np.expand_dims(values, place) == column
            golden = np.where(hot, exact(on)[0], exact(off)[0])
            inputs = (Operand(values, layout), classes, Operand(on), Operand(off), axis)
            yield Case(f"{shape} {classes} {axis} {layout}", inputs, (golden,), _outs(layout),
                       (dtype,) if _outs(layout) else ())  # fmt: skip


SUITES: tuple[Suite, ...] = (
    Suite("gather_nd", ("float32", "float16", "bfloat16", "int32", "int64", "int8", "uint8",
                        "bool"), _tuples),
    Suite("gather_v3", ("float32", "float16", "bfloat16", "float64", "int8", "uint8", "int16",
                        "int32", "int64", "bool", "complex64", "complex128"), _batches),
    Suite("one_hot", ("float32", "float16", "int32", "int64"), _one_hot),
)  # fmt: skip
