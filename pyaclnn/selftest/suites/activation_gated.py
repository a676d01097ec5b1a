"""Gated linear units, whose input is two halves, and PReLU, which has two gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16, soc_name
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.activation_smooth import (
    gelu_slope,
    gelu_tanh_slope,
    sigmoid,
    silu_slope,
)
from pyaclnn.selftest.suites.elementwise import FLOATS, FLOATS_AND_DOUBLE, only_with_bfloat16

#: Shape of the input and the dimension that is halved.
_SHAPES: tuple[tuple[tuple[int, ...], int], ...] = (
    ((2,), 0), ((8,), -1), ((34,), 0), ((1026,), 0), ((4, 6), 0), ((4, 6), 1), ((5, 2), -1),
    ((2, 33), -2), ((3, 130), 1), ((7, 5, 4), 2), ((7, 6, 5), 1), ((6, 3, 1), 0), ((3, 4, 5, 6), 1),
    ((3, 4, 5, 6), -1), ((1, 2, 1, 3), 1), ((2, 1, 2, 3, 4), -1), ((2, 2, 1, 2, 1, 4), 3),
    ((2, 1, 2, 1, 2, 1, 2), -1), ((2, 1, 2, 1, 2, 1, 2, 4), 7), ((300, 402), 1), ((300, 401), 0),
    ((5, 0), 1), ((0, 4), 1),
)  # fmt: skip

#: (grad, a, b, *attributes), the halves of the input, to the gradients of the halves.
HalvesFormula = Callable[..., tuple[Array, Array]]


def glu_backward(grad: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Gradients of a·sigmoid(b) (torch.nn.functional.glu)."""
    return grad * sigmoid(b), grad * a * sigmoid(b) * sigmoid(-b)


def swi_glu_grad(grad: Array, a: Array, b: Array) -> tuple[Array, Array]:
    """Gradients of a·sigmoid(a)·b."""
    return grad * b * silu_slope(a), grad * a * sigmoid(a)


def geglu_backward(
    grad: Array, a: Array, b: Array, gelu: Array, tanh: bool, left: bool
) -> tuple[Array, Array]:
    """Gradients of b·gelu(a), or of a·gelu(b) unless ``left``."""
    slope = gelu_tanh_slope if tanh else gelu_slope
    if left:
        return grad * b * slope(a), grad * gelu
    return grad * gelu, grad * a * slope(b)


