"""Waiting for a device, interruptible by Ctrl-C.

Python runs signal handlers between two of its instructions, never inside a C call; so no call waits
longer than a slice. The first slice is a wait of CANN's. After it, the status is polled: each wait
of CANN's that times out would write an error into its log.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from pyaclnn.abi import ffi, lib, recent_message, warn_status
from pyaclnn.runtime.timeouts import milliseconds

#: The longest wait in one call, in seconds: the delay of Ctrl-C.
SLICE = 0.25

_SLICE_MS = milliseconds(SLICE)
_STREAM_TIMEOUT = 507046
_EVENT_TIMEOUT = 507047
_CAPTURED = 107027
_SYNC = 1
_REACHED = 1
_IDLE = 0
# A pause between polls is this part of the time waited so far, which bounds the delay.
_PART = 1 / 50
_LONGEST_PAUSE = 0.02
# Slices within which a stream has to become idle after the work that was waited for.
_PATIENCE = 8

#: Whether the last long wait was interrupted: at exit it is not repeated at length.
broken_off = False


def wait_for_stream(handle: Any, timeout: float | None = None) -> int:
    """Wait until a stream has run what was submitted so far.

    Parameters
    ----------
    handle : cffi pointer
        The ``aclrtStream``; its device is bound to this thread.
    timeout : float, optional
        Seconds to wait at most.

    Returns
    -------
    int
        CANN's status; 507046 where the time is over.
    """
    wait = lib.aclrtSynchronizeStreamWithTimeout
    if timeout is not None and not timeout > SLICE:
        return int(wait(handle, milliseconds(timeout)))
    status = int(wait(handle, _SLICE_MS))
    if status != _STREAM_TIMEOUT:
        return status
    if timeout is None and not _gets_signals():
        return int(lib.aclrtSynchronizeStream(handle))
    deadline = _Deadline(timeout)
    return _noting_interrupts(lambda: _wait_longer_for_stream(handle, deadline))


def wait_for_event(handle: Any, timeout: float | None = None) -> int:
    """Wait until the latest record of an ``aclrtEvent`` is reached; like `wait_for_stream`.

    Returns
    -------
    int
        CANN's status; 507047 where the time is over.
    """
    wait = lib.aclrtSynchronizeEventWithTimeout
    if timeout is not None and not timeout > SLICE:
        return int(wait(handle, milliseconds(timeout)))
    status = int(wait(handle, _SLICE_MS))
    if status != _EVENT_TIMEOUT:
        return status
    if timeout is None and not _gets_signals():
        return int(lib.aclrtSynchronizeEvent(handle))
    deadline = _Deadline(timeout)

    def longer() -> int:
        _poll(handle, deadline)
        return _in_slices(lambda ms: wait(handle, ms), _EVENT_TIMEOUT, deadline)

    return _noting_interrupts(longer)


def wait_for_device(timeout: float | None = None) -> int:
    """Wait until the bound device has run everything; like `wait_for_stream`."""
    wait = lib.aclrtSynchronizeDeviceWithTimeout
    if timeout is not None and not timeout > SLICE:
        return int(wait(milliseconds(timeout)))
    status = int(wait(_SLICE_MS))
    if status != _STREAM_TIMEOUT:
        return status
    if timeout is None and not _gets_signals():
        return int(lib.aclrtSynchronizeDevice())
    deadline = _Deadline(timeout)
    return _noting_interrupts(lambda: _in_slices(wait, _STREAM_TIMEOUT, deadline))


def has_run(handle: Any, *, wait: bool) -> bool:
    """Return whether a stream has run everything, after waiting for that if asked to.

    A stream that cannot be queried has failed and runs nothing, unless it is captured. It is
    queried twice: a query can fail for other reasons, and memory of running work must not be
    reused.
    """
    for _ in range(2):
        if wait:
            status, over = wait_for_stream(handle), True
        else:
            query = lib.aclrtStreamQuery  # declares the status type as well
            place = ffi.new("aclrtStreamStatus *")
            status = query(handle, place)
            over = bool(place[0] == _IDLE)
        if not status:
            return over
        # The owner of the work is gone, so nobody is told of the error.
        recent_message()
        if status == _CAPTURED:
            return False
    return True


def device_has_run() -> bool:
    """Return whether the bound device has run everything, after waiting for that; like `has_run`.

    CANN refuses to wait while one of its streams is captured.
    """
    for _ in range(2):
        status = wait_for_device()
        if not status:
            return True
        if status == _CAPTURED:
            recent_message()
            return False
        # Others would have got this error from a wait of their own: they are warned instead.
        warn_status(status, "aclrtSynchronizeDeviceWithTimeout")
    return True


class _Deadline:
    """When a wait whose first slice is over ends."""

    def __init__(self, timeout: float | None) -> None:
        self._end = None if timeout is None else time.monotonic() + timeout - SLICE

    @property
    def remaining(self) -> float:
        """Seconds to go."""
        return SLICE if self._end is None else max(0.0, self._end - time.monotonic())


def _gets_signals() -> bool:
    # Other threads are not interrupted, and may as well wait in one call.
    return threading.get_ident() == threading.main_thread().ident


def _noting_interrupts(wait: Callable[[], int]) -> int:
    global broken_off
    # The end of a slice is no error: its message is cleared, lest the next error shows it.
    recent_message()
    try:
        status = wait()
    except BaseException:
        broken_off = True
        raise
    broken_off = False
    return status


def _wait_longer_for_stream(handle: Any, deadline: _Deadline) -> int:
    def wait(ms: int) -> int:
        return int(lib.aclrtSynchronizeStreamWithTimeout(handle, ms))

    marks = ffi.new("void **")
    try:
        # Behind the work submitted so far: others may submit to the stream without end.
        marked = not lib.aclrtCreateEventExWithFlag(marks, _SYNC)
        if marked and not lib.aclrtRecordEvent(marks[0], handle):
            _poll(marks[0], deadline)
            return _in_slices(wait, _STREAM_TIMEOUT, deadline, _PATIENCE)
        recent_message()
        return _in_slices(wait, _STREAM_TIMEOUT, deadline)
    finally:
        destroy = lib.aclrtDestroyEvent
        mark = marks[0]
        if mark:
            marks[0] = ffi.NULL
            destroy(mark)


def _poll(event: Any, deadline: _Deadline) -> None:
    """Poll an event; signal handlers run in the pauses."""
    query = lib.aclrtQueryEventStatus  # declares the status type as well
    status = ffi.new("aclrtEventRecordedStatus *")
    begin = time.monotonic() - SLICE
    while not query(event, status) and status[0] != _REACHED:
        remaining = deadline.remaining
        if remaining == 0:
            return
        time.sleep(min(_LONGEST_PAUSE, remaining, (time.monotonic() - begin) * _PART))


def _in_slices(
    wait: Callable[[int], int], over: int, deadline: _Deadline, slices: int | None = None
) -> int:
    """Repeat a wait until it is over; 0 after a number of slices, when others keep it busy."""
    while True:
        remaining = deadline.remaining
        status = int(wait(milliseconds(min(remaining, SLICE))))
        if status != over or remaining == 0:
            return status
        recent_message()
        if slices is not None:
            slices -= 1
            if slices == 0:
                return 0
