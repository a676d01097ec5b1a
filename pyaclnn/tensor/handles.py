"""The argument objects of aclnn beside tensors: scalars, arrays, lists.

Each owns its C object and what that points to, and destroys it with its last reference.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import DTypeLike

from pyaclnn.abi import ClosedError, ffi, lib
from pyaclnn.runtime import ensure_initialised
from pyaclnn.tensor.dtypes import acl_dtype, as_dtype
from pyaclnn.tensor.numbers import scalar_bits
from pyaclnn.tensor.registry import Destroy, adopt, forget, release

if TYPE_CHECKING:
    from pyaclnn.tensor.tensor import Tensor

    Description = tuple[Sequence[int], int, Sequence[int], int, Sequence[int]]


class Handle:
    """Owner of one object of libnnopbase; base of the classes below.

    Parameters
    ----------
    handle : cffi pointer
        As returned by the creating function.
    destroy : callable
        The C function that destroys it.
    create_name, destroy_name : str
        Names of the two functions.
    keep : object
        Kept alive with it.

    Raises
    ------
    AclError
        If the handle is null.
    """

    __slots__ = ("__weakref__", "_handle", "_keep")

    def __init__(
        self,
        handle: Any,
        destroy: Destroy,
        create_name: str,
        destroy_name: str,
        keep: object = None,
    ) -> None:
        self._handle: Any = None
        self._handle = adopt(handle, destroy, create_name, destroy_name)
        self._keep = keep

    @property
    def handle(self) -> Any:
        """The C object, as a cffi pointer.

        Raises
        ------
        ClosedError
            If it was destroyed.
        """
        if self._handle is None:
            raise ClosedError(f"the {type(self).__name__} is closed")
        return self._handle

    @property
    def closed(self) -> bool:
        """Whether it was destroyed."""
        return self._handle is None

    def close(self) -> None:
        """Destroy the C object now; twice is allowed."""
        handle, self._handle = self._handle, None
        if handle is not None:
            release(handle)
        self._keep = None

    def hand_over(self) -> None:
        """Leave the C object to a list that destroys it with itself."""
        handle, self._handle = self._handle, None
        forget(handle)

    def __del__(self) -> None:
        if self._handle is not None:
            release(self._handle)


class Scalar(Handle):
    """An aclScalar: one number with a dtype.

    Parameters
    ----------
    value : number
        Python's or NumPy's.
    dtype : dtype-like
        How C sees it.

    Raises
    ------
    TypeError
        If the value is no number, or does not convert to the dtype without losing its nature:
        a fraction to an integer, a complex number to a real one.
    OverflowError
        If it is out of range of the dtype.
    """

    __slots__ = ()

    def __init__(self, value: Any, dtype: DTypeLike) -> None:
        self._handle = None
        bits = scalar_bits(value, as_dtype(dtype))
        ensure_initialised()
        # C copies the value at once.
        handle = lib.aclCreateScalar(ffi.from_buffer(bits), acl_dtype(dtype))
        super().__init__(handle, lib.aclDestroyScalar, "aclCreateScalar", "aclDestroyScalar")


class IntArray(Handle):
    """An aclIntArray: signed 64-bit integers.

    Parameters
    ----------
    values : iterable of int
        May be empty.
    """

    __slots__ = ()

    def __init__(self, values: Iterable[int]) -> None:
        self._handle = None
        super().__init__(
            _new_array(lib.aclCreateIntArray, list(values)),
            lib.aclDestroyIntArray,
            "aclCreateIntArray",
            "aclDestroyIntArray",
        )


class FloatArray(Handle):
    """An aclFloatArray: 32-bit floats.

    Parameters
    ----------
    values : iterable of float
        May be empty.
    """

    __slots__ = ()

    def __init__(self, values: Iterable[float]) -> None:
        self._handle = None
        super().__init__(
            _new_array(lib.aclCreateFloatArray, list(values)),
            lib.aclDestroyFloatArray,
            "aclCreateFloatArray",
            "aclDestroyFloatArray",
        )


class BoolArray(Handle):
    """An aclBoolArray.

    Parameters
    ----------
    values : iterable of bool
        May be empty.
    """

    __slots__ = ()

    def __init__(self, values: Iterable[bool]) -> None:
        self._handle = None
        super().__init__(
            _new_array(lib.aclCreateBoolArray, list(map(bool, values))),
            lib.aclDestroyBoolArray,
            "aclCreateBoolArray",
            "aclDestroyBoolArray",
        )


class TensorHandle(Handle):
    """An aclTensor of its own for a tensor, beside the one that the tensor keeps.

    Parameters
    ----------
    tensor : Tensor
        Kept alive with it.
    acl_format : int, optional
        An aclFormat; the one that goes with the rank if not given.
    """

    __slots__ = ()

    def __init__(self, tensor: Tensor, acl_format: int | None = None) -> None:
        self._handle = None
        super().__init__(
            new_acl_tensor(tensor, acl_format),
            lib.aclDestroyTensor,
            "aclCreateTensor",
            "aclDestroyTensor",
            tensor,
        )


class TensorList(Handle):
    """An aclTensorList.

    Parameters
    ----------
    tensors : sequence of Tensor or None
        ``None`` becomes a null entry.
    keep : bool
        Whether the list keeps the tensors alive; who says no makes sure of it otherwise.
    """

    __slots__ = ()

    def __init__(self, tensors: Sequence[Tensor | None], *, keep: bool = True) -> None:
        self._handle = None
        kept = tuple(tensors)
        # Destroying a list destroys its elements, so it gets descriptors of its own.
        elements = [None if t is None else TensorHandle(t) for t in kept]
        handles = [ffi.NULL if e is None else e.handle for e in elements]
        super().__init__(
            _new_array(lib.aclCreateTensorList, handles),
            lib.aclDestroyTensorList,
            "aclCreateTensorList",
            "aclDestroyTensorList",
            kept if keep else None,
        )
        _disown(elements)


class ScalarList(Handle):
    """An aclScalarList.

    Parameters
    ----------
    values : sequence of (number, dtype-like)
        Each scalar with its dtype.
    """

    __slots__ = ()

    def __init__(self, values: Sequence[tuple[Any, DTypeLike]]) -> None:
        self._handle = None
        elements = [Scalar(value, dtype) for value, dtype in values]
        super().__init__(
            _new_array(lib.aclCreateScalarList, [e.handle for e in elements]),
            lib.aclDestroyScalarList,
            "aclCreateScalarList",
            "aclDestroyScalarList",
        )
        _disown(elements)


#: Tensors that are described in another way than Python sees them: shape, dtype, strides, format
#: and storage shape. A list or a plan describes them anew, and must do it so too.
_otherwise: weakref.WeakKeyDictionary[Tensor, Description] = weakref.WeakKeyDictionary()


def describe_otherwise(tensor: Tensor, description: Description) -> None:
    """Have a tensor described by this (shape, aclDataType, strides, aclFormat, storage shape)."""
    _otherwise[tensor] = description


def new_acl_tensor(tensor: Tensor, acl_format: int | None = None) -> Any:
    """Create an aclTensor that describes a tensor.

    Parameters
    ----------
    tensor : Tensor
        Open.
    acl_format : int, optional
        An aclFormat; the one that goes with the rank if not given.

    Returns
    -------
    cffi pointer
        Null if C could not; else to be destroyed by the caller.
    """
    buffer = tensor.buffer
    ensure_initialised()
    if _otherwise and acl_format is None and tensor in _otherwise:
        dims, dtype, strides, acl_format, storage = _otherwise[tensor]
        return lib.aclCreateTensor(
            dims, len(dims), dtype, strides, tensor.offset, acl_format, storage, len(storage),
            buffer.pointer,
        )  # fmt: skip
    return lib.aclCreateTensor(
        tensor.shape,
        tensor.ndim,
        acl_dtype(tensor.dtype),
        tensor.strides,
        tensor.offset,
        _FORMATS.get(tensor.ndim, FORMAT_ND) if acl_format is None else acl_format,
        (buffer.nbytes // tensor.dtype.itemsize,),
        1,
        buffer.pointer,
    )


def _new_array(create: Callable[[Any, int], Any], values: list[Any]) -> Any:
    ensure_initialised()
    return create(values or ffi.NULL, len(values))


def _disown(elements: Iterable[Handle | None]) -> None:
    for element in elements:
        if element is not None:
            element.hand_over()


FORMAT_ND = 2
#: NCL, NCHW and NCDHW by rank, as PyTorch's binding of CANN has it: pooling operators refuse ND.
_FORMATS = {3: 47, 4: 0, 5: 30}
