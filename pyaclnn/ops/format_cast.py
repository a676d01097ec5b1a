"""Tensors copied from one memory format to another."""

from __future__ import annotations

from pyaclnn.ops.catalogue import ops
from pyaclnn.runtime import Stream
from pyaclnn.tensor import Tensor, empty
from pyaclnn.tensor.formats import with_format

_LINES, _BYTES = 16, 32  # of a block


def format_cast(tensor: Tensor, format: str, *, stream: Stream | None = None) -> Tensor:
    """Return the same values in another memory format.

    Parameters
    ----------
    tensor : Tensor
        Contiguous, of two dimensions or more.
    format : str
        ``"FRACTAL_NZ"``, in which the matrix unit takes weights, or ``"ND"`` for back.
    stream : Stream, optional
        Where the copy runs; the current one by default.

    Returns
    -------
    Tensor
        A new one; of this shape, though its memory may be larger. `Tensor.format` names the format.

    Raises
    ------
    ValueError
        For another format, or a tensor without matrices.
    AclError
        What CANN refuses: an element type or a chip that has no such format.

    Examples
    --------
    >>> import numpy as np, pyaclnn as pa
    >>> weight = pa.format_cast(pa.asarray(np.eye(3, 5, dtype=np.float16)), "FRACTAL_NZ")
    >>> weight.format, weight.shape
    ('FRACTAL_NZ', (3, 5))
    """
    if format not in ("ND", "FRACTAL_NZ"):
        raise ValueError(f"{format!r} is neither 'ND' nor 'FRACTAL_NZ'")
    if tensor.ndim < 2:
        raise ValueError(f"{tensor.describe()} has no matrices to lay out in blocks")
    if format == "ND":
        out = empty(tensor.shape, tensor.dtype)
        ops.npu_format_cast(tensor, out=with_format(out, "ND"), stream=stream)
        return out
    *batch, lines, length = tensor.shape
    width = _BYTES // tensor.dtype.itemsize
    storage = (*batch, -(-length // width), -(-lines // _LINES), _LINES, width)
    memory = empty(storage, tensor.dtype).buffer
    blocks = Tensor(memory, tensor.shape, tensor.dtype)
    blocks = with_format(blocks, "FRACTAL_NZ", storage_shape=storage)
    ops.npu_format_cast(with_format(tensor, "ND"), out=blocks, stream=stream)
    return blocks
