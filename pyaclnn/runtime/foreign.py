"""Memory of other libraries that buffers use, and the order of work between libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyaclnn.abi import ffi
from pyaclnn.runtime.block import Block
from pyaclnn.runtime.buffer import Buffer
from pyaclnn.runtime.event import Event
from pyaclnn.runtime.unreferenced import find_unreferenced

if TYPE_CHECKING:
    from pyaclnn.runtime.pool import Pool
    from pyaclnn.runtime.stream import Stream

#: From how many blocks on lost ones are searched for.
_LEAST = 64


class ForeignBlock(Block):
    """Memory that another library allocated.

    Attributes
    ----------
    owner : object
        What keeps the memory alive; released when no work uses it.
    """

    __slots__ = ("owner",)

    def __init__(self, address: int, home: list[Block], owner: object) -> None:
        # Of size 0, so that the statistics of the pool do not count it.
        super().__init__(ffi.cast("void *", address), 0, home)
        self.owner: object = owner

    def free(self) -> None:
        """Release it behind all work on it, that of its own stream included."""
        stream, self.stream_while_open = self.stream_while_open, None
        if stream is not None:
            self.uses[stream.timeline] = None
            stream.device.pool.defer(self)


class Foreign:
    """Memory of other libraries that tensors of one device use.

    Parameters
    ----------
    pool : Pool
        Of the device.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._live: set[ForeignBlock] = set()
        #: Blocks that no work uses any more.
        self._returned: list[Block] = []
        self._enough = _LEAST

    def __len__(self) -> int:
        return len(self._live)

    def add(self, address: int, owner: object) -> ForeignBlock:
        """Return a block over memory that its owner keeps alive."""
        block = ForeignBlock(address, self._returned, owner)
        self._live.add(block)
        return block

    def let_go(self) -> None:
        """Release freed memory that no work uses any more, without waiting.

        Called before and after a wait, it releases everything that the wait was for.
        """
        if not self._live:
            return
        if len(self._live) >= self._enough:
            for lost in find_unreferenced(self._live):
                lost.free()
            self._enough = max(_LEAST, 2 * len(self._live))
        with self._pool.lock:
            self._pool.settle()
        # Owners are released without a lock, because their finalizers may do anything.
        while self._returned:
            try:
                block = self._returned.pop()
            except IndexError:  # another thread was faster
                return
            block.forget_handles()
            assert isinstance(block, ForeignBlock)
            self._live.discard(block)
            block.owner = None


def share(address: int, nbytes: int, owner: Any, stream: Stream) -> Buffer:
    """Return a buffer over memory of another library.

    Parameters
    ----------
    address : int
        Of the device that the stream is on.
    nbytes : int
        How much.
    owner : object
        Kept until the buffer is closed or dropped and no work uses it.
    stream : Stream
        The stream of the buffer; it must run after the work that others have on the memory.
    """
    foreign = stream.device.pool.foreign
    foreign.let_go()
    block = foreign.add(address, owner)
    block.stream_while_open = stream
    buffer = Buffer.over(block, nbytes)
    buffer.has_views = True
    buffer.block = block
    return buffer


def order(before: Stream, after: Stream) -> None:
    """Make later work on one stream wait for all earlier work on another."""
    if before is not after and not before.closed:
        after.wait(before.record(Event(before.device, timing=False)))


def hand_over(buffer: Buffer, stream: Stream) -> None:
    """Make another library's stream wait for all work on a buffer before it uses the buffer."""
    for other in buffer.streams:
        order(other, stream)
    buffer.record_use(stream)
