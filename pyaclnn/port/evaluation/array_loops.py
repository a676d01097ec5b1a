"""Long loops that fill arrays by arithmetic on their counter: done at once, with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pyaclnn.port.data.conversions import (
    bits_of,
    convert,
    fits,
    is_signed,
    plain,
    promoted,
    type_of_number,
)
from pyaclnn.port.data.cpp_types import AUTO, CType
from pyaclnn.port.data.memory import MAX_BYTES, Memory, Pointer, Vector, data_pointer
from pyaclnn.port.data.values import Cell
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.interpreter import Evaluator, Interpreter, Scope
from pyaclnn.port.evaluation.literals import number
from pyaclnn.port.evaluation.typenames import type_of_node
from pyaclnn.port.frontend.syntax import Node, field, named, text_of

MIN_TURNS = 64
#: How many are done at once, so that no more memory is taken than the arrays need.
_TURNS = 1 << 20

Array = np.ndarray[Any, Any]
#: Evaluates an expression for all turns: an array, or a number that is the same in each.
Formula = Callable[[Scope, Array], Any]

#: Computes what a statement does in all turns, and returns what does it.
Preparer = Callable[[Scope, Array], Callable[[], None]]

_SIGNS = frozenset("+-*/%&|^")


class NoFormulaError(Exception):
    """What a loop does cannot be done at once."""


def filled(interpreter: Interpreter, node: Node) -> Callable[[Scope], bool] | None:
    """Return what does a whole ``for`` loop; None if it is more than filling arrays.

    It returns whether it could; if not, the counter says how far it came.
    """
    head = counter_of(interpreter, node)
    body = field(node, "body")
    statements = named(body) if body.type == "compound_statement" else [body]
    if head is None or not statements:
        return None
    variable, bound, inclusive = head
    try:
        stores = [_store(interpreter, s, variable) for s in statements]
    except NoFormulaError:
        return None

    def run(scope: Scope) -> bool:
        cell, last = scope.find(variable), bound(scope)
        if interpreter.decisions.open or not isinstance(cell, Cell) or not isinstance(last, int):
            return False
        start = cell.get()
        end = int(last) + inclusive
        if not isinstance(start, int) or not MIN_TURNS <= end - start <= MAX_BYTES:
            return False
        kind = cell.ctype if cell.ctype.is_number else CType("int", "int32")
        if not fits(end, kind):
            return False
        for begin in range(int(start), end, _TURNS):
            counter = np.arange(begin, min(begin + _TURNS, end), dtype=kind.dtype)
            try:
                with np.errstate(all="ignore"):
                    acts = [store(scope, counter) for store in stores]
            except (NoFormulaError, ValueError, TypeError, ArithmeticError, NotUnderstoodError):
                return False  # the loop goes on turn by turn from here
            for act in acts:
                act()
            cell.set(min(begin + _TURNS, end))
        return True

    return run


def counter_of(interpreter: Interpreter, node: Node) -> tuple[str, Evaluator, int] | None:
    """Return the counter of a ``for`` loop, its last value, and whether it takes that."""
    test, update = field(node, "condition"), field(node, "update")
    if test is None or update is None or test.type != "binary_expression":
        return None
    left, sign = field(test, "left"), text_of(field(test, "operator"))
    name = text_of(left)
    if left.type != "identifier" or sign not in ("<", "<="):
        return None
    if text_of(update).replace(" ", "") not in (f"{name}++", f"++{name}", f"{name}+=1"):
        return None
    return name, interpreter.expression(field(test, "right")), int(sign == "<=")


def _store(interpreter: Interpreter, node: Node, variable: str) -> Preparer:
    """Compile one statement of the body to what prepares its effect."""
    parts = named(node)
    if node.type != "expression_statement" or len(parts) != 1:
        raise NoFormulaError
    inner = parts[0]
    if inner.type == "assignment_expression" and text_of(field(inner, "operator")) == "=":
        return _assignment(interpreter, inner, variable)
    if inner.type == "call_expression":
        return _appending(interpreter, inner, variable)
    raise NoFormulaError


def _assignment(interpreter: Interpreter, node: Node, variable: str) -> Preparer:
    left = field(node, "left")
    if left.type != "subscript_expression":
        raise NoFormulaError
    container = interpreter.expression(field(left, "argument"))
    indices = field(left, "indices")
    index = _formula(interpreter, named(indices)[0] if indices else field(left, "index"), variable)
    value = _formula(interpreter, field(node, "right"), variable)

    def prepare(scope: Scope, counter: Array) -> Any:
        target = container(scope)
        if isinstance(target, Vector):
            if not target.item.is_number:
                raise NoFormulaError
            room = target.count
            target = data_pointer(target)
        else:
            room = MAX_BYTES
        if not isinstance(target, Pointer) or not isinstance(target.target, Memory):
            raise NoFormulaError
        memory, ctype = target.target, target.ctype
        places = np.asarray(index(scope, counter), dtype=np.int64)
        values = _as(value(scope, counter), ctype, places.shape)
        if memory.symbolic or not ctype.is_number or places.shape != counter.shape:
            raise NoFormulaError
        low, high = int(places.min()), int(places.max())
        if low < 0 or high >= room or target.offset + (high + 1) * ctype.size > memory.raw.size:
            raise NoFormulaError

        def act() -> None:
            memory.writable()
            memory.view(ctype, target.offset)[places] = values

        return act

    return prepare


def _appending(interpreter: Interpreter, node: Node, variable: str) -> Preparer:
    function = field(node, "function")
    arguments = named(field(node, "arguments"))
    if function.type != "field_expression" or len(arguments) != 1:
        raise NoFormulaError
    if text_of(field(function, "field")) not in ("push_back", "emplace_back"):
        raise NoFormulaError
    holder = interpreter.expression(field(function, "argument"))
    value = _formula(interpreter, arguments[0], variable)

    def prepare(scope: Scope, counter: Array) -> Any:
        vector = holder(scope)
        if not isinstance(vector, Vector) or not vector.item.is_number or vector.memory.symbolic:
            raise NoFormulaError
        values = _as(value(scope, counter), vector.item, counter.shape)

        def act() -> None:
            before = vector.count
            vector.resize(before + counter.size)
            vector.memory.view(vector.item)[before : before + counter.size] = values

        return act

    return prepare


def _as(value: Any, ctype: CType, shape: tuple[int, ...]) -> Array:
    """Return values as elements of a type, as C converts them."""
    found = np.broadcast_to(np.asarray(value), shape)
    if ctype.kind == "int" and found.dtype.kind == "f":
        low, high = (
            (convert(v, ctype) for v in (found.min(), found.max())) if found.size else (0, 0)
        )
        if not (low <= high and np.all(np.abs(found) < 2.0**62)):
            raise NoFormulaError
        found = found.astype(np.int64)
    return found.astype(ctype.dtype)


def _formula(interpreter: Interpreter, node: Node, variable: str) -> Formula:
    kind = node.type
    if kind == "parenthesized_expression":
        return _formula(interpreter, named(node)[0], variable)
    if kind == "number_literal":
        literal = number(text_of(node))
        constant = type_of_number(literal).dtype.type(plain(literal))
        return lambda scope, counter: constant
    if kind == "identifier":
        return _variable(text_of(node), variable)
    if kind == "binary_expression":
        return _binary(interpreter, node, variable)
    if kind == "cast_expression":
        return _cast(interpreter, field(node, "type"), field(node, "value"), variable)
    if kind == "call_expression":
        function, arguments = field(node, "function"), named(field(node, "arguments"))
        if len(arguments) == 1 and function.type == "primitive_type":
            return _cast(interpreter, function, arguments[0], variable)
        if len(arguments) == 1 and text_of(function).startswith("static_cast<"):
            types = named(field(function, "arguments"))
            return _cast(interpreter, types[0], arguments[0], variable)
    raise NoFormulaError


def _variable(name: str, variable: str) -> Formula:
    def find(scope: Scope, counter: Array) -> Any:
        if name == variable:
            return counter
        cell = scope.find(name)
        value = cell.get() if isinstance(cell, Cell) else None
        if not isinstance(value, (int, float)) or not isinstance(cell, Cell):
            raise NoFormulaError
        if not cell.ctype.is_number:
            raise NoFormulaError
        return cell.ctype.dtype.type(value)

    return find


def _binary(interpreter: Interpreter, node: Node, variable: str) -> Formula:
    sign = text_of(field(node, "operator"))
    if sign not in _SIGNS:
        raise NoFormulaError
    left, right = (_formula(interpreter, field(node, s), variable) for s in ("left", "right"))

    def compute(scope: Scope, counter: Array) -> Any:
        a, b = left(scope, counter), right(scope, counter)
        common = promoted(_type(a), _type(b))
        if common is AUTO:
            raise NoFormulaError
        a, b = (np.asarray(v).astype(common.dtype) for v in (a, b))
        if common.kind == "int":
            return _integers(sign, a, b, common)
        if sign in "%&|^" or common.name not in ("float32", "float64"):
            raise NoFormulaError
        return _OPERATIONS[sign](a, b)

    return compute


def _integers(sign: str, a: Array, b: Array, common: CType) -> Array:
    """Compute as `arithmetic.numbers` does, which refuses what overflows with a sign."""
    if sign in "/%":
        # C rounds to zero, and so does NumPy for what is not negative.
        if not (np.all(a >= 0) and np.all(b > 0)):
            raise NoFormulaError
        return np.asarray(a // b if sign == "/" else a % b)
    found = np.asarray(_OPERATIONS[sign](a, b))
    if sign in "+-*" and is_signed(common):
        exact = _OPERATIONS[sign](a.astype(np.float64), b.astype(np.float64))
        # A large fraction is off by less than this.
        if not np.all(np.abs(exact) < float(bits_of(common) // 2) * (1 - 1e-9)):
            raise NoFormulaError
    return found


_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide,
    "&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor,
}  # fmt: skip


def _type(value: Any) -> CType:
    dtype = np.asarray(value).dtype
    kinds = {"i": "int", "u": "int", "f": "float", "b": "bool"}
    if dtype.kind not in kinds:
        raise NoFormulaError
    return CType(kinds[dtype.kind], dtype.name)


def _cast(interpreter: Interpreter, described: Node, node: Node, variable: str) -> Formula:
    target, inner = type_of_node(described), _formula(interpreter, node, variable)

    def convert(scope: Scope, counter: Array) -> Any:
        ctype = target(scope)
        if not ctype.is_number:
            raise NoFormulaError
        value = inner(scope, counter)
        return _as(value, ctype, np.shape(value))

    return convert
