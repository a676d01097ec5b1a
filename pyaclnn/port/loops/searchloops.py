"""Loops that print the first result with a property and stop; a few iterations are evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyaclnn.port.data.symbols import StatusTest, Symbol, UndecidedError, truth
from pyaclnn.port.data.values import Cell, known
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.array_loops import counter_of
from pyaclnn.port.evaluation.interpreter import Evaluator, Interpreter, Runner, Scope
from pyaclnn.port.frontend.syntax import Node, field, named, text_of, walk
from pyaclnn.port.loops.loop_recovery import as_item, follows
from pyaclnn.port.model import Branch, Event, Print, PrintRun, Stop

MIN_TURNS = 3

_CALLS = frozenset(["printf", "fprintf", "static_cast", "fabs", "abs", "isnan", "isinf", "sqrt"])
_ACTS = frozenset([
    "assignment_expression", "update_expression", "lambda_expression", "new_expression",
    "delete_expression", "return_statement", "goto_statement", "continue_statement",
    "throw_statement", "declaration",
])  # fmt: skip


@dataclass(frozen=True)
class Search:
    """A loop of one ``if`` over evenly spaced integers, which prints and breaks."""

    variable: str
    bound: Evaluator
    inclusive: int
    condition: Evaluator
    then: tuple[Runner, ...]


def searched(interpreter: Interpreter, node: Node) -> Search | None:
    """Return what a ``for`` loop looks for, or None if it is more than that."""
    start, head = field(node, "initializer"), counter_of(interpreter, node)
    body = field(node, "body")
    statements = named(body) if body.type == "compound_statement" else [body]
    if head is None or start is None or start.type != "declaration" or len(statements) != 1:
        return None
    test = statements[0]
    if test.type != "if_statement" or field(test, "alternative") is not None:
        return None
    parts, then = named(field(test, "condition")), field(test, "consequence")
    inner = named(then) if then.type == "compound_statement" else [then]
    if len(parts) != 1 or not inner or inner[-1].type != "break_statement":
        return None
    if not all(map(_only_looks, [parts[0], *inner[:-1]])):
        return None
    runners = tuple(interpreter.statement(n) for n in inner[:-1])
    return Search(*head, interpreter.expression(parts[0]), runners)


def _only_looks(node: Node) -> bool:
    for inner in walk(node):
        if inner.type in _ACTS:
            return False
        if inner.type == "call_expression":
            name = text_of(field(inner, "function")).split("<")[0].removeprefix("std::")
            if name not in _CALLS:
                return False
    return True


def run_search(interpreter: Interpreter, search: Search, scope: Scope) -> bool:
    """Run such a loop by a few turns of it; return whether that could be done."""
    cell, bound = scope.find(search.variable), search.bound(scope)
    if interpreter.decisions.open or not isinstance(cell, Cell) or not isinstance(bound, int):
        return False
    start = cell.get()
    count = bound + search.inclusive - start if isinstance(start, int) else 0
    if count < MIN_TURNS:
        return False
    line = interpreter.line
    turns = {}
    try:
        for index in (0, 1, 2, count - 1):
            cell.set(start + index)
            turns[index] = _turn(interpreter, search, scope, line)
    except NotUnderstoodError:
        return False
    finally:
        cell.set(start)
    if any(turn is None for turn in turns.values()):
        return False
    items: dict[int, Any] = {index: as_item(turn) for index, turn in turns.items() if turn}
    if not all(follows([items[0]], [items[1]], [item], index) for index, item in items.items()):
        return False
    for turn in turns.values():
        assert turn is not None
        interpreter.refuse_stale(turn)
    interpreter.record(PrintRun(line, (_of(turns[0]),), (_of(turns[1]),), int(count)))
    return True


def _of(turn: Branch | None) -> Branch:
    assert turn is not None
    return turn


def _turn(interpreter: Interpreter, search: Search, scope: Scope, line: int) -> Branch | None:
    """Return one turn; None if it is not for a run to decide, or does more than print."""
    condition = known(search.condition(scope))
    if not isinstance(condition, Symbol) or isinstance(condition, StatusTest):
        return None
    try:
        truth(condition)
        return None
    except UndecidedError:
        pass
    events = interpreter.program.events
    at = len(events)
    with interpreter.trial(), interpreter.decisions.one_more():
        for runner in search.then:
            runner(scope)
        made: list[Event] = list(events[at:])
    if not all(isinstance(event, Print) for event in made):
        return None
    return Branch(line, condition, (*made, Stop(line)), ())
