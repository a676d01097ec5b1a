"""Functions of the standard libraries of C and C++ that samples use."""

from __future__ import annotations

import re
from typing import Any

from pyaclnn.port.data.constants import builtin
from pyaclnn.port.data.conversions import UINT64, convert, fits, type_of_number
from pyaclnn.port.data.cpp_types import AUTO, BOOL, DOUBLE, FLOAT, INT, INT64, CType, vector_of
from pyaclnn.port.data.memory import Memory, Pointer, Vector, data_pointer
from pyaclnn.port.data.references import describe
from pyaclnn.port.data.runtime_numbers import choice, comparison
from pyaclnn.port.data.symbols import Element, Expression, Query, Symbol
from pyaclnn.port.data.texts import text_value
from pyaclnn.port.data.values import Builtin, Cell, CellPointer, SmartPointer, Struct, Tuple, known
from pyaclnn.port.errors import NotUnderstoodError, SampleError
from pyaclnn.port.evaluation.initialise import initialise
from pyaclnn.port.evaluation.interpreter import Interpreter


@builtin("move", "forward", "ref", "cref", "as_const")
def _same(interpreter: Interpreter, value: Any) -> Any:
    return value


@builtin("make_pair", "make_tuple")
def _tuple(interpreter: Interpreter, *values: Any) -> Tuple:
    return Tuple([Cell("", v) for v in values])


class Tie:
    """What ``std::tie`` gives: variables that are assigned together."""

    ctype = AUTO

    def __init__(self, places: list[Any]) -> None:
        self.places = places

    def get(self) -> Tuple:
        """Return their values."""
        return Tuple([Cell("", known(place.get())) for place in self.places])

    def set(self, value: Any) -> None:
        """Assign each its part of a pair or tuple."""
        if not isinstance(value, Tuple) or len(value.items) != len(self.places):
            raise NotUnderstoodError("ties what is no tuple of as many values")
        for place, item in zip(self.places, value.items, strict=True):
            place.set(item.get())


@builtin("tie")
def _tie(interpreter: Interpreter, *_: Any) -> Tie:
    places = []
    for argument in interpreter.arguments:
        place = argument.reference
        if isinstance(argument.value, Builtin) and argument.value.name == "ignore":
            place = Cell("", None)
        if place is None:
            raise NotUnderstoodError("ties something that is no variable")
        places.append(place)
    return Tie(places)


@builtin("ignore")
def _ignore(interpreter: Interpreter, *_: Any) -> None:
    raise NotUnderstoodError("calls std::ignore")


@builtin("get")
def _get(interpreter: Interpreter, value: Any) -> Any:
    position = interpreter.template[0].name if interpreter.template else ""
    if not isinstance(value, Tuple) or not position.isdigit():
        raise NotUnderstoodError("std::get of something that is no pair or tuple")
    return value.items[int(position)].get()


@builtin("make_unique", "make_shared")
def _make(interpreter: Interpreter, *values: Any) -> SmartPointer:
    ctype = interpreter.template[0] if interpreter.template else AUTO
    made = initialise(interpreter, ctype, list(values))
    held = made if isinstance(made, Struct) else CellPointer(Cell("", made, ctype))
    return SmartPointer(held)


@builtin("swap")
def _swap(interpreter: Interpreter, *_: Any) -> None:
    first, second = (a.reference for a in interpreter.arguments[:2])
    mine, theirs = first.get(), second.get()
    first.set(theirs)
    second.set(mine)


@builtin("to_string")
def _to_string(interpreter: Interpreter, value: Any) -> str:
    if isinstance(value, Symbol):
        raise NotUnderstoodError("makes a string of a result")
    return f"{value:f}" if isinstance(value, float) else str(int(value))


_WHOLE = re.compile(r"\s*([+-]?\d+)")
_FRACTION = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_HEXADECIMAL = re.compile(r"\s*[+-]?0[xX]")
_PARSED = {
    "atoi": INT, "stoi": INT, "atol": INT64, "stol": INT64, "atoll": INT64, "stoll": INT64,
    "stoul": UINT64, "stoull": UINT64, "atof": DOUBLE, "stod": DOUBLE, "stof": FLOAT,
}  # fmt: skip


