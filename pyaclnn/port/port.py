"""One sample to one Python program."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pyaclnn.port import idiomatic, raw
from pyaclnn.port.errors import LimitError
from pyaclnn.port.model import Gap
from pyaclnn.port.source import read_source
from pyaclnn.port.translate import understand

_WRITERS = {"idiomatic": idiomatic.write, "raw": raw.write}


@dataclass(frozen=True)
class Port:
    """A translation.

    Attributes
    ----------
    text : str
        The Python program.
    gaps : tuple of Gap
        What of the sample is not in it.
    """

    text: str
    gaps: tuple[Gap, ...]


def port(sample: Path, style: str = "idiomatic") -> Port:
    """Translate a sample.

    Parameters
    ----------
    sample : Path
        C or C++ source.
    style : str
        ``idiomatic`` or ``raw``.

    Raises
    ------
    PortError
        If nothing of it can be translated.
    """
    try:
        program = understand(read_source(sample), str(sample))
        text = _WRITERS[style](program)
    except MemoryError:
        raise LimitError("asks for more memory than there is", str(sample)) from None
    return Port(text, tuple(program.gaps))
