"""Statements: each is compiled once to a function of the scope."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from pyaclnn.port.data.conversions import convert
from pyaclnn.port.data.cpp_types import BOOL, CHAR
from pyaclnn.port.data.memory import Vector, copied
from pyaclnn.port.data.runtime_numbers import comparison
from pyaclnn.port.data.symbols import Expression, StatusTest, Symbol, UndecidedError, truth
from pyaclnn.port.data.values import Cell, Map, SmartPointer, Struct, Tuple, known
from pyaclnn.port.errors import NotUnderstoodError, ThrownError
from pyaclnn.port.evaluation.array_loops import counter_of, filled
from pyaclnn.port.evaluation.declarations import compile_declaration, declared_names
from pyaclnn.port.evaluation.initialise import Braces
from pyaclnn.port.evaluation.interpreter import STATEMENTS, Interpreter, Runner, Scope, compiles
from pyaclnn.port.evaluation.run_conditions import (
    Early,
    expects_failure,
    go_on,
    is_helper,
    run_branches,
    run_failure,
)
from pyaclnn.port.evaluation.typenames import bound_names, declared, type_of_node
from pyaclnn.port.frontend.syntax import Node, field, named, text_of
from pyaclnn.port.loops.conversions import converted
from pyaclnn.port.loops.printloops import counted, run_counted
from pyaclnn.port.loops.searchloops import run_search, searched
from pyaclnn.port.model import Print

MAX_TURNS = 200_000
MAX_LOOP_SECONDS = 4.0


class Signal:
    """How a statement ends that is not followed by the next one."""

    def __init__(self, kind: str, value: Any = None) -> None:
        self.kind = kind
        self.value = value


_BREAK = Signal("break")
_CONTINUE = Signal("continue")


def compile_block(interpreter: Interpreter, nodes: list[Node]) -> Runner:
    """Compile statements that share a scope; leaving it destroys what they declared."""
    runners = [
        interpreter.commented(interpreter.statement(n), comments)
        for n, comments in zip(nodes, interpreter.comments.of(nodes), strict=True)
    ]
    labels = {
        text_of(field(n, "label")): at
        for at, n in enumerate(nodes)
        if n.type == "labeled_statement"
    }

    def run_from(first: int, scope: Scope, end: int = len(runners)) -> Any:
        position = first - 1
        while position + 1 < end:
            position += 1
            signal = runners[position](scope)
            if isinstance(signal, Signal) and signal.kind == "goto" and signal.value in labels:
                interpreter.step()
                position = labels[signal.value] - 1
                continue
            if isinstance(signal, Early):
                label = labels.get(signal.value) if signal.kind == "goto" else None
                if label is not None and position < label < end:
                    # What is before the label is on the other way; behind it, both are one.
                    between = partial(run_from, position + 1, end=label)
                    go_on(interpreter, signal, between, scope)
                    position = label - 1
                    continue
                if label is not None and label != end:
                    raise NotUnderstoodError("goes back where only a run decides whether")
                if end < len(runners):
                    return go_on(
                        interpreter, signal, partial(run_from, position + 1, end=end), scope
                    )
                return go_on(interpreter, signal, partial(block, first=position + 1), scope)
            if signal is not None:
                return signal
        return None

    def block(scope: Scope, first: int = 0) -> Any:
        inner = Scope(scope)
        interpreter.labels.update(dict.fromkeys(labels, inner))
        try:
            signal = run_from(first, inner)
        except ThrownError:
            leave(interpreter, inner)
            raise
        leave(interpreter, inner, signal.value if signal is not None else None)
        return signal

    return block


def leave(interpreter: Interpreter, scope: Scope, result: Any = None) -> None:
    """Run the destructors of a scope's variables, last declared first."""
    for cell in reversed(list(scope.names.values())):
        if not isinstance(cell, Cell) or cell.value is result or cell.ctype.kind == "pointer":
            continue
        destroy(interpreter, cell.value)


def destroy(interpreter: Interpreter, value: Any) -> None:
    """Run the destructor of a value, where it has one."""
    if isinstance(value, SmartPointer) and value.value is not None:
        held, value.value = value.value, None
        interpreter.delete(value.deleter, held)
    elif (
        isinstance(value, Vector)
        and value.items
        and (isinstance(value.items[0], SmartPointer) or value.item.kind == "struct")
    ):
        for item in value.items:
            destroy(interpreter, item)
    elif isinstance(value, Struct) and value.definition is not None:
        value.definition.destroy(value)


def _fail(reason: str) -> Runner:
    def fail(_: Scope) -> None:
        raise NotUnderstoodError(reason)

    return fail


