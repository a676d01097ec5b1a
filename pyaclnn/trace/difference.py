"""The difference of two traces, of two versions of a program."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from pyaclnn.trace import summary
from pyaclnn.trace.reader import Array, Call, HandleList, ScalarValue, TensorView, Trace

#: Aligning longer traces would take minutes.
MAX_CALLS = 20000


class Change(NamedTuple):
    """A difference: the calls, their traces, and a description."""

    kind: str
    one: Call | None
    other: Call | None
    what: str


def _shown(value: object) -> str:
    """Return an argument without addresses, which differ between runs."""
    if isinstance(value, TensorView):
        row_major: list[int] = []
        step = 1
        for size in reversed(value.shape):
            row_major.insert(0, step)
            step *= size
        strided = f" strides {value.strides}" if list(value.strides) != row_major else ""
        return f"{value}{strided}"
    if isinstance(value, HandleList):
        return f"[{', '.join(map(_shown, value.items))}]"
    return str(value)


def differing(one: Call, other: Call) -> list[str]:
    """Return the arguments of two calls of one function that differ."""
    found = []
    codes = one.function.codes[1:]
    for code, name in zip(codes, one.function.parameters, strict=True):
        mine, theirs = one.arguments.get(name), other.arguments.get(name)
        if code in "p845" or name in ("workspaceSize", "executor"):
            continue
        kept = (TensorView, HandleList, Array, ScalarValue)
        told = isinstance(mine, kept) or isinstance(theirs, kept) or code in "bcihIHqQfds"
        was, now = _shown(mine), _shown(theirs)
        if told and was != now:
            found.append(f"{name}: {was} -> {now}")
    if one.result != other.result and one.function.codes[0] == "i":
        found.append(f"status: {one.result} -> {other.result}")
    return found


def _chosen(trace: Trace) -> list[Call]:
    operators = [c for c in trace.calls if c.operator or c.name.startswith("Hccl")]
    return operators[:MAX_CALLS]


def compare(one: Trace, other: Trace) -> Iterator[Change]:
    """Yield the differences in order: operators added or removed, arguments, contents.

    Parameters
    ----------
    one, other : Trace
        Before and after.
    """
    mine, theirs = _chosen(one), _chosen(other)
    matcher = SequenceMatcher(None, [c.name for c in mine], [c.name for c in theirs], False)
    content_differs = False
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            for call in mine[a:b]:
                yield Change("removed", call, None, summary.line(call))
            for call in theirs[c:d]:
                yield Change("added", None, call, summary.line(call))
            continue
        for before, after in zip(mine[a:b], theirs[c:d], strict=True):
            if changed := differing(before, after):
                yield Change("changed", before, after, "; ".join(changed))
            if content_differs:
                continue
            if name := _first_content(before, after):
                # Later differences follow from this one.
                content_differs = True
                yield Change("content", before, after, f"{name} is the first that holds another")


def _first_content(one: Call, other: Call) -> str:
    theirs = {(c.parameter, c.item, c.after): c for c in other.contents}
    for content in one.contents:
        match = theirs.get((content.parameter, content.item, content.after))
        if match is None or "unreadable" in (content.form, match.form):
            continue
        if content.hash != match.hash:
            names = one.first_phase.function.parameters if one.first_phase else ()
            name = names[content.parameter] if content.parameter < len(names) else "?"
            return f"{name} {'after' if content.after else 'before'} the call"
    return ""
