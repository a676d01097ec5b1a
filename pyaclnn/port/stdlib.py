"""Functions of the standard libraries of C and C++ that samples use."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from pyaclnn.port.arithmetic import binary
from pyaclnn.port.constants import builtin
from pyaclnn.port.cpp_types import AUTO, BOOL, CType, vector_of
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.initialise import Braces, initialise
from pyaclnn.port.interpreter import Interpreter
from pyaclnn.port.memory import Memory, Pointer, Vector, data_pointer
from pyaclnn.port.references import describe
from pyaclnn.port.symbols import Element, Expression, Query, Symbol, truth
from pyaclnn.port.texts import text_value
from pyaclnn.port.values import Builtin, Cell, CellPointer, SmartPointer, Struct, Tuple


def _math(function: Callable[..., float]) -> Callable[..., Any]:
    def call(interpreter: Interpreter, *values: Any) -> Any:
        if any(isinstance(v, Symbol) for v in values):
            return Expression(f"math.{function.__name__}", values)
        try:
            return float(function(*values))
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return call


for _name in [
    "sqrt", "exp", "log", "log2", "log10", "sin", "cos", "tan", "tanh", "sinh", "cosh", "asin",
    "acos", "atan", "asinh", "acosh", "atanh", "log1p", "expm1", "erf", "erfc", "tgamma", "lgamma",
]:  # fmt: skip
    builtin(_name, _name + "f")(_math(getattr(math, _name.replace("tgamma", "gamma"))))
for _name in ["hypot", "pow", "fmod", "atan2", "copysign"]:
    builtin(_name, _name + "f")(_math(getattr(math, _name)))
builtin("ldexp", "ldexpf", "scalbn")(_math(lambda value, power: math.ldexp(value, int(power))))
for _name in ["ceil", "floor", "trunc"]:
    builtin(_name, _name + "f")(_math(getattr(math, _name)))


@builtin("round", "roundf", "lround")
def _round(interpreter: Interpreter, value: Any) -> float:
    return math.copysign(math.floor(abs(value) + 0.5), value)


@builtin("abs", "fabs", "fabsf", "labs")
def _abs(interpreter: Interpreter, value: Any) -> Any:
    return Expression("abs", (value,)) if isinstance(value, Symbol) else abs(value)


@builtin("isnan")
def _isnan(interpreter: Interpreter, value: float) -> Any:
    return Expression("math.isnan", (value,)) if isinstance(value, Symbol) else value != value


@builtin("isinf")
def _isinf(interpreter: Interpreter, value: float) -> Any:
    return Expression("math.isinf", (value,)) if isinstance(value, Symbol) else math.isinf(value)


def _extreme(pick: Callable[..., Any]) -> Callable[..., Any]:
    def call(interpreter: Interpreter, *values: Any) -> Any:
        found = list(values[0].values) if isinstance(values[0], Braces) else list(values[:2])
        if any(isinstance(v, Symbol) for v in found):
            return Expression(pick.__name__, tuple(found))
        return pick(found)

    return call


builtin("max", "fmax")(_extreme(max))
builtin("min", "fmin")(_extreme(min))


@builtin("move", "forward", "ref", "cref", "as_const")
def _same(interpreter: Interpreter, value: Any) -> Any:
    return value


@builtin("make_pair", "make_tuple", "tie")
def _tuple(interpreter: Interpreter, *values: Any) -> Tuple:
    return Tuple([Cell("", v) for v in values])


@builtin("get")
def _get(interpreter: Interpreter, value: Tuple) -> Any:
    raise NotUnderstoodError("std::get is not supported")


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


def _between(begin: Any, end: Any) -> list[Any]:
    if not isinstance(begin, Pointer) or not isinstance(end, Pointer):
        raise NotUnderstoodError(f"goes from a {describe(begin)} to a {describe(end)}")
    return [begin.moved(i) for i in range(_distance(begin, end))]


def _distance(begin: Pointer, end: Pointer) -> int:
    return (end.offset - begin.offset) // max(begin.step, 1)


@builtin("distance")
def _distance_of(interpreter: Interpreter, begin: Pointer, end: Pointer) -> int:
    return _distance(begin, end)


@builtin("fill")
def _fill(interpreter: Interpreter, begin: Any, end: Any, value: Any) -> None:
    _fill_n(interpreter, begin, _distance(begin, end), value)


@builtin("fill_n")
def _fill_n(interpreter: Interpreter, begin: Any, count: int, value: Any) -> Any:
    target = data_pointer(begin) if isinstance(begin, Vector) else begin
    if isinstance(value, (int, float)) and isinstance(target.target, Memory):
        size = count * target.ctype.size
        if target.offset < 0 or target.offset + size > target.target.raw.size:
            raise NotUnderstoodError("fills more than an array holds")
        target.target.forget(target.offset, size)
        target.target.writable()
        target.target.view(target.ctype, target.offset)[:count] = value
        return target.moved(count)
    for index in range(count):
        target.store(index, value)
    return target.moved(count)


@builtin("iota")
def _iota(interpreter: Interpreter, begin: Any, end: Any, value: Any) -> None:
    for index, place in enumerate(_between(begin, end)):
        place.store(0, value + index)


@builtin("generate")
def _generate(interpreter: Interpreter, begin: Any, end: Any, function: Any) -> None:
    for place in _between(begin, end):
        interpreter.step()
        place.store(0, interpreter.call(function, []))


@builtin("for_each")
def _for_each(interpreter: Interpreter, begin: Any, end: Any, function: Any) -> None:
    for place in _between(begin, end):
        interpreter.step()
        interpreter.call(function, [place.load(0)])


@builtin("transform")
def _transform(interpreter: Interpreter, begin: Any, end: Any, target: Any, function: Any) -> None:
    for index, place in enumerate(_between(begin, end)):
        interpreter.step()
        target.store(index, interpreter.call(function, [place.load(0)]))


@builtin("copy")
def _copy(interpreter: Interpreter, begin: Any, end: Any, target: Any) -> None:
    for index, place in enumerate(_between(begin, end)):
        target.store(index, place.load(0))


@builtin("reverse")
def _reverse(interpreter: Interpreter, begin: Any, end: Any) -> None:
    values = [p.load(0) for p in _between(begin, end)]
    for index, value in enumerate(reversed(values)):
        begin.store(index, value)


@builtin("accumulate")
def _accumulate(
    interpreter: Interpreter, begin: Any, end: Any, start: Any, function: Any = None
) -> Any:
    total = start
    for place in _between(begin, end):
        interpreter.step()
        value = place.load(0)
        if function is None:
            total = binary("+", total, value)
        else:
            total = interpreter.call(function, [total, value])
    return total


for _name, _sign in (("multiplies", "*"), ("plus", "+"), ("minus", "-")):

    @builtin(_name)
    def _make_functor(interpreter: Interpreter, *_: Any, sign: str = _sign) -> Builtin:
        return Builtin(sign, lambda _, left, right: binary(sign, left, right))


@builtin("max_element", "min_element")
def _element(interpreter: Interpreter, begin: Any, end: Any) -> Any:
    places = _between(begin, end)
    if any(isinstance(p.load(0), Symbol) for p in places):
        raise NotUnderstoodError("searches results that are only known at run time")
    return max(places, key=lambda p: p.load(0)) if places else end


@builtin("begin")
def _begin(interpreter: Interpreter, value: Any) -> Pointer:
    return data_pointer(value)


@builtin("end")
def _end(interpreter: Interpreter, value: Any) -> Pointer:
    return data_pointer(value).moved(value.count)


@builtin("size")
def _size(interpreter: Interpreter, value: Any) -> int:
    return int(value.count)


@builtin("to_string")
def _to_string(interpreter: Interpreter, value: Any) -> str:
    if isinstance(value, Symbol):
        raise NotUnderstoodError("makes a string of a result")
    return f"{value:f}" if isinstance(value, float) else str(int(value))


@builtin("atoi", "stoi", "stol", "atol", "stoll")
def _to_int(interpreter: Interpreter, text: Any) -> int:
    return int(text_value(text) or 0)


@builtin("atof", "stof", "stod")
def _to_float(interpreter: Interpreter, text: Any) -> float:
    return float(text_value(text) or 0)


@builtin("strlen")
def _strlen(interpreter: Interpreter, text: Any) -> int:
    return len(text_value(text).encode())


@builtin("strcmp")
def _strcmp(interpreter: Interpreter, left: Any, right: Any) -> int:
    a, b = text_value(left), text_value(right)
    return (a > b) - (a < b)


@builtin("strstr")
def _strstr(interpreter: Interpreter, text: Any, part: Any) -> Any:
    wanted = text_value(part)
    if isinstance(text, Query) and text.is_text:
        return Expression("in", (wanted, text))
    found = text_value(text).find(wanted)
    return text_value(text)[found:] if found >= 0 else None


@builtin("strcpy", "strncpy", "strcpy_s", "strncpy_s")
def _strcpy(interpreter: Interpreter, target: Any, *rest: Any) -> Any:
    source = next(v for v in rest if not isinstance(v, int))
    pointer = data_pointer(target) if isinstance(target, Vector) else target
    if not isinstance(pointer, Pointer) or not isinstance(pointer.target, Memory):
        raise NotUnderstoodError(f"copies text to a {describe(target)}")
    room = pointer.target.raw.size - pointer.offset
    # Samples size the array without the final zero; what does not fit is not needed here.
    for index, code in enumerate([*text_value(source).encode(), 0][:room]):
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
            ctype = cell.ctype if cell.ctype.is_number else _natural(cell.get())
            memory = Memory(ctype.size, cell.name)
            memory.store(0, cell.get(), ctype)
            return Pointer(memory, 0, ctype)
    if isinstance(value, str):
        data = value.encode() + b"\0"
        memory = Memory(len(data))
        memory.raw[:] = list(data)
        return Pointer(memory, 0, CType("int", "uint8"))
    if isinstance(value, Pointer) and isinstance(value.target, Memory):
        return value
    raise NotUnderstoodError(f"takes a {describe(value)} for an address of numbers")


def _natural(value: Any) -> CType:
    if isinstance(value, bool):
        return BOOL
    return CType("int", "int64") if isinstance(value, int) else CType("float", "float64")


@builtin("memcpy", "memmove", "memcpy_s", "memmove_s")
def _memcpy(interpreter: Interpreter, target: Any, *rest: Any) -> int:
    source = next(v for v in rest if not isinstance(v, int))
    size = int(rest[-1])
    start = host_memory(source)
    if isinstance(target, CellPointer):
        _copy_to_cell(target.cell, start)
        return 0
    place = host_memory(target)
    place.target.copy_from(place.offset, start.target, start.offset, size)  # type: ignore[union-attr, arg-type]
    return 0


def _copy_to_cell(cell: Any, source: Pointer) -> None:
    ctype = cell.ctype
    if not ctype.is_number:
        raise NotUnderstoodError("copies bytes into a variable that is no number")
    loaded = Pointer(source.target, source.offset, ctype).load(0)
    cell.set(loaded.reinterpreted(ctype) if isinstance(loaded, Element) else loaded)


@builtin("memset", "memset_s")
def _memset(interpreter: Interpreter, target: Any, *rest: Any) -> int:
    value, size = (rest[-2], rest[-1]) if len(rest) == 2 else (rest[1], rest[2])
    if isinstance(target, (CellPointer, Struct)):
        return 0
    if isinstance(target, Pointer) and isinstance(target.target, Vector):
        return 0
    place = host_memory(target)
    memory = place.target
    assert isinstance(memory, Memory)
    memory.forget(place.offset, size)
    memory.writable()[place.offset : place.offset + size] = value & 0xFF
    return 0


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


@builtin("all_of", "any_of")
def _any(interpreter: Interpreter, begin: Any, end: Any, function: Any) -> bool:
    found = [truth(interpreter.call(function, [p.load(0)])) for p in _between(begin, end)]
    return all(found)


@builtin("vector")
def _make_vector(interpreter: Interpreter, *values: Any) -> Any:
    ctype = interpreter.template[0] if interpreter.template else AUTO
    return initialise(interpreter, vector_of(ctype), list(values))
