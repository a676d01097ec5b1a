"""The memory pool of a device: freed blocks are kept and reused in stream order.

A block freed on a stream goes back to that stream and may be handed out there at once: whatever
still uses it was submitted before, and the stream runs in order. Work that is pending therefore
never sees its memory change hands, without anybody waiting. A block that was used on other
streams as well returns only behind an event on each of them.

Nothing here but `Pool.allocate` missing a bin, `Pool.trim` and the end of the process calls CANN;
freeing is an append to a list, so that finalizers may do it in any thread at any time.
"""

from __future__ import annotations

import gc
import threading
from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from pyaclnn.abi import (
    AclError,
    ClosedError,
    OutOfMemoryError,
    check,
    ffi,
    lib,
    warn_status,
)
from pyaclnn.runtime.block import Block, rounded_size
from pyaclnn.runtime.event import event_is_done, new_event_handle

if TYPE_CHECKING:
    from pyaclnn.runtime.device import Device
    from pyaclnn.runtime.stream import Stream

_HUGE_PAGES_FIRST = 0


_Item = TypeVar("_Item")


class MemoryStats(NamedTuple):
    """What a pool holds, in bytes and blocks.

    Attributes
    ----------
    reserved : int
        Bytes taken from CANN.
    in_use : int
        Of these, bytes of live buffers and stream workspaces.
    cached : int
        Of these, bytes kept for reuse.
    peak : int
        The most that was ever reserved.
    blocks : int
        Blocks taken from CANN.
    mallocs : int
        How often CANN was asked so far.
    """

    reserved: int
    in_use: int
    cached: int
    peak: int
    blocks: int
    mallocs: int


class _Waiting(NamedTuple):
    """A freed block, and events that other streams must reach before its reuse."""

    block: Block | None
    events: list[Any]


class Keeper(Protocol):
    """Keeps buffers of one size on one stream, used or not; the floor above brings it along."""

    def take_back(self, stream: Stream) -> None:
        """Let a block that nobody uses go to its bin, if one is found."""

    def let_go(self) -> None:
        """Keep nothing."""


