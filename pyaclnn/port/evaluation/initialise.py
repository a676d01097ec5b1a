"""Initialisation of a value of a type from parentheses or braces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pyaclnn.port.data.conversions import convert
from pyaclnn.port.data.cpp_types import VOID, CType
from pyaclnn.port.data.memory import Memory, Pointer, Vector, copied, data_pointer, nested_array
from pyaclnn.port.data.references import describe
from pyaclnn.port.data.runtime_numbers import cast_symbol
from pyaclnn.port.data.symbols import Symbol
from pyaclnn.port.data.texts import text_symbol, text_value
from pyaclnn.port.data.values import Cell, Map, SmartPointer, Struct, Tuple
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.interpreter import Interpreter

Maker = Callable[[Interpreter, CType, list[Any]], Any]

#: Name of a type of the standard library to what makes a value of it.
MAKERS: dict[str, Maker] = {}


def makes(*names: str) -> Callable[[Maker], Maker]:
    """Register what makes values of some types."""

    def register(maker: Maker) -> Maker:
        MAKERS.update(dict.fromkeys(names, maker))
        return maker

    return register


@dataclass
class Braces:
    """Values in braces, before it is known of what type."""

    values: list[Any]


def initialise(
    interpreter: Interpreter, ctype: CType, arguments: list[Any], braces: bool = False
) -> Any:
    """Return a new value.

    Parameters
    ----------
    interpreter : Interpreter
        Knows the structs.
    ctype : CType
        Of what type.
    arguments : list
        What it is made from.
    braces : bool
        Whether they stood in braces.

    Raises
    ------
    NotUnderstoodError
        If the type is not known.
    """
    first = arguments[0] if arguments else None
    unwrap = ctype.kind != "vector" and not (
        braces and (ctype.kind == "map" or _is_aggregate(interpreter, ctype))
    )
    if len(arguments) == 1 and isinstance(first, Braces) and unwrap:
        return initialise(interpreter, ctype, first.values, braces=True)
    if ctype.kind in ("int", "float", "bool"):
        return _scalar(first if arguments else 0, ctype)
    if ctype.kind == "complex":
        parts = [complex(a) for a in arguments]
        if len(parts) == 2:
            return convert(complex(parts[0].real, parts[1].real), ctype)
        return convert(parts[0] if parts else 0j, ctype)
    if ctype.kind == "vector":
        return _vector(interpreter, ctype, arguments, braces)
    if ctype.kind == "string":
        return _string(arguments)
    if ctype.kind == "smart":
        return _smart(ctype, first, arguments)
    if ctype.kind == "map":
        return _map(interpreter, ctype, arguments)
    if ctype.kind in ("struct", "other"):
        return _object(interpreter, ctype, arguments, braces)
    if len(arguments) == 1:
        return copied(first)
    return None


def _is_aggregate(interpreter: Interpreter, ctype: CType) -> bool:
    """Return whether braces within braces are those of its first member."""
    definition = interpreter.structs.get(ctype.name) if ctype.kind == "struct" else None
    return definition is not None and not definition.methods.get(ctype.name)


def _scalar(value: Any, ctype: CType) -> Any:
    if isinstance(value, Symbol):
        return cast_symbol(value, ctype)
    if isinstance(value, SmartPointer):
        value = value.value
    if ctype.kind == "bool" and not isinstance(value, (int, float)):
        return value is not None
    return convert(value, ctype)


def _vector(interpreter: Interpreter, ctype: CType, arguments: list[Any], braces: bool) -> Any:
    item = ctype.item or VOID
    if _is_grid(ctype):
        array = nested_array(ctype)
        _fill_grid(array, arguments)
        return array
    first = arguments[0] if arguments else None
    # {{1, 2}} is one row of a matrix, but only a superfluous pair of braces around numbers.
    nested = item.kind in ("vector", "struct", "other", "map", "smart")
    if len(arguments) == 1 and isinstance(first, Braces) and not (braces and nested):
        arguments, braces = first.values, True
        first = arguments[0] if arguments else None
    if braces and not (len(arguments) == 1 and isinstance(first, Vector) and item.kind != "vector"):
        return _listed(interpreter, ctype, item, arguments)
    if isinstance(first, str) and item.is_number:
        return _listed(interpreter, ctype, item, [ord(c) for c in first] + [0])
    if len(arguments) == 1 and isinstance(first, Vector):
        return first.copy()
    if len(arguments) == 2 and isinstance(first, Pointer):
        return _range(item, first, arguments[1])
    count = ctype.count if ctype.count is not None else first
    if isinstance(count, Symbol):
        raise NotUnderstoodError("the length of a vector is only known at run time")
    if count is not None and not isinstance(count, (int, float)):
        raise NotUnderstoodError(f"makes a vector of a {describe(count)}")
    vector = Vector(item, 0)
    default = arguments[1] if len(arguments) > 1 else None
    if isinstance(default, Braces):
        default = initialise(interpreter, item, default.values, braces=True)
    length = int(count or 0)
    if item.is_number:
        vector.resize(length, 0 if default is None else default)
        return vector
    if length > 1 << 20:
        raise NotUnderstoodError(f"{length} elements are more than a sample needs")
    for _ in range(length):
        value = copied(default) if default is not None else initialise(interpreter, item, [])
        vector.append(value)
    return vector


def _is_grid(ctype: CType) -> bool:
    inner = ctype.item
    if ctype.count is None or inner is None or inner.kind != "vector" or inner.count is None:
        return False
    while inner.kind == "vector" and inner.item is not None:
        if inner.count is None:
            return False
        inner = inner.item
    return inner.is_number


def _fill_grid(array: Vector, values: list[Any]) -> None:
    for index, value in enumerate(values):
        if isinstance(value, Braces):
            if array.item.is_number:
                array.set(index, value.values[0])
            else:
                _fill_grid(array.get(index), value.values)
        elif array.item.is_number:
            array.set(index, value)
        elif isinstance(value, (int, float)) and index == 0:
            data_pointer(array).store(0, value)


def _listed(interpreter: Interpreter, ctype: CType, item: CType, values: list[Any]) -> Vector:
    if item.kind in ("auto", "void", "other") and values and isinstance(values[0], (int, float)):
        item = CType("int", "int32") if isinstance(values[0], int) else CType("float", "float64")
    vector = Vector(item, 0)
    made = [initialise(interpreter, item, [v]) for v in values]
    if item.is_number:
        vector.resize(len(made))
        if all(isinstance(v, (int, float)) for v in made):
            vector.memory.writable()
            vector.memory.view(item)[: len(made)] = made
        else:
            for index, value in enumerate(made):
                vector.set(index, value)
    else:
        for value in made:
            vector.append(value)
    if ctype.count is not None and ctype.count > vector.count:
        vector.resize(ctype.count, 0 if item.is_number else initialise(interpreter, item, []))
    return vector


def _range(item: CType, begin: Pointer, end: Any) -> Vector:
    if not isinstance(end, Pointer) or end.target is not begin.target:
        raise NotUnderstoodError("makes a vector of two addresses of different arrays")
    count = (end.offset - begin.offset) // max(begin.step, 1)
    vector = Vector(item, count)
    if _numbers_of(begin, item):
        # All at once: they may be millions.
        source, size = begin.target, count * begin.ctype.size
        same = begin.ctype.name == item.name or begin.ctype.size == item.size == 1
        if same and isinstance(source, Memory):
            vector.memory.copy_from(0, source, begin.offset, size)
            return vector
    for index in range(count):
        vector.set(index, begin.load(index))
    return vector


def _numbers_of(begin: Pointer, item: CType) -> bool:
    """Return whether an address is one of known numbers, for an array of numbers."""
    found = begin.target
    return isinstance(found, Memory) and item.is_number and begin.ctype.is_number and \
        not found.symbolic  # fmt: skip


def _string(arguments: list[Any]) -> Any:
    first = arguments[0] if arguments else ""
    known_later = text_symbol(first)
    if known_later is not None:
        return known_later
    if len(arguments) == 2 and isinstance(first, int):
        return chr(arguments[1]) * min(first, 1 << 16)
    return text_value(first)


def _smart(ctype: CType, first: Any, arguments: list[Any]) -> SmartPointer:
    if isinstance(first, SmartPointer) and ctype.name == "shared_ptr":
        return first
    if isinstance(first, SmartPointer):
        # What was moved from is empty.
        moved = SmartPointer(first.value, first.deleter)
        first.value = None
        return moved
    deleter = arguments[1] if len(arguments) > 1 else None
    return SmartPointer(first, deleter)


def _map(interpreter: Interpreter, ctype: CType, arguments: list[Any]) -> Map:
    item = ctype.item or VOID
    found = Map(item, ctype.name == "map")
    if len(arguments) == 1 and isinstance(arguments[0], Map):
        return arguments[0].copy()
    for pair in arguments:
        if not isinstance(pair, Braces) or len(pair.values) != 2:
            raise NotUnderstoodError("makes a map of something else than pairs in braces")
        if pair.values[0] not in found:
            found.add(pair.values[0], initialise(interpreter, item, [pair.values[1]]))
    return found


def _object(interpreter: Interpreter, ctype: CType, arguments: list[Any], braces: bool) -> Any:
    maker = MAKERS.get(ctype.name.partition(":")[0])
    if maker is not None:
        return maker(interpreter, ctype, arguments)
    definition = interpreter.structs.get(ctype.name)
    if definition is not None:
        return definition.make(arguments, braces)
    if ctype.name in ("pair", "tuple"):
        if not arguments:
            return Tuple([Cell("", None) for _ in range(ctype.count or 0)])
        if len(arguments) == 1 and isinstance(arguments[0], Tuple):
            return Tuple([Cell("", c.get()) for c in arguments[0].items])
        return Tuple([Cell("", a) for a in arguments])
    if ctype.name in _PLAIN_OBJECTS:
        return Struct(ctype.name)
    if len(arguments) == 1 and not braces:
        return copied(arguments[0])
    if not arguments:
        return None
    raise NotUnderstoodError(f"the type {ctype.name or 'here'} is not known")


_PLAIN_OBJECTS = frozenset(["mutex"])
