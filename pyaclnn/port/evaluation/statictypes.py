"""Types of unevaluated expressions: in ``sizeof``, and in the branch that ``?:`` does not take."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.data.conversions import UINT64, promote, promoted
from pyaclnn.port.data.cpp_types import (
    AUTO,
    BOOL,
    CHAR,
    INT64,
    STRING,
    CType,
    pointer_to,
    vector_of,
)
from pyaclnn.port.data.memory import Pointer, Vector
from pyaclnn.port.data.runtime_numbers import type_of
from pyaclnn.port.data.symbols import Symbol
from pyaclnn.port.data.values import CellPointer, Function, Struct
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.interpreter import Interpreter, Scope
from pyaclnn.port.evaluation.literals import number, string
from pyaclnn.port.evaluation.typenames import type_of_node
from pyaclnn.port.frontend.syntax import Node, field, named, text_of

_SIDES = ("left", "right")
_TRUTHS = frozenset(["==", "!=", "<", ">", "<=", ">=", "&&", "||", "and", "or"])
#: Functions without effect: evaluating a call tells its type.
_PURE = frozenset(
    [
        "sqrt",
        "exp",
        "log",
        "log2",
        "log10",
        "sin",
        "cos",
        "tan",
        "tanh",
        "pow",
        "fmod",
        "abs",
        "fabs",
        "floor",
        "ceil",
        "round",
        "trunc",
        "min",
        "max",
        "strlen",
        "size",
        "sqrtf",
        "expf",
        "logf",
        "powf",
        "fabsf",
        "real",
        "imag",
        "to_string",
    ]
)
_WORDS = {"true": BOOL, "false": BOOL, "char_literal": CHAR, "sizeof_expression": UINT64,
          "alignof_expression": UINT64}  # fmt: skip


def static_type(interpreter: Interpreter, node: Node, scope: Scope) -> CType:
    """Return the type of an expression; `AUTO` where it is not known."""
    kind = node.type
    if kind in _WORDS:
        return _WORDS[kind]
    if kind == "parenthesized_expression":
        return static_type(interpreter, named(node)[-1], scope)
    if kind == "unary_expression":
        if text_of(field(node, "operator")) in ("!", "not"):
            return BOOL
        return promote(static_type(interpreter, field(node, "argument"), scope))
    if kind == "number_literal":
        return type_of(number(text_of(node)))
    if kind in ("string_literal", "concatenated_string", "raw_string_literal"):
        return vector_of(CHAR, len(string(node).encode()) + 1)
    if kind == "cast_expression":
        return type_of_node(field(node, "type"))(scope)
    if kind == "identifier":
        return _variable(scope.find(text_of(node)))
    if kind == "binary_expression":
        return _operation(interpreter, node, scope)
    if kind == "conditional_expression":
        branches = (field(node, "consequence"), field(node, "alternative"))
        types = [static_type(interpreter, b, scope) for b in branches]
        return types[0] if types[0] == types[1] else promoted(*types)
    if kind in ("subscript_expression", "field_expression"):
        return _variable(interpreter.lvalue(node)(scope))
    if kind in ("assignment_expression", "update_expression"):
        place = field(node, "left") or field(node, "argument")
        return static_type(interpreter, place, scope)
    if kind == "pointer_expression":
        inner = static_type(interpreter, field(node, "argument"), scope)
        if text_of(field(node, "operator")) == "&":
            return pointer_to(inner) if inner is not AUTO else AUTO
        return inner.item or AUTO
    return _call(interpreter, node, scope) if kind == "call_expression" else AUTO


def _variable(found: Any) -> CType:
    if isinstance(found, CType):
        return found
    ctype = getattr(found, "ctype", AUTO)
    if ctype is not AUTO or not hasattr(found, "get"):
        return ctype if isinstance(ctype, CType) else AUTO
    return type_of_value(found.get())


def _operation(interpreter: Interpreter, node: Node, scope: Scope) -> CType:
    sign = text_of(field(node, "operator"))
    if sign in _TRUTHS:
        return BOOL
    left, right = (static_type(interpreter, field(node, s), scope) for s in _SIDES)
    if sign in ("<<", ">>"):
        return promote(left)
    if left.kind == right.kind == "pointer":
        return INT64
    return left if left.kind == "pointer" else promoted(left, right)


def _call(interpreter: Interpreter, node: Node, scope: Scope) -> CType:
    function = field(node, "function")
    if function.type == "field_expression":
        name = text_of(field(function, "field"))
        if name in ("size", "length", "count"):
            return UINT64
        holder = static_type(interpreter, field(function, "argument"), scope)
        if name in ("at", "front", "back") and holder.kind == "vector":
            return holder.item or AUTO
        return AUTO
    if function.type == "primitive_type":
        return type_of_node(function)(scope)
    name = text_of(function).split("<")[0].removeprefix("std::")
    if function.type == "template_function" and name.endswith("_cast"):
        return type_of_node(named(field(function, "arguments"))[0])(scope)
    found = scope.find(name)
    if isinstance(found, Function) and found.result is not None and not found.overloads:
        result: CType = found.result(found.scope)
        return result if result.kind != "other" else AUTO
    if isinstance(found, CType):
        return found
    if found is None and name in _PURE:
        try:
            return type_of_value(interpreter.expression(node)(scope))
        except NotUnderstoodError:
            return AUTO
    return AUTO


def type_of_value(value: Any) -> CType:
    """Return the type a value has, as far as it shows."""
    if isinstance(value, (int, float, complex, Symbol)):
        return type_of(value)
    if isinstance(value, str):
        return STRING
    if isinstance(value, Vector):
        return vector_of(value.item)
    if isinstance(value, (Pointer, CellPointer)):
        return pointer_to(value.ctype)
    if isinstance(value, Struct):
        return CType("struct", value.type_name)
    return AUTO
