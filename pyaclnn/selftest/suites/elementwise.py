"""Cases of element-wise gradients of one input: shapes, views, edges, attributes, broadcasting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import (
    BROADCAST_PAIRS,
    EMPTY_SHAPES,
    SHAPES,
    Array,
    Case,
    Operand,
    edge_values,
    is_integer,
    layout_pairs,
    numpy_dtype,
    random_values,
)
from pyaclnn.selftest.chips import has_950_kernels, has_bfloat16, is_950

FLOATS = ("float32", "float16", "bfloat16")
FLOATS_AND_DOUBLE = (*FLOATS, "float64")

#: (grad, x, *attributes) in float64 to the gradient.
Formula = Callable[..., Array]
#: (grad, x, *attributes) to the arguments in the operator's own order.
Call = Callable[..., tuple[Any, ...]]
#: (shape, generator) to values of x.
Make = Callable[[tuple[int, ...], np.random.Generator], Array]

#: As a suite wants them.
Cases = Callable[[str, np.random.Generator], Iterable[Case]]


def only_with_bfloat16(cases: Cases) -> Cases:
    """Nothing on the chips without bfloat16, for which some operators have no kernel."""
    return lambda dtype, rng: cases(dtype, rng) if has_bfloat16() else ()


def without_bfloat16_on_950(cases: Cases) -> Cases:
    """On the 950 no case of bfloat16, which some operators have on Atlas A2 and A3 alone."""

    def tried(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for case in cases(dtype, rng):
            operands = (i.values.dtype.name for i in case.inputs if isinstance(i, Operand))
            if not (is_950() and "bfloat16" in operands):
                yield case

    return tried


def gradient_first(grad: Operand, x: Operand, *attributes: Any) -> tuple[Any, ...]:
    """Return the order of most operators."""
    return grad, x, *attributes


def between(low: float, high: float) -> Make:
    """Uniform values."""
    return lambda shape, rng: np.asarray(rng.uniform(low, high, shape))


@dataclass(frozen=True, slots=True)
class Elementwise:
    """What the cases of one element-wise operator are made of.

    Attributes
    ----------
    formula : callable
        The reference.
    attributes : tuple of tuple
        Further arguments, set by set; the first set serves all shapes.
    bends : tuple of float
        Where the formula changes.
    broadcasts, mixed
        Whether shapes broadcast, and which dtypes x may have beside grad's.
    nan_in_x : bool
        Whether NaN in x has one answer on all releases and dtypes.
    infinite : bool
        Whether infinite values of grad and x have: not where a kernel may multiply by 0, nor where
        the formula has an indefinite form.
    selects : bool
        Whether values pass unchanged, so that the limits of integers are exact.
    avoid : tuple of (float, float)
        Zeros of the derivative and how far to stay from them: relative errors there measure the
        input and the precision of a sum, not the kernel.
    domain : callable, optional
        Makes x; normal values by default. The edges are then those of grad only.
    call : callable
        The order of arguments.
    """

    formula: Formula
    attributes: tuple[tuple[Any, ...], ...] = ((),)
    bends: tuple[float, ...] = ()
    broadcasts: bool = False
    mixed: tuple[str, ...] = ()
    nan_in_x: bool = True
    infinite: bool = True
    selects: bool = True
    avoid: tuple[tuple[float, float], ...] = ()
    domain: Make | None = None
    call: Call = gradient_first

    def __call__(self, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        """Yield the cases."""
        first = self.attributes[0]

        def grad(shape: tuple[int, ...]) -> Array:
            return random_values(shape, dtype, rng)

        def x(shape: tuple[int, ...]) -> Array:
            return self._values(shape, dtype, rng)

        for shape in (*SHAPES, *EMPTY_SHAPES):
            yield self._case(f"shape {shape}", dtype, grad(shape), x(shape), first)
        for first_layout, second_layout, out_layout in layout_pairs():
            yield self._case(
                f"{first_layout} × {second_layout} → {out_layout}",
                dtype, grad((6, 7, 10)), x((6, 7, 10)), first,
                (first_layout, second_layout), (out_layout,),
            )  # fmt: skip
        row, column = grad((1, 12)).repeat(5, axis=0), x((1, 12)).repeat(5, axis=0)
        yield self._case("expanded grad", dtype, row, x((5, 12)), first, ("expanded", "contiguous"))
        yield self._case(
            "expanded x", dtype, grad((5, 12)), column, first, ("contiguous", "expanded")
        )
        for extra in self.attributes:
            yield from self._edges(dtype, rng, extra)
            yield self._case(f"attributes {extra}", dtype, grad((41, 29)), x((41, 29)), extra)
        for grad_shape, x_shape in BROADCAST_PAIRS if self.broadcasts else ():
            label = f"broadcast {grad_shape} {x_shape}"
            yield self._case(label, dtype, grad(grad_shape), x(x_shape), first)
        for other in self.mixed:
            if other != dtype and (other != "bfloat16" or has_bfloat16()):
                yield self._mixed(dtype, other, rng, first)

    def _values(self, shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
        if self.domain is not None:
            return np.asarray(self.domain(shape, rng)).astype(numpy_dtype(dtype))
        values = random_values(shape, dtype, rng)
        for zero, radius in self.avoid:
            near = np.abs(values.astype(np.float64) - zero) < radius
            values[near] = np.asarray(zero + 2 * radius).astype(values.dtype)
        return values

    def _case(
        self, label: str, dtype: str, grad: Array, x: Array, extra: tuple[Any, ...],
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: tuple[str, ...] = (),
    ) -> Case:  # fmt: skip
        golden = self._golden(dtype, grad, x, extra)
        inputs = self.call(Operand(grad, layouts[0]), Operand(x, layouts[1]), *extra)
        return Case(label, inputs, (golden,), out)

    def _golden(self, dtype: str, grad: Array, x: Array, extra: tuple[Any, ...]) -> Array:
        with np.errstate(all="ignore"):
            value = self.formula(grad.astype(np.float64), x.astype(np.float64), *extra)
        if not is_integer(dtype):
            return value
        # Integers are computed in floating point; the 950 rounds the result, other chips cut it.
        to_integer = np.rint if has_950_kernels() else np.trunc
        return np.asarray(to_integer(value)).astype(numpy_dtype(dtype))

    def _edges(
        self, dtype: str, rng: np.random.Generator, extra: tuple[Any, ...]
    ) -> Iterator[Case]:
        around = self.bends + tuple(float(e) for e in extra if isinstance(e, float))
        x = edge_values(dtype, around)
        grad = edge_values(dtype)
        if is_integer(dtype) and not self.selects:
            x, grad = x[:4], grad[:4]
        if not self.nan_in_x:
            x = x[~np.isnan(x.astype(np.float64))]
        if not self.infinite:
            x, grad = (v[~np.isinf(v.astype(np.float64))] for v in (x, grad))
        finite = x[np.isfinite(x.astype(np.float64))]
        if self.domain is None:
            yield self._case(f"edges {extra}", dtype, np.ones_like(x), x, extra)
        else:
            finite = self._values((64,), dtype, rng)
        # Finite values only: infinity times zero is a case of its own.
        beside = np.resize(finite, grad.size)
        yield self._case(f"edges of grad {extra}", dtype, grad, beside, extra)

    def _mixed(
        self, dtype: str, other: str, rng: np.random.Generator, extra: tuple[Any, ...]
    ) -> Case:
        grad, x = random_values((9, 11), dtype, rng), self._values((9, 11), other, rng)
        golden = self._golden("float32", grad, x, extra)
        inputs = self.call(Operand(grad), Operand(x), *extra)
        return Case(f"mixed {dtype} {other}", inputs, (golden,))
