"""HCCL's numbers of element types and reductions, by name."""

from __future__ import annotations

from typing import Any

import numpy as np

#: Name -> HcclDataType.
DATA_TYPES: dict[str, int] = {
    "int8": 0,
    "int16": 1,
    "int32": 2,
    "float16": 3,
    "float32": 4,
    "int64": 5,
    "uint64": 6,
    "uint8": 7,
    "uint16": 8,
    "uint32": 9,
    "float64": 10,
    "bfloat16": 11,
    # HCCL has no bool; they are moved as bytes.
    "bool": 7,
}

#: Dtypes that no chip reduces; for others the library refuses by chip.
_NEVER_REDUCED = ("uint8", "uint16", "uint32", "bool")

#: Name -> HcclReduceOp.
REDUCTIONS: dict[str, int] = {"sum": 0, "prod": 1, "max": 2, "min": 3}


def data_type(dtype: np.dtype[Any]) -> int:
    """Return the HcclDataType of a dtype.

    Raises
    ------
    TypeError
        If HCCL does not have it.
    """
    code = DATA_TYPES.get(dtype.name)
    if code is None:
        raise TypeError(f"{dtype.name} is not communicated; {', '.join(DATA_TYPES)} are")
    return code


def reduction(op: str, dtype: np.dtype[Any]) -> int:
    """Return the HcclReduceOp of a name, for elements of a dtype.

    Raises
    ------
    TypeError
        If the dtype is never reduced.
    ValueError
        If there is no such reduction.
    """
    code = REDUCTIONS.get(op)
    if code is None:
        raise ValueError(f"op is {op!r}; it is one of {', '.join(REDUCTIONS)}")
    data_type(dtype)
    if dtype.name in _NEVER_REDUCED:
        reduced = ", ".join(name for name in DATA_TYPES if name not in _NEVER_REDUCED)
        raise TypeError(f"{dtype.name} is not reduced; {reduced} are, not all by every chip")
    return code
