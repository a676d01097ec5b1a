"""Methods of the standard library's types."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pyaclnn.port.data.constants import NPOS
from pyaclnn.port.data.conversions import UINT64, convert, part_of
from pyaclnn.port.data.cpp_types import CHAR, CType, vector_of
from pyaclnn.port.data.memory import Pointer, Vector, backwards, copied, data_pointer
from pyaclnn.port.data.references import describe
from pyaclnn.port.data.sets import Position
from pyaclnn.port.data.symbols import Query
from pyaclnn.port.data.texts import text_value
from pyaclnn.port.data.values import Cell, Map, SmartPointer, Tuple
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.exceptions import StandardError
from pyaclnn.port.evaluation.initialise import Braces, initialise
from pyaclnn.port.evaluation.interpreter import Interpreter
from pyaclnn.port.library.files import FILE_METHODS, FileValue


@dataclass
class Receiver:
    """The object a method is called on, and where it is."""

    interpreter: Interpreter
    value: Any
    place: Any


Method = Callable[..., Any]

#: Type of the object to its methods by name.
METHODS: dict[type, dict[str, Method]] = {}


def method(kind: type, *names: str) -> Callable[[Method], Method]:
    """Register a method."""

    def register(function: Method) -> Method:
        METHODS.setdefault(kind, {}).update(dict.fromkeys(names, function))
        return function

    return register


METHODS[StandardError] = {"what": lambda receiver: receiver.value.message}


def _size(count: int) -> Any:
    return convert(count, UINT64)


def _end(vector: Vector) -> Pointer:
    return data_pointer(vector).moved(vector.count)


def _item(receiver: Receiver, value: Any) -> Any:
    vector: Vector = receiver.value
    if isinstance(value, Braces):
        return initialise(receiver.interpreter, vector.item, value.values, braces=True)
    return copied(value)


_VECTOR: dict[str, Method] = {
    "size": lambda r: _size(r.value.count),
    "length": lambda r: _size(r.value.count),
    "empty": lambda r: r.value.count == 0,
    "data": lambda r: data_pointer(r.value),
    "begin": lambda r: data_pointer(r.value),
    "cbegin": lambda r: data_pointer(r.value),
    "end": lambda r: _end(r.value),
    "cend": lambda r: _end(r.value),
    "rbegin": lambda r: backwards(r.value, r.value.count - 1),
    "crbegin": lambda r: backwards(r.value, r.value.count - 1),
    "rend": lambda r: backwards(r.value, -1),
    "crend": lambda r: backwards(r.value, -1),
    "at": lambda r, i: r.value.get(i),
    "front": lambda r: r.value.get(0),
    "back": lambda r: r.value.get(r.value.count - 1),
    "push_back": lambda r, v: r.value.append(_item(r, v)),
    "reserve": lambda r, n: r.value.reserve(n),
    "shrink_to_fit": lambda r: None,
    "clear": lambda r: r.value.resize(0),
    "pop_back": lambda r: r.value.resize(r.value.count - 1),
    "fill": lambda r, v: r.value.fill(v),
}
METHODS[Vector] = _VECTOR


@method(Vector, "emplace_back")
def _emplace(receiver: Receiver, *values: Any) -> None:
    vector: Vector = receiver.value
    vector.append(initialise(receiver.interpreter, vector.item, list(values)))


@method(Vector, "resize")
def _resize(receiver: Receiver, count: Any, value: Any = None) -> None:
    vector: Vector = receiver.value
    if not isinstance(count, int):
        raise NotUnderstoodError("the length of a vector is only known at run time")
    if vector.item.is_number:
        vector.resize(count, 0 if value is None else value)
        return
    old = vector.count
    if count <= old:
        vector.resize(count)
    for _ in range(old, min(count, 1 << 20)):
        fresh = initialise(receiver.interpreter, vector.item, [])
        vector.append(copied(value) if value is not None else fresh)


@method(Vector, "assign")
def _assign(receiver: Receiver, *values: Any) -> None:
    vector: Vector = receiver.value
    made = initialise(receiver.interpreter, _type(vector), list(values))
    _replace(vector, made.values())


@method(Vector, "insert")
def _insert(receiver: Receiver, where: Any, *values: Any) -> None:
    vector: Vector = receiver.value
    at = where.offset // max(where.step, 1)
    if len(values) == 2 and isinstance(values[0], int):
        new = [values[1]] * values[0]
    elif len(values) == 2:
        new = initialise(receiver.interpreter, _type(vector), list(values)).values()
    else:
        new = values[0].values if isinstance(values[0], Braces) else [values[0]]
    old = vector.values()
    _replace(vector, old[:at] + new + old[at:])


@method(Vector, "erase")
def _erase(receiver: Receiver, where: Any, end: Any = None) -> None:
    vector: Vector = receiver.value
    at = where.offset // max(where.step, 1)
    stop = at + 1 if end is None else end.offset // max(end.step, 1)
    old = vector.values()
    _replace(vector, old[:at] + old[stop:])


@method(Vector, "swap")
def _swap(receiver: Receiver, other: Vector) -> None:
    mine, theirs = receiver.value.values(), other.values()
    _replace(receiver.value, theirs)
    _replace(other, mine)


def _type(vector: Vector) -> CType:
    return vector_of(vector.item)


def _replace(vector: Vector, values: list[Any]) -> None:
    vector.resize(0)
    for value in values:
        vector.append(value)


def _part(value: Any) -> str:
    return chr(value) if isinstance(value, int) else text_value(value)


def _found(index: int) -> Any:
    return _size(index) if index >= 0 else NPOS


def _character(text: str, index: int) -> Any:
    if not 0 <= index < len(text) or not text.isascii():
        raise NotUnderstoodError("takes a character that is not there, or not of ASCII")
    return convert(ord(text[index]), CHAR)


def _ascii(text: str) -> str:
    if not text.isascii():
        raise NotUnderstoodError("takes apart a text that is not ASCII")
    return text


METHODS[str] = {
    "size": lambda r: _size(len(r.value.encode())),
    "length": lambda r: _size(len(r.value.encode())),
    "empty": lambda r: not r.value,
    "c_str": lambda r: r.value,
    "data": lambda r: r.value,
    "at": lambda r, i: _character(r.value, i),
    "append": lambda r, v: r.place.set(r.value + text_value(v)),
    "push_back": lambda r, v: r.place.set(r.value + chr(v)),
    "find": lambda r, v, at=0: _found(r.value.find(_part(v), at)),
    "rfind": lambda r, v: _found(r.value.rfind(_part(v))),
    "find_last_of": lambda r, v: _found(max(r.value.rfind(c) for c in _part(v))),
    "front": lambda r: _character(r.value, 0),
    "back": lambda r: _character(r.value, len(r.value) - 1),
    "clear": lambda r: r.place.set(""),
    "substr": lambda r, i, n=None: _ascii(r.value)[i : None if n is None else i + n],
    "compare": lambda r, *given: _compared(r.value, *given),
}


def _compared(text: str, *given: Any) -> int:
    """Compare a text, or a part of it, with another."""
    if len(given) not in (1, 3):
        raise NotUnderstoodError("compares a part of a text with a part of one")
    if len(given) == 3:
        text = _ascii(text)[given[0] : given[0] + given[1]]
    other = text_value(given[-1])
    return (text > other) - (text < other)


METHODS[SmartPointer] = {
    "get": lambda r: r.value.value,
}


@method(SmartPointer, "release")
def _release(receiver: Receiver) -> Any:
    return receiver.value.change(None)


@method(SmartPointer, "reset")
def _reset(receiver: Receiver, value: Any = None) -> None:
    pointer: SmartPointer = receiver.value
    held = pointer.change(value)
    if held is not None:
        receiver.interpreter.delete(pointer.deleter, held)


@method(SmartPointer, "swap")
def _swap_pointers(receiver: Receiver, other: SmartPointer) -> None:
    mine = receiver.value
    mine.change(other.change(mine.value))


def _key(value: Any) -> Any:
    """Return a key of a map: which one it is must be known."""
    if not isinstance(value, (int, float, str)):
        raise NotUnderstoodError(f"looks in a map for a {describe(value)}")
    return value


def _map_find(receiver: Receiver, value: Any) -> Position:
    found = receiver.value.get(_key(value))
    pair = Tuple([Cell("first", value), found]) if found is not None else None
    return Position(id(receiver.value), found is not None, pair)


def _map_end(receiver: Receiver) -> Position:
    return Position(id(receiver.value), False)


METHODS[Map] = {
    "size": lambda r: _size(len(r.value)),
    "empty": lambda r: not r.value,
    "count": lambda r, k: _size(int(_key(k) in r.value)),
    "at": lambda r, k: r.value[_key(k)].get(),
    "find": _map_find,
    "end": _map_end,
    "cend": _map_end,
}


@method(Map, "erase")
def _map_erase(receiver: Receiver, value: Any) -> Any:
    held: Map = receiver.value
    held.refuse_undecided()
    key = value.element().items[0].get() if isinstance(value, Position) else _key(value)
    return _size(int(held.pop(key, None) is not None))


@method(Map, "clear")
def _map_clear(receiver: Receiver) -> None:
    receiver.value.refuse_undecided()
    receiver.value.clear()


@method(Map, "insert", "emplace")
def _map_insert(receiver: Receiver, *values: Any) -> None:
    pair = values[0] if len(values) == 1 else values
    items = pair.values if isinstance(pair, Braces) else pair
    if isinstance(pair, Tuple):
        items = [c.get() for c in pair.items]
    if items[0] not in receiver.value:
        receiver.value.add(items[0], items[1])


METHODS[Query] = {"c_str": lambda r: r.value, "data": lambda r: r.value}
METHODS[FileValue] = FILE_METHODS
METHODS[complex] = {
    "real": lambda r: part_of(r.value, "real"),
    "imag": lambda r: part_of(r.value, "imag"),
}
