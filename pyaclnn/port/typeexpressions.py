"""Expressions about types: sizeof, casts, new and delete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyaclnn.port.cpp_types import BOOL, CType, convert
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.initialise import initialise
from pyaclnn.port.interpreter import EXPRESSIONS, Evaluator, Interpreter, Scope, compiles
from pyaclnn.port.memory import Pointer, Vector
from pyaclnn.port.references import address_of, cast_pointer
from pyaclnn.port.statictypes import static_type
from pyaclnn.port.symbols import Element, Expression, Symbol
from pyaclnn.port.syntax import Node, field, named, text_of
from pyaclnn.port.typenames import type_of_node
from pyaclnn.port.values import Cell, SmartPointer, Struct, known


@compiles(EXPRESSIONS, "sizeof_expression", "alignof_expression")
def _sizeof(interpreter: Interpreter, node: Node) -> Evaluator:
    described = field(node, "type")
    if described is not None:
        ctype = type_of_node(described)
        return lambda scope: _size(ctype(scope), interpreter)
    value = field(node, "value")

    def size(scope: Scope) -> int:
        inner = named(value)[0] if value.type == "parenthesized_expression" else value
        if inner.type == "identifier":
            found = scope.find(text_of(inner))
            if found is None or isinstance(found, CType):
                # The parser cannot tell sizeof(T) from sizeof(value).
                return _size(type_of_node(inner)(scope), interpreter)
            held = found.get() if isinstance(found, Cell) else None
            if isinstance(held, Vector) and found.ctype.count is not None:
                return held.count * held.item.size
        return _size(static_type(interpreter, inner, scope), interpreter)

    return size


def _size(ctype: CType, interpreter: Interpreter) -> int:
    if ctype.kind == "other" and ctype.name not in interpreter.structs:
        raise NotUnderstoodError(f"the size of {ctype.name or 'this type'} is not known")
    return ctype.size


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
    if ctype.is_number and isinstance(value, Symbol):
        if isinstance(value, Element) and value.ctype.kind == ctype.kind == "float":
            return value
        if ctype.kind in ("int", "float"):
            return Expression(ctype.kind, (value,))
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
        return found if isinstance(found, Struct) else address_of(Cell("", found, ctype(scope)))

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
    return interpreter.expression(named(node)[-1])