@compiles(STATEMENTS, "expression_statement")
def _expression(interpreter: Interpreter, node: Node) -> Runner:
    inner = named(node)[0] if node.type == "expression_statement" and named(node) else node
    if inner.type == "expression_statement":
        return lambda scope: None
    if node.has_error:
        return interpreter.guarded(node, _fail(f"cannot be parsed: {text_of(node)[:60]!r}"))
    evaluate = interpreter.expression(inner)

    def run(scope: Scope) -> None:
        evaluate(scope)

    return interpreter.guarded(node, run)


@compiles(STATEMENTS, "compound_statement")
def _compound(interpreter: Interpreter, node: Node) -> Runner:
    return compile_block(interpreter, named(node))


@compiles(STATEMENTS, "return_statement")
def _return(interpreter: Interpreter, node: Node) -> Runner:
    parts = named(node)
    if not parts:
        return lambda scope: Signal("return")
    evaluate = interpreter.expression(parts[0])

    def run(scope: Scope) -> Signal:
        return Signal("return", evaluate(scope))

    guarded = interpreter.guarded(node, run)
    return lambda scope: guarded(scope) or Signal("return", 0)


@compiles(STATEMENTS, "if_statement")
def _if(interpreter: Interpreter, node: Node) -> Runner:
    condition = field(node, "condition")
    parts = named(condition)
    setup = [p for p in parts if p.type == "init_statement"]
    first = interpreter.statement(named(setup[0])[0]) if setup else None
    value = field(condition, "value") or parts[-1]
    if value.type == "declaration":
        value_run = compile_declaration(interpreter, value)
        name = declared_names(value)[0]

        def declared_value(scope: Scope) -> Any:
            value_run(scope)
            return scope.find(name).get()

        evaluate: Runner = declared_value
    else:
        evaluate = interpreter.expression(value)
    then = interpreter.statement(field(node, "consequence"))
    alternative = field(node, "alternative")
    branches = (field(node, "consequence"), alternative)
    otherwise: Runner = lambda scope: None  # noqa: E731
    if alternative is not None:
        inner = alternative if alternative.type != "else_clause" else named(alternative)[0]
        otherwise = interpreter.statement(inner)

    def run(scope: Scope) -> Any:
        scope = Scope(scope)
        if first is not None:
            first(scope)
        value = known(evaluate(scope))
        if isinstance(value, StatusTest) and expects_failure(value, branches):
            return run_failure(interpreter, value, then, otherwise, scope)
        try:
            taken = truth(value)
        except UndecidedError:
            return run_branches(
                interpreter, value, then, otherwise, scope, is_helper(interpreter, node)
            )
        return then(scope) if taken else otherwise(scope)

    return interpreter.guarded(node, run)


def _ends_loop(signal: Any) -> bool:
    return signal is not None and signal.kind != "continue"


def _outside(signal: Any) -> Any:
    """Return how a loop ends; a break or continue of its own has no effect outside."""
    return None if signal is not None and signal.kind == "break" else signal


def _loop(
    interpreter: Interpreter,
    condition: Callable[[Scope], Any] | None,
    body: Runner,
    update: Callable[[Scope], Any] | None,
    scope: Scope,
    body_first: bool = False,
) -> Any:
    turns = 0
    events = interpreter.program.events
    first, end = len(events), time.process_time() + MAX_LOOP_SECONDS
    while True:
        interpreter.step()
        turns += 1
        if turns > MAX_TURNS or (turns % 256 == 0 and time.process_time() > end):
            # Some of its prints would look like all of them.
            events[first:] = [e for e in events[first:] if not isinstance(e, Print)]
            raise NotUnderstoodError(f"a loop of more than {turns - 1} turns is not followed")
        if not body_first and condition is not None and not truth(known(condition(scope))):
            return None
        interpreter.ends = {"break": scope.parent, "continue": scope}
        signal = body(scope)
        if isinstance(signal, Early) and signal.kind != "continue":

            def rest(inner: Scope) -> Any:
                if update is not None:
                    update(inner)
                return _loop(interpreter, condition, body, update, inner)

            interpreter.ends = {"break": scope.parent, "continue": scope}
            return _outside(go_on(interpreter, signal, rest, scope))
        if _ends_loop(signal):
            return None if signal is _BREAK else signal
        if update is not None:
            update(scope)
        if body_first and condition is not None and not truth(known(condition(scope))):
            return None