@builtin(*_PARSED)
def _parsed(interpreter: Interpreter, text: Any, *rest: Any) -> Any:
    name, ctype = interpreter.called, _PARSED[interpreter.called]
    if rest:
        raise NotUnderstoodError(f"calls {name} with a place or base")
    source = text_value(text)
    found = (_WHOLE if ctype.kind == "int" else _FRACTION).match(source)
    if found is None and name.startswith("a") and not source.strip():
        return convert(0, ctype)
    if found is None or len(found.group()) > 40 or _HEXADECIMAL.match(source):
        raise NotUnderstoodError(f"takes {source[:20]!r} for a number")
    value: Any = int(found.group(1)) if ctype.kind == "int" else float(found.group(1))
    if ctype.kind == "int" and not fits(value, ctype):
        raise NotUnderstoodError(f"{value} overflows {ctype.name}")
    return convert(value, ctype)


@builtin("strlen")
def _strlen(interpreter: Interpreter, text: Any) -> Any:
    return convert(len(text_value(text).encode()), UINT64)


@builtin("strcmp")
def _strcmp(interpreter: Interpreter, left: Any, right: Any) -> int:
    a, b = text_value(left), text_value(right)
    return (a > b) - (a < b)


@builtin("strstr")
def _strstr(interpreter: Interpreter, text: Any, part: Any) -> Any:
    wanted = text_value(part)
    if isinstance(text, Query) and text.is_text:
        return Expression("in", (wanted, text), BOOL)
    found = text_value(text).find(wanted)
    return text_value(text)[found:] if found >= 0 else None


@builtin("strcpy", "strncpy", "strcpy_s", "strncpy_s")
def _strcpy(interpreter: Interpreter, target: Any, *rest: Any) -> Any:
    source = next(v for v in rest if not isinstance(v, int))
    length = rest[-1] if "strn" in interpreter.called else None
    pointer = data_pointer(target) if isinstance(target, Vector) else target
    if not isinstance(pointer, Pointer) or not isinstance(pointer.target, Memory):
        raise NotUnderstoodError(f"copies text to a {describe(target)}")
    room = pointer.target.size - pointer.offset
    # Samples size the array without the final zero; what does not fit is not needed here.
    codes = [*text_value(source).encode(), 0]
    if length is not None:
        # strncpy fills up with zeros, and leaves no room for one where the text is longer.
        secure = interpreter.called.endswith("_s")
        codes = [*codes[:length], 0] if secure else [*codes, *[0] * min(length, room)][:length]
    for index, code in enumerate(codes[:room]):
        pointer.store(index, code)
    # Those with bounds give a status.
    return 0 if len(rest) > 1 and isinstance(rest[0], int) else target


def host_memory(value: Any) -> Pointer:
    """Return a value as an address of bytes.

    Raises
    ------
    NotUnderstoodError
        If it is none.
    """
    if isinstance(value, Vector):
        value = data_pointer(value)
    if isinstance(value, CellPointer):
        cell = value.cell
        if isinstance(cell.get(), (int, float)):
            ctype = cell.ctype if cell.ctype.is_number else type_of_number(cell.get())
            memory = Memory(ctype.size, cell.name)
            memory.store(0, cell.get(), ctype)
            memory.copy_of = cell.name or "a variable"
            return Pointer(memory, 0, ctype)
    if isinstance(value, str):
        data = value.encode() + b"\0"
        memory = Memory(len(data))
        memory.raw[:] = list(data)
        return Pointer(memory, 0, CType("int", "uint8"))
    if isinstance(value, Pointer) and isinstance(value.target, Memory):
        return value
    raise NotUnderstoodError(f"takes a {describe(value)} for an address of numbers")


@builtin("memcpy", "memmove", "memcpy_s", "memmove_s")
def _memcpy(interpreter: Interpreter, target: Any, *rest: Any) -> int:
    source = next(v for v in rest if not isinstance(v, int))
    size = int(rest[-1])
    start = host_memory(source)
    if isinstance(target, CellPointer):
        _copy_to_cell(target.cell, start, size)
        return 0
    place = host_memory(target)
    place.target.copy_from(place.offset, start.target, start.offset, size)  # type: ignore[union-attr, arg-type]
    return 0


@builtin("memcmp")
def _memcmp(interpreter: Interpreter, left: Any, right: Any, size: Any) -> Any:
    if not isinstance(size, int):
        raise NotUnderstoodError("compares as much memory as only a run decides")
    places = host_memory(left), host_memory(right)
    if any(p.offset + size > p.target.size for p in places):  # type: ignore[union-attr]
        raise SampleError("compares memory outside of an array")
    if any(p.target.symbolic for p in places):  # type: ignore[union-attr]
        return _differs(*places, size)
    a, b = (
        p.target.raw[p.offset : p.offset + size].tobytes()  # type: ignore[union-attr]
        for p in places
    )
    return (a > b) - (a < b)


