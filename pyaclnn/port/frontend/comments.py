"""Comments of a sample, assigned to their statements."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from pyaclnn.port.frontend.syntax import Node, line_of

#: A comment, or what only looks like one: a text in quotes.
_PIECE = re.compile(
    r'(?P<raw>R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)")'
    r"""|(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"|(?P<line>//(?:[^\\\n]|\\.)*)|(?P<block>/\*.*?\*/)",
    re.S,
)
#: What stands in a comment that is code, switched off.
_CODE = re.compile(r"[;{}\\]\s*$|^\s*(?:#|\})")
_LOOPS = frozenset([
    "for_statement", "for_range_loop", "while_statement", "do_statement", "if_statement",
    "switch_statement", "try_statement", "lambda_expression",
])  # fmt: skip


@dataclass(frozen=True)
class Comment:
    """A comment before a statement or behind it.

    Attributes
    ----------
    line : int
        Where it begins.
    text : tuple of str
        Its lines.
    inner : bool
        Whether the statement is in a loop or under a condition.
    owner : int
        The line where the body of its function begins; 0 for a lambda's.
    """

    line: int
    text: tuple[str, ...]
    inner: bool = False
    owner: int = 0


@dataclass(frozen=True)
class _Found:
    first: int
    last: int
    text: tuple[str, ...]
    behind: bool


class Comments:
    """The comments of a source.

    Parameters
    ----------
    source : str
        All of it, as a person sees it.
    """

    def __init__(self, source: str) -> None:
        self._found = list(_found(source))
        self._lines = [found.first for found in self._found]

    def of(self, nodes: list[Node]) -> list[tuple[Comment, ...]]:
        """Return the comments of each statement of a block.

        A comment on lines of its own is about all statements as far as the next of these, one
        behind a statement about that alone.
        """
        none: list[tuple[Comment, ...]] = [()] * len(nodes)
        if not nodes or nodes[0].parent is None:
            return none
        first, last = line_of(nodes[0].parent), _end(nodes[-1])
        start, end = bisect_left(self._lines, first), bisect_left(self._lines, last + 1)
        if start == end:
            return none
        inner, owner = _place(nodes[0])
        about: tuple[Comment, ...] = ()
        out = []
        for node in nodes:
            before = [
                f for f in self._found[start:end] if f.last < line_of(node) and not f.behind
            ]  # fmt: skip
            if before:
                about = tuple(Comment(f.first, f.text, inner, owner) for f in before)
            while start < end and self._found[start].first < line_of(node):
                start += 1
            own = tuple(
                Comment(f.first, f.text, inner, owner)
                for f in self._found[start:end]
                if f.behind and f.first in (line_of(node), _end(node))
            )
            while start < end and self._found[start].first <= _end(node):
                start += 1
            out.append((*about, *own))
        return out


def _end(node: Node) -> int:
    return int(node.end_point[0]) + 1


def _place(node: Node) -> tuple[bool, int]:
    """Return whether a statement is in a loop or under a condition, and its function's line."""
    inner, here = False, node.parent
    while here is not None:
        inner = inner or here.type in _LOOPS
        outer = here.parent
        if outer is not None and outer.type == "function_definition":
            return inner, line_of(here)
        here = outer
    return True, 0


def _found(source: str) -> list[_Found]:
    out: list[_Found] = []
    line, at = 1, 0
    for match in _PIECE.finditer(source):
        line += source.count("\n", at, match.start())
        at = match.start()
        words = match["line"] or match["block"]
        if words is None:
            continue
        text = _words(words)
        begin = source.rfind("\n", 0, at) + 1
        behind = bool(source[begin:at].strip())
        last = line + words.count("\n")
        if not text:
            continue
        before = out[-1] if out else None
        if before is not None and not behind and not before.behind and before.last == line - 1:
            out[-1] = _Found(before.first, last, before.text + text, False)
        else:
            out.append(_Found(line, last, text, behind))
    return out


def _words(comment: str) -> tuple[str, ...]:
    """Return the lines of a comment; none of code that is switched off, or of a mere rule."""
    inner = comment[2:-2] if comment.startswith("/*") else comment.lstrip("/")
    lines = [line.strip().lstrip("*<!").strip() for line in inner.split("\n")]
    lines = [line for line in lines if re.search(r"\w", line)]
    return () if any(map(_CODE.search, lines)) else tuple(lines)
