"""Buffers: device memory from the pool, given back when the last reference goes."""

from __future__ import annotations

import operator
import threading
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import ClosedError, ffi
from pyaclnn.runtime.block import release_left
from pyaclnn.runtime.current import current_stream

if TYPE_CHECKING:
    from pyaclnn.runtime.block import Block
    from pyaclnn.runtime.device import Device
    from pyaclnn.runtime.stream import Stream

_closing = threading.Lock()


class Buffer:
    """A stretch of device memory.

    It belongs to a stream: it may be used there at once and be dropped while work that uses it is
    pending there. Work submitted to another stream must be announced by `record_use`.

    Parameters
    ----------
    nbytes : int
        Size; 0 is allowed and takes no memory.
    stream : Stream, optional
        The stream it belongs to; the current stream if not given.

    Attributes
    ----------
    nbytes : int
        Size as asked for.
    stream : Stream
        The stream it belongs to.
    pointer : cffi pointer
        Its address as ``void *``; ``NULL`` for a buffer of no bytes.
    open_on : Stream or None
        Its stream; None once it is closed.
    block : Block or None
        The pool's block that holds it; None for a buffer of no bytes, or a closed one.
    whole_on : Stream or None
        Its stream as long as no tensor was made over a part of it: these could overlap.
    times_in_use : int
        How often somebody who wanted to reuse it found it in use.
    form, handle : object or None
        What the floor above describes all of it with. The handle belongs to the buffer, and both
        are left with the block when the buffer ends.

    Raises
    ------
    ValueError
        If the size is negative.
    OutOfMemoryError
        If the device cannot give that much.
    """

    # No weak references: whoever counts the others must know that nobody else can reach it.
    __slots__ = (
        "_others",
        "_pins",
        "block",
        "form",
        "handle",
        "nbytes",
        "open_on",
        "pointer",
        "stream",
        "times_in_use",
        "whole_on",
    )

    def __init__(self, nbytes: int, stream: Stream | None = None) -> None:
        self.block: Block | None = None
        self.form: Any = None
        self.handle: Any = None
        self._others: set[Stream] | None = None
        self._pins: list[None] | None = None
        if type(nbytes) is not int:
            nbytes = operator.index(nbytes)
        if nbytes < 0:
            raise ValueError(f"nbytes is {nbytes}; a buffer has at least 0 bytes")
        if stream is None:
            stream = current_stream()
        self.nbytes = nbytes
        self.stream = stream
        self.times_in_use = 0
        self.pointer: Any = ffi.NULL
        if nbytes:
            block = self.block = stream.device.pool.allocate(nbytes, stream)
            self.pointer = block.pointer
        # Both questions of a call, is it open and is it here, in one look.
        self.open_on: Stream | None = stream
        self.whole_on: Stream | None = stream

    @classmethod
    def over(cls, block: Block, nbytes: int, stream: Stream) -> Buffer:
        """Make a buffer of a block of the stream that has room for it; nothing is checked."""
        buffer: Buffer = object.__new__(cls)
        buffer.block = block
        buffer.pointer = block.pointer
        buffer.nbytes = nbytes
        buffer.stream = stream
        buffer.open_on = buffer.whole_on = stream
        buffer.times_in_use = 0
        buffer.form = buffer.handle = None
        buffer._others = None
        buffer._pins = None
        return buffer

    def __repr__(self) -> str:
        if self.closed:
            return f"Buffer({self.nbytes} bytes, closed)"
        return f"Buffer({self.nbytes} bytes at {self.ptr:#x}, {self.device!r})"

    @property
    def closed(self) -> bool:
        """Whether its memory was given back."""
        return self.open_on is None

    @property
    def device(self) -> Device:
        """The device whose memory it is."""
        return self.stream.device

    @property
    def ptr(self) -> int:
        """The device address as a number; 0 for a buffer of no bytes.

        Raises
        ------
        ClosedError
            If the buffer is closed.
        """
        self.check_open()
        return 0 if self.block is None else self.block.address

    def check_open(self) -> None:
        """Raise ClosedError if the buffer is closed."""
        if self.closed:
            raise ClosedError(f"the buffer of {self.nbytes} bytes is closed")

    def record_use(self, stream: Stream) -> None:
        """Announce work on a stream other than the buffer's own; before or after submitting it.

        Parameters
        ----------
        stream : Stream
            Where the work is. The memory is not reused before it has run.

        Raises
        ------
        ValueError
            If the stream belongs to another device.
        """
        if stream is self.stream:
            return
        if stream.device is not self.stream.device:
            raise ValueError(
                f"the buffer is on {self.device!r}, the stream on {stream.device!r}; "
                "copy the data to that device first"
            )
        others = self._others
        if others is None:
            with _closing:
                others = self._others
                if others is None:
                    others = self._others = set()
        others.add(stream)

    @property
    def streams(self) -> tuple[Stream, ...]:
        """Every stream that may have work on this buffer, its own first."""
        return (self.stream, *tuple(self._others or ()))

    def sync(self) -> None:
        """Wait for all work on this buffer.

        Raises
        ------
        AclError
            If work on one of its streams failed.
        """
        for stream in self.streams:
            # A closed stream has run everything.
            if not stream.closed:
                stream.sync()

    def pin(self) -> None:
        """Forbid `close` until `unpin`: something holds the address and will use it again."""
        # A list, for its append and pop are atomic; made when first needed, which is seldom.
        pins = self._pins
        if pins is None:
            with _closing:
                pins = self._pins
                if pins is None:
                    pins = self._pins = []
        pins.append(None)

    def unpin(self) -> None:
        """Take back one `pin`."""
        assert self._pins is not None
        self._pins.pop()

    def close(self) -> None:
        """Give the memory back to the pool; work that is pending keeps it. Twice is allowed.

        Raises
        ------
        ValueError
            While a plan or graph may use the memory again.
        """
        with _closing:
            if self._pins:
                raise ValueError(
                    f"the buffer of {self.nbytes} bytes is part of a plan or graph that may run "
                    "again; close that first"
                )
            block, self.block = self.block, None
            self.open_on = self.whole_on = None
        self._give_back(block)

    def __enter__(self) -> Buffer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        # Finalizers run once: what brings a buffer back from a cycle shall find it closed.
        self.open_on = self.whole_on = None
        block, self.block = self.block, None
        self._give_back(block)

    def _give_back(self, block: Block | None) -> None:
        handle, self.handle = self.handle, None
        if handle is not None:
            left = self.form, handle
            if block is None:
                release_left(left)
            else:
                block.leave(left)
        if block is None:
            return
        if self._others:
            self.stream.device.pool.defer(block, self._others)
        else:
            block.bin.append(block)
