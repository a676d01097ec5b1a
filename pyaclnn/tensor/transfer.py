"""Copies between tensors and the host, for any view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyaclnn.abi import ClosedError
from pyaclnn.runtime import Buffer, Stream, current_stream
from pyaclnn.runtime.copies import copy_on_device, download, upload
from pyaclnn.tensor import views
from pyaclnn.tensor.descriptions import stored_blocks
from pyaclnn.tensor.dtypes import byte_count, is_packed
from pyaclnn.tensor.packing import pack, unpack
from pyaclnn.tensor.pinned import submit_from_host, submit_to_host
from pyaclnn.tensor.protocol import TensorLike

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike


Array = np.ndarray[Any, Any]


def to_host(tensor: TensorLike, out: Array | None, stream: Stream | None = None) -> Array:
    """Copy a tensor's values into ``out`` or a new array; see `Tensor.numpy`."""
    buffer = _open_buffer(tensor)
    if out is not None:
        _check_out(tensor, out)
    if (blocks := stored_blocks(tensor)) is not None:
        values = _from_blocks(tensor, buffer, blocks, stream)
        if out is None:
            return values
        np.copyto(out, values)
        return out
    if stream is not None:
        return submit_to_host(tensor, buffer, out, stream)
    bytewise = tensor.is_contiguous and not is_packed(tensor.dtype)
    if bytewise:
        direct = out is not None and out.flags.c_contiguous
        array = out if out is not None and direct else np.empty(tensor.shape, tensor.dtype)
        download(buffer, first_byte(tensor), array)
    else:
        array = _download_span(tensor, buffer)[1]
    if out is None:
        return array if bytewise else array.copy(order="C")
    if array is not out:
        np.copyto(out, array)
    return out


def from_host(tensor: TensorLike, source: ArrayLike, stream: Stream | None = None) -> None:
    """Copy host values into a tensor; see `Tensor.copy_from`."""
    buffer = _open_buffer(tensor)
    array = np.asarray(source)
    is_array = isinstance(source, (np.ndarray, np.generic))
    signs_only = not is_array and array.dtype.kind == "i" and tensor.dtype.kind == "u"
    if not signs_only and not np.can_cast(array.dtype, tensor.dtype, "same_kind"):
        raise TypeError(
            f"values of {array.dtype.name} do not convert to {tensor.dtype.name} without changing "
            f"their kind; convert first: array.astype({tensor.dtype.name!r})"
        )
    if not is_array:
        # From Python numbers directly, so that those out of range are refused.
        array = np.asarray(source, dtype=tensor.dtype)
    values = np.broadcast_to(array, tensor.shape)
    if (blocks := stored_blocks(tensor)) is not None:
        _to_blocks(tensor, buffer, blocks, values, stream)
        return
    if stream is not None:
        submit_from_host(tensor, buffer, values, stream)
        return
    packed = is_packed(tensor.dtype)
    if tensor.is_contiguous and not packed:
        upload(buffer, first_byte(tensor), np.ascontiguousarray(values, tensor.dtype))
        return
    _refuse_shared_elements(tensor)
    if tensor.size == 0:
        return
    span, view = _download_span(tensor, buffer)
    view[...] = values
    upload(buffer, first_byte(tensor), pack(span) if packed else span)


def from_tensor(tensor: TensorLike, source: TensorLike, stream: Stream | None = None) -> None:
    """Copy one tensor into another; see `Tensor.copy_from`."""
    target_buffer, source_buffer = _open_buffer(tensor), _open_buffer(source)
    if source.dtype != tensor.dtype:
        raise TypeError(
            f"{source.describe()} cannot be copied into {tensor.describe()}: the dtypes must be "
            "equal, or convert on the host: tensor.copy_from(source.numpy())"
        )
    on_device = (
        source.shape == tensor.shape
        and source.is_contiguous
        and tensor.is_contiguous
        and target_buffer is not source_buffer
        and target_buffer.device is source_buffer.device
        # A byte that it shares with an element outside the view is merged on the host.
        and not (is_packed(tensor.dtype) and (tensor.size | tensor.offset | source.offset) % 2)
    )
    if not on_device:
        from_host(tensor, source.numpy(), stream)
        return
    if stream is None:
        stream = current_stream()
        if stream.device is not target_buffer.device:
            stream = target_buffer.device.default_stream
    copy_on_device(
        target_buffer, first_byte(tensor), source_buffer, first_byte(source), tensor.nbytes, stream
    )


