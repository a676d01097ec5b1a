"""Pinned host memory, for asynchronous copies to and from a device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pyaclnn.abi import AclError, check, ffi, lib
from pyaclnn.runtime.current import current_device
from pyaclnn.runtime.event import Event
from pyaclnn.runtime.native_handle import NativeHandle, not_copied
from pyaclnn.runtime.waiting import has_run, wait_for_event

if TYPE_CHECKING:
    from pyaclnn.runtime.device import Device
    from pyaclnn.runtime.stream import Stream

# With more streams than this, those that have run their copies are dropped.
_MANY = 4


class PinnedMemory:
    """Page-locked host memory.

    NumPy sees an array of bytes. It is freed when the last array over it is gone and the last copy
    that uses it has run.

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

    __slots__ = ("__array_interface__", "__weakref__", "_native", "_uses", "address", "nbytes")

    def __init__(self, nbytes: int) -> None:
        device = current_device()
        device.activate()
        device.destroy_dropped()
        #: By handle, so that this memory does not keep a stream alive.
        self._uses: dict[int, Use] = {}
        native = self._native = _PinnedHandle(self, device)
        check(lib.aclrtMallocHost(native.cell, nbytes), "aclrtMallocHost")
        self.address = int(ffi.cast("uintptr_t", native.cell[0]))
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

    def begin_use(self, stream: Stream) -> Use:
        """Announce a copy that is about to be submitted to a stream; the memory outlives it.

        Returns
        -------
        Use
            Its `submitted` must be called once the copy was submitted.
        """
        key = int(ffi.cast("uintptr_t", stream.handle))
        uses = self._uses
        if len(uses) > _MANY:
            for other, earlier in list(uses.items()):
                if earlier.is_over():
                    uses.pop(other, None)
        use = uses.get(key)
        if use is None:
            use = Use(Event(stream.device, timing=False))
        use.stream = stream
        uses[key] = use
        return use

    @property
    def is_idle(self) -> bool:
        """Whether every copy announced so far has run; does not wait."""
        return all(use.is_over() for use in list(self._uses.values()))

    def abandon(self) -> None:
        """Do nothing: the device frees the resources."""

    def __reduce_ex__(self, protocol: object) -> Any:
        raise not_copied(self, "copy the array over it: numpy.array(array)")


class Use:
    """Copies between pinned memory and a device that one stream runs.

    Parameters
    ----------
    event : Event
        Recorded behind the latest one.
    """

    __slots__ = ("event", "stream")

    def __init__(self, event: Event) -> None:
        self.event = event
        #: The stream, from before a copy is submitted until the event is recorded behind it.
        self.stream: Stream | None = None

    def submitted(self) -> None:
        """Note that the copy was submitted."""
        assert self.stream is not None
        self.event.record(self.stream)
        self.stream = None

    def is_over(self, *, wait: bool = False) -> bool:
        """Return whether the copies have run, after waiting for them if asked to."""
        stream = self.stream
        if stream is not None:
            # Nothing was recorded, so there may be a copy that only the stream knows of.
            if stream.closed:
                return True
            stream.device.activate()
            return has_run(stream.handle, wait=wait)
        if self.event.closed:
            return True
        self.event.device.activate()
        if wait:
            wait_for_event(self.event.handle)
        try:
            return self.event.is_done
        except AclError:
            # An event that cannot be queried was at least waited for.
            return wait


class _PinnedHandle(NativeHandle):
    """The handle of pinned memory, which may outlive its owner."""

    __slots__ = ("uses",)
    function = "aclrtFreeHost"
    device: Device
    #: Arrays over it may still be read at exit, after the teardown.
    stays_with_owner = True

    def __init__(self, owner: PinnedMemory, device: Device) -> None:
        self.uses = owner._uses
        super().__init__(owner, device)

    def is_idle(self, *, wait: bool) -> bool:
        if not self.cell[0]:
            return True
        idle = all(use.is_over(wait=wait) for use in list(self.uses.values()))
        self.device.activate()
        return idle

    def give_back(self) -> None:
        self.uses.clear()
