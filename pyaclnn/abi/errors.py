"""Every exception and warning of the C boundary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class AclError(RuntimeError):
    """A C function returned an error status.

    Parameters
    ----------
    code : int
        The status as the C function returned it.
    name : str
        Name of the code in the headers, such as ``ACLNN_ERR_PARAM_INVALID``.
    function : str
        The C function, or an empty string where it is not known.
    message : str
        What ``aclGetRecentErrMsg`` said about it, possibly empty.
    hint : str
        The usual cause and what to do about it, possibly empty.
    arguments : sequence of (str, str)
        Parameter names and descriptions of the values passed.
    meaning : str
        What the code stands for, in a few words.
    place : str
        The release of CANN and the chip, possibly empty.
    """

    def __init__(
        self,
        code: int,
        name: str = "",
        function: str = "",
        message: str = "",
        hint: str = "",
        arguments: Sequence[tuple[str, str]] = (),
        meaning: str = "",
        place: str = "",
    ) -> None:
        self.code = code
        self.name = name
        self.function = function
        self.message = message
        self.hint = hint
        self.arguments = tuple(arguments)
        self.meaning = meaning
        self.place = place
        super().__init__(self._text())

    def _text(self) -> str:
        status = f"{self.code} {self.name}".rstrip()
        first = f"{self.function or 'the call'} failed: {status}"
        lines = [f"{first} ({self.meaning})" if self.meaning else first]
        if self.message:
            lines.append("CANN says: " + self.message.strip().replace("\n", "\n    "))
        if self.arguments:
            shown = ", ".join(f"{name}={value}" for name, value in self.arguments)
            lines.append(f"call: {self.function}({shown})")
        if self.hint:
            lines.append(f"likely cause: {self.hint}")
        if self.place:
            lines.append(f"on: {self.place}")
        return "\n  ".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        state = (self.code, self.name, self.function, self.message, self.hint)
        return type(self), (*state, self.arguments, self.meaning, self.place)


class AclParameterError(AclError, ValueError):
    """An argument was refused."""


class OutOfMemoryError(AclError, MemoryError):
    """Device or host memory ran out."""


class AclTimeoutError(AclError, TimeoutError):
    """A wait timed out."""


class AclUnsupportedError(AclError, NotImplementedError):
    """The chip, driver or CANN version does not offer this."""


class AclRuntimeError(AclError):
    """Something failed while running: a device, a driver, a kernel, or CANN itself."""


class LibraryNotFoundError(OSError):
    """A shared library is missing or cannot be loaded."""


class SymbolNotFoundError(AttributeError):
    """No opened library exports a name, or no header declares it."""


class HeaderError(ValueError):
    """A header or one of its declarations cannot be parsed.

    Parameters
    ----------
    message : str
        What is wrong with it.
    file : str
        Path of the header.
    line : int
        Line of the declaration, counted from 1; 0 if the whole file is meant.
    declaration : str
        The text in question, possibly empty.
    """

    def __init__(self, message: str, file: str = "", line: int = 0, declaration: str = "") -> None:
        self.message = message
        self.file = file
        self.line = line
        self.declaration = declaration
        place = f"{file}:{line}: " if line else f"{file}: " if file else ""
        shown = declaration if len(declaration) <= 1000 else f"{declaration[:1000]}..."
        super().__init__(place + message + (f"\n  {shown}" if shown else ""))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.file, self.line, self.declaration)


class BackendError(RuntimeError):
    """The backend was asked to change after it had been used."""


class ForkedProcessError(RuntimeError):
    """A handle made before ``os.fork`` is used in the child."""


class ClosedError(ValueError):
    """A closed object is used."""


class BackendWarning(UserWarning):
    """The simulator stands in for CANN because ``auto`` found no usable NPU."""


class AclCleanupWarning(RuntimeWarning):
    """A C function failed while releasing an object, where an exception must not be raised."""
