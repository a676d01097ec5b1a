"""Writing Python: names, literals, and lines no longer than a page is wide."""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from dataclasses import dataclass
from keyword import kwlist
from typing import Any

import numpy as np

from pyaclnn.ops.naming import snake_case

WIDTH = 99

_TAKEN = frozenset(
    {*dir(builtins), "np", "pa", "math", "i", "j", "k", "value", "rank", "run", *kwlist}
)


@dataclass(frozen=True)
class Group:
    """Brackets with items, broken over lines where they do not fit.

    Parameters
    ----------
    head : str
        What stands before and with the opening bracket.
    items : sequence of str or Group
        Between commas.
    tail : str
        The closing bracket and what follows.
    fill : bool
        As many items on a line as fit, rather than one each.
    """

    head: str
    items: tuple[Code, ...]
    tail: str = ")"
    fill: bool = False


Code = str | Group


def call(function: str, *items: Code) -> Group:
    """Return a call."""
    return Group(function + "(", items)


def keyword(name: str, code: Code) -> Code:
    """Return an argument that is passed by name."""
    if isinstance(code, Group):
        return Group(f"{name}={code.head}", code.items, code.tail, code.fill)
    return f"{name}={code}"


def numbers(items: Sequence[str]) -> Group:
    """Return a list of numbers."""
    return Group("[", tuple(items), "]", fill=True)


def one_line(code: Code) -> str:
    """Return code without line breaks."""
    if isinstance(code, str):
        return code
    return code.head + ", ".join(map(one_line, code.items)) + code.tail


def lines(code: Code, indent: int = 0) -> list[str]:
    """Return code as lines that fit, where it can be broken."""
    pad = " " * indent
    flat = one_line(code)
    if isinstance(code, str) or len(flat) + indent <= WIDTH or not code.items:
        return [pad + flat]
    if len(code.items) == 1 and isinstance(code.items[0], Group) and not code.fill:
        # One nested call: hug its brackets.
        inner: Group = code.items[0]
        hugged = Group(code.head + inner.head, inner.items, inner.tail + code.tail, inner.fill)
        return lines(hugged, indent)
    out = [pad + code.head]
    if code.fill:
        row = " " * (indent + 4)
        for item in map(one_line, code.items):
            if len(row) + len(item) + 1 > WIDTH and row.strip():
                out.append(row.rstrip())
                row = " " * (indent + 4)
            row += item + ", "
        out.append(row.rstrip().rstrip(",") + ",")
    else:
        for part in code.items:
            broken = lines(part, indent + 4)
            broken[-1] += ","
            out += broken
    out.append(pad + code.tail)
    return out


def literal(value: Any, dtype: np.dtype[Any] | None = None) -> str:
    """Return a number, string or None as Python source.

    Parameters
    ----------
    value : number, str or None
        What.
    dtype : numpy.dtype, optional
        Of a float: with just as many digits as it holds.
    """
    if isinstance(value, (bool, np.bool_)) or value is None:
        return str(bool(value)) if value is not None else "None"
    if isinstance(value, (complex, np.complexfloating)):
        return f"complex({literal(value.real)}, {literal(value.imag)})"
    if isinstance(value, (float, np.floating)) or (dtype is not None and dtype.kind in "fV"):
        number = float(value)
        if math.isnan(number):
            return "np.nan"
        if math.isinf(number):
            return "np.inf" if number > 0 else "-np.inf"
        if dtype is not None and dtype.itemsize < 8:
            number = float(str(dtype.type(number)))
        text = repr(number)
        return text.removesuffix(".0") if dtype is not None and text != "-0.0" else text
    if isinstance(value, str):
        return quoted(value)
    return str(int(value))


def quoted(text: str) -> str:
    """Return a string literal with double quotes."""
    return '"' + _escaped(text).replace('"', '\\"') + '"'


def _escaped(text: str) -> str:
    body = text.encode("unicode_escape").decode("ascii")
    # Letters of any script stay readable; only control characters are escaped.
    if body != text:
        body = "".join(
            c if c.isprintable() and c != "\\" else c.encode("unicode_escape").decode()
            for c in text
        )
    return body


def shape_text(shape: Sequence[int]) -> str:
    """Return a shape as a tuple."""
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


class Names:
    """Python names for what the sample names, each given once."""

    def __init__(self, reserved: Sequence[str] = ()) -> None:
        self._used = {*_TAKEN, *reserved}

    def mark(self) -> set[str]:
        """Return the names that are given, for `release`."""
        return set(self._used)

    def release(self, mark: set[str]) -> None:
        """Take back the names that were given since: those of a function."""
        self._used = mark

    def new(self, wanted: str, fallback: str = "x") -> str:
        """Return a free name like the sample's."""
        text = "".join(c if c.isalnum() or c == "_" else "_" for c in wanted)
        name = snake_case(text).strip("_") or fallback
        if not name.isidentifier() or not name.isascii():
            name = fallback
        candidate, count = name, 1
        if candidate in _TAKEN:
            candidate = f"{name}_"
        while candidate in self._used:
            count += 1
            candidate = f"{name}_{count}"
        self._used.add(candidate)
        return candidate
