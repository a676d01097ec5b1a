"""Loops that print one array after the other in the same way become one function."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pyaclnn.port.writing.pycode import Names

#: From how many copies on a function is shorter than they are.
MIN_COPIES = 3

_HEAD = re.compile(r"for i, (value(?:_\d+)?) in enumerate\((\w+)(?:\.flat)?\):")
_PRINT = re.compile(r'    print\(f"((?:[^{}\\"]*\w)?)(\W*\{.*)\)')
_FIELD = re.compile(r"\{([^{}:]*)")
_KNOWN = frozenset(["i", "value", "float", "int"])


@dataclass(frozen=True)
class Copy:
    """A loop over an array: where it is, what its text begins with, and what follows."""

    line: int
    array: str
    label: str
    rest: str


def shared(body: list[str], names: Names) -> list[str]:
    """Return a program with loops that are alike as calls of a function.

    Parameters
    ----------
    body : list of str
        Its lines.
    names : Names
        Of the program.
    """
    groups: dict[str, list[Copy]] = {}
    for line in range(len(body) - 1):
        copy = _copy(body, line)
        if copy is not None:
            groups.setdefault(copy.rest, []).append(copy)
    functions: list[str] = []
    calls: dict[int, str] = {}
    for rest, copies in groups.items():
        if len(copies) < MIN_COPIES:
            continue
        name = names.new("show")
        functions += ["", *_function(name, rest, copies), ""]
        same = len({copy.label for copy in copies}) == 1
        for copy in copies:
            label = "" if same else f'"{copy.label}", '
            calls[copy.line] = f"{name}({label}{copy.array})"
    if not functions:
        return body
    skipped = {line + 1 for line in calls}
    kept = [calls.get(i, text) for i, text in enumerate(body) if i not in skipped]
    return [*functions, "", *kept]


def _copy(body: list[str], line: int) -> Copy | None:
    head, inner = _HEAD.fullmatch(body[line]), _PRINT.fullmatch(body[line + 1])
    goes_on = line + 2 < len(body) and body[line + 2].startswith(" ")
    if head is None or inner is None or goes_on:
        return None
    rest = re.sub(rf"\b{head[1]}\b", "value", inner[2])
    words = {word for field in _FIELD.findall(rest) for word in re.findall(r"[A-Za-z_]\w*", field)}
    return Copy(line, head[2], inner[1], rest) if words <= _KNOWN else None


def _function(name: str, rest: str, copies: list[Copy]) -> list[str]:
    same = len({copy.label for copy in copies}) == 1
    label = copies[0].label if same else "{label}"
    return [
        f"def {name}({'' if same else 'label: str, '}values: np.ndarray) -> None:",
        "    for i, value in enumerate(values.flat):",
        f'        print(f"{label}{rest})',
    ]
