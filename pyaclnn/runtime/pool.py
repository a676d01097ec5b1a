"""The memory pool of a device: it caches freed blocks and reuses them in stream order.

A block freed on a stream returns to that stream and may be reused there at once: all work that uses
it was submitted before, and a stream runs in order. So nobody waits, and pending work never shares
memory with later work. A block that was used on other streams as well is reused only behind an
event on each of them, and a block that a graph uses when the graph is closed.

CANN is called only when `Pool.allocate` finds no cached block, in `Pool.trim`, and at the end of
the process. Freeing is an append to a list, which finalizers may do in any thread at any time.
"""

from __future__ import annotations

import gc
import threading
from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

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
from pyaclnn.runtime.event import add_event_handle, event_is_done
from pyaclnn.runtime.foreign import Foreign
from pyaclnn.runtime.memory_stats import MemoryStats, with_figures
from pyaclnn.runtime.unreferenced import find_unreferenced
from pyaclnn.runtime.waiting import device_has_run, wait_for_device, wait_for_event

if TYPE_CHECKING:
    from pyaclnn.runtime.device import Device
    from pyaclnn.runtime.stream import Stream
    from pyaclnn.runtime.timeline import Timeline


_HUGE_PAGES_FIRST = 0
#: The largest size passed on: no device has that much, and rounding it overflows no size_t.
_LARGEST = 1 << 62
#: How often freeing a block may fail, each time with a warning, before it is leaked.
_ATTEMPTS = 3

_Item = TypeVar("_Item")


class _Waiting(NamedTuple):
    """A freed block, and events that other streams must reach before its reuse."""

    block: Block | None
    events: list[Any]


