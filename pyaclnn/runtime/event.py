"""Events: marks in a stream that other streams wait for, with a time stamp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyaclnn.abi import ClosedError, check, ffi, lib
from pyaclnn.runtime.current import current_device, current_stream
from pyaclnn.runtime.native_handle import NativeHandle, not_copied
from pyaclnn.runtime.waiting import wait_for_event

if TYPE_CHECKING:
    from pyaclnn.runtime.device import Device
    from pyaclnn.runtime.stream import Stream

_SYNC = 1
_TIME_LINE = 8
_COMPLETE = 1


class Event:
    """A mark in a stream; an event that was never recorded counts as reached.

    Parameters
    ----------
    device : Device, optional
        Where it is used; the current device if not given.
    timing : bool
        Whether it records the time, as `elapsed_ms` needs.

    Attributes
    ----------
    device : Device
        Where it is used.
    stream : Stream or None
        Where it was recorded last, if that stream was captured.

    Raises
    ------
    AclError
        If it cannot be created.
    """

    __slots__ = ("__weakref__", "_handle", "_native", "device", "stream")

    def __init__(self, device: Device | None = None, *, timing: bool = True) -> None:
        self._handle: Any = None
        self.stream: Stream | None = None
        self.device = current_device() if device is None else device
        self.device.activate()
        self.device.destroy_dropped()
        native = self._native = _EventHandle(self, self.device)
        flags = _SYNC | _TIME_LINE if timing else _SYNC
        check(lib.aclrtCreateEventExWithFlag(native.cell, flags), "aclrtCreateEventExWithFlag")
        self._handle = native.cell[0]

    @property
    def handle(self) -> Any:
        """The ``aclrtEvent``, as a cffi pointer.

        Raises
        ------
        ClosedError
            If the event is closed.
        """
        handle = self._handle
        if handle is None:
            raise ClosedError("the event is closed; create another with pyaclnn.Event()")
        return handle

    def __repr__(self) -> str:
        return f"Event({self.device!r}{', closed' if self._handle is None else ''})"

    @property
    def closed(self) -> bool:
        """Whether the event was closed."""
        return self._handle is None

    @property
    def is_done(self) -> bool:
        """Whether the latest record was reached; does not wait."""
        handle = self.handle
        self.device.activate()
        return event_is_done(handle)

    def record(self, stream: Stream | None = None) -> Event:
        """Record the event at the present end of a stream.

        Parameters
        ----------
        stream : Stream, optional
            The current stream if not given.

        Returns
        -------
        Event
            Itself.
        """
        stream = current_stream() if stream is None else stream.activated()
        if stream.device is not self.device:
            raise ValueError(f"the event belongs to {self.device}, the stream to {stream.device}")
        handle = self.handle
        self.device.activate()
        check(lib.aclrtRecordEvent(handle, stream.handle), "aclrtRecordEvent")
        self.stream = stream if stream.graph is not None else None
        return self

    def wait(self, stream: Stream | None = None) -> None:
        """Make a stream wait for this event; the call is asynchronous.

        Parameters
        ----------
        stream : Stream, optional
            The current stream if not given.
        """
        (current_stream() if stream is None else stream).wait(self)

    def sync(self, timeout: float | None = None) -> None:
        """Wait until the latest record is reached.

        Parameters
        ----------
        timeout : float, optional
            Seconds to wait at most; without it, as long as it takes.

        Raises
        ------
        AclTimeoutError
            If the time is over.
        AclError
            If work before the record failed.
        """
        handle = self.handle
        self.device.activate()
        check(wait_for_event(handle, timeout), "aclrtSynchronizeEventWithTimeout")

    def elapsed_ms(self, later: Event) -> float:
        """Return the time from this event to a later one.

        Parameters
        ----------
        later : Event
            Recorded after this one; the result is negative if it was recorded before.

        Returns
        -------
        float
            Milliseconds.

        Raises
        ------
        AclError
            If one of them was not recorded, is not reached yet, or was made without timing.
        """
        elapsed = ffi.new("float *")
        self.device.activate()
        check(
            lib.aclrtEventElapsedTime(elapsed, self.handle, later.handle), "aclrtEventElapsedTime"
        )
        return float(elapsed[0])

    def close(self) -> None:
        """Destroy the event; streams that wait for it go on, and calling it again does nothing."""
        if self._handle is not None:
            self.device.activate()
            self._handle = None
            self._native.close()

    def abandon(self) -> None:
        """Mark as closed without a call of CANN; the device frees the resources."""
        self._handle = None

    def __enter__(self) -> Event:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: object) -> Any:
        raise not_copied(self, "it is one event of the device; make another: pyaclnn.Event()")


class _EventHandle(NativeHandle):
    """The handle of an event, which may outlive the `Event`."""

    __slots__ = ()
    function = "aclrtDestroyEvent"


def add_event_handle(events: list[Any]) -> None:
    """Create an ``aclrtEvent`` on the bound device, at the end of a list.

    Resources are taken when it is recorded.
    """
    place = ffi.new("void **")
    try:
        check(lib.aclrtCreateEventExWithFlag(place, _SYNC), "aclrtCreateEventExWithFlag")
    except BaseException:
        # Interrupted by a signal: nobody else has the handle.
        if place[0]:
            lib.aclrtDestroyEvent(place[0])
        raise
    events += [place[0]]


def event_is_done(handle: Any) -> bool:
    """Return whether the latest record of an ``aclrtEvent`` was reached."""
    query = lib.aclrtQueryEventStatus  # declares the status type as well
    status = ffi.new("aclrtEventRecordedStatus *")
    check(query(handle, status), "aclrtQueryEventStatus")
    return bool(status[0] == _COMPLETE)
