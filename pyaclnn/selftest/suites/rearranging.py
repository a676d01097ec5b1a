"""Elements repeated as a tensor says, slices with masks, axes in order before or after a cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Case, Operand, Suite
from pyaclnn.selftest.chips import has_bfloat16, is_950
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.creation import exact, values_of

Shape = tuple[int, ...]
_FEW = ("float32", "float16", "bfloat16", "uint8", "int8", "int16", "int32", "int64", "bool")


def _counts(places: int, kind: str, rng: np.random.Generator) -> list[Any]:
    """Return one number for all, in one dimension or none, and one for each."""
    return [
        np.array(2, kind), np.array([3], kind), np.array([1], kind),
        rng.integers(0, 4, places).astype(kind), np.array([0] * (places - 1) + [2], kind)[:places],
    ]  # fmt: skip


def _repeats(dim: bool) -> Any:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not has_bfloat16():
            return

        def case(shape: Shape, axis: int, counts: Any, layout: str = "contiguous") -> Case:
            values = values_of(shape, dtype, rng)
            each = np.broadcast_to(counts, (shape[axis] if dim else values.size,))
            flat = values if dim else values.reshape(-1)
            golden = exact(np.repeat(flat, each, axis))
            where = (axis,) if dim else ()
            inputs = (Operand(values, layout), Operand(counts), *where, int(each.sum()))
            outs = () if layout == "contiguous" else (layout,)
            label = f"{shape} {axis} {counts.tolist()} {layout}"
            return Case(label, inputs, (golden,), outs)

        shapes: tuple[tuple[Shape, int], ...] = (
            ((5,), 0), ((2, 3), 0), ((2, 3), 1), ((2, 3, 4), 1), ((2, 1, 2, 1, 2, 1, 2, 3), -1),
            ((40, 33), 0), ((0, 3), 1),
        )  # fmt: skip
        for number, (shape, axis) in enumerate(shapes):
            places = shape[axis] if dim else int(np.prod(shape))
            for counts in _counts(places, ("int64", "int32")[number % 2], rng):
                if places or counts.size == 1:
                    yield case(shape, axis if dim else 0, counts)
        if not dim:
            yield case((), 0, np.array([4]))
        for layout in LAYOUTS[1:]:
            yield case(
                (3, 4, 6), 1 if dim else 0, _counts(4 if dim else 72, "int64", rng)[3], layout
            )

    return cases


def _places(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return

    def case(counts: Any, layout: str = "contiguous") -> Case:
        golden = np.repeat(np.arange(counts.size), counts)
        inputs = (Operand(counts, layout), int(counts.sum()))
        outs = () if layout == "contiguous" else (layout,)
        return Case(f"{counts.tolist()[:9]} {layout}", inputs, (golden,), outs)

    for count in (1, 2, 7, 33, 600, 0):
        yield case(rng.integers(0, 5, count).astype(dtype))
    for layout in LAYOUTS[1:]:
        yield case(rng.integers(0, 5, 20).astype(dtype), layout)
    yield case(np.array([0, 0, 5, 0], dtype))


#: Shape, then what an index says in Python.
_INDICES: tuple[tuple[Shape, tuple[Any, ...]], ...] = (
    ((7,), (slice(1, 6, 2),)), ((7,), (slice(None, None, -1),)), ((7,), (slice(-2, -100, -3),)),
    ((3, 5), (slice(0, 2), slice(1, 9))), ((3, 5), (1,)), ((3, 5), (slice(None), -1)),
    ((3, 5), (None, ...)), ((3, 5), (..., None)), ((2, 3, 4), (..., slice(1, 3))),
    ((2, 3, 4), (0, ..., slice(None, 2))), ((2, 3, 4), (slice(None), None, slice(2, 0, -1))),
    ((2, 3, 4), (1, 2, 3)), ((2, 3, 4), (slice(5, 9), ...)), ((3, 5), (slice(2, 1),)),
    ((2, 1, 2, 1, 2, 1, 2, 3), (..., slice(0, 3, 2))), ((3, 5), (slice(0, 3, 2**40),)),
    ((3, 5), ()), ((0, 3), (slice(0, 1),)),
)  # fmt: skip


def masked(index: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return begin, end, strides and the five masks that say an index in Python."""
    rows, masks = [], [0] * 5
    for bit, entry in enumerate(index):
        begin, end, step = 0, 0, 1
        if entry is ...:
            masks[2] |= 1 << bit
        elif entry is None:
            masks[3] |= 1 << bit
        elif isinstance(entry, slice):
            masks[0] |= (entry.start is None) << bit
            masks[1] |= (entry.stop is None) << bit
            begin, end, step = entry.start or 0, entry.stop or 0, entry.step or 1
        else:
            masks[4] |= 1 << bit
            begin = entry
        rows.append((begin, end, step))
    return (*(list(column) for column in zip(*rows, strict=True)), *masks) if rows else (
        [], [], [], *masks
    )  # fmt: skip


