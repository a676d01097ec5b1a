"""Conditions of ``#if``: integers, comparisons and logic; an unknown name counts as 0."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

_TOKEN = re.compile(r"\s*(\d+|\w+|&&|\|\||[=!<>]=|[<>!()])")
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def evaluate(text: str) -> bool:
    """Return whether a condition holds; one that is not understood does not.

    Parameters
    ----------
    text : str
        With macros expanded and ``defined`` resolved.
    """
    tokens = _TOKEN.findall(text)
    if len(tokens) > 1000 or "".join(tokens) != re.sub(r"\s+", "", text):
        return False
    try:
        value, rest = _either(tokens)
    except (IndexError, ValueError, RecursionError):
        return False
    return bool(value) and not rest


def _either(tokens: list[str]) -> tuple[int, list[str]]:
    value, tokens = _both(tokens)
    while tokens and tokens[0] == "||":
        right, tokens = _both(tokens[1:])
        value = int(bool(value) or bool(right))
    return value, tokens


def _both(tokens: list[str]) -> tuple[int, list[str]]:
    value, tokens = _comparison(tokens)
    while tokens and tokens[0] == "&&":
        right, tokens = _comparison(tokens[1:])
        value = int(bool(value) and bool(right))
    return value, tokens


def _comparison(tokens: list[str]) -> tuple[int, list[str]]:
    value, tokens = _unary(tokens)
    while tokens and tokens[0] in _COMPARE:
        right, rest = _unary(tokens[1:])
        value, tokens = int(_COMPARE[tokens[0]](value, right)), rest
    return value, tokens


def _unary(tokens: list[str]) -> tuple[int, list[str]]:
    first, rest = tokens[0], tokens[1:]
    if first == "!":
        value, rest = _unary(rest)
        return int(not value), rest
    if first == "(":
        value, rest = _either(rest)
        return value, rest[1:]
    if first[0].isdigit():
        return int(re.sub(r"[uUlL]+$", "", first), 0), rest
    return 0, rest
