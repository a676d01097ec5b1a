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

#: Dtypes of ml_dtypes with a byte or half a byte.
NARROW = ("int4", "float8_e5m2", "float8_e4m3fn", "float8_e8m0fnu", "float4_e2m1fn")
_FOREIGN = ("bfloat16", *NARROW)

#: Dtypes that neither NumPy nor ml_dtypes has.
OWN_DATA_TYPES: dict[str, int] = {
    "uint1": 30,
    "complex32": 33,
    "hifloat8": 34,
    "float6_e3m2": 38,
    "float6_e2m3": 39,
    "float4_e1m2": 41,
}

#: Dtypes of which two elements share a byte of a tensor; in NumPy's arrays each has its own.
_HALF_BYTES = ("int4", "float4_e2m1fn")

#: NumPy dtype -> aclDataType; dtypes of ml_dtypes are added on first use.
_codes: dict[Any, int] = {
    np.dtype(name): code for name, code in ACL_DATA_TYPES.items() if name not in _FOREIGN
}

#: The dtypes of `_HALF_BYTES` that have been used.
_packed: set[np.dtype[Any]] = set()

#: The canonical object of each dtype, so that dtypes of tensors are compared by `is`.
_same: dict[Any, np.dtype[Any]] = {dtype: dtype for dtype in _codes}
#: The canonical dtype of types, and of names once they have been used.
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
    # ml_dtypes is imported on first use: it would take a fifth of pyaclnn's import time.
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
    """Return the number of bytes that elements take in device memory."""
    return -(-elements // 2) if dtype in _packed else elements * dtype.itemsize


def element_count(nbytes: int, dtype: np.dtype[Any]) -> int:
    """Return the number of elements that bytes of device memory hold."""
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
    # NumPy's conversion would take 0.8 of the 2 µs of a call.
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
        # NumPy converts None to float64, which the caller did not ask for.
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
