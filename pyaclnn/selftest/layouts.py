"""Layouts of tensors in device memory for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

import pyaclnn as pa

#: Layouts any tensor can have; ``expanded`` needs values that repeat.
LAYOUTS = ("contiguous", "transposed", "every_second", "offset", "inner_slice", "reversed_axes")


def place(array: np.ndarray[Any, Any], layout: str) -> pa.Tensor:
    """Return a device tensor with the values of ``array``, laid out as asked.

    Parameters
    ----------
    array : ndarray
        Any shape.
    layout : str
        ``contiguous``; ``transposed`` (last two axes swapped in memory); ``every_second`` (stride
        2 on the last axis); ``offset`` (starts 3 elements into its storage); ``inner_slice``
        (a window of a larger block); ``reversed_axes`` (column-major); ``exchanged`` (first two
        axes swapped in memory); ``inner_exchanged`` (the two before the last); ``expanded``
        (stride 0 on the first axis: every ``array[i]`` must be the same).
    """
    if array.ndim == 0 and layout != "offset":
        return pa.asarray(array)
    if layout == "contiguous":
        return pa.asarray(array)
    if layout == "transposed":
        if array.ndim < 2:
            return pa.asarray(array)
        axes = (*range(array.ndim - 2), array.ndim - 1, array.ndim - 2)
        return pa.asarray(np.ascontiguousarray(array.transpose(axes))).transpose(axes)
    if layout == "exchanged":
        return pa.asarray(np.ascontiguousarray(np.swapaxes(array, 0, 1))).transpose(
            (1, 0, *range(2, array.ndim))
        )
    if layout == "inner_exchanged":
        stored = np.ascontiguousarray(np.swapaxes(array, -3, -2))
        axes = (*range(array.ndim - 3), array.ndim - 2, array.ndim - 3, array.ndim - 1)
        return pa.asarray(stored).transpose(axes)
    if layout == "reversed_axes":
        return pa.asarray(np.ascontiguousarray(array.T)).T
    if layout == "every_second":
        wide = _filler((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
        wide[..., ::2] = array
        return pa.asarray(wide)[..., ::2]
    if layout == "offset":
        flat = _filler((array.size + 3,), array.dtype)
        flat[3:] = array.reshape(-1)
        return pa.asarray(flat)[3:].reshape(array.shape)
    if layout == "inner_slice":
        large = _filler(tuple(n + 2 for n in array.shape), array.dtype)
        window = tuple(slice(1, n + 1) for n in array.shape)
        large[window] = array
        return pa.asarray(large)[window]
    if layout == "expanded":
        return pa.asarray(np.ascontiguousarray(array[:1])).broadcast_to(array.shape)
    raise ValueError(f"unknown layout {layout!r}")


def _filler(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Return filler whose values show in a result if a kernel reads outside of the view."""
    return np.full(shape, 77, dtype=dtype)


def in_blocks(matrix: np.ndarray[Any, Any], width: int = 0) -> np.ndarray[Any, Any]:
    """Return matrices in FRACTAL_NZ: columns of blocks of 16 lines by 32 bytes, side by side.

    Blocks are as wide as said, if it is.
    """
    width = width or 32 // matrix.dtype.itemsize
    *batch, lines, length = matrix.shape
    down, across = -(-lines // 16), -(-length // width)
    filled = np.zeros((*batch, down * 16, across * width), matrix.dtype)
    filled[..., :lines, :length] = matrix
    blocks = filled.reshape(*batch, down * 16, across, width)
    return np.ascontiguousarray(np.moveaxis(blocks, -2, -3)).reshape(
        *batch, across, down, 16, width
    )


def in_fractals(weight: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the weight of a convolution in FRACTAL_Z_3D: 16 results by 32 bytes of channels."""
    width = 32 // weight.dtype.itemsize
    results, channels, *kernel = weight.shape
    up, across = -(-results // 16), -(-channels // width)
    filled = np.zeros((up * 16, across * width, *kernel), weight.dtype)
    filled[:results, :channels] = weight
    blocks = filled.reshape(up, 16, across, width, *kernel)
    return np.ascontiguousarray(blocks.transpose(4, 2, 5, 6, 0, 1, 3)).reshape(-1, up, 16, width)
