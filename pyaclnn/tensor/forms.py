"""Forms: the description that contiguous tensors of one shape and dtype share."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pyaclnn.runtime.pool import rounded_size
from pyaclnn.tensor.dtypes import byte_count
from pyaclnn.tensor.views import Shape, check_fits, contiguous_strides

#: Entries of a dictionary of forms; beyond them it begins anew.
KEPT_FORMS = 4096


class Form:
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


#: Of all shapes and dtypes in use, to look in; `form_of` fills it.
known_forms: dict[tuple[Shape, np.dtype[Any]], Form] = {}


def form_of(shape: Shape, dtype: np.dtype[Any]) -> Form:
    """Return the form of a shape and dtype; parameters as for `Form`."""
    form = known_forms.get((shape, dtype))
    if form is None:
        if len(known_forms) >= KEPT_FORMS:
            known_forms.clear()
        form = known_forms.setdefault((shape, dtype), Form(shape, dtype))
    return form
