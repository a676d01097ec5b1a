"""Cases of gated linear units and of the parametric rectifier."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, soc_name
from pyaclnn.selftest.formulas.elementary import erf
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.elementwise import FLOATS, FLOATS_AND_DOUBLE, only_with_bfloat16

#: Shape of the input and the dimension that is halved.
_SHAPES: tuple[tuple[tuple[int, ...], int], ...] = (
    ((2,), 0), ((34,), -1), ((1026,), 0), ((4, 6), 0), ((4, 6), 1), ((2, 33), -2), ((3, 130), 1),
    ((7, 6, 5), 1), ((3, 4, 5, 6), -1), ((2, 1, 2, 1, 2, 1, 2, 4), 7), ((300, 402), 1),
    ((300, 401), 0), ((5, 0), 1), ((0, 4), 1),
)  # fmt: skip

Halves = Callable[[Array, Array], Array]


def _gelu(x: Array, tanh: bool) -> Array:
    if tanh:
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
        return np.asarray(x * (1 + np.tanh(inner)) / 2)
    return np.asarray(x * (1 + erf(x / math.sqrt(2))) / 2)


def _values(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    # Away from 0, so that no product of float16 is subnormal.
    signs = rng.integers(0, 2, shape) * 2 - 1
    return np.asarray(signs * rng.uniform(0.25, 2.5, shape)).astype(numpy_dtype(dtype))


def _settings() -> Iterator[tuple[str, tuple[int, ...], int, str, str]]:
    for shape, dim in _SHAPES:
        yield f"shape {shape} dim {dim}", shape, dim, "contiguous", "contiguous"
    for layout in LAYOUTS[1:]:
        for dim in (1, 2):
            yield f"input {layout} dim {dim}", (6, 8, 10), dim, layout, "contiguous"
            yield f"output {layout} dim {dim}", (6, 8, 10), dim, "contiguous", layout


def _halves(x: Array, dim: int) -> tuple[Array, Array]:
    a, b = np.split(x.astype(np.float64), 2, axis=dim)
    return a, b


def _plain(formula: Halves) -> Any:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for label, shape, dim, layout, out in _settings():
            x = _values(shape, dtype, rng)
            yield Case(label, (Operand(x, layout), dim), (formula(*_halves(x, dim)),), (out,))

    return cases


def _gelu_mul(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    for number, (label, shape, dim, layout, out) in enumerate(_settings()):
        if dim % len(shape) == len(shape) - 1:
            mode = ("tanh", "none", None)[number % 3]
            x = _values(shape, dtype, rng)
            a, b = _halves(x, dim)
            golden = _gelu(a, mode == "tanh") * b
            yield Case(f"{label} {mode}", (Operand(x, layout), mode), (golden,), (out,))


def _geglu(sides: tuple[bool, ...], names_side: bool) -> Any:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if not has_bfloat16() and not soc_name().startswith("Ascend310P"):
            return
        modes = (True, False) if has_bfloat16() else (True,)
        for number, (label, shape, dim, layout, out) in enumerate(_settings()):
            tanh, left = modes[number % len(modes)], sides[number // 2 % len(sides)]
            x = _values(shape, dtype, rng)
            a, b = _halves(x, dim)
            gate, other = (a, b) if left else (b, a)
            gelu = _gelu(gate, tanh)
            inputs = (Operand(x, layout), dim, int(tanh), *((left,) if names_side else ()))
            label = f"{label}, approximate {int(tanh)}, left {left}"
            yield Case(label, inputs, (gelu * other, gelu), (out, out))

    return cases


#: Shapes of self and weight.
_PRELU: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((), (1,)), ((7,), (1,)), ((1025,), ()), ((3, 5), (1,)), ((3, 5), (5,)), ((33, 65), (65,)),
    ((3, 5), (1, 1, 1)), ((4, 3, 6), (1, 3, 1)), ((4, 6, 5), (2, 3)), ((2, 3, 4, 5), (3, 1, 1)),
    ((2, 3, 2, 1, 2, 1, 2, 2), (3,)), ((300, 401), (401,)), ((0, 3), (3,)), ((2, 0), (1,)),
)  # fmt: skip


def _prelu(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        label: str, shape: tuple[int, ...], weight_shape: tuple[int, ...], other: str,
        layouts: tuple[str, str, str] = ("contiguous",) * 3,
    ) -> Case:  # fmt: skip
        x, weight = _values(shape, dtype, rng), _values(weight_shape, other, rng)
        wide = x.astype(np.float64)
        channels = (1, -1, *[1] * (len(shape) - 2)) if len(shape) > 1 else ()
        slopes = weight.astype(np.float64).reshape(channels)
        golden = np.where(wide > 0, wide, slopes * wide)
        result = dtype if dtype == other else "float32"
        operands = (Operand(x, layouts[0]), Operand(weight, layouts[1]))
        return Case(label, operands, (golden,), (layouts[2],), (result,))

    for shape, weight_shape in _PRELU:
        yield case(f"self {shape} weight {weight_shape}", shape, weight_shape, dtype)
    for other in ("float32", "float16"):
        yield case(f"weight in {other}", (4, 3, 6), (3,), other)
    for layout in LAYOUTS[1:]:
        plain = "contiguous"
        for layouts in ((layout, plain, plain), (plain, layout, plain), (plain, plain, layout)):
            yield case(f"{layouts}", (6, 8, 10), (2, 4), dtype, layouts)


SUITES = (
    Suite("glu", FLOATS_AND_DOUBLE, _plain(lambda a, b: a / (1 + np.exp(-b)))),
    Suite("swi_glu", FLOATS, only_with_bfloat16(_plain(lambda a, b: a / (1 + np.exp(-a)) * b))),
    Suite("ge_glu", FLOATS, _geglu((False,), False)),
    Suite("ge_glu_v3", FLOATS, _geglu((True, False), True)),
    Suite("gelu_mul", FLOATS, only_with_bfloat16(_gelu_mul)),
    Suite("prelu", FLOATS, _prelu),
)
