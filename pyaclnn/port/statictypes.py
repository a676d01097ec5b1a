"""The static type of an expression, where C++ needs it: ``auto``, ``sizeof``, templates."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.cpp_types import (
    AUTO,
    BOOL,
    CHAR,
    DOUBLE,
    INT,
    STRING,
    CType,
    pointer_to,
    vector_of,
)
from pyaclnn.port.interpreter import Interpreter, Scope
from pyaclnn.port.literals import literal_type
from pyaclnn.port.memory import Pointer, Vector
from pyaclnn.port.symbols import Element
from pyaclnn.port.syntax import Node, field, named, text_of
from pyaclnn.port.typenames import type_of_node
from pyaclnn.port.values import Cell, Function, Struct

_SIZE = CType("int", "uint64")
_RANK = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
         "float16", "bfloat16", "float32", "float64"]  # fmt: skip


def static_type(interpreter: Interpreter, node: Node, scope: Scope) -> CType:
    """Return the type of an expression; `AUTO` where it does not matter or is not known."""
    kind = node.type
    if kind in ("parenthesized_expression", "unary_expression", "update_expression"):
        return static_type(interpreter, named(node)[-1], scope)
    if kind == "number_literal":
        return literal_type(text_of(node))
    if kind in ("sizeof_expression",):
        return _SIZE
    if kind in ("true", "false"):
        return BOOL
    if kind == "char_literal":
        return CHAR
    if kind == "string_literal":
        return pointer_to(CHAR)
    if kind == "cast_expression":
        return type_of_node(field(node, "type"))(scope)
    if kind == "identifier":
        found = scope.find(text_of(node))
        if isinstance(found, Cell):
            return found.ctype if found.ctype is not AUTO else type_of_value(found.get())
        return AUTO
    if kind == "binary_expression":
        if text_of(field(node, "operator")) in ("==", "!=", "<", ">", "<=", ">=", "&&", "||"):
            return BOOL
        return promoted(*(static_type(interpreter, field(node, s), scope) for s in _SIDES))
    if kind == "conditional_expression":
        return static_type(interpreter, field(node, "consequence"), scope)
    if kind in ("subscript_expression", "field_expression"):
        found_type: CType = interpreter.lvalue(node)(scope).ctype
        return found_type
    if kind == "pointer_expression":
        inner = field(node, "argument")
        if text_of(field(node, "operator")) == "&":
            return pointer_to(static_type(interpreter, inner, scope))
        return static_type(interpreter, inner, scope).item or AUTO
    if kind == "call_expression":
        return _call_type(node, scope)
    return AUTO


_SIDES = ("left", "right")


def _call_type(node: Node, scope: Scope) -> CType:
    function = field(node, "function")
    if function.type == "field_expression":
        name = text_of(field(function, "field"))
        return _SIZE if name in ("size", "length", "count") else AUTO
    if function.type == "primitive_type":
        return type_of_node(function)(scope)
    if function.type == "template_function" and text_of(function).split("<")[0].endswith("_cast"):
        return type_of_node(named(field(function, "arguments"))[0])(scope)
    found = scope.find(text_of(function).split("<")[0])
    if isinstance(found, Function) and found.result is not None:
        result: CType = found.result(found.scope)
        return result if result.kind != "other" else AUTO
    return AUTO


def promoted(left: CType, right: CType) -> CType:
    """Return the type of an arithmetic operation."""
    if not (left.is_number and right.is_number):
        return left if left.kind in ("pointer", "vector") else AUTO
    names = [t.name for t in (left, right)]
    if any(n not in _RANK for n in names):
        return AUTO
    best = max(names, key=_RANK.index)
    if _RANK.index(best) < _RANK.index("int32"):
        return INT
    return right if best == right.name else left


def type_of_value(value: Any) -> CType:
    """Return the type a value has, as far as it shows."""
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, float):
        return DOUBLE
    if isinstance(value, int):
        return CType("int", "int64") if abs(value) >= 1 << 31 else INT
    if isinstance(value, str):
        return STRING
    if isinstance(value, Vector):
        return vector_of(value.item)
    if isinstance(value, Pointer):
        return pointer_to(value.ctype)
    if isinstance(value, Element):
        return value.ctype
    if isinstance(value, Struct):
        return CType("struct", value.type_name)
    return AUTO
