"""Export of tensors to other libraries without a copy, by the DLPack protocol."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from pyaclnn.abi import ffi
from pyaclnn.abi.dlpack import HOST, NPU, Description, make_capsule
from pyaclnn.runtime import Stream
from pyaclnn.runtime.foreign import hand_over
from pyaclnn.tensor.descriptions import overridden_description
from pyaclnn.tensor.dtypes import is_packed
from pyaclnn.tensor.protocol import TensorLike

#: The default of a consumer's request that names no device.
UNSAID: Any = object()


def to_capsule(
    tensor: TensorLike, stream: int | None, version: Any, device: Any, copy: bool | None
) -> Any:
    """Return a capsule of a tensor; see `Tensor.__dlpack__`."""
    here = (NPU, tensor.device.index)
    asks_for_host = device is None and stream is None and version is not None
    if asks_for_host or (device is not UNSAID and device is not None and device[0] == HOST):
        raise BufferError(
            f"{tensor.describe()} is in device memory, which the host cannot read: use x.numpy() "
            "for a copy"
        )
    if device is not UNSAID and device is not None and tuple(device) != here:
        raise BufferError(f"{tensor.describe()} is on DLPack device {here}, not {tuple(device)}")
    if overridden_description(tensor) is not None:
        raise BufferError(f"{tensor.describe()} has a format of CANN's own, which DLPack lacks")
    if is_packed(tensor.dtype):
        raise BufferError(f"{tensor.describe()} has two elements in a byte, which is not exported")
    if copy:
        tensor = tensor.copy()
    buffer = tensor.buffer
    buffer.check_open()
    if stream is None or stream == 0:
        # The reader is unknown, or its stream is one that cannot be borrowed.
        buffer.sync()
    elif stream != -1:
        hand_over(buffer, tensor.device.stream_of(stream))
    address = buffer.ptr + tensor.offset * tensor.itemsize if tensor.size else 0
    described = Description(
        here, address, tensor.shape, tensor.strides, tensor.dtype.name, read_only=False
    )
    versioned = version is not None and version[0] >= 1
    # A new view: closing the tensor must not take the memory from the consumer.
    view = tensor[...]
    buffer.lend(view)
    return make_capsule(described, view, versioned=versioned, copied=bool(copy))


def shares_memory(a: Any) -> bool:
    """Return whether an object is an array of an NPU, which `from_dlpack` takes without a copy."""
    kind = type(a)
    # NumPy's arrays are the frequent case and are tested for first.
    if kind is np.ndarray or not hasattr(kind, "__dlpack__"):
        return False
    if is_torch(a):
        return bool(a.device.type == "npu")
    try:
        return bool(a.__dlpack_device__()[0] == NPU)
    except Exception:  # an array that DLPack cannot describe is not on an NPU
        return False


def stream_number(stream: Stream) -> int:
    """Return the ``aclrtStream`` as other libraries name it."""
    return int(ffi.cast("uintptr_t", stream.handle))


def is_torch(x: Any) -> bool:
    """Return whether an object is a tensor of PyTorch, without importing that."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)
