"""The memory layout of a trace: disjoint ranges of addresses that its calls use."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from pyaclnn.trace.reader import DTYPES, PLAIN_FORMATS, Call, TensorView, TraceError

#: The limit of memory in a replay.
MAX_BYTES = 16 << 30
#: Memory begins at a multiple of it, as device memory does.
ALIGNMENT = 512


class Span(NamedTuple):
    """Elements of a tensor: their size, where the first one is, shape and strides in elements."""

    item: int
    first: int
    begin: int
    end: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def span_of(tensor: TensorView) -> Span:
    """Return the bytes that a tensor's elements are in, as addresses.

    Raises
    ------
    TraceError
        They are in no memory that there could be.
    """
    item = DTYPES.get(tensor.dtype, ("", 1))[1]
    shape, strides, offset = tensor.shape, tensor.strides, tensor.offset
    if tensor.format not in PLAIN_FORMATS and tensor.storage:
        # A private format is treated as its row-major storage.
        shape, offset = tensor.storage, 0
        steps = [1]
        for size in reversed(shape[1:]):
            steps.insert(0, steps[0] * size)
        strides = tuple(steps)
    reach = [(n - 1) * s for n, s in zip(shape, strides, strict=True) if n > 0]
    low, high = offset + sum(r for r in reach if r < 0), offset + sum(r for r in reach if r > 0)
    count = 1
    for n in shape:
        count *= n
    begin, end = tensor.address + low * item, tensor.address + (high + 1) * item
    good = low >= 0 and min(shape, default=1) >= 0 and end < 1 << 62 and end - begin <= MAX_BYTES
    if not good or count * item > MAX_BYTES:
        raise TraceError(f"{tensor} at {tensor.address:#x} can be in no memory")
    first = tensor.address + offset * item
    return Span(item, first, begin, begin if count == 0 else end, shape, strides)


def view(memory: np.ndarray[Any, np.dtype[np.uint8]], span: Span, begin: int) -> Any:
    """Return the elements of a span in the bytes of its memory, which begins at an address."""
    raw = np.dtype((np.void, span.item))
    count = int(np.prod(span.shape, dtype=object)) if span.shape else 1
    if count == 0:
        return np.empty(span.shape, raw)
    start = span.first - begin
    return as_strided(
        memory[start : start + span.item].view(raw),
        span.shape,
        [s * span.item for s in span.strides],
    )


class Layout:
    """The memory of some calls as disjoint ranges, and the lookup of addresses."""

    def __init__(self, calls: Iterable[Call]) -> None:
        wanted = []
        for call in calls:
            for _, _, _, tensor in call.tensors():
                if tensor.address:
                    span = span_of(tensor)
                    wanted.append((tensor.address, span.begin, span.end))
        #: Beginnings, aligned, and ends.
        self.begins: list[int] = []
        self.ends: list[int] = []
        for address, begin, end in sorted(wanted, key=lambda w: min(w[0], w[1])):
            low = min(address, begin) // ALIGNMENT * ALIGNMENT
            if self.ends and low < self.ends[-1]:
                self.ends[-1] = max(self.ends[-1], end)
            else:
                self.begins.append(low)
                self.ends.append(max(end, low + 1))
        if sum(e - b for b, e in zip(self.begins, self.ends, strict=True)) > MAX_BYTES:
            raise TraceError(f"the calls are in more than {MAX_BYTES >> 30} GiB of memory")

    def place(self, address: int) -> int:
        """Return the number of the range that an address is in."""
        return bisect_right(self.begins, address) - 1

    def size(self, number: int) -> int:
        """Return how many bytes a range has."""
        return self.ends[number] - self.begins[number]
