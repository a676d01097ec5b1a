"""Conditions that only a run decides."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.interpreter import Interpreter, Runner, Scope
from pyaclnn.port.symbols import UndecidedError


def run_branches(
    interpreter: Interpreter, condition: Any, then: Runner, otherwise: Runner, scope: Scope
) -> Any:
    """Follow both ways of an ``if`` whose condition is a symbol.

    Raises
    ------
    UndecidedError
        Where that cannot be followed.
    """
    del interpreter, then, otherwise, scope
    raise UndecidedError(condition)
