"""Statuses become exceptions here and nowhere else."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from pyaclnn.abi.backend import backend
from pyaclnn.abi.errors import (
    AclCleanupWarning,
    AclError,
    AclParameterError,
    AclRuntimeError,
    AclTimeoutError,
    AclUnsupportedError,
    OutOfMemoryError,
)
from pyaclnn.abi.ffi import ffi
from pyaclnn.abi.signature import signature

_FAMILIES: dict[str, type[AclError]] = {
    "parameter": AclParameterError,
    "memory": OutOfMemoryError,
    "timeout": AclTimeoutError,
    "unsupported": AclUnsupportedError,
    "runtime": AclRuntimeError,
}
_LONGEST = 120


def check(status: int, function: str = "", arguments: Iterable[Any] = ()) -> None:
    """Raise if a C function failed.

    Parameters
    ----------
    status : int
        What the function returned.
    function : str
        Its C name, for the error's text.
    arguments : iterable
        The values passed, in C order; trailing ones may be left out. A value with a ``describe()``
        method is shown as that says, others by their ``repr``.

    Raises
    ------
    AclError
        Of the family that fits the code: :class:`AclParameterError` is a ``ValueError``,
        :class:`OutOfMemoryError` a ``MemoryError``, :class:`AclTimeoutError` a ``TimeoutError``,
        :class:`AclUnsupportedError` a ``NotImplementedError``.
    """
    if status == 0:
        return
    # First of all: the next call on this thread may overwrite or clear the text.
    raise error_of(status, function, recent_message(), arguments)


def error_of(
    status: int, function: str = "", message: str = "", arguments: Iterable[Any] = ()
) -> AclError:
    """Return the exception for a status, without raising it.

    Parameters
    ----------
    status : int
        A code other than 0.
    function, message : str
        Where it happened, and CANN's text.
    arguments : iterable
        As for :func:`check`.

    Returns
    -------
    AclError
        Of the family that fits the code.
    """
    known = error_codes().get(status, {})
    family = _FAMILIES.get(known.get("family", ""), AclRuntimeError)
    return family(
        status,
        known.get("name", ""),
        function,
        message,
        known.get("hint", ""),
        _described(function, arguments),
        known.get("meaning", "a code that the headers do not name"),
        backend.place(),
    )


def warn_status(status: int, function: str) -> bool:
    """Warn if a C function failed on a clean-up path, where an exception must not be raised.

    Parameters
    ----------
    status : int
        What the function returned.
    function : str
        Its C name.

    Returns
    -------
    bool
        True if the function succeeded. Never raises, even where warnings are errors.
    """
    if status == 0:
        return True
    try:
        text = str(error_of(status, function, recent_message()))
    except Exception as error:
        text = f"{function} answers {status}, and this is all that is known: {error}"
    warn_cleanup(text)
    return False


def warn_cleanup(text: str) -> None:
    """Warn of what went wrong on a clean-up path; never raises, even where warnings are errors."""
    try:
        warnings.warn(text, AclCleanupWarning, stacklevel=3)
    except Exception as error:
        if sys.stderr is not None:
            print(f"pyaclnn: {error}", file=sys.stderr)


def describe_status(status: int, function: str) -> str:
    """Return the text that :func:`check` would raise with.

    Parameters
    ----------
    status : int
        A code other than 0.
    function : str
        The C function that returned it.

    Returns
    -------
    str
        CANN's own text, which this clears, is part of it.
    """
    return str(error_of(status, function, recent_message()))


def recent_message() -> str:
    """Return and clear CANN's text about this thread's latest failures.

    Returns
    -------
    str
        Empty where there is none, or no library has been opened.
    """
    if not backend.chosen:
        return ""
    read = backend.ensure().function("aclGetRecentErrMsg")
    text = read() if read is not None else ffi.NULL
    return ffi.string(text).decode(errors="replace").strip() if text else ""


@cache
def error_codes() -> dict[int, dict[str, str]]:
    """Return what is known of each code.

    Returns
    -------
    dict
        Code to ``name``, ``meaning``, ``family`` and, for the frequent ones, ``hint``.
    """
    # Only an error needs the table, or the module that reads it.
    import json

    rows = json.loads(Path(__file__).with_name("error_codes.json").read_text(encoding="utf-8"))
    return {row["code"]: row for row in rows}


def describe(value: Any) -> str:
    """Describe an argument for the text of an error.

    Parameters
    ----------
    value : object
        A Python value or cdata.

    Returns
    -------
    str
        One line: what ``value.describe()`` says, dtype and shape of an array, or the ``repr``.
    """
    try:
        if hasattr(value, "describe"):
            text = str(value.describe())
        elif hasattr(value, "dtype") and hasattr(value, "shape"):
            text = f"{value.dtype}[{','.join(map(str, value.shape))}]"
        else:
            text = repr(value)
    except Exception as error:
        # An object that cannot describe itself must not hide the error being reported.
        text = f"<{type(value).__name__}: {type(error).__name__} in its description>"
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _described(function: str, arguments: Iterable[Any]) -> list[tuple[str, str]]:
    values = list(arguments)
    names: list[str] = []
    if function and values:
        try:
            names = [p.name for p in signature(function).parameters]
        except (AttributeError, ValueError):
            names = []
    names += [f"argument {place + 1}" for place in range(len(names), len(values))]
    return [(name, describe(value)) for name, value in zip(names, values, strict=False)]
