"""Sums, products, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

FORMULAS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b, alpha: a + alpha * b,
    "mul": np.multiply,
    "exp": np.exp,
    "fill": lambda number: number,
    "addcdiv": lambda a, b, c, value: a + value * b / c,
    "addcmul": lambda a, b, c, value: a + value * b * c,
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
    "div": np.divide,
    "equal": np.equal,
    "greater": np.greater,
    "greater_equal": np.greater_equal,
    "lerp": lambda a, b, weight: a + weight * (b - a),
    "less": np.less,
    "less_equal": np.less_equal,
    "logical_and": np.logical_and,
    "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "not_equal": np.not_equal,
    "rsub": lambda a, b, alpha: b - alpha * a,
    "sub": lambda a, b, alpha: a - alpha * b,
    "relu": lambda x: np.where(x <= 0, 0, x),
}
