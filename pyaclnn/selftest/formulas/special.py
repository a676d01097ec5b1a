"""Special functions, shifts, and activation functions of later days."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pyaclnn.selftest.formulas.elementary import erf

Array = np.ndarray[Any, Any]

_lgamma = np.vectorize(math.lgamma, otypes=[np.float64])


def _digamma(x: Array) -> Array:
    """By the recurrence up to large arguments, where three terms are enough."""
    large = x + 40
    below = sum(1 / (x + step) for step in range(40))
    return np.asarray(np.log(large) - 1 / (2 * large) - 1 / (12 * large**2) - below)


@functools.cache
def _erf_table() -> tuple[Array, Array]:
    arguments = np.linspace(0, 3.5, 100_001)
    return arguments, erf(arguments)


def _erfinv(x: Array) -> Array:
    """By a table of erf, which is fine enough up to 0.999."""
    arguments, values = _erf_table()
    inside = np.copysign(np.interp(np.abs(x), values, arguments), x)
    limit = np.where(np.abs(x) == 1, np.copysign(np.inf, x), np.nan)
    return np.where(np.abs(x) < 1, inside, limit)


def _xlogy(a: Array, b: Array) -> Array:
    return np.where(np.isnan(b), np.nan, np.where(a == 0, 0, a * np.log(b)))


def _nan_to_num(a: Array, nan: Array, positive: Array, negative: Array) -> Array:
    return np.asarray(
        np.nan_to_num(a, nan=float(nan), posinf=float(positive), neginf=float(negative))
    )


def _round_decimals(a: Array, decimals: Array) -> Array:
    scale = 10.0 ** np.asarray(decimals, np.float64)
    rounded = np.rint(a * scale) / scale
    return rounded.astype(np.int64) if a.dtype.kind == "i" else rounded


def _angle(x: Array) -> Array:
    """Return 0 for both zeros of real numbers."""
    return np.angle(x) if x.dtype.kind == "c" else np.select([x < 0, x >= 0], [np.pi, 0], np.nan)


def _shrink(x: Array, bound: Array, bias: Array) -> Array:
    return np.where(x > bound, x - bias, np.where(x < -bound, x + bias, 0))


def _gelu_v2(x: Array, approximate: Array) -> Array:
    if approximate == 1:
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
        return np.asarray(0.5 * x * (1 + np.tanh(inner)))
    return np.asarray(x * (1 + erf(x / math.sqrt(2))) / 2)


def _logit(x: Array, eps: Array) -> Array:
    p = x if eps < 0 else np.clip(x, eps, 1 - eps)
    return np.asarray(np.log(p / (1 - p)))


def _is_close(a: Array, b: Array, relative: Array, absolute: Array, equal_nan: Array) -> Array:
    return np.isclose(a, b, rtol=float(relative), atol=float(absolute), equal_nan=bool(equal_nan))


FORMULAS: dict[str, Callable[..., Any]] = {
    "add_of": lambda b, a, alpha: a + alpha * b,
    "add_relu": lambda a, b, alpha: np.maximum(a + alpha * b, 0),
    "angle": _angle,
    "celu": lambda x, alpha: np.maximum(x, 0) + np.minimum(alpha * np.expm1(x / alpha), 0),
    "digamma": _digamma,
    "erfinv": _erfinv,
    "fast_gelu": lambda x: x / (1 + np.exp(-1.702 * x)),
    "gcd": np.gcd,
    "gelu_v2": _gelu_v2,
    "hardshrink": lambda x, bound: np.where(np.abs(x) <= bound, 0, x),
    "heaviside": np.heaviside,
    "is_close": _is_close,
    "left_shift": np.left_shift,
    "lgamma": _lgamma,
    "log_add_exp": np.logaddexp,
    "log_add_exp2": np.logaddexp2,
    "log_sigmoid": lambda x: -np.logaddexp(0, -x),
    "logit": _logit,
    "nan_to_num": _nan_to_num,
    "polar": lambda magnitude, angle: magnitude.real * np.exp(1j * angle.real),
    "right_shift": np.right_shift,
    "round_decimals": _round_decimals,
    "selu": lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x)),
    "shrink": _shrink,
    "softshrink": lambda x, bound: np.sign(x) * np.maximum(np.abs(x) - bound, 0),
    "squared_relu": lambda x: np.where(x <= 0, 0, x) * x,
    "swish": lambda x, beta: x / (1 + np.exp(-beta * x)),
    "square": lambda x: x * x,
    "xlog1py": lambda x, y: np.where(np.isnan(y), y, np.where(x == 0, 0, x * np.log1p(y))),
    "xlogy": _xlogy,
    "xlogy_of": lambda b, a: _xlogy(a, b),
}
