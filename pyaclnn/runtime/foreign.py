"""Memory of other libraries, which is theirs again when no work of ours uses it.

A tensor over such memory may be dropped like any other while work on it is pending. Its owner may
give the memory to somebody else the moment it has it back, so it gets it behind an event on every
stream that used it, those of the pool's that wait for the next time the pool looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyaclnn.abi import ffi
from pyaclnn.runtime.block import Block
from pyaclnn.runtime.buffer import Buffer
from pyaclnn.runtime.event import Event
from pyaclnn.runtime.lost import find_lost

if TYPE_CHECKING:
    from pyaclnn.runtime.pool import Pool
    from pyaclnn.runtime.stream import Stream

#: At how many it is time to look for lost ones.
_LEAST = 64


class ForeignBlock(Block):
    """Memory that another library allocated.

    Attributes
    ----------
    owner : object
        What keeps it; let go of when no work uses it.
    """

    __slots__ = ("owner",)

    def __init__(self, address: int, home: list[Block], owner: object) -> None:
        # It counts for nothing in the figures of the pool.
        super().__init__(ffi.cast("void *", address), 0, home)
        self.owner: object = owner

    def free(self) -> None:
        """Give it back behind all work on it, that of its own stream included."""
        stream, self.stream_while_open = self.stream_while_open, None
        if stream is not None:
            self.uses[stream.timeline] = None
            stream.device.pool.defer(self)


class Foreign:
    """The memory of others that tensors of one device are over.

    Parameters
    ----------
    pool : Pool
        Of the device.
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._live: set[ForeignBlock] = set()
        #: Where blocks are put that no work uses any more.
        self._returned: list[Block] = []
        self._enough = _LEAST

    def __len__(self) -> int:
        return len(self._live)

    def add(self, address: int, owner: object) -> ForeignBlock:
        """Return a block of memory that is kept by its owner."""
        block = ForeignBlock(address, self._returned, owner)
        self._live.add(block)
        return block

    def let_go(self) -> None:
        """Give back what was freed and that no work uses any more; does not wait.

        Called before a wait as well as after it, it gives back all that the wait was for.
        """
        if not self._live:
            return
        if len(self._live) >= self._enough:
            for lost in find_lost(self._live):
                lost.free()
            self._enough = max(_LEAST, 2 * len(self._live))
        with self._pool.lock:
            self._pool.settle()
        # Owners are let go of with no lock held: what they do is theirs.
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
        What the buffer belongs to; work of others on the memory comes before what is submitted
        there from now on.
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
    """Have what is submitted to a stream from now on wait for what another was given so far."""
    if before is not after and not before.closed:
        after.wait(before.record(Event(before.device, timing=False)))


def hand_over(buffer: Buffer, stream: Stream) -> None:
    """Have a stream of others wait for all work on a buffer, which it uses from now on."""
    for other in buffer.streams:
        order(other, stream)
    buffer.record_use(stream)