def _normal(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    values = np.asarray(rng.normal(0.0, 1.5, shape))
    # Away from the zeros of the derivatives (-0.75 and -1.28).
    values[np.abs(values + 0.75) < 0.06] -= 0.2
    values[np.abs(values + 1.28) < 0.08] -= 0.3
    return values.astype(numpy_dtype(dtype))


def _halves(values: Array, dim: int) -> tuple[Array, Array]:
    a, b = np.split(values.astype(np.float64), 2, axis=dim)
    return a, b


def _joined(parts: tuple[Array, Array], dim: int) -> Array:
    return np.concatenate(parts, axis=dim)


def _layouts() -> Iterator[tuple[str, str, str]]:
    for layout in LAYOUTS:
        yield layout, "contiguous", "contiguous"
        yield "contiguous", layout, "contiguous"
        yield "contiguous", "contiguous", layout
    yield "transposed", "every_second", "offset"
    yield "inner_slice", "reversed_axes", "transposed"


def _settings() -> Iterator[tuple[str, tuple[int, ...], int, tuple[str, str, str]]]:
    plain = ("contiguous", "contiguous", "contiguous")
    for shape, dim in _SHAPES:
        yield f"shape {shape} dim {dim}", shape, dim, plain
    for layouts in _layouts():
        for dim in (1, 2):
            yield f"{' × '.join(layouts)} dim {dim}", (6, 8, 10), dim, layouts


def _plain(formula: HalvesFormula) -> Any:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        for label, shape, dim, layouts in _settings():
            x = _normal(shape, dtype, rng)
            a, b = _halves(x, dim)
            grad = _normal(a.shape, dtype, rng)
            golden = _joined(formula(grad.astype(np.float64), a, b), dim)
            inputs = (Operand(grad, layouts[0]), Operand(x, layouts[1]), dim)
            yield Case(label, inputs, (golden,), (layouts[2],))

    return cases


def _has_geglu() -> bool:
    return has_bfloat16() or soc_name().startswith("Ascend310P")


def _geglu(sides: tuple[bool, ...], names_side: bool) -> Any:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        modes = (True, False) if has_bfloat16() else (True,)
        for number, (label, shape, dim, layouts) in enumerate(_settings() if _has_geglu() else ()):
            tanh = modes[number % len(modes)]
            left = sides[number // 2 % len(sides)]
            x = _normal(shape, dtype, rng)
            a, b = _halves(x, dim)
            grad, gelu = _normal(a.shape, dtype, rng), _normal(a.shape, dtype, rng)
            parts = geglu_backward(
                grad.astype(np.float64), a, b, gelu.astype(np.float64), tanh, left
            )
            inputs = (
                Operand(grad, layouts[0]), Operand(x, layouts[1]), Operand(gelu, layouts[1]),
                dim, int(tanh), *((left,) if names_side else ()),
            )  # fmt: skip
            label = f"{label}, approximate {int(tanh)}, activate_left {left}"
            yield Case(label, inputs, (_joined(parts, dim),), (layouts[2],))

    return cases


def prelu_backward(grad: Array, x: Array, weight: Array) -> tuple[Array, Array]:
    """Gradients of torch.nn.functional.prelu by its input and by its weight."""
    channels = weight.size
    shape = (1, channels, *[1] * (x.ndim - 2)) if channels > 1 else (1,) * x.ndim
    full = np.broadcast_to(grad, x.shape)
    grad_x = np.where(x > 0, full, full * weight.reshape(shape))
    terms = np.where(x > 0, 0.0, full * x)
    axes = tuple(i for i in range(x.ndim) if channels == 1 or i != 1)
    return grad_x, terms.sum(axis=axes).reshape(weight.shape if channels == 1 else (channels,))


#: Shapes of self, weight and gradient.
_PRELU: tuple[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], ...] = (
    ((), (1,), ()), ((7,), (1,), (7,)), ((1025,), (1,), (1025,)), ((3, 5), (1,), (3, 5)),
    ((3, 5), (5,), (3, 5)), ((3, 5), (1, 1, 1), (3, 5)), ((33, 65), (65,), (33, 65)),
    ((4, 3, 6), (3,), (4, 3, 6)), ((4, 3, 6), (1, 3, 1), (4, 3, 6)),
    ((4, 6, 5), (2, 3), (4, 6, 5)), ((4, 1, 6), (1,), (4, 1, 6)),
    ((2, 3, 4, 5), (3,), (2, 3, 4, 5)), ((2, 3, 4, 5), (), (2, 3, 4, 5)),
    ((2, 3, 4, 5), (3, 1, 1), (5,)), ((2, 3, 4, 5), (3,), (2, 1, 4, 1)), ((4, 5), (5,), (1, 5)),
    ((2, 2, 3, 2, 2), (2,), (2, 2, 3, 2, 2)), ((2, 1, 2, 3, 1, 2), (1,), (2, 1, 2, 3, 1, 2)),
    ((2, 4, 2, 1, 2, 1, 2), (4,), (2, 4, 2, 1, 2, 1, 2)), ((1, 6, 1, 1), (6,), (1, 6, 1, 1)),
    ((2, 3, 2, 1, 2, 1, 2, 2), (3,), (2, 3, 2, 1, 2, 1, 2, 2)), ((40, 7, 300), (7,), (40, 7, 300)),
    ((300, 401), (401,), (300, 401)), ((300, 401), (1,), (300, 401)), ((0, 3), (3,), (0, 3)),
)  # fmt: skip


def _prelu(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        label: str, shapes: tuple[tuple[int, ...], ...],
        layouts: tuple[str, str, str] = ("contiguous",) * 3, out: tuple[str, ...] = (),
    ) -> Case:  # fmt: skip
        kind = numpy_dtype(dtype)
        x_shape, weight_shape, grad_shape = shapes
        # Positive gradients: the sum over a channel then has one sign and a relative error.
        grad = np.asarray(rng.uniform(0.25, 1.0, grad_shape)).astype(kind)
        x = np.asarray(rng.normal(0.0, 1.5, x_shape)).astype(kind)
        weight = np.asarray(rng.normal(0.3, 1.0, weight_shape)).astype(kind)
        wide = (v.astype(np.float64) for v in (grad, x, weight))
        golden = prelu_backward(*wide) if x.size else (x.astype(np.float64), None)
        operands = (
            Operand(grad, layouts[0]), Operand(x, layouts[1]), Operand(weight, layouts[2])
        )  # fmt: skip
        return Case(label, operands, golden, out)

    for shapes in _PRELU:
        yield case(f"self {shapes[0]} weight {shapes[1]} grad {shapes[2]}", shapes)
    shapes = ((6, 8, 10), (2, 4), (6, 8, 10))
    for layout in LAYOUTS[1:]:
        plain = "contiguous"
        yield case(f"grad {layout}", shapes, (layout, plain, plain))
        yield case(f"self {layout}", shapes, (plain, layout, plain))
        yield case(f"weight {layout}", shapes, (plain, plain, layout))
        yield case(f"grad_input {layout}", shapes, out=(layout, plain))
        yield case(f"all {layout}", shapes, (layout, layout, layout), (layout, "every_second"))


SUITES = (
    Suite("glu_backward", FLOATS_AND_DOUBLE, _plain(glu_backward)),
    Suite("swi_glu_grad", FLOATS, only_with_bfloat16(_plain(swi_glu_grad))),
    Suite("ge_glu_backward", FLOATS, _geglu((False,), False)),
    Suite("ge_glu_v3_backward", FLOATS, _geglu((True, False), True)),
    Suite("prelu_backward", FLOATS, _prelu),
)
