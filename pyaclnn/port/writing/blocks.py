"""Device memory in the idiomatic port: its contents, and the tensors that describe it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.memory import MAX_UNIFORM, Memory, array_of
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.library.aclobjects import TYPES
from pyaclnn.port.model import Block, HostData, TensorObject
from pyaclnn.port.writing.layouts import is_contiguous, reach

ND = 2
_UNDEFINED = -1
#: Formats whose elements are not where the shape says.
PRIVATE = frozenset([3, 4, 12, 29, 32, 33, 50, 51])
#: What pyaclnn says of tensors of some ranks anyway: NCL, NCHW, NCDHW.
USUAL = {3: 47, 4: 0, 5: 30}
_BITS = {29: 4, 40: 4, 41: 4, 38: 8, 39: 8, 30: 1, 33: 32}


@dataclass
class BlockState:
    """The state of one block of device memory.

    Attributes
    ----------
    image : Memory
        Its contents, while only the host has written it.
    tensors : list
        The tensors of the sample over it.
    base : str
        Name of the Python tensor that covers all of it; empty before it is made.
    base_type : CType
        Type of that tensor's elements.
    computed : bool
        Whether an operator may have written it.
    """

    block: Block
    image: Memory
    tensors: list[TensorObject] = field(default_factory=list)
    base: str = ""
    base_shape: tuple[int, ...] = ()
    base_type: CType | None = None
    written: bool = False
    computed: bool = False
    #: How far copies to the host reach, in bytes.
    read_to: int = 0

    @property
    def is_simple(self) -> bool:
        """Whether one contiguous tensor describes it, so that tensor and memory are one."""
        if self.tensors and self.read_to > max(bytes_needed(t) for t in self.tensors):
            return False
        if any(t.format in PRIVATE and math.prod(t.storage) > math.prod(t.shape)
               for t in self.tensors):  # fmt: skip
            return False
        if any(map(has_more_memory, self.tensors)):
            return False
        used = {(t.shape, t.dtype) for t in self.tensors if t.offset == 0 and is_plain(t)}
        return len(used) == 1 and all(is_plain(t) and t.offset == 0 for t in self.tensors)

    def upload(self, data: HostData, offset: int) -> None:
        """Record a copy from the host, within the reach of the tensors."""
        size, room = data.size, self.block.size
        if isinstance(room, int) and self.image.size < offset + size <= room:
            size = max(0, self.image.size - offset)
        self.image.copy_from(offset, data.memory, data.offset, size)
        self.written = True


def state_of(block: Block, tensors: list[TensorObject], read_to: int = 0) -> BlockState:
    """Return the state of fresh memory.

    Raises
    ------
    NotUnderstoodError
        For memory of unknown or enormous size.
    """
    size = block.size if isinstance(block.size, int) else 0
    if size > MAX_UNIFORM:
        size = 0
    needed = max((bytes_needed(t) for t in tensors), default=0)
    image = Memory(min(max(size, needed), MAX_UNIFORM))
    # What reaches beyond the memory reads nothing.
    return BlockState(block, image, tensors, read_to=read_to if read_to <= size else 0)


def element_type(tensor: TensorObject) -> CType:
    """Return the type of the elements in NumPy's terms; bytes where NumPy has none."""
    return TYPES.get(tensor.dtype, CType("int", "uint8"))


def bytes_needed(tensor: TensorObject) -> int:
    """Return how much memory a tensor reaches."""
    count = reach(tensor.shape, tensor.strides, tensor.offset)
    if tensor.format in PRIVATE:
        count = max(count, math.prod(tensor.storage))
    if tensor.dtype in TYPES:
        count *= TYPES[tensor.dtype].size
    else:
        count = (count * _BITS.get(tensor.dtype, 8) + 7) // 8
    start = tensor.data.offset if tensor.data is not None else 0
    return start + count


def has_more_memory(tensor: TensorObject) -> bool:
    """Whether an operator writes more of a tensor's memory than its elements."""
    size = tensor.data.block.size if tensor.data is not None else 0
    return tensor.whole_memory and isinstance(size, int) and size > bytes_needed(tensor)


def is_plain(tensor: TensorObject) -> bool:
    """Whether a tensor is contiguous from the start of its memory."""
    start = tensor.data.offset if tensor.data is not None else 0
    return start == 0 and is_contiguous(tensor.shape, tensor.strides)


def needs_label(tensor: TensorObject) -> bool:
    """Whether a tensor has a format, data type or memory that NumPy arrays do not tell."""
    if has_more_memory(tensor):
        return True
    usual = ND if tensor.exact_format else USUAL.get(len(tensor.shape), ND)
    return tensor.format not in (ND, _UNDEFINED, usual) or tensor.dtype not in TYPES


def values_of(state: BlockState, ctype: CType, count: int, offset: int = 0) -> Any:
    """Return what the host wrote to memory, as an array.

    Raises
    ------
    NotUnderstoodError
        If it is symbolic.
    """
    if state.image.symbolic:
        raise NotUnderstoodError(
            f"{state.block.name or 'device memory'} is filled with results of an earlier call"
        )
    there = (state.image.size - offset) // ctype.size
    if count > there:
        raise NotUnderstoodError(
            f"a tensor reaches beyond its memory {state.block.name}: "
            f"{count} elements where there are {there}"
        )
    return state.image.long(ctype, offset, count) or array_of(
        state.image.view(ctype, offset)[:count]
    )


def size_of(shape: tuple[int, ...]) -> int:
    """Return the number of elements."""
    return math.prod(shape)