#: How many results are compared with numbers in one expression.
_MAX_COMPARED = 64


def _differs(left: Pointer, right: Pointer, size: int) -> Any:
    """Return whether integers differ of which only a run knows some, as 0 or 1."""
    ctype = left.ctype
    if not ctype.is_number or right.ctype.size != ctype.size or size % ctype.size:
        raise NotUnderstoodError("compares the bytes of results of different types")
    if ctype.kind != "int" and ctype.size <= UINT64.size:
        # Bytes of fractions: 0 and -0 differ, and a NaN is what it is.
        ctype = CType("int", f"uint{8 * ctype.size}")
        left = left.retyped(ctype)
    if size // ctype.size > _MAX_COMPARED:
        raise NotUnderstoodError("compares the bytes of more results than are compared one by one")
    right = right.retyped(ctype)
    same: Any = None
    for index in range(size // ctype.size):
        equal = comparison("==", left.load(index), right.load(index))
        same = equal if same is None else Expression("and", (same, equal), BOOL)
    return 0 if same is None else choice(same, 0, 1)


def _copy_to_cell(cell: Any, source: Pointer, size: int) -> None:
    ctype = cell.ctype
    if not ctype.is_number or size != ctype.size:
        raise NotUnderstoodError(f"copies {size} bytes into a variable that is no such number")
    loaded = Pointer(source.target, source.offset, ctype).load(0)
    cell.set(loaded.reinterpreted(ctype) if isinstance(loaded, Element) else loaded)


@builtin("memset", "memset_s")
def _memset(interpreter: Interpreter, target: Any, *rest: Any) -> int:
    value, size = (rest[-2], rest[-1]) if len(rest) == 2 else (rest[1], rest[2])
    held = target.cell.get() if isinstance(target, CellPointer) else target
    if isinstance(held, (int, float)) and isinstance(target, CellPointer):
        _set_bytes(target.cell, value, size)
        return 0
    if isinstance(held, Struct):
        _clear(held, value)
        return 0
    if isinstance(held, Pointer) and isinstance(held.target, Vector):
        raise NotUnderstoodError("sets the bytes of objects")
    place = host_memory(target)
    memory = place.target
    assert isinstance(memory, Memory)
    memory.forget(place.offset, size)
    memory.writable()[place.offset : place.offset + size] = value & 0xFF
    return 0


def _set_bytes(cell: Any, value: int, size: int) -> None:
    ctype = cell.ctype if cell.ctype.is_number else type_of_number(cell.get())
    if size != ctype.size:
        raise NotUnderstoodError("sets some bytes of a variable")
    memory = Memory(size)
    memory.writable()[:] = value & 0xFF
    cell.set(memory.load(0, ctype))


def _clear(struct: Struct, value: int) -> None:
    """Set all of a struct to zero, as samples do before they fill it."""
    for cell in struct.fields.values():
        held = cell.get()
        if isinstance(held, Struct):
            _clear(held, value)
        elif value == 0 and (isinstance(held, (int, float)) or held is None):
            cell.set(0 if held is not None else None)
        elif value == 0 and isinstance(held, Vector) and held.item.is_number:
            held.fill(0)
        else:
            raise NotUnderstoodError("sets the bytes of an object")


@builtin("malloc")
def _malloc(interpreter: Interpreter, size: Any) -> Pointer:
    if not isinstance(size, int):
        raise NotUnderstoodError("allocates memory of a size that is only known at run time")
    return Pointer(Memory(size))


@builtin("calloc")
def _calloc(interpreter: Interpreter, count: int, size: int) -> Pointer:
    return Pointer(Memory(count * size))


@builtin("free", "assert")
def _nothing(interpreter: Interpreter, *_: Any) -> int:
    return 0


@builtin("usleep", "sleep", "sleep_for")
def _sleep(interpreter: Interpreter, *_: Any) -> int:
    interpreter.note_once("the sample waits for some time here and there; the port does not")
    return 0


@builtin("system")
def _system(interpreter: Interpreter, *_: Any) -> int:
    raise NotUnderstoodError("system runs a command of the shell, which a port does not")


@builtin("perror")
def _perror(interpreter: Interpreter, *_: Any) -> int:
    raise NotUnderstoodError("perror writes what errno says, which is only known at run time")


@builtin("vector")
def _make_vector(interpreter: Interpreter, *values: Any) -> Any:
    ctype = interpreter.template[0] if interpreter.template else AUTO
    return initialise(interpreter, vector_of(ctype), list(values))
