"""Buffers: device memory from the pool, given back when the last reference goes."""

from __future__ import annotations

import operator
import threading
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import ClosedError, ffi
from pyaclnn.runtime.current import current_stream

if TYPE_CHECKING:
    from pyaclnn.runtime.device import Device
    from pyaclnn.runtime.pool import Block
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
    viewed : bool
        Whether there may be tensors over parts of it, which could overlap.

    Raises
    ------
    ValueError
        If the size is negative.
    OutOfMemoryError
        If the device cannot give that much.
    """

    # No weak references: a tensor that ends must know that nobody else can reach its buffer.
    __slots__ = (
        "_others",
        "_pins",
        "block",
        "nbytes",
        "open_on",
        "pointer",
        "stream",
        "viewed",
    )

    def __init__(self, nbytes: int, stream: Stream | None = None) -> None:
        self.block: Block | None = None
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
        self.viewed = False
        self.pointer: Any = ffi.NULL
        if nbytes:
            block = self.block = stream.device.pool.allocate(nbytes, stream)
            self.pointer = block.pointer
        # Both questions of a call, is it open and is it here, in one look.
        self.open_on: Stream | None = stream

    @classmethod
    def over(cls, block: Block, nbytes: int, stream: Stream) -> Buffer:
        """Make a buffer of a block of the stream that has room for it; nothing is checked."""
        buffer: Buffer = object.__new__(cls)
        buffer.block = block
        buffer.pointer = block.pointer
        buffer.nbytes = nbytes
        buffer.stream = stream
        buffer.open_on = stream
        buffer.viewed = False
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
            self.open_on = None
        if block is not None:
            self._give_back(block)

    def __enter__(self) -> Buffer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        # Finalizers run once: a buffer that a cycle keeps from ending must not be woken again.
        self.pointer = None
        block, self.block = self.block, None
        if block is not None:
            self._give_back(block)

    def _give_back(self, block: Block) -> None:
        if self._others:
            self.stream.device.pool.defer(block, self._others)
        else:
            block.bin.append(block)
