"""What the functions of the namespace share: checks of arguments, and promotion."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np

from pyaclnn.ops import ops
from pyaclnn.runtime import Device
from pyaclnn.tensor import Tensor, empty
from pyaclnn.tensor.promotion import NUMBERS, beside, promoted

__all__ = ["Axis", "array", "axes_of", "axis_of", "number", "ops", "pair", "together"]

Axis = SupportsIndex | Sequence[SupportsIndex] | None
#: A tensor or a Python number.
Operand = Any


def array(x: Any) -> Tensor:
    """Return what must be a tensor."""
    if isinstance(x, Tensor):
        return x
    raise TypeError(
        f"a pyaclnn.Tensor is needed, not {type(x).__name__}: values of the host are not copied "
        "unasked; make a tensor with asarray"
    )


def number(value: Any, dtype: np.dtype[Any], device: Device) -> Tensor:
    """Return a tensor of no axes with a value."""
    return empty((), dtype, device=device).fill_(value)


def pair(x1: Operand, x2: Operand) -> tuple[Tensor, Tensor]:
    """Return two operands as tensors of the dtype that both promote to."""
    if isinstance(x1, Tensor) and isinstance(x2, Tensor):
        if x1.dtype is x2.dtype:
            return x1, x2
        dtype = promoted(x1.dtype, x2.dtype)
        return x1.astype(dtype, copy=False), x2.astype(dtype, copy=False)
    if isinstance(x1, NUMBERS):
        second, first = pair(array(x2), x1)
        return first, second
    first = array(x1)
    if not isinstance(x2, NUMBERS):
        array(x2)
    dtype, value = beside(first.dtype, x2)
    return first.astype(dtype, copy=False), number(value, dtype, first.device)


def together(arrays: Sequence[Tensor]) -> list[Tensor]:
    """Return tensors in the dtype that all promote to."""
    dtype = array(arrays[0]).dtype
    for x in arrays[1:]:
        dtype = promoted(dtype, array(x).dtype)
    return [x.astype(dtype, copy=False) for x in arrays]


def axis_of(axis: SupportsIndex, rank: int) -> int:
    """Return an axis counted from the front."""
    at = operator.index(axis)
    if not -rank <= at < rank:
        raise IndexError(f"axis {at} is out of bounds for an array of {rank} axes")
    return at % rank


def axes_of(axis: Axis, rank: int) -> list[int]:
    """Return axes counted from the front; all where none is named."""
    if axis is None:
        return list(range(rank))
    given = axis if isinstance(axis, Sequence) else (axis,)
    axes = [axis_of(a, rank) for a in given]
    if len(set(axes)) < len(axes):
        raise ValueError(f"an axis is named twice in {axis}")
    return axes
