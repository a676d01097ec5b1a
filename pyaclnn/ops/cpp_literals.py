"""Values as C++ literals, exact to the bit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

#: dtype name -> element type in C++, its aclDataType.
TYPES: dict[str, tuple[str, str]] = {
    "float32": ("float", "ACL_FLOAT"),
    "float64": ("double", "ACL_DOUBLE"),
    "float16": ("uint16_t", "ACL_FLOAT16"),
    "bfloat16": ("uint16_t", "ACL_BF16"),
    "bool": ("uint8_t", "ACL_BOOL"),
    "complex64": ("std::complex<float>", "ACL_COMPLEX64"),
    "complex128": ("std::complex<double>", "ACL_COMPLEX128"),
    **{
        f"{sign}int{bits}": (f"{sign}int{bits}_t", f"ACL_{sign.upper()}INT{bits}")
        for sign in ("", "u")
        for bits in (8, 16, 32, 64)
    },
}

_WIDTH = 96


def bits_of(values: Array) -> Array:
    """Return an array as C++ holds it: halves as 16 bits, truth values as bytes."""
    if values.dtype.name in ("float16", "bfloat16"):
        return values.view(np.uint16)
    return values.view(np.uint8) if values.dtype.kind == "b" else values


def number(value: Any) -> str:
    """Return a number as a C++ literal that gives exactly that number.

    Parameters
    ----------
    value : NumPy scalar
        Of a type C++ has.
    """
    kind = np.asarray(value).dtype
    if kind.kind == "c":
        return f"{{{number(value.real)}, {number(value.imag)}}}"
    if kind.kind == "f":
        return _float(value)
    plain = int(value)
    if kind.name == "int64" and plain == -(1 << 63):
        return "INT64_MIN"
    return f"{plain}ULL" if kind.name == "uint64" and plain >> 63 else str(plain)


def _float(value: Any) -> str:
    plain = float(value)
    if math.isnan(plain):
        return "NAN"
    if math.isinf(plain):
        return "INFINITY" if plain > 0 else "-INFINITY"
    if value.dtype.itemsize == 8:
        return repr(plain)
    # The shortest text that reads back as this float.
    text = str(np.float32(value))
    return f"{text}f" if "." in text or "e" in text else f"{text}.0f"


def listed(values: Sequence[str], indent: str = "      ") -> str:
    """Return values in braces, broken over lines where they do not fit."""
    flat = "{" + ", ".join(values) + "}"
    if len(flat) <= _WIDTH - 30:
        return flat
    rows: list[str] = []
    row = indent
    for value in values:
        if len(row) + len(value) + 2 > _WIDTH:
            rows.append(row.rstrip())
            row = indent
        row += value + ", "
    rows.append(row.rstrip(", "))
    return "{\n" + "\n".join(rows) + "}"


def vector(values: Array) -> str:
    """Return what initialises a ``std::vector`` with the elements of a flat array."""
    held = bits_of(values)
    raw = held.view(np.uint8).reshape(held.size, -1) if held.size else held
    if held.size > 8 and bool((raw == raw[0]).all()):
        return f"({held.size}, {number(held[0])})"
    return " = " + listed([number(v) for v in held])


def text(value: str) -> str:
    """Return a string as a C++ literal."""
    pieces = []
    for byte in value.encode():
        character = chr(byte)
        plain = 32 <= byte < 127 and character not in '"\\?'
        pieces.append(character if plain else f"\\{byte:03o}")
    return '"' + "".join(pieces) + '"'