@compiles(STATEMENTS, "for_statement")
def _for(interpreter: Interpreter, node: Node) -> Runner:
    start, test, step = (field(node, n) for n in ("initializer", "condition", "update"))
    first = interpreter.statement(start) if start is not None else None
    condition = interpreter.expression(test) if test is not None else None
    update = interpreter.expression(step) if step is not None else None
    body = interpreter.statement(field(node, "body"))
    prints = counted(interpreter, node)
    search = searched(interpreter, node)
    fill = filled(interpreter, node)
    convert_all = converted(interpreter, node)
    head = counter_of(interpreter, node)

    def count(scope: Scope) -> int:
        cell = scope.find(head[0]) if head is not None else None
        if head is None or not isinstance(cell, Cell):
            return -1
        start, end = cell.get(), head[1](scope)
        return int(end - start) if isinstance(start, int) and isinstance(end, int) else -1

    def run(scope: Scope) -> Any:
        scope = Scope(scope)
        if first is not None:
            first(scope)
        if prints is not None and run_counted(interpreter, prints, scope, body):
            return None
        if convert_all is not None and convert_all(scope):
            return None
        if fill is not None and fill(scope):
            return None
        if search is not None and run_search(interpreter, search, scope):
            return None
        around = interpreter.turns, interpreter.ends
        interpreter.turns = count(scope)
        try:
            return _loop(interpreter, condition, body, update, scope)
        finally:
            interpreter.turns, interpreter.ends = around

    return interpreter.guarded(node, run)


def _counted_by_nothing(
    interpreter: Interpreter,
    condition: Callable[[Scope], Any],
    body: Runner,
    scope: Scope,
    body_first: bool = False,
) -> Any:
    around = interpreter.turns, interpreter.ends
    interpreter.turns = -1
    try:
        return _loop(interpreter, condition, body, None, Scope(scope), body_first)
    finally:
        interpreter.turns, interpreter.ends = around


@compiles(STATEMENTS, "while_statement")
def _while(interpreter: Interpreter, node: Node) -> Runner:
    condition = interpreter.expression(field(node, "condition"))
    body = interpreter.statement(field(node, "body"))
    return interpreter.guarded(node, partial(_counted_by_nothing, interpreter, condition, body))


@compiles(STATEMENTS, "do_statement")
def _do(interpreter: Interpreter, node: Node) -> Runner:
    condition = interpreter.expression(field(node, "condition"))
    body = interpreter.statement(field(node, "body"))
    run = partial(_counted_by_nothing, interpreter, condition, body, body_first=True)
    return interpreter.guarded(node, run)


@compiles(STATEMENTS, "for_range_loop")
def _range_for(interpreter: Interpreter, node: Node) -> Runner:
    right = interpreter.expression(field(node, "right"))
    target = declared(field(node, "declarator"), type_of_node(field(node, "type")))
    names = bound_names(field(node, "declarator"))
    body = interpreter.statement(field(node, "body"))

    constant = _constant(interpreter, node, target.name) if target.reference else None

    def run(scope: Scope) -> Any:
        values = iterate(known(right(scope)))
        if constant is not None and isinstance(values, Vector) and values.item.is_number:
            interpreter.step()
            values.fill(convert(known(constant(scope)), values.item))
            return None
        around = interpreter.turns, interpreter.ends
        interpreter.turns = values.count if isinstance(values, Vector) else len(values)
        try:
            return turns(values, 0, scope)
        finally:
            interpreter.turns, interpreter.ends = around

    def turns(values: Any, first: int, scope: Scope) -> Any:
        for position in range(first, values.count if isinstance(values, Vector) else len(values)):
            interpreter.step()
            inner = Scope(scope)
            item = values.get(position) if isinstance(values, Vector) else values[position]
            if names and isinstance(item, Tuple):
                held = item if target.reference else item.copy()
                for name, cell in zip(names, held.items, strict=False):
                    inner.names[name] = cell
            elif target.reference and isinstance(item, Tuple):
                inner.names[target.name] = Cell(target.name, item)
            elif target.reference and isinstance(values, Vector):
                inner.names[target.name] = ItemCell(target.name, values, position)
            else:
                ctype = target.ctype(inner)
                inner.declare(target.name, copied(item), ctype)
            interpreter.ends = dict.fromkeys(("break", "continue"), scope)
            signal = body(inner)
            if isinstance(signal, Early) and signal.kind != "continue":
                interpreter.ends = dict.fromkeys(("break", "continue"), scope)
                rest = partial(turns, values, position + 1)
                return _outside(go_on(interpreter, signal, rest, scope))
            if _ends_loop(signal):
                return None if signal is _BREAK else signal
        return None

    return interpreter.guarded(node, run)


def _constant(interpreter: Interpreter, node: Node, name: str) -> Runner | None:
    """Return what evaluates the literal that ``for (auto& x : v) x = 0;`` assigns, or None."""
    body = field(node, "body")
    inner = named(body) if body.type == "compound_statement" else [body]
    if len(inner) != 1 or inner[0].type != "expression_statement" or not named(inner[0]):
        return None
    assignment = named(inner[0])[0]
    if assignment.type != "assignment_expression" or text_of(field(assignment, "left")) != name:
        return None
    if text_of(field(assignment, "operator")) != "=":
        return None
    value = field(assignment, "right")
    return interpreter.expression(value) if value.type == "number_literal" else None


