"""Activation functions and clamps."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np


def _clamp(x: Any, low: Any, high: Any) -> Any:
    above = x if low is None else np.maximum(x, low)
    return above if high is None else np.minimum(above, high)


FORMULAS: dict[str, Callable[..., Any]] = {
    "clamp": _clamp,
    "clamp_max": np.minimum,
    "clamp_tensor": lambda x, low, high: np.minimum(np.maximum(x, low), high),
    "clamp_min": np.maximum,
    "elu": lambda x, alpha, scale, inner: np.where(
        x > 0, scale * x, scale * alpha * np.expm1(inner * x)
    ),
    "gelu_tanh": lambda x: x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2,
    "hardsigmoid": lambda x: np.clip(x + 3, 0, 6) / 6,
    "hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "leaky_relu": lambda x, slope: np.where(x > 0, x, slope * x),
    "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "silu": lambda x: x / (1 + np.exp(-x)),
    "softplus": lambda x, beta, limit: np.where(
        x * beta > limit, x, np.log1p(np.exp(beta * x)) / beta
    ),
    "tanh": np.tanh,
    "threshold": lambda x, limit, value: np.where(x > limit, x, value),
}
