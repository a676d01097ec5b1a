"""Pinned host memory: what a device copies from and to while the host goes on."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

import numpy as np

from pyaclnn.abi import check, ffi, lib, warn_status
from pyaclnn.runtime.current import current_device
from pyaclnn.runtime.event import Event
from pyaclnn.runtime.process import after_fork, at_teardown
from pyaclnn.runtime.stream import Stream

#: Dropped memory that copies may still use.
_in_use: deque[_Free] = deque()


class PinnedMemory:
    """Host memory that the system does not move.

    It is an array of bytes to NumPy, and is freed once the last array over it and the last copy
    that uses it are gone.

    Parameters
    ----------
    nbytes : int
        Size, more than 0.

    Attributes
    ----------
    nbytes : int
        Size as asked for.
    address : int
        Where it begins.

    Raises
    ------
    OutOfMemoryError
        If the system cannot give that much.
    """

    __slots__ = ("__array_interface__", "_device", "_uses", "address", "nbytes")

    def __init__(self, nbytes: int) -> None:
        # By handle: a stream that was dropped is to go although this memory stays.
        self._uses: dict[int, Event] = {}
        self._device = current_device()
        self._device.activate()
        self._device.bury()
        _free_unused()
        place = ffi.new("void **")
        self.address = 0
        check(lib.aclrtMallocHost(place, nbytes), "aclrtMallocHost")
        self.address = int(ffi.cast("uintptr_t", place[0]))
        self.nbytes = nbytes
        self.__array_interface__ = {
            "version": 3,
            "shape": (nbytes,),
            "typestr": "|u1",
            "data": (self.address, False),
        }

    @staticmethod
    def under(array: np.ndarray[Any, Any]) -> PinnedMemory | None:
        """Return the pinned memory that an array lies in, or None."""
        base: Any = array
        while isinstance(base, np.ndarray):
            base = base.base
        return base if isinstance(base, PinnedMemory) else None

    def record_use(self, stream: Stream) -> None:
        """Announce a copy that was submitted to a stream; the memory outlives it."""
        key = int(ffi.cast("uintptr_t", stream.handle))
        event = self._uses.get(key)
        if event is None or event.closed:
            event = self._uses[key] = Event(stream.device, timing=False)
        event.record(stream)

    @property
    def is_idle(self) -> bool:
        """Whether every copy announced so far has run; does not wait."""
        return _is_idle(self._uses.values())

    def __del__(self) -> None:
        if self.address:
            # Not freed here: a finalizer runs in any thread, and must neither wait nor call CANN.
            self._device.dropped.append(_Free(self.address, list(self._uses.values())))


class _Free:
    """Frees dropped memory when called, once the copies that use it have run."""

    __slots__ = ("address", "uses")

    def __init__(self, address: int, uses: list[Event]) -> None:
        self.address = address
        self.uses = uses

    def __call__(self) -> None:
        if _is_idle(self.uses):
            for event in self.uses:
                event.close()
            warn_status(lib.aclrtFreeHost(ffi.cast("void *", self.address)), "aclrtFreeHost")
        else:
            _in_use.append(self)


def _is_idle(uses: Iterable[Event]) -> bool:
    return all(event.closed or event.is_done for event in uses)


def _free_unused() -> None:
    """Free what was dropped while copies used it; waits for none of them."""
    for _ in range(len(_in_use)):
        try:
            free = _in_use.popleft()
        except IndexError:  # another thread was faster
            return
        free()


def _free_all() -> None:
    while _in_use:
        free = _in_use.popleft()
        for event in free.uses:
            if not event.closed:
                event.device.activate()
                warn_status(lib.aclrtSynchronizeEvent(event.handle), "aclrtSynchronizeEvent")
                event.close()
        free()


at_teardown(_free_all)
after_fork(_in_use.clear)
