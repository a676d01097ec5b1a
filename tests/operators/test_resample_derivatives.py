"""Resizing gradients are the derivatives of interpolation as PyTorch defines it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from finite_differences import Array, numeric_gradient
from operators.resample_calls import ALIGNS, AXES, NAMES, call

import pyaclnn as pa


def _places(inputs: int, outputs: int, align: bool) -> Array:
    """Where torch samples: corners on one another, or edges."""
    o = np.arange(outputs)
    if align:
        return np.asarray(o * (inputs - 1) / (outputs - 1))
    return np.asarray((o + 0.5) * inputs / outputs - 0.5)


def _nearest(line: Array, outputs: int, align: bool) -> Array:
    return np.asarray(line[[o * len(line) // outputs for o in range(outputs)]])


def _exact(line: Array, outputs: int, align: bool) -> Array:
    middles = (np.arange(outputs) + 0.5) * len(line) / outputs
    return np.asarray(line[middles.astype(int)])


def _linear(line: Array, outputs: int, align: bool) -> Array:
    return np.interp(_places(len(line), outputs, align), np.arange(len(line)), line)


def _cubic(line: Array, outputs: int, align: bool) -> Array:
    """Hermite form: the slope at an element is A times the difference of its neighbours."""
    values = []
    for x in _places(len(line), outputs, align):
        i = int(np.floor(x))
        t = x - i
        a, b, c, d = (line[np.clip(i + k, 0, len(line) - 1)] for k in (-1, 0, 1, 2))
        start, end = 0.75 * (c - a), 0.75 * (d - b)
        values.append(
            (2 * t**3 - 3 * t**2 + 1) * b + (t**3 - 2 * t**2 + t) * start
            + (3 * t**2 - 2 * t**3) * c + (t**3 - t**2) * end
        )  # fmt: skip
    return np.array(values)


def _filtered(line: Array, outputs: int, kernel: Callable[[float], float]) -> Array:
    step = len(line) / outputs
    values = []
    for o in range(outputs):
        middle = (o + 0.5) * step
        weights = [kernel((i + 0.5 - middle) / max(step, 1)) for i in range(len(line))]
        values.append(np.dot(weights, line) / sum(weights))
    return np.array(values)


def _triangle(x: float) -> float:
    return max(0.0, 1 - abs(x))


def _mitchell(x: float) -> float:
    x = abs(x)
    if x < 1:
        return 1.5 * x**3 - 2.5 * x**2 + 1
    return -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2 if x < 2 else 0.0


Line = Callable[[Array, int, bool], Array]
FORWARDS: dict[str, Line] = {
    "nearest_exact": _exact,
    "nearest": _nearest,
    "aa_backward": lambda line, n, _: _filtered(line, n, _triangle),
    "aa_grad": lambda line, n, _: _filtered(line, n, _mitchell),
    "bicubic": _cubic,
    "linear": _linear,
}


def _forward(name: str) -> Line:
    return next(line for part, line in FORWARDS.items() if part in name)


#: The forward functions here have no corners to align with filters.
ALIGNMENTS = [
    (name, align)
    for name in NAMES
    for align in (False, True)
    if not align or (ALIGNS[name] and "aa" not in name)
]


@pytest.mark.parametrize("sizes", [((3, 4), (7, 10)), ((6, 9), (4, 5)), ((4, 3), (8, 6))], ids=str)
@pytest.mark.parametrize(("name", "align"), ALIGNMENTS)
def test_the_operator_is_the_derivative_of_the_interpolation(
    name: str, sizes: tuple[tuple[int, int], tuple[int, int]], align: bool
) -> None:
    axes, line = AXES[name], _forward(name)
    before = ((2, *sizes[0]) if axes == 3 else sizes[0])[-axes:]
    after = ((3, *sizes[1]) if axes == 3 else sizes[1])[-axes:]
    image = np.random.default_rng(1).normal(2, 1, (1, 2, *before))
    gradient = np.random.default_rng(2).normal(0, 1, (1, 2, *after))

    def forward(values: Array) -> Array:
        for axis in range(axes):
            values = np.apply_along_axis(line, axis + 2, values, after[axis], align)
        return values

    expected = numeric_gradient(forward, image, gradient)
    result = call(
        name, grad=pa.asarray(gradient.astype(np.float32)), output_size=after,
        input_size=image.shape, align_corners=align, out=None,
    )  # fmt: skip
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-5)
