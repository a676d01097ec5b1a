"""Functions of std::set and std::unordered_set."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.data.conversions import UINT64, convert
from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.memory import Pointer
from pyaclnn.port.data.sets import Position, SetValue
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.initialise import Braces, makes
from pyaclnn.port.evaluation.interpreter import Interpreter
from pyaclnn.port.library.methods import METHODS, Receiver, method


@makes("set", "unordered_set")
def _made(interpreter: Interpreter, ctype: CType, arguments: list[Any]) -> SetValue:
    assert ctype.item is not None
    if ctype.count != 1:
        raise NotUnderstoodError("a set with an order of its own is not supported")
    first = arguments[0] if arguments else None
    if len(arguments) == 1 and isinstance(first, SetValue):
        return first.copy()
    if len(arguments) == 1 and isinstance(first, Braces):
        arguments = first.values
    elif len(arguments) == 2 and isinstance(first, Pointer):
        step = max(first.step, 1)
        count = (arguments[1].offset - first.offset) // step
        arguments = [first.load(index) for index in range(count)]
    found = SetValue(ctype.item, ctype.name == "set", set())
    found.values.update(found.element(a) for a in arguments)
    return found


def _find(receiver: Receiver, value: Any) -> Position:
    held: SetValue = receiver.value
    element = held.element(value)
    return (
        Position(id(held), True, element) if element in held.values else Position(id(held), False)
    )


METHODS[SetValue] = {
    "size": lambda r: convert(len(r.value.values), UINT64),
    "empty": lambda r: not r.value.values,
    "count": lambda r, v: convert(int(r.value.element(v) in r.value.values), UINT64),
    "find": _find,
    "end": lambda r: Position(id(r.value), False),
    "cend": lambda r: Position(id(r.value), False),
    "clear": lambda r: r.value.changed().clear(),
}


@method(SetValue, "insert", "emplace")
def _insert(receiver: Receiver, *values: Any) -> None:
    held: SetValue = receiver.value
    new = values[0].values if len(values) == 1 and isinstance(values[0], Braces) else values
    if len(values) > 1:
        raise NotUnderstoodError("inserts a range into a set")
    held.changed().update(held.element(v) for v in new)


@method(SetValue, "erase")
def _erase(receiver: Receiver, value: Any) -> Any:
    held: SetValue = receiver.value
    element = value.value if isinstance(value, Position) else held.element(value)
    there = element in held.values
    held.changed().discard(element)
    return convert(int(there), UINT64)
