"""What stops a translation, or a part of one."""

from __future__ import annotations


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
    """The sample cannot run here, so that there is nothing to compare its port with."""


class LimitError(PortError):
    """The sample asks for more steps, memory or output than a translation may take."""


class NotUnderstoodError(Exception):
    """One statement cannot be followed; the translation goes on behind it."""


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
