"""What the parameters of the operators mean, in words: ``meanings.txt``, read when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .families import by_name

_FILE = Path(__file__).with_name("meanings.txt")


class Section(NamedTuple):
    """Meanings that hold for some operators.

    Attributes
    ----------
    fits : tuple of str
        ``*``, families as ``family moe``, or operators without ``aclnn``, with ``*`` and ``?``.
    entries : dict
        Meaning by name; that of an output alone is by ``> name``.
    """

    fits: tuple[str, ...]
    entries: dict[str, str]


def parse(text: str) -> list[Section]:
    """Return the sections of a file in their order.

    ``[...]`` opens one, ``name, name: meaning`` is an entry, a line that is indented goes on with
    the one before, and ``#`` begins a remark.
    """
    sections: list[Section] = []
    names: list[str] = []
    heading = ""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if heading or line.startswith("["):
            heading += line
            if line.endswith("]"):
                fits = tuple(part.strip() for part in heading.strip("[]").split(","))
                sections.append(Section(fits, {}))
                heading = ""
        elif line[0].isspace():
            for name in names:
                sections[-1].entries[name] = f"{sections[-1].entries[name]} {line.strip()}".lstrip()
        else:
            before, colon, meaning = line.partition(":")
            if not colon:
                raise ValueError(f"line {number} has no meaning: {line}")
            mark = "> " if before.startswith(">") else ""
            names = [mark + name.strip() for name in before.removeprefix(">").split(",")]
            for name in names:
                if name in sections[-1].entries:
                    raise ValueError(f"line {number} says {name} again")
                sections[-1].entries[name] = meaning.strip()
    return sections


@cache
def sections() -> list[Section]:
    """Return the sections of ``meanings.txt``."""
    return parse(_FILE.read_text(encoding="utf-8"))


@cache
def _fitting(operator: str, family: str) -> list[Section]:
    """Return the sections for an operator, the one that is written last first."""
    row = by_name().get(operator)
    folder = f"family {row.family if row else family}"
    short = operator.removeprefix("aclnn")

    def fits(pattern: str) -> bool:
        return pattern == folder or (" " not in pattern and fnmatchcase(short, pattern))

    return [one for one in reversed(sections()) if any(map(fits, one.fits))]


def names(parameter: str, output: bool) -> Iterator[str]:
    """Yield the names that a parameter's meaning may stand under, its own first.

    ``Optional`` and ``Ref`` at the end are no part of what it means, nor is the ``Out`` of an
    output; those that an output alone has are marked ``>``.
    """
    forms = [parameter]
    for end in ("Optional", "Ref", "Optional", *(["Out", "out"] if output else [])):
        if forms[-1].endswith(end) and forms[-1] != end:
            forms.append(forms[-1].removesuffix(end))
    if output:
        yield from (f"> {form}" for form in forms)
    yield from forms


def found(
    operator: str, parameter: str, output: bool = False, family: str = ""
) -> tuple[Section, str] | None:
    """Return the section and the name in it that a parameter's meaning comes from.

    Of the sections that fit the operator the one that is written last decides; ``family`` is that
    of an operator without a row.
    """
    forms = tuple(names(parameter, output))
    for section in _fitting(operator, family):
        for form in forms:
            if form in section.entries:
                return section, form
    return None


def meaning(operator: str, parameter: str, output: bool = False) -> str:
    """Return what a parameter means, as a sentence; empty where nothing is said.

    Parameters
    ----------
    operator, parameter : str
        Their names in C.
    output : bool, optional
        Whether the operator writes it without reading it.
    """
    place = found(operator, parameter, output)
    if place is None:
        return ""
    said = place[0].entries[place[1]]
    return f"{said[0].upper()}{said[1:]}."
