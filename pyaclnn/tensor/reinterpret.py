"""Memory reinterpreted in another dtype, for operators that only move values.

CANN moves no complex numbers and few unsigned integers; their bits travel as another dtype.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from pyaclnn.tensor.protocol import TensorLike

T = TypeVar("T", bound=TensorLike)

UNSIGNED = {"uint16": "int16", "uint32": "int32", "uint64": "int64"}
#: The dtype of the two parts of a complex number, and back.
PARTS: dict[str, np.dtype[Any]] = {
    "complex64": np.dtype(np.float32),
    "complex128": np.dtype(np.float64),
}
WHOLE: dict[str, np.dtype[Any]] = {
    "float32": np.dtype(np.complex64),
    "float64": np.dtype(np.complex128),
}


def movable(tensor: T) -> T:
    """Return a view of the same bits in a dtype that CANN's copying operators accept.

    A complex tensor has one axis more, of real and imaginary parts.
    """
    name = tensor.dtype.name
    if name in PARTS:
        return as_parts(tensor)
    if name in UNSIGNED:
        return over(tensor, tensor.shape, np.dtype(UNSIGNED[name]), tensor.strides, tensor.offset)
    return tensor


def moved(tensor: T, dtype: np.dtype[Any]) -> T:
    """Return a result of `movable` in its original dtype."""
    if tensor.dtype == dtype:
        return tensor
    if dtype.kind == "c":
        return as_complex(tensor)
    return over(tensor, tensor.shape, dtype, tensor.strides, tensor.offset)


def as_parts(tensor: T) -> T:
    """Return a view of a complex tensor with a last axis of real and imaginary parts."""
    strides = (*(2 * s for s in tensor.strides), 1)
    shape = (*tensor.shape, 2)
    return over(tensor, shape, PARTS[tensor.dtype.name], strides, 2 * tensor.offset)


def as_complex(tensor: T) -> T:
    """Return a view of pairs of real numbers, contiguous in the last axis, as complex ones."""
    strides = tuple(s // 2 for s in tensor.strides[:-1])
    return over(tensor, tensor.shape[:-1], WHOLE[tensor.dtype.name], strides, tensor.offset // 2)


def over(
    tensor: T,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    strides: tuple[int, ...],
    offset: int,
) -> T:
    """Return a view whose elements have another dtype."""
    return type(tensor)(tensor.buffer, shape, dtype, strides, offset)
