"""Operands of HCCL: contiguous memory of the communicator's device."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pyaclnn.abi import ffi
from pyaclnn.ops import ops
from pyaclnn.runtime import Device, Stream
from pyaclnn.tensor import Tensor, empty


def require_on(tensor: Tensor, name: str, device: Device) -> None:
    """Raise unless an operand is a tensor on a device."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"{name} is of type {type(tensor).__name__}; give a pyaclnn.Tensor")
    if tensor.device is not device:
        raise ValueError(f"{name} {tensor.describe()} is not on {device!r}, the communicator's")


def address(tensor: Tensor) -> Any:
    """Return where the elements of a contiguous tensor begin, as ``void *``."""
    return ffi.cast("void *", tensor.buffer.ptr + tensor.offset * tensor.itemsize)


def as_source(tensor: Tensor, stream: Stream) -> Tensor:
    """Return a tensor, or a contiguous copy that the stream makes of it."""
    if tensor.is_contiguous:
        return tensor
    copy = empty(tensor.shape, tensor.dtype, stream=stream)
    ops.inplace_copy(copy, tensor, stream=stream)
    return copy


class Target:
    """The output of a call: a tensor, or contiguous memory that `finish` copies to it."""

    def __init__(self, tensor: Tensor, stream: Stream, *, keeps: bool = False) -> None:
        self.tensor = tensor
        self._stream = stream
        if tensor.is_contiguous:
            self.memory = tensor
        elif keeps:
            self.memory = as_source(tensor, stream)
        else:
            self.memory = empty(tensor.shape, tensor.dtype, stream=stream)

    def finish(self) -> Tensor:
        """Make the stream write the tensor, and return it."""
        if self.memory is not self.tensor:
            ops.inplace_copy(self.tensor, self.memory, stream=self._stream)
        return self.tensor


def target(
    out: Tensor | None,
    shape: Sequence[int],
    dtype: np.dtype[Any],
    stream: Stream,
) -> Target:
    """Return the output of a call, a new tensor if ``out`` is not given.

    Raises
    ------
    TypeError, ValueError
        If ``out`` has another dtype or number of elements.
    """
    if out is None:
        return Target(empty(tuple(shape), dtype, stream=stream), stream)
    require_on(out, "out", stream.device)
    if out.dtype != dtype:
        raise TypeError(f"out is {out.describe()}, the result has {dtype.name}")
    if out.size != math.prod(shape):
        raise ValueError(f"out is {out.describe()}, the result has the shape {tuple(shape)}")
    return Target(out, stream)


def counts_array(counts: Sequence[int], size: int, name: str) -> np.ndarray[Any, Any]:
    """Return lengths, one for each rank.

    Raises
    ------
    ValueError
        If there are more or fewer, or one is negative.
    """
    values = [int(each) for each in counts]
    if len(values) != size or any(each < 0 for each in values):
        raise ValueError(f"{name} is {values}; it has a length for each of {size} ranks")
    return np.array(values, np.uint64)


def places_of(counts: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the offsets of consecutive parts."""
    places = np.zeros_like(counts)
    np.cumsum(counts[:-1], out=places[1:])
    return places


def host(array: np.ndarray[Any, Any]) -> Any:
    """Return the address of a host array, as ``void *``."""
    return ffi.cast("void *", array.ctypes.data)


def row_size(tensor: Tensor, name: str) -> int:
    """Return the number of elements of one row, which may be any.

    Raises
    ------
    ValueError
        If a tensor without axes has no rows.
    """
    if not tensor.shape:
        raise ValueError(f"{name} {tensor.describe()} has no axis whose rows go to the ranks")
    return math.prod(tensor.shape[1:])
