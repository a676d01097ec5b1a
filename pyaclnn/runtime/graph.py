"""Graphs: work captured from streams, run again with one call.

While a stream is captured, its work goes to a stand-in. The stand-in has memory of its own, so that
memory which the graph writes is not reused outside it. Tensors of the stream itself count as used
on another stream: their memory, once freed, is held until the graph is closed.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import ClosedError, check, ffi, lib
from pyaclnn.runtime.current import queue_of, state
from pyaclnn.runtime.event import Event
from pyaclnn.runtime.native_handle import NativeHandle, not_copied
from pyaclnn.runtime.stream import Stream
from pyaclnn.runtime.waiting import has_run, wait_for_stream

if TYPE_CHECKING:
    from types import TracebackType

    from pyaclnn.runtime.block import Block
    from pyaclnn.runtime.device import Device

_CAPTURING = (1, 2)  # active, invalidated
_MODES = {"global": 0, "thread_local": 1, "relaxed": 2}

_Bins = dict[int, list["Block"]]


class CaptureStream(Stream):
    """Replaces a stream during its capture and owns the memory of the graph.

    Parameters
    ----------
    origin : Stream
        The stream that is captured.
    graph : Graph
        What takes its work.

    Attributes
    ----------
    origin : Stream
        As given; after the capture the stream that the graph belongs to, where it runs.
    """

    __slots__ = ("_graph", "_held", "origin", "private")
    stands_in = True

    def __init__(self, origin: Stream, graph: Graph) -> None:
        self.origin = origin
        self._graph = weakref.ref(graph)
        self._held = True
        #: Bins of the memory that the graph uses, once the capture has ended.
        self.private: _Bins = {}
        self._set_up(origin.device, owned=False)
        # First, so that the capture is ended if this is interrupted.
        graph._stand_ins.append(self)
        self._handle = origin.handle
        self.timeline.held = []
        origin.device.streams.add(self)
        origin.capture = self
        # Plans look up the stream again and find the stand-in.
        origin.detach_dependents()
        state.replace(origin, self)

    @property
    def graph(self) -> Graph | None:
        """The graph being captured; None afterwards."""
        graph = self._graph()
        return graph if graph is not None and self.origin.capture is self else None

    def activated(self) -> Stream:
        """Bind the device; after the capture, work goes to the stream that the graph belongs to."""
        if self._handle is not None and self._graph() is None:
            # A signal interrupted the `with` statement between the block and the end of the
            # capture.
            self.device.activate()
            self.device.destroy_dropped()
            if self._handle is None:
                return self.origin.activated()
        if self._handle is not None:
            return super().activated()
        if not self._held:
            raise self._closed_error()
        return self.origin.activated()

    def _closed_error(self) -> ClosedError:
        return ClosedError("the graph that the stream belonged to is closed")

    @property
    def closed(self) -> bool:
        """Whether the graph or the stream it was captured on is closed."""
        return not self._held or self.origin.closed

    @property
    def handle(self) -> Any:
        """The ``aclrtStream`` of the stream that was captured."""
        if not self._held:
            raise self._closed_error()
        return self.origin.handle

    @property
    def holds_memory(self) -> bool:
        """Whether memory used here must stay as it is."""
        return self._held

    def end(self, home: Stream) -> None:
        """End the replacement of the stream; the graph will run on `home`.

        It may be called again if it was interrupted.
        """
        if self._handle is None:
            return
        with self.lock:
            self.drop_workspace()
            # Later work must not share memory with the graph.
            if not self.private:
                self.private, self.bins = self.bins, {}
        self.origin.capture = None
        self.detach_dependents()
        self.origin.attach_dependents()
        state.replace(self, self.origin)
        self._handle = None
        self.origin = home

    def let_go(self) -> None:
        """Return the graph's memory to the pool, after its last run."""
        self._held = False
        pool = self.device.pool
        pool.end_graph(self.timeline)
        pool.adopt_bins(self.private)
        with self.lock:
            self.drop_workspace()
        pool.adopt_bins(self.bins)
        self.device.streams.discard(self)

    def destroy(self) -> int:
        """Do nothing: the graph and the captured stream own the native objects."""
        return 0

    def __repr__(self) -> str:
        return f"CaptureStream({self.origin!r})"


