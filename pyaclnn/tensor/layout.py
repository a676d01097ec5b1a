"""Layouts: shape, strides, offset and dtype, which map the elements of a tensor to its memory."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pyaclnn.runtime.block import rounded_size
from pyaclnn.tensor.dtypes import byte_count
from pyaclnn.tensor.views import Shape, check_fits, contiguous_strides

#: Bound of a cache of layouts, which is emptied when it is full.
MAX_LAYOUTS = 4096


class Layout:
    """Shape, strides, offset and dtype of a tensor; immutable.

    Parameters
    ----------
    shape : tuple of int
        Extents.
    strides : tuple of int
        Steps in elements.
    offset : int
        First element, in elements from the start of the memory.
    dtype : numpy.dtype
        Type of the elements, from `as_dtype`.
    """

    __slots__ = ("dtype", "offset", "shape", "strides")

    #: Whether a tensor of this layout is the whole of its memory.
    fills_memory = False

    def __init__(self, shape: Shape, strides: Shape, offset: int, dtype: np.dtype[Any]) -> None:
        self.shape = shape
        self.strides = strides
        self.offset = offset
        self.dtype = dtype


class ContiguousLayout(Layout):
    """The layout of row-major tensors that are the whole of their memory.

    All of one shape and dtype share it, so that it is compared by identity; `layout_of` returns it.

    Parameters
    ----------
    shape : tuple of int
        Extents.
    dtype : numpy.dtype
        Type of the elements, from `as_dtype`.

    Raises
    ------
    ValueError
        If an extent or a stride does not fit C's 64 bits.

    Attributes
    ----------
    nbytes : int
        Size of such a tensor.
    size : int
        Size of the blocks that hold one.
    """

    __slots__ = ("nbytes", "size")

    fills_memory = True

    def __init__(self, shape: Shape, dtype: np.dtype[Any]) -> None:
        super().__init__(shape, contiguous_strides(shape), 0, dtype)
        if not math.prod(shape):
            # Only empty shapes need the test: others that do not fit exceed any memory.
            check_fits(shape, shape + self.strides)
        self.nbytes = byte_count(math.prod(shape), dtype)
        self.size = rounded_size(self.nbytes)


#: The cache of layouts by shape and dtype, which `layout_of` fills.
known_layouts: dict[tuple[Shape, np.dtype[Any]], ContiguousLayout] = {}


def layout_of(shape: Shape, dtype: np.dtype[Any]) -> ContiguousLayout:
    """Return the layout of a shape and dtype; parameters as for `ContiguousLayout`."""
    layout = known_layouts.get((shape, dtype))
    if layout is None:
        if len(known_layouts) >= MAX_LAYOUTS:
            known_layouts.clear()
        layout = known_layouts.setdefault((shape, dtype), ContiguousLayout(shape, dtype))
    return layout
