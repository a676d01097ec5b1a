"""Interpolation in NumPy, float64: a matrix for each axis, from the forward functions of torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pyaclnn.selftest.cases import Array

#: (input extent, output extent, scale or 0, align corners) to the matrix (output, input).
Matrix = Callable[[int, int, float, bool], Array]


def _step(inputs: int, outputs: int, scale: float, align: bool) -> float:
    """Return the elements of the input per element of the output."""
    if align:
        return (inputs - 1) / (outputs - 1) if outputs > 1 else 0.0
    return 1 / scale if scale > 0 else inputs / outputs


def _places(inputs: int, outputs: int, scale: float, align: bool) -> Array:
    step = _step(inputs, outputs, scale, align)
    o = np.arange(outputs)
    return np.asarray(step * o if align else step * (o + 0.5) - 0.5)


def nearest(inputs: int, outputs: int, scale: float, align: bool) -> Array:
    """Mode nearest: element floor(o / scale)."""
    o = np.arange(outputs)
    at = np.floor(o / scale).astype(int) if scale > 0 else o * inputs // outputs
    return np.asarray(np.eye(inputs)[np.minimum(at, inputs - 1)])


def nearest_exact(inputs: int, outputs: int, scale: float, align: bool) -> Array:
    """Mode nearest-exact: element floor((o + 1/2) / scale)."""
    o = np.arange(outputs)
    exact = (2 * o + 1) * inputs // (2 * outputs)
    at = np.floor((o + 0.5) / scale).astype(int) if scale > 0 else exact
    return np.asarray(np.eye(inputs)[np.minimum(at, inputs - 1)])


def linear(inputs: int, outputs: int, scale: float, align: bool) -> Array:
    """Modes linear, bilinear and trilinear: hats around each element."""
    places = np.clip(_places(inputs, outputs, scale, align), 0, inputs - 1)
    return np.asarray(np.maximum(0, 1 - np.abs(places[:, None] - np.arange(inputs))))


def cubic_kernel(x: Array, a: float) -> Array:
    """Keys' cubic convolution kernel."""
    x = np.abs(x)
    near = (a + 2) * x**3 - (a + 3) * x**2 + 1
    far = a * x**3 - 5 * a * x**2 + 8 * a * x - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0.0))


def cubic(inputs: int, outputs: int, scale: float, align: bool) -> Array:
    """Mode bicubic: A = -3/4, elements outside are the outermost ones."""
    places = _places(inputs, outputs, scale, align)
    margin = 3 + int(np.abs(places).max())
    padded = np.arange(-margin, inputs + margin)
    weights = cubic_kernel(places[:, None] - padded, -0.75)
    return np.asarray(weights @ np.eye(inputs)[np.clip(padded, 0, inputs - 1)])


def _antialiased(
    inputs: int, outputs: int, scale: float, align: bool, kernel: Callable[[Array], Array]
) -> Array:
    step = _step(inputs, outputs, scale, align)
    centers = step * (np.arange(outputs) + 0.5)
    weights = kernel((np.arange(inputs) + 0.5 - centers[:, None]) / max(step, 1.0))
    total = weights.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(weights, total, out=np.zeros_like(weights), where=total != 0))


def linear_antialiased(inputs: int, outputs: int, scale: float, align: bool) -> Array:
    """Mode bilinear with antialias: a triangle filter as wide as the step."""
    return _antialiased(
        inputs, outputs, scale, align, lambda x: np.asarray(np.maximum(0, 1 - np.abs(x)))
    )


def cubic_antialiased(inputs: int, outputs: int, scale: float, align: bool) -> Array:
    """Mode bicubic with antialias: a cubic filter, A = -1/2, as wide as the step."""
    return _antialiased(inputs, outputs, scale, align, lambda x: cubic_kernel(x, -0.5))


def resize_backward(
    grad: Array, matrix: Matrix, input_shape: tuple[int, ...], scales: Sequence[float], align: bool
) -> Array:
    """Transpose the interpolation along every axis behind the first two."""
    result = grad
    for axis in range(2, grad.ndim):
        forward = matrix(input_shape[axis], grad.shape[axis], scales[axis - 2], align)
        result = np.moveaxis(np.tensordot(result, forward, axes=(axis, 0)), -1, axis)
    return np.asarray(result)
