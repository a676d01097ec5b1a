"""Side effects: whether evaluating an expression may change variables."""

from __future__ import annotations

from pyaclnn.port.data.constants import FUNCTIONS
from pyaclnn.port.evaluation.typeexpressions import CASTS
from pyaclnn.port.frontend.syntax import Node, field, text_of, walk

#: Methods that change nothing.
_READ = frozenset(["size", "data", "at", "begin", "end", "rbegin", "rend", "front",
                   "back", "count", "empty", "get", "c_str", "length"])  # fmt: skip


def may_change(node: Node) -> bool:
    """Return whether an expression assigns, or calls a function of the sample."""
    for inner in walk(node):
        if inner.type in ("assignment_expression", "update_expression"):
            return True
        if inner.type != "call_expression":
            continue
        function = field(inner, "function")
        if function.type == "primitive_type":
            continue
        name = text_of(function).split("<")[0].split("::")[-1]
        if function.type == "field_expression":
            if text_of(field(function, "field")) not in _READ:
                return True
        elif name not in FUNCTIONS and name not in CASTS:
            return True
    return False
