"""Conditions that only a run decides: on results, and on statuses that are to be errors."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.interpreter import Interpreter, Runner, Scope
from pyaclnn.port.model import Failure, Print
from pyaclnn.port.symbols import Expression, StatusTest, Symbol
from pyaclnn.port.syntax import Node, text_of, walk
from pyaclnn.port.values import JOURNALS, Cell

_LEAVES = frozenset("return_statement goto_statement throw_statement".split())
_EXITS = ("exit(", "abort(", "_Exit(")


def run_branches(
    interpreter: Interpreter, condition: Any, then: Runner, otherwise: Runner, scope: Scope
) -> None:
    """Follow both ways of an ``if`` on a result.

    Prints carry the condition; a variable that differs afterwards becomes a choice.

    Raises
    ------
    NotUnderstoodError
        Where a way does more, or leaves.
    """
    written: list[dict[Cell, Any]] = []
    ways = ((condition, then), (Expression("not", (condition,)), otherwise))
    outside = interpreter.conditions
    start: dict[Cell, Any] = {}
    for way, run in ways:
        interpreter.conditions = (*outside, way)
        JOURNALS.append({})
        try:
            signal = run(scope)
        finally:
            interpreter.conditions = outside
            before = JOURNALS.pop()
        written.append({cell: cell.value for cell in before})
        start.update(before)
        for cell, old in before.items():
            cell.value = old
        if signal is not None:
            raise NotUnderstoodError("leaves a loop or function where only a run decides whether")
    for cell, old in start.items():
        first, second = (values.get(cell, old) for values in written)
        cell.set(first if first is second else _choice(condition, first, second))


def _choice(condition: Any, first: Any, second: Any) -> Any:
    if first == second and not isinstance(first, Symbol):
        return first
    step = _step(first, second)
    if step is not None:
        # A counter: its sums fold into one, where nested choices would double.
        counted: Any = Expression("int", (condition,))
        return Expression("+", (second, counted if step == 1 else Expression("*", (counted, step))))
    if isinstance(condition, Expression) and condition.operator in "<>":
        left, right = condition.operands
        larger = condition.operator == ">"
        if left is first and right is second:
            return Expression("max" if larger else "min", (second, first))
        if left is second and right is first:
            return Expression("min" if larger else "max", (second, first))
    for value in (first, second):
        if not isinstance(value, (Symbol, int, float, str)):
            raise NotUnderstoodError("assigns something where only a run decides whether")
    return Expression("where", (condition, first, second))


def _step(first: Any, second: Any) -> Any:
    plain = isinstance(first, int) and isinstance(second, int)
    if plain and not isinstance(first, bool) and not isinstance(second, bool):
        return first - second
    if isinstance(first, Expression) and first.operator == "+" and first.operands[0] is second:
        step = first.operands[1]
        return step if isinstance(step, int) else None
    return None


def expects_failure(test: StatusTest, branches: tuple[Node, Node]) -> bool:
    """Return whether an ``if`` on a status is written for the status being an error.

    Where the error's way leaves, it is a check; the port has an exception there. Where it stays,
    and the sample asks for one error, or leaves on success, the error is what it shows.
    """
    if test.plan.fails:
        return False
    on_success, on_error = branches if test.success else branches[::-1]
    if on_error is None or leaves(on_error):
        return False
    return test.specific or (on_success is not None and bool(text_of(on_success).strip("{} \n")))


def leaves(node: Node) -> bool:
    """Return whether a branch leaves the function or the program."""
    return any(
        inner.type in _LEAVES
        or (inner.type == "call_expression" and text_of(inner).endswith(")")
            and any(e in text_of(inner) for e in _EXITS))
        for inner in walk(node)
    )  # fmt: skip


def run_failure(
    interpreter: Interpreter, test: StatusTest, then: Runner, otherwise: Runner, scope: Scope
) -> Any:
    """Follow the way of the error, and note it with its call."""
    test.plan.fails = True
    on_success, on_error = (then, otherwise) if test.success else (otherwise, then)
    success = _prints_of(interpreter, on_success, scope, undo=True)
    prints = _prints_of(interpreter, on_error, scope, undo=False)
    interpreter.record(Failure(interpreter.line, test.plan, prints, success))


def _prints_of(
    interpreter: Interpreter, run: Runner, scope: Scope, undo: bool
) -> tuple[Print, ...]:
    events = interpreter.program.events
    at = len(events)
    JOURNALS.append({})
    try:
        run(scope)
    finally:
        before = JOURNALS.pop()
    made = events[at:]
    del events[at:]
    if undo:
        for cell, old in before.items():
            cell.value = old
    if undo:
        return tuple(e for e in made if isinstance(e, Print))
    if not all(isinstance(e, Print) for e in made):
        raise NotUnderstoodError("does more than print after an expected error")
    return tuple(e for e in made if isinstance(e, Print))
