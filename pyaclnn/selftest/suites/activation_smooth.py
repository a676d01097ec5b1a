"""Smooth activations: derivatives in float64, written so that they neither overflow nor cancel."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import (
    BROADCAST_PAIRS,
    EMPTY_SHAPES,
    SHAPES,
    Array,
    Case,
    Operand,
    Suite,
    layout_pairs,
    numpy_dtype,
)
from pyaclnn.selftest.chips import has_950_kernels
from pyaclnn.selftest.suites.elementwise import (
    FLOATS,
    FLOATS_AND_DOUBLE,
    Elementwise,
    between,
    only_with_bfloat16,
    without_bfloat16_on_950,
)

Range = tuple[float, float]

_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def sigmoid(x: Array) -> Array:
    """1/(1 + exp(-x))."""
    e = np.exp(-np.abs(x))
    return np.asarray(np.where(x < 0, e, 1.0) / (1 + e))


def silu_slope(z: Array) -> Array:
    """d/dz z·sigmoid(z)."""
    return np.asarray(sigmoid(z) * (1 + z * sigmoid(-z)))


def gelu_slope(x: Array) -> Array:
    """d/dx x·Phi(x), the derivative of torch.nn.functional.gelu."""
    density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return np.asarray(_erfc(-x / math.sqrt(2)) / 2 + x * density)


def gelu_tanh_slope(x: Array) -> Array:
    """d/dx of torch.nn.functional.gelu with approximate="tanh"."""
    x = np.clip(x, -30, 30)
    z = 2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    slope = 2 * math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * x * x)
    return np.asarray(sigmoid(z) + x * slope * sigmoid(z) * sigmoid(-z))


def mish_slope(x: Array) -> Array:
    """d/dx x·tanh(softplus(x)) (torch.nn.functional.mish)."""
    softplus = np.logaddexp(0, x)
    return np.asarray(np.tanh(softplus) + x * sigmoid(x) / np.cosh(np.minimum(softplus, 300)) ** 2)


def elu_backward(
    grad: Array, x: Array, alpha: float, scale: float, input_scale: float, is_result: bool
) -> Array:
    """Gradient of torch.nn.functional.elu, from its input or from its result."""
    if is_result:
        below = input_scale * (x + alpha * scale)
    else:
        below = input_scale * alpha * scale * np.exp(np.minimum(x * input_scale, 300))
    return np.asarray(grad * np.where(x > 0, scale, below))


def _elu_call(grad: Operand, x: Operand, *attributes: Any) -> tuple[Any, ...]:
    return grad, *attributes, x


def softplus_backward(grad: Array, x: Array, beta: float, threshold: float) -> Array:
    """g·sigmoid(beta·x), or g beyond the threshold (torch.nn.functional.softplus)."""
    z = beta * x
    return np.asarray(grad * np.where(z > threshold, 1.0, sigmoid(z)))


def log_sigmoid_backward(grad: Array, x: Array) -> Array:
    """g·sigmoid(-x) (torch.nn.functional.logsigmoid)."""
    return np.asarray(grad * sigmoid(-x))


def _log_sigmoid_call(grad: Operand, x: Operand) -> tuple[Any, ...]:
    return grad, x, Operand(np.zeros(0, dtype=x.values.dtype))


def swish_backward(grad: Array, x: Array, beta: float | None) -> Array:
    """d/dx x·sigmoid(beta·x) (torch.nn.functional.silu for beta 1, which None means)."""
    return np.asarray(grad * silu_slope(x * (1.0 if beta is None else beta)))


def _sigmoid_backward(grad: Array, y: Array) -> Array:
    """g·y·(1 - y), not conjugated (torch.sigmoid, by its result)."""
    return np.asarray(grad * y * (1 - y))


def logit_grad(grad: Array, x: Array, eps: float) -> Array:
    """g/(x·(1 - x)) within eps of 0 and 1; 0 outside, NaN if eps < 0 (torch.special.logit)."""
    inside = grad / (x * (1 - x))
    if eps < 0:
        return np.where((x < 0) | (x > 1), np.nan, inside)
    low = float(np.float32(eps))
    return np.where((x < low) | (x > 1 - low), 0.0, inside)


def _logit_call(grad: Operand, x: Operand, eps: float) -> tuple[Any, ...]:
    return x, grad, eps


#: Zeros of the derivatives, near which the relative error of any kernel is large.
_GELU_ZERO = (-0.7517915, 0.04)
_GELU_TANH_ZERO = (-0.7524614, 0.04)
_SILU_ZERO = (-1.2784645, 0.06)

# Infinite x make most of these formulas indefinite: infinity times zero.
_ELU = Elementwise(
    elu_backward,
    ((1.0, 1.0, 1.0, False), (1.5, 0.5, 2.0, False), (-0.5, 1.0, 1.0, False),
     (2.0, 1.5, 0.75, True), (0.5, 1.0, 1.0, True)),
    infinite=False, avoid=((-3.0, 0.2), (-0.5, 0.1)), call=_elu_call,
)  # fmt: skip
_GELU = Elementwise(
    lambda grad, x: grad * gelu_tanh_slope(x),
    broadcasts=True, mixed=("float32", "float16"), infinite=False, avoid=(_GELU_TANH_ZERO,),
)  # fmt: skip
_GELU_V2 = Elementwise(
    lambda grad, x, mode: grad * (gelu_slope(x) if mode == "none" else gelu_tanh_slope(x)),
    (("none",), ("tanh",)),
    broadcasts=True, mixed=("float32", "float16"), infinite=False, avoid=(_GELU_ZERO,),
)  # fmt: skip
_FAST_GELU = Elementwise(
    lambda grad, x: grad * silu_slope(1.702 * x), infinite=False,
    avoid=((_SILU_ZERO[0] / 1.702, 0.04),),
)  # fmt: skip
_SILU = Elementwise(lambda grad, x: grad * silu_slope(x), infinite=False, avoid=(_SILU_ZERO,))
_SILU_950 = replace(_SILU, broadcasts=True, mixed=FLOATS)
_SWISH = Elementwise(
    swish_backward, ((None,), (1.0,), (0.5,), (2.0,)), infinite=False,
    avoid=(_SILU_ZERO, (2 * _SILU_ZERO[0], 0.12), (_SILU_ZERO[0] / 2, 0.03)),
)  # fmt: skip
_MISH = Elementwise(
    lambda grad, x: grad * mish_slope(x), broadcasts=True, mixed=("float32", "float16"),
    infinite=False, avoid=((-1.1924312, 0.06),),
)  # fmt: skip
_SIGMOID = Elementwise(
    _sigmoid_backward, broadcasts=True, mixed=("float32", "float16"),
    domain=between(0.0, 1.0),
)  # fmt: skip
_TANH = Elementwise(
    lambda grad, y: grad * (1 - y) * (1 + y), broadcasts=True, domain=between(-1.0, 1.0)
)
_LOG_SIGMOID = Elementwise(log_sigmoid_backward, call=_log_sigmoid_call)
_SOFTPLUS = Elementwise(
    softplus_backward, ((1.0, 20.0), (2.0, 1.0), (0.5, -1.0), (-1.0, 4.0)),
    mixed=(*FLOATS_AND_DOUBLE, "int8", "int16", "int32", "int64", "uint8", "bool"),
)  # fmt: skip
_LOGIT = Elementwise(
    logit_grad, ((-1.0,), (0.0,), (0.25,), (0.125,)), infinite=False,
    domain=between(-0.2, 1.2), call=_logit_call,
)  # fmt: skip


def _complex_sigmoid(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Complex operands of one quadrant each, where no part of the product cancels."""
    kind = numpy_dtype(dtype)

    def values(shape: tuple[int, ...], real: Range, imaginary: Range) -> Array:
        return np.asarray(rng.uniform(*real, shape) + 1j * rng.uniform(*imaginary, shape))

    def case(
        label: str, grad_shape: tuple[int, ...], shape: tuple[int, ...],
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: tuple[str, ...] = (),
        grad_dtype: str = dtype,
    ) -> Case:  # fmt: skip
        grad = values(grad_shape, (0.25, 1.0), (1.0, 2.0))
        grad = (grad if grad_dtype == dtype else grad.real).astype(numpy_dtype(grad_dtype))
        y = values(shape, (0.6, 0.75), (0.1, 0.5)).astype(kind)
        golden = _sigmoid_backward(grad.astype(np.complex128), y.astype(np.complex128))
        return Case(label, (Operand(grad, layouts[0]), Operand(y, layouts[1])), (golden,), out)

    for shape in (*SHAPES, *EMPTY_SHAPES):
        yield case(f"shape {shape}", shape, shape)
    for first, second, out in layout_pairs():
        yield case(f"{first} × {second} → {out}", (6, 7, 10), (6, 7, 10), (first, second), (out,))
    for grad_shape, shape in BROADCAST_PAIRS:
        yield case(f"broadcast {grad_shape} {shape}", grad_shape, shape)
    for other in ("float32", "float16", "complex64"):
        if other != dtype:
            yield case(f"mixed {other} {dtype}", (9, 11), (9, 11), grad_dtype=other)


