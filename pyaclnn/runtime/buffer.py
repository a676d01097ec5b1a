"""Buffers: device memory from the pool, returned with the last reference."""

from __future__ import annotations

import operator
import threading
import weakref
from typing import TYPE_CHECKING, Any, NoReturn

from pyaclnn.abi import ClosedError
from pyaclnn.runtime.current import current_stream

if TYPE_CHECKING:
    from pyaclnn.runtime.block import Block
    from pyaclnn.runtime.device import Device
    from pyaclnn.runtime.stream import Stream

# Reentrant, for a collection inside may run finalizers of the program.
_closing = threading.RLock()


class _Lent:
    """A pin for an exported view, open as long as the view is alive."""

    __slots__ = ("_view",)

    def __init__(self, view: object) -> None:
        self._view = weakref.ref(view)

    @property
    def closed(self) -> bool:
        return self._view() is None


class Buffer:
    """A range of device memory with one owner: it cannot be copied or pickled.

    It belongs to a stream: it may be used there at once and be dropped while work that uses it is
    pending there. Use on another stream must be announced by `record_use`.

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
    pointer : cffi pointer
        Its address as ``void *``; ``NULL`` for a buffer of no bytes.
    block : Block or None
        The pool's block that holds it; None once it is closed.
    stream_while_open : Stream or None
        Its stream; None once it is closed.
    uses : dict of Timeline to None
        The other streams that may have work on the block.
    pins : list of Pin
        Owners that keep the block in use; the buffer cannot be closed while one of them is open.
    has_views : bool
        Whether tensors were made over parts of it: these may overlap.

    Raises
    ------
    ValueError
        If the size is negative.
    OutOfMemoryError
        If the device cannot give that much.
    """

    __slots__ = (
        "_stream",
        "block",
        "has_views",
        "nbytes",
        "pins",
        "pointer",
        "stream_while_open",
        "uses",
    )

    def __init__(self, nbytes: int, stream: Stream | None = None) -> None:
        if type(nbytes) is not int:
            nbytes = operator.index(nbytes)
        if nbytes < 0:
            raise ValueError(f"nbytes is {nbytes}; a buffer has at least 0 bytes")
        if stream is None:
            stream = current_stream()
        block = stream.device.pool.allocate(nbytes, stream)
        self._describe(block, nbytes, stream)
        self.block: Block | None = block

    @classmethod
    def over(cls, block: Block, nbytes: int) -> Buffer:
        """Make a buffer of a block in use that has room for it; nothing is checked.

        The buffer owns the block only once its attribute ``block`` is set: the previous owner has
        to drop the block in the statement before, with no call in between.
        """
        buffer: Buffer = object.__new__(cls)
        assert block.stream_while_open is not None
        buffer._describe(block, nbytes, block.stream_while_open)
        return buffer

    def _describe(self, block: Block, nbytes: int, stream: Stream) -> None:
        self.nbytes = nbytes
        self.pointer: Any = block.pointer
        self.pins = block.pins
        self.uses = block.uses
        self.has_views = False
        self._stream = stream
        self.stream_while_open: Stream | None = stream
        self.block = None

    def __repr__(self) -> str:
        if self.closed:
            return f"Buffer({self.nbytes} bytes, closed)"
        return f"Buffer({self.nbytes} bytes at {self.ptr:#x}, {self.device!r})"

    @property
    def stream(self) -> Stream:
        """The stream it belongs to."""
        return self._stream

    @property
    def closed(self) -> bool:
        """Whether its memory was returned to the pool."""
        return self.block is None

    @property
    def device(self) -> Device:
        """The device whose memory it is."""
        return self._stream.device

    @property
    def ptr(self) -> int:
        """The device address as a number; 0 for a buffer of no bytes.

        Raises
        ------
        ClosedError
            If the buffer is closed.
        """
        return self._open_block().address

    def check_open(self) -> None:
        """Raise ClosedError if the buffer is closed."""
        self._open_block()

    def _open_block(self) -> Block:
        block = self.block
        if block is None:
            raise ClosedError(f"the buffer of {self.nbytes} bytes is closed")
        return block

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
        ClosedError
            If the buffer is closed.
        """
        if stream is self._stream:
            return
        if stream.device is not self.device:
            raise ValueError(
                f"the buffer is on {self.device!r}, the stream on {stream.device!r}; "
                "copy the data to that device first"
            )
        self._open_block().record_use(stream)

    @property
    def streams(self) -> tuple[Stream, ...]:
        """Every stream that may have work on this buffer, its own first.

        Streams that are closed or dropped have run all their work.
        """
        found = [self._stream]
        if self._stream.closed:
            self._stream.timeline.finish()
        for timeline in list(self.uses):
            stream = timeline.stream
            if stream is None:
                timeline.finish()
            else:
                found.append(stream)
        return tuple(found)

    def sync(self) -> None:
        """Wait for all work on this buffer.

        Raises
        ------
        AclError
            If work on one of its streams failed.
        """
        self._stream.timeline.sync()
        for timeline in list(self.uses):
            timeline.sync()

    def close(self) -> None:
        """Return the memory to the pool, which reuses it in stream order; closing twice is allowed.

        Raises
        ------
        ValueError
            While a plan or graph may use the memory again, or another library has it by DLPack.
        """
        with _closing:
            pin = next((each for each in self.pins if not each.closed), None)
            if self.block is not None and pin is not None:
                why = (
                    "lent by DLPack; drop what was made of it and let its work end first"
                    if isinstance(pin, _Lent)
                    else "part of a plan or graph that may run again; close that first"
                )
                raise ValueError(f"the buffer of {self.nbytes} bytes is {why}")
            self._give_back()

    def lend(self, view: object) -> None:
        """Make `close` raise as long as an exported object is alive.

        Parameters
        ----------
        view : object
            Refers to this buffer.

        Raises
        ------
        ClosedError
            If the buffer is closed.
        """
        with _closing:
            self.check_open()
            self.pins[:] = [each for each in self.pins if not each.closed]
            self.pins.append(_Lent(view))

    def __enter__(self) -> Buffer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        try:
            _ = self.block
        except AttributeError:  # a constructor that failed
            return
        # Finalizers run once: a buffer that is resurrected from a cycle must be closed.
        self._give_back()

    def _give_back(self) -> None:
        block, self.block = self.block, None
        if block is not None:
            self.stream_while_open = None
            # The dict of the block will belong to its next user.
            self.uses = {}
            block.free()

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a Buffer owns device memory and cannot be copied or pickled; the values of a tensor "
            "can, which tensor.numpy() returns"
        )
