"""Tensors: a view of a buffer, and the aclTensor that describes it to aclnn."""

from __future__ import annotations

import math
import operator
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from pyaclnn.abi import ClosedError
from pyaclnn.abi.dlpack import NPU
from pyaclnn.runtime import Buffer, Device, Stream
from pyaclnn.runtime.block import Block
from pyaclnn.runtime.torch_interop import import_torch
from pyaclnn.tensor import printed, reinterpret, selection, transfer, views
from pyaclnn.tensor.calculable import Calculable, call, new
from pyaclnn.tensor.descriptions import (
    DESCRIBED,
    format_of,
    overridden_description,
    stored_blocks,
)
from pyaclnn.tensor.dlpack import UNSAID, stream_number, to_capsule
from pyaclnn.tensor.dtypes import as_dtype, byte_count, element_count
from pyaclnn.tensor.handles import Handle, TensorHandle, handle_of
from pyaclnn.tensor.layout import ContiguousLayout, Layout
from pyaclnn.tensor.scalar_bits import scalar_bits
from pyaclnn.tensor.views import Shape, View

if TYPE_CHECKING:
    import torch
    from numpy.typing import ArrayLike, DTypeLike

# Reentrant, for a collection inside may run finalizers of the program.
_making_handle = threading.RLock()
_sharing = threading.RLock()


