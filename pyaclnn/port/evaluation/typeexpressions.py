"""Expressions about types: sizeof, casts, new and delete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyaclnn.port.data.conversions import UINT64, convert
from pyaclnn.port.data.cpp_types import AUTO, BOOL, CType, vector_of
from pyaclnn.port.data.memory import Pointer, Vector
from pyaclnn.port.data.references import address_of, cast_pointer
from pyaclnn.port.data.runtime_numbers import cast_symbol
from pyaclnn.port.data.symbols import Expression, StatusCode, Symbol, type_of_symbol
from pyaclnn.port.data.values import Cell, CellPointer, SmartPointer, known
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.initialise import initialise
from pyaclnn.port.evaluation.interpreter import EXPRESSIONS, Evaluator, Interpreter, Scope, compiles
from pyaclnn.port.evaluation.layouts import layout
from pyaclnn.port.evaluation.statictypes import static_type
from pyaclnn.port.evaluation.typenames import type_of_node
from pyaclnn.port.frontend.syntax import Node, field, named, text_of


@compiles(EXPRESSIONS, "sizeof_expression", "alignof_expression")
def _sizeof(interpreter: Interpreter, node: Node) -> Evaluator:
    described = field(node, "type")
    if node.type == "alignof_expression":
        ctype = type_of_node(described)
        return lambda scope: convert(layout(ctype(scope), interpreter)[1], UINT64)
    if described is not None:
        ctype = type_of_node(described)
        return lambda scope: _size(ctype(scope), interpreter)
    value = field(node, "value")

    def size(scope: Scope) -> Any:
        inner = named(value)[0] if value.type == "parenthesized_expression" else value
        if inner.type == "identifier":
            found = scope.find(text_of(inner))
            if found is None or isinstance(found, CType):
                # The parser cannot tell sizeof(T) from sizeof(value).
                return _size(type_of_node(inner)(scope), interpreter)
            held = found.get() if isinstance(found, Cell) else None
            if isinstance(held, Vector) and found.ctype.count is not None:
                return _size(vector_of(held.item, held.count), interpreter)
        return _size(static_type(interpreter, inner, scope), interpreter)

    return size


def _size(ctype: CType, interpreter: Interpreter) -> Any:
    return convert(layout(ctype, interpreter)[0], UINT64)


@compiles(EXPRESSIONS, "cast_expression")
def _cast(interpreter: Interpreter, node: Node) -> Evaluator:
    ctype = type_of_node(field(node, "type"))
    value = interpreter.expression(field(node, "value"))
    return lambda scope: cast(value(scope), ctype(scope))


def cast(value: Any, ctype: CType) -> Any:
    """Return a value as another type, as a C cast gives it."""
    value = known(value)
    if ctype.kind in ("pointer", "vector"):
        return cast_pointer(value, ctype)
    if isinstance(value, StatusCode) and ctype.kind == "int":
        return value
    if ctype.is_number and isinstance(value, Symbol):
        if type_of_symbol(value) is not AUTO or ctype.kind not in ("int", "float"):
            return cast_symbol(value, ctype)
        return Expression(ctype.kind, (value,), ctype)
    if isinstance(value, SmartPointer):
        return value.value is not None if ctype is BOOL else value
    return convert(value, ctype)


CASTS: dict[str, Callable[[Any, CType], Any]] = dict.fromkeys(
    ["static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"], cast
)


@compiles(EXPRESSIONS, "new_expression")
def _new(interpreter: Interpreter, node: Node) -> Evaluator:
    ctype = type_of_node(field(node, "type"))
    extent = field(node, "declarator")
    given = field(node, "arguments")
    arguments = [interpreter.expression(n) for n in named(given)] if given is not None else []
    if extent is not None:
        length = interpreter.expression(named(extent)[0])

        def make_array(scope: Scope) -> Pointer:
            made = _new_array(interpreter, ctype(scope), known(length(scope)))
            for index, argument in enumerate(arguments):
                made.store(index, known(argument(scope)))
            return made

        return make_array

    def make(scope: Scope) -> Any:
        values = [known(a(scope)) for a in arguments]
        found = initialise(interpreter, ctype(scope), values)
        return address_of(Cell("", found, ctype(scope)))

    return make


def _new_array(interpreter: Interpreter, ctype: CType, count: Any) -> Pointer:
    if not isinstance(count, int):
        raise NotUnderstoodError("the length of an array is only known at run time")
    vector = Vector(ctype, count)
    if not ctype.is_number:
        vector.items = [initialise(interpreter, ctype, []) for _ in range(count)]
        return Pointer(vector, 0, ctype)
    return Pointer(vector.memory, 0, ctype)


@compiles(EXPRESSIONS, "delete_expression")
def _delete(interpreter: Interpreter, node: Node) -> Evaluator:
    evaluate = interpreter.expression(named(node)[-1])

    def delete(scope: Scope) -> None:
        held = known(evaluate(scope))
        if isinstance(held, CellPointer):
            interpreter.destroy(held.cell.get())
        elif isinstance(held, Pointer) and isinstance(held.target, Vector):
            for item in reversed(held.target.items):
                interpreter.destroy(item)

    return delete
