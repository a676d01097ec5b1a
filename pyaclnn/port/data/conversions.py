"""Numbers with their C++ type, and C++'s conversions between them.

A Python ``int`` is an ``int`` of C++ as long as it fits, a ``float`` a ``double``, a ``bool`` a
``bool``; a number of another type is of a subclass that has the type as ``ctype``.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from pyaclnn.port.data.cpp_types import AUTO, BOOL, DOUBLE, INT, INT64, CType
from pyaclnn.port.errors import SampleError

COMPLEX = CType("complex", "complex128")
UINT64 = CType("int", "uint64")

_RANK = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
         "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]  # fmt: skip
_KINDS = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
_BASES: dict[str, type] = {"int": int, "float": float, "complex": complex}


def _kind(name: str) -> str:
    return "float" if name == "bfloat16" else _KINDS[np.dtype(name).kind]


_PLAIN = {"bool": bool, "int32": int, "float64": float, "complex128": complex}
#: Class of the numbers of a type, by the type's name.
_CLASSES: dict[str, Any] = {
    name: _PLAIN.get(name)
    or type(name, (_BASES[_kind(name)],), {"__slots__": (), "ctype": CType(_kind(name), name)})
    for name in _RANK
}
_NATURAL: dict[Any, CType] = {bool: BOOL, float: DOUBLE, complex: COMPLEX}
_RANGES = {
    name: (int(np.iinfo(name).min), int(np.iinfo(name).max))
    for name in _RANK
    if name[:3] in ("int", "uin")
}
_INT_LOW, _INT_HIGH = _RANGES["int32"]
_LONG_HIGH = _RANGES["int64"][1]


def type_of_number(value: Any) -> CType:
    """Return the C++ type of a number."""
    kind = type(value)
    if kind is int:
        if _INT_LOW <= value <= _INT_HIGH:
            return INT
        return INT64 if value <= _LONG_HIGH else UINT64
    found: CType | None = _NATURAL.get(kind)
    if found is not None:
        return found
    declared: CType = value.ctype
    return declared


def plain(value: Any) -> Any:
    """Return a number without its C++ type; other values as they are."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    return complex(value) if isinstance(value, complex) else value


def convert(value: Any, ctype: CType) -> Any:
    """Return a number as one of a type; other values as they are.

    Raises
    ------
    SampleError
        For a fraction that is out of range of an integer type.
    """
    kind = ctype.kind
    if not isinstance(value, (int, float)):
        if isinstance(value, complex) and kind == "complex":
            return _complex(value, ctype.name)
        return value
    if kind == "int":
        return integer(value, ctype.name)
    if kind == "float":
        return fraction(value, ctype.name)
    if kind == "bool":
        return bool(value)
    return _complex(complex(value), ctype.name) if kind == "complex" else value


def integer(value: Any, name: str) -> Any:
    """Return a number as an integer of a type, wrapped to its width."""
    low, high = _RANGES[name]
    if isinstance(value, float) and not low - 1 < value < high + 1:
        raise SampleError(f"converts {float(value):g} to {name}, which cannot hold it")
    whole = int(value)
    if not low <= whole <= high:
        whole &= high - low
        if whole > high:
            whole -= high - low + 1
    return whole if name == "int32" else _CLASSES[name](whole)


def fraction(value: Any, name: str) -> Any:
    """Return a number rounded to a floating-point type."""
    if name == "float64":
        return float(value)
    if name == "float32":
        if isinstance(value, int) and not -(1 << 53) <= value <= 1 << 53:
            wide = np.uint64 if value > _LONG_HIGH else np.int64
            return _CLASSES[name](wide(int(value)).astype(np.float32))
        return _CLASSES[name](ctypes.c_float(value).value)
    with np.errstate(over="ignore"):
        return _CLASSES[name](CType("float", name).dtype.type(float(value)))


def _complex(value: complex, name: str) -> Any:
    if name == "complex64":
        value = complex(ctypes.c_float(value.real).value, ctypes.c_float(value.imag).value)
    return _CLASSES[name](value)


def from_numpy(value: Any, ctype: CType) -> Any:
    """Return a scalar of NumPy's as a number of a type."""
    return convert(float(value) if ctype.name == "bfloat16" else value.item(), ctype)


def part_of(value: complex, name: str) -> Any:
    """Return the real or the imaginary part of a complex number."""
    size = "float32" if type_of_number(value).name == "complex64" else "float64"
    return fraction(getattr(value, name), size)


def fits(value: int, ctype: CType) -> bool:
    """Return whether an integer type has a number."""
    low, high = range_of(ctype)
    return low <= value <= high


def range_of(ctype: CType) -> tuple[int, int]:
    """Return the smallest and the largest number of an integer type."""
    return _RANGES[ctype.name]


def bits_of(ctype: CType) -> int:
    """Return the mask of all bits of an integer type."""
    low, high = range_of(ctype)
    return high - low


def is_signed(ctype: CType) -> bool:
    """Return whether an integer type has negative numbers."""
    return not ctype.name.startswith("u")


def promote(ctype: CType) -> CType:
    """Return the type that a number of a type has after the integral promotions."""
    return INT if ctype.kind == "bool" or (ctype.kind == "int" and ctype.size < 4) else ctype


def promoted(left: CType, right: CType) -> CType:
    """Return the common type of two operands: the usual arithmetic conversions.

    `AUTO` where one is no number.
    """
    if not (left.is_number and right.is_number):
        return left if left.kind in ("pointer", "vector") else AUTO
    if left.name not in _RANK or right.name not in _RANK:
        return AUTO
    best = left if _RANK.index(left.name) >= _RANK.index(right.name) else right
    return promote(best)
