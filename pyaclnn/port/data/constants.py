"""Predeclared names: constants of C and of CANN's headers, and known functions."""

from __future__ import annotations

import math
import os
import re
import stat
from collections.abc import Callable
from typing import Any

import numpy as np

from pyaclnn import abi
from pyaclnn.port.data.conversions import UINT64, convert
from pyaclnn.port.data.cpp_types import FLOAT, INT64, NUMBERS, CType
from pyaclnn.port.data.values import Builtin
from pyaclnn.port.errors import NotUnderstoodError

#: What std::string finds where there is nothing.
NPOS = convert((1 << 64) - 1, UINT64)

_FIXED: dict[str, Any] = {
    "NULL": None, "EXIT_SUCCESS": 0, "EXIT_FAILURE": 1, "RAND_MAX": (1 << 31) - 1,
    "INFINITY": math.inf, "NAN": math.nan, "M_PI": math.pi, "M_E": math.e,
    "M_SQRT2": math.sqrt(2), "M_SQRT1_2": math.sqrt(0.5),
    "FLT_MAX": 3.4028234663852886e38, "FLT_MIN": 1.1754943508222875e-38,
    "FLT_EPSILON": 2.0**-23, "DBL_MAX": 1.7976931348623157e308, "DBL_EPSILON": 2.0**-52,
    "DBL_MIN": 2.2250738585072014e-308, "EOK": 0,
    "INT8_MIN": -(1 << 7), "INT8_MAX": (1 << 7) - 1, "UINT8_MAX": (1 << 8) - 1,
    "INT16_MIN": -(1 << 15), "INT16_MAX": (1 << 15) - 1, "UINT16_MAX": (1 << 16) - 1,
    "INT32_MIN": -(1 << 31), "INT32_MAX": (1 << 31) - 1, "UINT32_MAX": (1 << 32) - 1,
    "INT_MIN": -(1 << 31), "INT_MAX": (1 << 31) - 1, "UINT_MAX": (1 << 32) - 1,
    "INT64_MIN": -(1 << 63), "INT64_MAX": (1 << 63) - 1, "UINT64_MAX": (1 << 64) - 1,
    "LONG_MAX": (1 << 63) - 1, "LLONG_MAX": (1 << 63) - 1, "SIZE_MAX": (1 << 64) - 1,
    "PR_SET_NAME": 15, "SEEK_SET": 0, "SEEK_CUR": 1, "SEEK_END": 2, "PATH_MAX": 4096, "npos": NPOS,
    "CLOCK_REALTIME": 0, "CLOCK_MONOTONIC": 1, "HCCL_SUCCESS": 0, "HCCL_ROOT_INFO_BYTES": 4108,
}  # fmt: skip

#: Types that do not show in the values.
_TYPES = {
    **dict.fromkeys(["UINT32_MAX", "UINT_MAX"], CType("int", "uint32")),
    **dict.fromkeys(["INT64_MIN", "INT64_MAX", "LONG_MAX", "LLONG_MAX"], INT64),
    **dict.fromkeys(["UINT64_MAX", "SIZE_MAX"], UINT64),
    **dict.fromkeys(["FLT_MAX", "FLT_MIN", "FLT_EPSILON", "INFINITY", "NAN"], FLOAT),
}

#: Types of CANN's newer headers, for samples that are younger than the headers here.
_DATA_TYPES = {
    "ACL_HIFLOAT8": 34, "ACL_FLOAT8_E5M2": 35, "ACL_FLOAT8_E4M3FN": 36, "ACL_FLOAT8_E8M0": 37,
    "ACL_FLOAT6_E3M2": 38, "ACL_FLOAT6_E2M3": 39, "ACL_FLOAT4_E2M1": 40, "ACL_FLOAT4_E1M2": 41,
    "ACL_FORMAT_FRACTAL_NZ_C0_16": 50, "ACL_FORMAT_FRACTAL_NZ_C0_32": 51,
}  # fmt: skip

#: Name to function; `FALLBACKS` are asked for names with a pattern, such as those of the C API.
FUNCTIONS: dict[str, Builtin] = {}
FALLBACKS: list[Callable[[str], Builtin | None]] = []


def builtin(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function under its C++ names, without namespaces.

    It is called with a `Call` and the arguments.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            FUNCTIONS[name] = Builtin(name, function)
        return function

    return register


def constant(name: str) -> Any:
    """Return what a name stands for.

    Raises
    ------
    NotUnderstoodError
        If nobody declares it.
    """
    if name in _FIXED:
        return _FIXED[name] if name not in _TYPES else convert(_FIXED[name], _TYPES[name])
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    if "numeric_limits" in name:
        return _limit(name)
    for fallback in FALLBACKS:
        found = fallback(name)
        if found is not None:
            return found
    if re.fullmatch(r"(O|S)_[A-Z]+", name):
        # Modes of files, which a port does not need.
        return int(getattr(os, name, getattr(stat, name, 0)))
    if re.fullmatch(r"(ACL|HCCL|RT|GE)[A-Z0-9_]+\w*", name):
        try:
            value: Any = abi.index.value(name)
        except (abi.HeaderError, KeyError):
            value = _DATA_TYPES.get(name)
        if isinstance(value, int):
            return value
    raise NotUnderstoodError(f"{name} is declared neither in the sample nor in CANN's headers")


def _limit(text: str) -> Any:
    match = re.search(r"numeric_limits\s*<\s*([\w:]+)\s*>\s*::\s*(\w+)", text)
    ctype: CType | None = NUMBERS.get(match.group(1).split("::")[-1]) if match else None
    if match is None or ctype is None:
        raise NotUnderstoodError(f"{text} is not known")
    wanted = match.group(2)
    info: Any = np.iinfo(ctype.dtype) if ctype.kind == "int" else np.finfo(ctype.dtype)
    values: dict[str, Any] = {
        "max": info.max,
        "lowest": info.min,
        "min": info.min if ctype.kind == "int" else info.tiny,
        "infinity": math.inf,
        "quiet_NaN": math.nan,
        "epsilon": 0 if ctype.kind == "int" else info.eps,
    }
    if wanted not in values:
        raise NotUnderstoodError(f"{text} is not known")
    number = convert(int(values[wanted]) if ctype.kind == "int" else float(values[wanted]), ctype)
    return Builtin(wanted, lambda *_: number)
