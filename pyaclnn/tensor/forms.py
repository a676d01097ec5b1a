"""Forms: what all outputs of one shape and dtype on one stream have in common."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from pyaclnn.runtime.block import rounded_size
from pyaclnn.tensor.keeping import KeptOfSize
from pyaclnn.tensor.recycling import COUNTED

if TYPE_CHECKING:
    from collections import deque

    from pyaclnn.runtime import Buffer, Stream
    from pyaclnn.runtime.block import Block
    from pyaclnn.tensor.views import Shape

#: Entries of a dictionary of forms; beyond them it begins anew.
KEPT_FORMS = 4096


class Form:
    """One shape and dtype, and where a stream keeps free memory for it.

    Forms are compared by identity. Outputs of one form follow each other in the same memory, with
    the same aclTensor.

    Parameters
    ----------
    shape : tuple of int
        Extents; the elements are contiguous and begin with the memory.
    dtype : numpy.dtype
        Type of the elements, from `as_dtype`.
    stream : Stream
        The stream whose memory it is; not referred to.

    Attributes
    ----------
    nbytes : int
        Size of such a tensor.
    bin : list of Block
        Free blocks of the stream of that size.
    kept : deque of Buffer or None
        Buffers of the latest outputs, with their aclTensors, from the one that was used longest
        ago: one that nobody else refers to serves the next output. The pool empties this when it
        needs the memory.
    others : KeptOfSize or None
        What forms of this size keep, where the pool looks; None if this one may not keep any. Only
        forms of the default stream do, for it is never dropped: kept buffers refer to their stream,
        which refers to its forms. None do where Python does not count references.
    """

    __slots__ = ("bin", "dtype", "kept", "nbytes", "others", "shape")

    def __init__(self, shape: Shape, dtype: np.dtype[Any], stream: Stream) -> None:
        self.shape = shape
        self.dtype = dtype
        self.nbytes = math.prod(shape) * dtype.itemsize
        # No memory is none of a size: that list stays empty.
        size = rounded_size(self.nbytes)
        self.bin: list[Block] = stream.bins.setdefault(size, []) if size else []
        self.kept: deque[Buffer] | None = None
        self.others: KeptOfSize | None = None
        if COUNTED and size and stream.device.is_default(stream):
            others = stream.kept.setdefault(size, KeptOfSize(size))
            assert isinstance(others, KeptOfSize)
            self.others = others


def form_of(shape: Shape, dtype: np.dtype[Any], stream: Stream) -> Form:
    """Return the form of a shape and dtype on a stream; parameters as for `Form`."""
    try:
        form: Form = stream.forms[shape, dtype]
    except KeyError:
        if len(stream.forms) >= KEPT_FORMS:
            forget_forms(stream)
        form = stream.forms.setdefault((shape, dtype), Form(shape, dtype, stream))
    return form


def forget_forms(stream: Stream) -> None:
    """Let a stream's forms begin anew; those that tensors still have keep no buffers any more."""
    for form in list(stream.forms.values()):
        if isinstance(form, Form):
            form.kept = form.others = None
    for kept in list(stream.kept.values()):
        kept.let_go()
    stream.forms.clear()