class Pool:
    """Stream-ordered caching allocator of one device.

    Parameters
    ----------
    device : Device
        Whose memory it hands out.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        # Reentrant, for a collection inside may run finalizers of the program.
        self._lock = threading.RLock()
        self._blocks: dict[int, Block] = {}
        self._idle: dict[int, list[Block]] = {}
        self._deferred: deque[tuple[Block, Iterable[Stream]]] = deque()
        self._waiting: list[_Waiting] = []
        self._spare_events: list[Any] = []
        self._reserved = 0
        self._peak = 0
        self._mallocs = 0

    def allocate(self, nbytes: int, stream: Stream) -> Block:
        """Return a block that work on a stream may use at once.

        Parameters
        ----------
        nbytes : int
            At least 1.
        stream : Stream
            A stream of this device.

        Returns
        -------
        Block
            Its content is undefined. It is freed by ``block.bin.append(block)``.

        Raises
        ------
        OutOfMemoryError
            If giving back everything cached did not help; the text has the figures.
        """
        size = rounded_size(nbytes)
        home = stream.bins.setdefault(size, [])
        if not home and size in stream.kept:
            stream.kept[size].take_back(stream)
        try:
            # list.pop and list.append are atomic: the usual case takes no lock.
            return home.pop()
        except IndexError:
            return self._allocate_slowly(size, home, stream)

    def defer(self, block: Block, streams: Iterable[Stream]) -> None:
        """Free a block that these streams used beside its own; calls nothing of CANN."""
        self._deferred.append((block, streams))

    def trim(self) -> int:
        """Give all cached memory back to CANN, after waiting for the streams that freed it.

        Returns
        -------
        int
            Bytes given back.

        Raises
        ------
        AclError
            If work on one of the streams had failed; its blocks stay cached.
        """
        self._device.activate()
        self._device.bury()
        with self._lock:
            before = self._reserved
            self._let_go_of_all_kept()
            self._settle()
            for waiting in self._waiting:
                for event in waiting.events:
                    check(lib.aclrtSynchronizeEvent(event), "aclrtSynchronizeEvent")
            self._settle()
            for stream in list(self._device.streams):
                self._trim_stream(stream)
            for blocks in self._idle.values():
                self._free(_take_all(blocks))
            while self._spare_events:
                warn_status(lib.aclrtDestroyEvent(self._spare_events.pop()), "aclrtDestroyEvent")
            return before - self._reserved

    def stats(self) -> MemoryStats:
        """Return what the pool holds; with other threads at work, approximately."""
        with self._lock:
            self._let_go_of_all_kept()
            bins = [*self._idle.values()]
            for stream in list(self._device.streams):
                bins.extend(list(stream.bins.values()))
            cached = sum(block.size for blocks in bins for block in list(blocks))
            cached += sum(block.size for block, _ in list(self._deferred))
            cached += sum(w.block.size for w in self._waiting if w.block is not None)
            in_use = self._reserved - cached
            return MemoryStats(
                self._reserved, in_use, cached, self._peak, len(self._blocks), self._mallocs
            )

    def adopt_bins(self, bins: dict[int, list[Block]]) -> None:
        """Take over the bins of a stream that has run everything and will run no more."""
        with self._lock:
            for block in list(self._blocks.values()):
                if block.bin is bins.get(block.size):
                    block.bin = self._idle.setdefault(block.size, [])
            for size, blocks in bins.items():
                self._idle.setdefault(size, []).extend(_take_all(blocks))

    def release_all(self) -> None:
        """Free every block, used or not; the last act before the device is given back."""
        with self._lock:
            for waiting in self._waiting:
                self._spare_events.extend(waiting.events)
            for event in self._spare_events:
                warn_status(lib.aclrtDestroyEvent(event), "aclrtDestroyEvent")
            self._free(list(self._blocks.values()))
            self.abandon()

    def abandon(self) -> None:
        """Forget every block without a call, where CANN has been finalised."""
        with self._lock:
            self._blocks.clear()
            self._reserved = 0
            self._spare_events.clear()
            self._waiting.clear()
            self._deferred.clear()
            self._idle.clear()

    def _allocate_slowly(self, size: int, home: list[Block], stream: Stream) -> Block:
        handle = stream.handle  # a closed stream is refused before anything happens
        self._device.activate()
        self._device.bury()
        with self._lock:
            self._settle()
            block = self._take(size, home, handle)
        if block is None:
            block = self._malloc(size, home)
        if block is None:
            self.trim()
            block = self._malloc(size, home)
        if block is None:
            # Tensors in reference cycles still hold memory.
            gc.collect()
            self.trim()
            block = self._malloc(size, home, last_attempt=True)
        assert block is not None
        return block

    def _let_go_of_all_kept(self) -> None:
        """Let the buffers that nobody uses go to their bins."""
        for stream in list(self._device.streams):
            for keeper in list(stream.kept.values()):
                keeper.let_go()
            # A thread that takes the only buffer of a form for a moment hides it from its keeper.
            for form in list(stream.forms.values()):
                kept = getattr(form, "kept", None)
                if kept:
                    kept.clear()

    def _take(self, size: int, home: list[Block], stream_handle: Any) -> Block | None:
        for blocks in (home, self._idle.get(size)):
            if blocks:
                block = blocks.pop()
                block.bin = home
                return block
        for position, (waiting_block, events) in enumerate(self._waiting):
            if waiting_block is not None and waiting_block.bin is home:
                for event in events:
                    check(lib.aclrtStreamWaitEvent(stream_handle, event), "aclrtStreamWaitEvent")
                self._waiting[position] = _Waiting(None, events)
                return waiting_block
        return None

    def _malloc(self, size: int, home: list[Block], last_attempt: bool = False) -> Block | None:
        place = ffi.new("void **")
        try:
            check(lib.aclrtMalloc(place, size, _HUGE_PAGES_FIRST), "aclrtMalloc")
        except OutOfMemoryError as error:
            if last_attempt:
                raise self._with_figures(error, size) from None
            return None
        block = Block(place[0], size, home)
        with self._lock:
            self._blocks[block.address] = block
            self._mallocs += 1
            self._reserved += size
            self._peak = max(self._peak, self._reserved)
        return block

    def _with_figures(self, error: OutOfMemoryError, size: int) -> OutOfMemoryError:
        stats, info = self.stats(), self._device.memory_info()
        figures = (
            f"{size:,} bytes were asked of {self._device!r}, which has {info.free:,} of "
            f"{info.total:,} bytes free; pyaclnn holds {stats.in_use:,} bytes in use and "
            f"{stats.cached:,} cached. Cached memory was given back before the last attempt: "
            "close tensors, make them smaller, or see who else uses the device."
        )
        return OutOfMemoryError(
            error.code,
            error.name,
            error.function,
            error.message,
            figures,
            [("size", f"{size}")],
            error.meaning,
        )

    def _settle(self) -> None:
        """Put events behind blocks freed lately, and return those whose events are reached."""
        held = []
        while self._deferred:
            block, streams = self._deferred.popleft()
            if any(stream.holds_memory for stream in streams):
                # A graph may use it again, whatever its streams have passed.
                held.append((block, streams))
            else:
                self._waiting.append(_Waiting(block, self._record_on(streams)))
        self._deferred.extend(held)
        still_waiting = []
        for waiting in self._waiting:
            if not all(map(_is_done, waiting.events)):
                still_waiting.append(waiting)
                continue
            self._spare_events.extend(waiting.events)
            if waiting.block is not None:
                waiting.block.bin.append(waiting.block)
        self._waiting = still_waiting

    def _record_on(self, streams: Iterable[Stream]) -> list[Any]:
        events = []
        for stream in streams:
            if stream.closed:
                continue
            try:
                event = self._spare_events.pop() if self._spare_events else new_event_handle()
                check(lib.aclrtRecordEvent(event, stream.handle), "aclrtRecordEvent")
            except (AclError, ClosedError):
                # A borrowed stream may be gone. Waiting for the device needs no stream, and the
                # block must not be lost.
                warn_status(lib.aclrtSynchronizeDevice(), "aclrtSynchronizeDevice")
            else:
                events.append(event)
        return events

    def _trim_stream(self, stream: Stream) -> None:
        if stream.holds_memory:
            return
        # A stream whose lock is held is between workspace and launch: leave its workspace.
        if stream.lock.acquire(blocking=False):
            try:
                stream.drop_workspace()
            finally:
                stream.lock.release()
        blocks = [block for bin_ in list(stream.bins.values()) for block in _take_all(bin_)]
        if not blocks:
            return
        try:
            stream.sync()
        except BaseException:
            for block in blocks:
                block.bin.append(block)
            raise
        self._free(blocks)

    def _free(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            block.leave(None)
            del self._blocks[block.address]
            self._reserved -= block.size
            warn_status(lib.aclrtFree(block.pointer), "aclrtFree")


def _is_done(event: Any) -> bool:
    # An event that cannot be queried guards its block until the device is released.
    try:
        return event_is_done(event)
    except AclError:
        return False


def _take_all(items: list[_Item]) -> list[_Item]:
    """Empty a list to which others may append meanwhile."""
    taken = []
    while items:
        try:
            taken.append(items.pop())
        except IndexError:
            break
    return taken
