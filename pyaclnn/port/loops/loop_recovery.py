"""Reconstruction of the loops that a sequence of prints came from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pyaclnn.port.data.symbols import Element, Expression, Named, Query, Symbol, WorkspaceSize
from pyaclnn.port.model import Assign, Branch, Event, Field, Leave, Print, PrintRun, Stop

MAX_PERIOD = 12


class Index(int):
    """The index of an element; other numbers of a print need not follow a rule."""


class Single(float):
    """A fraction that the port makes an ``np.float32`` of."""


class Shown(float):
    """A fraction that is printed as it is, and computed with nowhere."""


@dataclass(frozen=True)
class Line:
    """One print: texts and values with numbers taken out as parameters."""

    key: tuple[Any, ...]
    parameters: tuple[Any, ...]
    event: Print | Assign | Leave | Stop


@dataclass(frozen=True)
class Loop:
    """A block repeated with parameters that grow evenly."""

    body: tuple[Item, ...]
    count: int
    strides: tuple[Any, ...]
    key: tuple[Any, ...] = field(default=())
    #: How many turns there are, where only a run knows.
    bound: Any = None

    @property
    def parameters(self) -> tuple[Any, ...]:
        """Parameters of the first turn."""
        return tuple(p for item in self.body for p in item.parameters)


@dataclass(frozen=True)
class Column:
    """Fractions that follow no rule: one for each turn of a loop."""

    values: tuple[float, ...]

    @property
    def is_single(self) -> bool:
        """Whether the port makes each of them an ``np.float32``: what is one, prints as one."""
        if all(isinstance(value, Single) for value in self.values):
            return True
        return self._may_be_single and any(len(repr(float(v))) > 12 for v in self.values)

    @property
    def _may_be_single(self) -> bool:
        return all(isinstance(v, Shown) and float(np.float32(v)) == v for v in self.values)

    @property
    def keys(self) -> tuple[tuple[bool, str], ...]:
        """What tells it from others in a port; that of others that do as well follow."""
        text = repr([float(value) for value in self.values])
        others = ((True, text),) if self._may_be_single and not self.is_single else ()
        return (self.is_single, text), *others


@dataclass(frozen=True)
class Choice:
    """An ``if`` around statements."""

    condition: Any
    then: tuple[Item, ...]
    otherwise: tuple[Item, ...]
    key: tuple[Any, ...]
    parameters: tuple[Any, ...]


Item = Line | Loop | Choice


def as_line(event: Print | Assign | Leave | Stop) -> Line:
    """Return a print or an assignment with its numbers apart."""
    parameters: list[Any] = []
    if isinstance(event, Stop):
        return Line(("stop",), (), event)
    if isinstance(event, Leave) and event.gap is not None:
        return Line(("gap", event.line), (), event)
    if isinstance(event, Leave):
        shape = _shape(event.code, parameters)
        return Line(("leave", shape), tuple(parameters), event)
    if isinstance(event, Assign):
        shape = _shape(event.value, parameters)
        return Line(("set", event.target.key, shape), tuple(parameters), event)
    key: list[Any] = [event.site]
    for part in event.parts:
        if isinstance(part, Field) and part.spec and type(part.value) is float:
            parameters.append(Shown(part.value))
            key.append((part.spec, "float"))
        elif isinstance(part, Field):
            key.append((part.spec, _shape(part.value, parameters)))
        else:
            key.append(part)
    return Line(tuple(key), tuple(parameters), event)


def numbers_in(value: Any) -> list[Any]:
    """Return the numbers of a value that is no part of a statement."""
    parameters: list[Any] = []
    _shape(value, parameters)
    return parameters


def _shape(value: Any, parameters: list[Any]) -> Any:
    if isinstance(value, Element):
        if value.offset % value.ctype.size:
            return ("element", id(value.download), value.ctype.name, value.offset)
        parameters.append(Index(value.offset // value.ctype.size))
        return ("element", id(value.download), value.ctype.name)
    if isinstance(value, Named):
        return ("named", value.key)
    if isinstance(value, Expression):
        if value.operator == "np.float32" and type(value.operands[0]) is float:
            parameters.append(Single(value.operands[0]))
            return (value.operator, "Single")
        return (value.operator, *(_shape(o, parameters) for o in value.operands))
    if isinstance(value, str):
        return value
    if isinstance(value, (WorkspaceSize, Query, Symbol)):
        return ("symbol", id(value))
    parameters.append(value)
    return type(value).__name__


def as_item(event: Event) -> Item:
    """Return a statement, an ``if`` around statements, or a loop of prints."""
    if isinstance(event, (Assign, Leave, Print, Stop)):
        return as_line(event)
    if isinstance(event, Branch):
        parameters: list[Any] = []
        shape = _shape(event.condition, parameters)
        then = tuple(roll([as_item(e) for e in event.then]))
        otherwise = tuple(roll([as_item(e) for e in event.otherwise]))
        for item in (*then, *otherwise):
            parameters += item.parameters
        keys = (tuple(i.key for i in then), tuple(i.key for i in otherwise))
        return Choice(event.condition, then, otherwise, ("if", shape, keys), tuple(parameters))
    if isinstance(event, PrintRun):
        lines: list[Item] = [as_item(e) for e in (*event.first, *event.second)]
        loop = _loop(lines, 0, len(event.first), event.count)
        if event.bound is None:
            return loop
        return replace(loop, bound=event.bound, key=("run", id(event)))
    raise TypeError(f"a {type(event).__name__} is no statement that prints")


def follows(first: list[Any], second: list[Any], other: list[Any], turn: int) -> bool:
    """Return whether a turn is what the first two turns of a loop lead to."""
    for a, b, c in zip(first, second, other, strict=True):
        if not a.key == b.key == c.key:
            return False
        for base, next_value, value in zip(a.parameters, b.parameters, c.parameters, strict=True):
            stride = _stride(base, next_value)
            if stride is None or stride is _IRREGULAR or not _fits(base, stride, value, turn):
                return False
            if isinstance(base, float) and base != value:
                return False
    return True


def roll(items: list[Item]) -> list[Item]:
    """Return the same prints with repetitions as loops."""
    while True:
        rolled = _once(items)
        if len(rolled) == len(items):
            return rolled
        items = rolled


def _once(items: list[Item]) -> list[Item]:
    out: list[Item] = []
    at = 0
    while at < len(items):
        best, best_count = 0, 0
        for period in range(1, min(MAX_PERIOD, (len(items) - at) // 2) + 1):
            count = _repeats(items, at, period)
            # The longest stretch; among equals the shortest turn.
            if count >= 2 and period * count > best * best_count:
                best, best_count = period, count
        if best:
            out.append(_loop(items, at, best, best_count))
            at += best * best_count
        else:
            out.append(items[at])
            at += 1
    return out


def _repeats(items: list[Item], at: int, period: int) -> int:
    count = 1
    while at + (count + 1) * period <= len(items):
        start = at + count * period
        if any(items[at + i].key != items[start + i].key for i in range(period)):
            break
        count += 1
    if count < 2:
        return 1
    first = _parameters(items, at, period)
    second = _parameters(items, at + period, period)
    if any(_stride(a, b) is None for a, b in zip(first, second, strict=True)):
        return 1
    strides = [_stride(a, b) for a, b in zip(first, second, strict=True)]
    indices = {s for a, s in zip(first, strides, strict=True) if isinstance(a, Index)}
    for turn in range(2, count):
        here = _parameters(items, at + turn * period, period)
        if not all(map(_fits, first, strides, here, [turn] * len(here))):
            count = turn
            break
    if count == 2 and any(isinstance(s, int) and s and s not in indices for s in strides):
        # Any two numbers are a progression.
        return 1
    return count


def _parameters(items: list[Item], at: int, period: int) -> list[Any]:
    return [p for i in range(period) for p in items[at + i].parameters]


#: The stride of fractions that differ.
_IRREGULAR = Column(())


def _stride(first: Any, second: Any) -> Any:
    if type(first) is not type(second):
        return None
    if isinstance(first, bool) or not isinstance(first, int):
        same = first == second or (first != first and second != second)
        if not same and isinstance(first, float):
            return _IRREGULAR
        return 0 if same else None
    return second - first


def _fits(base: Any, stride: Any, value: Any, turn: int) -> bool:
    if isinstance(base, int) and not isinstance(base, bool):
        return bool(value == base + stride * turn)
    return bool(isinstance(base, float) or value == base)


def _loop(items: list[Item], at: int, period: int, count: int) -> Loop:
    there = min(count, (len(items) - at) // period)
    turns = [list(items[at + i * period : at + (i + 1) * period]) for i in range(there)]
    if period > 1:
        inner = [roll(turn) for turn in turns]
        if all([i.key for i in turn] == [i.key for i in inner[0]] for turn in inner):
            turns = inner
    rows = [_parameters(turn, 0, len(turn)) for turn in turns]
    strides: list[Any] = []
    for values in zip(*rows, strict=True):
        stride = _stride(values[0], values[1])
        if isinstance(values[0], float) and any(v != values[0] for v in values):
            stride = Column(values)
        strides.append(stride)
    key = ("loop", count, tuple(strides), tuple(item.key for item in turns[0]))
    return Loop(tuple(turns[0]), count, tuple(strides), key)
