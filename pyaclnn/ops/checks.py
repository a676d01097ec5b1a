"""Checks in Python of errors that would crash C code or give wrong results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from pyaclnn.runtime import Stream
from pyaclnn.tensor import Tensor
from pyaclnn.tensor.dtypes import is_packed


def tensors_of(values: Iterable[Any]) -> Iterator[Tensor]:
    """Yield the tensors among argument values, those inside lists too."""
    for value in values:
        if value.__class__ is Tensor:
            yield value
        elif isinstance(value, (list, tuple)):
            yield from tensors_of(value)


def note_use(tensor: Tensor, stream: Stream) -> None:
    """Tell the pool that ``stream`` uses a tensor that was allocated on another stream.

    Raises
    ------
    ValueError
        Where the tensor lives on another device than the stream.
    """
    if not use_elsewhere(tensor, stream):
        device = tensor.buffer.device
        tensor.buffer.check_open()
        _ = stream.handle  # a closed stream raises
        raise ValueError(
            f"the tensor is on device {device.index}, the stream on device "
            f"{stream.device.index}: copy the tensor, or use a stream of its device"
        )


def use_elsewhere(tensor: Tensor, stream: Stream) -> bool:
    """Do as `note_use`; return False if one is closed or they are on different devices."""
    memory = tensor._memory
    own = None if memory is None else memory.stream_while_open
    if memory is None or own is None or own.device is not stream.device or stream.closed:
        return False
    if own is not stream:
        memory.record_use(stream)
    return True


def _elements(tensor: Tensor) -> np.ndarray[Any, Any]:
    # An array over the same addresses, which is never read: NumPy decides whether two overlap.
    item = tensor.dtype.itemsize
    base = np.lib.stride_tricks.as_strided(
        np.empty(0, dtype=f"V{item}"),
        shape=tensor.shape,
        strides=[s * item for s in tensor.strides],
        writeable=False,
    )
    interface = dict(base.__array_interface__)
    interface["data"] = (tensor.buffer.ptr + tensor.offset * item, True)
    holder = type("_Addresses", (), {"__array_interface__": interface})()
    return np.asarray(holder)


def overlaps_partially(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors share some memory without being the same view."""
    if a._memory is not b._memory or a.size == 0 or b.size == 0:
        return False
    if (a.shape, a.strides, a.offset, a.dtype) == (b.shape, b.strides, b.offset, b.dtype):
        return False
    if is_packed(a.dtype) or is_packed(b.dtype):
        # NumPy has no strides of half a byte.
        return True
    # Any: NumPy's stubs know only its two named limits.
    max_work: Any = 10_000
    try:
        return bool(np.shares_memory(_elements(a), _elements(b), max_work))
    except np.exceptions.TooHardError:
        return True


def refuse_overlap(outputs: Iterable[tuple[str, Tensor]], inputs: list[tuple[str, Any]]) -> None:
    """Refuse an output that shares part of its memory with an input, an output or itself.

    Kernels read and write in no particular order; only aliasing by the very same view is safe.

    Raises
    ------
    ValueError
        Naming both parameters.
    """
    # Grouped by buffer: lists of a hundred tensors have ten thousand pairs, few of which alias.
    others: dict[int, list[tuple[str, Tensor]]] = {}
    for name, value in inputs:
        for tensor in tensors_of((value,)):
            others.setdefault(id(tensor._memory), []).append((name, tensor))
    for out_name, out in outputs:
        if any(s == 0 and n > 1 for s, n in zip(out.strides, out.shape, strict=True)):
            raise ValueError(
                f"{out_name}: an output whose elements share memory (stride 0) cannot be written: "
                f"{out.describe()}"
            )
        beside = others.setdefault(id(out._memory), [])
        for in_name, tensor in beside:
            if tensor is not out and overlaps_partially(out, tensor):
                raise ValueError(
                    f"{out_name} {out.describe()} overlaps {in_name} {tensor.describe()} "
                    "partially: pass the same view, or one with memory of its own"
                )
        beside.append((out_name, out))
