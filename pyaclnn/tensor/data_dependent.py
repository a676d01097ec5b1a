"""Outputs whose shape depends on data: the part that is filled, after the run."""

from __future__ import annotations

import math

from pyaclnn.abi import check, ffi, lib
from pyaclnn.runtime import current_stream
from pyaclnn.tensor.handles import TensorHandle
from pyaclnn.tensor.tensor import Tensor


def filled_part(tensor: Tensor) -> Tensor:
    """Return the part of an output that its operator filled; waits for the current stream.

    An operator such as MaskedSelect gets room for the largest result, and sets the shape of the
    aclTensor to what it filled. A call that allocates its outputs returns them in that shape; this
    function is for outputs passed by the caller, and for those of plans and graphs, which keep
    their shape in Python.

    Parameters
    ----------
    tensor : Tensor
        The output, as it was passed to an operator or returned by it.
    """
    current_stream().sync()
    return read_filled_part(tensor)


def read_filled_part(tensor: Tensor) -> Tensor:
    """Return the part of an output that its operator filled, whose run has ended."""
    extents, count = ffi.new("int64_t **"), ffi.new("uint64_t *")
    # C++ allocated the list and no function frees it: its few bytes are leaked.
    check(lib.aclGetViewShape(tensor.handle, extents, count), "aclGetViewShape", [tensor.handle])
    shape = tuple(int(extents[0][i]) for i in range(count[0]))
    if shape == tensor.shape:
        return tensor
    if len(shape) == tensor.ndim == 1:
        return tensor[: shape[0]]
    return tensor.reshape((tensor.size,))[: math.prod(shape)].reshape(shape)


def use_own_descriptor(tensor: Tensor) -> None:
    """Create an aclTensor of the whole shape that this tensor alone uses.

    The cached one of a block is shared by tensors of the same shape.
    """
    tensor._owner = TensorHandle(tensor, keep=False)
    tensor._handle = tensor._owner.handle
