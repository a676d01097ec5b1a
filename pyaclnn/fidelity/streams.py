"""The behaviour of streams and events, as statuses that do not depend on timing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pyaclnn as pa
from pyaclnn.abi import ffi, lib

_SOON_MS = 50
_PATIENT_MS = 10_000


@contextmanager
def _held() -> Iterator[tuple[Any, Callable[[], None]]]:
    """Yield a stream that waits for an event of the host, and the function that releases it."""
    device = pa.current_device()
    stream, opener = device.create_stream(), device.create_stream()
    cell = ffi.new("aclrtEvent *")
    lib.aclrtCreateEventWithFlag(cell, lib.ACL_EVENT_SYNC)
    lib.aclrtStreamWaitEvent(stream.handle, cell[0])

    def open_() -> None:
        lib.aclrtRecordEvent(cell[0], opener.handle)
        opener.sync()

    try:
        yield stream, open_
    finally:
        open_()
        stream.sync()
        lib.aclrtDestroyEvent(cell[0])
        stream.close()
        opener.close()


def _query(stream: Any) -> int:
    status = ffi.new("aclrtStreamStatus *")
    return int(lib.aclrtStreamQuery(stream.handle, status)) or int(status[0])


def _event_query(event: Any) -> int:
    status = ffi.new("aclrtEventRecordedStatus *")
    return int(lib.aclrtQueryEventStatus(event, status)) or int(status[0])


def _stream_state() -> list[int]:
    with _held() as (stream, open_):
        held = _query(stream)
        open_()
        waited = int(lib.aclrtSynchronizeStreamWithTimeout(stream.handle, _PATIENT_MS))
        return [held, waited, _query(stream)]


def _timeout() -> list[int]:
    with _held() as (stream, open_):
        early = int(lib.aclrtSynchronizeStreamWithTimeout(stream.handle, _SOON_MS))
        open_()
        return [early, int(lib.aclrtSynchronizeStreamWithTimeout(stream.handle, _PATIENT_MS))]


def _order() -> list[int]:
    x = pa.zeros(1, "int32")
    pa.current_stream().sync()
    with _held() as (stream, open_):
        with stream:
            x.fill_(7)
        early = int(lib.aclrtSynchronizeStreamWithTimeout(stream.handle, _SOON_MS))
        open_()
        return [early, int(x.item())]


def _event_state() -> list[int]:
    cell = ffi.new("aclrtEvent *")
    found = [int(lib.aclrtCreateEventWithFlag(cell, lib.ACL_EVENT_SYNC))]
    found.append(_event_query(cell[0]))
    with _held() as (stream, open_):
        found.append(int(lib.aclrtRecordEvent(cell[0], stream.handle)))
        found.append(_event_query(cell[0]))
        open_()
        found.append(int(lib.aclrtSynchronizeEvent(cell[0])))
        found.append(_event_query(cell[0]))
    return [*found, int(lib.aclrtDestroyEvent(cell[0]))]


def _elapsed_of_nothing() -> list[int]:
    cells = [ffi.new("aclrtEvent *") for _ in range(2)]
    for cell in cells:
        lib.aclrtCreateEventWithFlag(cell, lib.ACL_EVENT_TIME_LINE)
    status = int(lib.aclrtEventElapsedTime(ffi.new("float *"), cells[0][0], cells[1][0]))
    return [status, *(int(lib.aclrtDestroyEvent(cell[0])) for cell in cells)]


#: Name -> what returns the statuses that were seen.
PROBES: dict[str, Callable[[], list[int]]] = {
    "a stream is busy, then idle": _stream_state,
    "a wait for a stream ends with its time": _timeout,
    "work waits for the event before it": _order,
    "an event before and after it is recorded": _event_state,
    "the time between events never recorded": _elapsed_of_nothing,
}
