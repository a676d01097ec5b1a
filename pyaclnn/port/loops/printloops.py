"""Long loops that only print, of which a few iterations are evaluated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pyaclnn.port.data.symbols import Symbol, type_of_symbol
from pyaclnn.port.data.values import Cell, Function, Unknown, known
from pyaclnn.port.evaluation.interpreter import Interpreter, Runner, Scope
from pyaclnn.port.frontend.syntax import Node, field, text_of, walk
from pyaclnn.port.loops.loop_recovery import Line, as_line, follows
from pyaclnn.port.model import Branch, Gap, Note, Print, PrintRun

MIN_TURNS = 16
#: Of a loop that a run decides the length of, as many tell all others.
FEW_TURNS = 4

_PRINTS = frozenset(["printf", "fprintf", "aclFloat16ToFloat", "static_cast", "float", "double"])
_ACTS = frozenset(
    [
        "update_expression",
        "return_statement",
        "break_statement",
        "continue_statement",
        "lambda_expression",
        "new_expression",
        "delete_expression",
        "if_statement",
        "for_statement",
        "for_range_loop",
        "switch_statement",
        "conditional_expression",
        "while_statement",
    ]
)


@dataclass(frozen=True)
class Counted:
    """A loop over evenly spaced integers that only prints.

    Attributes
    ----------
    decoders : frozenset of str
        Functions of the sample in it, which are to be conversions of halves and no more.
    assigned : frozenset of str
        Variables that each turn gives a value.
    """

    variable: str
    bound: Callable[[Scope], Any]
    step: int
    inclusive: bool
    decoders: frozenset[str]
    assigned: frozenset[str]


def counted(interpreter: Interpreter, node: Node) -> Counted | None:
    """Return what a ``for`` loop counts, or None if it is more than a loop of prints."""
    test, update = field(node, "condition"), field(node, "update")
    if test is None or update is None or test.type != "binary_expression":
        return None
    name, sign = text_of(field(test, "left")), text_of(field(test, "operator"))
    if sign not in ("<", "<=") or field(test, "left").type != "identifier":
        return None
    if text_of(update).replace(" ", "") not in (f"{name}++", f"++{name}", f"{name}+=1"):
        return None
    decoders: set[str] = set()
    assigned: set[str] = set()
    for inner in walk(field(node, "body")):
        if inner.type in _ACTS:
            return None
        if inner.type == "assignment_expression":
            target = field(inner, "left")
            if target.type != "identifier" or text_of(field(inner, "operator")) != "=":
                return None
            assigned.add(text_of(target))
        if inner.type == "call_expression":
            function = field(inner, "function")
            if text_of(function).split("<")[0] in _PRINTS:
                continue
            if function.type != "identifier":
                return None
            decoders.add(text_of(function))
        if inner.type == "binary_expression" and "cout" in text_of(inner):
            return None
    if "printf" not in text_of(field(node, "body")):
        return None
    bound = interpreter.expression(field(test, "right"))
    return Counted(name, bound, 1, sign == "<=", frozenset(decoders), frozenset(assigned))


def run_counted(interpreter: Interpreter, loop: Counted, scope: Scope, body: Runner) -> bool:
    """Run such a loop by a few turns of it; return whether that could be done."""
    cell = scope.find(loop.variable)
    bound = known(loop.bound(scope))
    if not isinstance(cell, Cell) or not isinstance(cell.get(), int):
        return False
    unknown = bound if isinstance(bound, Symbol) else None
    if unknown is not None:
        # As far as it is followed here: the loop has as many turns as a run finds.
        if type_of_symbol(unknown).kind != "int" or cell.get() != 0 or loop.inclusive:
            return False
        if loop.assigned:
            return False
        bound = FEW_TURNS
    if not isinstance(bound, int):
        return False
    for function in map(scope.find, loop.decoders):
        plain = isinstance(function, Function) and not (function.overloads or function.template)
        if not plain or not interpreter.is_decoder(function):
            return False
    cells = [scope.find(name) for name in loop.assigned]
    if loop.variable in loop.assigned or not all(_is_plain(c, scope) for c in cells):
        return False
    before_loop = [c.get() for c in cells]
    start = cell.get()
    count = bound + loop.inclusive - start
    if count < MIN_TURNS and unknown is None:
        return False
    events = interpreter.program.events
    turns: list[list[Print]] = []
    before = len(events)
    for index in (0, 1, 2, count - 1):
        cell.set(start + index)
        at = len(events)
        body(scope)
        turns.append([e for e in events[at:] if isinstance(e, Print)])
        if not all(isinstance(e, (Print, Note)) for e in events[at:]):
            break
    fits = len(turns) == 4 and _even(turns, count)
    # What is said once is not said again by the turns that follow.
    events[before:] = [e for e in events[before:] if isinstance(e, (Gap, Note))]
    if not fits:
        cell.set(start)
        for held, value in zip(cells, before_loop, strict=True):
            held.value = value
        return False
    line = interpreter.line
    cell.set(start + count)
    if unknown is not None:
        interpreter.refuse_stale(Branch(line, unknown, (), ()))
        cell.value = Unknown(f"how far {loop.variable} comes is only known at run time")
    interpreter.record(PrintRun(line, tuple(turns[0]), tuple(turns[1]), count, unknown))
    return True


def _is_plain(cell: Any, scope: Scope) -> bool:
    """Return whether a variable is a number that the port has no variable for."""
    return isinstance(cell, Cell) and type(cell) is Cell and cell.ctype.is_number and \
        cell.key is None  # fmt: skip


def _even(turns: list[list[Print]], count: int) -> bool:
    lines: list[list[Line]] = [[as_line(e) for e in turn] for turn in turns]
    if not lines[0] or len({len(turn) for turn in lines}) != 1:
        return False
    return all(follows(lines[0], lines[1], lines[i], turn) for i, turn in ((2, 2), (3, count - 1)))
