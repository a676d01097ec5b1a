"""Values that an untranslated statement leaves unknown: they are neither printed nor used."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.data.memory import Memory, Pointer, Vector
from pyaclnn.port.data.values import Cell, CellPointer, Unknown
from pyaclnn.port.frontend.syntax import Node, field, named, text_of, walk

#: Variables of these names hold a status, which counts as success.
_STATUSES = frozenset(["ret", "status", "err", "error", "rc", "res", "result"])
_WRAPPERS = ("subscript_expression", "field_expression", "pointer_expression",
             "parenthesized_expression")  # fmt: skip


def make_unknown(targets: list[tuple[str, bool]], scope: Any, place: str) -> None:
    """Mark the variables that an untranslated statement changes as unknown.

    Parameters
    ----------
    targets : list of tuple
        From `changed_by`.
    scope : Scope
        Where it stands.
    place : str
        For the reason.
    """
    for name, only_content in targets:
        cell = scope.find(name)
        if not isinstance(cell, Cell):
            continue
        reason = f"{name} is not known, see {place}"
        value = cell.value
        if isinstance(value, CellPointer) and only_content:
            cell, value = value.cell, value.cell.value
            only_content = False
        memory = value.memory if isinstance(value, Vector) else getattr(value, "target", None)
        if isinstance(memory, Memory) and isinstance(value, (Vector, Pointer)):
            memory.unknown = reason
        elif isinstance(value, (int, float)) and not only_content and name not in _STATUSES:
            cell.value = Unknown(reason)


def changed_by(node: Node) -> list[tuple[str, bool]]:
    """Return the variables a statement changes, and whether only what they point to."""
    found: list[tuple[str, bool]] = []

    def add(place: Node, only_content: bool) -> None:
        while place is not None and place.type in _WRAPPERS:
            only_content |= place.type != "parenthesized_expression"
            place = field(place, "argument") or (named(place) or [None])[0]
        if place is not None and place.type == "identifier":
            found.append((text_of(place), only_content))

    for inner in walk(node):
        if inner.type == "assignment_expression":
            add(field(inner, "left"), False)
        elif inner.type == "update_expression":
            add(field(inner, "argument"), False)
        elif inner.type == "call_expression":
            _of_call(inner, add)
    return found


def _of_call(node: Node, add: Any) -> None:
    function, given = field(node, "function"), field(node, "arguments")
    arguments = named(given) if given is not None else []
    if function.type == "field_expression" and text_of(field(function, "field")) not in (
        "data", "begin", "end", "rbegin", "rend", "size", "c_str", "get",
    ):  # fmt: skip
        add(field(function, "argument"), True)
    if "printf" in text_of(function):
        return
    if text_of(function).startswith("aclrtMemcpy"):
        arguments = arguments[:1]
    for argument in arguments:
        if argument.type == "pointer_expression" and text_of(argument).startswith("&"):
            add(field(argument, "argument"), False)
        elif argument.type == "call_expression":
            inner = field(argument, "function")
            if inner.type == "field_expression":
                add(field(inner, "argument"), True)
        elif argument.type == "identifier":
            add(argument, True)
