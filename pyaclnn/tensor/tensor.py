"""Tensors: a view of a buffer, and the aclTensor that describes it to aclnn."""

from __future__ import annotations

import math
import operator
import threading
from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from pyaclnn.abi import ClosedError, lib
from pyaclnn.runtime import Buffer, Device, Stream
from pyaclnn.runtime.block import set_release_of_left
from pyaclnn.tensor import transfer, views
from pyaclnn.tensor.dtypes import as_dtype
from pyaclnn.tensor.forms import Form
from pyaclnn.tensor.handles import Handle, new_acl_tensor
from pyaclnn.tensor.registry import adopt, release
from pyaclnn.tensor.viewable import Viewable
from pyaclnn.tensor.views import Shape, View

_making_handle = threading.Lock()


class Tensor(Viewable):
    """An n-dimensional array in device memory.

    Made by `asarray`, `empty` and their kin, or from a buffer. Slicing, transposing, reshaping
    and broadcasting give views: tensors of their own over the same memory, which aclnn takes as
    they are. Everything but reading and writing values is free of waiting.

    Parameters
    ----------
    buffer : Buffer
        The memory.
    shape : sequence of int
        Extents.
    dtype : dtype-like
        Type of the elements.
    strides : sequence of int, optional
        Steps in elements, at least 0; row-major if not given.
    offset : int
        First element, in elements from the start of the buffer.

    Raises
    ------
    ValueError
        If the view reaches beyond the buffer.
    TypeError
        If aclnn has no such dtype.
    """

    __slots__ = (
        "__weakref__",
        "_buffer",
        "_dtype",
        "_form",
        "_handle",
        "_offset",
        "_owner",
        "_shape",
        "_strides",
    )

    def __init__(
        self,
        buffer: Buffer,
        shape: SupportsIndex | Sequence[SupportsIndex],
        dtype: DTypeLike = np.float32,
        strides: Sequence[SupportsIndex] | None = None,
        offset: SupportsIndex = 0,
    ) -> None:
        self._handle: Any = None
        self._dtype = as_dtype(dtype)
        self._shape = views.as_shape(shape)
        self._strides = None if strides is None else tuple(map(operator.index, strides))
        self._offset = operator.index(offset)
        self._form: Form | None = None
        self._buffer: Buffer | None = buffer
        buffer.whole_on = None
        there = buffer.nbytes // self._dtype.itemsize
        views.check_bounds((self._shape, self.strides, self._offset), there)

    @classmethod
    def over(
        cls,
        buffer: Buffer,
        dtype: np.dtype[Any],
        shape: Shape,
        strides: Shape | None = None,
        offset: int = 0,
    ) -> Tensor:
        """Make a tensor of parts that are known to fit; nothing is checked."""
        tensor = object.__new__(cls)
        tensor._handle = None
        tensor._buffer = buffer
        tensor._dtype = dtype
        tensor._shape = shape
        tensor._strides = strides
        tensor._offset = offset
        tensor._form = None
        buffer.whole_on = None
        return tensor

    @property
    def shape(self) -> Shape:
        """Extents."""
        return self._shape

    @property
    def strides(self) -> Shape:
        """Steps in elements (NumPy counts bytes)."""
        strides = self._strides
        if strides is None:
            strides = self._strides = views.contiguous_strides(self._shape)
        return strides

    @property
    def offset(self) -> int:
        """First element, in elements from the start of the buffer."""
        return self._offset

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the elements, as NumPy knows it."""
        return self._dtype

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self._shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self._shape)

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return self._dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements; a view may span more or, broadcast, less."""
        return self.size * self._dtype.itemsize

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements lie row-major and without gaps."""
        return self._strides is None or views.is_contiguous(self._shape, self._strides)

    @property
    def buffer(self) -> Buffer:
        """The memory, shared by all views of it.

        Raises
        ------
        ClosedError
            If the tensor is closed.
        """
        buffer = self._buffer
        if buffer is None:
            raise ClosedError(f"the tensor {self.describe()} is closed")
        return buffer

    @property
    def device(self) -> Device:
        """Where the memory is."""
        return self.buffer.device

    @property
    def closed(self) -> bool:
        """Whether the tensor or its buffer was closed."""
        return self._buffer is None or self._buffer.closed

    @property
    def handle(self) -> Any:
        """The ``aclTensor``, as a cffi pointer; made on first use and kept.

        Raises
        ------
        ClosedError
            If the tensor or its buffer is closed.
        """
        buffer = self._buffer
        if buffer is None or buffer.closed:
            raise ClosedError(f"the tensor {self.describe()} is closed")
        handle = self._handle
        return self._new_handle() if handle is None else handle

    def _new_handle(self) -> Any:
        made = new_acl_tensor(self)
        destroy = lib.aclDestroyTensor, "aclCreateTensor", "aclDestroyTensor"
        with _making_handle:
            # Another thread may have been faster; there is only one for all.
            if self._handle is None:
                if self._form is None or self._buffer is None:
                    self._owner: Handle | None = Handle(made, *destroy)
                else:
                    # It is the buffer's, which the next tensor of this form may get with it. A
                    # finalizer here would cost every output 0.1 µs.
                    self._buffer.handle = adopt(made, *destroy)
                    self._buffer.form = self._form
                self._handle = made
                return made
        release(adopt(made, *destroy))
        return self._handle

    def numpy(
        self, out: np.ndarray[Any, Any] | None = None, *, stream: Stream | None = None
    ) -> np.ndarray[Any, Any]:
        """Wait for the work on this tensor and copy its values to the host.

        Parameters
        ----------
        out : numpy.ndarray, optional
            Where to; of the same shape and dtype. A new C-contiguous array if not given.
        stream : Stream, optional
            Submit the copy there and do not wait: the values are in ``out``, which must be from
            `empty_pinned`, or in the new array, once the stream has run it.

        Returns
        -------
        numpy.ndarray
            ``out``, or the new array.

        Raises
        ------
        AclError
            If the work that was waited for had failed.
        ClosedError
            If the tensor is closed.
        TypeError, ValueError
            If ``out`` does not fit.
        """
        return transfer.to_host(self, out, stream)

    def copy_from(self, source: ArrayLike | Tensor, *, stream: Stream | None = None) -> Tensor:
        """Overwrite the values.

        Parameters
        ----------
        source : array-like or Tensor
            Broadcast to this shape. An array must convert within its kind (as NumPy's
            ``same_kind`` casting); another tensor must have the same dtype.
        stream : Stream, optional
            Submit the copy there and do not wait. An array from `empty_pinned` is read when the
            stream comes to it and must stay unchanged until then; other values are copied to
            pinned memory first.

        Returns
        -------
        Tensor
            Itself.

        Raises
        ------
        TypeError
            If the dtype does not fit.
        ValueError
            If the shape does not fit, or if elements of this tensor share memory.
        ClosedError
            If the tensor is closed.

        Notes
        -----
        From the host, pending work on this tensor is waited for, and ``source`` may be changed
        as soon as the call returns. Writing a view that is not contiguous reads, changes and
        writes back the memory it spans: nothing else may write there meanwhile. Between
        contiguous tensors of one device the copy is submitted to the current stream and not
        waited for.
        """
        if isinstance(source, Tensor):
            transfer.from_tensor(self, source, stream)
        else:
            transfer.from_host(self, source, stream)
        return self

    def __array__(
        self, dtype: DTypeLike | None = None, copy: bool | None = None
    ) -> np.ndarray[Any, Any]:
        if copy is False:
            raise ValueError(
                "device memory reaches NumPy only by a copy; do not ask for copy=False"
            )
        array = self.numpy()
        return array if dtype is None else array.astype(dtype, copy=False)

    def item(self) -> Any:
        """Return the value of a tensor of one element, as a Python number.

        Raises
        ------
        ValueError
            If it has more or fewer elements.
        """
        if self.size != 1:
            raise ValueError(f"{self.describe()} has {self.size} elements, item() needs one")
        return self.numpy().item()

    @property
    def _view(self) -> View:
        return self._shape, self.strides, self._offset

    def _viewed(self, view: View) -> Tensor:
        shape, strides, offset = view
        return Tensor.over(self.buffer, self._dtype, shape, strides, offset)

    def describe(self) -> str:
        """Return dtype, shape and, where they say more, strides, offset and device."""
        text = f"{self._dtype.name}[{','.join(map(str, self._shape))}]"
        if not self.is_contiguous:
            text += f" strides({','.join(map(str, self.strides))})"
        if self._offset:
            text += f" offset({self._offset})"
        if self._buffer is None:
            return text + " closed"
        return f"{text} @dev{self._buffer.device.index}"

    def __repr__(self) -> str:
        return f"<Tensor {self.describe()}>"

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("a 0-d tensor has no length")
        return self._shape[0]

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError(
                f"{self.describe()} has {self.size} elements: its truth is not defined; "
                "compare tensor.numpy() with .any() or .all()"
            )
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def close(self) -> None:
        """Let go of the memory, which is freed with its last view; twice is allowed."""
        self._handle = self._owner = self._buffer = None

    def __enter__(self) -> Tensor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _release_left(left: tuple[Form, Any]) -> None:
    release(left[1])


set_release_of_left(_release_left)
