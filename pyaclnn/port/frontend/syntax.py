"""C++ text to a syntax tree, by tree-sitter."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pyaclnn.port.errors import LimitError, PortError

PARSE_SECONDS = 20.0

#: A node of tree-sitter; its type annotations are not precise enough to be of use here.
Node = Any


@lru_cache(1)
def _parser() -> Any:
    try:
        import tree_sitter
        import tree_sitter_cpp
    except ImportError:
        raise PortError(
            "reading C++ needs tree-sitter and its C++ grammar: pip install 'pyaclnn[port]'"
        ) from None
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))


def parse(text: str, name: str) -> Node:
    """Return the root of the syntax tree of a translation unit.

    Raises
    ------
    PortError
        Without tree-sitter.
    LimitError
        If parsing takes too long.
    """
    data = text.encode("utf-8", "replace")
    root = _parsed(data, name)
    for _ in range(_ROUNDS if _LIKE_CASTS.search(data) else 0):
        wrong = [n for n in walk(root) if n.type == "cast_expression" and _is_no_cast(n)]
        if not wrong:
            break
        for node in sorted(wrong, key=lambda n: -n.start_byte):
            end = next(c.end_byte for c in node.children if c.type == ")")
            inner = data[node.start_byte : end]
            data = data[: node.start_byte] + b"(" + inner + b")" + data[end:]
        root = _parsed(data, name)
    return root


#: ``(a * (b * c)) - 1``, which reads as a cast of -1 to a function of a pointer to ``b``.
_LIKE_CASTS = re.compile(
    rb"\(\s*[\w:]+\s*[*&]+\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*\)\s*[-+*&!~]"
)
#: How deep such casts are looked for in one another.
_ROUNDS = 4


def _is_no_cast(node: Node) -> bool:
    """Return whether what reads as a cast is to a function, which no cast of C++ is."""
    declarator = field(field(node, "type"), "declarator")
    while declarator is not None and declarator.type in (
        "abstract_pointer_declarator", "abstract_reference_declarator",
    ):  # fmt: skip
        inner = field(declarator, "declarator")
        # That of a reference has no field.
        rest = [n for n in named(declarator) if n.type.startswith("abstract_")]
        declarator = inner if inner is not None else rest[0] if rest else None
    if declarator is None or declarator.type != "abstract_function_declarator":
        return False
    return field(declarator, "declarator") is None


def _parsed(data: bytes, name: str) -> Node:
    def read(offset: int, _: Any) -> bytes:
        return data[offset : offset + (1 << 16)]

    end = time.monotonic() + PARSE_SECONDS

    def too_long(*_: Any) -> bool:
        return time.monotonic() > end

    try:
        tree = _parser().parse(read, progress_callback=too_long)
    except ValueError:
        raise LimitError("takes too long to parse", name) from None
    return tree.root_node


def text_of(node: Node) -> str:
    """Return the source of a node."""
    return str(node.text.decode("utf-8", "replace"))


def line_of(node: Node) -> int:
    """Return the line a node begins on, from 1."""
    return int(node.start_point[0]) + 1


def field(node: Node, name: str) -> Node:
    """Return a child by the grammar's field name, or None."""
    return node.child_by_field_name(name)


def named(node: Node) -> list[Node]:
    """Return the children that are no punctuation or comment."""
    return [c for c in node.children if c.is_named and c.type != "comment"]


def index_of(node: Node) -> Node:
    """Return what stands in the brackets of a subscript, whatever version the grammar has."""
    indices = field(node, "indices")
    return named(indices)[0] if indices else field(node, "index")


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all below, without recursion."""
    stack = [node]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(reversed(here.children))


def reparsed_arguments(parameters: Node) -> list[Node]:
    """Return what reads as parameters of a function declaration as the arguments it is.

    ``std::vector<float> x(n);`` is a declaration of a function to a parser without types.
    """
    row = parameters.start_point[0]
    source = "\n" * row + f"void f(){{f{text_of(parameters)};}}"
    for node in walk(_parser().parse(source.encode()).root_node):
        if node.type == "argument_list":
            return named(node)
    return []
