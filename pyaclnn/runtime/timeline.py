"""Timelines: whether a stream has run its work, also after the stream is gone."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from pyaclnn.abi import check
from pyaclnn.runtime.waiting import wait_for_device

if TYPE_CHECKING:
    from pyaclnn.runtime.block import Block
    from pyaclnn.runtime.stream import Stream


class Timeline:
    """The progress of a stream: whether the work submitted to it has run.

    Memory refers to the timelines of the streams that used it and not to the streams, so that it
    does not keep a stream alive.

    Parameters
    ----------
    stream : Stream
        Referred to weakly.
    held : list of Block, optional
        Given for work that is recorded in a graph.

    Attributes
    ----------
    over : bool
        Whether all work has run and no more will be submitted.
    held : list of Block or None
        Memory that was freed while a graph may use it again; None for other streams.
    """

    __slots__ = ("_device", "_stream", "held", "over")

    def __init__(self, stream: Stream, held: list[Block] | None = None) -> None:
        self._stream = weakref.ref(stream)
        self._device = stream.device
        self.held = held
        self.over = False

    @property
    def stream(self) -> Stream | None:
        """The stream; None once it is dropped or closed."""
        stream = self._stream()
        return None if stream is None or stream.closed else stream

    def sync(self) -> None:
        """Wait for the work submitted so far.

        Raises
        ------
        AclError
            If it failed.
        """
        stream = self.stream
        if stream is not None:
            stream.sync()
        else:
            self.finish()

    def finish(self) -> None:
        """Wait for the work of a stream that is dropped or closed."""
        # Recorded work of a closed stream does not run again.
        if not self.over and self.held is None:
            self._device.activate()
            self._device.destroy_dropped(wait=True)
            if not self.over:
                # Another thread is closing it.
                check(wait_for_device(), "aclrtSynchronizeDeviceWithTimeout")
