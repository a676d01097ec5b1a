"""Promotion of scalars as in NumPy 2 (NEP 50): Python numbers do not widen dtypes.

A Python number has a kind and no width. It takes the dtype of the tensor beside it or, where that
is of a lower kind, the default of its own: int64, float32 or a complex of the tensor's precision.
A number of NumPy has a width, and counts as a tensor of that dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyaclnn.tensor.dtypes import as_dtype

#: Types of scalar operands.
NUMBERS = (bool, int, float, complex, np.generic)

#: A dtype by the kind of a Python number, for tensors of a lower kind: the device's default.
DEFAULTS: dict[type, np.dtype[Any]] = {
    bool: np.dtype(bool),
    int: np.dtype(np.int64),
    float: np.dtype(np.float32),
    complex: np.dtype(np.complex64),
}
#: The kind of a dtype, as a rank; that of bfloat16 is V.
_RANK = {"b": 0, "i": 1, "u": 1, "f": 2, "V": 2, "c": 3}
_RANK_OF: dict[type, int] = {bool: 0, int: 1, float: 2, complex: 3}

Converter = Callable[[Any], Any]
#: By dtype and type of the number: the dtype of the calculation, and what makes its scalar.
_known: dict[tuple[np.dtype[Any], type], tuple[np.dtype[Any], Converter]] = {}


def beside(dtype: np.dtype[Any], number: Any) -> tuple[np.dtype[Any], Any]:
    """Return the common dtype of a tensor and a number, and the number in that dtype.

    Parameters
    ----------
    dtype : numpy.dtype
        The tensor's.
    number : number
        Python's or NumPy's.

    Raises
    ------
    OverflowError
        If a Python integer is out of range for the dtype.
    """
    key = dtype, number.__class__
    found = _known.get(key)
    if found is None:
        found = _known[key] = _rule(dtype, number)
    return found[0], found[1](number)


def _rule(dtype: np.dtype[Any], number: Any) -> tuple[np.dtype[Any], Converter]:
    if isinstance(number, np.generic):
        together = promoted(dtype, number.dtype)
    else:
        kind = next(k for k in (bool, int, float, complex) if isinstance(number, k))
        if _RANK_OF[kind] <= _RANK[dtype.kind]:
            together = dtype
        elif kind is complex and dtype == np.float64:
            together = np.dtype(np.complex128)
        else:
            together = DEFAULTS[kind]
    make: Converter = together.type
    if together.kind in "iu":
        # NumPy before 2 wraps integers that are out of range.
        low, high = int(np.iinfo(together).min), int(np.iinfo(together).max)

        def checked(value: Any) -> Any:
            if not low <= value <= high:
                raise OverflowError(
                    f"Python integer {value} out of bounds for {together.name}: {low} to {high}"
                )
            return make(value)

        return together, checked
    return together, make


def promoted(first: np.dtype[Any], second: np.dtype[Any]) -> np.dtype[Any]:
    """Return the promoted dtype of two: NumPy's, except that integers do not widen floats.

    Parameters
    ----------
    first, second : numpy.dtype
        Of arrays.

    Raises
    ------
    TypeError
        If CANN has no dtype for both.
    """
    if first == second:
        return first
    low, high = sorted((first, second), key=lambda d: _RANK[d.kind])
    if _RANK[low.kind] < 2 <= _RANK[high.kind]:
        return high
    if high.kind == "c" and low.kind == "V":
        return high
    try:
        return as_dtype(np.promote_types(first, second))
    except TypeError:
        # bfloat16 beside float16.
        return np.dtype(np.float32)