class Graph:
    """Work captured from a stream, which one call runs as a whole.

    Made by :meth:`capture`; the work submitted to the stream inside the ``with`` block is recorded
    and not run. The addresses that it reads and writes are fixed: the graph keeps that memory as
    long as it is open, even memory of tensors that are gone. A stream that waits, inside the block,
    for an event of the captured stream is captured as well; the captured stream must wait for it in
    turn before the block ends. During a capture, calls that wait for the captured work, such as
    ``Tensor.numpy``, are not allowed, and no other thread may submit to its streams.

    Attributes
    ----------
    stream : Stream
        The stream it was captured on.
    """

    def __init__(self, stream: Stream, mode: str = "global") -> None:
        if mode not in _MODES:
            raise ValueError(f"mode is {mode!r}; it is one of {', '.join(map(repr, _MODES))}")
        if isinstance(stream, CaptureStream):
            raise ValueError("the stream is being captured already; graphs do not nest")
        self.stream = stream
        self._mode = _MODES[mode]
        #: One for each captured stream; the native handle refers to the same list.
        self._stand_ins: list[CaptureStream] = []
        self._closed = False
        stream.device.destroy_dropped()
        self._native = _GraphHandle(self, stream.device)

    @classmethod
    def capture(cls, stream: Stream | None = None, *, mode: str = "global") -> Graph:
        """Return a graph that captures a stream during a ``with`` block.

        Parameters
        ----------
        stream : Stream, optional
            What to capture; the current stream if not given. It is current inside the block.
        mode : str
            Which threads may not make calls that wait during the capture, such as copies to the
            host: all with ``"global"``, this one with ``"thread_local"``, none with ``"relaxed"``.

        Returns
        -------
        Graph
            Empty until its ``with`` block has ended; closed if the block raises.

        Raises
        ------
        ValueError
            For an unknown mode, or a stream that is being captured.
        """
        return cls(queue_of(stream), mode)

    @property
    def handle(self) -> Any:
        """The ``aclmdlRI``; NULL while the capture goes on and when the graph is closed."""
        return self._native.cell[0]

    @property
    def device(self) -> Device:
        """The device it runs on."""
        return self.stream.device

    @property
    def closed(self) -> bool:
        """Whether the graph was closed."""
        return self._closed

    @property
    def is_capturing(self) -> bool:
        """Whether the ``with`` block is being run."""
        return bool(self._stand_ins) and self.stream.capture is self._stand_ins[0]

    def __enter__(self) -> Graph:
        if self._closed or self._stand_ins:
            raise ValueError("a graph is captured once; start another with Graph.capture()")
        stream = self.stream.activated()
        self.device.destroy_dropped()
        begin, handle, native = lib.aclmdlRICaptureBegin, stream.handle, self._native
        try:
            native.capturing = True
            status = begin(handle, self._mode)
            if status:
                native.capturing = False
            else:
                self.join(stream)
                # The handle is the owner, so that the thread's stack does not keep the graph alive.
                state.push(stream.device, self._stand_ins[0], native)
        except BaseException:
            self._end()
            self.close()
            raise
        if status:
            check(status, "aclmdlRICaptureBegin")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            status = self._end()
            if status != 0 or error is not None:
                self.close()
        except BaseException:
            # It was interrupted: steps that are done are skipped.
            self._end()
            raise
        if error is None:
            check(status, "aclmdlRICaptureEnd")

    def _end(self) -> int:
        state.pop(self._native)
        self.device.activate()
        return self._native.end_capture()

    def join(self, stream: Stream) -> None:
        """Note that a stream is captured as well; called by `Stream.wait`."""
        CaptureStream(stream, self)

    def run(self, stream: Stream | None = None) -> None:
        """Submit the captured work once more.

        Parameters
        ----------
        stream : Stream, optional
            Where to run; the stream it was captured on by default. On another stream it is still
            ordered with the work of the captured one.

        Raises
        ------
        ClosedError
            After :meth:`close`, or when the stream is closed.
        AclError
            If CANN refuses; failures of the work itself appear when the stream is synchronised.
        """
        graph = self.handle
        if self._closed or not graph:
            why = "is closed" if self._closed else "is still being captured"
            raise ClosedError(f"the graph {why}")
        own = self.stream.activated()
        if stream is None or stream is own:
            status = lib.aclmdlRIExecuteAsync(graph, own.handle)
            if status:
                check(status, "aclmdlRIExecuteAsync")
            return
        stream = queue_of(stream)
        stream.wait(own.record(Event(own.device, timing=False)))
        check(lib.aclmdlRIExecuteAsync(graph, stream.handle), "aclmdlRIExecuteAsync")
        own.wait(stream.record(Event(own.device, timing=False)))

    def close(self) -> None:
        """Wait for the submitted runs, and destroy the graph and return its memory.

        Closing twice is allowed.

        Raises
        ------
        AclError
            If work on the stream had failed; the graph is closed all the same.
        ValueError
            While the capture goes on.
        """
        if self.is_capturing:
            raise ValueError("the graph is being captured; leave its `with` block first")
        if self._closed:
            return
        status = 0
        # A closed stream has run everything.
        if self._stand_ins and not self.stream.closed:
            self.device.activate()
            # If the wait is interrupted, the graph is still open.
            status = wait_for_stream(self.stream.handle)
        self._closed = True
        self._native.close()
        check(status, "aclrtSynchronizeStreamWithTimeout")

    def abandon(self) -> None:
        """Mark as closed without a call of CANN; the device frees the resources."""
        self._closed = True

    def __reduce_ex__(self, protocol: object) -> Any:
        raise not_copied(self, "what it recorded is tied to its stream; capture it once more")

    def __repr__(self) -> str:
        what = "closed" if self._closed else "capturing" if self.is_capturing else "ready"
        return f"<pyaclnn graph of {self.stream!r}, {what}>"


