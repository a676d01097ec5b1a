"""Cases of sums of segments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from pyaclnn.selftest.cases import Case, Operand, Suite, in_views, uniform
from pyaclnn.selftest.chips import NEWEST, is_950, is_a2_or_a3
from pyaclnn.selftest.suites.affine import with_views
from pyaclnn.selftest.suites.creation import exact
from pyaclnn.selftest.suites.elementwise import FLOATS

Shape = tuple[int, ...]


def _exp_segsum(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if not is_a2_or_a3():
        return
    for shape in ((2, 3, 4), (1, 1, 1), (2, 2, 3, 5), (1, 3, 40), (3, 1, 2, 17), (0, 2, 3)):
        x = uniform(shape, dtype, rng, -0.2, 0.2)
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
        grad = uniform(shape, dtype, rng, 0.25, 2.0)
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


SUITES = (
    Suite("exp_segsum", FLOATS, _exp_segsum),
    Suite("repeat_interleave_grad", FLOATS, _repeat_interleave_grad, chip=NEWEST),
)
