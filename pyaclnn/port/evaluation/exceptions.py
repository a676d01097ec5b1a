"""``throw``, ``try`` and ``catch``, except where a throw depends on run-time values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyaclnn.port.data.cpp_types import AUTO, CType
from pyaclnn.port.data.memory import copied
from pyaclnn.port.data.texts import text_value
from pyaclnn.port.data.values import Cell, Struct, known
from pyaclnn.port.errors import NotUnderstoodError, ThrownError
from pyaclnn.port.evaluation.initialise import makes
from pyaclnn.port.evaluation.interpreter import STATEMENTS, Interpreter, Runner, Scope, compiles
from pyaclnn.port.evaluation.statements import Signal
from pyaclnn.port.evaluation.statictypes import type_of_value
from pyaclnn.port.evaluation.typenames import Declarator, declared, type_of_node
from pyaclnn.port.frontend.syntax import Node, field, named

#: Exceptions of the library, with those that they are.
_BASES: dict[str, tuple[str, ...]] = {
    "exception": (), "runtime_error": ("exception",), "logic_error": ("exception",),
    "bad_alloc": ("exception",),
    **dict.fromkeys(("range_error", "overflow_error", "underflow_error"),
                    ("runtime_error", "exception")),
    **dict.fromkeys(("invalid_argument", "domain_error", "length_error", "out_of_range"),
                    ("logic_error", "exception")),
}  # fmt: skip
STANDARD_ERRORS = frozenset(_BASES)


@dataclass(frozen=True)
class StandardError:
    """An exception of the C++ library, and what it says."""

    kind: str
    message: str


@makes(*_BASES)
def _standard(interpreter: Interpreter, ctype: CType, arguments: list[Any]) -> StandardError:
    if len(arguments) == 1 and isinstance(arguments[0], StandardError):
        return arguments[0]
    return StandardError(
        ctype.name, text_value(arguments[0]) if arguments else f"std::{ctype.name}"
    )


@compiles(STATEMENTS, "throw_statement")
def _throw(interpreter: Interpreter, node: Node) -> Runner:
    parts = named(node)
    evaluate = interpreter.expression(parts[0]) if parts else None

    def run(scope: Scope) -> Any:
        if interpreter.decisions.open:
            # As a return of a failure, which ends the port.
            return Signal("throw")
        if evaluate is not None:
            value = copied(known(evaluate(scope)))
            raise ThrownError(value, type_of_value(value))
        if not interpreter.caught:
            raise NotUnderstoodError("throws again what nothing has caught")
        raise interpreter.caught[-1]

    return interpreter.guarded(node, run)


@compiles(STATEMENTS, "try_statement")
def _try(interpreter: Interpreter, node: Node) -> Runner:
    body = interpreter.statement(field(node, "body"))
    handlers: list[tuple[Declarator | None, Runner]] = []
    for clause in named(node):
        if clause.type != "catch_clause":
            continue
        parameters = named(field(clause, "parameters"))
        declarator = None
        if parameters:
            base = type_of_node(field(parameters[0], "type"))
            declarator = declared(field(parameters[0], "declarator"), base)
        handlers.append((declarator, interpreter.statement(field(clause, "body"))))

    def run(scope: Scope) -> Any:
        depth, frame = interpreter.depth, interpreter.frame
        try:
            signal = body(scope)
            if signal is not None and signal.kind == "throw":
                raise NotUnderstoodError("throws where only a run decides whether, and catches it")
            return signal
        except ThrownError as error:
            thrown = error
        interpreter.depth, interpreter.frame = depth, frame
        for declarator, handler in handlers:
            inner = Scope(scope)
            if declarator is not None:
                ctype = declarator.ctype(scope)
                if not _takes(ctype, thrown):
                    continue
                if declarator.name:
                    inner.names[declarator.name] = Cell(declarator.name, thrown.value, ctype)
            interpreter.caught.append(thrown)
            try:
                return handler(inner)
            finally:
                interpreter.caught.pop()
        raise thrown

    return interpreter.guarded(node, run)


def _takes(wanted: CType, thrown: ThrownError) -> bool:
    """Return whether a ``catch`` of a type takes what was thrown: nothing is converted."""
    value = thrown.value
    if isinstance(value, StandardError):
        return wanted.name == value.kind or wanted.name in _BASES[value.kind]
    if isinstance(value, Struct):
        if value.definition is not None and value.definition.irregular:
            raise NotUnderstoodError(f"throws a {value.type_name}, of which the bases matter")
        return wanted.kind == "struct" and wanted.name == value.type_name
    if isinstance(value, str):
        return wanted.kind == "pointer"
    found = thrown.ctype
    if found is AUTO or not found.is_number:
        raise NotUnderstoodError("throws something whose type is not certain")
    return wanted.is_number and wanted.name == found.name
