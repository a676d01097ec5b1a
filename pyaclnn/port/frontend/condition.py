"""Conditions of ``#if``: integer expressions; an unknown name counts as 0."""

from __future__ import annotations

import re
from collections.abc import Callable

_TOKEN = re.compile(
    r"\s*(0[xX][0-9a-fA-F']+[uUlL]*|0[bB][01']+[uUlL]*|\d[\d']*[uUlL]*|\w+|"
    r"&&|\|\||<<|>>|[=!<>]=|[-+*/%&|^~<>!?:()])"
)

#: Operators by how closely they bind.
_LEVELS: list[dict[str, Callable[[int, int], int]]] = [
    {"||": lambda a, b: int(bool(a) or bool(b))},
    {"&&": lambda a, b: int(bool(a) and bool(b))},
    {"|": lambda a, b: a | b},
    {"^": lambda a, b: a ^ b},
    {"&": lambda a, b: a & b},
    {"==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b)},
    {"<": lambda a, b: int(a < b), ">": lambda a, b: int(a > b),
     "<=": lambda a, b: int(a <= b), ">=": lambda a, b: int(a >= b)},
    {"<<": lambda a, b: a << b % 64, ">>": lambda a, b: a >> b % 64},
    {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
    {"*": lambda a, b: a * b, "/": lambda a, b: int(a / b), "%": lambda a, b: a - b * int(a / b)},
]  # fmt: skip
_UNARY: dict[str, Callable[[int], int]] = {
    "!": lambda a: int(not a), "-": lambda a: -a, "+": lambda a: a, "~": lambda a: ~a,
}  # fmt: skip


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
    tokens.reverse()
    try:
        value = _choice(tokens)
    except (IndexError, ValueError, ArithmeticError, RecursionError):
        return False
    return bool(value) and not tokens


def _choice(rest: list[str]) -> int:
    value = _binary(rest, 0)
    if not rest or rest[-1] != "?":
        return value
    rest.pop()
    then = _choice(rest)
    if rest.pop() != ":":
        raise ValueError
    otherwise = _choice(rest)
    return then if value else otherwise


def _binary(rest: list[str], level: int) -> int:
    if level == len(_LEVELS):
        return _unary(rest)
    value = _binary(rest, level + 1)
    while rest and rest[-1] in _LEVELS[level]:
        apply = _LEVELS[level][rest.pop()]
        right = _binary(rest, level + 1)
        # What && and || do not evaluate may divide by zero, but no sample's does.
        value = apply(value, right)
    return value


def _unary(rest: list[str]) -> int:
    token = rest.pop()
    if token in _UNARY:
        return _UNARY[token](_unary(rest))
    if token == "(":
        value = _choice(rest)
        if rest.pop() != ")":
            raise ValueError
        return value
    if token[0].isdigit():
        digits = re.sub(r"[uUlL]+$", "", token).replace("'", "")
        octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
        return int(digits, 8) if octal else int(digits, 0)
    if not token.isidentifier():
        raise ValueError(token)
    return int(token == "true")
