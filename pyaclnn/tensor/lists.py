"""The lists of aclnn: of tensors and of scalars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import ffi, lib
from pyaclnn.runtime import Buffer
from pyaclnn.tensor.handles import Handle, LayoutHandle, Scalar, TensorHandle, counted
from pyaclnn.tensor.layout import ContiguousLayout
from pyaclnn.tensor.registry import Elements

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from pyaclnn.tensor.tensor import Tensor


class _ElementList(Handle):
    """A list of libnnopbase, which destroys its elements with itself.

    Parameters
    ----------
    kind : str
        ``TensorList`` or ``ScalarList``.
    elements : sequence of Handle or None
        The list becomes their owner; ``None`` becomes a null entry.
    among : Elements
        The set of elements that they were created in.
    keep : object
        Kept alive with the list.
    """

    __slots__ = ()

    def __init__(
        self,
        kind: str,
        elements: Sequence[Handle | None],
        among: Elements,
        keep: object = None,
    ) -> None:
        self._handle = None
        create_name, destroy_name = f"aclCreate{kind}", f"aclDestroy{kind}"
        super().__init__(
            getattr(lib, create_name),
            counted([ffi.NULL if e is None else e.handle for e in elements]),
            getattr(lib, destroy_name),
            create_name,
            destroy_name,
            keep,
            among,
        )
        for element in elements:
            if element is not None:
                element.hand_over()


class TensorList(_ElementList):
    """An aclTensorList.

    Parameters
    ----------
    tensors : sequence of Tensor or None
        ``None`` becomes a null entry.
    acl_format : int, optional
        Of those tensors that were not given one.
    keep : bool
        Whether the list keeps the tensors alive; otherwise the caller does.
    """

    __slots__ = ()

    def __init__(
        self,
        tensors: Sequence[Tensor | None],
        acl_format: int | None = None,
        *,
        keep: bool = True,
    ) -> None:
        self._handle = None
        kept = tuple(tensors)
        # Destroying a list destroys its elements, so it gets descriptors of its own.
        among = Elements(lib.aclDestroyTensor)
        elements = [None if t is None else TensorHandle(t, acl_format, among=among) for t in kept]
        super().__init__("TensorList", elements, among, kept if keep else None)


class SharedList(_ElementList):
    """An aclTensorList that keeps no tensors alive and is shared by tensors of equal descriptions.

    Parameters
    ----------
    tensors : sequence of Tensor
        Open; their memory must be in use while C uses the list.

    Attributes
    ----------
    layouts : dict
        What the layer above caches for calls with this list.
    owners : list of Handle
        Owners of the aclTensors of tensors that fill their memory.
    """

    __slots__ = ("layouts", "owners")

    def __init__(self, tensors: Sequence[Tensor]) -> None:
        self._handle = None
        self.layouts: dict[Any, Any] = {}
        self.owners: list[Handle] = []
        among = Elements(lib.aclDestroyTensor)
        super().__init__("TensorList", [self._element(t, among) for t in tensors], among)

    def _element(self, tensor: Tensor, among: Elements) -> Handle:
        layout, memory = tensor._layout, tensor._memory
        block = memory.block if isinstance(memory, Buffer) else memory
        if isinstance(layout, ContiguousLayout) and block is not None:
            self.owners.append(block.handles[layout])
            return LayoutHandle(layout, block.pointer, among=among)
        return TensorHandle(tensor, keep=False, among=among)


class ScalarList(_ElementList):
    """An aclScalarList.

    Parameters
    ----------
    values : sequence of (number, dtype-like)
        Each scalar with its dtype.
    """

    __slots__ = ()

    def __init__(self, values: Sequence[tuple[Any, DTypeLike]]) -> None:
        self._handle = None
        among = Elements(lib.aclDestroyScalar)
        elements = [Scalar(value, dtype, among=among) for value, dtype in values]
        super().__init__("ScalarList", elements, among)