def _sigmoid(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    is_complex = numpy_dtype(dtype).kind == "c"
    return _complex_sigmoid(dtype, rng) if is_complex else iter(_SIGMOID(dtype, rng))


def _silu(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    return (_SILU_950 if has_950_kernels() else _SILU)(dtype, rng)


SUITES = (
    Suite("elu_backward", FLOATS, _ELU),
    Suite("gelu_backward", FLOATS, _GELU),
    Suite("gelu_backward_v2", FLOATS, _GELU_V2),
    Suite("fast_gelu_backward", FLOATS, only_with_bfloat16(_FAST_GELU)),
    Suite("silu_backward", FLOATS, _silu),
    Suite("swish_backward", FLOATS, _SWISH),
    Suite("mish_backward", FLOATS, _MISH),
    Suite("sigmoid_backward", (*FLOATS_AND_DOUBLE, "complex64", "complex128"), _sigmoid),
    Suite("tanh_backward", FLOATS_AND_DOUBLE, _TANH),
    Suite("log_sigmoid_backward", FLOATS, _LOG_SIGMOID),
    Suite("softplus_backward", FLOATS_AND_DOUBLE, without_bfloat16_on_950(_SOFTPLUS)),
    Suite("logit_grad", FLOATS, only_with_bfloat16(_LOGIT)),
)
