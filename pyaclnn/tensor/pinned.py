"""Arrays in pinned host memory, and asynchronous copies between them and tensors."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from pyaclnn.runtime import Buffer, Stream, after_fork, at_teardown
from pyaclnn.runtime.copies import download_async, upload_async
from pyaclnn.runtime.pinned import PinnedMemory
from pyaclnn.tensor.dtypes import as_dtype, is_packed
from pyaclnn.tensor.protocol import TensorLike

if TYPE_CHECKING:
    from numpy.typing import DTypeLike


Array = np.ndarray[Any, Any]

# Cached staging memory: two blocks, so that one is filled while the other is copied.
_KEPT = 2

_staging: list[PinnedMemory] = []
_staging_lock = threading.Lock()
at_teardown(_staging.clear)
after_fork(_staging.clear)


def empty_pinned(shape: int | tuple[int, ...], dtype: DTypeLike = "float32") -> Array:
    """Return an uninitialised array that devices copy from and to without staging.

    Copies with ``stream=`` between it and tensors are asynchronous: `Tensor.copy_from` and
    `Tensor.numpy`. Allocating it is expensive: allocate it once and reuse it.

    Parameters
    ----------
    shape : int or tuple of int
        Extents.
    dtype : dtype-like
        Of the elements.

    Returns
    -------
    numpy.ndarray
        C-contiguous. Views of it are pinned as well. The memory is freed when the last of them is
        gone and all submitted copies have run.

    Raises
    ------
    OutOfMemoryError
        If the system cannot give that much.

    Examples
    --------
    >>> import pyaclnn as pa
    >>> host = pa.empty_pinned((2, 3))
    >>> host[...] = 1.5
    >>> stream = pa.current_stream()
    >>> tensor = pa.empty((2, 3)).copy_from(host, stream=stream)
    >>> tensor.numpy(out=host, stream=stream)[0]  # doctest: +SKIP
    >>> stream.sync()
    >>> float(host.sum())
    9.0
    """
    extents = (shape,) if isinstance(shape, int) else tuple(shape)
    if any(extent < 0 for extent in extents):
        raise ValueError(f"shape {extents} has a negative extent")
    element = as_dtype(dtype)
    nbytes = math.prod(extents) * element.itemsize
    if nbytes == 0:
        return np.empty(extents, element)
    return np.asarray(PinnedMemory(nbytes)).view(element).reshape(extents)


def submit_to_host(tensor: TensorLike, buffer: Buffer, out: Array | None, stream: Stream) -> Array:
    """Submit a copy of a tensor's values; see `Tensor.numpy`."""
    if out is None:
        out = empty_pinned(tensor.shape, tensor.dtype)
    memory = PinnedMemory.under(out)
    if out.size and (memory is None or not out.flags.c_contiguous):
        raise ValueError(
            "with stream= the values arrive later, in pinned memory: give "
            "out=pyaclnn.empty_pinned(...) that is C-contiguous, or no out"
        )
    _check_contiguous(tensor)
    _check_runs(stream)
    if memory is not None:
        use = memory.begin_use(stream)
        download_async(buffer, tensor.offset * tensor.itemsize, out, stream)
        use.submitted()
    return out


def submit_from_host(tensor: TensorLike, buffer: Buffer, values: Array, stream: Stream) -> None:
    """Submit a copy of host values; see `Tensor.copy_from`.

    Values that are not in pinned memory, or not laid out as the tensor, are copied to pinned memory
    first, synchronously.
    """
    _check_contiguous(tensor)
    _check_runs(stream)
    if tensor.size == 0:
        return
    memory = PinnedMemory.under(values)
    if memory is not None and values.dtype == tensor.dtype and values.flags.c_contiguous:
        use = memory.begin_use(stream)
        upload_async(buffer, tensor.offset * tensor.itemsize, values, stream)
        use.submitted()
        return
    memory = _take_staging(tensor.nbytes)
    staged = np.asarray(memory)[: tensor.nbytes].view(tensor.dtype).reshape(tensor.shape)
    np.copyto(staged, values, casting="same_kind")
    use = memory.begin_use(stream)
    upload_async(buffer, tensor.offset * tensor.itemsize, staged, stream)
    use.submitted()
    with _staging_lock:
        _staging.append(memory)
        _staging.sort(key=lambda kept: kept.nbytes)
        del _staging[:-_KEPT]


def _take_staging(nbytes: int) -> PinnedMemory:
    with _staging_lock:
        for index, memory in enumerate(_staging):
            if memory.nbytes >= nbytes and memory.is_idle:
                return _staging.pop(index)
    return PinnedMemory(nbytes)


def _check_contiguous(tensor: TensorLike) -> None:
    if not tensor.is_contiguous:
        raise ValueError(
            f"{tensor.describe()} is not contiguous, and copying it takes more than one step: "
            "leave out stream=, or copy the tensor it is a view of"
        )
    if is_packed(tensor.dtype):
        raise ValueError(
            f"{tensor.describe()} has two elements in a byte, and copying it takes more than one "
            "step: leave out stream="
        )


def _check_runs(stream: Stream) -> None:
    if stream.holds_memory or stream.graph is not None:
        raise ValueError(
            "the stream is being captured, and a graph does not hold host memory: copy before the "
            "capture, or leave out stream="
        )
