"""Tensors as text and HTML: all values of a small one, the corners of a large one."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyaclnn.tensor.descriptions import stored_blocks
from pyaclnn.tensor.protocol import TensorLike


def text(tensor: TensorLike) -> str:
    """Wait for the work on a tensor and write its values as NumPy does, its options included."""
    options = np.get_printoptions()
    if tensor.size <= options["threshold"] or stored_blocks(tensor) is not None:
        return str(tensor.numpy())
    # One more element than is shown, for NumPy to leave out.
    return np.array2string(_corners(tensor, options["edgeitems"] + 1), threshold=0)


def page(tensor: TensorLike) -> str:
    """Return a table of shape, dtype, device and values for a notebook."""
    import html  # only a notebook asks for it

    if tensor.closed:
        return f"<pre>{html.escape(repr(tensor))}</pre>"
    rows = {
        "shape": str(tensor.shape),
        "dtype": tensor.dtype.name,
        "device": str(tensor.device.index),
        "values": text(tensor),
    }
    cells = "".join(
        f"<tr><th>{name}</th><td><pre>{html.escape(value)}</pre></td></tr>"
        for name, value in rows.items()
    )
    return f"<table>{cells}</table>"


def _corners(tensor: TensorLike, edge: int) -> np.ndarray[Any, Any]:
    """Copy the first and last elements of each axis, by contiguous rows where these are."""
    extent = tensor.shape[0]
    long = extent > 2 * edge
    if tensor.ndim == 1:
        if not long:
            return tensor.numpy()
        return np.concatenate([tensor[:edge].numpy(), tensor[-edge:].numpy()])
    shown = [*range(edge), *range(extent - edge, extent)] if long else range(extent)
    return np.stack([_corners(tensor[i], edge) for i in shown])
