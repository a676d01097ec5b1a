"""Prints and loops over results as Python source."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyaclnn.port.data.cpp_types import CType
from pyaclnn.port.data.runtime_numbers import VIEW
from pyaclnn.port.data.symbols import Element, Expression, Named, Symbol, variables_of
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.loops.loop_recovery import (
    Choice,
    Column,
    Item,
    Line,
    Loop,
    as_item,
    numbers_in,
    roll,
)
from pyaclnn.port.model import Assign, Branch, Field, Leave, Print, PrintRun, Stop
from pyaclnn.port.writing.pycode import WIDTH, Group, Names, call, lines, literal, numbers
from pyaclnn.port.writing.remarks import Sayings

_VARIABLES = "ijklmn"

#: What is written as one group of lines, loops found again.
Statement = Print | PrintRun | Assign | Branch


@dataclass(frozen=True)
class ArrayVariable:
    """Where the elements of a download are in the Python program.

    Attributes
    ----------
    name : str
        A NumPy array.
    size : int
        Number of its elements.
    flat : bool
        Whether it has one dimension.
    kind : str
        Type of the elements, where the source shows it to a type checker.
    """

    name: str
    size: int
    flat: bool
    kind: str = ""


@dataclass(frozen=True)
class Affine:
    """``base`` plus ``stride`` times a variable for each loop around."""

    base: int
    terms: tuple[tuple[str, int], ...]

    def text(self) -> str:
        """Return it as Python source."""
        parts = [(stride, _times(abs(stride), name)) for name, stride in self.terms]
        if self.base or not parts:
            parts.append((self.base, str(abs(self.base))))
        # What is added comes first: 4 - i.
        (first, text), *rest = sorted(parts, key=lambda part: part[0] < 0)
        signed = [f" {'-' if sign < 0 else '+'} {part}" for sign, part in rest]
        return f"{'-' if first < 0 else ''}{text}{''.join(signed)}"


def _times(stride: int, name: str) -> str:
    return name if stride == 1 else f"{stride} * {name}"


@dataclass(frozen=True)
class ColumnItem:
    """An element of a list of numbers, or of an array of ``np.float32``, as Python source."""

    source: str
    is_single: bool = False


@dataclass(frozen=True)
class FieldSource:
    """A replacement field of an f-string."""

    source: str


class Printer:
    """Writes prints.

    Parameters
    ----------
    array : callable
        (download, ctype) to `ArrayVariable`.
    symbol : callable
        Other symbols to Python source.
    names : Names
        Of the program.
    stop : callable
        Line of a gap to the statement that ends the port there.
    sayings : Sayings
        Writes the sample's comments.
    """

    def __init__(
        self,
        array: Callable[[Any, CType], ArrayVariable],
        symbol: Callable[[Any], str],
        names: Names,
        stop: Callable[[int], str],
        sayings: Sayings,
    ) -> None:
        self._sayings = sayings
        self._array = array
        self._stop = stop
        self._symbol = symbol
        self._names = names
        self._variables: dict[Any, str] = {}
        self._seen: list[ArrayVariable] = []
        #: Whether others print at the same time.
        self.in_thread = False
        #: Names of arrays of numbers that are there for all of the port.
        self._columns: dict[Any, str] = {}
        # A type checker wants another variable for elements of another type.
        self._value_names: dict[str, str] = {}

    def lines(self, events: list[Statement]) -> list[str]:
        """Return the Python source of consecutive prints."""
        out: list[str] = []
        for about, part in self._commented(events):
            out += about
            for item in roll([as_item(e) for e in _starts_first(_joined(part))]):
                self._seen = []
                out += self._item(item, [], _bases(item), 0)
        return out

    def _commented(self, events: list[Statement]) -> list[tuple[list[str], list[Statement]]]:
        """Return the statements as far as a comment stands before one, with that comment."""
        parts: list[tuple[list[str], list[Statement]]] = []
        for event in events:
            about = self._sayings.lines(event.comments, inner=False)
            if about or not parts:
                parts.append((about, []))
            parts[-1][1].append(event)
        return parts

    def _item(
        self, item: Item, loops: list[tuple[str, Any]], values: list[Any], indent: int
    ) -> list[str]:
        if isinstance(item, Line):
            pad = " " * indent
            about = self._sayings.lines(item.event.comments, indent, inner=True)
            made = self._statement(item, list(values), indent).split("\n")
            return [*about, *(pad + part for part in made)]
        if isinstance(item, Choice):
            return self._choice(item, loops, list(values), indent)
        name = _VARIABLES[min(len(loops), len(_VARIABLES) - 1)]
        columns: list[str] = []
        turned = []
        for value, stride in zip(values, item.strides, strict=True):
            if isinstance(stride, Column):
                there = [self._columns[key] for key in stride.keys if key in self._columns]
                column = there[0] if there else self._names.new("numbers")
                if not there:
                    columns += lines(_numbers(column, stride), indent)
                    if not indent and not self.in_thread:
                        # What is made in a block may not be there behind it.
                        self._columns[stride.keys[0]] = column
                turned.append(ColumnItem(f"{column}[{name}]", stride.is_single))
            else:
                turned.append(_with_term(value, name, stride))
        body: list[str] = []
        at = 0
        for inner in item.body:
            length = len(inner.parameters)
            part = turned[at : at + length]
            body += self._item(inner, [*loops, (name, item.count)], part, indent + 4)
            at += length
        return [*columns, *self._head(item, name, body, indent), *body]

    def _head(self, item: Loop, name: str, body: list[str], indent: int) -> list[str]:
        """Return the line that opens a loop; one over all of an array names its element."""
        pad = " " * indent
        used = any(_uses(line, name) for line in body)
        if item.bound is not None:
            count = _bare(self._value(item.bound, list(map(_base, numbers_in(item.bound)))))
            return [f"{pad}for {name if used else '_'} in range({count}):"]
        for array in self._seen:
            indexed = f"{array.name}[{name}]" if array.flat else f"{array.name}.flat[{name}]"
            if array.size == item.count and any(indexed in line for line in body):
                value = self._value_names.setdefault(array.kind, self._value_name())
                body[:] = [line.replace(indexed, value) for line in body]
                source = array.name if array.flat else f"{array.name}.flat"
                if any(_uses(line, name) for line in body):
                    return [f"{pad}for {name}, {value} in enumerate({source}):"]
                return [f"{pad}for {value} in {source}:"]
        return [f"{pad}for {name if used else '_'} in range({item.count}):"]

    def _value_name(self) -> str:
        count = len(self._value_names)
        return f"value_{count + 1}" if count else "value"

    def _choice(
        self, item: Choice, loops: list[tuple[str, Any]], rest: list[Any], indent: int
    ) -> list[str]:
        pad = " " * indent
        condition = _bare(self._value(item.condition, rest))
        bodies = []
        for way in (item.then, item.otherwise):
            body: list[str] = []
            for inner in way:
                length = len(inner.parameters)
                body += self._item(inner, loops, rest[:length], indent + 4)
                del rest[:length]
            bodies.append(body)
        if not bodies[0]:
            return [f"{pad}if not ({condition}):", *bodies[1]]
        if not bodies[1]:
            return [f"{pad}if {condition}:", *bodies[0]]
        behind = [f"{pad}else:", *bodies[1]]
        if len(item.otherwise) == 1 and bodies[1][0].startswith(f"{pad}    if "):
            nested = [line[4:] for line in bodies[1]]
            behind = [f"{pad}el{nested[0][indent:]}", *nested[1:]]
        return [f"{pad}if {condition}:", *bodies[0], *behind]

    def _statement(self, line: Line, rest: list[Any], indent: int) -> str:
        if isinstance(line.event, Stop):
            return "break"
        if isinstance(line.event, Leave) and line.event.gap is not None:
            return self._stop(line.event.gap.line)
        if isinstance(line.event, Leave):
            return f"raise SystemExit({_bare(self._value(line.event.code, rest))})"
        if not isinstance(line.event, Assign):
            return self._print(line, rest, indent)
        event = line.event
        target, value = event.target, event.value
        if (
            isinstance(value, Expression)
            and value.operator in "+-*/"
            and len(value.operands) == 2
            and isinstance(value.operands[0], Named)
            and value.operands[0].key == target.key
        ):
            name = self._variables.get(target.key)
            if name is None:
                raise NotUnderstoodError(f"{target.name} is not known, see line {target.line}")
            return f"{name} {value.operator}= {_bare(self._value(value.operands[1], rest))}"
        text = self._value(value, rest)
        if target.key not in self._variables:
            self._variables[target.key] = self._names.new(target.name, "number")
        return f"{self._variables[target.key]} = {_bare(text)}"

    def _print(self, line: Line, rest: list[Any], indent: int) -> str:
        assert isinstance(line.event, Print)
        pieces = [p if isinstance(p, str) else self._field(p, rest) for p in line.event.parts]
        dynamic = any(isinstance(p, FieldSource) for p in pieces)
        parts = []
        for piece in pieces:
            if isinstance(piece, FieldSource):
                parts.append(piece.source)
            else:
                parts.append(piece.replace("{", "{{").replace("}", "}}") if dynamic else piece)
        body = "".join(parts)
        ending = ""
        if body.endswith("\n"):
            body = body[:-1]
        else:
            ending = ', end=""'
        if self.in_thread and not ending:
            # At once, so that the lines of threads do not mix.
            body, ending = body + "\n", ', end=""'
        if not body and not ending:
            return "print()"
        text = f"print({'f' if dynamic else ''}{literal(body)}{ending})"
        if not dynamic or len(text) + indent <= WIDTH:
            return text
        rows = _rows(parts, body, WIDTH - indent - 8)
        return "\n    ".join(["print(", *(_quoted(row) for row in rows)]) + f"{ending}\n)"

    def _field(self, part: Field, rest: list[Any]) -> str | FieldSource:
        if isinstance(part.value, (int, float)) and not _varies(rest[0]):
            fixed = rest.pop(0)
            number = fixed.base if isinstance(fixed, Affine) else fixed
            return format(number, part.spec)
        value = self._value(part.value, rest)
        spec = part.spec
        element = part.value if isinstance(part.value, Element) else None
        if element is not None and element.ctype.kind == "bool":
            value = f"int({value})"
        elif element is not None and element.ctype.name == "bfloat16":
            value = f"float({value})"
        if spec == "c" and element is None:
            value = f"chr({value})"
            spec = ""
        if value.isdecimal() and not spec:
            return value
        value = _bare(value).replace('"', "'")
        return FieldSource("{" + value + (f":{spec}" if spec else "") + "}")

    def _value(self, value: Any, rest: list[Any]) -> str:
        if isinstance(value, Element):
            array = self._array(value.download, value.ctype)
            if array not in self._seen:
                self._seen.append(array)
            if value.offset % value.ctype.size:
                return f"{array.name}[{value.offset // value.ctype.size}]"
            index = rest.pop(0)
            return f"{array.name}[{index.text()}]" if array.flat else \
                f"{array.name}.flat[{index.text()}]"  # fmt: skip
        if isinstance(value, Expression):
            return self._expression(value, rest)
        if isinstance(value, Named):
            if value.key not in self._variables:
                raise NotUnderstoodError(f"{value.name} is not known, see line {value.line}")
            return self._variables[value.key]
        if isinstance(value, Symbol):
            return self._symbol(value)
        if isinstance(value, str):
            return literal(value)
        base = rest.pop(0)
        if isinstance(base, Affine):
            return base.text()
        if isinstance(base, ColumnItem):
            return base.source
        return literal(base)

    def _expression(self, value: Expression, rest: list[Any]) -> str:
        is_number = value.operator == "np.float32" and type(value.operands[0]) is float
        if is_number and getattr(rest[0], "is_single", False):
            return str(rest.pop(0).source)
        operands = [self._operand(o, rest, value.operator) for o in value.operands]
        if value.operator.startswith(VIEW):
            before, after = value.operator.removeprefix(VIEW).split(":")
            return f"np.{before}({_bare(operands[0])}).view(np.{after})"
        if value.operator == "where":
            return f"({operands[1]} if {_bare(operands[0])} else {operands[2]})"
        if not value.operator:
            return operands[0]
        if value.operator == "not":
            return _negated(operands[0])
        if value.operator in ("and", "or"):
            return f"({operands[0]} {value.operator} {operands[1]})"
        if value.operator.isidentifier() or "." in value.operator:
            return f"{value.operator}({', '.join(map(_bare, operands))})"
        if len(operands) == 1:
            return f"({value.operator}{operands[0]})"
        return f"({operands[0]} {value.operator} {operands[1]})"

    def _operand(self, value: Any, rest: list[Any], kind: str) -> str:
        if kind == "np.float32" and isinstance(value, float) and isinstance(rest[0], float):
            return literal(rest.pop(0), np.dtype(np.float32))
        text = self._value(value, rest)
        # A counter that became a sum of those of the loops.
        return f"({text})" if not isinstance(value, (Symbol, str)) and " " in text else text


def _quoted(row: str) -> str:
    return f"{'f' if '{' in row or '}' in row else ''}{literal(row)}"


def _rows(parts: list[str], body: str, width: int) -> list[str]:
    """Return a text that is printed as pieces that fit, broken where its parts meet."""
    rows = [""]
    left = len(body)
    for part in parts:
        part = part[:left]
        left -= len(part)
        if rows[-1] and len(literal(rows[-1] + part)) > width:
            rows.append("")
        rows[-1] += part
    return rows


def _joined(events: list[Statement]) -> list[Statement]:
    """Return the prints with those of one line that hold no result as one."""
    out: list[Statement] = []
    for event in events:
        last = out[-1] if out else None
        if isinstance(event, Print) and isinstance(last, Print) and _is_constant(event):
            text = _text(last) if _is_constant(last) else ""
            if text and not text.endswith("\n") and "\n" not in text:
                out[-1] = Print(last.line, last.site, (text + _text(event),), last.moment)
                out[-1].comments = (*last.comments, *event.comments)
                continue
        out.append(event)
    return out


def _is_constant(event: Print) -> bool:
    return not any(isinstance(getattr(p, "value", None), Symbol) for p in event.parts)


def _text(event: Print) -> str:
    return "".join(p if isinstance(p, str) else format(p.value, p.spec) for p in event.parts)


def _starts_first(events: list[Statement]) -> list[Statement]:
    """Return the statements with what variables start with before the loops that change them.

    A variable that starts again stays behind what takes its value from before.
    """
    out: list[Statement] = []
    last: dict[tuple[str, int], int] = {}
    starts: dict[int, list[Statement]] = {}
    for event in events:
        if _is_start(event):
            assert isinstance(event, Assign)
            at = last.get(event.target.key, 0)
            last[event.target.key] = max(at, len(out))
            starts.setdefault(at, []).append(event)
            continue
        out.append(event)
        last.update(dict.fromkeys(_keys(event), len(out)))
    places = [[*starts.get(at, []), event] for at, event in enumerate(out)]
    return [event for place in places for event in place] + starts.get(len(out), [])


def _keys(event: Any) -> set[tuple[str, int]]:
    """Return the variables that a statement takes or changes."""
    found: set[tuple[str, int]] = set()
    if isinstance(event, Assign):
        found = {event.target.key, *(v.key for v in variables_of(event.value))}
    elif isinstance(event, Branch):
        found = {v.key for v in variables_of(event.condition)}
        for inner in (*event.then, *event.otherwise):
            found |= _keys(inner)
    elif isinstance(event, Print):
        for part in event.parts:
            found |= {v.key for v in variables_of(getattr(part, "value", None))}
    elif isinstance(event, PrintRun):
        found |= {v.key for v in variables_of(event.bound)}
        for inner in (*event.first, *event.second):
            found |= _keys(inner)
    elif isinstance(event, Leave):
        found = {v.key for v in variables_of(event.code)}
    return found


def _is_start(event: Statement) -> bool:
    if not isinstance(event, Assign) or not event.first:
        return False
    value = event.value
    if isinstance(value, Expression):
        return all(isinstance(o, (int, float)) for o in value.operands)
    return isinstance(value, (int, float))


def _numbers(name: str, column: Column) -> Group:
    if column.is_single:
        dtype = np.dtype(np.float32)
        values = numbers([literal(float(v), dtype) for v in column.values])
        return call(f"{name} = np.array", values, "dtype=np.float32")
    return Group(f"{name} = [", tuple(literal(v) for v in column.values), "]", fill=True)


def _bare(text: str) -> str:
    return text[1:-1] if _wrapped(text) else text


def _wrapped(text: str) -> bool:
    """Return whether one pair of parentheses is around all of a text."""
    if not text.startswith("("):
        return False
    depth = 0
    for index, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return index == len(text) - 1
    return False


def _negated(text: str) -> str:
    return f"(not {text})"


def _bases(item: Item) -> list[Any]:
    return [_base(p) for p in item.parameters]


def _base(parameter: Any) -> Any:
    whole = isinstance(parameter, int) and not isinstance(parameter, bool)
    return Affine(parameter, ()) if whole else parameter


def _with_term(value: Any, name: str, stride: Any) -> Any:
    if isinstance(value, Affine) and stride:
        return Affine(value.base, (*value.terms, (name, stride)))
    return value


def _varies(value: Any) -> bool:
    return isinstance(value, ColumnItem) or (isinstance(value, Affine) and bool(value.terms))


def _uses(line: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", line) is not None
