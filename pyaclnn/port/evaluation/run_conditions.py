"""Conditions that only a run decides: on results, and on statuses that are to be errors."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.data.symbols import StatusTest
from pyaclnn.port.errors import ExitError, NotUnderstoodError
from pyaclnn.port.evaluation.interpreter import Interpreter, Runner, Scope
from pyaclnn.port.frontend.syntax import Node, text_of, walk
from pyaclnn.port.model import Assign, Branch, Event, Failure, Gap, Leave, Note, Print

_LEAVES = frozenset(["return_statement", "goto_statement", "throw_statement"])
_EXITS = ("exit(", "abort(", "_Exit(")


def run_branches(
    interpreter: Interpreter, condition: Any, then: Runner, otherwise: Runner, scope: Scope
) -> Any:
    """Follow both ways of an ``if`` on a result: prints and assignments carry the condition.

    A way that leaves for a failure ends the port; one that leaves for success is taken.

    Raises
    ------
    NotUnderstoodError
        Where both ways leave, or one leaves a loop.
    """
    events = interpreter.program.events
    line = interpreter.line
    interpreter.refuse_stale(Branch(line, condition, (), ()))
    ways: list[list[Event]] = []
    signals: list[Any] = []
    for run in (then, otherwise):
        at = len(events)
        with interpreter.decisions.one_more():
            try:
                signals.append(run(scope))
            except ExitError as end:
                signals.append(end)
        made = events[at:]
        made = [e for event in made for e in _with_end(event)]
        # What a variable holds before the decision is set before it.
        hoisted = [e for e in made if isinstance(e, (Gap, Note)) or _is_first(e)]
        events[at:] = hoisted
        ways.append([e for e in made if e not in hoisted])
    left = [way for way, signal in enumerate(signals) if signal is not None]
    exits = [way for way in left if isinstance(signals[way], ExitError)]
    if len(left) == 2 or any(signals[way].kind != "return" for way in left if way not in exits):
        raise NotUnderstoodError("leaves a loop or function where only a run decides whether")
    if exits:
        ways[exits[0]].append(Leave(line, _exit_status(signals[exits[0]].status)))
    elif left and _succeeds(signals[left[0]].value):
        text = "the sample goes on to a failure where this check does not hold; the port does not"
        interpreter.record(Note(line, text))
        return signals[left[0]]
    elif left:
        ways[left[0]].append(Leave(line, _status(interpreter, signals[left[0]].value)))
    if any(ways):
        interpreter.record(Branch(line, condition, tuple(ways[0]), tuple(ways[1])))
    return None


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
    with interpreter.trial():
        success = [e for e in _events_of(interpreter, on_success, scope) if isinstance(e, Print)]
    prints = _events_of(interpreter, on_error, scope)
    if not all(isinstance(e, Print) for e in prints):
        raise NotUnderstoodError("does more than print after an expected error")
    only = [e for e in prints if isinstance(e, Print)]
    interpreter.record(Failure(interpreter.line, test.plan, tuple(only), tuple(success)))


def _events_of(interpreter: Interpreter, run: Runner, scope: Scope) -> list[Event]:
    """Return what one way does, instead of doing it."""
    events = interpreter.program.events
    at = len(events)
    try:
        run(scope)
    except ExitError:
        raise NotUnderstoodError("exits where an error is expected") from None
    made = events[at:]
    del events[at:]
    return made
