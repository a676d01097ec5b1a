"""The argument objects of aclnn: scalars, arrays, descriptors of tensors.

Each owns its C object and the memory that this points to; the last reference destroys it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import ClosedError, ffi, lib
from pyaclnn.runtime import ensure_initialised
from pyaclnn.runtime.native_handle import not_copied
from pyaclnn.tensor.descriptions import acl_layout_arguments, acl_tensor_arguments
from pyaclnn.tensor.dtypes import acl_dtype, as_dtype
from pyaclnn.tensor.protocol import TensorLike
from pyaclnn.tensor.registry import Destroy, Elements, create, forget, release
from pyaclnn.tensor.scalar_bits import scalar_bits

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from pyaclnn.runtime.block import Block
    from pyaclnn.tensor.layout import ContiguousLayout


class Handle:
    """Owner of one object of libnnopbase; base of the classes below.

    Parameters
    ----------
    make : callable
        The C function that makes it.
    arguments : iterable
        Its arguments.
    destroy : callable
        The C function that destroys it.
    create_name, destroy_name : str
        Names of the two functions.
    keep : object
        Kept alive with it.
    elements : Elements, optional
        What it destroys with itself.

    Raises
    ------
    AclError
        If C could not make it.
    """

    __slots__ = ("__weakref__", "_handle", "_keep")

    def __init__(
        self,
        make: Callable[..., Any],
        arguments: Iterable[Any],
        destroy: Destroy,
        create_name: str,
        destroy_name: str,
        keep: object = None,
        elements: Elements | None = None,
    ) -> None:
        self._handle: Any = None
        self._keep = keep
        # No signal comes between this return and the assignment.
        self._handle = create(make, arguments, destroy, create_name, destroy_name, elements)

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
        """Destroy the C object now; calling it again does nothing."""
        handle, self._handle = self._handle, None
        if handle is not None:
            release(handle)
        self._keep = None

    def hand_over(self) -> None:
        """Transfer the C object to a list, which destroys it."""
        handle, self._handle = self._handle, None
        forget(handle)

    def __reduce_ex__(self, protocol: object) -> Any:
        raise not_copied(self, "two would destroy the same object of C; make another")

    def __del__(self) -> None:
        # The attribute may be missing if the constructor was interrupted.
        handle = getattr(self, "_handle", None)
        if handle is not None:
            release(handle)


class Scalar(Handle):
    """An aclScalar: one number with a dtype.

    Parameters
    ----------
    value : number
        Python's or NumPy's.
    dtype : dtype-like
        How C sees it.
    among : Elements, optional
        The scalars of a list that it will be part of.

    Raises
    ------
    TypeError
        If the value is no number, or does not convert to the dtype within its kind: a fraction to
        an integer, a complex number to a real one.
    OverflowError
        If it is out of range of the dtype.
    """

    __slots__ = ()

    def __init__(self, value: Any, dtype: DTypeLike, *, among: Elements | None = None) -> None:
        self._handle = None
        bits = scalar_bits(value, as_dtype(dtype))
        ensure_initialised()
        super().__init__(
            lib.aclCreateScalar,
            # C copies the value at once.
            (ffi.from_buffer(bits), acl_dtype(dtype)),
            among or lib.aclDestroyScalar,
            "aclCreateScalar",
            "aclDestroyScalar",
        )


class IntArray(Handle):
    """An aclIntArray: signed 64-bit integers.

    Parameters
    ----------
    values : iterable of int
        May be empty.
    """

    __slots__ = ()

    def __init__(self, values: Iterable[int]) -> None:
        super().__init__(
            lib.aclCreateIntArray,
            counted(list(values)),
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
        super().__init__(
            lib.aclCreateFloatArray,
            counted(list(values)),
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
        super().__init__(
            lib.aclCreateBoolArray,
            counted(list(map(bool, values))),
            lib.aclDestroyBoolArray,
            "aclCreateBoolArray",
            "aclDestroyBoolArray",
        )


class TensorHandle(Handle):
    """A private aclTensor of a tensor, besides the cached one.

    Parameters
    ----------
    tensor : Tensor
        What it describes.
    acl_format : int, optional
        An aclFormat, unless the tensor was given one; that of its rank if neither was.
    keep : bool
        Whether it keeps the tensor alive; otherwise the caller does.
    among : Elements, optional
        The descriptors of a list that it will be part of.
    """

    __slots__ = ()

    def __init__(
        self,
        tensor: TensorLike,
        acl_format: int | None = None,
        *,
        keep: bool = True,
        among: Elements | None = None,
    ) -> None:
        super().__init__(
            lib.aclCreateTensor,
            acl_tensor_arguments(tensor, acl_format),
            among or lib.aclDestroyTensor,
            "aclCreateTensor",
            "aclDestroyTensor",
            tensor if keep else None,
        )


class LayoutHandle(Handle):
    """The aclTensor of a tensor that is the whole of its memory.

    Parameters
    ----------
    layout : ContiguousLayout
        Of the tensor.
    pointer : cffi pointer
        The memory.
    among : Elements, optional
        The descriptors of a list that it will be part of.
    """

    __slots__ = ()

    def __init__(
        self, layout: ContiguousLayout, pointer: Any, *, among: Elements | None = None
    ) -> None:
        super().__init__(
            lib.aclCreateTensor,
            acl_layout_arguments(layout, pointer),
            among or lib.aclDestroyTensor,
            "aclCreateTensor",
            "aclDestroyTensor",
        )


def handle_of(block: Block, layout: ContiguousLayout) -> Any:
    """Return the aclTensor of the whole of a block in use; the block caches it.

    Parameters
    ----------
    block : Block
        No other thread may create its descriptor meanwhile.
    layout : ContiguousLayout
        Of the tensor.
    """
    handles = block.handles
    owner = handles.get(layout)
    if owner is None:
        block.layout = block.handle = None
        if len(handles) >= _KEPT_HANDLES:
            del handles[next(iter(handles))]
        owner = handles[layout] = LayoutHandle(layout, block.pointer)
    block.handle = owner.handle
    block.layout = layout
    return block.handle


def counted(values: list[Any]) -> tuple[Any, int]:
    """Return a C array of values, null if there are none, and their number."""
    ensure_initialised()
    return values or ffi.NULL, len(values)


#: How many aclTensors a block caches, for tensors of different layouts that reuse it in turn.
_KEPT_HANDLES = 8
