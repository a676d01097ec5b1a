"""Making tensors."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from pyaclnn.runtime import Device, Stream, current_stream
from pyaclnn.runtime.copies import fill_with_byte, upload
from pyaclnn.tensor.dtypes import as_dtype
from pyaclnn.tensor.forms import form_of
from pyaclnn.tensor.keeping import other_buffer
from pyaclnn.tensor.numbers import scalar_bits
from pyaclnn.tensor.recycling import find_count_when_alone, references
from pyaclnn.tensor.tensor import Tensor
from pyaclnn.tensor.views import as_shape

if TYPE_CHECKING:
    ShapeLike = SupportsIndex | Sequence[SupportsIndex]


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
        A tensor of this dtype and device is returned as it is. Python floats become float64 and
        ints int64, as with NumPy, unless a dtype is given.
    dtype : dtype-like, optional
        Type of the elements; converted on the host.
    device : Device, optional
        Where to; the current device if not given.
    stream : Stream, optional
        The stream the tensor belongs to; the current one if not given.

    Returns
    -------
    Tensor
        Contiguous. The values are there, and the source may be changed.

    Raises
    ------
    TypeError
        If aclnn has no such dtype (objects, text, dates, extended precision).
    OutOfMemoryError
        If the device cannot give that much.
    """
    if isinstance(a, Tensor):
        if (dtype is None or a.dtype == as_dtype(dtype)) and device in (None, a.device):
            return a
        a = a.numpy()
    if dtype is not None:
        dtype = as_dtype(dtype)
    array = np.asarray(a, dtype)
    wanted = as_dtype(array.dtype)
    if array.dtype != wanted or not array.flags.c_contiguous:
        array = np.ascontiguousarray(array, wanted).reshape(array.shape)
    tensor = empty(array.shape, wanted, device=device, stream=stream)
    upload(tensor.buffer, 0, array)
    return tensor


def empty(
    shape: ShapeLike,
    dtype: DTypeLike = np.float32,
    *,
    device: Device | None = None,
    stream: Stream | None = None,
) -> Tensor:
    """Return a tensor with undefined values.

    Parameters
    ----------
    shape : int or sequence of int
        Extents.
    dtype : dtype-like
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
    element = as_dtype(dtype)
    if stream is None:
        stream = current_stream()
        if device is not None and device is not stream.device:
            stream = device.default_stream
    elif device is not None and device is not stream.device:
        raise ValueError(f"the stream is on {stream.device!r}, not on {device!r}")
    return new_output(form_of(extents, element, stream), stream)


#: Lines that set ``{tensor}`` to an undefined tensor of a form of a stream, for functions that are
#: generated. Outputs come and go: taking a buffer of which the last tensor is gone, with its
#: aclTensor, makes this 0.15 µs in place of 0.43. Calling it as a function would take 0.05 µs more,
#: and the constructors 0.6.
NEW_OUTPUT = """\
_kept = {form}.kept
_buffer = None
if _kept:
    try:
        _buffer = _kept.popleft()
    except IndexError:  # another thread was faster
        pass
if (
    _buffer is not None
    and _references(_buffer) == _ALONE
    and _buffer.open_on is {stream}
    and _buffer._others is None
):
    _buffer.whole_on = {stream}
    _kept.append(_buffer)
else:
    _buffer = _other_buffer({form}, {stream}, _buffer)
{tensor} = _new(Tensor)
{tensor}._buffer = _buffer
{tensor}._dtype = {form}.dtype
{tensor}._form = {form}
{tensor}._handle = _buffer.handle
{tensor}._offset = 0
{tensor}._shape = {form}.shape
{tensor}._strides = None
"""


def zeros(
    shape: ShapeLike,
    dtype: DTypeLike = np.float32,
    *,
    device: Device | None = None,
    stream: Stream | None = None,
) -> Tensor:
    """Return a tensor of zeros; parameters as for `empty`. Nothing waits but the stream."""
    tensor = empty(shape, dtype, device=device, stream=stream)
    fill_with_byte(tensor.buffer, 0)
    return tensor


def ones(
    shape: ShapeLike,
    dtype: DTypeLike = np.float32,
    *,
    device: Device | None = None,
    stream: Stream | None = None,
) -> Tensor:
    """Return a tensor of ones; parameters as for `empty`."""
    return full(shape, 1, dtype, device=device, stream=stream)


def full(
    shape: ShapeLike,
    value: Any,
    dtype: DTypeLike = np.float32,
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
    element = np.frombuffer(scalar_bits(value, as_dtype(dtype)), as_dtype(dtype))
    host = np.empty(as_shape(shape), as_dtype(dtype))
    host[...] = element[0]
    return asarray(host, device=device, stream=stream)


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


#: What the lines of `NEW_OUTPUT` refer to. ``_ALONE`` is what `references` says of a buffer that
#: only a variable refers to.
names_of_new_output: dict[str, Any] = {
    "Tensor": Tensor,
    "_new": object.__new__,
    "_other_buffer": other_buffer,
    "_references": references,
    "_ALONE": -1,
}


def _use(count: int) -> None:
    names_of_new_output["_ALONE"] = count


def _make_new_output() -> Callable[[Any, Any], Tensor]:
    lines = NEW_OUTPUT.format(tensor="tensor", form="form", stream="stream") + "return tensor\n"
    source = "def new_output(form, stream):\n" + textwrap.indent(lines, "    ")
    exec(compile(source, "<new output>", "exec"), names_of_new_output)
    function: Callable[[Any, Any], Tensor] = names_of_new_output.pop("new_output")
    return function


#: From a form and its stream, an undefined tensor.
new_output = _make_new_output()

find_count_when_alone(new_output, _use)
