"""Norms of vectors: every order with a rule of its own, and others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype, random_values
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.statistics import reduced, several

#: Those between the marks of int32, which stand for the infinities.
_ORDERS = (0.0, 1.0, 3.0, 0.5, -1.0, 2.5, np.inf, -np.inf, 2147483647.0, -2147483648.0)


def norm(values: Array, axes: Any, keep: bool, order: float) -> Array:
    """Return the norm over axes by its definition, in float64."""
    size = np.abs(values.astype(np.float64))
    if not axes:
        axes = tuple(range(values.ndim))
    if order in (np.inf, 2147483647.0):
        return np.asarray(size.max(axes, keepdims=keep))
    if order in (-np.inf, -2147483648.0):
        return np.asarray(size.min(axes, keepdims=keep))
    if order == 0:
        return np.asarray((size != 0).sum(axes, keepdims=keep), np.float64)
    with np.errstate(all="ignore"):
        return np.asarray((size**order).sum(axes, keepdims=keep) ** (1 / order))


def _vector_norm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def over_axes(order: float) -> Iterator[Case]:
        return reduced(
            lambda x, axes, keep: (norm(x, axes, keep, order),),
            lambda dims, keep: (order, list(dims), keep, dtype), several,
        )(dtype, rng)  # fmt: skip

    def one(values: Array, order: float, dims: list[int], gives: str = dtype) -> Case:
        golden = norm(values, tuple(dims), False, order)
        inputs = (Operand(values), order, dims, False, gives)
        return Case(f"{order} of {values.shape} as {gives}", inputs, (golden,))

    yield from over_axes(2.0)
    for order in _ORDERS:
        yield from islice(over_axes(order), 6, 10)
        yield one(random_values((3, 300), dtype, rng), order, [1], "float32")
    kind = numpy_dtype(dtype)
    special = np.array([[1, np.nan], [np.inf, -2], [0, -0.0], [-1, 0]]).astype(kind)
    for order in (2.0, *_ORDERS):
        yield one(special, order, [1])
    yield one(random_values((300_000,), dtype, rng), 2.0, [], "float32")
    for shape in ((0,), (3, 0)):
        zeros = np.zeros(shape[:-1])
        inputs = (Operand(np.zeros(shape, kind)), 2.0, [-1], False, dtype)
        yield Case(f"{shape}", inputs, (zeros,))


def _renorm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        shape: tuple[int, ...], axis: int, order: float, most: float, layout: str = "contiguous"
    ) -> Case:
        values = random_values(shape, dtype, rng)
        wide = values.astype(np.float64)
        others = tuple(i for i in range(len(shape)) if i != axis % len(shape))
        size = norm(wide, others, True, order) if values.size else np.ones(())
        golden = np.where(size > most, wide * (most / size), wide)
        outs = () if layout == "contiguous" else (layout,)
        inputs = (Operand(values, layout), order, axis, most)
        return Case(f"{shape} {axis} {order} {most} {layout}", inputs, (golden,), outs)

    for shape in ((3, 5), (1, 7), (7, 1), (2, 3, 4), (40, 33), (2, 1, 2, 1, 2, 1, 2, 3), (0, 3)):
        for axis in (0, 1, -1):
            yield case(shape, axis, 2.0, 3.0)
    for order in (0.0, 1.0, 3.0, 0.5, np.inf):
        for most in (0.0, 1.5, 1e6):
            yield case((4, 6), 0, order, most)
    yield case((3, 9000), 0, 2.0, 50.0)
    for layout in LAYOUTS[1:]:
        yield case((3, 4, 6), 1, 2.0, 4.0, layout)


def _in_place(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return (replace(case, out_layouts=()) for case in _renorm(dtype, rng))


SUITES: tuple[Suite, ...] = (
    Suite("renorm", ("float32", "float16", "bfloat16"), _renorm),
    Suite("inplace_renorm", ("float32", "float16", "bfloat16"), _in_place),
    Suite("linalg_vector_norm", ("float32", "float16", "bfloat16"), _vector_norm),
)
