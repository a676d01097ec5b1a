"""The one dtype table: NumPy dtype, aclDataType and name."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

#: Name -> aclDataType. float32 is the one whose C name differs most: ACL_FLOAT.
ACL_DATA_TYPES: dict[str, int] = {
    "float32": 0,
    "float16": 1,
    "int8": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 6,
    "uint16": 7,
    "uint32": 8,
    "int64": 9,
    "uint64": 10,
    "float64": 11,
    "bool": 12,
    "complex64": 16,
    "complex128": 17,
    "bfloat16": 27,
}

_BFLOAT16 = "bfloat16"

#: NumPy dtype -> aclDataType; bfloat16 joins when it is first met.
_codes: dict[Any, int] = {
    np.dtype(name): code for name, code in ACL_DATA_TYPES.items() if name != _BFLOAT16
}

#: Of all equal dtypes the one that tensors have, so that `is` compares them: NumPy makes copies.
_same: dict[Any, np.dtype[Any]] = {dtype: dtype for dtype in _codes}
_of_types: dict[Any, np.dtype[Any]] = {dtype.type: dtype for dtype in _codes}


def bfloat16() -> np.dtype[Any]:
    """Return the NumPy dtype of bfloat16."""
    # ml_dtypes is imported on first need: it would be a fifth of the import time of pyaclnn.
    import ml_dtypes

    dtype: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
    _codes[dtype] = ACL_DATA_TYPES[_BFLOAT16]
    return _same.setdefault(dtype, dtype)


def as_dtype(dtype: DTypeLike | None) -> np.dtype[Any]:
    """Return the NumPy dtype that a tensor will have.

    Parameters
    ----------
    dtype : dtype-like
        Anything NumPy takes, or ``"bfloat16"``. Byte order is made native.

    Returns
    -------
    numpy.dtype
        One of the table, always the same object.

    Raises
    ------
    TypeError
        If it is not in the table; the text has the names that are.
    """
    # Such as np.float32; asking NumPy takes 0.5 µs of the 2 of making a tensor.
    if dtype.__class__ is type and dtype in _of_types:
        return _of_types[dtype]
    if isinstance(dtype, np.dtype) and dtype in _same:
        return _same[dtype]
    if dtype.__class__ is str and dtype == _BFLOAT16:
        return bfloat16()
    found: np.dtype[Any] | None
    try:
        # NumPy takes None for float64, which nobody asked for here.
        found = None if dtype is None else np.dtype(dtype).newbyteorder("=")
    except TypeError:
        found = None
    if found is not None:
        if found in _same:
            return _same[found]
        if found.name == _BFLOAT16:
            return bfloat16()
    raise TypeError(
        f"{_name(dtype)} is not a dtype of aclnn tensors; these are: {', '.join(ACL_DATA_TYPES)}"
    )


def acl_dtype(dtype: DTypeLike | None) -> int:
    """Return the aclDataType of a dtype.

    Parameters
    ----------
    dtype : dtype-like
        See `as_dtype`.

    Raises
    ------
    TypeError
        If there is none.
    """
    try:
        return _codes[dtype]
    except (KeyError, TypeError):
        return _codes[as_dtype(dtype)]


def dtype_of_code(code: int) -> np.dtype[Any]:
    """Return the dtype of an aclDataType.

    Raises
    ------
    TypeError
        If NumPy has none for it.
    """
    for name, known in ACL_DATA_TYPES.items():
        if known == code:
            return as_dtype(name)
    raise TypeError(f"aclDataType {code} has no NumPy dtype")


def _name(dtype: DTypeLike | None) -> str:
    if isinstance(dtype, np.dtype):
        return str(dtype.name)
    return str(getattr(dtype, "__name__", None) or repr(dtype))


if sys.byteorder != "little":  # pragma: no cover
    raise ImportError("pyaclnn needs a little-endian machine, as CANN does")
