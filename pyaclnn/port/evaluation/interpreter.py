"""The interpreter, which evaluates a sample's main function symbolically."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.decisions import Decisions
from pyaclnn.port.data.symbols import UndecidedError, variables_of
from pyaclnn.port.data.unknown_values import changed_by, make_unknown
from pyaclnn.port.data.values import Cell, Unknown, Value
from pyaclnn.port.errors import OWN_ERROR, LimitError, NotUnderstoodError, ThrownError
from pyaclnn.port.frontend.comments import Comment, Comments
from pyaclnn.port.frontend.syntax import Node, line_of, parse, text_of
from pyaclnn.port.model import ApiCall, Assign, Branch, Event, Gap, Note, Object, Print, Program

MAX_STEPS = 600_000
MAX_SECONDS = 6.0
MAX_EVENTS = 100_000
MAX_GAPS = 200
#: On how many ways of decisions one statement is a gap; then what is around them is.
MAX_WAYS = 16
MAX_CALLS = 100

#: Calls that nobody misses where a program ends.
_CLEANUP = ("aclDestroy", "aclrtFree", "aclrtDestroy", "aclrtReset", "aclFinalize", "aclnnFinal")

Evaluator = Callable[["Scope"], Value]
Runner = Callable[["Scope"], Any]
Maker = Callable[["Interpreter", Node], Any]

#: Node type to what compiles it; the modules of this package fill these in.
EXPRESSIONS: dict[str, Maker] = {}
STATEMENTS: dict[str, Maker] = {}
LVALUES: dict[str, Maker] = {}


_OVERLOADS = re.compile(r"using\s+namespace\s+std\b|#\s*include\s*<math\.h>")
#: Under which name, that no C++ has, the interpreter stands in the outermost scope.
EVALUATOR = "<interpreter>"


def compiles(table: dict[str, Maker], *types: str) -> Callable[[Maker], Maker]:
    """Register a function as the compiler of some types of node."""

    def register(make: Maker) -> Maker:
        table.update(dict.fromkeys(types, make))
        return make

    return register


class Scope:
    """Names visible at a place: variables, functions, types."""

    __slots__ = ("names", "parent")

    def __init__(self, parent: Scope | None = None, names: dict[str, Any] | None = None) -> None:
        self.parent = parent
        self.names: dict[str, Any] = {} if names is None else names

    def find(self, name: str) -> Any:
        """Return what a name stands for; None if it is not known."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def declare(self, name: str, value: Value, ctype: CType) -> Cell:
        """Add a variable."""
        cell = self.names[name] = Cell(name, None, ctype)
        cell.set(value)
        return cell


