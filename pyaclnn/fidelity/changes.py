"""Variations of a valid call with one argument changed, to compare what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyaclnn as pa

#: One of each kind and width that operators tell apart.
_DTYPES = (
    "float32",
    "float16",
    "bfloat16",
    "float64",
    "int8",
    "int32",
    "int64",
    "bool",
    "complex64",
)
_TOO_MANY = (1,) * 9


def changes(values: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield each change: its name, the argument, and what takes the argument's place.

    Parameters
    ----------
    values : dict
        Arguments of a right call by name, outputs too.
    """
    for name, value in values.items():
        if isinstance(value, pa.Tensor):
            yield f"{name} is null", name, None
            for dtype in _DTYPES:
                if dtype != value.dtype.name:
                    yield f"{name} is {dtype}", name, _tensor(value.shape, dtype)
            for shape in (_TOO_MANY, (2, *value.shape[:6], 3), (0,)):
                yield f"{name} has shape {shape}", name, _tensor(shape, value.dtype.name)
        elif type(value) is int:
            for number in (-1, 99):
                yield f"{name} is {number}", name, number
        elif isinstance(value, (tuple, list)) and value and type(value[0]) is int:
            for number in (-1, 0):
                yield f"{name} is all {number}", name, (number,) * len(value)


def _tensor(shape: tuple[int, ...], dtype: str) -> pa.Tensor:
    return pa.zeros(shape, dtype)
