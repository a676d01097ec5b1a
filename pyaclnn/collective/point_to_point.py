"""Point-to-point communication: one rank sends, another receives."""

from __future__ import annotations

from collections.abc import Sequence

from pyaclnn.abi import define, ffi
from pyaclnn.collective.dtypes import data_type
from pyaclnn.collective.link import Link
from pyaclnn.collective.operands import Target, address, as_source, require_on
from pyaclnn.runtime import Stream
from pyaclnn.tensor import Tensor

_DIRECTIONS = {"send": 0, "recv": 1}


class PointToPoint(Link):
    """Sending and receiving, asynchronously on streams."""

    __slots__ = ()

    def send(self, tensor: Tensor, to: int, *, stream: Stream | None = None) -> None:
        """Send a tensor to a rank, which has to receive the same size; the stream waits for it."""
        queue = self.queue(stream)
        require_on(tensor, "tensor", queue.device)
        source = as_source(tensor, queue)
        kind, peer = data_type(tensor.dtype), self.checked_rank(to, "to")
        self.submit("HcclSend", (address(source), tensor.size, kind, peer), queue, source)

    def recv(self, out: Tensor, source: int, *, stream: Stream | None = None) -> Tensor:
        """Receive a tensor from a rank; returns ``out``."""
        queue = self.queue(stream)
        require_on(out, "out", queue.device)
        to = Target(out, queue)
        kind, peer = data_type(out.dtype), self.checked_rank(source, "source")
        self.submit("HcclRecv", (address(to.memory), out.size, kind, peer), queue, to.memory)
        return to.finish()

    def batch_send_recv(
        self, items: Sequence[tuple[str, Tensor, int]], *, stream: Stream | None = None
    ) -> None:
        """Send and receive in one call, which cannot deadlock whatever the order of the ranks.

        Parameters
        ----------
        items : sequence of (str, Tensor, int)
            ``"send"`` or ``"recv"``, the tensor, and the rank at the other end.
        stream : Stream, optional
            Where it runs.
        """
        queue = self.queue(stream)
        define("HcclBatchSendRecv")
        array = ffi.new("HcclSendRecvItem[]", max(len(items), 1))
        memory: list[Tensor] = []
        targets: list[Target] = []
        for place, (direction, tensor, peer) in enumerate(items):
            if direction not in _DIRECTIONS:
                raise ValueError(f"item {place} is to {direction!r}; it is to 'send' or to 'recv'")
            require_on(tensor, f"the tensor of item {place}", queue.device)
            if direction == "send":
                memory.append(as_source(tensor, queue))
            else:
                targets.append(Target(tensor, queue))
                memory.append(targets[-1].memory)
            item = array[place]
            item.sendRecvType = _DIRECTIONS[direction]
            item.buf = address(memory[-1])
            item.count = tensor.size
            item.dataType = data_type(tensor.dtype)
            item.remoteRank = self.checked_rank(peer, f"the rank of item {place}")
        self.submit("HcclBatchSendRecv", (array, len(items)), queue, *memory)
        for each in targets:
            each.finish()
