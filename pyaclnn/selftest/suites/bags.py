"""Rows looked up in bags or scaled, blocks that are overwritten, softmax of what is masked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite
from pyaclnn.selftest.chips import chip_family, is_950
from pyaclnn.selftest.suites.creation import exact, values_of
from pyaclnn.selftest.suites.elementwise import without_bfloat16_on_950

Shape = tuple[int, ...]
_VIEWS = ("contiguous", "transposed", "every_second", "inner_slice")
_NEWEST = "Ascend910_95"
_FLOATS = ("float32", "float16", "bfloat16")
_NARROW = ("int8", "int16", "int32", "uint8", "uint16", "uint32")


def _integers(values: Array, number: int) -> Array:
    return values.astype(("int64", "int32")[number % 2])


def _bag(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    tried = [(m, last, pad, w) for m in (0, 1, 2) for last in (False, True) for pad in (-1, 2)
             for w in ((False, True) if m == 0 else (False,))]  # fmt: skip
    for number, (mode, last, padding, weighted) in enumerate(tried):
        if last and is_950():
            continue  # there bagSize has one place more
        layout, rows, width = _VIEWS[number % 4], 6, (1, 5, 33)[number % 3]
        table = values_of((rows, width), dtype, rng)
        index = rng.integers(0, rows, 14)
        begins = np.array([0, 3, 3, 9, 13] + ([14] if last else []))
        factors = values_of((14,), dtype, rng) if weighted else None
        golden = _looked_up(exact(table), index, begins[:-1] if last else begins, mode, padding,
                            exact(factors) if factors is not None else None)  # fmt: skip
        if mode not in (0, 1) or not is_950():
            places = golden[3] if mode == 2 else golden[2]
        else:
            continue
        inputs = (
            Operand(table, layout), Operand(_integers(index, number), layout),
            Operand(_integers(begins, number)), False, mode, False,
            Operand(factors, layout) if factors is not None else None, last, padding,
        )  # fmt: skip
        yield Case(f"{mode} {last} {padding} {weighted}", inputs, (*golden[:3], places))


def _looked_up(
    table: Array, index: Array, begins: Array, mode: int, padding: int, factors: Array | None
) -> tuple[Array, Array, Array, Array]:
    count = len(begins)
    out, sizes = np.zeros((count, table.shape[1])), np.zeros(count, np.int64)
    places, bag_of = np.zeros(out.shape, np.int64), np.zeros(len(index), np.int64)
    for bag, (begin, end) in enumerate(zip(begins, [*begins[1:], len(index)], strict=True)):
        bag_of[begin:end] = bag
        kept = [i for i in range(begin, end) if index[i] != padding]
        rows = table[index[kept]] * (1 if factors is None else factors[kept][:, None])
        sizes[bag] = len(kept) if mode else 0
        if not kept:
            continue
        out[bag] = (np.sum, np.mean, np.max)[mode](rows, axis=0)
        places[bag] = index[kept][np.argmax(rows, axis=0)]
    return out, bag_of, sizes, places


def _renorm(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for number, shape in enumerate(((5, 7), (9, 1), (3, 40), (5, 4))):
        for limit, order in ((1.0, 2.0), (2.0, 1.0), (0.5, 3.0), (1.0, float("inf")), (100.0, 2.0)):
            layout, table = _VIEWS[number], values_of(shape, dtype, rng)
            of: Shape = ((4,), (2, 3), (), (5, 1))[number]
            index = _integers(rng.integers(0, shape[0], of), number)
            golden = exact(table).copy()
            for row in set(np.asarray(index).reshape(-1).tolist()):
                norm = np.linalg.norm(golden[row], order)
                if norm > limit:
                    golden[row] *= limit / (norm + 1e-7)
            inputs = (Operand(table, layout), Operand(index, layout), limit, order)
            yield Case(f"{shape} {of} {limit} {order} {layout}", inputs, (golden,))
    none = Operand(np.zeros((0,), np.int64))
    table = values_of((3, 4), dtype, rng)
    yield Case("nothing", (Operand(table), none, 0.1, 2.0), (exact(table),))


def _scale(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return
    for number, shape in enumerate(((), (7,), (3, 5), (40, 17), (0, 3), (6, 7), (2, 3, 4))):
        for kind in ("uint8", "int8", "float32", "float16"):
            layout, values = _VIEWS[number % 4], values_of(shape, dtype, rng)
            mask = rng.integers(0, 2, shape).astype(kind)
            factor = (2.0, 0.75)[number % 2]
            golden = exact(values) * mask.astype(np.float64) * factor
            outs = () if layout == "contiguous" else (layout,)
            inputs = (Operand(values, layout), Operand(mask, layout), factor)
            yield Case(f"{shape} {kind} {layout}", inputs, (golden,), outs)


def _softmax(values: Array) -> Array:
    powers = np.exp(values - values.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))


def _masked(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "910":
        return
    shapes: tuple[Shape, ...] = ((2, 3, 4, 5), (1, 1, 1, 1), (2, 2, 3, 70), (0, 2, 3, 4))
    for number, shape in enumerate((*shapes, *shapes)):
        for of in ((1, 1), (shape[0], 1), (1, shape[1]), shape[:2]):
            layout, values = _VIEWS[number % 4], values_of(shape, dtype, rng)
            mask = rng.random((*of, *shape[2:])) < (0.3, 1.0)[number == 1]
            factor = (1.0, 0.5)[number % 2]
            scaled = np.where(mask, -10000.0, exact(values) * factor)
            golden = _softmax(scaled) if values.size else scaled
            outs = () if layout == "contiguous" else (layout,)
            inputs = (Operand(values, layout), Operand(mask, layout), factor, False)
            yield Case(f"{shape} {of} {layout}", inputs, (golden,), outs)


def _biased(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() not in ("310P", "A2"):
        return
    batch, windows, heads, rows, width = 2, 3, 2, 4, 16
    for number in range(12):
        layout, five, masked = _VIEWS[number % 4], number % 2 == 0, number % 3 > 0
        values = values_of((batch, windows, heads, rows, width), dtype, rng)
        mask = values_of((1, windows, 1, rows, width), dtype, rng)
        bias = values_of((1, 1, heads, rows, width), dtype, rng)
        factor = (1.0, 0.5)[number % 2]
        golden = exact(values) * factor + exact(bias) + (exact(mask) if masked else 0)
        shape = values.shape if five else (batch * windows, heads, rows, width)
        mask_shape = ((windows, rows, width), (windows, 1, rows, width), mask.shape)[
            number // 2 % 3
        ]
        bias_shape = ((heads, rows, width), (1, heads, rows, width), bias.shape)[number // 4]
        outs = () if layout == "contiguous" else (layout,)
        inputs = (
            Operand(values.reshape(shape), layout),
            Operand(mask.reshape(mask_shape), layout) if masked else None,
            Operand(bias.reshape(bias_shape), layout), factor, number % 2,
        )  # fmt: skip
        yield Case(f"{shape} {masked} {layout}", inputs, (_softmax(golden).reshape(shape),), outs)


def _lists(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "910":
        return
    tried = [
        ((3, 8, 5), -2, 2),
        ((3, 8, 5), 2, 8),
        ((3, 8, 5), 3, 2),
        ((6,), 1, 4),
        ((4, 6), -1, 1),
    ]
    for number, (shape, axis, length) in enumerate((*tried, *tried)):
        layout, pairs, masks = _VIEWS[number % 4], number % 3 == 2, number % 2 == 1
        count, rank = 3, len(shape) + 1
        place = (axis + rank if axis < 0 else axis) - 1
        extents = [count, *shape]
        extents[place + 1] = length
        parts = [values_of(shape, dtype, rng) for _ in range(count)]
        source = values_of(tuple(extents), dtype, rng)
        begins = rng.integers(0, shape[place] - length + 1, count)
        lengths = rng.integers(0, length + 1, count) if pairs else np.full(count, length)
        mask = rng.integers(0, 2, count).astype(np.uint8) if masks else None
        golden = [exact(part).copy() for part in parts]
        for i in range(count):
            if mask is None or mask[i] == 1:
                to = np.moveaxis(golden[i], place, 0)
                to[begins[i] : begins[i] + lengths[i]] = np.moveaxis(
                    exact(source)[i], place, 0
                )[: lengths[i]]  # fmt: skip
        index = np.stack((begins, lengths), 1) if pairs else begins
        inputs: tuple[Any, ...] = (
            [Operand(part, layout) for part in parts], Operand(_integers(index, number)),
            Operand(source, layout), Operand(mask) if mask is not None else None, "update", axis,
        )  # fmt: skip
        yield Case(f"{shape} {axis} {pairs} {masks} {layout}", inputs, (golden,))


def _assign(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() not in ("A2", "950"):
        return
    tried: tuple[tuple[Shape, tuple[Any, ...]], ...] = (
        ((7,), ((1,), (6,), (1,), None)),
        ((7,), ((-3,), (99,), (1,), None)),
        ((6, 5), ((1, 0), (6, 5), (2, 1), None)),
        ((6, 5), ((0,), (-1,), (3,), (0,))),
        ((4, 3, 5), ((1, 2), (4, 4), (2, 1), (0, 2))),
        ((4, 3, 5), ((0, 0, 1), (4, 3, 1), (1, 1, 1), None)),
    )
    for shape, (begin, end, strides, axes) in tried:
        for layout in _VIEWS:
            values = values_of(shape, dtype, rng)
            places = [slice(None)] * len(shape)
            for axis, *part in zip(axes or range(len(shape)), begin, end, strides, strict=True):
                places[axis] = slice(*part)
            golden = exact(values).copy()
            source = values_of(golden[tuple(places)].shape, dtype, rng)
            golden[tuple(places)] = exact(source)
            inputs = (Operand(values, layout), Operand(source, layout), begin, end, strides, axes)
            yield Case(f"{shape} {begin} {end} {layout}", inputs, (golden,))


SUITES: tuple[Suite, ...] = (
    Suite("embedding_bag", _FLOATS, _bag),
    Suite("embedding_renorm", _FLOATS, without_bfloat16_on_950(_renorm)),
    Suite("masked_scale", _FLOATS, _scale, chip=_NEWEST),
    Suite("scaled_masked_softmax", _FLOATS, _masked),
    Suite("masked_softmax_with_rel_pos_bias", _FLOATS, _biased),
    Suite("scatter_list", (*_FLOATS, *_NARROW), _lists),
    Suite("strided_slice_assign_v2",
          (*_FLOATS, "int32", "int64", "float64", "int8"), _assign),
)  # fmt: skip
