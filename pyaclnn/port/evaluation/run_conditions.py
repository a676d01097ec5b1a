"""Conditions that depend on run-time values: on results, and on statuses of deliberate errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pyaclnn.port.data.cpp_types import BOOL
from pyaclnn.port.data.memory import Memory, Vector
from pyaclnn.port.data.runtime_numbers import choice
from pyaclnn.port.data.sets import SetValue
from pyaclnn.port.data.symbols import Expression, StatusTest, Symbol
from pyaclnn.port.data.values import Cell, Function, Map
from pyaclnn.port.errors import ExitError, LimitError, NotUnderstoodError
from pyaclnn.port.evaluation.interpreter import Interpreter, Runner, Scope
from pyaclnn.port.frontend.syntax import Node, field, text_of, walk
from pyaclnn.port.model import Assign, Branch, Event, Failure, Gap, Leave, Note, Print

_LEAVES = frozenset(["return_statement", "goto_statement", "throw_statement"])
#: How many turns a loop may have that is left where only a run decides: each is nested in the last.
MAX_EARLY = 16
_EXITS = ("exit(", "abort(", "_Exit(")


@dataclass
class Early:
    """A possible exit of a function or loop: code behind it is on the other branch of a condition.

    Attributes
    ----------
    condition : Any
        Of the statement that leaves.
    kind : str
        ``return``, ``break``, ``continue`` or ``goto``.
    value : Any
        What is returned then, or the label.
    """

    condition: Any
    kind: str
    value: Any = None


def run_branches(
    interpreter: Interpreter,
    condition: Any,
    then: Runner,
    otherwise: Runner,
    scope: Scope,
    helper: bool = False,
) -> Any:
    """Evaluate both branches of an ``if`` on a result: prints and assignments carry the condition.

    In a helper, what is behind a way that returns is on the other way. Elsewhere a way that leaves
    for a failure ends the port; one that leaves for success is taken.

    Raises
    ------
    NotUnderstoodError
        Where both ways leave, or one leaves a loop.
    """
    line = interpreter.line
    interpreter.refuse_stale(Branch(line, condition, (), ()))
    ways: list[list[Event]] = []
    signals: list[Any] = []
    for run in (then, otherwise):
        made, signal = _followed(interpreter, run, scope)
        ways.append(made)
        signals.append(signal)
    left = [way for way, signal in enumerate(signals) if signal is not None]
    kinds = [getattr(signals[way], "kind", "") for way in left]
    if _goes_on(interpreter, kinds, helper):
        if any(ways):
            interpreter.record(Branch(line, condition, tuple(ways[0]), tuple(ways[1])))
        return _left(condition, signals, kinds[0])
    exits = [way for way in left if isinstance(signals[way], ExitError)]
    ends = ("return", "throw")
    if len(left) == 2 or any(signals[way].kind not in ends for way in left if way not in exits):
        raise NotUnderstoodError("leaves a loop or function where only a run decides whether")
    if exits:
        ways[exits[0]].append(Leave(line, _exit_status(signals[exits[0]].status)))
    elif left and signals[left[0]].kind == "return" and _succeeds(signals[left[0]].value):
        text = "the sample goes on to a failure where this check does not hold; the port does not"
        interpreter.record(Note(line, text))
        return signals[left[0]]
    elif left:
        ways[left[0]].append(Leave(line, _status(interpreter, signals[left[0]].value)))
    if any(ways):
        interpreter.record(Branch(line, condition, tuple(ways[0]), tuple(ways[1])))
    return None


def _followed(interpreter: Interpreter, run: Runner, scope: Scope) -> tuple[list[Event], Any]:
    """Evaluate one branch; return its events, and how it ends."""
    events = interpreter.program.events
    at = len(events)
    with interpreter.decisions.one_more():
        try:
            signal: Any = run(scope)
        except ExitError as end:
            signal = end
        except (NotUnderstoodError, LimitError):
            del events[at:]
            raise
    made = [e for event in events[at:] for e in _with_end(event)]
    # What a variable holds before the decision is set before it.
    hoisted = [e for e in made if isinstance(e, (Gap, Note)) or _is_first(e)]
    events[at:] = hoisted
    return [e for e in made if e not in hoisted], signal


def _goes_on(interpreter: Interpreter, kinds: list[str], helper: bool) -> bool:
    """Return whether what is behind an ``if`` is followed on the way that does not leave."""
    if len(set(kinds)) != 1:
        return False
    if kinds[0] == "return":
        return helper or len(kinds) == 2
    if kinds[0] == "goto":
        return len(kinds) == 1 and interpreter.turns <= MAX_EARLY
    return kinds[0] == "continue" or (kinds[0] == "break" and 0 <= interpreter.turns <= MAX_EARLY)


def _left(condition: Any, signals: list[Any], kind: str) -> Any:
    """Return how an ``if`` ends of which one way or both leave a function or loop."""
    then, otherwise = signals
    if then is None or otherwise is None:
        value = (then or otherwise).value
    else:
        value = _chosen(condition, then.value, otherwise.value)
        if not isinstance(then, Early) and not isinstance(otherwise, Early):
            then.value = value
            return then
    # Both are evaluated on their own way only.
    ways = [getattr(s, "condition", s is not None) for s in signals]
    if ways[0] is True:
        found = condition if ways[1] is False else Expression("or", (condition, ways[1]), BOOL)
    elif ways[1] is True:
        against = Expression("not", (condition,), BOOL)
        found = against if ways[0] is False else Expression("or", (against, ways[0]), BOOL)
    elif ways[1] is False:
        found = Expression("and", (condition, ways[0]), BOOL)
    elif ways[0] is False:
        found = Expression("and", (Expression("not", (condition,), BOOL), ways[1]), BOOL)
    else:
        found = choice(condition, *ways)
    return Early(found, kind, value)


def _chosen(condition: Any, then: Any, otherwise: Any) -> Any:
    if then is None and otherwise is None:
        return None
    if not all(isinstance(v, (Symbol, int, float, str)) for v in (then, otherwise)):
        raise NotUnderstoodError("returns something that only a run decides")
    return choice(condition, then, otherwise)


def go_on(interpreter: Interpreter, early: Early, rest: Runner, scope: Scope) -> Any:
    """Follow what is behind a statement that leaves where only a run decides whether.

    Parameters
    ----------
    interpreter : Interpreter
        Of the sample.
    early : Early
        The statement.
    rest : callable
        What is behind it in this block or loop.
    scope : Scope
        Of the block.

    Returns
    -------
    Signal or Early
        How the block ends; a loop takes what leaves it for itself.
    """
    line = interpreter.line
    interpreter.refuse_stale(Branch(line, early.condition, (), ()))
    # What is behind may change the variables that it depends on.
    events = interpreter.program.events
    at = len(events) - 1
    last = events[at] if events else None
    early.condition = interpreter.snapshot(early.condition, "left")
    if early.kind != "goto":
        early.value = interpreter.snapshot(early.value, "result")
    ends = {"return": interpreter.frame, **interpreter.ends}
    end = interpreter.labels.get(early.value, scope) if early.kind == "goto" else ends[early.kind]
    with _only_here(scope, end):
        made, signal = _followed(interpreter, rest, scope)
    if made:
        branch = Branch(line, early.condition, (), tuple(made))
        joined = _joined(last, branch)
        if joined is not None:
            del events[at]
        interpreter.record(joined or branch)
    if signal is None:
        return early
    if getattr(signal, "kind", "") != early.kind:
        raise NotUnderstoodError("leaves a loop or function where only a run decides whether")
    if early.kind != "goto":
        signal.value = _chosen(early.condition, early.value, signal.value)
    elif signal.value != early.value or not isinstance(signal, Early):
        raise NotUnderstoodError("goes to one of two labels where only a run decides to which")
    if isinstance(signal, Early):
        signal.condition = Expression("or", (early.condition, signal.condition), BOOL)
    return signal


def _joined(before: Any, branch: Branch) -> Branch | None:
    """Merge two branches on one condition; None if the conditions differ."""
    if not isinstance(before, Branch):
        return None
    condition, behind = branch.condition, branch.otherwise
    if before.condition is condition:
        return Branch(before.line, condition, before.then, before.otherwise + behind)
    negated = isinstance(condition, Expression) and condition.operator == "not"
    if negated and condition.operands[0] is before.condition:
        return Branch(before.line, before.condition, before.then + behind, before.otherwise)
    return None


@contextmanager
def _only_here(scope: Scope | None, end: Scope | None) -> Iterator[None]:
    """Do not count one more decision for variables that are gone on the way that has left.

    Parameters
    ----------
    scope, end : Scope
        From where, and up to where, without it, scopes are gone.
    """
    parts: list[Any] = []
    while scope is not None and scope is not end:
        for name, cell in scope.names.items():
            if type(cell) is Cell and cell.name == name:
                held = (cell.value, getattr(cell.value, "memory", None))
                parts += [cell, *(p for p in held if isinstance(p, _CONTAINERS))]
        scope = scope.parent
    for part in parts:
        part.depth += 1
    try:
        yield
    finally:
        for part in parts:
            part.depth -= 1


_CONTAINERS = (Vector, Memory, Map, SetValue)


_LOOPS = frozenset(["for_statement", "while_statement", "do_statement", "for_range_loop"])
_FUNCTIONS = frozenset(["function_definition", "lambda_expression"])
_FAILS = re.compile(r"return\s*(?:false|-\s*\w+)\s*;")


def is_helper(interpreter: Interpreter, node: Node) -> bool:
    """Return whether an ``if`` is in a function that computes something, and calls no C API.

    In a long loop, a return of false or a negative number counts as a failure all the same, which
    ends the port: what is behind a check of a thousand numbers is not under a thousand conditions.
    """
    around, in_loop = node.parent, False
    while around is not None and around.type not in _FUNCTIONS:
        in_loop |= around.type in _LOOPS
        around = around.parent
    long = in_loop and not 0 <= interpreter.turns <= MAX_EARLY
    if around is None or (long and _FAILS.search(text_of(node))):
        return False
    return not _calls_api(interpreter, around, set())


#: CANN's names, and the function that none is a helper of.
_API = re.compile(r"\b(?:acl|Hccl)\w*|\bmain\b")


def _calls_api(interpreter: Interpreter, node: Node, seen: set[str]) -> bool:
    """Return whether a function calls the C API, itself or by others of the sample."""
    if _API.search(text_of(node)):
        return True
    for call in walk(node):
        function = field(call, "function") if call.type == "call_expression" else None
        name = text_of(function).split("<")[0] if function is not None else ""
        found = interpreter.globals.find(name)
        if name in seen or not isinstance(found, Function):
            continue
        seen.add(name)
        if any(_calls_api(interpreter, f.node, seen) for f in (found, *found.overloads) if f.node):
            return True
    return False


def _with_end(event: Event) -> list[Event]:
    """Return a gap with the end of the port on this way alone; the comment stands before it."""
    if not isinstance(event, Gap) or event.conditional:
        return [event]
    event.conditional = True
    return [event, Leave(event.line, gap=event)]


def _is_first(event: Event) -> bool:
    return isinstance(event, Assign) and event.first


def _status(interpreter: Interpreter, value: Any) -> int:
    """Return the exit status: what main returns; what others do is a failure of some kind."""
    return value & 0xFF if interpreter.depth == 0 and isinstance(value, int) else 1


def _exit_status(value: Any) -> int:
    if not isinstance(value, int):
        raise NotUnderstoodError("exits with a status that only a run decides")
    return value & 0xFF


def _succeeds(value: Any) -> bool:
    """Return whether a function that gives this value early has done what it should."""
    if isinstance(value, bool):
        return value
    return isinstance(value, int) and value == 0


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
    """Return whether a branch exits the function or the program."""
    return any(
        inner.type in _LEAVES
        or (inner.type == "call_expression" and text_of(inner).endswith(")")
            and any(e in text_of(inner) for e in _EXITS))
        for inner in walk(node)
    )  # fmt: skip


def run_failure(
    interpreter: Interpreter, test: StatusTest, then: Runner, otherwise: Runner, scope: Scope
) -> Any:
    """Evaluate the branch of the error, and record it with its call."""
    test.plan.fails = True
    on_success, on_error = (then, otherwise) if test.success else (otherwise, then)
    with interpreter.trial():
        success = [e for e in _events_of(interpreter, on_success, scope) if isinstance(e, Print)]
    prints = _events_of(interpreter, on_error, scope)
    if not all(isinstance(e, Print) for e in prints):
        raise NotUnderstoodError("does more than print after an expected error")
    only = [e for e in prints if isinstance(e, Print)]
    interpreter.record(Failure(interpreter.line, test.plan, tuple(only), tuple(success)))


def _events_of(interpreter: Interpreter, run: Runner, scope: Scope) -> list[Event]:
    """Return the events of one branch without adding them."""
    events = interpreter.program.events
    at = len(events)
    try:
        run(scope)
    except ExitError:
        raise NotUnderstoodError("exits where an error is expected") from None
    made = events[at:]
    del events[at:]
    return made
