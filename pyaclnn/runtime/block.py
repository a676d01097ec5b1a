"""Blocks: what the memory pool takes from CANN and hands out."""

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

#: How many timelines are noted before those whose work is over are sorted out.
_FEW = 8

# Reentrant, for a collection inside may run finalizers of the program.
_noting = threading.RLock()


def rounded_size(nbytes: int) -> int:
    """Return the size of the block that serves a request; 0 for 0."""
    step = _SMALL_STEP if nbytes <= _SMALL_LIMIT else _LARGE_STEP
    return (nbytes + step - 1) & -step


class Pin(Protocol):
    """What holds the memory of a buffer: an object that says when it does so no more."""

    @property
    def closed(self) -> bool:
        """Whether it lets go of it."""


class Block:
    """One allocation of CANN; in use, or in exactly one bin.

    Attributes
    ----------
    pointer : cffi pointer
        Its address as ``void *``; ``NULL`` for a block of no bytes.
    address, size : int
        Its address and rounded size.
    bin : list of Block
        Where it goes when it is freed.
    stream_while_open : Stream or None
        The stream it belongs to while it is in use.
    uses : dict of Timeline to None
        Other streams that were given work on it during its present use, as an ordered set.
    pins : list of Pin
        Plans that hold the address, until these are closed.
    form, handle : object or None
        What the floor above describes all of it with, as it did last.
    handles : dict
        These, and earlier ones: form to the owner of its handle.
    """

    __slots__ = (
        "address",
        "bin",
        "form",
        "handle",
        "handles",
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
        self.form: Any = None
        self.handle: Any = None
        self.handles: dict[Any, Any] = {}

    def record_use(self, stream: Stream) -> None:
        """Note work on a stream other than its own, and of the same device."""
        uses = self.uses
        with _noting:
            uses[stream.timeline] = None
            # At 8, 16, 32, ...: however many there are, each is looked at a few times.
            count = len(uses)
            if count >= _FEW and not count & (count - 1):
                for other in [each for each in uses if each.over]:
                    del uses[other]

    def free(self) -> None:
        """Give it back; fit for finalizers, in any thread. Who had it forgets it first."""
        stream, self.stream_while_open = self.stream_while_open, None
        if self.uses and stream is not None:
            stream.device.pool.defer(self)
        else:
            self.bin.append(self)

    def forget_handles(self) -> None:
        """Destroy what the floor above describes it with."""
        self.form = self.handle = None
        self.handles.clear()