def _refuse_in_blocks(tensor: TensorLike, stream: Stream | None) -> None:
    turned = views.contiguous_strides(tensor.shape) != tensor.strides
    if turned or stream is not None or is_packed(tensor.dtype):
        raise TypeError(
            f"{tensor.describe()} is in FRACTAL_NZ; pyaclnn.format_cast(tensor, 'ND') comes first"
        )


def _from_blocks(
    tensor: TensorLike, buffer: Buffer, blocks: Sequence[int], stream: Stream | None
) -> Array:
    """Return the values of a tensor in FRACTAL_NZ: columns of blocks, side by side."""
    _refuse_in_blocks(tensor, stream)
    stored = np.empty(tuple(blocks), tensor.dtype)
    download(buffer, 0, stored)
    *batch, across, down, lines, width = blocks
    rows = np.moveaxis(stored, -4, -2).reshape(*batch, down * lines, across * width)
    return np.array(rows[..., : tensor.shape[-2], : tensor.shape[-1]])


def _to_blocks(
    tensor: TensorLike, buffer: Buffer, blocks: Sequence[int], values: Array, stream: Stream | None
) -> None:
    """Copy values into a tensor in FRACTAL_NZ; what fills the last blocks is zero."""
    _refuse_in_blocks(tensor, stream)
    *batch, across, down, lines, width = blocks
    rows = np.zeros((*batch, down * lines, across * width), tensor.dtype)
    rows[..., : tensor.shape[-2], : tensor.shape[-1]] = values
    pieces = rows.reshape(*batch, down, lines, across, width)
    upload(buffer, 0, np.ascontiguousarray(np.moveaxis(pieces, -2, -4)))


def _download_span(tensor: TensorLike, buffer: Buffer) -> tuple[Array, Array]:
    """Return the memory a view spans as a flat host array, and the view of that array.

    The array holds all elements of the bytes that the view touches.
    """
    count = views.span(tensor.shape, tensor.strides)
    before = 0
    if is_packed(tensor.dtype):
        before = tensor.offset % 2
        packed = np.empty(byte_count(before + count, tensor.dtype), np.uint8)
        download(buffer, first_byte(tensor), packed)
        span = unpack(packed, tensor.dtype)
    else:
        span = np.empty(count, tensor.dtype)
        download(buffer, first_byte(tensor), span)
    strides = tuple(stride * tensor.itemsize for stride in tensor.strides)
    return span, np.ndarray(tensor.shape, tensor.dtype, span, before, strides)


def first_byte(tensor: TensorLike) -> int:
    """Return where a tensor's first element, or the byte it shares with another, is."""
    if is_packed(tensor.dtype):
        return tensor.offset // 2
    return tensor.offset * tensor.itemsize


def _open_buffer(tensor: TensorLike) -> Buffer:
    buffer = tensor.buffer
    if buffer.closed:
        raise ClosedError(f"the buffer of the tensor {tensor.describe()} is closed")
    return buffer


def _check_out(tensor: TensorLike, out: Array) -> None:
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be a numpy.ndarray, not {type(out).__name__}")
    if out.dtype != tensor.dtype:
        raise TypeError(f"out has dtype {out.dtype.name}, the tensor {tensor.dtype.name}")
    if out.shape != tensor.shape:
        raise ValueError(f"out has shape {out.shape}, the tensor {tensor.shape}")
    if not out.flags.writeable:
        raise ValueError("out is read-only")


def _refuse_shared_elements(tensor: TensorLike) -> None:
    # Sorted by stride, each axis of a view whose elements are distinct steps over all inner ones.
    reach = 0
    for stride, extent in sorted(zip(tensor.strides, tensor.shape, strict=True)):
        if extent > 1:
            if stride <= reach:
                raise ValueError(
                    f"elements of {tensor.describe()} share memory: writing them is not defined; "
                    "write the tensor it was broadcast from"
                )
            reach += stride * (extent - 1)
