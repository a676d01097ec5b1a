"""Norms of the tensors of a list, and what is not finite in them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype, random_values
from pyaclnn.selftest.chips import has_950_kernels, has_bfloat16
from pyaclnn.selftest.layouts import LAYOUTS

FLOATS = ("float32", "float16", "bfloat16")

_SHAPES: tuple[tuple[tuple[int, ...], ...], ...] = (
    ((3, 5), (2, 4)), ((2, 3),), ((), (7,), (2, 1, 2, 1, 2, 1, 2, 3)), ((33,),) * 60,
    ((300, 401), (16385,), (1,)), ((1,), (64, 3), (17, 2, 5), (8,)),
)  # fmt: skip
_WITH_EMPTY = ((4, 0), (5,), (0,))


def _norm(values: Array, order: float) -> Array:
    """As the kernels have it: an order other than 1 is 2, infinity too unless on the 950."""
    exact = np.abs(values.astype(np.float64))
    if 1 <= order < 2:
        return np.asarray(exact.sum())
    if order == np.inf and has_950_kernels():
        return np.asarray(exact.max(initial=0))
    return np.asarray(np.sqrt((exact**2).sum()))


def _norm_cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return

    def case(
        label: str, shapes: tuple[tuple[int, ...], ...], order: float = 2.0,
        layout: str = "contiguous",
    ) -> Case:  # fmt: skip
        values = [random_values(shape, dtype, rng) for shape in shapes]
        operands = [Operand(v, layout) for v in values]
        return Case(label, (operands, order), ([_norm(v, order) for v in values],))

    for shapes in (*_SHAPES, _WITH_EMPTY):
        yield case(f"shapes {shapes[:3]}", shapes)
    for order in (1, 1.0, 1.5, 2, 3.0, 0.5, float("inf")):
        yield case(f"order {order}", _SHAPES[-1], order)
    for layout in LAYOUTS[1:]:
        yield case(layout, ((6, 7, 10), (3, 4)), 2.0, layout)


def _unscale_cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        label: str, shapes: tuple[tuple[int, ...], ...], special: float | None = None,
        layout: str = "contiguous", found: float = 0.0, inverse: float = 0.125,
    ) -> Case:  # fmt: skip
        values = [random_values(shape, dtype, rng) for shape in shapes]
        if special is not None:
            values[-1].reshape(-1)[-1] = special
            found_now = 1.0
        else:
            found_now = found
        one = np.array([found], np.float32)
        scale = np.array([inverse], np.float32)
        with np.errstate(all="ignore"):
            golden = [v.astype(np.float64) * inverse for v in values]
        inputs = ([Operand(v, layout) for v in values], Operand(one), Operand(scale))
        return Case(label, inputs, (golden, np.array([found_now])))

    if dtype == "bfloat16" and not has_bfloat16():
        return
    for shapes in _SHAPES:
        yield case(f"shapes {shapes[:3]}", shapes)
    for special in (np.inf, -np.inf, np.nan):
        for shapes in _SHAPES[:5:2]:
            yield case(f"{special} in {shapes[:3]}", shapes, special)
    largest = float(np.finfo(np.float16).max) if dtype == "float16" else 3e38
    values = np.array([largest, -largest, 1e-7, 0], np.float64).astype(numpy_dtype(dtype))
    golden = [values.astype(np.float64) * 0.5]
    scale = np.array([0.5], np.float32)
    inputs = ([Operand(values)], Operand(np.zeros(1, np.float32)), Operand(scale))
    yield Case("largest values", inputs, (golden, np.zeros(1)))
    yield case("found before", ((5,),), found=1.0)
    yield case("another scale", ((5,), (3, 2)), inverse=3.0)
    for layout in LAYOUTS[1:]:
        yield case(layout, ((6, 7, 10), (3, 4)), layout=layout)


SUITES = (
    Suite("foreach_norm", FLOATS, _norm_cases),
    Suite("foreach_non_finite_check_and_unscale", FLOATS, _unscale_cases),
)
