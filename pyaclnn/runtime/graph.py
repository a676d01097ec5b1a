"""Graphs: work captured from streams, run again with one call.

While a stream is captured, work goes to a stand-in for it. The stand-in has memory of its own, so
that nothing a graph writes is handed to anybody else, and tensors of the stream itself count as
used elsewhere, so that their memory is not reused while the graph may run.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import ClosedError, check, ffi, lib, warn_status
from pyaclnn.runtime.current import current_stream, state
from pyaclnn.runtime.event import Event
from pyaclnn.runtime.stream import Stream

if TYPE_CHECKING:
    from types import TracebackType

    from pyaclnn.runtime.block import Block
    from pyaclnn.runtime.device import Device

_MODES = {"global": 0, "thread_local": 1, "relaxed": 2}

_Bins = dict[int, list["Block"]]


class CaptureStream(Stream):
    """Stands in for a stream that is captured, and owns the memory of the graph on it.

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

    def __init__(self, origin: Stream, graph: Graph) -> None:
        self.origin = origin
        self._graph = weakref.ref(graph)
        self._held = True
        #: Bins of the memory that the graph uses, once the capture has ended.
        self.private: _Bins = {}
        self._adopt(origin.handle, origin.device, owned=False)
        origin.capture = self
        # Plans go through the stream again, and find the stand-in.
        origin.detach_dependents()
        state.replace(origin, self)

    @property
    def graph(self) -> Graph | None:
        """The graph being captured; None afterwards."""
        graph = self._graph()
        return graph if graph is not None and self.origin.capture is self else None

    @property
    def closed(self) -> bool:
        """Whether the graph or the stream it was captured on is closed."""
        return not self._held or self.origin.closed

    @property
    def handle(self) -> Any:
        """The ``aclrtStream`` of the stream that was captured."""
        if not self._held:
            raise ClosedError("the graph that the stream belonged to is closed")
        return self.origin.handle

    @property
    def holds_memory(self) -> bool:
        """Whether memory used here must stay as it is."""
        return self._held

    def end(self, home: Stream) -> None:
        """Let work go to the stream itself again; the graph will run on `home`."""
        with self.lock:
            self.drop_workspace()
            # Work that comes later must not share memory with the graph.
            self.private, self.bins = self.bins, {}
            self.forms.clear()
        self._handle = None
        self.origin.capture = None
        self.detach_dependents()
        self.origin.attach_dependents()
        state.replace(self, self.origin)
        self.origin = home

    def let_go(self) -> None:
        """Give the graph's memory back; the graph has run for the last time."""
        self._held = False
        pool = self.device.pool
        pool.adopt_bins(self.private)
        with self.lock:
            self.drop_workspace()
        pool.adopt_bins(self.bins)
        self.device.streams.discard(self)

    def destroy(self) -> int:
        """Do nothing: the graph and the stream itself have owners."""
        return 0

    def __repr__(self) -> str:
        return f"CaptureStream({self.origin!r})"


