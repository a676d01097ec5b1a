"""The checks of an operator's first phase in words, from its row in the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pyaclnn.ops.rules.shapes import SHAPES
from pyaclnn.table import Row, types
from pyaclnn.table.dtypes import Dtypes
from pyaclnn.table.list_steps import EachTensor
from pyaclnn.table.norm_steps import Alike
from pyaclnn.table.optional_steps import If, Since
from pyaclnn.table.shape_steps import SameRank, Spatial
from pyaclnn.table.steps import (
    About,
    Broadcast,
    Call,
    Cast,
    Copy,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    FitsInPlace,
    Kernel,
    Null,
    On950,
    Pointwise,
    RankAtMost,
    ResultType,
    SameShape,
    ShapeIs,
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

    Steps that are C++ in the row are only mentioned.
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
    elif isinstance(step, About):
        yield from _lines(step.step())
    elif isinstance(step, That):
        yield f"Refused otherwise: {_message(step)}."
    elif isinstance(step, ResultType):
        rule = (getattr(types, step.rule).__doc__ or "").splitlines()[0]
        names = ", ".join(f"`{name}`" for name in step.names)
        yield f"Computed in: {rule.removeprefix('Return ').rstrip('.:')} (of {names})."
    elif isinstance(step, Call | Cpp | Kernel):
        yield "Further checks, and the kernel, are C++ of the operator's own."
    elif isinstance(step, DtypeIn):
        yield f"{_text(step.names)}: of {by_chip(step.accepted)}."
    elif isinstance(step, Null):
        yield f"{_text(step.names)}: must be given."
    elif isinstance(step, DoneIfEmpty):
        yield f"Where one of {_text(step.names)} has no elements, nothing is left to do."
    elif isinstance(step, ShapeIs):
        unless = ", where () and (1,) stand for each other" if step.or_one else ""
        yield f"{_text(step.names)}: the shape of the result{unless}."
    elif isinstance(step, Broadcast | FitsInPlace):
        to = f", to the shape of `{step.names[0]}`" if isinstance(step, FitsInPlace) else ""
        yield f"{_text(step.names)}: broadcast{to}."
    elif said := list(_of_shape(step)):
        for arguments, words in said:
            yield f"{_text(arguments)}: {words}."
    elif not isinstance(step, _SILENT):
        sentence = (type(step).__doc__ or "").splitlines()[0].strip().replace("``", "`")
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


def shapes(row: Row) -> dict[str, str]:
    """Return what is known of the shapes of an operator's arguments, in Markdown.

    For an input these are its checks, for an output the rule by which Python allocates it.
    """
    found: dict[str, list[str]] = {}
    for step in row.steps:
        for names, words in _of_shape(step.step if isinstance(step, Since) else step):
            for name in names:
                found.setdefault(name, []).append(words)
    for name, output in row.outputs.items():
        found[name] = [_rule(output.shape)]
    return {name: ", ".join(dict.fromkeys(words)) for name, words in found.items()}


def _of_shape(step: Step) -> Iterator[tuple[tuple[str, ...], str]]:
    if isinstance(step, RankAtMost):
        yield step.names, f"at most {step.limit} dimensions"
    elif isinstance(step, SameShape | Alike):
        yield step.names[1:], f"that of `{step.names[0]}`"
    elif isinstance(step, SameRank):
        yield step.names[1:], f"as many dimensions as `{step.names[0]}`"
    elif isinstance(step, Spatial):
        yield step.names, f"{step.axes + 1} or {step.axes + 2} dimensions"
    elif isinstance(step, Broadcast | FitsInPlace):
        for name in step.names:
            others = ", ".join(f"`{n}`" for n in step.names if n != name)
            if others:
                yield (name,), f"broadcasts with {others}"


def _rule(text: str) -> str:
    """Return the rule of an output's shape in words, or as the expression that it is."""
    kind, *names = text.split()
    of = ", ".join(f"`{name}`" for name in names)
    if kind in ("like", "each") and of:
        return f"that of {of}" if kind == "like" else f"those of {of}"
    if kind == "broadcast":
        return f"{of}, broadcast"
    if kind == "none":
        return "no elements"
    function = SHAPES.get(kind)
    if function is None:
        return f"`{text}`"
    # Outputs that a mask asks for have rules without a sentence.
    sentence = function.__doc__ or "Return the shape where it is asked for."
    words = sentence.splitlines()[0].removeprefix("Return the ").rstrip(".")
    words = words.removeprefix("shape of ").replace("_", "\\_")
    return f"{words} (of {of})" if of else words


def plain(text: str) -> str:
    """Return text without the marks of code."""
    return text.replace("`", "").replace("\\_", "_")


def types_by_chip(row: Row) -> dict[str, dict[str, list[str]]]:
    """Return the element types of an operator's arguments: argument -> chips -> names."""
    found: dict[str, dict[str, list[str]]] = {}
    for each in row.steps:
        step = each.step if isinstance(each, Since) else each
        if isinstance(step, DtypeIn):
            types = {products: list(step.accepted.on(chip)) for chip, products in _CHIPS}
            found.update(dict.fromkeys(step.names, types))
    return found


def by_chip(accepted: Dtypes) -> str:
    """Return a set of element types, and what newer chips accept beyond it."""
    seen: set[str] = set()
    parts = []
    for chip, products in _CHIPS:
        new = [name for name in accepted.on(chip) if name not in seen]
        seen.update(new)
        if new:
            names = ", ".join(f"`{name}`" for name in new)
            parts.append(names if chip == "first" else f"on {products} also {names}")
    return "; ".join(parts)
