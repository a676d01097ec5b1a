"""Cases of scales, modulations and sums of tensors. Operands have one sign: no sum cancels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, in_views, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, is_a2_or_a3, is_first_generation
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.elementwise import FLOATS

Shape = tuple[int, ...]


def drawn(
    shape: Shape, dtype: str, rng: np.random.Generator, low: float = 0.25, high: float = 2.5
) -> Operand:  # fmt: skip
    """Return a tensor of positive values."""
    kind = numpy_dtype(dtype)
    if kind.kind == "i":
        return Operand(rng.integers(-9, 10, shape).astype(kind))
    return Operand(np.asarray(rng.uniform(low, high, shape)).astype(kind))


def exact(operand: Operand | None, otherwise: float = 0.0) -> Any:
    """Return the values in float64, int64 for integers."""
    if operand is None:
        return otherwise
    kind = operand.values.dtype.kind
    return operand.values.astype(np.int64 if kind == "i" else np.float64)


def with_views(case: Case, *positions: int) -> Iterator[Case]:
    """Give a case, then with operands as views, then with outputs of every layout."""
    yield case
    yield from in_views(case, *positions)
    for layout in LAYOUTS[1:]:
        outs = (layout,) * len(case.golden)
        yield replace(case, label=f"{case.label}, output {layout}", out_layouts=outs)


def _add_n(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(shape: Shape, count: int, layouts: tuple[str, ...] = ("contiguous",)) -> Case:
        tensors = [
            replace(drawn(shape, dtype, rng), layout=layouts[i % len(layouts)])
            for i in range(count)
        ]
        golden = np.asarray(sum(exact(t) for t in tensors))
        return Case(f"{count} of {shape}, {layouts}", (tensors,), (golden,), (layouts[-1],))

    if not has_bfloat16():
        return
    for shape, count in (
        ((3, 5), 2), ((), 3), ((1,), 1), ((7,), 17), ((1025,), 4), ((2, 3, 4), 40), ((0, 3), 2),
        ((2, 1, 2, 1, 2, 1, 2, 3), 3), ((300, 401), 3),
    ):  # fmt: skip
        yield case(shape, count)
    for layout in LAYOUTS[1:]:
        yield case((6, 7, 10), 3, (layout,))
        yield case((6, 7, 10), 4, ("contiguous", layout))


#: Shape of x, of the scale, axis, number of axes, whether it is from a blob.
_SCALES: tuple[tuple[Shape, Shape, int, int, bool], ...] = (
    ((2, 3, 4, 5), (3, 4), 1, 2, True), ((2, 3, 4, 5), (4, 5), 2, -1, True),
    ((2, 3, 4, 5), (3,), -3, 1, True), ((2, 3, 4), (1,), 0, 0, True), ((7,), (7,), 0, -1, True),
    ((2, 3, 4, 5), (2, 3), 0, 9, False), ((2, 3, 4, 5), (5,), -1, -1, False),
    ((2, 3, 4), (1,), 1, 1, False), ((2, 3, 4), (), 2, 0, False), ((33, 65), (65,), 1, 1, False),
    ((2, 1, 2, 3, 1, 2, 1, 2), (3, 1), 3, 2, True), ((300, 401), (300,), 0, 1, True),
    ((1,), (1,), 0, 1, True), ((1025,), (1025,), 0, 1, False), ((0, 3), (3,), 1, 1, True),
)  # fmt: skip


def _scale(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if is_first_generation():
        return
    for shape, own, axis, axes, from_blob in _SCALES:
        for given in (True, False):
            x, scale = drawn(shape, dtype, rng), drawn(own, dtype, rng)
            bias = drawn(own, dtype, rng) if given else None
            first = axis % len(shape)
            single = scale.values.size == 1
            spread = () if single else (*own, *[1] * (len(shape) - first - len(own)))
            moved = exact(bias).reshape(spread) if given else 0
            golden = exact(x) * exact(scale).reshape(spread) + moved
            label = f"{shape} by {own} at {axis}, {axes}, {from_blob}, bias {given}"
            case = Case(label, (x, scale, bias, axis, axes, from_blob), (golden,))
            if given and axis == -3:
                yield from with_views(case, 0, 1, 2)
            else:
                yield case


#: batch, sequence, hidden.
_SEQUENCES: tuple[Shape, ...] = (
    (2, 3, 4), (1, 1, 1), (3, 7, 33), (5, 1, 6), (1, 40, 65), (4, 100, 301),
)  # fmt: skip


def _modulate(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for shape in _SEQUENCES:
        for number, given in enumerate(((1, 1), (1, 0), (0, 1), (0, 0))):
            batch, _, hidden = shape
            own = (batch, hidden) if number % 2 else (batch, 1, hidden)
            x = drawn(shape, dtype, rng)
            scale, shift = (drawn(own, dtype, rng) if there else None for there in given)

            def spread(operand: Operand | None, batch: int = batch, hidden: int = hidden) -> Any:
                return 0 if operand is None else exact(operand).reshape(batch, 1, hidden)

            golden = np.asarray(exact(x) * (1 + spread(scale)) + spread(shift))
            case = Case(f"{shape} {own} {given}", (x, scale, shift), (golden,))
            if shape == (2, 3, 4) and number == 0:
                yield from with_views(case, 0, 1, 2)
            else:
                yield case
    nothing = drawn((2, 0, 4), dtype, rng)
    yield Case("of nothing", (nothing, None, None), (nothing.values,))


def _signed(shape: Shape, dtype: str, rng: np.random.Generator) -> Array:
    signs = rng.integers(0, 2, shape) * 2 - 1
    return np.asarray(signs * rng.uniform(0.25, 2.5, shape)).astype(numpy_dtype(dtype))


def _fatrelu_mul(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    for number, shape in enumerate(
        ((3, 4), (1, 2), (7, 66), (2, 3, 1024), (2, 1, 2, 1, 2, 1, 2, 6), (500, 130), (0, 4))
    ):
        x = _signed(shape, dtype, rng)
        threshold = np.asarray((0.5, -1.0, 0.0, 1.5)[number % 4]).astype(numpy_dtype(dtype))
        at = threshold.reshape((1,) * (number % 3))
        # Some are at the threshold, where they pass.
        x[..., : shape[-1] // 4] = threshold
        a, b = np.split(x.astype(np.float64), 2, axis=-1)
        golden = np.where(a < float(threshold), 0, a) * b
        case = Case(f"{shape} at {threshold}", (Operand(x), Operand(at)), (golden,))
        if shape == (7, 66):
            yield from with_views(case, 0)
        else:
            yield case


SUITES = (
    Suite("add_n", (*FLOATS, "int32", "int64"), _add_n),
    Suite("scale", FLOATS, _scale),
    Suite("modulate", FLOATS, _modulate),
    Suite("fatrelu_mul", FLOATS, _fatrelu_mul),
)