class Pool:
    """Stream-ordered caching allocator of one device.

    Parameters
    ----------
    device : Device
        Whose memory it hands out.

    Attributes
    ----------
    lock : threading.RLock
        Held while events are recorded on streams; no stream is destroyed meanwhile.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self.foreign = Foreign(self)
        # Reentrant, for a collection inside may run finalizers of the program.
        self.lock = threading.RLock()
        self._blocks: set[Block] = set()
        self._idle: dict[int, list[Block]] = {}
        self._deferred: deque[Block] = deque()
        self._waiting: list[_Waiting] = []
        self._spare_events: list[Any] = []
        # Blocks that CANN refused to free, and how often.
        self._refused: dict[Block, int] = {}
        self._reserved = 0
        self._peak = 0
        self._mallocs = 0

    def allocate(self, nbytes: int, stream: Stream) -> Block:
        """Return a block that work on a stream may use at once.

        Parameters
        ----------
        nbytes : int
            At least 0.
        stream : Stream
            A stream of this device.

        Returns
        -------
        Block
            Its content is undefined.

        Raises
        ------
        OutOfMemoryError
            If the memory does not suffice even without cached blocks; the message has the figures.
        """
        size = rounded_size(nbytes)
        home = stream.bins.setdefault(size, [])
        try:
            # list.pop and list.append are atomic: the usual case takes no lock.
            block = home.pop()
        except IndexError:
            block = self._allocate_slowly(size, home, stream)
        block.stream_while_open = stream
        return block

    def defer(self, block: Block) -> None:
        """Free a block that several streams used, without calling CANN."""
        self._deferred.append(block)

    def end_graph(self, timeline: Timeline) -> None:
        """Free the blocks that were held for a graph, which will not run again."""
        with self.lock:
            held, timeline.held = timeline.held, None
            timeline.over = True
            self._deferred.extend(held or ())

    def trim(self) -> int:
        """Return all cached memory to CANN, after waiting for the streams that freed it.

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
        self._device.destroy_dropped()
        with self.lock:
            before = self._reserved
            refused = list(self._refused)
            self._take_back_lost()
            self.settle()
            for waiting in self._waiting:
                for event in waiting.events:
                    check(wait_for_event(event), "aclrtSynchronizeEvent")
            self.settle()
            for stream in self._device.streams:
                self._trim_stream(stream)
            for blocks in self._idle.values():
                self._free(_take_all(blocks))
            self._free(refused)
            while self._spare_events:
                warn_status(lib.aclrtDestroyEvent(self._spare_events.pop()), "aclrtDestroyEvent")
            return before - self._reserved

    def stats(self) -> MemoryStats:
        """Return the pool's statistics; approximate while other threads allocate."""
        with self.lock:
            bins = [*self._idle.values()]
            for stream in self._device.streams:
                bins.extend(list(stream.bins.values()))
            cached = sum(block.size for blocks in bins for block in list(blocks))
            cached += sum(block.size for block in list(self._deferred))
            cached += sum(w.block.size for w in self._waiting if w.block is not None)
            cached += sum(block.size for block in self._refused)
            in_use = self._reserved - cached
            blocks = sum(1 for block in self._blocks if block.size)
            return MemoryStats(self._reserved, in_use, cached, self._peak, blocks, self._mallocs)

    def adopt_bins(self, bins: dict[int, list[Block]]) -> None:
        """Take over the bins of a stream that has run everything and will run no more."""
        if not bins:
            return
        with self.lock:
            for block in self._blocks:
                if block.bin is bins.get(block.size):
                    block.bin = self._idle.setdefault(block.size, [])
            for size, blocks in bins.items():
                self._idle.setdefault(size, []).extend(_take_all(blocks))

    def release_all(self) -> None:
        """Free every block, used or not, before the device is reset."""
        with self.lock:
            for waiting in self._waiting:
                self._spare_events.extend(waiting.events)
            for event in self._spare_events:
                warn_status(lib.aclrtDestroyEvent(event), "aclrtDestroyEvent")
            self._free(list(self._blocks))
            self.abandon()

    def abandon(self) -> None:
        """Forget every block without calling CANN, which has been finalised."""
        with self.lock:
            self._blocks.clear()
            self._refused.clear()
            self._reserved = 0
            self._spare_events.clear()
            self._waiting.clear()
            self._deferred.clear()
            self._idle.clear()

    def _allocate_slowly(self, size: int, home: list[Block], stream: Stream) -> Block:
        handle = stream.handle  # a closed stream is refused before anything happens
        self._device.activate()
        self._device.destroy_dropped()
        with self.lock:
            self.settle()
            block = self._take(size, home, handle, stream.graph is not None)
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

    def _take_back_lost(self) -> None:
        """Free unreachable blocks, whose finalizer was interrupted by a signal."""
        lost = find_unreferenced(self._blocks)
        # For the whole device: which streams had work on them may be lost as well.
        if lost and wait_for_device() == 0:
            for block in lost:
                block.stream_while_open = None
                block.uses.clear()
                block.bin.append(block)

    def _take(
        self, size: int, home: list[Block], stream_handle: Any, captured: bool
    ) -> Block | None:
        for blocks in (home, self._idle.get(size)):
            if blocks:
                try:
                    block = blocks.pop()
                except IndexError:  # a call that takes no lock was faster
                    continue
                block.bin = home
                return block
        for position, (waiting_block, events) in enumerate(self._waiting):
            if waiting_block is not None and waiting_block.bin is home and not captured:
                for event in events:
                    check(lib.aclrtStreamWaitEvent(stream_handle, event), "aclrtStreamWaitEvent")
                self._waiting[position] = _Waiting(None, events)
                return waiting_block
        return None

    def _malloc(self, size: int, home: list[Block], last_attempt: bool = False) -> Block | None:
        place = ffi.new("void **")
        if not size:
            return self._note(Block(place[0], size, home))
        try:
            check(lib.aclrtMalloc(place, min(size, _LARGEST), _HUGE_PAGES_FIRST), "aclrtMalloc")
            block = self._note(Block(place[0], size, home))
        except OutOfMemoryError as error:
            if last_attempt:
                info = self._device.memory_info()
                raise with_figures(error, size, self._device, self.stats(), info) from None
            return None
        except BaseException:
            # Interrupted by a signal before anybody else had the memory.
            if place[0] and all(block.pointer != place[0] for block in list(self._blocks)):
                warn_status(lib.aclrtFree(place[0]), "aclrtFree")
            raise
        return block

    def _note(self, block: Block) -> Block:
        with self.lock:
            self._blocks |= {block}
            self._reserved += block.size
            self._mallocs += block.size > 0
            self._peak = max(self._peak, self._reserved)
        return block

    def settle(self) -> None:
        """Record events for blocks freed lately, return those that are idle; `lock` is held."""
        for _ in range(len(self._deferred)):
            block = self._deferred[0]
            uses = [timeline for timeline in list(block.uses) if not timeline.over]
            held = next((each.held for each in uses if each.held is not None), None)
            streams = [timeline.stream for timeline in uses]
            # A block is moved between lists without a call, so that no signal loses it.
            if held is not None:
                # A graph may use it again, even if its streams are idle.
                held += [block]
                del self._deferred[0]
            elif any(stream is None or stream.capture is not None for stream in streams):
                # Being closed, or captured, where an event would become part of the graph.
                self._deferred.rotate(-1)
            else:
                self._wait_for(block, streams)
        position = 0
        while position < len(self._waiting):
            waiting = self._waiting[position]
            if not all(map(_is_done, waiting.events)):
                position += 1
                continue
            self._spare_events += waiting.events
            if waiting.block is not None:
                home = waiting.block.bin
                home += [waiting.block]
            del self._waiting[position]

    def _wait_for(self, block: Block, streams: Iterable[Stream | None]) -> None:
        """Record events for the first deferred block; retried later if CANN refuses."""
        events: list[Any] = []
        try:
            recorded = self._record_on(streams, events)
            if recorded:
                waiting = _Waiting(block, events)
                self._waiting += [waiting]
                del self._deferred[0]
        except BaseException:
            self._spare_events += events
            raise
        if recorded:
            block.uses.clear()
        else:
            self._spare_events += events
            self._deferred.rotate(-1)

    def _record_on(self, streams: Iterable[Stream | None], events: list[Any]) -> bool:
        """Record an event on each stream; return False if a stream is left without one."""
        spare = self._spare_events
        for stream in streams:
            assert stream is not None
            if not spare:
                add_event_handle(spare)
            event = spare[-1]
            try:
                check(lib.aclrtRecordEvent(event, stream.handle), "aclrtRecordEvent")
            except (AclError, ClosedError):
                # A borrowed stream may be gone; then the device is waited for.
                if not device_has_run():
                    return False
            else:
                events += [event]
                del spare[-1]
        return True

    def _trim_stream(self, stream: Stream) -> None:
        if stream.holds_memory:
            return
        # A stream whose lock is held is between workspace and launch: its workspace stays.
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
        free = lib.aclrtFree
        for block in blocks:
            block.forget_handles()
            # No call in between, so that a signal leaves it in one of the two lists.
            self._blocks -= {block}
            self._reserved -= block.size
            if block.size:
                status = free(block.pointer)
                if status:
                    self._keep(block, status)
                else:
                    self._refused.pop(block, None)

    def _keep(self, block: Block, status: int) -> None:
        """Keep a block that CANN refused to free for another attempt; it is not reused."""
        attempts = self._refused.pop(block, 0) + 1
        if attempts < _ATTEMPTS:
            self._refused[block] = attempts
            self._blocks |= {block}
            self._reserved += block.size
        warn_status(status, "aclrtFree")


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
