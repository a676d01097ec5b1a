"""The common part of both styles: order of events, grouping of prints, and gaps."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.loops.shared_loops import shared
from pyaclnn.port.loops.threads import thread_lines
from pyaclnn.port.model import (
    ApiCall,
    Assign,
    Branch,
    Derived,
    Event,
    Failure,
    FileCall,
    FileRead,
    Gap,
    Note,
    Print,
    PrintRun,
    Program,
    Thread,
)
from pyaclnn.port.writing.datasource import DataSource
from pyaclnn.port.writing.filecalls import FileCalls, uses_of
from pyaclnn.port.writing.printing import ArrayVariable, Printer, Statement
from pyaclnn.port.writing.pycode import Names
from pyaclnn.port.writing.remarks import Sayings, gap_lines, note_lines, place_of, stop

_FAILURES = (
    NotUnderstoodError, LookupError, ValueError, TypeError, ArithmeticError, AttributeError,
    AssertionError, RecursionError,
)  # fmt: skip


class Writer:
    """Writes a program event by event; a style says how a call and a failure look.

    Parameters
    ----------
    program : Program
        Gaps found on the way are added to it.
    reserved : sequence of str
        Names the style uses itself.
    commented : bool
        Whether it keeps the sample's comments.
    """

    def __init__(
        self, program: Program, reserved: tuple[str, ...] = (), commented: bool = False
    ) -> None:
        self.program = program
        self.sayings = Sayings(program, silent=not commented)
        self.names = Names(reserved)
        self.body: list[str] = []
        self._reported: set[tuple[int, str]] = set()
        #: Whether what is being written is the body of a thread.
        self.in_thread = False
        self.data = DataSource(program, self.names, self.body)
        self.uses = uses_of(program)
        self._derived: dict[int, ArrayVariable] = {}
        self.files = FileCalls(self.names, self.body, self.data, self.uses, self.elements)
        self.printer = Printer(
            self.elements, self.symbol, self.names, lambda line: stop(place_of(program, line)),
            self.sayings,
        )  # fmt: skip

    def write(self) -> None:
        """Fill the body."""
        self._write(list(self.program.events))
        self.body[:] = shared(self.body, self.names)

    def _write(self, events: list[Event]) -> None:
        prints: list[Statement] = []
        threads: list[Thread] = []
        for event in events:
            if isinstance(event, (Assign, Branch, Print, PrintRun)):
                prints.append(event)
                continue
            if isinstance(event, ApiCall) and self.is_silent(event):
                continue
            if not isinstance(event, Thread):
                # What is printed behind the last of them comes when they are done.
                self._threads(threads)
                threads = []
            self._prints(prints)
            prints = []
            if isinstance(event, Thread):
                threads.append(event)
                continue
            self._guarded(event)
        self._threads(threads)
        self._prints(prints)

    def _threads(self, threads: list[Thread]) -> None:
        """Write threads: each as a function with a namespace of its own."""
        if not threads:
            return
        before = list(self.body)
        bodies = []
        for thread in threads:
            self.body.clear()
            used = self.names.mark()
            self.in_thread = self.printer.in_thread = True
            self._write(list(thread.events))
            self.in_thread = self.printer.in_thread = False
            self.names.release(used)
            bodies.append(list(self.body))
        self.body[:] = [*before, *thread_lines(bodies)]

    def is_silent(self, call: ApiCall) -> bool:
        """Whether a call leaves no trace in the port."""
        return False

    def call(self, event: ApiCall) -> None:
        """Write a call."""
        raise NotImplementedError

    def failure(self, event: Failure) -> None:
        """Write a call that is to fail, and what the sample makes of the error."""
        raise NotImplementedError

    def elements(self, source: Any, ctype: CType) -> ArrayVariable:
        """Return where the elements of a download or of a file are."""
        if isinstance(source, Derived):
            found = self._derived.get(id(source))
            if found is None or source.ctype.name != ctype.name:
                raise NotUnderstoodError("uses what is computed from results as another type")
            return found
        if isinstance(source, FileRead):
            return self.files.array(source, ctype)
        return self.array(source, ctype)

    def array(self, download: Any, ctype: Any) -> ArrayVariable:
        """Return where the elements of a download are."""
        raise NotImplementedError

    def symbol(self, value: Any) -> str:
        """Return the source of another symbol."""
        raise NotImplementedError

    def indented(self, prints: tuple[Print, ...]) -> list[str]:
        """Return prints as a block."""
        return ["    " + line for line in self.printer.lines(list(prints))]

    def _guarded(self, event: Event) -> None:
        before = len(self.body)
        try:
            if isinstance(event, Gap):
                self.body += gap_lines(self.program, event)
            elif isinstance(event, Note):
                self.body += note_lines(self.program, event)
            elif isinstance(event, Failure):
                self.failure(event)
            elif isinstance(event, Derived):
                self._derive(event)
            elif isinstance(event, FileCall):
                self.files.call(event)
            elif isinstance(event, ApiCall):
                self.call(event)
            if len(self.body) > before:
                self.body[before:before] = self.sayings.lines(event.comments)
        except (*_FAILURES, MemoryError) as error:
            del self.body[before:]
            self._gap(event.line, event.name if isinstance(event, ApiCall) else "", error)

    def _derive(self, event: Derived) -> None:
        """Write an array that is made of one that is there."""
        array = self.elements(event.source, event.source_type)
        text = array.name if array.flat else f"{array.name}.ravel()"
        if event.start or event.count < array.size:
            text += f"[{event.start or ''}:{event.start + event.count}]"
        name = self.names.new(event.name, "numbers")
        self.body.append(f"{name} = {event.form.format(text)}")
        self._derived[id(event)] = ArrayVariable(name, event.count, True, event.ctype.name)

    def _prints(self, prints: list[Statement]) -> None:
        if not prints:
            return
        try:
            self.body += self.printer.lines(prints)
        except _FAILURES as error:
            if len(prints) > 1:
                # What can be written of them is.
                middle = len(prints) // 2
                self._prints(prints[:middle])
                self._prints(prints[middle:])
            elif (prints[0].line, str(error)) not in self._reported:
                self._reported.add((prints[0].line, str(error)))
                self._gap(prints[0].line, "", error)

    def _gap(self, line: int, source: str, error: Exception) -> None:
        reason = str(error)
        if isinstance(error, MemoryError):
            reason = "takes more memory than there is"
        elif isinstance(error, KeyError):
            reason = "uses what was not understood before"
        gap = Gap(line, source, reason)
        self.program.events.append(gap)
        self.body += gap_lines(self.program, gap)
