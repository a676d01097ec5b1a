"""Where an installed CANN was seen to do something else than the simulator, and why.

`differences.json` is what ``python -m pyaclnn.fidelity --learn`` adds to: an operator (or another
unit), a kind of difference, the calls, the chip and the release it was seen on. What is the same in
all calls of an operator is a number that the simulator's profiles read: bytes of workspace, and a
status where CANN refuses everything. Anything else is known, and mended in the operator's row.
"""

from __future__ import annotations

import fnmatch
import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path

FILE = Path(__file__).with_name("differences.json")


@dataclass(frozen=True)
class Known:
    """One entry; text with ``*`` matches as file names do.

    Attributes
    ----------
    unit, kind, calls : str
        The operator, the kind of difference, the key of the calls.
    soc, cann : str
        The chip and release of the reference.
    why : str
        For people.
    c_name : str
        The operator in C, for the simulator.
    workspace, status : int
        What the simulator adds to every workspace, and refuses every call with; 0 for nothing.
    """

    unit: str
    kind: str
    calls: str = "*"
    soc: str = "*"
    cann: str = "*"
    why: str = ""
    c_name: str = ""
    workspace: int = 0
    status: int = 0

    def covers(self, unit: str, kind: str, key: str, soc: str, cann: str) -> bool:
        """Return whether a difference is this one."""
        pairs = (
            (unit, self.unit), (kind, self.kind), (key, self.calls), (soc, self.soc),
            (cann, self.cann),
        )  # fmt: skip
        return all(fnmatch.fnmatchcase(text, pattern) for text, pattern in pairs)


def load(file: Path = FILE) -> list[Known]:
    """Return the entries of a file; none where it is not there."""
    if not file.exists():
        return []
    names = {field.name for field in fields(Known)}
    entries = json.loads(file.read_text(encoding="utf-8"))["differences"]
    return [Known(**{n: v for n, v in entry.items() if n in names}) for entry in entries]


def save(entries: list[Known], file: Path = FILE) -> None:
    """Write the entries, sorted and each once."""
    plain = sorted({tuple(asdict(entry).items()) for entry in entries})
    text = json.dumps({"differences": [dict(entry) for entry in plain]}, indent=1)
    file.write_text(text + "\n", encoding="utf-8")
