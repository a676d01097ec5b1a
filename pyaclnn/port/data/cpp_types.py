"""C++ types, as far as a sample's data needs them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np


@dataclass(frozen=True)
class CType:
    """A type.

    Attributes
    ----------
    kind : str
        ``int``, ``float``, ``bool``, ``complex``, ``pointer``, ``vector``, ``string``, ``struct``,
        ``map``, ``smart`` pointer, ``void``, ``auto`` or ``other``.
    name : str
        Spelling; for numbers the NumPy dtype's.
    item : CType, optional
        What a pointer points to, or a container holds.
    count : int, optional
        Length of an array.
    """

    kind: str
    name: str = ""
    item: CType | None = None
    count: int | None = None

    @property
    def is_number(self) -> bool:
        """Whether values are numbers with a NumPy dtype."""
        return self.kind in ("int", "float", "bool", "complex")

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy dtype of a number."""
        if self.name == "bfloat16":
            import ml_dtypes

            half: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
            return half
        dtype: np.dtype[Any] = np.dtype(self.name)
        return dtype

    @property
    def size(self) -> int:
        """``sizeof``."""
        if self.is_number:
            return int(self.dtype.itemsize)
        if self.kind == "vector" and self.count is not None and self.item is not None:
            return self.count * self.item.size
        if self.kind == "vector":
            return 24
        if self.kind == "string":
            return 32
        return 1 if self.kind == "void" else 8


VOID = CType("void", "void")
AUTO = CType("auto", "auto")
OTHER = CType("other", "")
STRING = CType("string", "string")
CHAR = CType("int", "int8")
INT = CType("int", "int32")
INT64 = CType("int", "int64")
FLOAT = CType("float", "float32")
DOUBLE = CType("float", "float64")
BOOL = CType("bool", "bool")
UINT8 = CType("int", "uint8")

_INTEGERS = {
    "int8": "int8_t char", "uint8": "uint8_t u_int8_t byte", "int16": "int16_t short", "uint16":
    "uint16_t u_int16_t aclFloat16 bfloat16_bits", "int32": "int32_t int aclError aclnnStatus "
    "HcclResult", "uint32": "uint32_t u_int32_t unsigned uint", "int64": "int64_t long ssize_t "
    "ptrdiff_t intptr_t", "uint64": "uint64_t u_int64_t size_t uintptr_t",
}  # fmt: skip
_FLOATS = {
    "float16": "half __fp16 _Float16 fp16_t float16_t Half",
    "bfloat16": "bfloat16 bfloat16_t __bf16 BFloat16 bf16_t",
    "float32": "float float32_t",
    "float64": "double",
}
_ENUMS = "aclDataType aclFormat aclrtMemMallocPolicy aclrtMemcpyKind aclrtRunMode HcclDataType"

#: Every name of a number type, without its namespace.
NUMBERS: dict[str, CType] = {"bool": BOOL}
for _kind, _table in (("int", _INTEGERS), ("float", _FLOATS)):
    for _name, _spellings in _table.items():
        NUMBERS.update({s: CType(_kind, _name) for s in _spellings.split()})
NUMBERS.update(dict.fromkeys(_ENUMS.split(), INT))


def pointer_to(item: CType) -> CType:
    """Return the type of a pointer."""
    return CType("pointer", item.name + "*", item)


def vector_of(item: CType, count: int | None = None) -> CType:
    """Return the type of a vector, or of an array with a length."""
    return CType("vector", f"vector<{item.name}>", item, count)


def sized(words: list[str]) -> CType:
    """Return the type of ``unsigned long long`` and its like."""
    unsigned = "unsigned" in words
    if "double" in words:
        return CType("other", "long double")
    bits = 8 if "char" in words else 16 if "short" in words else 64 if "long" in words else 32
    return CType("int", f"{'u' if unsigned else ''}int{bits}")
