"""Data types, what they hold, and how they promote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pyaclnn.runtime import Device, current_device
from pyaclnn.runtime.device import device_count
from pyaclnn.tensor import Tensor, as_dtype
from pyaclnn.tensor.promotion import NUMBERS, beside, promoted

__all__ = [
    "__array_namespace_info__", "astype", "bfloat16", "bool", "can_cast", "complex64",
    "complex128", "finfo", "float16", "float32", "float64", "iinfo", "int8", "int16", "int32",
    "int64", "isdtype", "result_type", "uint8", "uint16", "uint32", "uint64",
]  # fmt: skip

bool = np.dtype("bool")
int8, int16, int32, int64 = (np.dtype(f"int{n}") for n in (8, 16, 32, 64))
#: CANN stores, moves and compares the three wide ones, and calculates with uint8 only.
uint8, uint16, uint32, uint64 = (np.dtype(f"uint{n}") for n in (8, 16, 32, 64))
float16, float32, float64 = (np.dtype(f"float{n}") for n in (16, 32, 64))
bfloat16 = as_dtype("bfloat16")
complex64, complex128 = np.dtype("complex64"), np.dtype("complex128")

_SIGNED = (int8, int16, int32, int64)
_UNSIGNED = (uint8, uint16, uint32, uint64)
_REAL = (float16, bfloat16, float32, float64)
_COMPLEX = (complex64, complex128)
_KINDS: dict[str, tuple[np.dtype[Any], ...]] = {
    "bool": (bool,),
    "signed integer": _SIGNED,
    "unsigned integer": _UNSIGNED,
    "integral": _SIGNED + _UNSIGNED,
    "real floating": _REAL,
    "complex floating": _COMPLEX,
    "numeric": _SIGNED + _UNSIGNED + _REAL + _COMPLEX,
}
#: The standard's, which `Info.dtypes` lists.
_STANDARD = (bool, *_SIGNED, *_UNSIGNED, float32, float64, *_COMPLEX)


def _dtype(of: Any) -> np.dtype[Any]:
    return of.dtype if isinstance(of, Tensor) else as_dtype(of)


def astype(x: Tensor, dtype: Any, /, *, copy: Any = True, device: Device | None = None) -> Tensor:
    """Return the values in another dtype (``aclnnCast``)."""
    if device is not None:
        x = x.to_device(device)
    wanted = as_dtype(dtype)
    if x.dtype.kind == "c" and wanted.kind not in "cb":
        raise TypeError("complex numbers have no real value: take real(x), imag(x) or abs(x)")
    if wanted.kind == "b" and x.dtype.kind in "fVc":
        return x != 0
    return x.astype(wanted, copy=copy)


def can_cast(from_: Any, to: Any, /) -> Any:
    """Return whether a dtype promotes to another."""
    source, target = _dtype(from_), as_dtype(to)
    try:
        together = promoted(source, target)
    except TypeError:
        return False
    return together == target


@dataclass(frozen=True)
class FloatInfo:
    """What a dtype of real numbers, or of the parts of complex ones, holds."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: np.dtype[Any]


@dataclass(frozen=True)
class IntInfo:
    """What a dtype of integers holds."""

    bits: int
    max: int
    min: int
    dtype: np.dtype[Any]


def finfo(type: Any, /) -> FloatInfo:
    """Return the limits of a dtype of floats."""
    dtype = _dtype(type)
    if dtype == bfloat16:
        import ml_dtypes

        found: Any = ml_dtypes.finfo(dtype)  # type: ignore[no-untyped-call]
    else:
        found = np.finfo(dtype)
    return FloatInfo(
        int(found.bits),
        float(found.eps),
        float(found.max),
        float(found.min),
        float(found.smallest_normal),
        np.dtype(found.dtype),
    )


def iinfo(type: Any, /) -> IntInfo:
    """Return the limits of a dtype of integers."""
    found = np.iinfo(_dtype(type))
    return IntInfo(int(found.bits), int(found.max), int(found.min), np.dtype(found.dtype))


def isdtype(dtype: Any, kind: Any) -> Any:
    """Return whether a dtype is another, of a kind, or one of several."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(f"{kind!r} is no kind of dtype; these are: {', '.join(_KINDS)}")
        return dtype in _KINDS[kind]
    return dtype == kind


def result_type(*arrays_and_dtypes: Any) -> np.dtype[Any]:
    """Return the dtype that all promote to; Python numbers do not widen it."""
    strong = [_dtype(a) for a in arrays_and_dtypes if not isinstance(a, NUMBERS)]
    if not strong:
        raise ValueError("an array or a dtype is needed among the arguments")
    dtype = strong[0]
    for other in strong[1:]:
        dtype = promoted(dtype, other)
    for weak in arrays_and_dtypes:
        if isinstance(weak, NUMBERS):
            dtype = beside(dtype, type(weak)(0))[0]
    return dtype


class Info:
    """What the standard asks a namespace to say of itself."""

    def capabilities(self) -> dict[str, Any]:
        """Return which optional parts are there."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 8}

    def default_device(self) -> Device:
        """Return the device that new tensors are on."""
        return current_device()

    def default_dtypes(self, *, device: Device | None = None) -> dict[str, np.dtype[Any]]:
        """Return the dtypes that Python numbers take."""
        return {
            "real floating": float32,
            "complex floating": complex64,
            "integral": int64,
            "indexing": int64,
        }

    def dtypes(self, *, device: Device | None = None, kind: Any = None) -> dict[str, np.dtype[Any]]:
        """Return the standard's dtypes by name, of all kinds or of some."""
        return {d.name: d for d in _STANDARD if kind is None or isdtype(d, kind)}

    def devices(self) -> list[Device]:
        """Return all devices."""
        return [Device(index) for index in range(device_count())]


def __array_namespace_info__() -> Info:  # noqa: N807
    return Info()
