"""Where an installed CANN was seen to do something else than the simulator, and why.

`differences.json` is a list of what ``python -m pyaclnn.fidelity --learn`` adds: an operator (or
another unit), a kind of difference, the calls, the chip and the release it was seen on, and why it
is so or that nobody knows yet.
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
    """

    unit: str
    kind: str
    calls: str = "*"
    soc: str = "*"
    cann: str = "*"
    why: str = ""

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
    entries = json.loads(file.read_text(encoding="utf-8"))
    return [Known(**{n: v for n, v in entry.items() if n in names}) for entry in entries]


def save(entries: list[Known], file: Path = FILE) -> None:
    """Write the entries, sorted and each once."""
    plain = sorted({tuple(asdict(entry).items()) for entry in entries})
    file.write_text(json.dumps([dict(entry) for entry in plain], indent=1) + "\n", "utf-8")
