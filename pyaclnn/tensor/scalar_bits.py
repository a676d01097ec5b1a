"""Conversion of Python and NumPy numbers to the bytes of a dtype, without silent loss."""

from __future__ import annotations

from typing import Any

import numpy as np


def scalar_bits(value: Any, dtype: np.dtype[Any]) -> bytes:
    """Return the bytes of a number in a dtype.

    Parameters
    ----------
    value : number
        Python's or NumPy's.
    dtype : numpy.dtype
        One that tensors may have.

    Raises
    ------
    TypeError
        If the value is no number, or is a fraction or complex where the dtype cannot be.
    OverflowError
        If it is out of range.
    """
    number = _python_number(value)
    if dtype.kind == "b":
        return bytes([bool(number)])
    if dtype.kind in "iu" or dtype.name == "int4":
        return _integer_bits(number, dtype)
    if isinstance(number, complex) and dtype.kind != "c":
        raise TypeError(f"{value!r} is complex, and {dtype.name} is not")
    try:
        # NumPy has no number for integers beyond 64 bits.
        exact = number if abs(number) < 2**63 else number * 1.0
    except OverflowError:
        raise OverflowError(f"{value!r} is out of range for {dtype.name}") from None
    with np.errstate(over="ignore"):
        converted = np.array(exact).astype(dtype)
    if np.isfinite(exact) and not np.isfinite(converted):
        raise OverflowError(f"{value!r} is out of range for {dtype.name}")
    return converted.tobytes()


def _integer_bits(number: float | complex, dtype: np.dtype[Any]) -> bytes:
    if isinstance(number, complex) or not _is_whole(number):
        raise TypeError(f"{number!r} is not an integer, as {dtype.name} needs")
    low, high = (-8, 7) if dtype.name == "int4" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    if not low <= number <= high:
        raise OverflowError(f"{number!r} is out of range for {dtype.name}: {low} to {high}")
    return np.array(int(number), dtype).tobytes()


def _is_whole(number: float) -> bool:
    # NaN and infinity are not.
    return isinstance(number, int) or number.is_integer()


def _python_number(value: Any) -> complex:
    if isinstance(value, (bool, int, float, complex)):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0:
        if value.dtype.kind in "iuc":
            number: complex = value.item()
            return number
        if value.dtype.kind in "fV" and np.can_cast(value.dtype, np.float64, "same_kind"):
            return float(value)
    raise TypeError(f"a number is needed, not {type(value).__name__} {value!r}")