class Interpreter:
    """The state of evaluating one sample.

    Parameters
    ----------
    file : str
        Name of the sample.
    text : str
        Its original source, for messages.
    signature : callable
        C function name to its parameters; None for a function that is not declared.
    """

    def __init__(self, file: str, text: str, signature: Callable[[str], Any]) -> None:
        self.program = Program(file)
        self.lines = text.split("\n")
        self.comments = Comments(text)
        #: What the sample says of the statements that are followed.
        self.remarks: tuple[Comment, ...] = ()
        self.globals = Scope(names={EVALUATOR: self})
        self.signature = signature
        self.structs: dict[str, Any] = {}
        self.depth = 0
        #: How many turns the loop that is followed has; -1 if that is not known.
        self.turns = -1
        #: Which scopes the loop that is followed leaves alone, by the statement that leaves it.
        self.ends: dict[str, Scope | None] = {}
        #: Which scopes a label's statement leaves alone, by the label.
        self.labels: dict[str, Scope] = {}
        #: Scope of the parameters of the function that is followed.
        self.frame: Scope | None = None
        #: Variables of the sample's environment, and whether it looks for one that is not there.
        self.environment: Mapping[str, str] = {}
        self.looked_for = False
        #: The exceptions whose handlers are followed.
        self.caught: list[ThrownError] = []
        self.decisions = Decisions(self.assign, self.snapshot)
        #: Where in the source the call under way stands, its arguments and template types.
        self.site = 0
        self.arguments: list[Any] = []
        self.template: list[CType] = []
        #: Name of the known function under way, and whether ``std::`` stands before it.
        self.called = ""
        self.qualified = False
        #: Whether ``sqrt`` without ``std::`` is overloaded, too.
        self.float_overloads = not file.endswith(".c") and bool(_OVERLOADS.search(text))
        #: Tensors that an operator was given.
        self.written: set[Any] = set()
        self.writers: dict[Any, str] = {}
        self.line = 0
        self.end = time.process_time() + MAX_SECONDS
        #: Where an operator's call was not understood; 0 for nowhere.
        self.lost = 0
        #: How many numbers the port keeps because their variables change.
        self.snapshots = 0
        #: What each variable of the port was assigned last.
        self.latest: dict[Any, Any] = {}
        #: What rand() draws from.
        self.engine: Any = None
        #: Headers of the sample that are not there.
        self.missing: list[str] = []
        #: Names of all headers that the sample includes.
        self.included: list[str] = []
        self._notes: set[str] = set()
        self._steps = 0
        #: Lines that are gaps, with the ways of decisions on which they are.
        self._gap_nodes: dict[int, frozenset[int]] = {}

    @property
    def moment(self) -> int:
        """Count of steps so far; the same throughout a statement."""
        return self._steps

    def step(self) -> None:
        """Count a step.

        Raises
        ------
        LimitError
            When the sample takes too long.
        """
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise LimitError(
                f"takes more than {MAX_STEPS} steps to follow", *self.program.place(self.line)
            )
        if self._steps % 256 == 0 and time.process_time() > self.end:
            raise LimitError(
                f"takes more than {MAX_SECONDS:g} s of processor time to follow",
                *self.program.place(self.line),
            )

    def record(self, event: Event) -> None:
        """Add an event.

        Raises
        ------
        NotUnderstoodError
            For events other than prints under a run-time condition.
        """
        if not isinstance(event, Branch):  # whose condition was taken before both ways
            self.refuse_stale(event)
        undecided = self.decisions.open
        if undecided and isinstance(event, ApiCall) and event.name.startswith(_CLEANUP):
            return
        if undecided and not isinstance(event, (Assign, Branch, Note, Print)):
            raise NotUnderstoodError("calls the C API where only a run decides whether")
        if len(self.program.events) >= MAX_EVENTS:
            raise LimitError(
                f"does more than {MAX_EVENTS} calls and prints", *self.program.place(self.line)
            )
        event.comments = self.remarks
        if isinstance(event, ApiCall) and isinstance(event.result, Object):
            event.result.comments = self.remarks
        self.program.events.append(event)

    def refuse_stale(self, event: Event) -> None:
        """Raise if an event uses a value that its variable no longer has."""
        values: list[Any] = []
        if isinstance(event, Print):
            values = [getattr(part, "value", None) for part in event.parts]
        elif isinstance(event, Assign):
            values = [event.value]
        elif isinstance(event, Branch):
            values = [event.condition]
        for value in values:
            for name in variables_of(value):
                if self.latest.get(name.key, name) is not name:
                    raise NotUnderstoodError(f"takes a value that {name.name} had before")

    def note_once(self, text: str) -> None:
        """Record a remark about the whole program, once."""
        if text not in self._notes:
            self._notes.add(text)
            self.record(Note(self.line, text))

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Evaluate something and undo it, its events and remarks included."""
        events, gaps, notes = list(self.program.events), dict(self._gap_nodes), set(self._notes)
        try:
            yield
        finally:
            self.program.events[:] = events
            self._gap_nodes, self._notes = gaps, notes

    def where(self, line: int) -> str:
        """Return how a message refers to a line."""
        file, number = self.program.place(line)
        return f"line {number}" if file == self.program.file else f"{Path(file).name}:{number}"

    def gap(self, node: Node, reason: str) -> None:
        """Record a statement that is not translated, once."""
        # Statements of an expanded macro share a line; one of them is enough.
        self.gap_at(line_of(node), int(node.end_point[0]) + 1, reason)

    def gap_at(self, line: int, end: int, reason: str) -> None:
        """Record lines that are not translated, once on each path of the program.

        Raises
        ------
        NotUnderstoodError
            If there are too many paths.
        """
        ways, noted = self.decisions.ways, self._gap_nodes.get(line, frozenset())
        if 0 in noted or not noted.isdisjoint(ways):
            return
        if ways and len(noted) >= MAX_WAYS:
            raise NotUnderstoodError(reason)
        self._gap_nodes[line] = noted | {ways[-1] if ways else 0}
        if len(self._gap_nodes) > MAX_GAPS:
            raise LimitError("has too much that is not understood", *self.program.place(line))
        last = min(end, line + 7, len(self.lines))
        source = "\n".join(self.lines[line - 1 : last])
        if "is declared neither" in reason and self.missing:
            reason += f"; {self.missing[0]}, which it includes, does not lie beside it"
        self.program.events.append(Gap(line, source, reason, again=bool(noted)))

    def end_at(self, line: int, reason: str) -> None:
        """Record that the evaluation ends at a line."""
        source = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        self.program.events.append(Gap(line, source, reason))

    def expression(self, node: Node) -> Evaluator:
        """Compile an expression to a function of the scope."""
        make = EXPRESSIONS.get(node.type)
        if make is None or node.has_error:
            text = text_of(node)[:60]
            return not_understood(f"{node.type.replace('_', ' ')} {text!r} is not supported")
        found: Evaluator = make(self, node)
        return found

    def lvalue(self, node: Node) -> Evaluator:
        """Compile an expression to a function that gives what can be assigned to."""
        make = LVALUES.get(node.type)
        if make is None:
            return not_understood(f"{text_of(node)[:60]!r} cannot be assigned to")
        found: Evaluator = make(self, node)
        return found

    def statement(self, node: Node) -> Runner:
        """Compile a statement."""
        make = STATEMENTS.get(node.type)
        if make is not None:
            found: Runner = make(self, node)
            return found
        if not node.is_named or node.type.startswith("preproc") or node.type == "comment":
            return lambda scope: None
        if node.type in EXPRESSIONS:
            return self.guarded(node, self.expression(node))
        reason = f"{node.type.replace('_', ' ')} is not supported"
        return self.guarded(node, not_understood(reason))

    def guarded(self, node: Node, run: Runner, names: tuple[str, ...] = ()) -> Runner:
        """Wrap a statement: if it cannot be translated, a gap is recorded.

        Parameters
        ----------
        node : Node
            The statement.
        run : callable
            Its compiled form.
        names : tuple of str
            The names that it declares, whose values are unknown then.
        """
        line = line_of(node)
        changed: list[list[tuple[str, bool]]] = []

        def guarded(scope: Scope) -> Any:
            self.step()
            self.line = line
            try:
                return run(scope)
            except (NotUnderstoodError, UndecidedError) as error:
                reason = str(error)
                if self._gap_nodes:
                    # It may follow from what was not understood.
                    reason = reason.removesuffix(f": {OWN_ERROR}")
            except MemoryError:
                reason = "asks for more memory than a sample needs"
            except RecursionError:
                reason = "is nested too deeply to follow"
            except (
                AssertionError,
                ValueError,
                TypeError,
                ArithmeticError,
                AttributeError,
                LookupError,
            ) as error:
                reason = f"{type(error).__name__}: {error}"
            self.gap(node, reason)
            if not changed:
                changed.append(changed_by(node))
                if "aclnn" in text_of(node):
                    self.lost = line
            place = self.where(line)
            make_unknown(changed[0], scope, place)
            for name in names:
                scope.names[name] = Cell(name, Unknown(f"{name} is not known, see {place}"))
            return None

        return guarded

    def commented(self, run: Runner, comments: tuple[Comment, ...]) -> Runner:
        """Wrap a statement, so that what it does has its comments."""
        if not comments:
            return run

        def commented(scope: Scope) -> Any:
            before, self.remarks = self.remarks, self.remarks + comments
            try:
                return run(scope)
            finally:
                self.remarks = before

        return commented

    def parse(self, text: str) -> Node:
        """Parse a piece of source that was put together."""
        return parse(text, self.program.file)

    def call(self, function: Any, values: list[Any]) -> Any:
        """Call anything that can be called."""
        raise NotImplementedError

    def call_with(
        self, function: Any, arguments: list[Any], template: list[CType] | None = None
    ) -> Any:
        """Call with arguments that may be assigned to."""
        raise NotImplementedError

    def call_on(self, function: Any, references: list[Any]) -> Any:
        """Call with what can be assigned to."""
        raise NotImplementedError

    def call_builtin(self, function: Any, arguments: list[Any], template: list[CType]) -> Any:
        """Call a function the translator knows."""
        raise NotImplementedError

    def delete(self, deleter: Any, held: Any) -> None:
        """Call the deleter of a smart pointer, if it has one."""
        if deleter is not None:
            self.call(deleter, [held])
        else:
            self.destroy(getattr(held, "cell", Cell("", held)).get())

    def destroy(self, value: Any) -> None:
        """Run the destructor of a value, where it has one."""
        raise NotImplementedError

    def assign(self, cell: Any, value: Any) -> Any:
        """Record an assignment to a variable; return the value that replaces it."""
        raise NotImplementedError

    def is_decoder(self, function: Any) -> bool:
        """Return whether a function decodes the bits of a half, by running it."""
        raise NotImplementedError

    def materialise(self, cell: Any) -> None:
        """Make a variable one of the port, with its present value."""
        raise NotImplementedError

    def fresh_key(self, name: str) -> tuple[str, int]:
        """Return the key of a variable of the port that is no other's."""
        if (name, self.line) not in self.latest:
            return name, self.line
        self.snapshots += 1
        return name, -self.snapshots

    def snapshot(self, value: Any, name: str) -> Any:
        """Return a snapshot of a number, independent of the variables in it."""
        raise NotImplementedError

    def bind(self, function: Any, values: list[Any]) -> Scope:
        """Return the scope of a call."""
        raise NotImplementedError

    def run_body(self, function: Any, scope: Scope) -> Any:
        """Run the body of a function in the scope of a call."""
        raise NotImplementedError

    def enter(self) -> None:
        """Count a nested call."""
        self.depth += 1
        if self.depth > MAX_CALLS:
            raise LimitError("calls itself without end", *self.program.place(self.line))


def not_understood(reason: str) -> Evaluator:
    """Return an evaluator that raises for something unsupported."""

    def fail(_: Scope) -> Value:
        raise NotUnderstoodError(reason)

    return fail
