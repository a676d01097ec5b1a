"""Sums, maxima and minima of the tensors of a list."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import is_950
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.creation import exact, values_of

Shape = tuple[int, ...]
_LISTS: tuple[tuple[Shape, ...], ...] = (
    ((),), ((7,),), ((3, 5),) * 2, ((3, 5), (5,), (3, 1)), ((4, 1), (), (5,)), ((0, 3), (3,)),
    ((1025,),) * 3, ((2, 1, 2, 1, 2, 1, 2, 3), (3,)), ((33,),) * 40, ((300, 401), (401,)),
)  # fmt: skip


def _cases(join: Callable[[Array, Array], Array], chips: Callable[[], bool]) -> Any:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not chips():
            return

        def case(shapes: tuple[Shape, ...], layout: str = "contiguous") -> Case:
            tensors = [values_of(shape, dtype, rng) for shape in shapes]
            if numpy_dtype(dtype).kind in "iu":
                tensors = [t // 8 for t in tensors]  # whose sums the narrow ones hold
            golden = np.asarray(functools.reduce(join, map(exact, tensors)))
            inputs = ([Operand(t, layout) for t in tensors],)
            outs = () if layout == "contiguous" else (layout,)
            return Case(f"{len(shapes)} of {shapes[:3]} {layout}", inputs, (golden,), outs)

        for shapes in _LISTS:
            yield case(shapes)
        for layout in LAYOUTS[1:]:
            yield case(((3, 4, 6),) * 3, layout)

    return cases


_ORDERED = ("float32", "float16", "bfloat16", "int8", "int32", "int64")

SUITES: tuple[Suite, ...] = (
    Suite("sum", ("float32", "float16", "int8", "uint8", "int32"),
          _cases(np.add, lambda: not is_950())),
    Suite("max_n", _ORDERED, _cases(np.maximum, lambda: True)),
    Suite("min_n", _ORDERED, _cases(np.minimum, lambda: True)),
)  # fmt: skip
