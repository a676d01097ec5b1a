"""Names and outputs of all operators in one file, which the build writes and a call reads.

Finding a line in this file is a hundred times as fast as reading a thousand headers to list
operators, or all rows of the table for the outputs of one. A line is the operator's C name and,
between tabs, ``found`` where its kernel finds the shapes of its outputs, then name, shape and dtype
of each output that Python may allocate. The build loads this module by its path: it imports the
standard library only.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

NAME = "operators.index"
_VERSION = "pyaclnn operators 1"
_FOUND = "found"

#: Output parameter -> the texts of its shape and dtype.
Outputs = Mapping[str, tuple[str, str]]


def write(
    target: Path, operators: Mapping[str, tuple[bool, Outputs]], table: Path, include: Path
) -> None:
    """Write the file.

    Parameters
    ----------
    target : Path
        Where.
    operators : mapping
        C name of each declared operator -> whether its kernel finds shapes, and its outputs.
    table, include : Path
        The folders that this was made of. Their state is noted, so that the index is ignored in a
        checkout whose files were edited since.
    """
    lines = [_VERSION, f"{_state_of_table(table)} {_state_of_headers(include)}"]
    for name, (found, outputs) in sorted(operators.items()):
        fields = [part for out, (shape, dtype) in outputs.items() for part in (out, shape, dtype)]
        lines.append("\t".join([name, _FOUND if found else "", *fields]))
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
    partial.replace(target)


class OperatorIndex:
    """The index of an installation or a checkout.

    Parameters
    ----------
    toolkit : Path
        The folder that has the index, and ``include`` beside it.
    table : Path
        The folder of the table.
    """

    def __init__(self, toolkit: Path, table: Path) -> None:
        self._toolkit = toolkit
        self._table = table
        self._text: str | None = None
        self._is_current: dict[str, bool] = {}

    def names(self) -> list[str] | None:
        """Return the C names of all operators; None where the index is missing or outdated."""
        if not self._current("headers"):
            return None
        return [line.partition("\t")[0] for line in self._read().splitlines()[2:]]

    def outputs(self, operator: str) -> tuple[bool, Outputs] | None:
        """Return what `write` was given for an operator; None where that is not known."""
        if not self._current("table"):
            return None
        text = self._read()
        begin = text.find(f"\n{operator}\t") + 1
        if begin == 0:
            return False, {}
        _, found, *fields = text[begin : text.index("\n", begin)].split("\t")
        triples = zip(fields[::3], fields[1::3], fields[2::3], strict=True)
        return found == _FOUND, {name: (shape, dtype) for name, shape, dtype in triples}

    def _read(self) -> str:
        if self._text is None:
            try:
                self._text = (self._toolkit / NAME).read_text(encoding="utf-8")
            except OSError:
                self._text = ""
        return self._text

    def _current(self, part: str) -> bool:
        known = self._is_current.get(part)
        if known is None:
            known = self._is_current[part] = self._look(part)
        return known

    def _look(self, part: str) -> bool:
        version, _, rest = self._read().partition("\n")
        if version != _VERSION:
            return False
        include = self._toolkit / "include"
        # An installation has copies, which nobody edits; a checkout has links to what is edited.
        if not (include / "aclnnop").is_symlink():
            return True
        table, headers = rest.partition("\n")[0].split()
        if part == "table":
            return table == _state_of_table(self._table)
        return headers == _state_of_headers(include)


def _state_of_table(folder: Path) -> str:
    return _state(folder.glob("*.py"))


def _state_of_headers(include: Path) -> str:
    return _state((include / "aclnnop").glob("*.h"))


def _state(files: Iterable[Path]) -> str:
    # os.stat: a thousand of pathlib's take three times as long.
    seen = ((f.name, os.stat(f)) for f in sorted(files))
    text = "".join(f"{name} {s.st_size} {s.st_mtime_ns}\n" for name, s in seen)
    return f"{zlib.crc32(text.encode()):08x}"
