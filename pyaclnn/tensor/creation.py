"""Functions that create tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from pyaclnn.runtime import Device, Stream, current_stream
from pyaclnn.runtime.copies import fill_with_byte, upload
from pyaclnn.tensor import calculable, selection
from pyaclnn.tensor.dlpack import shares_memory
from pyaclnn.tensor.dtypes import as_dtype, is_packed
from pyaclnn.tensor.from_dlpack import from_dlpack
from pyaclnn.tensor.handles import handle_of
from pyaclnn.tensor.layout import ContiguousLayout, known_layouts, layout_of
from pyaclnn.tensor.packing import pack
from pyaclnn.tensor.scalar_bits import scalar_bits
from pyaclnn.tensor.tensor import Tensor
from pyaclnn.tensor.views import as_shape

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike

    ShapeLike = SupportsIndex | Sequence[SupportsIndex]


_FLOAT32 = np.dtype(np.float32)
#: Python's numbers have no width: floats become float32, the default of the device.
_OF_PYTHON = {
    np.dtype(np.float64): np.dtype(np.float32),
    np.dtype(np.complex128): np.dtype(np.complex64),
}
#: The number of bytes that `full` holds on the host at a time.
_PART_BYTES = 1 << 24


def asarray(
    a: ArrayLike | Tensor,
    dtype: DTypeLike | None = None,
    *,
    device: Device | None = None,
    stream: Stream | None = None,
) -> Tensor:
    """Copy values to the device.

    Parameters
    ----------
    a : array-like or Tensor
        A tensor of this dtype and device is returned as it is; an array of another library on an
        NPU, such as a torch_npu tensor, is shared without a copy, as by `from_dlpack`. Python
        floats become float32, complex numbers complex64 and ints int64, unless a dtype is given.
    dtype : dtype-like, optional
        Type of the elements; converted on the host.
    device : Device, optional
        Where to; the current device if not given.
    stream : Stream, optional
        The stream the tensor belongs to; the current one if not given.

    Returns
    -------
    Tensor
        Contiguous, unless memory is shared. The copy is complete: the source may be changed.

    Raises
    ------
    TypeError
        If aclnn has no such dtype (objects, text, dates, extended precision).
    OutOfMemoryError
        If the device cannot give that much.
    """
    if not isinstance(a, Tensor) and shares_memory(a):
        a = from_dlpack(a, stream=stream)
    if isinstance(a, Tensor):
        if (dtype is None or a.dtype == as_dtype(dtype)) and device in (None, a.device):
            return a
        a = a.numpy()
    if dtype is not None:
        dtype = as_dtype(dtype)
    array = np.asarray(a, dtype)
    if dtype is None and array.dtype in _OF_PYTHON and not hasattr(a, "dtype"):
        array = np.asarray(a, _OF_PYTHON[array.dtype])
    wanted = as_dtype(array.dtype)
    if array.dtype != wanted or not array.flags.c_contiguous:
        array = np.ascontiguousarray(array, wanted).reshape(array.shape)
    tensor = empty(array.shape, wanted, device=device, stream=stream)
    upload(tensor.buffer, 0, pack(array) if is_packed(wanted) else array)
    return tensor


def empty(
    shape: ShapeLike,
    dtype: DTypeLike | None = np.float32,
    *,
    device: Device | None = None,
    stream: Stream | None = None,
) -> Tensor:
    """Return a tensor with undefined values.

    Parameters
    ----------
    shape : int or sequence of int
        Extents.
    dtype : dtype-like, optional
        Type of the elements.
    device : Device, optional
        Where; the current device if not given.
    stream : Stream, optional
        The stream the tensor belongs to; the current one if not given.

    Returns
    -------
    Tensor
        Contiguous.

    Raises
    ------
    ValueError
        If an extent is negative, or if the stream is not on the device.
    TypeError
        If aclnn has no such dtype.
    OutOfMemoryError
        If the device cannot give that much.
    """
    extents = as_shape(shape)
    element = _FLOAT32 if dtype is None else as_dtype(dtype)
    if stream is None:
        stream = current_stream()
        if device is not None and device is not stream.device:
            stream = device.default_stream
    elif device is not None and device is not stream.device:
        raise ValueError(f"the stream is on {stream.device!r}, not on {device!r}")
    layout = known_layouts.get((extents, element)) or layout_of(extents, element)
    return _new_tensor(layout, stream)


#: Lines of generated functions that set ``{tensor}`` to an uninitialised tensor of the layout
#: ``{layout}`` on the stream ``_queue``, whose bins are ``_bins``. They are inlined because a
#: function call would take 0.05 µs more, and the constructors 0.6. A reused block has the cached
#: aclTensor of the last tensor of its layout.
NEW_OUTPUT = """\
# A tensor over a block from the stream's bin.
try:
    _block = _bins[{layout}.size].pop()
