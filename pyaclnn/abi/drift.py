"""The comparison of two include directories, by types and values rather than by text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pyaclnn.abi.canonical import Side, read_side

_SIMULATOR = "pyaclnn"
_MARKED_MEMBER = re.compile(
    r"//\s*((?:Since|Only in) CANN [\d.]+)\.[ \t]*\n\s*(?:(\w+)\s*=|[\w \t*]*?(\w+)(?:\[\w*\])*;)"
)


@dataclass(frozen=True, slots=True)
class Difference:
    """A name that two include directories declare differently.

    Attributes
    ----------
    kind : str
        ``missing`` (only ours has it), ``added`` (only theirs has it) or ``changed``.
    name : str
        The C name.
    ours : str
        Our declaration in canonical form, empty where we have none.
    theirs : str
        Their declaration in canonical form, empty where they have none.
    place : str
        ``file:line`` of the declaration that is there, theirs if both are.
    """

    kind: str
    name: str
    ours: str
    theirs: str
    place: str

    def __str__(self) -> str:
        """Return a report line, with both forms where they differ."""
        if self.kind == "changed":
            lines = f"\n    ours:   {self.ours}\n    theirs: {self.theirs}"
            return f"changed {self.name} ({self.place}){lines}"
        return f"{self.kind:7} {self.name} ({self.place})"


@dataclass(slots=True)
class Drift:
    """The outcome of a comparison.

    Attributes
    ----------
    differences : list of Difference
        The differences, sorted by kind and name.
    other_release : dict of str to list of str
        Names that only ours has and that a marker assigns to certain releases, by marker.
    other_headers : list of str
        Headers that only theirs has. Their declarations are not differences.
    unreadable : list of str
        Declarations of common headers that could not be parsed, with the reason.
    compared : int
        How many names both have.
    """

    differences: list[Difference] = field(default_factory=list)
    other_release: dict[str, list[str]] = field(default_factory=dict)
    other_headers: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    compared: int = 0

    def report(self) -> Iterator[str]:
        """Yield the lines of a report for people.

        Yields
        ------
        str
            A difference, or a summary line at the end.
        """
        for difference in self.differences:
            yield str(difference)
        for reason in self.unreadable:
            yield f"unread  {reason}"
        for marker, names in sorted(self.other_release.items()):
            yield f"not in this release: {len(names)} name(s) marked {marker!r}"
        if self.other_headers:
            yield f"headers only there: {len(self.other_headers)}"
        yield f"{self.compared} name(s) compared, {len(self.differences)} difference(s)"


def include_directory(path: Path) -> Path:
    """Return the include directory of a toolkit root, or the path itself.

    Parameters
    ----------
    path : Path
        A toolkit root or an include directory.

    Returns
    -------
    Path
        The directory that holds ``acl/``.

    Raises
    ------
    FileNotFoundError
        If neither has ``acl/``.
    """
    for candidate in (path, path / "include"):
        if (candidate / "acl").is_dir():
            return candidate
    raise FileNotFoundError(
        f"{path} has no acl/ and no include/acl/: pass the include directory of a CANN toolkit"
    )


def compare(ours: Path, theirs: Path) -> Drift:
    """Compare the declarations of two include directories.

    Parameters
    ----------
    ours : Path
        The directory whose declarations count.
    theirs : Path
        A toolkit root or an include directory; only the folders that ours has are read.

    Returns
    -------
    Drift
        The differences.

    Raises
    ------
    FileNotFoundError
        If ``theirs`` is no toolkit.
    """
    theirs = include_directory(theirs)
    folders = sorted(entry.name for entry in ours.iterdir() if entry.is_dir())
    # What only the simulator has is no part of CANN.
    folders = [name for name in folders if name != _SIMULATOR]
    mine, other = read_side(ours, folders), read_side(theirs, folders)
    marked = _marked_members(ours, mine.headers)
    drift = Drift()
    drift.other_headers = sorted(set(other.headers) - set(mine.headers))
    for name in mine.names():
        _compare_name(drift, name, mine, other, marked)
    shared = set(mine.headers)
    for name in other.names():
        if not mine.has(name) and other.header(name) in shared:
            place = other.place(name)
            drift.differences.append(Difference("added", name, "", other.shape(name), place))
    drift.differences.sort(key=lambda d: (d.kind, d.name))
    unreadable = [*mine.unreadable, *other.unreadable]
    drift.unreadable = sorted({reason for header, reason in unreadable if header in shared})
    return drift


def _compare_name(drift: Drift, name: str, mine: Side, other: Side, marked: dict[str, str]) -> None:
    if not other.has(name):
        marker = mine.version(name) or marked.get(name, "")
        if marker:
            drift.other_release.setdefault(marker, []).append(name)
        else:
            place = mine.place(name)
            drift.differences.append(Difference("missing", name, mine.shape(name), "", place))
        return
    drift.compared += 1
    left, right = mine.shape(name), other.shape(name)
    if left == right or "" in (left, right):
        return
    # Members of one release only do not make a type differ in the other.
    if right in (mine.shape(name, without=marked), left):
        return
    drift.differences.append(Difference("changed", name, left, right, other.place(name)))


def _marked_members(root: Path, headers: list[str]) -> dict[str, str]:
    """Return the release marker of each enumerator and field that has one."""
    found = {}
    for header in headers:
        text = (root / header).read_text(encoding="utf-8", errors="replace")
        for match in _MARKED_MEMBER.finditer(text):
            found[match[2] or match[3]] = match[1]
    return found
