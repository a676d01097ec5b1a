"""Memory layout of structs and unions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pyaclnn.port.data.cpp_types import UINT8, CType
from pyaclnn.port.data.memory import Memory, Pointer, Vector, nested_array
from pyaclnn.port.data.values import Cell, Struct
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.interpreter import Interpreter

#: Size of types of libstdc++, whatever they hold.
_LIBRARY = {"string": 32, "map": 48, "unordered_map": 56, "set": 48, "unordered_set": 56,
            "shared_ptr": 16, "cpu_set_t": 128}  # fmt: skip


def layout(ctype: CType, interpreter: Interpreter) -> tuple[int, int]:
    """Return size and alignment of a type, in bytes.

    Raises
    ------
    NotUnderstoodError
        If they are not certain.
    """
    kind = ctype.kind
    if ctype.is_number:
        return ctype.size, ctype.size // (2 if kind == "complex" else 1)
    if kind == "pointer":
        return 8, 8
    if kind == "void":
        return 1, 1
    if kind == "vector" and ctype.count is not None and ctype.item is not None:
        size, alignment = layout(ctype.item, interpreter)
        return ctype.count * size, alignment
    if kind == "vector" and ctype.name.startswith("vector<"):
        return 24, 8
    if ctype.name in _LIBRARY:
        return _LIBRARY[ctype.name], 8
    definition = interpreter.structs.get(ctype.name)
    if definition is None:
        raise NotUnderstoodError(f"the size of {ctype.name or 'this type'} is not known")
    end, widest = 0, 1
    for _, field_type, offset in fields(definition):
        size, alignment = layout(field_type, interpreter)
        end, widest = max(end, offset + size), max(widest, alignment)
    return max(-(-end // widest) * widest, 1), widest


def fields(definition: Any) -> Iterator[tuple[str, CType, int]]:
    """Yield name, type and offset of what a struct or union consists of.

    Raises
    ------
    NotUnderstoodError
        If they are not certain.
    """
    end = 0
    names = [declarator.name for declarator, _ in definition.fields]
    for name, ctype in zip(names, definition.field_types(), strict=True):
        size, alignment = layout(ctype, definition.interpreter)
        start = 0 if definition.is_union else -(-end // alignment) * alignment
        yield name, ctype, start
        end = start + size


class PlacedCell(Cell):
    """A number among the bytes of an object."""

    __slots__ = ("place",)

    def __init__(self, name: str, place: Pointer) -> None:
        super().__init__(name, None, place.ctype)
        self.place = place

    def get(self) -> Any:
        """Return the number."""
        return self.place.load()

    def set(self, value: Any) -> None:
        """Assign the number."""
        self.place.store(0, value)


@dataclass
class PlacedStruct(Struct):
    """An object that is made of bytes of memory."""

    place: Pointer | None = None

    def copy(self) -> PlacedStruct:
        """Return an independent copy, as C++ copies."""
        assert self.place is not None
        assert isinstance(self.place.target, Memory)
        interpreter = self.definition.interpreter
        memory = Memory(layout(self.place.ctype, interpreter)[0])
        memory.copy_from(0, self.place.target, self.place.offset, memory.size)
        return placed(interpreter, Pointer(memory, 0, self.place.ctype))


def placed(interpreter: Interpreter, place: Pointer) -> PlacedStruct:
    """Return the object whose bytes lie at an address.

    Raises
    ------
    NotUnderstoodError
        If it does not consist of numbers, or reaches out of the memory.
    """
    ctype, memory = place.ctype, place.target
    definition = interpreter.structs.get(ctype.name)
    if definition is None or not isinstance(memory, Memory):
        raise NotUnderstoodError("reads memory whose type is not known")
    if place.offset < 0 or place.offset + layout(ctype, interpreter)[0] > memory.size:
        raise NotUnderstoodError(f"takes less memory than a {ctype.name} has for one")
    made = PlacedStruct(ctype.name, definition=definition, place=place)
    for name, field_type, offset in fields(definition):
        made.fields[name] = _placed_field(interpreter, name, field_type, memory,
                                          place.offset + offset)  # fmt: skip
    return made


def _placed_field(
    interpreter: Interpreter, name: str, ctype: CType, memory: Memory, offset: int
) -> Cell:
    if ctype.is_number:
        return PlacedCell(name, Pointer(memory, offset, ctype))
    if ctype.kind == "vector" and _of_numbers(ctype):
        return Cell(name, nested_array(ctype, memory, offset), ctype)
    if ctype.kind == "struct":
        return Cell(name, placed(interpreter, Pointer(memory, offset, ctype)), ctype)
    raise NotUnderstoodError(f"takes bytes for {name or 'a field'}, which is no number")


def _of_numbers(ctype: CType) -> bool:
    if ctype.kind == "vector" and ctype.count is not None and ctype.item is not None:
        return _of_numbers(ctype.item)
    return ctype.is_number


def bytes_of(interpreter: Interpreter, value: Struct) -> Pointer:
    """Return the bytes of an object as they are now; those between its fields are zeros.

    Raises
    ------
    NotUnderstoodError
        If it does not consist of numbers.
    """
    made = _like(interpreter, value)
    _copy(value, made)
    assert made.place is not None
    assert isinstance(made.place.target, Memory)
    made.place.target.copy_of = made.place.target.name = value.name or f"a {value.type_name}"
    return Pointer(made.place.target, 0, UINT8)


def fill_from_device(interpreter: Interpreter, value: Struct, size: int, download: Any) -> None:
    """Set the bytes of an object to the data of a copy from the device."""
    made = _like(interpreter, value)
    assert made.place is not None
    assert isinstance(made.place.target, Memory)
    _copy(value, made)
    made.place.target.fill_from_device(0, size, download)
    _copy(made, value)


def _like(interpreter: Interpreter, value: Struct) -> PlacedStruct:
    if value.definition is None:
        raise NotUnderstoodError(f"the layout of {value.type_name} is not known")
    ctype = CType("struct", value.type_name)
    memory = Memory(layout(ctype, interpreter)[0])
    return placed(interpreter, Pointer(memory, 0, ctype))


def _copy(source: Struct, target: Struct) -> None:
    """Assign all fields."""
    for name, cell in source.fields.items():
        value, other = cell.get(), target.fields[name]
        if isinstance(value, Struct):
            _copy(value, other.get())
        elif isinstance(value, Vector):
            _copy_array(value, other.get())
        else:
            other.set(value)


def _copy_array(source: Vector, target: Vector) -> None:
    if source.count != target.count:
        raise NotUnderstoodError("copies the bytes of an array whose length is not known")
    if source.item.is_number:
        size = source.count * source.item.size
        target.memory.copy_from(target.start, source.memory, source.start, size)
        return
    for a, b in zip(source.items, target.items, strict=True):
        _copy_array(a, b)
