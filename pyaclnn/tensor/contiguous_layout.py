"""Forms: the description that contiguous tensors of one shape and dtype share."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pyaclnn.runtime.pool import rounded_size
from pyaclnn.tensor.dtypes import byte_count
from pyaclnn.tensor.views import Shape, check_fits, contiguous_strides

#: Entries of a dictionary of layouts; beyond them it begins anew.
MAX_LAYOUTS = 4096


class ContiguousLayout:
    """One shape and dtype; compared by identity.

    Parameters
    ----------
    shape : tuple of int
        Extents; the elements are contiguous and begin with the memory.
    dtype : numpy.dtype
        Type of the elements, from `as_dtype`.

    Raises
    ------
    ValueError
        If an extent or a stride does not fit C's 64 bits.

    Attributes
    ----------
    strides : tuple of int
        Row-major.
    nbytes : int
        Size of such a tensor.
    size : int
        Size of the blocks that hold one.
    """

    __slots__ = ("dtype", "nbytes", "shape", "size", "strides")

    def __init__(self, shape: Shape, dtype: np.dtype[Any]) -> None:
        self.shape = shape
        self.strides = contiguous_strides(shape)
        if not math.prod(shape):
            # Where there are elements, there is no memory for as many.
            check_fits(shape, shape + self.strides)
        self.dtype = dtype
        self.nbytes = byte_count(math.prod(shape), dtype)
        self.size = rounded_size(self.nbytes)


#: Of all shapes and dtypes in use, to look in; `layout_of` fills it.
known_layouts: dict[tuple[Shape, np.dtype[Any]], ContiguousLayout] = {}


def layout_of(shape: Shape, dtype: np.dtype[Any]) -> ContiguousLayout:
    """Return the layout of a shape and dtype; parameters as for `ContiguousLayout`."""
    layout = known_layouts.get((shape, dtype))
    if layout is None:
        if len(known_layouts) >= MAX_LAYOUTS:
            known_layouts.clear()
        layout = known_layouts.setdefault((shape, dtype), ContiguousLayout(shape, dtype))
    return layout
