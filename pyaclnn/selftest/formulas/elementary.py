"""Functions of one number. NumPy's own, where it has them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

erf = np.vectorize(math.erf, otypes=[np.float64])
_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def _odd(x: Any) -> Any:
    """Return the odd one of the integers beside a number, or an integer itself."""
    return np.where(np.floor(x) % 2 == 0, np.ceil(x), np.floor(x))


def _round_off(x: Any, mode: Any) -> Any:
    """Round as the mode of ForeachRoundOffNumber says."""
    away = np.copysign(np.floor(np.abs(x) + 0.5), x)
    known = (x, np.rint(x), np.floor(x), np.ceil(x), away, np.trunc(x), _odd(x), x - np.trunc(x))
    return known[int(mode)]


FORMULAS: dict[str, Callable[..., Any]] = {
    "absolute": np.abs,
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "bitwise_not": np.invert,
    "ceil": np.ceil,
    "copy": lambda x: x,
    "cos": np.cos,
    "cosh": np.cosh,
    "erf": erf,
    "erfc": _erfc,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "floor": np.floor,
    "frac": lambda x: x - np.trunc(x),
    "is_finite": np.isfinite,
    "is_negative": lambda x: x < 0,
    "is_negative_infinity": np.isneginf,
    "is_positive_infinity": np.isposinf,
    "log": np.log,
    "log10": np.log10,
    "log1p": np.log1p,
    "log2": np.log2,
    "logical_not": lambda x: x == 0,
    "neg": np.negative,
    "reciprocal": lambda x: 1 / x,
    "round": np.rint,
    "round_off": _round_off,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sign": lambda x: np.where(np.isnan(x), 0, np.sign(x)),
    "sin": np.sin,
    "sinc": np.sinc,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "trunc": np.trunc,
}
