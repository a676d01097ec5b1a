"""The command line of a process, and its end."""

from __future__ import annotations

from typing import Any, NoReturn

from pyaclnn.port.data.constants import builtin
from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.texts import text_value
from pyaclnn.port.data.values import Struct
from pyaclnn.port.errors import ExitError, NotUnderstoodError
from pyaclnn.port.evaluation.initialise import makes
from pyaclnn.port.evaluation.interpreter import Interpreter


@builtin("exit", "_exit", "_Exit")
def _exit(interpreter: Interpreter, status: Any) -> NoReturn:
    if interpreter.called in ("_exit", "_Exit"):
        interpreter.note_once(
            f"{interpreter.called} leaves unwritten what stdio still holds; the port writes it"
        )
    raise ExitError(status)


@builtin("getenv", "secure_getenv")
def _variable(interpreter: Interpreter, name: Any) -> str | None:
    """Evaluate getenv, for the variables that were passed to the translator."""
    wanted = text_value(name)
    value = interpreter.environment.get(wanted)
    there = "without" if value is None else f"where it is {value!r}"
    interpreter.note_once(
        f"the sample looks for {wanted} in the environment; the port is for one {there}"
    )
    interpreter.looked_for |= value is None
    return value


@makes("option")
def _option(interpreter: Interpreter, ctype: CType, arguments: list[Any]) -> Struct:
    return Struct("option")


@builtin("getopt", "getopt_long", "getopt_long_only")
def _next_option(interpreter: Interpreter, count: Any, *_: Any) -> int:
    if count != 1:
        raise NotUnderstoodError(f"{interpreter.called} reads options of the command line")
    return -1
