"""Import of other libraries' arrays as tensors without a copy, by the DLPack protocol."""

from __future__ import annotations

from typing import Any

from pyaclnn.abi.dlpack import HOST, NPU, VERSION, Received
from pyaclnn.runtime import Device, Stream, current_stream
from pyaclnn.runtime.foreign import order, share
from pyaclnn.tensor import views
from pyaclnn.tensor.dlpack import is_torch, shares_memory, stream_number
from pyaclnn.tensor.dtypes import as_dtype, is_packed
from pyaclnn.tensor.tensor import Tensor

# Bits of an address.
_LARGEST = 2**63 - 1


def from_dlpack(
    x: Any, /, *, device: Device | None = None, copy: bool | None = None, stream: Any = None
) -> Tensor:
    """Return a tensor over the memory of another library's array, which it keeps alive.

    Parameters
    ----------
    x : object with ``__dlpack__``, or a DLPack capsule
        An array of an NPU, such as a torch_npu tensor. A capsule can be used once; its producer has
        synchronised its stream.
    device : Device, optional
        Where it is expected.
    copy : bool, optional
        True for a tensor with memory of its own.
    stream : Stream, optional
        The stream the tensor belongs to; the current one if not given. It waits for the work that
        the array's library has submitted on it.

    Returns
    -------
    Tensor
        The memory is released to its library when the tensor and its views are gone and all work on
        them has run.

    Raises
    ------
    BufferError
        If the memory cannot be shared: it is host memory, read-only, of a dtype that aclnn lacks,
        or has negative strides.
    TypeError
        If ``x`` does not support DLPack.
    """
    stream = current_stream() if stream is None else stream.activated()
    received = Received(_request(x, stream))
    tensor = _over(received, device, stream, copy)
    if not copy:
        return tensor
    with stream:
        return tensor.copy()


def _request(x: Any, stream: Stream) -> Any:
    """Ask an object for a capsule, in memory that a stream may use."""
    if type(x).__name__ == "PyCapsule":
        return x
    if not hasattr(x, "__dlpack__"):
        raise TypeError(
            f"{type(x).__name__} has no __dlpack__; pyaclnn.asarray copies values of the host"
        )
    if not shares_memory(x):
        raise BufferError(
            f"the memory of this {type(x).__name__} is not that of an NPU; pyaclnn.asarray copies "
            "values of the host"
        )
    keywords: dict[str, Any] = {"max_version": VERSION}
    if is_torch(x):
        # torch ignores the stream unless it is CUDA's.
        device = Device(x.device.index or 0)
        order(Stream.from_torch(device), _on_device(stream, device))
    else:
        keywords["stream"] = stream_number(stream)
    try:
        return x.__dlpack__(**keywords)
    except TypeError:
        keywords.pop("max_version")
        return x.__dlpack__(**keywords)


def _over(received: Received, device: Device | None, stream: Stream, copy: bool | None) -> Tensor:
    described = received.description
    kind, index = described.device
    if kind != NPU:
        where = "the host" if kind == HOST else f"DLPack device {described.device}"
        raise BufferError(f"the memory is that of {where}; pyaclnn.asarray copies values of arrays")
    there = Device(index)
    if device is not None and device is not there:
        raise BufferError(f"the memory is on {there!r}, not on {device!r}")
    if described.read_only and not copy:
        raise BufferError("the memory is read-only, and tensors are not; use copy=True")
    try:
        dtype = as_dtype(described.dtype)
    except TypeError as error:
        raise BufferError(str(error)) from None
    if is_packed(dtype):
        raise BufferError(f"{dtype.name} is not taken: two elements may share a byte or not")
    # The stride of an axis of one element is arbitrary.
    pairs = zip(described.shape, described.strides, strict=True)
    strides = tuple(stride if extent > 1 else 0 for extent, stride in pairs)
    if 0 in described.shape:
        strides = views.contiguous_strides(described.shape)
    if min(strides, default=0) < 0:
        raise BufferError(f"aclnn takes no reversed views, as strides {strides} are one")
    count = views.span(described.shape, strides)
    if count and (described.address == 0 or described.address % dtype.itemsize):
        raise BufferError(f"there are no {dtype.name} elements at address {described.address:#x}")
    if count * dtype.itemsize > _LARGEST:
        raise BufferError(
            f"{dtype.name} of shape {described.shape} with strides {strides} reaches over "
            f"{count * dtype.itemsize} bytes: no device has as many"
        )
    buffer = share(
        described.address if count else 0,
        count * dtype.itemsize,
        received,
        _on_device(stream, there),
    )
    return Tensor(buffer, described.shape, dtype, strides)


def _on_device(stream: Stream, device: Device) -> Stream:
    return stream if stream.device is device else device.default_stream