def _sliced(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return

    def case(shape: Shape, index: tuple[Any, ...], layout: str = "contiguous") -> Case:
        values = values_of(shape, dtype, rng)
        golden = exact(np.asarray(values[index]))
        outs = () if layout == "contiguous" else (layout,)
        inputs = (Operand(values, layout), *masked(index))
        return Case(f"{shape} {index} {layout}", inputs, (golden,), outs)

    for shape, index in _INDICES:
        yield case(shape, index)
    for layout in LAYOUTS[1:]:
        yield case((3, 4, 6), (slice(None), slice(3, 0, -1), slice(1, 6, 2)), layout)


def _confused(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return

    def case(
        shape: Shape, cut: Shape, order: Shape, first: bool, layout: str = "contiguous"
    ) -> Case:
        values = values_of(shape, dtype, rng)
        if first:
            golden = values.transpose(order).reshape(cut)
        else:
            golden = values.reshape(cut).transpose(order)
        inputs = (Operand(values, layout), list(order), list(cut), first)
        return Case(f"{shape} {cut} {order} {first} {layout}", inputs, (exact(golden),))

    for shape, cut, order, first in (
        ((6,), (2, 3), (1, 0), False), ((2, 3), (6,), (1, 0), True), ((2, 3), (2, 3), (0, 1), True),
        ((4, 6), (2, 2, 3, 2), (0, 2, 1, 3), False), ((2, 2, 3, 2), (4, 6), (0, 2, 1, 3), True),
        ((2, 1, 2, 1, 2, 1, 2, 3), (48,), (7, 5, 3, 1, 6, 4, 2, 0), True),
        ((48,), (2, 1, 2, 1, 2, 1, 2, 3), (7, 5, 3, 1, 6, 4, 2, 0), False),
        ((40, 33), (33, 40), (1, 0), False), ((40, 33), (20, 66), (1, 0), True),
    ):  # fmt: skip
        yield case(shape, cut, order, first)
    for layout in LAYOUTS[1:]:
        yield case((3, 4, 6), (2, 36), (2, 0, 1), True, layout)
        yield case((3, 4, 6), (2, 36), (1, 0), False, layout)


_UNSIGNED = ("uint16", "uint32", "uint64")

SUITES: tuple[Suite, ...] = (
    Suite("repeat_interleave", _FEW, _repeats(False)),
    Suite("repeat_interleave_with_dim", _FEW, _repeats(True)),
    Suite("repeat_interleave_tensor", ("int64", "int32"), _places),
    Suite("strided_slice", (*_FEW, *_UNSIGNED, "complex64"), _sliced, chip="Ascend910_95"),
    Suite("confusion_transpose", (*_FEW[:-1], *_UNSIGNED), _confused, chip="Ascend910_95"),
)  # fmt: skip
