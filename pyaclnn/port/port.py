"""Translation of a sample to a Python program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pyaclnn.port.data.limits import limited_memory
from pyaclnn.port.errors import LimitError, PortError
from pyaclnn.port.frontend.source import read_source
from pyaclnn.port.model import Gap
from pyaclnn.port.translate import understand
from pyaclnn.port.writing import idiomatic, raw

_FAILURES = (
    AssertionError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError,
)  # fmt: skip
_WRITERS = {"idiomatic": idiomatic.write, "raw": raw.write}


@dataclass(frozen=True)
class Port:
    """A translation.

    Attributes
    ----------
    text : str
        The Python program.
    gaps : tuple of Gap
        Statements of the sample that it lacks.
    """

    text: str
    gaps: tuple[Gap, ...]


def port(
    sample: Path,
    style: str = "idiomatic",
    headers: Sequence[Path] = (),
    arguments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> Port:
    """Translate a sample.

    Parameters
    ----------
    sample : Path
        C or C++ source.
    style : str
        ``idiomatic`` or ``raw``.
    headers : sequence of Path
        Include directories that were added, which the port is to add, too.
    arguments : sequence of str
        What the sample's command line has; the port is for these.
    environment : mapping of str to str, optional
        What the sample finds in its environment; nothing without.

    Raises
    ------
    PortError
        If nothing of it can be translated.
    """
    try:
        with limited_memory():
            program = understand(read_source(sample), str(sample), arguments, environment)
            program.header_folders = tuple(str(folder.resolve()) for folder in headers)
            text = _WRITERS[style](program)
    except RecursionError:
        raise PortError("is nested too deeply to follow", str(sample)) from None
    except _FAILURES as error:
        kind = type(error).__name__
        raise PortError(f"cannot be followed: {kind}: {error}", str(sample)) from error
    except MemoryError:
        raise LimitError("asks for more memory than there is", str(sample)) from None
    gaps = tuple(gap for gap in program.gaps if not gap.again)
    for gap in gaps:
        gap.file, gap.line = program.place(gap.line)
    return Port(text, gaps)
