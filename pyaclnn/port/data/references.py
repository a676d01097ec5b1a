"""Lvalues other than variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyaclnn.port.data.conversions import convert
from pyaclnn.port.data.cpp_types import CHAR, OTHER, CType
from pyaclnn.port.data.memory import Memory, Pointer, Vector, data_pointer
from pyaclnn.port.data.sets import Position
from pyaclnn.port.data.symbols import Symbol
from pyaclnn.port.data.values import Cell, CellPointer, Map, SmartPointer, Struct, known
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.model import DevicePointer


@dataclass
class ItemReference:
    """An element of a vector or of memory."""

    container: Vector | Pointer
    index: int

    @property
    def ctype(self) -> CType:
        """Type of the element."""
        if isinstance(self.container, Vector):
            return self.container.item
        return self.container.ctype

    def get(self) -> Any:
        """Return the element."""
        if isinstance(self.container, Vector):
            return self.container.get(self.index)
        return self.container.load(self.index)

    def set(self, value: Any) -> None:
        """Assign the element."""
        if isinstance(self.container, Vector):
            name = f"{self.container.name}_{self.index}" if self.container.name else ""
            if name and getattr(value, "name", None) == "":
                value.name = name
            self.container.set(self.index, value)
        else:
            self.container.store(self.index, value)

    def address(self) -> Any:
        """Return a pointer to the element."""
        if isinstance(self.container, Vector):
            return data_pointer(self.container).moved(self.index)
        return self.container.moved(self.index)


class Character(Cell):
    """A character of a text, and what stands from there on."""

    __slots__ = ("rest",)

    def __init__(self, name: str, value: Any, ctype: CType, rest: str) -> None:
        super().__init__(name, value, ctype)
        self.rest = rest


def subscript(container: Any, index: Any) -> Any:
    """Return what ``container[index]`` refers to.

    Raises
    ------
    NotUnderstoodError
        If that is nothing the translator follows.
    """
    container, index = known(container), known(index)
    if isinstance(container, SmartPointer):
        container = container.value
    if isinstance(container, Map):
        if index in container:
            return container[index]
        if container.item.kind not in ("int", "float", "bool", "string", "pointer"):
            return container.entry(index)
        empty = 0 if container.item.is_number else "" if container.item.kind == "string" else None
        return container.add(index, empty)
    if isinstance(index, Symbol):
        raise NotUnderstoodError("an index is only known at run time")
    if isinstance(container, (Vector, Pointer)):
        return ItemReference(container, int(index))
    if isinstance(container, CellPointer) and index == 0:
        return container.cell
    if isinstance(container, str):
        characters = [ord(c) for c in container] + [0]
        if 0 <= index < len(characters) and container.isascii():
            return Character("", convert(characters[index], CHAR), CHAR, container[index:])
    if isinstance(container, DevicePointer):
        raise NotUnderstoodError("reads device memory from the host, which crashes")
    raise NotUnderstoodError(f"indexes a {describe(container)}")


def dereferenced(pointer: Any) -> Any:
    """Return what ``*pointer`` refers to."""
    pointer = known(pointer)
    if isinstance(pointer, CellPointer):
        return pointer.cell
    if isinstance(pointer, (Pointer, Vector)):
        return ItemReference(pointer, 0)
    if isinstance(pointer, SmartPointer):
        held = pointer.value
        return dereferenced(held) if isinstance(held, (CellPointer, Pointer)) else Cell("", held)
    if isinstance(pointer, Struct):
        return Cell("", pointer)
    if isinstance(pointer, Position):
        return Cell("", pointer.element())
    raise NotUnderstoodError(f"dereferences a {describe(pointer)}")


def address_of(reference: Any) -> Any:
    """Return ``&reference``."""
    if isinstance(reference, ItemReference):
        return reference.address()
    if isinstance(reference, Character):
        return reference.rest
    value = reference.value if type(reference) is Cell else None
    if isinstance(value, Vector) and value.item.is_number and reference.ctype.count is not None:
        return data_pointer(value)
    return CellPointer(reference)


def cast_pointer(pointer: Any, ctype: CType) -> Any:
    """Return a pointer as one to another type."""
    item = ctype.item or OTHER
    if isinstance(pointer, Vector):
        pointer = data_pointer(pointer)
    if isinstance(pointer, Pointer) and isinstance(pointer.target, Memory):
        if item.kind in ("void", "other"):
            return pointer
        return Pointer(pointer.target, pointer.offset, item)
    if isinstance(pointer, DevicePointer):
        return DevicePointer(pointer.block, pointer.offset, item) if item.is_number else pointer
    if isinstance(pointer, CellPointer) and item.is_number:
        cell = pointer.cell
        same = cell.ctype.is_number and cell.ctype.name == item.name
        if isinstance(cell.value, (int, float)) and cell.ctype.is_number and not same:
            memory = Memory(max(cell.ctype.size, item.size))
            memory.store(0, cell.value, cell.ctype)
            memory.copy_of = cell.name or "a variable"
            return Pointer(memory, 0, item)
    return pointer


def describe(value: Any) -> str:
    """Return what kind of thing a value is, for a message."""
    if value is None:
        return "null pointer"
    return type(value).__name__.lower()
