"""The checks of an operator's first phase in words, from its row in the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pyaclnn.table import Row, types
from pyaclnn.table.dtypes import Dtypes
from pyaclnn.table.list_steps import EachTensor
from pyaclnn.table.optional_steps import If, Since
from pyaclnn.table.steps import (
    Call,
    Cast,
    Copy,
    Cpp,
    DoneIf,
    DtypeIn,
    Kernel,
    On950,
    Pointwise,
    ResultType,
    ShapeOf,
    Stage,
    Step,
    Steps,
    That,
)

#: Kernels, and steps that refuse nothing.
_SILENT = (Pointwise, Cast, Copy, ShapeOf, Stage)
_CHIPS = (
    ("first", "Atlas 200I/300, 310P, 910"),
    ("newer", "Atlas A2 and A3"),
    ("newest", "Ascend 950"),
)


def checks(row: Row) -> list[str]:
    """Return what is checked, a line of Markdown for each, in the order it is done.

    Steps that stand as C++ in the row are named as such.
    """
    lines: list[str] = []
    for step in row.steps:
        lines += _lines(step)
    return list(dict.fromkeys(lines))


def _lines(step: Step) -> Iterator[str]:
    if isinstance(step, Since):
        for line in _lines(step.step):
            yield f"Since CANN {step.release}: {line}"
    elif isinstance(step, On950):
        for line in _lines(step.step):
            yield f"On the Ascend 950 only: {line}"
    elif isinstance(step, If):
        for line in _lines(step.step):
            yield f"Where `{step.condition}`: {line}"
        for line in _lines(step.otherwise) if step.otherwise else ():
            yield f"Where not `{step.condition}`: {line}"
    elif isinstance(step, DoneIf):
        yield f"Nothing is left to do where `{step.condition}`."
    elif isinstance(step, EachTensor):
        for line in _lines(step.step):
            yield f"For each tensor of `{step.tensors}`: {line}"
    elif isinstance(step, Steps):
        for each in step.steps:
            yield from _lines(each)
    elif isinstance(step, That):
        yield f"Refused otherwise: {_message(step)}."
    elif isinstance(step, ResultType):
        rule = (getattr(types, step.rule).__doc__ or "").splitlines()[0]
        names = ", ".join(f"`{name}`" for name in step.names)
        yield f"Computed in: {rule.removeprefix('Return ').rstrip('.:')} (of {names})."
    elif isinstance(step, Call | Cpp | Kernel):
        yield "Further checks, and the kernel, are C++ of the operator's own."
    elif not isinstance(step, _SILENT):
        sentence = (type(step).__doc__ or "").splitlines()[0].strip()
        values = [text for value in vars(step).values() if (text := _text(value))]
        yield f"{sentence} " + "; ".join(values)


def _message(step: That) -> str:
    names = iter(step.arguments)
    return re.sub(
        r"%[-+ #0-9.]*(?:ll|l|z|h)?[diufgsxc]",
        lambda _: f"`{name}`" if (name := next(names, "...")).isidentifier() else "...",
        step.message,
    ).strip(".")


def _text(value: Any) -> str:
    if isinstance(value, Dtypes):
        return by_chip(value)
    if isinstance(value, tuple):
        return ", ".join(_text(v) for v in value)
    if isinstance(value, str) and value:
        return f"`{value}`"
    return "" if isinstance(value, bool) or value is None or value == "" else f"{value}"


def accepted(row: Row) -> dict[str, str]:
    """Return the element types of an operator's arguments, by chip."""
    types: dict[str, str] = {}
    for each in row.steps:
        step = each.step if isinstance(each, Since) else each
        if isinstance(step, DtypeIn):
            types.update(dict.fromkeys(step.names, by_chip(step.accepted)))
    return types


def plain(text: str) -> str:
    """Return text without the marks of code."""
    return text.replace("`", "")


def by_chip(accepted: Dtypes) -> str:
    """Return a set of element types, and what newer chips have besides."""
    seen: set[str] = set()
    parts = []
    for chip, products in _CHIPS:
        new = [name for name in accepted.on(chip) if name not in seen]
        seen.update(new)
        if new:
            names = ", ".join(f"`{name}`" for name in new)
            parts.append(names if chip == "first" else f"{products} besides {names}")
    return "; ".join(parts)
