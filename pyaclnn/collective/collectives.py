"""The collective operations, which all ranks of a communicator call in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyaclnn.collective.dtypes import data_type, reduction
from pyaclnn.collective.link import Link
from pyaclnn.collective.operands import (
    Target,
    address,
    as_source,
    counts_array,
    host,
    places_of,
    require_on,
    row_size,
    target,
)
from pyaclnn.runtime import Stream
from pyaclnn.tensor import Tensor


class Collectives(Link):
    """The collective operations. They are asynchronous, on the thread's current stream by default.

    All ranks have to call the same operations in the same order, with the same dtypes and, except
    for those that end in ``_v``, the same number of elements. Tensors may be changed or closed once
    the stream has run the work.
    """

    __slots__ = ()

    def all_reduce(
        self,
        tensor: Tensor,
        op: str = "sum",
        *,
        out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Reduce the tensors of all ranks; all get the result.

        Parameters
        ----------
        tensor : Tensor
            Of the same size on every rank.
        op : {"sum", "prod", "max", "min"}
            The reduction.
        out : Tensor, optional
            Where to; it may be ``tensor`` itself. A new one if not given.
        stream : Stream, optional
            Where it runs.

        Returns
        -------
        Tensor
            Of the same shape.
        """
        queue = self.queue(stream)
        require_on(tensor, "tensor", queue.device)
        kind, way = data_type(tensor.dtype), reduction(op, tensor.dtype)
        to = target(out, tensor.shape, tensor.dtype, queue)
        source = as_source(tensor, queue)
        arguments = (address(source), address(to.memory), tensor.size, kind, way)
        self.submit("HcclAllReduce", arguments, queue, source, to.memory)
        return to.finish()

    def reduce(
        self,
        tensor: Tensor,
        root: int = 0,
        op: str = "sum",
        *,
        out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor | None:
        """Reduce the tensors of all ranks; the root gets the result, others None."""
        queue = self.queue(stream)
        require_on(tensor, "tensor", queue.device)
        kind, way = data_type(tensor.dtype), reduction(op, tensor.dtype)
        receives = self.checked_rank(root, "root") == self.rank
        source = as_source(tensor, queue)
        to = target(out, tensor.shape, tensor.dtype, queue) if receives else None
        # The output of other ranks is not written, but may not be null.
        memory = source if to is None else to.memory
        arguments = (address(source), address(memory), tensor.size, kind, way, root)
        self.submit("HcclReduce", arguments, queue, source, memory)
        return None if to is None else to.finish()

    def broadcast(self, tensor: Tensor, root: int = 0, *, stream: Stream | None = None) -> Tensor:
        """Overwrite the tensors of all ranks with the root's; returns ``tensor``."""
        queue = self.queue(stream)
        require_on(tensor, "tensor", queue.device)
        kind = data_type(tensor.dtype)
        sends = self.checked_rank(root, "root") == self.rank
        to = Target(tensor, queue, keeps=sends)
        self.submit(
            "HcclBroadcast", (address(to.memory), tensor.size, kind, root), queue, to.memory
        )
        return tensor if sends else to.finish()

    def all_gather(
        self, tensor: Tensor, *, out: Tensor | None = None, stream: Stream | None = None
    ) -> Tensor:
        """Stack the tensors of all ranks along a new first axis; all get the result."""
        queue = self.queue(stream)
        require_on(tensor, "tensor", queue.device)
        kind = data_type(tensor.dtype)
        to = target(out, (self.size, *tensor.shape), tensor.dtype, queue)
        source = as_source(tensor, queue)
        arguments = (address(source), address(to.memory), tensor.size, kind)
        self.submit("HcclAllGather", arguments, queue, source, to.memory)
        return to.finish()

    def all_gather_v(
        self,
        tensor: Tensor,
        counts: Sequence[int],
        *,
        out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Join the tensors of all ranks along the first axis; ``counts`` has each rank's rows."""
        queue = self.queue(stream)
        require_on(tensor, "tensor", queue.device)
        kind, row = data_type(tensor.dtype), row_size(tensor, "tensor")
        rows = counts_array(counts, self.size, "counts")
        self._require_rows(tensor, int(rows[self.rank]), "counts")
        to = target(out, (int(rows.sum()), *tensor.shape[1:]), tensor.dtype, queue)
        source = as_source(tensor, queue)
        lengths = rows * row
        places = places_of(lengths)
        arguments = (
            *(address(source), tensor.size, address(to.memory)),
            *(host(lengths), host(places), kind),
        )
        self.submit("HcclAllGatherV", arguments, queue, source, to.memory)
        return to.finish()

    def reduce_scatter(
        self,
        tensor: Tensor,
        op: str = "sum",
        *,
        out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Reduce the tensors of all ranks; each gets an equal part of the rows, in rank order."""
        queue = self.queue(stream)
        shape = self._share(tensor, queue)
        kind, way = data_type(tensor.dtype), reduction(op, tensor.dtype)
        to = target(out, shape, tensor.dtype, queue)
        source = as_source(tensor, queue)
        count = tensor.size // self.size
        arguments = (address(source), address(to.memory), count, kind, way)
        self.submit("HcclReduceScatter", arguments, queue, source, to.memory)
        return to.finish()

    def reduce_scatter_v(
        self,
        tensor: Tensor,
        counts: Sequence[int],
        op: str = "sum",
        *,
        out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """As `reduce_scatter`; ``counts`` has the rows that each rank gets."""
        queue = self.queue(stream)
        require_on(tensor, "tensor", queue.device)
        kind, way = data_type(tensor.dtype), reduction(op, tensor.dtype)
        rows, row = counts_array(counts, self.size, "counts"), row_size(tensor, "tensor")
        self._require_rows(tensor, int(rows.sum()), "the sum of counts")
        to = target(out, (int(rows[self.rank]), *tensor.shape[1:]), tensor.dtype, queue)
        source = as_source(tensor, queue)
        lengths = rows * row
        places = places_of(lengths)
        arguments = (
            *(address(source), host(lengths), host(places)),
            *(address(to.memory), int(lengths[self.rank]), kind, way),
        )
        self.submit("HcclReduceScatterV", arguments, queue, source, to.memory)
        return to.finish()

    def scatter(
        self,
        tensor: Tensor | None,
        root: int = 0,
        *,
        out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """Give each rank an equal part of the rows of the root's tensor, in rank order.

        The other ranks pass None for ``tensor`` and have to pass ``out``.
        """
        queue = self.queue(stream)
        sends = self.checked_rank(root, "root") == self.rank
        if sends and tensor is None:
            raise ValueError(f"rank {root} is the root; it has to give the tensor")
        if not sends and out is None:
            raise ValueError(f"rank {self.rank} receives; give out=, for its shape and dtype")
        if sends and tensor is not None:
            to = target(out, self._share(tensor, queue), tensor.dtype, queue)
            source = as_source(tensor, queue)
        else:
            assert out is not None
            require_on(out, "out", queue.device)
            to = Target(out, queue)
            source = to.memory
        memory = to.memory
        kind = data_type(memory.dtype)
        arguments = (address(source), address(memory), memory.size, kind, root)
        self.submit("HcclScatter", arguments, queue, source, memory)
        return to.finish()

    def all_to_all(
        self, tensor: Tensor, *, out: Tensor | None = None, stream: Stream | None = None
    ) -> Tensor:
        """Send an equal part of the rows to each rank and get one from each, in rank order."""
        queue = self.queue(stream)
        self._share(tensor, queue)
        kind = data_type(tensor.dtype)
        to = target(out, tensor.shape, tensor.dtype, queue)
        source = as_source(tensor, queue)
        count = tensor.size // self.size
        arguments = (address(source), count, kind, address(to.memory), count, kind)
        self.submit("HcclAlltoAll", arguments, queue, source, to.memory)
        return to.finish()

    def all_to_all_v(
        self,
        tensor: Tensor,
        send_counts: Sequence[int],
        receive_counts: Sequence[int],
        *,
        out: Tensor | None = None,
        stream: Stream | None = None,
    ) -> Tensor:
        """As `all_to_all`; the counts are the rows for each rank, and from each."""
        queue = self.queue(stream)
        require_on(tensor, "tensor", queue.device)
        kind, row = data_type(tensor.dtype), row_size(tensor, "tensor")
        leaving = counts_array(send_counts, self.size, "send_counts")
        coming = counts_array(receive_counts, self.size, "receive_counts")
        self._require_rows(tensor, int(leaving.sum()), "the sum of send_counts")
        to = target(out, (int(coming.sum()), *tensor.shape[1:]), tensor.dtype, queue)
        source = as_source(tensor, queue)
        kept: list[Any] = []
        ends: list[Any] = []
        for memory, rows in ((source, leaving), (to.memory, coming)):
            lengths = rows * row
            kept += [lengths, places_of(lengths)]
            ends += [address(memory), host(kept[-2]), host(kept[-1]), kind]
        self.submit("HcclAlltoAllV", tuple(ends), queue, source, to.memory)
        return to.finish()

    def barrier(self, *, stream: Stream | None = None) -> None:
        """Make the stream wait until all ranks have reached this call."""
        self.submit("HcclBarrier", (), self.queue(stream))

    def _share(self, tensor: Tensor, queue: Stream) -> tuple[int, ...]:
        require_on(tensor, "tensor", queue.device)
        row_size(tensor, "tensor")
        if tensor.shape[0] % self.size:
            raise ValueError(
                f"{tensor.describe()} has {tensor.shape[0]} rows, which {self.size} ranks cannot "
                "share equally; the form that ends in _v takes any lengths"
            )
        return (tensor.shape[0] // self.size, *tensor.shape[1:])

    def _require_rows(self, tensor: Tensor, rows: int, name: str) -> None:
        if tensor.shape[0] != rows:
            raise ValueError(
                f"{tensor.describe()} has {tensor.shape[0]} rows on rank {self.rank}, {name} "
                f"says {rows}"
            )