except LookupError:
    _block = _allocate({layout}.size, _queue)
_block.stream_while_open = _queue
{tensor} = _new(Tensor)
{tensor}._memory = _block
{tensor}._layout = {layout}
{tensor}._handle = _block.handle if _block.layout is {layout} else _handle_of(_block, {layout})
"""

#: The globals that `NEW_OUTPUT` uses.
names_of_new_output: dict[str, Any] = {
    "Tensor": Tensor,
    "_new": object.__new__,
    "_allocate": lambda size, stream: stream.device.pool.allocate(size, stream),
    "_handle_of": handle_of,
}


def _new_tensor(layout: ContiguousLayout, stream: Stream) -> Tensor:
    """Do the same; the aclTensor is created on first use."""
    try:
        block = stream.bins[layout.size].pop()
    except LookupError:
        block = stream.device.pool.allocate(layout.size, stream)
    block.stream_while_open = stream
    tensor: Tensor = object.__new__(Tensor)
    tensor._memory = block
    tensor._layout = layout
    tensor._handle = block.handle if block.layout is layout else None
    return tensor


def zeros(
    shape: ShapeLike,
    dtype: DTypeLike | None = np.float32,
    *,
    device: Device | None = None,
    stream: Stream | None = None,
) -> Tensor:
    """Return a tensor of zeros, asynchronously; parameters as for `empty`."""
    tensor = empty(shape, dtype, device=device, stream=stream)
    fill_with_byte(tensor.buffer, 0)
    return tensor


def ones(
    shape: ShapeLike,
    dtype: DTypeLike | None = np.float32,
    *,
    device: Device | None = None,
    stream: Stream | None = None,
) -> Tensor:
    """Return a tensor of ones; parameters as for `empty`."""
    return full(shape, 1, dtype, device=device, stream=stream)


def full(
    shape: ShapeLike,
    value: Any,
    dtype: DTypeLike | None = np.float32,
    *,
    device: Device | None = None,
    stream: Stream | None = None,
) -> Tensor:
    """Return a tensor filled with a number; parameters as for `empty`.

    Parameters
    ----------
    shape, dtype, device, stream
        See `empty`.
    value : number
        Must be in range of the dtype.

    Raises
    ------
    TypeError, OverflowError
        If the number does not convert to the dtype.
    """
    wanted = _FLOAT32 if dtype is None else as_dtype(dtype)
    element = np.frombuffer(scalar_bits(value, wanted), wanted)
    # The device memory first: it raises if the size is too large, and the host holds only a part of
    # it.
    tensor = empty(shape, dtype, device=device, stream=stream)
    if is_packed(element.dtype):
        element = pack(np.repeat(element, 2))
    count = tensor.nbytes // element.itemsize
    step = _PART_BYTES // element.itemsize
    part = np.repeat(element, min(count, step))
    for start in range(0, count, step):
        upload(tensor.buffer, start * element.itemsize, part[: count - start])
    return tensor


def empty_like(t: Tensor, dtype: DTypeLike | None = None) -> Tensor:
    """Return a contiguous tensor of a tensor's shape, device and, unless given, dtype."""
    return empty(t.shape, t.dtype if dtype is None else dtype, device=t.device)


def zeros_like(t: Tensor, dtype: DTypeLike | None = None) -> Tensor:
    """Return zeros of a tensor's shape, device and, unless given, dtype."""
    return zeros(t.shape, t.dtype if dtype is None else dtype, device=t.device)


def ones_like(t: Tensor, dtype: DTypeLike | None = None) -> Tensor:
    """Return ones of a tensor's shape, device and, unless given, dtype."""
    return ones(t.shape, t.dtype if dtype is None else dtype, device=t.device)


def full_like(t: Tensor, value: Any, dtype: DTypeLike | None = None) -> Tensor:
    """Return a number repeated in a tensor's shape, device and, unless given, dtype."""
    return full(t.shape, value, t.dtype if dtype is None else dtype, device=t.device)


def _beside(values: Any, tensor: Tensor) -> Tensor:
    return asarray(values, device=tensor.device)


calculable.provide_empty(empty)
selection.provide_upload(_beside)
