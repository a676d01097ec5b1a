"""Python and NumPy numbers to the bytes of a dtype, refusing what would silently change."""

from __future__ import annotations

from typing import Any

import numpy as np


def scalar_bits(value: Any, dtype: np.dtype[Any]) -> bytes:
    """Return the bytes of a number in a dtype.

    Raises
    ------
    TypeError
        If the value is no number, or is a fraction or complex where the dtype cannot be.
    OverflowError
        If it is out of range.
    """
    number = _python_number(value)
    if dtype.kind in "iu":
        if number != number or isinstance(number, complex) or number % 1 != 0:
            raise TypeError(f"{value!r} is not an integer, as {dtype.name} needs")
        limits = np.iinfo(dtype)
        if not limits.min <= number <= limits.max:
            raise OverflowError(
                f"{value!r} is out of range for {dtype.name}: {limits.min} to {limits.max}"
            )
        number = int(number)
    elif isinstance(number, complex) and dtype.kind not in "cb":
        raise TypeError(f"{value!r} is complex, and {dtype.name} is not")
    with np.errstate(over="ignore"):
        converted = np.array(number).astype(dtype)
    if dtype.kind != "b" and np.isfinite(number) and not np.isfinite(converted):
        raise OverflowError(f"{value!r} is out of range for {dtype.name}")
    return converted.tobytes()


def _python_number(value: Any) -> bool | int | float | complex:
    if isinstance(value, (bool, int, float, complex)):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0:
        for kind in (np.integer, np.complexfloating):
            if np.issubdtype(value.dtype, kind):
                number: int | complex = value.item()
                return number
        if np.can_cast(value.dtype, np.float64, "same_kind"):
            return float(value)
    raise TypeError(f"a number is needed, not {type(value).__name__} {value!r}")
