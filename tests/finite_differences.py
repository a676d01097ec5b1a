"""Gradients by central differences, in float64: the truth that every backward operator shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def numeric_gradient(
    forward: Callable[[Array], Array], x: Array, grad_output: Array, eps: float = 1e-6
) -> Array:
    """Return the gradient of ``sum(forward(x) * grad_output)`` by every element of ``x``.

    Parameters
    ----------
    forward : callable
        The forward function, float64 to float64.
    x : ndarray
        Where; float64. No element may be within ``eps`` of a kink.
    grad_output : ndarray
        Of the shape of the forward function's result.
    eps : float
        Step to either side.
    """
    x = np.array(x, dtype=np.float64)
    gradient = np.zeros_like(x)
    for index in np.ndindex(x.shape):
        kept = x[index]
        x[index] = kept + eps
        above = np.sum(forward(x) * grad_output)
        x[index] = kept - eps
        below = np.sum(forward(x) * grad_output)
        x[index] = kept
        gradient[index] = (above - below) / (2 * eps)
    return gradient
