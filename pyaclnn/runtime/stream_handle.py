"""What is left of streams that are closed, or that Python has let go of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyaclnn.abi import warn_status
from pyaclnn.runtime.native_handle import NativeHandle
from pyaclnn.runtime.waiting import has_run, wait_for_device

if TYPE_CHECKING:
    from pyaclnn.runtime.block import Block
    from pyaclnn.runtime.device import Device
    from pyaclnn.runtime.stream import Stream


class StreamHandle(NativeHandle):
    """What is left of a stream."""

    __slots__ = ("bins", "timeline", "workspace")
    function = "aclrtDestroyStream"

    def __init__(self, owner: Stream, device: Device) -> None:
        self.bins = owner.bins
        self.timeline = owner.timeline
        self.workspace: Block | None = None
        super().__init__(owner, device)

    def is_idle(self, *, wait: bool) -> bool:
        """Return whether it has run everything: destroying would wait, whatever signals come."""
        return not self.cell[0] or has_run(self.cell[0], wait=wait)

    def give_back(self) -> None:
        """Let others have the memory of a stream that has run everything."""
        block, self.workspace = self.workspace, None
        if block is not None:
            block.bin.append(block)
        self.timeline.over = True
        self.device.pool.adopt_bins(self.bins)


class BorrowedStreamHandle(StreamHandle):
    """What is left of a borrowed stream: the memory that it was the home of."""

    __slots__ = ("_ran",)

    def __init__(self, owner: Stream, device: Device) -> None:
        self._ran = False
        super().__init__(owner, device)

    def is_idle(self, *, wait: bool) -> bool:
        """Wait for the device: the owner may have destroyed the stream since."""
        if not self._ran:
            warn_status(wait_for_device(), "aclrtSynchronizeDeviceWithTimeout")
        return True

    def close(self) -> None:
        """Give the memory back; the stream has run everything."""
        self._ran = True
        super().close()
