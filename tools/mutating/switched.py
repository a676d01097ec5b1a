"""C++ with several mutants at once, of which the environment chooses one when a library is loaded.

With 7 as the number of a mutant, ``a < b`` becomes ``(mutant == 7 ? (a <= b) : (a < b))``, and a
check that is left out ``{ if (mutant != 7) check.that(...); }``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

#: The variable with the number of the mutant; without it there is none.
VARIABLE = "PYACLNN_MUTANT"
#: What is changed where, and into what: begin, end and new text.
Change = tuple[int, int, str]
Node = Any

_NAME = "pyaclnn_mutant"
_HEAD = f"""\
#include <cstdlib>
namespace {{ const int {_NAME} = std::atoi(getenv("{VARIABLE}") ? getenv("{VARIABLE}") : ""); }}
#line 1
"""
#: Around what the compiler has to know.
_CONSTANT = {
    "alignas_qualifier", "array_declarator", "bitfield_clause", "decltype", "enumerator", "ERROR",
    "noexcept", "optional_parameter_declaration", "static_assert_declaration",
    "template_argument_list", "template_parameter_list",
}  # fmt: skip
_DECLARED = ("declaration", "field_declaration", "function_definition")
_LOGICAL = ("&&", "||")


@lru_cache(1)
def _parser() -> Any:
    import tree_sitter
    import tree_sitter_cpp

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))


def _around(node: Node) -> Iterator[tuple[Node, Node]]:
    """Yield each node around one, and its part in which that is."""
    while node.parent is not None:
        yield node.parent, node
        node = node.parent


def _is_constexpr(node: Node) -> bool:
    return any(part.text == b"constexpr" for part in node.children)


def _can_wait(node: Node) -> bool:
    """Return whether a node is computed by a function that runs."""
    runs = False
    for around, part in _around(node):
        if around.type in _CONSTANT:
            return False
        if around.type == "case_statement" and part == around.child_by_field_name("value"):
            return False
        if around.type == "if_statement" and part.type == "condition_clause":
            if _is_constexpr(around):
                return False
        elif around.type in _DECLARED and _is_constexpr(around):
            return False
        runs = runs or part.type in ("compound_statement", "field_initializer_list")
        if around.type == "field_declaration":
            runs = runs or part == around.child_by_field_name("default_value")
    return runs


def _extent(root: Node, change: Change) -> tuple[int, int] | None:
    """Return what is to be written twice for a change; None where it cannot be switched."""
    begin, end, new = change
    node = root.descendant_for_byte_range(begin, end)
    if new and node.type != "number_literal":
        node = node.parent
        if node.type != "binary_expression":
            return None
        while (
            node.parent.type == "binary_expression"
            and node.child_by_field_name("operator").type in _LOGICAL
            and node.parent.child_by_field_name("operator").type in _LOGICAL
        ):
            node = node.parent  # "||" binds less than the "&&" it replaces
    elif not new and (node.start_byte, node.end_byte) != (begin, end):
        return None
    return (node.start_byte, node.end_byte) if _can_wait(node) else None


def switched(text: str, changes: Mapping[int, Change]) -> tuple[str, set[int]]:
    """Return C++ with all changes that can be switched, by their numbers, and these."""
    root = _parser().parse(text.encode("ascii", "replace")).root_node
    found = {number: _extent(root, change) for number, change in changes.items()}
    extents = {number: extent for number, extent in found.items() if extent is not None}

    def written(begin: int, end: int, inside: list[int]) -> str:
        """Return a part of the text, with the changes inside it."""
        done, at = "", begin
        left = sorted(inside, key=lambda n: (extents[n][0], -extents[n][1]))
        while left:
            number = left.pop(0)
            first, last = extents[number]
            inner = [n for n in left if extents[n][1] <= last]
            left = left[len(inner) :]
            old = written(first, last, inner)
            start, stop, new = changes[number]
            changed = text[first:start] + new + text[stop:last]
            done += text[at:first]
            done += (
                f"({_NAME} == {number} ? ({changed}) : ({old}))"
                if new
                else f"{{ if ({_NAME} != {number}) {old} }}"
            )
            at = last
        return done + text[at:end]

    return _HEAD + written(0, len(text), list(extents)), set(extents)
