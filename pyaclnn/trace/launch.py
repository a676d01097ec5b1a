"""Running a program with the tracer loaded before the libraries of its toolkit."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from pyaclnn.trace import toolkit

_CONTENT = re.compile(r"none|hash|statistics|full(:\d+[KMG]?)?")
_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
#: A shell's statuses of a program that is not found, and of one that is not executable.
_NOT_FOUND, _NOT_STARTED = 127, 126


def content_form(text: str) -> str:
    """Parse ``--content``; return the limit in bytes.

    Raises
    ------
    ValueError
        It is none of the forms.
    """
    if not _CONTENT.fullmatch(text):
        raise ValueError(f"{text!r}: none, hash, statistics, full or full:LIMIT, such as full:1M")
    form, _, limit = text.partition(":")
    if not limit:
        return form
    unit = _UNITS.get(limit[-1], 1)
    return f"{form}:{int(limit.rstrip('KMG')) * unit}"


def settings(folder: Path, last: int | None, content: str) -> dict[str, str]:
    """Return the variables that the tracer reads."""
    found = {"PYACLNN_TRACE": str(folder), "PYACLNN_TRACE_CONTENT": content}
    return found | ({"PYACLNN_TRACE_LAST": str(last)} if last else {})


def run(program: Sequence[str], variables: dict[str, str]) -> int:
    """Run a program in front of a stand-in for the toolkit, and return its status."""
    with tempfile.TemporaryDirectory(prefix="pyaclnn-trace-") as scratch:
        folder = Path(scratch) / "toolkit"
        environment = {**os.environ, **toolkit.variables(toolkit.real_root(), folder), **variables}
        try:
            child = subprocess.Popen(program, env=environment)
        except FileNotFoundError:
            print(f"{program[0]}: there is no such program", file=sys.stderr)
            return _NOT_FOUND
        except OSError as error:
            print(f"{program[0]}: {error.strerror}", file=sys.stderr)
            return _NOT_STARTED
        # The terminal's signals reach the program as well, which handles them.
        kept = signal.signal(signal.SIGINT, signal.SIG_IGN)
        ended = signal.signal(signal.SIGTERM, lambda number, _: child.send_signal(number))
        try:
            status = child.wait()
        finally:
            signal.signal(signal.SIGINT, kept)
            signal.signal(signal.SIGTERM, ended)
    return status if status >= 0 else 128 - status
