"""Blocks: the allocations of a memory pool."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Protocol

from pyaclnn.abi import ffi

if TYPE_CHECKING:
    from pyaclnn.runtime.stream import Stream
    from pyaclnn.runtime.timeline import Timeline

# Sizes are rounded so that blocks are interchangeable: to CANN's own granularity of workspaces,
# and above 1 MiB to its huge pages. aclrtMalloc adds what kernels may read past the end.
_SMALL_LIMIT = 1 << 20
_SMALL_STEP = 1 << 9
_LARGE_STEP = 1 << 21

#: How many timelines are recorded before those whose work is over are removed.
_FEW = 8

# Reentrant, for a collection inside may run finalizers of the program.
_noting = threading.RLock()


def rounded_size(nbytes: int) -> int:
    """Return the size of the block that serves a request; 0 for 0."""
    step = _SMALL_STEP if nbytes <= _SMALL_LIMIT else _LARGE_STEP
    return (nbytes + step - 1) & -step


class Pin(Protocol):
    """An owner of a buffer's memory that tells when it releases it."""

    @property
    def closed(self) -> bool:
        """Whether it released the memory."""


class Block:
    """One allocation of CANN; in use, or in exactly one bin.

    Attributes
    ----------
    pointer : cffi pointer
        Its address as ``void *``; ``NULL`` for a block of no bytes. address, size : int Its address
        and rounded size.
    bin : list of Block
        The list to which it is returned when it is freed.
    stream_while_open : Stream or None
        The stream it belongs to while it is in use.
    uses : dict of Timeline to None
        Other streams that were given work on it during its present use, as an ordered set.
    pins : list of Pin
        Plans that hold the address, until these are closed.
    layout, handle : object or None
        The latest descriptor of the whole block, which the tensor layer caches here.
    handles : dict
        All cached descriptors: layout to the owner of its handle.
    """

    __slots__ = (
        "address",
        "bin",
        "handle",
        "handles",
        "layout",
        "pins",
        "pointer",
        "size",
        "stream_while_open",
        "uses",
    )

    #: Only a buffer is shared by tensors.
    has_views = False

    def __init__(self, pointer: Any, size: int, home: list[Block]) -> None:
        self.pointer = pointer
        self.address = int(ffi.cast("uintptr_t", pointer))
        self.size = size
        self.bin = home
        self.stream_while_open: Stream | None = None
        self.uses: dict[Timeline, None] = {}
        self.pins: list[Pin] = []
        self.layout: Any = None
        self.handle: Any = None
        self.handles: dict[Any, Any] = {}

    def record_use(self, stream: Stream) -> None:
        """Record work on another stream of the same device."""
        uses = self.uses
        with _noting:
            uses[stream.timeline] = None
            # At 8, 16, 32, ...: amortised, each timeline is tested a few times.
            count = len(uses)
            if count >= _FEW and not count & (count - 1):
                for other in [each for each in uses if each.over]:
                    del uses[other]

    def free(self) -> None:
        """Return it to the pool; finalizers may, in any thread. Its owner drops it first."""
        stream, self.stream_while_open = self.stream_while_open, None
        if self.uses and stream is not None:
            stream.device.pool.defer(self)
        else:
            self.bin.append(self)

    def forget_handles(self) -> None:
        """Destroy the descriptors that the tensor layer keeps for it."""
        self.layout = self.handle = None
        self.handles.clear()
