"""Activations that select: formulas in float64, and where they bend."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Suite
from pyaclnn.selftest.chips import has_950_kernels
from pyaclnn.selftest.suites.elementwise import (
    FLOATS,
    FLOATS_AND_DOUBLE,
    Elementwise,
)

SELU_SCALE = 1.0507009873554804934193349852946
SELU_SCALE_ALPHA = 1.7580993408473768599402175208123


def softshrink_backward(grad: Array, x: Array, lambd: float) -> Array:
    """Gradient passes where |x| > lambd; NaN counts as outside (torch.nn.functional.softshrink)."""
    return np.where(np.abs(x) <= np.float32(lambd), 0.0, grad)


def hardshrink_backward(grad: Array, x: Array, lambd: float) -> Array:
    """As softshrink's, but a negative lambd counts as 0 (torch.nn.functional.hardshrink)."""
    return softshrink_backward(grad, x, max(lambd, 0.0))


def hardtanh_backward(grad: Array, x: Array, low: float, high: float) -> Array:
    """Gradient passes where low < x < high (torch.nn.functional.hardtanh)."""
    return np.where((x <= np.float32(low)) | (x >= np.float32(high)), 0.0, grad)


def hardsigmoid_backward(grad: Array, x: Array) -> Array:
    """g/6 where -3 < x < 3 (torch.nn.functional.hardsigmoid)."""
    return np.where(np.abs(x) < 3, grad / 6, 0.0)


def threshold_backward(grad: Array, x: Array, threshold: float) -> Array:
    """Gradient passes where x > threshold; NaN passes it (torch.nn.functional.threshold)."""
    return np.where(x <= np.float32(threshold), 0.0, grad)


def leaky_relu_backward(grad: Array, x: Array, slope: float, is_result: bool) -> Array:
    """Gradient where x > 0, else gradient·slope (torch.nn.functional.leaky_relu)."""
    return np.where(x > 0, grad, grad * np.float32(slope).astype(np.float64))


def hardswish_backward(grad: Array, x: Array) -> Array:
    """d/dx x·relu6(x + 3)/6, as CANN has it at ±3: the line's own values, -0.5 and 1.5."""
    slope = np.where(x < -3, 0.0, np.where(x > 3, 1.0, x / 3 + 0.5))
    return grad * slope


def hardswish_backward_v2(grad: Array, x: Array) -> Array:
    """d/dx x·relu6(x + 3)/6, 0 and 1 at -3 and 3; 1 for NaN (torch.nn.functional.hardswish)."""
    slope = np.where(x <= -3, 0.0, np.where(x < 3, x / 3 + 0.5, 1.0))
    return grad * slope


def selu_backward_950(grad: Array, result: Array) -> Array:
    """As selu_backward, but 0 belongs to the lower branch."""
    return np.where(result <= 0, grad * (result + SELU_SCALE_ALPHA), grad * SELU_SCALE)


def selu_backward(grad: Array, result: Array) -> Array:
    """Write the derivative with selu's result: r + scale·alpha below zero, scale above."""
    return np.where(result < 0, grad * (result + SELU_SCALE_ALPHA), grad * SELU_SCALE)


def _selu(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    formula = selu_backward_950 if has_950_kernels() else selu_backward
    return Elementwise(
        formula, bends=(-1.5, -0.25), selects=False, avoid=((-SELU_SCALE_ALPHA, 0.2),)
    )(dtype, rng)


_SOFTSHRINK = Elementwise(
    softshrink_backward, ((0.5,), (0.0,), (1.5,), (3e4,)),
    broadcasts=True, mixed=("float32", "float16"),
)  # fmt: skip
# The documents of these do not say what NaN in x gives, nor whether a gradient is multiplied by 0.
_HARDSHRINK = Elementwise(
    hardshrink_backward, ((0.5,), (0.0,), (1.5,), (-1.0,)),
    broadcasts=True, mixed=("float32", "float16"), nan_in_x=False, infinite=False,
)  # fmt: skip
_HARDTANH = Elementwise(
    hardtanh_backward, ((-1.0, 1.0), (0.0, 6.0), (-0.25, 3.0)), nan_in_x=False, infinite=False
)
# At -3 and 3 themselves the answer hangs on the rounding of 1/6 and differs between releases.
_HARDSIGMOID = Elementwise(
    hardsigmoid_backward, mixed=("float32", "float16"), nan_in_x=False, infinite=False,
    bends=(2.96875, -2.96875, 3.03125, -3.03125), avoid=((3.0, 1e-3), (-3.0, 1e-3)),
)  # fmt: skip
# NaN in x passes the gradient on newer chips and blocks it on older ones.
_THRESHOLD = Elementwise(
    threshold_backward, ((1.0,), (2.0,), (-1.0,), (5.0,)), broadcasts=True, nan_in_x=False
)
_LEAKY_RELU = Elementwise(
    leaky_relu_backward, ((0.01, False), (0.25, True), (-0.5, False), (1.5, False)),
    broadcasts=True, mixed=("float32", "float16"), nan_in_x=False,
)  # fmt: skip
# What x = NaN gives depends on release and dtype; the simulator's own tests pin that down.
_HARDSWISH = Elementwise(
    hardswish_backward, bends=(3.0, -3.0), nan_in_x=False, avoid=((-1.5, 0.02),)
)
_HARDSWISH_V2 = Elementwise(hardswish_backward_v2, bends=(3.0, -3.0), avoid=((-1.5, 0.02),))

SUITES = (
    Suite("softshrink_backward", FLOATS, _SOFTSHRINK),
    Suite("hardshrink_backward", FLOATS, _HARDSHRINK),
    Suite("hardtanh_backward", FLOATS, _HARDTANH),
    Suite("hardsigmoid_backward", FLOATS, _HARDSIGMOID),
    Suite("threshold_backward", (*FLOATS, "int32", "int8", "uint8"), _THRESHOLD),
    Suite("leaky_relu_backward", FLOATS_AND_DOUBLE, _LEAKY_RELU),
    Suite("hardswish_backward", FLOATS, _HARDSWISH),
    Suite("hardswish_backward_v2", FLOATS, _HARDSWISH_V2),
    Suite("selu_backward", (*FLOATS, "int32", "int8"), _selu),
)
