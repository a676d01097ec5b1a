"""Functions of ``<algorithm>`` and ``<numeric>``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from pyaclnn.port.data import decisions
from pyaclnn.port.data.constants import builtin
from pyaclnn.port.data.conversions import UINT64, convert
from pyaclnn.port.data.cpp_types import AUTO, INT64
from pyaclnn.port.data.memory import (
    BackwardsPointer,
    Memory,
    Pointer,
    ResultPointer,
    Vector,
    backwards,
    data_pointer,
)
from pyaclnn.port.data.references import ItemReference, describe
from pyaclnn.port.data.runtime_numbers import cast_symbol, type_of
from pyaclnn.port.data.symbols import Expression, Symbol, truth
from pyaclnn.port.data.values import Builtin, Cell, Tuple
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.arithmetic import binary, compare
from pyaclnn.port.evaluation.interpreter import Interpreter
from pyaclnn.port.library.mathematics import later_operand
from pyaclnn.port.library.randoms import Engine, below
from pyaclnn.port.model import derived_from

_Test = Callable[[Any, Any], bool]


def _between(interpreter: Interpreter, begin: Any, end: Any) -> list[Pointer]:
    """Return the addresses of a range."""
    found = []
    for index in range(_distance(begin, end)):
        interpreter.step()
        found.append(begin.moved(index))
    return found


def _distance(begin: Any, end: Any) -> int:
    if not isinstance(begin, Pointer) or not isinstance(end, Pointer):
        raise NotUnderstoodError(f"goes from a {describe(begin)} to a {describe(end)}")
    count = (end.offset - begin.offset) // (begin.step or 1)
    if begin.target is not end.target or type(begin) is not type(end) or count < 0:
        raise NotUnderstoodError("goes from an address to one that is not behind it")
    return count


def _loaded(interpreter: Interpreter, begin: Any, end: Any) -> list[Any]:
    return [place.load(0) for place in _between(interpreter, begin, end)]


def _target(value: Any) -> Pointer:
    if isinstance(value, Vector):
        value = data_pointer(value)
    if not isinstance(value, Pointer):
        raise NotUnderstoodError(f"writes to a {describe(value)}")
    return value


def _as(value: Any, ctype: Any) -> Any:
    """Return a number as one of a type; other values as they are."""
    if not ctype.is_number:
        return value
    return cast_symbol(value, ctype) if isinstance(value, Symbol) else convert(value, ctype)


def _number_type(value: Any) -> Any:
    return type_of(value) if isinstance(value, (int, float, complex, Symbol)) else AUTO


@builtin("distance")
def _distance_of(interpreter: Interpreter, begin: Any, end: Any) -> Any:
    return convert(_distance(begin, end), INT64)


@builtin("begin", "cbegin")
def _begin(interpreter: Interpreter, value: Any) -> Pointer:
    return _target(value)


@builtin("end", "cend")
def _end(interpreter: Interpreter, value: Any) -> Pointer:
    return _target(value).moved(value.count)


@builtin("size")
def _size(interpreter: Interpreter, value: Any) -> Any:
    return convert(value.count, UINT64)


@builtin("fill")
def _fill(interpreter: Interpreter, begin: Any, end: Any, value: Any) -> None:
    _fill_n(interpreter, begin, _distance(begin, end), value)


@builtin("fill_n")
def _fill_n(interpreter: Interpreter, begin: Any, count: int, value: Any) -> Any:
    target = _target(begin)
    if isinstance(value, (int, float)) and isinstance(target.target, Memory):
        size = count * target.ctype.size
        if target.offset < 0 or target.offset + size > target.target.size:
            raise NotUnderstoodError("fills more than an array holds")
        target.target.forget(target.offset, size)
        target.target.writable()
        target.target.view(target.ctype, target.offset)[:count] = convert(value, target.ctype)
        return target.moved(count)
    for index in range(count):
        interpreter.step()
        target.store(index, value)
    return target.moved(count)


@builtin("iota")
def _iota(interpreter: Interpreter, begin: Any, end: Any, value: Any) -> None:
    ctype = _number_type(value)
    for place in _between(interpreter, begin, end):
        place.store(0, value)
        value = _as(binary("+", value, 1), ctype)


@builtin("generate")
def _generate(interpreter: Interpreter, begin: Any, end: Any, function: Any) -> None:
    for place in _between(interpreter, begin, end):
        place.store(0, interpreter.call(function, []))


@builtin("for_each")
def _for_each(interpreter: Interpreter, begin: Any, end: Any, function: Any) -> Any:
    for place in _between(interpreter, begin, end):
        # By reference, where the function takes one.
        interpreter.call_on(function, [ItemReference(place, 0)])
    return function


@builtin("transform")
def _transform(interpreter: Interpreter, begin: Any, end: Any, *rest: Any) -> Any:
    *others, target, function = rest
    target = _target(target)
    places = _between(interpreter, begin, end)
    for index, place in enumerate(places):
        more = [_target(other).load(index) for other in others]
        target.store(index, interpreter.call(function, [place.load(0), *more]))
    return target.moved(len(places))


@builtin("copy")
def _copy(interpreter: Interpreter, begin: Any, end: Any, target: Any) -> Any:
    target = _target(target)
    places = _between(interpreter, begin, end)
    for index, place in enumerate(places):
        target.store(index, place.load(0))
    return target.moved(len(places))


@builtin("copy_n")
def _copy_n(interpreter: Interpreter, begin: Any, count: Any, target: Any) -> Any:
    return _copy(interpreter, _target(begin), _target(begin).moved(count), target)


@builtin("reverse")
def _reverse(interpreter: Interpreter, begin: Any, end: Any) -> None:
    for index, value in enumerate(reversed(_loaded(interpreter, begin, end))):
        begin.store(index, value)


@builtin("unique")
def _unique(interpreter: Interpreter, begin: Any, end: Any) -> Pointer:
    kept: list[Any] = []
    for value in _loaded(interpreter, begin, end):
        if not kept or not truth(compare("==", kept[-1], value)):
            kept.append(value)
    for index, value in enumerate(kept):
        begin.store(index, value)
    return _target(begin).moved(len(kept))


@builtin("accumulate", "reduce")
def _accumulate(interpreter: Interpreter, begin: Any, end: Any, *rest: Any) -> Any:
    total = rest[0] if rest else 0
    if not rest or (interpreter.called == "reduce" and _number_type(total).kind == "float"):
        raise NotUnderstoodError("reduces in an order that C++ leaves open")

    def step(so_far: Any, place: Pointer, _: int) -> Any:
        value = place.load(0)
        return interpreter.call(rest[1], [so_far, value]) if len(rest) > 1 \
            else binary("+", so_far, value)  # fmt: skip

    return _folded(interpreter, begin, end, total, step)


def _folded(
    interpreter: Interpreter,
    begin: Any,
    end: Any,
    start: Any,
    step: Callable[[Any, Pointer, int], Any],
) -> Any:
    """Return what comes of a range step by step: of results a variable of the port."""
    # The sum has the type of what it starts from: fractions are lost in an int.
    ctype = _number_type(start)
    total = Cell("total", start, ctype)
    total.key = interpreter.fresh_key("total")
    for index, place in enumerate(_between(interpreter, begin, end)):
        if isinstance(place.load(0), Symbol) and index == 0 and ctype.is_number:
            interpreter.materialise(total)
        total.set(_as(step(total.get(), place, index), ctype))
    return total.get()


@builtin("inner_product")
def _inner_product(interpreter: Interpreter, begin: Any, end: Any, other: Any, start: Any) -> Any:
    def step(so_far: Any, place: Pointer, index: int) -> Any:
        return binary("+", so_far, binary("*", place.load(0), _target(other).load(index)))

    return _folded(interpreter, begin, end, start, step)


@builtin("partial_sum")
def _partial_sum(interpreter: Interpreter, begin: Any, end: Any, target: Any) -> Any:
    total: Any = None
    places = _between(interpreter, begin, end)
    for index, place in enumerate(places):
        value = place.load(0)
        total = value if total is None else _as(binary("+", total, value), place.ctype)
        _target(target).store(index, total)
    return _target(target).moved(len(places))


def _functor(name: str, apply: Callable[[Any, Any], Any]) -> None:
    def make(interpreter: Interpreter, *_: Any) -> Builtin:
        ctype = interpreter.template[0] if interpreter.template else AUTO

        def call(_: Interpreter, left: Any, right: Any) -> Any:
            found = apply(_as(left, ctype), _as(right, ctype))
            return found if isinstance(found, bool) else _as(found, ctype)

        return Builtin(name, call)

    builtin(name)(make)


def _operator(sign: str) -> Callable[[Any, Any], Any]:
    apply = compare if "<" in sign or ">" in sign else binary
    return lambda left, right: apply(sign, left, right)


for _name, _sign in {
    "multiplies": "*", "plus": "+", "minus": "-", "less": "<", "greater": ">",
    "less_equal": "<=", "greater_equal": ">=",
}.items():  # fmt: skip
    _functor(_name, _operator(_sign))


def _order(interpreter: Interpreter, less: Any) -> _Test:
    """Return the comparison of an algorithm: its last argument, or ``<``."""
    if less is None:
        return lambda a, b: truth(compare("<", a, b))
    return lambda a, b: truth(interpreter.call(less, [a, b]))


def _extreme(interpreter: Interpreter, begin: Any, end: Any, less: Any, largest: bool) -> Any:
    test = _order(interpreter, less)
    best: Any = None
    places = _between(interpreter, begin, end)
    result = _extreme_result(places, largest) if less is None else None
    if result is not None:
        return result
    for place in places:
        if best is None:
            best = place
            continue
        a, b = best.load(0), place.load(0)
        if test(a, b) if largest else test(b, a):
            best = place
    return end if best is None else best


#: Among how many results the largest is looked for in one expression.
_MAX_RESULTS = 64


def _extreme_result(places: list[Pointer], largest: bool) -> Pointer | None:
    """Return where the largest of results is to be read, and not written; None without results.

    Python takes the first of equal ones and goes past NaN, as C++ does. Which of them it is, is not
    known: the address is none of the array's.
    """
    values = [place.load(0) for place in places]
    if not 1 < len(values) <= _MAX_RESULTS or not any(isinstance(v, Symbol) for v in values):
        return None
    ctype = places[0].ctype
    if not ctype.is_number or ctype.kind == "complex":
        return None
    operands = tuple(later_operand(value) for value in values)
    memory = Memory(ctype.size)
    memory.store(0, Expression("max" if largest else "min", operands, ctype), ctype)
    memory.copy_of = "an array, and it is not known which of its elements"
    return ResultPointer(memory, 0, ctype)


@builtin("max_element")
def _max_element(interpreter: Interpreter, begin: Any, end: Any, less: Any = None) -> Any:
    return _extreme(interpreter, begin, end, less, True)


@builtin("min_element")
def _min_element(interpreter: Interpreter, begin: Any, end: Any, less: Any = None) -> Any:
    return _extreme(interpreter, begin, end, less, False)


@builtin("minmax_element")
def _minmax_element(interpreter: Interpreter, begin: Any, end: Any) -> Tuple:
    """Of several largest, this is the last one."""
    places = _between(interpreter, begin, end)
    largest = places[0] if places else end
    for place in places[1:]:
        if not truth(compare("<", place.load(0), largest.load(0))):
            largest = place
    smallest = _extreme(interpreter, begin, end, None, False)
    return Tuple([Cell("", smallest), Cell("", largest)])


@builtin("rbegin", "crbegin")
def _rbegin(interpreter: Interpreter, value: Any) -> Pointer:
    return backwards(value, value.count - 1)


@builtin("rend", "crend")
def _rend(interpreter: Interpreter, value: Any) -> Pointer:
    return backwards(value, -1)


def _sorted_results(interpreter: Interpreter, begin: Any, end: Any, less: Any) -> bool:
    """Let the port sort a stretch of results; return whether it is one."""
    count = _distance(begin, end)
    if less is not None or not isinstance(begin.target, Memory) or not begin.target.symbolic:
        return False
    ctype, memory = begin.ctype, begin.target
    down = isinstance(begin, BackwardsPointer)
    if not count or ctype.name not in _SORTED:
        return False
    first = min(begin.offset, begin.moved(count - 1).offset)
    form = "np.sort({})[::-1]" if down else "np.sort({})"
    made = derived_from(memory, first, ctype, count, interpreter.line, form, ctype,
                        f"sorted_{memory.name or 'numbers'}")  # fmt: skip
    if made is None:
        return False
    interpreter.record(made)
    memory.fill_from_device(first, made.size, made)
    return True


#: Numbers of which equal ones are the same, or nearly: NumPy orders them as C++ does.
_SORTED = frozenset([
    "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64",
])  # fmt: skip


@builtin("shuffle")
def _shuffle(interpreter: Interpreter, begin: Any, end: Any, engine: Any) -> None:
    """Exchange elements as libstdc++ does: of a wide engine, one draw places two of them."""
    places = _between(interpreter, begin, end)
    if not isinstance(engine, Engine):
        raise NotUnderstoodError("shuffles by something that is no engine of the library")
    decisions.refuse_undecided(engine.depth, "draws random numbers")
    interpreter.program.draws += len(places)
    values = [place.load(0) for place in places]
    extent, count = engine.high - engine.low, len(values)

    def exchange(at: int, other: int) -> None:
        values[at], values[other] = values[other], values[at]

    at = 1
    if count and extent // count >= count:
        if count % 2 == 0:
            exchange(at, below(engine, 1))
            at += 1
        while at < count:
            first, second = divmod(below(engine, (at + 1) * (at + 2) - 1), at + 2)
            exchange(at, first)
            exchange(at + 1, second)
            at += 2
    for index in range(at, count):
        exchange(index, below(engine, index))
    for place, value in zip(places, values, strict=True):
        place.store(0, value)


@builtin("sort", "stable_sort")
def _sort(interpreter: Interpreter, begin: Any, end: Any, less: Any = None) -> None:
    if _sorted_results(interpreter, begin, end, less):
        return
    stable = interpreter.called != "sort"
    test = _order(interpreter, less)
    values = _loaded(interpreter, begin, end)

    def order(a: Any, b: Any) -> int:
        interpreter.step()
        return -1 if test(a, b) else int(test(b, a))

    ordered = sorted(values, key=cmp_to_key(order))
    if not stable and less is not None:
        for a, b in pairwise(ordered):
            if order(a, b) == 0 and a != b:
                raise NotUnderstoodError("sorts what is equal in an order that C++ leaves open")
    for index, value in enumerate(ordered):
        begin.store(index, value)


def _tests(interpreter: Interpreter, begin: Any, end: Any, function: Any) -> list[bool]:
    return [truth(interpreter.call(function, [v])) for v in _loaded(interpreter, begin, end)]


@builtin("all_of")
def _all_of(interpreter: Interpreter, begin: Any, end: Any, function: Any) -> bool:
    return all(_tests(interpreter, begin, end, function))


@builtin("any_of")
def _any_of(interpreter: Interpreter, begin: Any, end: Any, function: Any) -> bool:
    return any(_tests(interpreter, begin, end, function))


@builtin("none_of")
def _none_of(interpreter: Interpreter, begin: Any, end: Any, function: Any) -> bool:
    return not any(_tests(interpreter, begin, end, function))


@builtin("count_if")
def _count_if(interpreter: Interpreter, begin: Any, end: Any, function: Any) -> Any:
    return convert(sum(_tests(interpreter, begin, end, function)), INT64)


@builtin("count")
def _count(interpreter: Interpreter, begin: Any, end: Any, value: Any) -> Any:
    values = _loaded(interpreter, begin, end)
    return convert(sum(truth(compare("==", v, value)) for v in values), INT64)


def _first(interpreter: Interpreter, begin: Any, end: Any, test: Callable[[Any], Any]) -> Any:
    for place in _between(interpreter, begin, end):
        if truth(test(place.load(0))):
            return place
    return end


@builtin("find")
def _find(interpreter: Interpreter, begin: Any, end: Any, value: Any) -> Any:
    return _first(interpreter, begin, end, lambda found: compare("==", found, value))


@builtin("find_if")
def _find_if(interpreter: Interpreter, begin: Any, end: Any, function: Any) -> Any:
    return _first(interpreter, begin, end, lambda found: interpreter.call(function, [found]))


@builtin("equal")
def _equal(interpreter: Interpreter, begin: Any, end: Any, other: Any, *rest: Any) -> bool:
    if rest:
        raise NotUnderstoodError("compares ranges by another rule")
    return all(truth(compare("==", place.load(0), _target(other).load(index)))
               for index, place in enumerate(_between(interpreter, begin, end)))  # fmt: skip
