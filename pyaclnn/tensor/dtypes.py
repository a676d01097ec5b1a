"""The one dtype table: NumPy dtype, aclDataType and name."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
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
    "int4": 29,
    "float8_e5m2": 35,
    "float8_e4m3fn": 36,
    "float8_e8m0fnu": 37,
    "float4_e2m1fn": 40,
}

#: Of a byte or half of one, and of ml_dtypes.
NARROW = ("int4", "float8_e5m2", "float8_e4m3fn", "float8_e8m0fnu", "float4_e2m1fn")
_FOREIGN = ("bfloat16", *NARROW)

#: Those that neither NumPy nor ml_dtypes has.
OWN_DATA_TYPES: dict[str, int] = {
    "uint1": 30,
    "complex32": 33,
    "hifloat8": 34,
    "float6_e3m2": 38,
    "float6_e2m3": 39,
    "float4_e1m2": 41,
}

#: Those of which two elements share a byte of a tensor. In NumPy's arrays each has its own.
_HALF_BYTES = ("int4", "float4_e2m1fn")

#: NumPy dtype -> aclDataType; those of ml_dtypes join when they are first met.
_codes: dict[Any, int] = {
    np.dtype(name): code for name, code in ACL_DATA_TYPES.items() if name not in _FOREIGN
}

#: The dtypes of `_HALF_BYTES` that were met.
_packed: set[np.dtype[Any]] = set()

#: Of all equal dtypes the one that tensors have, so that `is` compares them: NumPy makes copies.
_same: dict[Any, np.dtype[Any]] = {dtype: dtype for dtype in _codes}
#: The same of what else stands for a dtype: types, and names as they are met.
_known: dict[Any, np.dtype[Any]] = {
    **_same,
    **{dtype.type: dtype for dtype in _codes},
    **{plain: _same[np.dtype(plain)] for plain in (bool, int, float, complex)},
}
_KNOWN = 256


def bfloat16() -> np.dtype[Any]:
    """Return the NumPy dtype of bfloat16."""
    return _foreign("bfloat16")


def _foreign(name: str) -> np.dtype[Any]:
    # ml_dtypes is imported on first need: it would be a fifth of the import time of pyaclnn.
    import ml_dtypes

    made = getattr(ml_dtypes, name, None)
    if made is None:
        raise TypeError(f"{name} needs a newer ml_dtypes than {ml_dtypes.__version__}")
    dtype: np.dtype[Any] = np.dtype(made)
    _codes[dtype] = ACL_DATA_TYPES[name]
    if name in _HALF_BYTES:
        _packed.add(dtype)
    dtype = _same.setdefault(dtype, dtype)
    _known[made] = _known[dtype] = dtype
    return dtype


def is_packed(dtype: np.dtype[Any]) -> bool:
    """Return whether two elements of a tensor share a byte, the first in its lower half."""
    return dtype in _packed


def byte_count(elements: int, dtype: np.dtype[Any]) -> int:
    """Return how many bytes of a tensor's memory so many elements take."""
    return -(-elements // 2) if dtype in _packed else elements * dtype.itemsize


def element_count(nbytes: int, dtype: np.dtype[Any]) -> int:
    """Return how many elements so many bytes of a tensor's memory hold."""
    return nbytes * 2 if dtype in _packed else nbytes // dtype.itemsize


def as_dtype(dtype: DTypeLike | None) -> np.dtype[Any]:
    """Return the NumPy dtype that a tensor will have.

    Parameters
    ----------
    dtype : dtype-like
        Anything NumPy takes, a type of ml_dtypes or its name, such as ``"bfloat16"``. Byte order
        is made native.

    Returns
    -------
    numpy.dtype
        One of the table, always the same object.

    Raises
    ------
    TypeError
        If it is not in the table; the text has the names that are.
    """
    # Asking NumPy takes 0.8 µs of the 2 of a call.
    try:
        return _known[dtype]
    except (KeyError, TypeError):
        found = _asked_of_numpy(dtype)
    if dtype.__class__ is str and len(_known) < _KNOWN:
        _known[dtype] = found
    return found


def _asked_of_numpy(dtype: DTypeLike | None) -> np.dtype[Any]:
    if dtype.__class__ is str and dtype in _FOREIGN:
        return _foreign(str(dtype))
    found: np.dtype[Any] | None
    try:
        # NumPy takes None for float64, which nobody asked for here.
        found = None if dtype is None else np.dtype(dtype).newbyteorder("=")
    except TypeError:
        found = None
    if found is not None:
        if found in _same:
            return _same[found]
        if found.name in _FOREIGN:
            return _foreign(found.name)
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


def data_type(dtype: DTypeLike | int | None) -> int:
    """Return the aclDataType of a dtype, or of a name that it lacks, such as ``hifloat8``.

    Parameters
    ----------
    dtype : dtype-like or int
        An aclDataType is returned as it is.

    Raises
    ------
    TypeError
        If there is none.
    """
    if dtype.__class__ is int:
        return dtype
    if dtype.__class__ is str and dtype in OWN_DATA_TYPES:
        return OWN_DATA_TYPES[dtype]
    return acl_dtype(dtype)  # type: ignore[arg-type]


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
