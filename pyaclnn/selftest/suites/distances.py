"""Cases of distances, overlaps of boxes and transport plans."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, in_views, numpy_dtype, uniform
from pyaclnn.selftest.chips import chip_family, has_bfloat16, is_a2_or_a3
from pyaclnn.selftest.suites.affine import with_views
from pyaclnn.selftest.suites.creation import exact
from pyaclnn.selftest.suites.elementwise import FLOATS

Shape = tuple[int, ...]

_NORMS = (2.0, 1.0, 0.0, math.inf, 3.0, 0.5)


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
        a, b = uniform(first, dtype, rng), uniform(second, dtype, rng)
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
            x = uniform(shape, dtype, rng)
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
        cost = uniform(shape, dtype, rng, 0.0, 1.0)
        # So tight that a round more or less does not show.
        tolerance = (1e-6, 1e-5)[number % 2]
        golden = _sinkhorn_plan(exact(cost.values), tolerance)
        case = Case(f"{shape} to {tolerance}", (cost, tolerance), (golden,))
        yield case
        if number == 0:
            yield from in_views(case, 0)
    cost = uniform((4, 6), dtype, rng, 0.0, 1.0)
    yield Case("usual tolerance", (cost, None), (_sinkhorn_plan(exact(cost.values), 1e-4),))


SUITES = (
    Suite("cdist", FLOATS, _cdist),
    Suite("pdist", ("float32", "float16"), _pairs(False)),
    Suite("pdist_forward", ("float32", "float16"), _pairs(True)),
    Suite("iou", FLOATS, _iou),
    Suite("sinkhorn", FLOATS, _sinkhorn),
)
