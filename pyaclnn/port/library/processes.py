"""The end of a process."""

from __future__ import annotations

from typing import Any, NoReturn

from pyaclnn.port.data.constants import builtin
from pyaclnn.port.errors import ExitError
from pyaclnn.port.evaluation.interpreter import Interpreter


@builtin("exit", "_exit", "_Exit")
def _exit(interpreter: Interpreter, status: Any) -> NoReturn:
    if interpreter.called in ("_exit", "_Exit"):
        interpreter.note_once(
            f"{interpreter.called} leaves unwritten what stdio still holds; the port writes it"
        )
    raise ExitError(status)
