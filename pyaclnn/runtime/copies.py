"""Copies between host and device, in order with the streams that use the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyaclnn.abi import check, ffi, lib
from pyaclnn.runtime.event import Event

if TYPE_CHECKING:
    from pyaclnn.runtime.buffer import Buffer
    from pyaclnn.runtime.stream import Stream

_HOST_TO_DEVICE = 1
_DEVICE_TO_HOST = 2
_DEVICE_TO_DEVICE = 3


def upload(buffer: Buffer, offset: int, array: np.ndarray[Any, Any]) -> None:
    """Copy a host array into a buffer and wait for it.

    Parameters
    ----------
    buffer : Buffer
        Destination. Pending work on it is waited for, since it may still read the old values.
    offset : int
        Where to begin, in bytes.
    array : numpy.ndarray
        C-contiguous; it may be changed as soon as this returns.

    Raises
    ------
    AclError
        If CANN refuses, or if work that was waited for had failed.
    """
    if array.nbytes == 0:
        return
    target = _device_address(buffer, offset, array.nbytes)
    buffer.sync()
    buffer.device.activate()
    status = lib.aclrtMemcpy(
        target, array.nbytes, _host_address(array), array.nbytes, _HOST_TO_DEVICE
    )
    check(status, "aclrtMemcpy")


def download(buffer: Buffer, offset: int, array: np.ndarray[Any, Any]) -> None:
    """Wait for the work on a buffer and copy it into a host array.

    Parameters
    ----------
    buffer : Buffer
        Source.
    offset : int
        Where to begin, in bytes.
    array : numpy.ndarray
        C-contiguous and writable; it is filled entirely.

    Raises
    ------
    AclError
        If CANN refuses, or if work that was waited for had failed.
    """
    buffer.check_open()
    buffer.sync()
    if array.nbytes == 0:
        return
    source = _device_address(buffer, offset, array.nbytes)
    buffer.device.activate()
    status = lib.aclrtMemcpy(
        _host_address(array), array.nbytes, source, array.nbytes, _DEVICE_TO_HOST
    )
    check(status, "aclrtMemcpy")


def upload_async(buffer: Buffer, offset: int, array: np.ndarray[Any, Any], stream: Stream) -> None:
    """Copy a pinned host array into a buffer, asynchronously on a stream.

    Parameters
    ----------
    buffer : Buffer
        Destination, on the stream's device.
    offset : int
        Where to begin, in bytes.
    array : numpy.ndarray
        C-contiguous, in pinned memory, to stay unchanged until the copy has run.
    stream : Stream
        It runs the copy after the work that other streams have on the buffer.

    Raises
    ------
    AclError
        If CANN refuses.
    """
    target = _device_address(buffer, offset, array.nbytes)
    _submit(stream, target, _host_address(array), array.nbytes, _HOST_TO_DEVICE, buffer)


def download_async(
    buffer: Buffer, offset: int, array: np.ndarray[Any, Any], stream: Stream
) -> None:
    """Copy a buffer into a pinned host array, asynchronously on a stream.

    Parameters
    ----------
    buffer : Buffer
        Source, on the stream's device.
    offset : int
        Where to begin, in bytes.
    array : numpy.ndarray
        C-contiguous, in pinned memory; it is filled entirely once the copy has run.
    stream : Stream
        It runs the copy after the work that other streams have on the buffer.

    Raises
    ------
    AclError
        If CANN refuses.
    """
    source = _device_address(buffer, offset, array.nbytes)
    _submit(stream, _host_address(array), source, array.nbytes, _DEVICE_TO_HOST, buffer)


def copy_on_device(
    target: Buffer,
    target_offset: int,
    source: Buffer,
    source_offset: int,
    nbytes: int,
    stream: Stream,
) -> None:
    """Copy between two buffers of one device, asynchronously on a stream.

    Parameters
    ----------
    target, source : Buffer
        Different buffers on the stream's device.
    target_offset, source_offset : int
        Where to begin, in bytes.
    nbytes : int
        How much.
    stream : Stream
        It runs the copy after what other streams have submitted on the two buffers so far.

    Raises
    ------
    AclError
        If CANN refuses.
    """
    if nbytes == 0:
        return
    to = _device_address(target, target_offset, nbytes)
    from_ = _device_address(source, source_offset, nbytes)
    _submit(stream, to, from_, nbytes, _DEVICE_TO_DEVICE, target, source)


def _submit(stream: Stream, to: Any, from_: Any, nbytes: int, kind: int, *buffers: Buffer) -> None:
    """Submit a copy that comes after all work on the buffers so far, and announce it there."""
    for buffer in buffers:
        buffer.record_use(stream)
    for other in {user for buffer in buffers for user in buffer.streams} - {stream}:
        if not other.closed:
            stream.wait(other.record(Event(other.device, timing=False)))
    stream.device.activate()
    status = lib.aclrtMemcpyAsync(to, nbytes, from_, nbytes, kind, stream.handle)
    check(status, "aclrtMemcpyAsync")


def fill_with_byte(buffer: Buffer, value: int) -> None:
    """Fill a whole buffer with one byte value, asynchronously on the buffer's stream."""
    if buffer.nbytes == 0:
        return
    stream = buffer.stream
    stream.device.activate()
    status = lib.aclrtMemsetAsync(
        buffer.pointer, buffer.nbytes, value, buffer.nbytes, stream.handle
    )
    check(status, "aclrtMemsetAsync")


def _device_address(buffer: Buffer, offset: int, nbytes: int) -> Any:
    buffer.check_open()
    if offset < 0 or offset + nbytes > buffer.nbytes:
        raise ValueError(
            f"bytes {offset} to {offset + nbytes} are outside a buffer of {buffer.nbytes} bytes"
        )
    return ffi.cast("char *", buffer.pointer) + offset


def _host_address(array: np.ndarray[Any, Any]) -> Any:
    # ffi.from_buffer would do, but NumPy exports no buffer for bfloat16.
    return ffi.cast("void *", array.__array_interface__["data"][0])
