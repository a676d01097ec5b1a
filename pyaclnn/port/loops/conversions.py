"""Long loops that convert all results to another type: one conversion of the array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.memory import Memory, Pointer, Vector, data_pointer
from pyaclnn.port.data.values import Cell, Function, known
from pyaclnn.port.evaluation.array_loops import counter_of
from pyaclnn.port.evaluation.interpreter import Interpreter, Scope
from pyaclnn.port.frontend.syntax import Node, field, index_of, named, text_of
from pyaclnn.port.model import derived_from

#: Of fewer, each is converted where it is printed.
MIN_TURNS = 4096

_HALF = CType("float", "float16")


def converted(interpreter: Interpreter, node: Node) -> Callable[[Scope], bool] | None:
    """Return a function that runs a loop ``to[i] = decode(from[i])`` over results, or None.

    The function returns whether it succeeded.
    """
    head = counter_of(interpreter, node)
    body = field(node, "body")
    statements = named(body) if body.type == "compound_statement" else [body]
    if head is None or len(statements) != 1 or head[2]:
        return None
    variable, bound, _ = head
    parts = named(statements[0])
    inner = parts[0] if statements[0].type == "expression_statement" and parts else None
    if inner is None or inner.type != "assignment_expression":
        return None
    call = field(inner, "right")
    if text_of(field(inner, "operator")) != "=" or call.type != "call_expression":
        return None
    arguments = named(field(call, "arguments"))
    function = text_of(field(call, "function"))
    places = [field(inner, "left"), *arguments]
    if len(places) != 2 or not all(_indexed_by(p, variable) for p in places):
        return None
    target, source = (interpreter.expression(field(p, "argument")) for p in places)

    def run(scope: Scope) -> bool:
        cell, end = scope.find(variable), bound(scope)
        if interpreter.decisions.open or not isinstance(cell, Cell) or cell.get() != 0:
            return False
        if not isinstance(end, int) or end < MIN_TURNS:
            return False
        after, before = _array(target(scope), end), _array(known(source(scope)), end)
        kind = _decoded(interpreter, scope, function)
        if after is None or before is None or kind is None:
            return False
        memory = before.target
        assert isinstance(memory, Memory)
        assert isinstance(after.target, Memory)
        if after.ctype.name != "float32" or before.ctype.size != kind.size:
            return False
        made = derived_from(memory, before.offset, kind, int(end), interpreter.line,
                            "{}.astype(np.float32)", after.ctype, after.target.name)  # fmt: skip
        if made is None or after.target is memory:
            return False
        interpreter.record(made)
        after.target.fill_from_device(after.offset, made.size, made)
        cell.set(end)
        return True

    return run


def _indexed_by(node: Node, variable: str) -> bool:
    return node.type == "subscript_expression" and text_of(index_of(node)) == variable


def _array(value: Any, count: int) -> Pointer | None:
    """Return where as many numbers are; None for something else."""
    if isinstance(value, Vector):
        if not value.item.is_number or value.count < count:
            return None
        value = data_pointer(value)
    if not isinstance(value, Pointer) or not isinstance(value.target, Memory):
        return None
    room = value.target.size - value.offset
    return value if value.ctype.is_number and count * value.ctype.size <= room else None


def _decoded(interpreter: Interpreter, scope: Scope, name: str) -> CType | None:
    """Return the type whose bits a function makes a float of; None for other functions."""
    function = scope.find(name)
    if function is None and name == "aclFloat16ToFloat":
        return _HALF
    if not isinstance(function, Function) or function.overloads or function.template:
        return None
    return CType("float", function.decodes or "") if interpreter.is_decoder(function) else None