class Tensor(Calculable):
    """An n-dimensional array in device memory.

    Made by `asarray`, `empty` and their kin, or from a buffer. Slicing, transposing, reshaping and
    broadcasting return views: tensors that alias the same memory, which aclnn takes without a copy.
    All methods are asynchronous, except those that read or write values on the host.

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

    # ``_memory`` of a tensor that fills its block is the block itself, until `buffer` is first
    # read.
    __slots__ = ("__weakref__", "_handle", "_layout", "_memory", "_owner")

    def __init__(
        self,
        buffer: Buffer,
        shape: SupportsIndex | Sequence[SupportsIndex],
        dtype: DTypeLike = np.float32,
        strides: Sequence[SupportsIndex] | None = None,
        offset: SupportsIndex = 0,
    ) -> None:
        self._memory: Block | Buffer | None = buffer
        self._handle: Any = None
        extents = views.as_shape(shape)
        steps = (
            views.contiguous_strides(extents)
            if strides is None
            else tuple(map(operator.index, strides))
        )
        self._layout = Layout(extents, steps, operator.index(offset), as_dtype(dtype))
        buffer.has_views = True
        views.check_bounds(self._view, element_count(buffer.nbytes, self._layout.dtype))

    @property
    def shape(self) -> Shape:
        """Extents."""
        return self._layout.shape

    @property
    def strides(self) -> Shape:
        """Steps in elements (NumPy counts bytes)."""
        return self._layout.strides

    @property
    def offset(self) -> int:
        """First element, in elements from the start of the buffer."""
        return self._layout.offset

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the elements, as NumPy knows it."""
        return self._layout.dtype

    @property
    def format(self) -> str:
        """Memory format that aclnn is told: ``"ND"``, ``"NCHW"``, ... or ``"FRACTAL_NZ"``."""
        return format_of(self)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Bytes of an element on the host; on the device two of int4 or float4 share one."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements; a view may span more or, broadcast, less."""
        return byte_count(self.size, self.dtype)

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements lie row-major and without gaps."""
        layout = self._layout
        return layout.fills_memory or views.is_contiguous(layout.shape, layout.strides)

    @property
    def buffer(self) -> Buffer:
        """The memory, shared by all views of it.

        Raises
        ------
        ClosedError
            If the tensor is closed.
        """
        memory = self._memory
        return memory if memory.__class__ is Buffer else self._share()

    def _share(self) -> Buffer:
        """Replace the block, which this tensor alone owned, by a buffer over it."""
        with _sharing:
            memory = self._memory
            if isinstance(memory, Block):
                assert isinstance(self._layout, ContiguousLayout)
                buffer = Buffer.over(memory, self._layout.nbytes)
                # No call in between, so that tensor and buffer never both own the block.
                self._memory = buffer
                buffer.block = memory
                return buffer
        if memory is None:
            raise ClosedError(f"the tensor {self.describe()} is closed")
        return memory

    @property
    def device(self) -> Device:
        """Where the memory is."""
        return self.buffer.device

    @property
    def closed(self) -> bool:
        """Whether the tensor or its buffer was closed."""
        memory = self._memory
        return memory is None or memory.stream_while_open is None

    @property
    def handle(self) -> Any:
        """The ``aclTensor``, as a cffi pointer; created on first use and cached.

        Raises
        ------
        ClosedError
            If the tensor or its buffer is closed.
        """
        memory = self._memory
        if memory is None or memory.stream_while_open is None:
            raise ClosedError(f"the tensor {self.describe()} is closed")
        handle = self._handle
        return self._new_handle(memory) if handle is None else handle

    def _new_handle(self, memory: Block | Buffer) -> Any:
        layout = self._layout
        block = memory.block if isinstance(memory, Buffer) else memory
        with _making_handle:
            # Another thread may have created it meanwhile.
            if self._handle is None:
                if isinstance(layout, ContiguousLayout) and block is not None:
                    self._handle = handle_of(block, layout)
                else:
                    self._owner: Handle | None = TensorHandle(self, keep=False)
                    self._handle = self._owner.handle
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
        layout = self._layout
        return layout.shape, layout.strides, layout.offset

    def _viewed(self, view: View) -> Tensor:
        if DESCRIBED and stored_blocks(self) is not None and view != self._view:
            raise TypeError(
                f"{self.describe()} is in FRACTAL_NZ, of which there are no views; "
                "pyaclnn.format_cast(tensor, 'ND') comes first"
            )
        memory = self._memory
        buffer = memory if memory.__class__ is Buffer else self._share()
        buffer.has_views = True
        tensor: Tensor = object.__new__(Tensor)
        tensor._memory = buffer
        tensor._handle = None
        tensor._layout = Layout(*view, self._layout.dtype)
        return tensor

    def describe(self) -> str:
        """Return dtype, shape and, where they say more, strides, offset and device."""
        text = f"{self.dtype.name}[{','.join(map(str, self.shape))}]"
        if not self.is_contiguous:
            text += f" strides({','.join(map(str, self.strides))})"
        if self.offset:
            text += f" offset({self.offset})"
        memory = self._memory
        if memory is None:
            return text + " closed"
        stream = memory.stream if isinstance(memory, Buffer) else memory.stream_while_open
        return f"{text} @dev{'?' if stream is None else stream.device.index}"

    def __repr__(self) -> str:
        return f"<Tensor {self.describe()}>"

    def __str__(self) -> str:
        return repr(self) if self.closed else printed.text(self)

    def _repr_html_(self) -> str:
        return printed.page(self)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a 0-d tensor has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if not self.shape:
            raise TypeError("iteration over a 0-d tensor")
        return (self[n] for n in range(self.shape[0]))

    def __contains__(self, value: Any) -> bool:
        return bool((self == value).any())

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError(
                f"the truth value of {self.describe()}, which has {self.size} elements, is "
                "ambiguous: use x.any() or x.all()"
            )
        return bool(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        if self.dtype.kind not in "iu" or self.shape:
            raise TypeError("only 0-d tensors of integers can be converted to an index")
        return operator.index(self.item())

    def __format__(self, specification: str) -> str:
        return format(str(self) if self.shape else self.item(), specification)

    def close(self) -> None:
        """Release the memory, which is freed with its last view; calling it again does nothing."""
        self._handle = self._owner = None
        with _sharing:
            self._let_go()

    def _let_go(self) -> None:
        memory, self._memory = self._memory, None
        if memory.__class__ is Block:
            memory.free()

    def __copy__(self) -> Tensor:
        """Return a view, as copying would make a second owner of the memory."""
        return self[...]

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        """Return an asynchronous copy with memory of its own."""
        self._refuse_described("copied")
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the values and the index of the device, to which they return."""
        self._refuse_described("pickled")
        return _restored, (self.numpy(), self.device.index)

    def _refuse_described(self, what: str) -> None:
        if overridden_description(self) is not None:
            raise TypeError(
                f"{self.describe()} has a description of CANN's own, which cannot be {what}; its "
                "values can: tensor.numpy()"
            )

    def __enter__(self) -> Tensor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        try:
            memory = self._memory
        except AttributeError:  # a constructor called with wrong arguments
            return
        # A buffer has its own finalizer. Finalizers run once: a tensor that is resurrected from a
        # cycle must be closed.
        if memory.__class__ is Block:
            self._memory = None
            if memory.uses:
                memory.free()
            else:
                # Block.free inlined, which saves 0.05 µs.
                memory.stream_while_open = None
                memory.bin.append(memory)

    def __getitem__(self, key: Any) -> Tensor:
        try:
            return self._viewed(views.index(self._view, key))
        except views.NoViewError:
            pass
        return selection.get(self, key)

    def reshape(self, *shape: SupportsIndex | Sequence[SupportsIndex]) -> Tensor:
        """Return a view of another shape.

        Parameters
        ----------
        *shape : int or sequence of int
            One extent may be -1.

        Raises
        ------
        ValueError
            If the sizes differ, or if only a copy could do it.
        """
        return self._viewed(views.reshape(self._view, _flat(shape)))

    def transpose(self, *axes: SupportsIndex | Sequence[SupportsIndex]) -> Tensor:
        """Return a view with permuted axes; reversed if none are given.

        Parameters
        ----------
        *axes : int or sequence of int
            A permutation of the axes.

        Raises
        ------
        ValueError
            If it is not a permutation.
        """
        return self._viewed(views.transpose(self._view, _flat(axes) if axes else None))

    permute = transpose

    @property
    def mT(self) -> Tensor:  # noqa: N802
        """The view with its last two axes exchanged."""
        if self.ndim < 2:
            raise ValueError(f"{self.describe()} has no matrices: mT needs two axes")
        return self.transpose(*range(self.ndim - 2), self.ndim - 1, self.ndim - 2)

    @property
    def real(self) -> Tensor:
        """A view of the real parts; the tensor itself if it is real."""
        return reinterpret.as_parts(self)[..., 0] if self.dtype.kind == "c" else self

    @property
    def imag(self) -> Tensor:
        """A view of the imaginary parts; zeros if it is real."""
        if self.dtype.kind == "c":
            return reinterpret.as_parts(self)[..., 1]
        return new(self.shape, self.dtype, self).fill_(0)

    @property
    def T(self) -> Tensor:  # noqa: N802
        """The view with reversed axes."""
        shape, strides, offset = self._view
        return self._viewed((shape[::-1], strides[::-1], offset))

    def broadcast_to(self, *shape: SupportsIndex | Sequence[SupportsIndex]) -> Tensor:
        """Return a view broadcast to a shape by NumPy's rules, for inputs only: its elements alias.

        Parameters
        ----------
        *shape : int or sequence of int
            The shape.

        Raises
        ------
        ValueError
            If the shapes do not fit.
        """
        return self._viewed(views.broadcast_to(self._view, views.as_shape(_flat(shape))))

    def expand_dims(self, axis: SupportsIndex) -> Tensor:
        """Return a view with an axis of extent 1 inserted at a position."""
        return self._viewed(views.expand_dims(self._view, axis))

    def squeeze(self, axis: SupportsIndex | Sequence[SupportsIndex] | None = None) -> Tensor:
        """Return a view without axes of extent 1: the named ones, or all."""
        return self._viewed(views.squeeze(self._view, axis))

    def __setitem__(self, key: Any, value: Any) -> None:
        try:
            view = self._viewed(views.index(self._view, key))
        except views.NoViewError:
            selection.put(self, key, value)
            return
        if isinstance(value, Tensor):
            call("inplace_copy", view, value)
        else:
            view.fill_(value)

    def fill_(self, value: complex | np.generic) -> Tensor:
        """Give all elements one value (``aclnnInplaceFillScalar``), and return the tensor.

        Parameters
        ----------
        value : number
            Converted to the dtype as CANN converts an ``aclScalar``.

        Raises
        ------
        TypeError
            If it is no number.
        """
        if isinstance(value, (np.ndarray, list, tuple)):
            raise TypeError(
                f"a number or a pyaclnn.Tensor is needed, not {type(value).__name__}: values of "
                "the host are not copied unasked; use pyaclnn.asarray(value), or copy_from(value)"
            )
        if self.dtype.name in reinterpret.UNSIGNED:
            # CANN does not fill unsigned tensors; the same bits are filled as signed numbers.
            pattern = np.frombuffer(
                scalar_bits(value, self.dtype), reinterpret.UNSIGNED[self.dtype.name]
            )
            call("inplace_fill_scalar", reinterpret.movable(self), int(pattern[0]))
            return self
        call("inplace_fill_scalar", self, value)
        return self

    def copy(self) -> Tensor:
        """Return a row-major tensor with memory of its own and the same values (``aclnnCast``)."""
        return call("cast", self, self.dtype)

    def contiguous(self) -> Tensor:
        """Return the tensor itself if its elements lie row-major without gaps, else a copy."""
        return self if self.is_contiguous else self.copy()

    def astype(self, dtype: DTypeLike, copy: bool = True) -> Tensor:
        """Return the values in another dtype (``aclnnCast``).

        Parameters
        ----------
        dtype : dtype-like
            Wanted.
        copy : bool
            Copy even if it has that dtype already.

        Raises
        ------
        AclParameterError
            If CANN does not convert between the two on this chip.
        """
        wanted = as_dtype(dtype)
        if wanted is self.dtype:
            return self.copy() if copy else self
        return call("cast", self, wanted)

    def tolist(self) -> Any:
        """Wait for the work on this tensor and return its values as nested lists of numbers."""
        return self.numpy().tolist()

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = UNSAID,
        copy: bool | None = None,
    ) -> Any:
        """Export the memory to another library, without a copy.

        Parameters
        ----------
        stream : int, optional
            The consumer's ``aclrtStream``, which waits for the work on this tensor; the memory is
            not reused before the stream has run what it has then. -1 for no synchronisation.
            Without a stream, this call waits for the work.
        max_version : (int, int), optional
            The newest protocol the consumer knows.
        dl_device : (int, int), optional
            Where it is wanted: it is ``(12, index)``, kDLExtDev.
        copy : bool, optional
            True for memory of its own.

        Returns
        -------
        capsule
            Of the name ``dltensor`` or ``dltensor_versioned``.

        Raises
        ------
        BufferError
            If it is wanted in host memory, as ``numpy.from_dlpack`` does.
        ClosedError
            If the tensor is closed.
        """
        return to_capsule(self, stream, max_version, dl_device, copy)

    def to_device(self, device: Device, /, *, stream: Stream | None = None) -> Tensor:
        """Return the tensor itself on its own device, or its values on another, through the host.

        Parameters
        ----------
        device : Device
            Where to.
        stream : Stream, optional
            The stream that a copy belongs to; of the other device.
        """
        if device is self.device:
            return self
        if not isinstance(device, Device):
            raise ValueError(f"a pyaclnn.Device is needed, not {device!r}")
        return _restored(self.numpy(), device.index)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return kDLExtDev, as torch_npu calls an NPU, and the index of the device."""
        return NPU, self.device.index

    def torch(self) -> torch.Tensor:
        """Return a torch_npu tensor over the same memory, which it keeps alive.

        torch's current stream waits for the work on this tensor. What other streams of torch do
        with it must be waited for before the torch tensor is dropped.

        Raises
        ------
        ImportError
            If torch_npu is not installed.
        """
        module, _ = import_torch()
        stream = Stream.from_torch(self.device)
        capsule = self.__dlpack__(stream=stream_number(stream))
        tensor: torch.Tensor = module.utils.dlpack.from_dlpack(capsule)
        return tensor


def _restored(values: np.ndarray[Any, Any], device: int) -> Tensor:
    """Return a tensor of values that were pickled, on the device of that index."""
    there = Device(device)
    tensor = new(values.shape, values.dtype, _Place(there))
    return tensor.copy_from(values)


@dataclass(frozen=True)
class _Place:
    device: Device


def _flat(extents: tuple[SupportsIndex | Sequence[SupportsIndex], ...]) -> Shape:
    """Accept both ``f(2, 3)`` and ``f((2, 3))``."""
    given = views.as_axes(extents[0]) if len(extents) == 1 else extents
    return tuple(map(operator.index, given))  # type: ignore[arg-type]