class _GraphHandle(NativeHandle):
    """The handle of a graph, which may outlive the `Graph`."""

    __slots__ = ("capturing", "stand_ins", "stream")
    function = "aclmdlRIDestroy"

    def __init__(self, owner: Graph, device: Device) -> None:
        #: Whether the capture may have begun and has not ended.
        self.capturing = False
        self.stream = owner.stream
        self.stand_ins = owner._stand_ins
        super().__init__(owner, device)

    def end_capture(self) -> int:
        """End the capture and return work to the streams themselves; may be called again."""
        status = 0
        if self.capturing:
            end, handle = lib.aclmdlRICaptureEnd, self.stream.handle
            self.capturing = False
            status = end(handle, self.cell)
            if status and self._is_captured():
                # Otherwise the stream would stay in capture mode.
                self.capturing = end(handle, self.cell) != 0
        for stand_in in self.stand_ins:
            stand_in.end(self.stream)
        return int(status)

    def _is_captured(self) -> bool:
        ask = lib.aclmdlRICaptureGetInfo  # declares the status type as well
        status = ffi.new("aclmdlRICaptureStatus *")
        return ask(self.stream.handle, status, ffi.NULL) == 0 and status[0] in _CAPTURING

    def is_idle(self, *, wait: bool) -> bool:
        # A closed stream has run everything.
        if self.stream.closed:
            return True
        if self.capturing:
            state.pop(self)
            self.end_capture()
        return not self.capturing and has_run(self.stream.handle, wait=wait)

    def give_back(self) -> None:
        while self.stand_ins:
            self.stand_ins[-1].let_go()
            del self.stand_ins[-1]