class ItemCell(Cell):
    """A reference to an element of a vector."""

    def __init__(self, name: str, vector: Vector, index: int) -> None:
        super().__init__(name, None, vector.item)
        self.vector = vector
        self.index = index

    def get(self) -> Any:
        """Return the element."""
        return self.vector.get(self.index)

    def set(self, value: Any) -> None:
        """Assign the element."""
        self.vector.set(self.index, value)


def _no_ascii() -> Any:
    raise NotUnderstoodError("goes through a text that is not ASCII")


def iterate(value: Any) -> Any:
    """Return what a range-for or an algorithm goes through: a vector or a list."""
    if isinstance(value, (Vector, list)):
        return value
    if isinstance(value, Braces):
        return value.values
    if isinstance(value, str):
        return [convert(ord(c), CHAR) for c in value] if value.isascii() else _no_ascii()
    if isinstance(value, Map):
        return [Tuple([Cell("", k), c]) for k, c in value.entries()]
    if hasattr(value, "items") and isinstance(value.items, list):
        return value.items
    raise NotUnderstoodError(f"goes through a {type(value).__name__}")


@compiles(STATEMENTS, "switch_statement")
def _switch(interpreter: Interpreter, node: Node) -> Runner:
    evaluate = interpreter.expression(field(node, "condition"))
    cases: list[tuple[Any, list[Runner]]] = []
    for case in named(field(node, "body")):
        if case.type != "case_statement":
            continue
        label = field(case, "value")
        rest = [c for c in named(case) if label is None or c.id != label.id]
        test = interpreter.expression(label) if label is not None else None
        cases.append((test, [interpreter.statement(c) for c in rest]))

    def run_from(start: int, scope: Scope) -> Any:
        for _, runners in cases[start:]:
            for runner in runners:
                signal = runner(scope)
                if isinstance(signal, Early):
                    raise NotUnderstoodError("leaves a switch where only a run decides whether")
                if signal is not None:
                    return None if signal is _BREAK else signal
        return None

    def run(scope: Scope) -> Any:
        value = known(evaluate(scope))
        scope = Scope(scope)
        other = next((i for i, (t, _) in enumerate(cases) if t is None), len(cases))
        labels = [test(scope) if test is not None else None for test, _ in cases]
        if not isinstance(value, Symbol):
            return run_from(next((i for i, v in enumerate(labels) if v == value), other), scope)
        ways: list[tuple[Any, int]] = []
        for start, label in enumerate(labels):
            if label is None:
                continue
            same = comparison("==", value, label)
            if ways and not any(runners for _, runners in cases[ways[-1][1] : start]):
                same = Expression("or", (ways.pop()[0], same), BOOL)
            ways.append((same, start))

        def choose(at: int) -> Runner:
            if at == len(ways):
                return lambda inner: run_from(other, inner)
            condition, start = ways[at]
            return lambda inner: run_branches(
                interpreter, condition, lambda way: run_from(start, way), choose(at + 1), inner,
                is_helper(interpreter, node),
            )  # fmt: skip

        return choose(0)(scope)

    return interpreter.guarded(node, run)


@compiles(STATEMENTS, "break_statement")
def _break(interpreter: Interpreter, node: Node) -> Runner:
    return lambda scope: _BREAK


@compiles(STATEMENTS, "continue_statement")
def _continue(interpreter: Interpreter, node: Node) -> Runner:
    return lambda scope: _CONTINUE


@compiles(STATEMENTS, "goto_statement")
def _goto(interpreter: Interpreter, node: Node) -> Runner:
    label = text_of(field(node, "label"))
    return lambda scope: Signal("goto", label)


@compiles(STATEMENTS, "labeled_statement")
def _labeled(interpreter: Interpreter, node: Node) -> Runner:
    behind = [n for n in named(node) if n.type != "statement_identifier"]
    return interpreter.statement(behind[0]) if behind else lambda scope: None


@compiles(
    STATEMENTS, "using_declaration", "static_assert_declaration", "namespace_alias_definition"
)
def _nothing(interpreter: Interpreter, node: Node) -> Runner:
    return lambda scope: None


@compiles(STATEMENTS, "namespace_definition", "linkage_specification")
def _inner_block(interpreter: Interpreter, node: Node) -> Runner:
    body = field(node, "body")
    nodes = named(body) if body.type == "declaration_list" else [body]
    runners = [interpreter.statement(n) for n in nodes]

    def run(scope: Scope) -> None:
        for runner in runners:
            runner(scope)

    return run
