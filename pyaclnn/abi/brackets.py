"""Matching of brackets in one pass, so that the cost of any header is linear in its length."""

from __future__ import annotations

import re

#: A string or character literal, or an unmatched quote; an escaped quote opens no literal.
LITERAL = r'"(?:\\.|[^"\\\n])*"|' + r"'(?:\\.|[^'\\\n])*'|\\."
_BRACKET = re.compile(rf"{LITERAL}|[()]")


def closing_brackets(text: str) -> dict[int, int]:
    """Return where each parenthesis is closed.

    Parameters
    ----------
    text : str
        C text without comments.

    Returns
    -------
    dict
        Position of each ``(`` that is closed, to the position of its ``)``; those in strings do
        not count.
    """
    opened: list[int] = []
    closed: dict[int, int] = {}
    for match in _BRACKET.finditer(text):
        if match[0] == "(":
            opened.append(match.start())
        elif match[0] == ")" and opened:
            closed[opened.pop()] = match.start()
    return closed


def call_end(text: str, end: int, closed: dict[int, int]) -> int:
    """Return the end of a macro call, its arguments included.

    Parameters
    ----------
    text : str
        The text.
    end : int
        Where its name ends.
    closed : dict
        What :func:`closing_brackets` returned for the text.

    Returns
    -------
    int
        After its arguments, or ``end`` where it has none.
    """
    place = end
    while place < len(text) and text[place].isspace():
        place += 1
    return closed[place] + 1 if place in closed else end
