"""Streams: queues of a device, the current one of a thread, and their workspace."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import ClosedError, check, ffi, lib, recent_message
from pyaclnn.runtime.current import current_device, state
from pyaclnn.runtime.event import Event
from pyaclnn.runtime.native_handle import NativeHandle, not_copied
from pyaclnn.runtime.timeline import Timeline
from pyaclnn.runtime.torch_interop import torch_stream_handle
from pyaclnn.runtime.waiting import device_has_run, has_run, wait_for_stream
from pyaclnn.runtime.weak_set import ThreadSafeWeakSet

if TYPE_CHECKING:
    from pyaclnn.runtime.block import Block
    from pyaclnn.runtime.device import Device
    from pyaclnn.runtime.graph import Graph


class StreamHandle(NativeHandle):
    """The handle of a stream, which may outlive the `Stream`."""

    __slots__ = ("bins", "timeline", "workspace")
    function = "aclrtDestroyStream"
    device: Device

    def __init__(self, owner: Stream, device: Device) -> None:
        self.bins = owner.bins
        self.timeline = owner.timeline
        self.workspace: Block | None = None
        super().__init__(owner, device)

    def is_idle(self, *, wait: bool) -> bool:
        """Return whether it has run everything: destroying would wait and ignore signals."""
        return not self.cell[0] or has_run(self.cell[0], wait=wait)

    def give_back(self) -> None:
        """Return the memory of a stream that has run everything."""
        block, self.workspace = self.workspace, None
        if block is not None:
            block.bin.append(block)
        self.timeline.over = True
        self.device.pool.adopt_bins(self.bins)


class BorrowedStreamHandle(StreamHandle):
    """The memory of a borrowed stream, which may outlive the `Stream`."""

    __slots__ = ("_ran",)

    def __init__(self, owner: Stream, device: Device) -> None:
        self._ran = False
        super().__init__(owner, device)

    def is_idle(self, *, wait: bool) -> bool:
        """Wait for the device: the owner may have destroyed the stream since."""
        return self._ran or device_has_run()

    def close(self) -> None:
        """Give the memory back; the stream has run everything."""
        self._ran = True
        super().close()


_COMPLETE = 0
# Trades a few resources per stream for cheaper launches and waits.
_FAST_LAUNCH_AND_SYNC = 3


class Stream:
    """A queue of a device: work runs in the order of submission, and independently of others.

    ``with stream:`` makes it the current stream of the thread. Several threads may submit to one
    stream; `lock` keeps together what must be consecutive.

    Parameters
    ----------
    device : Device, optional
        Where to create it; the current device if not given.
    priority : int
        0 is the highest, 7 the lowest; CANN may disregard it.

    Attributes
    ----------
    device : Device
        Where its work runs.
    lock : threading.Lock
        Held from `workspace` until the operator that uses it was submitted.
    owned : bool
        Whether it is destroyed by us; false for `from_handle`.
    dependents : ThreadSafeWeakSet
        Objects that cache the handle; their ``detach()`` is called when the stream is closed, and
        in a forked child.
    timeline : Timeline
        The object that memory used on this stream refers to.

    Raises
    ------
    AclError
        If the stream cannot be created.
    """

    __slots__ = (
        "__weakref__",
        "_handle",
        "_native",
        "_workspace",
        "_workspace_size",
        "bins",
        "capture",
        "dependents",
        "device",
        "lock",
        "owned",
        "timeline",
    )

    #: Whether it replaces another stream during its capture.
    stands_in = False
    _handle: Any
    #: None for a stand-in.
    _native: StreamHandle | None

    def __init__(self, device: Device | None = None, *, priority: int = 0) -> None:
        device = current_device() if device is None else device
        device.activate()
        device.destroy_dropped()
        self._set_up(device, owned=True)
        native = StreamHandle(self, device)
        self._native = native
        create = lib.aclrtCreateStreamWithConfig
        status = create(native.cell, priority, _FAST_LAUNCH_AND_SYNC)
        if status and device.destroy_dropped(wait=True):
            # The number of streams is limited, and dropped ones may still have had work.
            recent_message()
            status = create(native.cell, priority, _FAST_LAUNCH_AND_SYNC)
        check(status, "aclrtCreateStreamWithConfig")
        self._handle = native.cell[0]
        device.streams.add(self)

    @classmethod
    def from_handle(cls, handle: int, device: Device | None = None) -> Stream:
        """Borrow a stream of another owner, such as PyTorch's ``stream.npu_stream``.

        Parameters
        ----------
        handle : int
            The ``aclrtStream`` as a number, or as a cffi pointer.
        device : Device, optional
            Where the stream lives; the current device if not given.

        Returns
        -------
        Stream
            Never destroyed by pyaclnn. The owner must keep the stream alive until it is closed.

        Raises
        ------
        ValueError
            If the handle is null.
        """
        pointer = ffi.cast("void *", handle)
        if pointer == ffi.NULL:
            raise ValueError(
                "a null handle is CANN's default stream, which cannot be borrowed; "
                "use device.default_stream"
            )
        stream: Stream = object.__new__(cls)
        device = current_device() if device is None else device
        stream._set_up(device, owned=False)
        stream._native = BorrowedStreamHandle(stream, device)
        stream._handle = pointer
        device.streams.add(stream)
        return stream

    @classmethod
    def from_torch(cls, device: Device | None = None) -> Stream:
        """Return PyTorch's current stream, after torch has submitted its pending work to it.

        Call it again after further calls of torch.
        """
        device = current_device() if device is None else device
        return device.stream_of(torch_stream_handle(device.index))

    def _set_up(self, device: Device, *, owned: bool) -> None:
        self._handle = None
        self._native = None
        self.device = device
        self.owned = owned
        #: The stand-in while this stream is captured.
        self.capture: Stream | None = None
        self.lock = threading.Lock()
        #: Size class -> blocks freed on this stream, which it may reuse without waiting.
        self.bins: dict[int, list[Block]] = {}
        self.dependents: ThreadSafeWeakSet[Any] = ThreadSafeWeakSet()
        self._workspace: Block | None = None
        self._workspace_size = 0
        self.timeline = Timeline(self)

    def __repr__(self) -> str:
        if self._handle is None:
            return "Stream(closed)"
        kind = "" if self.owned else ", borrowed"
        return f"Stream({int(ffi.cast('uintptr_t', self._handle)):#x}, {self.device!r}{kind})"

    @property
    def handle(self) -> Any:
        """The ``aclrtStream``, as a cffi pointer; always the same object.

        Raises
        ------
        ClosedError
            If the stream is closed.
        """
        handle = self._handle
        if handle is None:
            raise self._closed_error()
        return handle

    def _closed_error(self) -> ClosedError:
        return ClosedError("the stream is closed; create another with device.create_stream()")

    def activated(self) -> Stream:
        """Bind the stream's device to the calling thread if it is not.

        Returns
        -------
        Stream
            Where work for this stream goes: itself, or its stand-in during a capture.

        Raises
        ------
        ClosedError
            If the stream is closed.
        """
        if self._handle is None:
            raise self._closed_error()
        if self.device is not state._bound:  # the property takes 2 % of an operator's call
            self.device.activate()
        return self if self.capture is None else self.capture

    @property
    def graph(self) -> Graph | None:
        """The graph that records the work submitted here; None for all but stand-ins."""
        return None

    @property
    def holds_memory(self) -> bool:
        """Whether memory used here must be kept, because the work is recorded and not run."""
        return self.capture is not None

    @property
    def closed(self) -> bool:
        """Whether the stream was closed."""
        return self._handle is None

    @property
    def is_done(self) -> bool:
        """Whether everything submitted so far has run; does not wait."""
        handle = self.handle
        self.device.activate()
        query = lib.aclrtStreamQuery  # declares the status type as well
        status = ffi.new("aclrtStreamStatus *")
        check(query(handle, status), "aclrtStreamQuery")
        return bool(status[0] == _COMPLETE)

    def sync(self, timeout: float | None = None) -> None:
        """Wait until everything submitted so far has run.

        Parameters
        ----------
        timeout : float, optional
            Seconds to wait at most; without it, as long as it takes.

        Raises
        ------
        AclTimeoutError
            If the time is over; the work goes on.
        AclError
            If work failed; errors of asynchronous work appear here.
        ClosedError
            If the stream is closed.
        """
        handle = self.handle
        self.device.activate()
        self.device.pool.foreign.let_go()
        check(wait_for_stream(handle, timeout), "aclrtSynchronizeStreamWithTimeout")
        self.device.pool.foreign.let_go()

    def record(self, event: Event | None = None) -> Event:
        """Record an event at the present end of the queue.

        Parameters
        ----------
        event : Event, optional
            What to record; a new one if not given. Recording again overwrites.

        Returns
        -------
        Event
            It is done when everything submitted so far has run.
        """
        if event is None:
            event = Event(self.device)
        event.record(self)
        return event

    def wait(self, event: Event) -> None:
        """Make later work wait for an event; the call itself is asynchronous.

        Parameters
        ----------
        event : Event
            Its latest record counts; an event that was never recorded is not waited for.
        """
        handle = self.handle
        self.device.activate()
        check(lib.aclrtStreamWaitEvent(handle, event.handle), "aclrtStreamWaitEvent")
        graph = None if event.stream is None else event.stream.graph
        if graph is not None and self.capture is None and self.graph is None:
            graph.join(self)

    def workspace(self, nbytes: int) -> Any:
        """Return scratch memory for the next operator submitted to this stream.

        All operators of the stream share this memory, since they run one after the other. The
        caller holds `lock` until its operator is submitted: otherwise another thread could replace
        the memory by a larger block in between.

        Parameters
        ----------
        nbytes : int
            What phase 1 asked for.

        Returns
        -------
        cffi pointer
            ``void *``; ``NULL`` for 0 bytes.

        Raises
        ------
        OutOfMemoryError
            If the device cannot give that much.
        """
        if not nbytes:
            return ffi.NULL
        block = self._workspace
        if block is None or nbytes > self._workspace_size:
            block = self._grow_workspace(nbytes)
        return block.pointer

    def _grow_workspace(self, nbytes: int) -> Block:
        self.drop_workspace()
        block = self.device.pool.allocate(nbytes, self)
        # It belongs to the stream, which must not keep itself alive.
        block.stream_while_open = None
        self._workspace = block
        if self._native is not None:
            self._native.workspace = block
        self._workspace_size = block.size
        return block

    def drop_workspace(self) -> None:
        """Return the scratch memory to the pool; the caller holds `lock`."""
        block = self._workspace
        if block is not None:
            self._workspace = None
            self._workspace_size = 0
            if self._native is not None:
                self._native.workspace = None
            block.bin.append(block)

    def detach_dependents(self) -> None:
        """Make every dependent object drop the handle."""
        for dependent in self.dependents:
            dependent.detach()

    def attach_dependents(self) -> None:
        """Make the dependent objects take the handle again."""
        for dependent in self.dependents:
            dependent.attach()

    def close(self) -> None:
        """Wait for the stream's work, then destroy it unless it is borrowed.

        Closing twice is allowed. Buffers and tensors made on it stay usable on other streams.

        Raises
        ------
        AclError
            If work on the stream had failed; the stream is closed all the same.
        ValueError
            For the default stream of a device, which all threads share, and while the stream is
            captured.
        """
        if self.capture is not None:
            raise ValueError("the stream is being captured; end the capture first")
        if self.device.is_default(self):
            raise ValueError(
                "the device's default stream serves all threads and is closed at exit; "
                "close only streams you created"
            )
        check(self.destroy(), "aclrtSynchronizeStreamWithTimeout")

    def destroy(self) -> int:
        """Close without raising; the status of waiting for the work is returned."""
        with self.lock:
            handle = self._handle
            if handle is None:
                return 0
            with self.device.pool.lock:
                self._handle = None
            self.detach_dependents()
            self.drop_workspace()
        if state.stream is self:
            state.stream = None
        self.device.streams.discard(self)
        self.device.activate()
        assert self._native is not None
        try:
            return wait_for_stream(handle)
        finally:
            # Destroyed later if the wait is interrupted.
            self._native.close()

    def abandon(self) -> None:
        """Mark as closed without a call of CANN; the device frees the resources."""
        self._handle = None
        self.detach_dependents()
        self._workspace = None
        self.timeline.over = True
        for blocks in self.bins.values():
            blocks.clear()
        self.bins.clear()

    def __enter__(self) -> Stream:
        stream = self.activated()
        state.push(self.device, stream, self)
        return self

    def __exit__(self, *_: object) -> None:
        state.pop(self)

    def __reduce_ex__(self, protocol: object) -> Any:
        raise not_copied(
            self, "it is one queue of the device; make another: device.create_stream()"
        )
