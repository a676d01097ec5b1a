"""Cases of gated units of rows: halves and pairs, limits, groups that leave rows out, gradients."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, in_views, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, has_bfloat16, is_950, is_a2_or_late_950
from pyaclnn.selftest.suites.elementwise import FLOATS

Shape = tuple[int, ...]

#: Shape of x and the dimension that is cut.
_SHAPES: tuple[tuple[Shape, int], ...] = (
    ((2,), 0), ((34,), -1), ((4, 6), 1), ((4, 6), 0), ((3, 4, 5), 1), ((7, 1030), -1),
    ((2, 1, 2, 1, 2, 1, 2, 4), 7), ((40, 66), 1), ((3, 6, 2), -2), ((2, 2100), 1),
)  # fmt: skip

#: What is in an output before the call.
_BEFORE = 99.0


def _values(shape: Shape, dtype: str, rng: np.random.Generator, limit: float) -> Array:
    """Return values of both signs, away from 0, some of them at the limit."""
    signs = rng.integers(0, 2, shape) * 2 - 1
    values = signs * rng.uniform(0.25, 2.5, shape)
    at_limit = rng.integers(0, 9, shape) == 0
    return np.asarray(np.where(at_limit, signs * limit, values)).astype(numpy_dtype(dtype))


def _rows(x: Array, dim: int) -> tuple[int, Array]:
    """Return the rows of x and how many there are."""
    count = math.prod(x.shape[: dim % x.ndim])
    return count, x.astype(np.float64).reshape(count, -1)


def _cut(rows: Array, interleaved: bool, swapped: bool = False) -> tuple[Array, Array]:
    if interleaved:
        return rows[:, ::2], rows[:, 1::2]
    a, b = np.split(rows, 2, axis=1)
    return (b, a) if swapped else (a, b)


def _joined(a: Array, b: Array, interleaved: bool, swapped: bool = False) -> Array:
    if interleaved:
        return np.stack([a, b], axis=-1).reshape(len(a), -1)
    return np.concatenate([b, a] if swapped else [a, b], axis=1)


def _sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


@dataclass(frozen=True)
class Numbers:
    """The attributes of a clipped unit."""

    alpha: float = 1.702
    limit: float = 1.5
    bias: float = 1.0
    mode: int = 0

    def gate(self, a: Array, b: Array) -> Array:
        """Return the unit of two operands."""
        other = np.clip(b, -self.limit, self.limit)
        if self.mode:
            return np.asarray(np.minimum(a * _sigmoid(a), self.limit) * other)
        a = np.minimum(a, self.limit)
        return np.asarray(a * _sigmoid(self.alpha * a) * (other + self.bias))

    def gradient(self, grad: Array, a: Array, b: Array, closed: bool) -> tuple[Array, Array]:
        """Return the gradients of both operands; ``closed`` if values at the limit have one."""
        cut, other = np.minimum(a, self.limit), np.clip(b, -self.limit, self.limit)
        s = _sigmoid(self.alpha * cut)
        inside = np.less_equal if closed else np.less
        slope = s * (1 + self.alpha * cut * (1 - s))
        of_a = grad * (other + self.bias) * slope * inside(a, self.limit)
        return of_a, grad * cut * s * inside(np.abs(b), self.limit)


_TRIED = (Numbers(), Numbers(alpha=1.0, limit=7.0, bias=0.5), Numbers(1.25, 0.75, 0.0))
#: Counts of rows, of which the third is more than there are.
_GROUPS = ((1, 0, 2), (0,), (5, 100), (3, -1))


def _groups(number: int) -> tuple[Operand | None, float]:
    """Return every second time none, else groups; and how many rows they have."""
    if number % 2:
        return None, math.inf
    counts = _GROUPS[number // 2 % len(_GROUPS)]
    return Operand(np.array(counts, np.int64)), sum(counts)


def _forward(modes: tuple[int, ...]) -> Callable[..., Iterator[Case]]:
    """Cases of ClippedSwiglu, and of V2, which names a mode."""

    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for number, (shape, dim) in enumerate((*_SHAPES, *_SHAPES)):
            numbers = replace(_TRIED[number % 3], mode=modes[number % len(modes)])
            interleaved = number >= len(_SHAPES)
            groups, wanted = _groups(number // 2)
            x = Operand(_values(shape, dtype, rng, numbers.limit))
            count, rows = _rows(x.values, dim)
            golden = numbers.gate(*_cut(rows, interleaved))
            golden[int(min(wanted, count)) :] = _BEFORE
            result = list(shape)
            result[dim] //= 2
            attributes = (numbers.alpha, numbers.limit, numbers.bias, interleaved)
            more = (numbers.mode,) if len(modes) > 1 else ()
            label = f"{shape} at {dim}, {numbers}, interleaved {interleaved}, groups {wanted}"
            inputs = (x, groups, dim, *attributes, *more)
            case = Case(label, inputs, (golden.reshape(result),), ("contiguous",))
            yield case
            if len(modes) > 1 and shape == (3, 4, 5):
                yield from in_views(case, 0)

    return cases


def _clipped_swiglu_v2(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if is_950():
        yield from _forward((0, 1))(dtype, rng)


def _clipped_swiglu(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if is_a2_or_late_950():
        yield from _forward((0,))(dtype, rng)
        empty = Operand(np.zeros((0, 4), numpy_dtype(dtype)))
        inputs = (empty, None, 1, 1.0, 7.0, 1.0, True)
        yield Case("of nothing", inputs, (np.zeros((0, 2)),))


def _clipped_swiglu_grad(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for number, (shape, dim) in enumerate((*_SHAPES, *_SHAPES)):
        numbers, interleaved = _TRIED[number % 3], number >= len(_SHAPES)
        groups, wanted = _groups(number // 2)
        x = Operand(_values(shape, dtype, rng, numbers.limit))
        result = list(shape)
        result[dim] //= 2
        grad = Operand(_values(tuple(result), dtype, rng, 1.0))
        count, rows = _rows(x.values, dim)
        of_y = grad.values.astype(np.float64).reshape(count, -1)
        found = numbers.gradient(of_y, *_cut(rows, interleaved), closed=True)
        golden = _joined(*found, interleaved)
        golden[int(min(wanted, count)) :] = 0
        label = f"{shape} at {dim}, {numbers}, interleaved {interleaved}, groups {wanted}"
        inputs = (grad, x, groups, dim, numbers.alpha, numbers.limit, numbers.bias, interleaved)
        yield Case(label, inputs, (golden.reshape(shape),), ("contiguous",))


#: Shapes of x, whose rows are halved.
_HALVED: tuple[Shape, ...] = (
    (4, 6), (3, 4, 10), (7, 1030), (1, 2), (40, 66), (2, 2, 2100), (5, 34),
)  # fmt: skip


def _swiglu_group(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return
    for number, shape in enumerate((*_HALVED, *_HALVED, (8,), (2, 1, 2, 1, 2, 1, 2, 4))):
        limit = (-1.0, 1.5)[number % 2]
        numbers = Numbers(1.0, math.inf if limit == -1 else limit, 0.0)
        groups, wanted = _groups(number // 2)
        x = Operand(_values(shape, dtype, rng, 1.5))
        count, rows = _rows(x.values, -1)
        weight = np.asarray(rng.uniform(0.5, 2, (count, 1)), np.float32) if number % 3 else None
        golden = numbers.gate(*_cut(rows, False)) * (1 if weight is None else weight)
        golden[int(min(wanted, count)) :] = _BEFORE
        inputs = (x, None if weight is None else Operand(weight), groups, limit)
        label = f"{shape}, limit {limit}, groups {wanted}"
        result = (*shape[:-1], shape[-1] // 2)
        yield Case(label, inputs, (golden.reshape(result),), ("contiguous",))


def _swiglu_group_grad(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return
    for number, shape in enumerate(_HALVED):
        for limit, weighted in ((0.0, True), (1.5, False), (1.5, True)):
            numbers = Numbers(1.0, limit or math.inf, 0.0)
            groups, wanted = _groups(number)
            x = Operand(_values(shape, dtype, rng, 1.5))
            half = (*shape[:-1], shape[-1] // 2)
            # Positive: the sums of a row do not cancel.
            grad, y = (
                Operand(np.asarray(rng.uniform(0.25, 2, half)).astype(numpy_dtype(dtype)))
                for _ in range(2)
            )
            count, rows = _rows(x.values, -1)
            of_y = grad.values.astype(np.float64).reshape(count, -1)
            weight = Operand(np.asarray(rng.uniform(0.5, 2, (*shape[:-1], 1)), np.float32))
            factor = weight.values.reshape(count, 1) if weighted else 1
            found = numbers.gradient(of_y * factor, *_cut(rows, False), closed=False)
            golden = _joined(*found, False)
            golden[int(min(wanted, count)) :] = 0
            products = grad.values.astype(np.float64) * y.values.astype(np.float64)
            of_weight = products.sum(-1, keepdims=True) if weighted else None
            optional = (weight, y) if weighted else (None, None)
            inputs = (grad, x, *optional, groups, limit)
            label = f"{shape}, limit {limit}, weight {weighted}, groups {wanted}"
            case = Case(label, inputs, (golden.reshape(shape), of_weight))
            yield case
            if shape == (3, 4, 10) and weighted:
                yield from in_views(case, 0, 1, 2, 3)
                outs, types = ("offset", "every_second"), (dtype, "float32")
                yield replace(case, label=f"{label}, views", out_layouts=outs, out_dtypes=types)


def _situ(gate: Array, up: Array, beta: float, linear: float) -> Array:
    up = linear * np.tanh(up / linear) if linear > 0 else up
    return np.asarray(beta * np.tanh(gate / beta) * _sigmoid(gate) * up)


def _situ_gradient(
    grad: Array, gate: Array, up: Array, beta: float, linear: float
) -> tuple[Array, Array]:
    t, s = np.tanh(gate / beta), _sigmoid(gate)
    bent = linear * np.tanh(up / linear) if linear > 0 else up
    slope = 1 - np.tanh(up / linear) ** 2 if linear > 0 else 1
    return grad * bent * s * ((1 - t**2) + beta * t * (1 - s)), grad * beta * t * s * slope


#: beta, linearBeta, whether the gate is on the left.
_SITU = ((1.0, 0.0, True), (2.0, 1.5, False), (-1.5, -1.0, True), (0.75, 3.0, True))


def _situ_glu(backward: bool) -> Callable[..., Iterator[Case]]:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not has_bfloat16():
            return
        for number, (shape, dim) in enumerate((*_SHAPES, *_SHAPES)):
            beta, linear, left = _SITU[number % 4]
            x = Operand(_values(shape, dtype, rng, 1.5))
            count, rows = _rows(x.values, dim)
            gate, up = _cut(rows, False, not left)
            half: Any = list(shape)
            half[dim] //= 2
            golden = _situ(gate, up, beta, linear).reshape(half)
            given: tuple[Operand, ...] = ()
            if backward:
                grad = Operand(_values(tuple(half), dtype, rng, 1.0))
                of_y = grad.values.astype(np.float64).reshape(count, -1)
                found = _situ_gradient(of_y, gate, up, beta, linear)
                golden = _joined(*found, False, not left).reshape(shape)
                given = (grad,)
            label = f"{shape} at {dim}, {beta}, {linear}, left {left}"
            case = Case(label, (*given, x, dim, beta, linear, left), (golden,), ("contiguous",))
            yield case
            if number == 4:
                yield from in_views(case, *range(len(given) + 1))
        empty = Operand(np.zeros((0, 4), numpy_dtype(dtype)))
        halves = Operand(np.zeros((0, 2), numpy_dtype(dtype)))
        inputs = (*((halves,) if backward else ()), empty, 1, 1.0, 0.0, True)
        yield Case("of nothing", inputs, (empty.values if backward else halves.values,))

    return cases


SUITES = (
    Suite("clipped_swiglu", FLOATS, _clipped_swiglu),
    Suite("clipped_swiglu_v2", FLOATS, _clipped_swiglu_v2, chip=NEWEST),
    Suite("clipped_swiglu_grad", FLOATS, _clipped_swiglu_grad),
    Suite("swiglu_group", FLOATS, _swiglu_group, chip=NEWEST),
    Suite("swiglu_group_grad", FLOATS, _swiglu_group_grad, chip=NEWEST),
    Suite("situ_glu", FLOATS, _situ_glu(False)),
    Suite("situ_glu_grad", FLOATS, _situ_glu(True)),
)
