"""Exceptions that end a translation, or a part of one."""

from __future__ import annotations

from typing import Any


class PortError(Exception):
    """The sample cannot be translated at all.

    Parameters
    ----------
    message : str
        Why, and what to do.
    file : str
        The sample.
    line : int
        Where, from 1; 0 for the file as a whole.
    """

    def __init__(self, message: str, file: str = "", line: int = 0) -> None:
        self.message = message
        self.file = file
        self.line = line
        place = f"{file}:{line}: " if line else f"{file}: " if file else ""
        super().__init__(place + message)


class UncheckedError(PortError):
    """The sample cannot run here, so its port cannot be compared."""


class FailedError(PortError):
    """The sample or its port ends with a status other than 0.

    Parameters
    ----------
    message : str
        Which of them, with its words.
    status : int
        Negative for a signal.
    output : str
        Its output until then.
    raised : bool
        Whether it is a Python program that ends on an exception.
    """

    def __init__(self, message: str, status: int, output: str, raised: bool) -> None:
        super().__init__(message)
        self.status = status
        self.output = output
        self.raised = raised


class LimitError(PortError):
    """The sample exceeds the limits of steps, memory or output."""


class OtherApiError(PortError):
    """The sample does not use aclnn, so nothing of it can be ported."""


class NotUnderstoodError(Exception):
    """A statement cannot be translated; the translation continues behind it."""


#: What the reason of a gap ends with that C++ leaves undefined or does not compile.
OWN_ERROR = "an error of the sample"


class SampleError(NotUnderstoodError):
    """A statement is an error of the sample, such as undefined behaviour.

    Parameters
    ----------
    message : str
        What is wrong.
    """

    def __init__(self, message: str) -> None:
        super().__init__(f"{message}: {OWN_ERROR}")


class ThrownError(Exception):
    """The sample throws an exception.

    Parameters
    ----------
    value : object
        What is thrown.
    ctype : CType
        Of what type.
    """

    def __init__(self, value: Any, ctype: Any) -> None:
        super().__init__("the sample throws an exception")
        self.value = value
        self.ctype = ctype


class ExitError(Exception):
    """The sample ends its process.

    Parameters
    ----------
    status : int or Expression
        What ``exit`` is given.
    """

    def __init__(self, status: object) -> None:
        super().__init__("the sample calls exit")
        self.status = status
