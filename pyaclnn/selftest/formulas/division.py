"""Quotients, remainders and powers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def _are_integers(*operands: Array) -> bool:
    return all(o.dtype.kind == "i" for o in operands)


def _cut(a: Array, b: Array) -> Array:
    """Return the quotient cut off; -1 by zero for integers."""
    if not _are_integers(a, b):
        return np.asarray(np.trunc(a / b))
    return np.where(b == 0, -1, np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b)))


def _down(a: Array, b: Array) -> Array:
    """Return the quotient rounded down; -1 by zero for integers."""
    return np.where(b == 0, -1, a // b) if _are_integers(a, b) else np.asarray(np.floor(a / b))


def _div_mode(a: Array, b: Array, mode: Array) -> Array:
    rounded = (np.divide, _cut, _down)[int(mode.real)]
    return np.asarray(rounded(a, b))


def _remainder(a: Array, b: Array) -> Array:
    result = np.remainder(a, b)
    return np.where(b == 0, a, result) if _are_integers(a, b) else np.asarray(result)


def _fmod(a: Array, b: Array) -> Array:
    result = np.fmod(a, b)
    return np.where(b == 0, -1, result) if _are_integers(a, b) else np.asarray(result)


def _power(base: Array, exponent: Array) -> Array:
    if not _are_integers(base, exponent):
        return np.asarray(np.power(base, exponent))
    reciprocal = np.select([base == 1, base == -1], [1, 1 - 2 * (exponent % 2)], 0)
    return np.where(exponent < 0, reciprocal, np.power(base, np.maximum(exponent, 0)))


FORMULAS: dict[str, Callable[..., Any]] = {
    "atan2": np.arctan2,
    "div_mode": _div_mode,
    "floor_div": _down,
    "fmod": _fmod,
    "power": _power,
    "power_of": lambda exponent, base: _power(base, exponent),
    "remainder": _remainder,
    "remainder_of": lambda b, a: _remainder(a, b),
}
