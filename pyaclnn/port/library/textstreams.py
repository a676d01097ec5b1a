"""std::ostringstream: what is written into it becomes a string."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.data import decisions
from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.symbols import Symbol
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.initialise import makes
from pyaclnn.port.evaluation.interpreter import Interpreter, Scope
from pyaclnn.port.frontend.syntax import Node
from pyaclnn.port.library.methods import METHODS, Receiver
from pyaclnn.port.library.output import Manipulator, OutputStream
from pyaclnn.port.model import Field


class TextStream(OutputStream):
    """A stream whose text is known."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.text = text
        self.depth = decisions.current().open

    def write(self, interpreter: Interpreter, node: Node, value: Any, scope: Scope) -> None:
        """Append a value."""
        part = self._part(interpreter, node, value, scope)
        if isinstance(part, Field) and isinstance(part.value, Symbol):
            raise NotUnderstoodError("writes a result into a string")
        self.append(part if isinstance(part, str) else format(part.value, part.spec))

    def append(self, text: str) -> None:
        """Append text."""
        decisions.refuse_undecided(self.depth, "writes into a string")
        self.text += text

    def _set(self, interpreter: Interpreter, manipulator: Manipulator) -> None:
        if manipulator.kind == "endl":
            self.append("\n")
        else:
            super()._set(interpreter, manipulator)


@makes("ostringstream", "stringstream")
def _stream(interpreter: Interpreter, ctype: CType, arguments: list[Any]) -> TextStream:
    if arguments:
        raise NotUnderstoodError(f"a {ctype.name} that begins with something")
    return TextStream()


def _text(receiver: Receiver, text: Any = None) -> Any:
    stream: TextStream = receiver.value
    if text is None:
        return stream.text
    if text != "":
        raise NotUnderstoodError("gives a stream another text")
    decisions.refuse_undecided(stream.depth, "clears a stream")
    stream.text = ""
    return None


METHODS[TextStream] = {"str": _text, "clear": lambda receiver: None}
