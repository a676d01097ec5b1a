"""Gradients of distances between points."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import is_950, is_a2_or_a3, is_a2_or_late_950
from pyaclnn.selftest.layouts import LAYOUTS


def cdist_backward(grad: Array, x1: Array, x2: Array, distance: Array, p: float) -> Array:
    """Differentiate every distance by the points of x1 (torch.cdist)."""
    d = x1[..., :, None, :] - x2[..., None, :, :]
    with np.errstate(all="ignore"):
        if p == 0:
            slope = np.zeros_like(d)
        elif p == 1:
            slope = np.sign(d)
        elif np.isinf(p):
            slope = np.sign(d) * (np.abs(d) == distance[..., None])
        else:
            power = np.abs(d) ** (p - 1) / distance[..., None] ** (p - 1)
            slope = np.where((distance[..., None] == 0) | (d == 0), 0.0, np.sign(d) * power)
    return np.asarray((grad[..., None] * slope).sum(axis=-2))


def distances(x1: Array, x2: Array, p: float) -> Array:
    """Return the distance of every point of x1 to every one of x2."""
    d = np.abs(x1[..., :, None, :] - x2[..., None, :, :])
    if p == 0:
        return np.asarray((d != 0).sum(axis=-1, dtype=np.float64))
    if np.isinf(p):
        return np.asarray(d.max(axis=-1))
    return np.asarray((d**p).sum(axis=-1) ** (1 / p))


def _cdist(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)

    def case(
        label: str, batch: tuple[int, ...], points: tuple[int, int], width: int, p: float,
        *, batch2: tuple[int, ...] | None = None, layout: str = "contiguous", out: str = "",
        equal: bool = False,
    ) -> Case:  # fmt: skip
        # x1 above x2 and gradients of one sign: the sum over j does not cancel. Multiples of 1/32
        # make differences exact, so that the largest is the same in every precision.
        x1 = np.asarray(np.round(rng.uniform(1.0, 2.0, (*batch, points[0], width)) * 32) / 32)
        shape2 = (*(batch if batch2 is None else batch2), points[1], width)
        x2 = np.asarray(np.round(rng.uniform(-1.0, 0.5, shape2) * 32) / 32)
        if equal:
            x2[..., 0, :] = x1[..., 0, :]
        exponent = np.inf if p == -1 else p
        x1, x2 = x1.astype(kind), x2.astype(kind)
        exact = x1.astype(np.float64), x2.astype(np.float64)
        distance = distances(*exact, exponent).astype(kind)
        grad = np.asarray(rng.uniform(0.5, 1.5, distance.shape)).astype(kind)
        golden = cdist_backward(
            grad.astype(np.float64), *exact, distance.astype(np.float64), exponent
        )
        inputs = (
            Operand(grad, layout), Operand(x1, layout), Operand(x2, layout),
            Operand(distance, layout), p,
        )  # fmt: skip
        return Case(label, inputs, (golden,), (out,) if out else ())

    if not is_a2_or_late_950() or (is_950() and dtype == "bfloat16"):
        return
    for p in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0, float("inf"), -1.0):
        for batch in ((), (3,), (2, 2)):
            yield case(f"p {p} batch {batch}", batch, (5, 4), 7, p)
        yield case(f"p {p} equal points", (), (4, 3), 5, p, equal=True)
    for points, width in (((1, 1), 1), ((1, 9), 2), ((9, 1), 3), ((33, 17), 300), ((64, 64), 16)):
        for p in (1.0, 2.0, 3.0):
            yield case(f"{points} points of {width}, p {p}", (2,), points, width, p)
    yield case("one x2 for all", (3,), (4, 5), 6, 2.0, batch2=(1,))
    yield case("five batch dimensions", (2, 1, 2, 1, 2), (3, 4), 5, 1.5)
    for layout in LAYOUTS[1:]:
        for p in (1.0, 2.0, 2.5):
            yield case(f"{layout} inputs, p {p}", (2,), (6, 4), 10, p, layout=layout)
        yield case(f"{layout} output", (2,), (6, 4), 10, 2.0, out=layout)
    yield case("no points", (2,), (0, 4), 3, 2.0)


def chamfer_distance_backward(
    xyz1: Array, xyz2: Array, idx1: Array, idx2: Array, grad1: Array, grad2: Array
) -> tuple[Array, Array]:
    """Differentiate the squared distances to the nearest points by both sets of points."""
    out1, out2 = np.zeros_like(xyz1), np.zeros_like(xyz2)
    for b in range(xyz1.shape[0]):
        term1 = 2 * grad1[b, :, None] * (xyz1[b] - xyz2[b, idx1[b]])
        term2 = 2 * grad2[b, :, None] * (xyz2[b] - xyz1[b, idx2[b]])
        out1[b] += term1
        np.add.at(out2[b], idx1[b], -term1)
        out2[b] += term2
        np.add.at(out1[b], idx2[b], -term2)
    return out1, out2


def _chamfer(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)

    def case(
        label: str, batch: int, count1: int, count2: int, layout: str = "contiguous",
        out: str = "",
    ) -> Case:  # fmt: skip
        # One set beside the other: all terms of a point have one sign.
        xyz1 = rng.uniform(1.0, 3.0, (batch, count1, 2)).astype(kind)
        xyz2 = rng.uniform(-2.0, 0.5, (batch, count2, 2)).astype(kind)
        idx1 = rng.integers(0, max(count2, 1), (batch, count1)).astype(np.int32)
        idx2 = rng.integers(0, max(count1, 1), (batch, count2)).astype(np.int32)
        grad1 = rng.uniform(0.5, 1.5, (batch, count1)).astype(kind)
        grad2 = rng.uniform(0.5, 1.5, (batch, count2)).astype(kind)
        exact = [a.astype(np.float64) for a in (xyz1, xyz2, grad1, grad2)]
        golden = chamfer_distance_backward(exact[0], exact[1], idx1, idx2, exact[2], exact[3])
        operands = (xyz1, xyz2, idx1, idx2, grad1, grad2)
        inputs = tuple(Operand(a, layout) for a in operands)
        return Case(label, inputs, golden, (out, out) if out else ())

    if not is_a2_or_a3():
        return
    for batch in (1, 2, 5):
        for count in (1, 2, 3, 17, 64, 500):
            yield case(f"{batch} × {count}", batch, count, count)
        yield case(f"{batch} × 9 and 4", batch, 9, 4)
    for layout in LAYOUTS[1:]:
        yield case(f"{layout} inputs", 3, 6, 6, layout)
        yield case(f"{layout} outputs", 3, 6, 6, out=layout)
    yield case("no points", 2, 0, 0)


SUITES = (
    Suite("cdist_backward", ("float32", "float16", "bfloat16"), _cdist),
    Suite("chamfer_distance_backward", ("float32", "float16"), _chamfer),
)
