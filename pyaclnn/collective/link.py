"""The handle of a communicator, and the submission of calls to its stream."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import AclError, ClosedError, check, ffi, lib
from pyaclnn.abi.status import error_of
from pyaclnn.runtime import Stream, current_stream
from pyaclnn.runtime.native_handle import NativeHandle

if TYPE_CHECKING:
    from pyaclnn.runtime import Device
    from pyaclnn.tensor import Tensor


class CommunicatorHandle(NativeHandle):
    """The handle of a communicator, which is destroyed when its owner is gone."""

    __slots__ = ("_all",)
    function = "HcclCommDestroy"

    def write_into(self, made: Any, place: int) -> None:
        """Take an element of an array for the cell: C writes those of several owners in one call.

        Parameters
        ----------
        made : cffi array
            Of handles; nothing was written into it yet.
        place : int
            Which element.
        """
        self._all = made
        self.cell = ffi.addressof(made, place)


class Link:
    """One rank's side of a communicator.

    Attributes
    ----------
    device : Device
        This rank's.
    rank, size : int
        This rank's number, and how many there are.
    """

    __slots__ = ("__weakref__", "_handle", "_name", "_native", "device", "rank", "size")

    device: Device
    rank: int
    size: int
    _handle: Any
    _name: str | None
    _native: CommunicatorHandle

    def abandon(self) -> None:
        """Mark as closed without a call; the device frees the resources."""
        self._handle = None

    @property
    def handle(self) -> Any:
        """The ``HcclComm``, as a cffi pointer.

        Raises
        ------
        ClosedError
            If the communicator is closed.
        """
        handle = self._handle
        if handle is None:
            raise ClosedError("the communicator is closed")
        return handle

    def queue(self, stream: Stream | None) -> Stream:
        """Return the stream that work goes to, its device bound to the thread.

        Raises
        ------
        ValueError
            If it is a stream of another device.
        """
        if stream is None:
            stream = current_stream()
            if stream.device is not self.device:
                stream = self.device.default_stream
        if stream.device is not self.device:
            raise ValueError(f"the stream is on {stream.device!r}, this rank on {self.device!r}")
        return stream.activated()

    def checked_rank(self, rank: int, name: str) -> int:
        """Return a rank of this communicator.

        Raises
        ------
        ValueError
            If there is none of that number.
        """
        number = operator.index(rank)
        if not 0 <= number < self.size:
            raise ValueError(f"{name} is {number}; the ranks are 0 to {self.size - 1}")
        return number

    def submit(
        self, function: str, arguments: tuple[Any, ...], stream: Stream, *tensors: Tensor
    ) -> None:
        """Submit a call whose last arguments are the communicator and the stream."""
        handle = self.handle
        for tensor in tensors:
            tensor.buffer.record_use(stream)
        call = getattr(lib, function)
        check(call(*arguments, handle, stream.handle), function, arguments)

    def sync(self, timeout: float | None = None, *, stream: Stream | None = None) -> None:
        """Wait until the stream has run everything, and raise if communication failed.

        Parameters
        ----------
        timeout : float, optional
            Seconds to wait at most; without it, as long as it takes.
        stream : Stream, optional
            The current one if not given.

        Raises
        ------
        AclTimeoutError
            If the time is over, or ranks waited for each other longer than HCCL allows.
        AclError
            If communication failed, or other work of the stream.
        """
        queue = self.queue(stream)
        try:
            queue.sync(timeout)
        except AclError as error:
            status = self.async_error()
            if status == 0:
                raise
            raise error_of(status, "HcclGetCommAsyncError", error.message) from error
        self.check()

    def check(self) -> None:
        """Raise if communication failed so far; does not wait.

        Raises
        ------
        AclError
            With HCCL's code.
        """
        check(self.async_error(), "HcclGetCommAsyncError")

    def async_error(self) -> int:
        """Return HCCL's error code, 0 if there is none."""
        get = lib.HcclGetCommAsyncError
        result = ffi.new("HcclResult *")
        check(get(self.handle, result), "HcclGetCommAsyncError")
        return int(result[0])
