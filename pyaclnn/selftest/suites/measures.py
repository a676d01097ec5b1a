"""Cases of distances, overlaps, determinants, signs as bits, stretches of rows, transport plans."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, in_views, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, chip_family, has_bfloat16, is_950, is_a2_or_a3
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.creation import exact
from pyaclnn.selftest.suites.elementwise import FLOATS
from pyaclnn.selftest.suites.scaled import with_views

Shape = tuple[int, ...]

_NORMS = (2.0, 1.0, 0.0, math.inf, 3.0, 0.5)


def _drawn(
    shape: Shape, dtype: str, rng: np.random.Generator, low: float = -2.0, high: float = 2.0
) -> Operand:  # fmt: skip
    return Operand(np.asarray(rng.uniform(low, high, shape)).astype(numpy_dtype(dtype)))


def _norm(differences: Array, p: float) -> Array:
    d = np.abs(differences)
    if p == 0:
        return np.asarray((d != 0).sum(-1), np.float64)
    if math.isinf(p):
        return np.asarray(d.max(-1, initial=0))
    return np.asarray((d**p).sum(-1) ** (1 / p))


#: Shapes of x1 and x2.
_POINTS: tuple[tuple[Shape, Shape], ...] = (
    ((3, 4), (5, 4)), ((2, 3, 4), (2, 5, 4)), ((1, 1), (1, 1)), ((2, 1, 3, 6), (4, 2, 6)),
    ((7, 130), (3, 130)), ((3, 1, 2, 5), (1, 4, 3, 5)), ((40, 3), (50, 3)), ((3, 0), (2, 0)),
    ((0, 4), (5, 4)),
)  # fmt: skip


def _cdist(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for number, (first, second) in enumerate((*_POINTS, *_POINTS[:3])):
        p = _NORMS[number % len(_NORMS)]
        a, b = _drawn(first, dtype, rng), _drawn(second, dtype, rng)
        if p == 0 and a.values.size:  # some coordinates are equal
            b.values[..., :1] = a.values.flat[0]
            a.values[..., :1] = a.values.flat[0]
        differences = exact(a.values)[..., :, None, :] - exact(b.values)[..., None, :, :]
        case = Case(f"{first} {second} p {p}", (a, b, p, 2), (_norm(differences, p),))
        if first == (2, 3, 4) and p == 1:
            yield from with_views(case, 0, 1)
        else:
            yield case


def _pairs(forward: bool) -> Any:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if chip_family() not in ("910", "A2"):
            return
        for number, shape in enumerate(
            ((4, 3), (2, 1), (9, 70), (30, 5), (1, 4), (3, 0), (0, 4), (5, 2), (6, 2))
        ):
            p = _NORMS[number % len(_NORMS)]
            x = _drawn(shape, dtype, rng)
            first, second = np.triu_indices(shape[0], 1)
            golden = _norm(exact(x.values)[first] - exact(x.values)[second], p)
            case = Case(f"{shape} p {p}", (x, p), (golden,))
            if shape == (4, 3):
                yield from with_views(case, 0)
            else:
                yield case

    return cases


def _boxes(count: int, dtype: str, rng: np.random.Generator) -> Operand:
    corner, size = rng.uniform(0, 3, (count, 2)), rng.uniform(1, 4, (count, 2))
    return Operand(np.concatenate([corner, corner + size], axis=1).astype(numpy_dtype(dtype)))


def _overlap(a: Array, b: Array, mode: str, eps: float) -> Array:
    low, high = np.maximum(a[..., :2], b[..., :2]), np.minimum(a[..., 2:], b[..., 2:])
    both = np.maximum(high + eps - low, 0).prod(-1)
    of_a, of_b = ((box[..., 2:] - box[..., :2] + eps).prod(-1) for box in (a, b))
    return np.asarray(both / (of_a + of_b - both if mode == "iou" else of_b))


def _iou(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "910":
        return
    for number, (m, n) in enumerate(((3, 5), (1, 1), (40, 33), (4, 4), (7, 7), (0, 3), (3, 0))):
        for aligned in (False, True) if m == n else (False,):
            mode, eps = ("iou", "iof")[number % 2], (0.0, 1.0, 0.25)[number % 3]
            a, b = _boxes(m, dtype, rng), _boxes(n, dtype, rng)
            if aligned:
                golden = _overlap(exact(a.values), exact(b.values), mode, eps)[:, None]
            else:
                golden = _overlap(exact(a.values)[:, None], exact(b.values)[None], mode, eps)
            label = f"{m} with {n}, {mode}, eps {eps}, aligned {aligned}"
            case = Case(label, (a, b, mode, eps, aligned), (golden,))
            if (m, n) == (3, 5):
                yield from with_views(case, 0, 1)
            else:
                yield case


_EXACT = ("float32", "float64", "complex64", "complex128")
_MATRICES: tuple[Shape, ...] = (
    (1, 1), (3, 3), (2, 4, 4), (2, 1, 3, 2, 2), (33, 33), (2, 1, 2, 1, 2, 1, 3, 3), (0, 3, 3),
)  # fmt: skip


def _matrices(shape: Shape, dtype: str, rng: np.random.Generator) -> Array:
    values: Array = rng.normal(0, 1, shape)
    if dtype.startswith("complex"):
        values = values + 1j * rng.normal(0, 1, shape)
    return values.astype(numpy_dtype(dtype))


def _slogdet(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "950":
        return

    def case(values: Array, label: str) -> Case:
        sign, log = np.linalg.slogdet(exact(values))
        return Case(label, (Operand(values),), (np.asarray(sign), np.asarray(log)))

    for shape in _MATRICES:
        usual = case(_matrices(shape, dtype, rng), f"{shape}")
        if shape == (2, 4, 4):
            yield from with_views(usual, 0)
        else:
            yield usual
    # A zero column stays one, whatever the pivots.
    singular = _matrices((3, 4, 4), dtype, rng)
    singular[1, :, 2] = 0
    yield case(singular, "one is singular")
    yield case(np.diag([-2.0, 1.0, 3.0]).astype(numpy_dtype(dtype)), "negative")
    yield case(np.eye(3)[[1, 0, 2]].astype(numpy_dtype(dtype)), "rows exchanged")


def _logdet(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "310P":
        return

    def case(values: Array, label: str) -> Case:
        sign, log = np.linalg.slogdet(exact(values))
        with np.errstate(all="ignore"):
            golden = np.log(sign) + log
        return Case(label, (Operand(values),), (np.asarray(golden),))

    for shape in _MATRICES:
        values = _matrices(shape, dtype, rng)
        # Large diagonals: no logarithm is near 0, and real determinants are positive.
        values = values / 4 + np.eye(shape[-1], dtype=values.dtype) * 2
        usual = case(values.astype(numpy_dtype(dtype)), f"{shape}")
        if shape == (2, 4, 4):
            yield from with_views(usual, 0)
        else:
            yield usual
    yield case(np.diag([2.0, 0.0, 3.0]).astype(numpy_dtype(dtype)), "singular")
    if not dtype.startswith("complex"):
        yield case(np.diag([-2.0, 1.0, 3.0]).astype(numpy_dtype(dtype)), "negative")


#: Numbers and rows of bytes.
_SIGNS = ((8, 1), (1, 1), (17, 3), (16, 2), (4097, 27), (33, 5), (0, 1), (1024, 64))


def _pack(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "910":
        return
    for count, rows in _SIGNS:
        x = _drawn((count,), dtype, rng)
        x.values[::5] = 0
        x.values[::7] = -0.0
        packed = np.packbits(exact(x.values) >= 0, bitorder="little").reshape(rows, -1)
        case = Case(f"{count} in {rows}", (x, rows), (packed,))
        yield case
        if count == 17:
            yield from in_views(case, 0)
            for layout in LAYOUTS[1:]:
                yield replace(case, label=layout, out_layouts=(layout,), out_dtypes=("uint8",))


def _unpack(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if chip_family() == "910":
        return
    for given in ("float32", "float16"):
        for count, rows in ((1, 1), (3, 6), (2, 16), (65, 4), (513, 27), (0, 1)):
            packed = Operand(rng.integers(0, 256, count).astype(numpy_dtype(dtype)))
            bits = np.unpackbits(packed.values, bitorder="little")
            golden = (bits.astype(np.float64) * 2 - 1).reshape(rows, -1)
            case = Case(f"{count} in {rows} {given}", (packed, rows, given), (golden,))
            yield case
            if count == 3:
                yield from in_views(case, 0)
                yield replace(
                    case, label="transposed", out_layouts=("transposed",), out_dtypes=(given,)
                )


def _precision_compare(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not has_bfloat16():
        return
    for shape in ((), (1,), (7,), (3, 5), (2, 3, 4), (4097,), (2, 1, 2, 1, 2, 1, 2, 3)):
        x = _drawn(shape, dtype, rng)
        other = Operand(x.values.copy())
        same = Case(f"{shape}", (x, other), (np.uint32(0) * np.ones((), np.uint32),))
        yield same
        if shape == (3, 5):
            yield from in_views(same, 0, 1)
        changed = Operand(x.values.copy())
        changed.values.flat[-1] += 1
        yield Case(f"{shape} changed", (x, changed), (np.asarray(503, np.uint32),))


def _exp_segsum(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    for shape in ((2, 3, 4), (1, 1, 1), (2, 2, 3, 5), (1, 3, 40), (3, 1, 2, 17), (0, 2, 3)):
        x = _drawn(shape, dtype, rng, -0.2, 0.2)
        length = shape[-1]
        wide = np.broadcast_to(exact(x.values)[..., None], (*shape, length))
        below = np.tril(np.ones((length, length)), -1)
        sums = np.cumsum(wide * below, axis=-2)
        golden = np.exp(sums) * np.tril(np.ones((length, length)))
        case = Case(f"{shape}", (x,), (golden,))
        if shape == (2, 3, 4):
            plain = replace(case, inputs=(replace(x, format="ND"),), out_format="ND")
            yield from with_views(plain, 0)
        else:
            yield case


#: Shape of yGrad, axis, and how often each is repeated.
_REPEATS: tuple[tuple[Shape, int, tuple[int, ...]], ...] = (
    ((2, 6), 1, (1, 2, 2, 1)), ((2, 6), 1, (2,)), ((6,), 0, (1, 5)), ((64,), -1, (8,)),
    ((3, 7, 4), -2, (0, 3, 4)), ((5, 600), 0, (4, 1)), ((4, 3, 1030), 0, (2,)), ((2, 0), 1, (0, 0)),
    ((2, 1, 2, 1, 6, 1, 2, 2), 4, (1, 2, 3)),
)  # fmt: skip


def _repeat_interleave_grad(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_950():
        return
    for number, (shape, axis, counts) in enumerate(_REPEATS):
        # Positive: no sum cancels.
        grad = _drawn(shape, dtype, rng, 0.25, 2.0)
        extent = shape[axis]
        every = counts * (extent // counts[0]) if len(counts) == 1 else counts
        ends = np.cumsum([0, *every])
        parts = [
            np.take(exact(grad.values), range(a, b), axis).sum(axis) for a, b in pairwise(ends)
        ]
        golden = np.stack(parts, axis)
        repeats = Operand(np.array(counts, ("int64", "int32")[number % 2]))
        case = Case(f"{shape} {axis} {counts}", (grad, repeats, axis), (golden,), ("contiguous",))
        yield case
        if number == 0:
            yield from in_views(case, 0, 1)


def _sinkhorn_plan(cost: Array, tolerance: float) -> Array:
    weights = np.exp(cost)
    rows, columns = cost.shape
    of_columns, change = np.ones(columns), math.inf
    of_rows = np.ones(rows)
    while change > tolerance:
        of_rows = 1 / (rows * (weights @ of_columns + 1e-8))
        found = 1 / (columns * (of_rows @ weights + 1e-8))
        change = float(np.abs(found - of_columns).mean())
        of_columns = found
    return np.asarray(of_rows[:, None] * weights * of_columns)


def _sinkhorn(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    for number, shape in enumerate(((3, 4), (1, 1), (20, 5), (7, 130), (64, 64), (2, 3))):
        cost = _drawn(shape, dtype, rng, 0.0, 1.0)
        # So tight that a round more or less does not show.
        tolerance = (1e-6, 1e-5)[number % 2]
        golden = _sinkhorn_plan(exact(cost.values), tolerance)
        case = Case(f"{shape} to {tolerance}", (cost, tolerance), (golden,))
        yield case
        if number == 0:
            yield from in_views(case, 0)
    cost = _drawn((4, 6), dtype, rng, 0.0, 1.0)
    yield Case("usual tolerance", (cost, None), (_sinkhorn_plan(exact(cost.values), 1e-4),))


SUITES = (
    Suite("cdist", FLOATS, _cdist),
    Suite("pdist", ("float32", "float16"), _pairs(False)),
    Suite("pdist_forward", ("float32", "float16"), _pairs(True)),
    Suite("iou", FLOATS, _iou),
    Suite("logdet", _EXACT, _logdet),
    Suite("slogdet", _EXACT, _slogdet),
    Suite("sign_bits_pack", ("float32", "float16"), _pack),
    Suite("sign_bits_unpack", ("uint8",), _unpack),
    Suite("precision_compare", FLOATS, _precision_compare),
    Suite("exp_segsum", FLOATS, _exp_segsum),
    Suite("repeat_interleave_grad", FLOATS, _repeat_interleave_grad, chip=NEWEST),
    Suite("sinkhorn", FLOATS, _sinkhorn),
)
