"""The description of a tensor for C: the arguments of aclCreateTensor."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyaclnn.runtime import ensure_initialised
from pyaclnn.tensor.dtypes import acl_dtype, element_count
from pyaclnn.tensor.protocol import TensorLike

if TYPE_CHECKING:
    from pyaclnn.tensor.layout import ContiguousLayout

    Description = tuple[Sequence[int], int, Sequence[int], int, Sequence[int]]

FORMAT_ND = 2
#: NCL, NCHW and NCDHW by rank, as PyTorch's binding of CANN has it: pooling operators refuse ND.
_FORMATS = {3: 47, 4: 0, 5: 30}

#: Tensors whose description for C differs from what Python sees: shape, dtype, strides, format and
#: storage shape. Lists and plans, which create descriptors of their own, look it up here. The key
#: is the identity, because comparing tensors gives a tensor of bools.
_overrides: dict[int, Description] = {}
#: The same dict, for the test whether it is empty.
DESCRIBED = _overrides


def override_description(tensor: TensorLike, description: Description) -> None:
    """Describe a tensor to C by this (shape, aclDataType, strides, aclFormat, storage shape)."""
    if id(tensor) not in _overrides:
        weakref.finalize(tensor, _overrides.pop, id(tensor), None).atexit = False
    _overrides[id(tensor)] = description


def overridden_description(tensor: TensorLike) -> Description | None:
    """Return the description that overrides a tensor's own, or None."""
    return _overrides.get(id(tensor)) if _overrides else None


def acl_tensor_arguments(tensor: TensorLike, acl_format: int | None = None) -> tuple[Any, ...]:
    """Return what aclCreateTensor needs to describe a tensor.

    Parameters
    ----------
    tensor : Tensor
        Open.
    acl_format : int, optional
        An aclFormat, unless the tensor was given one; that of its rank if neither was.
    """
    buffer = tensor.buffer
    ensure_initialised()
    override = overridden_description(tensor)
    if override is not None:
        dims, dtype, strides, acl_format, storage = override
        return (
            dims, len(dims), dtype, strides, tensor.offset, acl_format, storage, len(storage),
            buffer.pointer,
        )  # fmt: skip
    return (
        tensor.shape,
        tensor.ndim,
        acl_dtype(tensor.dtype),
        tensor.strides,
        tensor.offset,
        _FORMATS.get(tensor.ndim, FORMAT_ND) if acl_format is None else acl_format,
        (element_count(buffer.nbytes, tensor.dtype),),
        1,
        buffer.pointer,
    )


def acl_layout_arguments(layout: ContiguousLayout, pointer: Any) -> tuple[Any, ...]:
    """Return what aclCreateTensor needs to describe a tensor that is the whole of its memory."""
    ensure_initialised()
    shape, rank = layout.shape, len(layout.shape)
    return (
        shape, rank, acl_dtype(layout.dtype), layout.strides, 0, _FORMATS.get(rank, FORMAT_ND),
        (element_count(layout.nbytes, layout.dtype),), 1, pointer,
    )  # fmt: skip


_NAMES = {
    0: "NCHW", 1: "NHWC", 2: "ND", 3: "NC1HWC0", 4: "FRACTAL_Z", 16: "HWCN", 27: "NDHWC",
    29: "FRACTAL_NZ", 30: "NCDHW", 32: "NDC1HWC0", 33: "FRACTAL_Z_3D", 47: "NCL",
}  # fmt: skip
_FRACTAL_NZ = 29


def format_of(tensor: TensorLike) -> str:
    """Return the name of the memory format that aclnn is told."""
    override = overridden_description(tensor)
    code = _FORMATS.get(tensor.ndim, FORMAT_ND) if override is None else override[3]
    return _NAMES.get(code, str(code))


def stored_blocks(tensor: TensorLike) -> Sequence[int] | None:
    """Return the storage shape of a tensor in FRACTAL_NZ that has the shape of its values.

    None for other tensors, also for those that Python sees with the shape of their storage.
    """
    override = overridden_description(tensor)
    if override is None or override[3] != _FRACTAL_NZ:
        return None
    dims, _, _, _, storage = override
    return storage if tuple(dims) == tensor.shape and len(storage) == len(dims) + 2 else None