class Graph:
    """Work captured from a stream, that runs as a whole with one call.

    Made by :meth:`capture`; the work submitted to the stream inside the ``with`` block is recorded
    and not run. What it reads and writes is fixed: the graph keeps that memory as long as it is
    open, also memory of tensors that are gone. A stream that waits, inside the block, for an event
    of the captured stream is captured as well; the captured stream must wait for it in turn before
    the block ends. During a capture nothing may wait for the captured work, such as
    ``Tensor.numpy``, and no other thread may submit to its streams.

    Attributes
    ----------
    stream : Stream
        The stream it was captured on.
    handle : cffi pointer
        The ``aclmdlRI``; NULL while the capture goes on.
    """

    def __init__(self, stream: Stream, mode: str = "global") -> None:
        if mode not in _MODES:
            raise ValueError(f"mode is {mode!r}; it is one of {', '.join(map(repr, _MODES))}")
        if isinstance(stream, CaptureStream):
            raise ValueError("the stream is being captured already; graphs do not nest")
        self.stream = stream
        self.handle: Any = ffi.NULL
        self._mode = _MODES[mode]
        self._stand_ins: list[CaptureStream] = []
        self._closed = False

    @classmethod
    def capture(cls, stream: Stream | None = None, *, mode: str = "global") -> Graph:
        """Return a graph that captures a stream for the length of a ``with`` block.

        Parameters
        ----------
        stream : Stream, optional
            What to capture; the current stream if not given. It is current inside the block.
        mode : str
            Who may not make calls that wait meanwhile, such as copies to the host: ``"global"``,
            no thread; ``"thread_local"``, not this thread; ``"relaxed"``, all may.

        Returns
        -------
        Graph
            Empty until its ``with`` block was left; if that fails, closed.

        Raises
        ------
        ValueError
            For an unknown mode, or a stream that is being captured.
        """
        return cls(current_stream() if stream is None else stream.activated(), mode)

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
        check(lib.aclmdlRICaptureBegin(stream.handle, self._mode), "aclmdlRICaptureBegin")
        self.join(stream)
        state.push(stream.device, self._stand_ins[0])
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        state.pop()
        self.stream.device.activate()
        place = ffi.new("aclmdlRI *")
        status = lib.aclmdlRICaptureEnd(self.stream.handle, place)
        for stand_in in self._stand_ins:
            stand_in.end(self.stream)
        if status == 0:
            self.handle = place[0]
        if status != 0 or error is not None:
            self.close()
        if error is None:
            check(status, "aclmdlRICaptureEnd")

    def join(self, stream: Stream) -> None:
        """Note that a stream is captured as well; called by `Stream.wait`."""
        self._stand_ins.append(CaptureStream(stream, self))

    def run(self, stream: Stream | None = None) -> None:
        """Submit the captured work once more.

        Parameters
        ----------
        stream : Stream, optional
            Where to run; the stream it was captured on by default. On another one it is ordered
            with the work of the captured stream all the same.

        Raises
        ------
        ClosedError
            After :meth:`close`, or when the stream is closed.
        AclError
            If CANN refuses; failures of the work itself appear when the stream is synchronised.
        """
        if self._closed or not self.handle:
            why = "is closed" if self._closed else "is still being captured"
            raise ClosedError(f"the graph {why}")
        own = self.stream.activated()
        if stream is None or stream is own:
            status = lib.aclmdlRIExecuteAsync(self.handle, own.handle)
            if status:
                check(status, "aclmdlRIExecuteAsync")
            return
        stream = stream.activated()
        stream.wait(own.record(Event(own.device, timing=False)))
        check(lib.aclmdlRIExecuteAsync(self.handle, stream.handle), "aclmdlRIExecuteAsync")
        own.wait(stream.record(Event(own.device, timing=False)))

    def close(self) -> None:
        """Wait for the runs submitted, and give the graph and its memory back.

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
        self._closed = True
        check(self._remains().destroy(), "aclrtSynchronizeStream")

    def _remains(self) -> _Remains:
        remains = _Remains(self.handle, self.stream, self._stand_ins)
        self.handle = ffi.NULL
        self._stand_ins = []
        return remains

    def __del__(self) -> None:
        # A finalizer runs in any thread; destroying waits.
        if not getattr(self, "_closed", True) and self._stand_ins:
            self._closed = True
            self.stream.device.dropped.append(self._remains())

    def __repr__(self) -> str:
        what = "closed" if self._closed else "capturing" if self.is_capturing else "ready"
        return f"<pyaclnn graph of {self.stream!r}, {what}>"


class _Remains:
    """What must be destroyed of a graph."""

    __slots__ = ("handle", "stand_ins", "stream")

    def __init__(self, handle: Any, stream: Stream, stand_ins: list[CaptureStream]) -> None:
        self.handle = handle
        self.stream = stream
        self.stand_ins = stand_ins

    def __call__(self) -> None:
        # What a graph that nobody holds has left undone concerns nobody.
        self.destroy()

    def destroy(self) -> int:
        """Destroy it; the status of waiting for its work is returned."""
        status = 0
        self.stream.device.activate()
        # A closed stream has run everything.
        if not self.stream.closed:
            status = int(lib.aclrtSynchronizeStream(self.stream.handle))
        if self.handle:
            warn_status(lib.aclmdlRIDestroy(self.handle), "aclmdlRIDestroy")
        for stand_in in self.stand_ins:
            stand_in.let_go()
        return status
