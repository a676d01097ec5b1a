"""Literals of C++."""

from __future__ import annotations

import re
from typing import Any

from pyaclnn.port.data.conversions import convert, fits, is_signed
from pyaclnn.port.data.cpp_types import DOUBLE, FLOAT, CType
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.arithmetic import unary
from pyaclnn.port.frontend.syntax import Node, named, text_of

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_RAW = re.compile(r'R"([^()\\\s]*)\((.*)\)\1"', re.DOTALL)


def number(text: str) -> Any:
    """Return the value of a number literal.

    Raises
    ------
    NotUnderstoodError
        For what is no number.
    """
    plain = text.replace("'", "").lower()
    if plain[:1] in ("-", "+"):
        # The grammar has the sign of a first operand in the literal.
        return unary(plain[0], number(plain[1:]))
    try:
        return convert(_value(plain), literal_type(plain))
    except ValueError:
        raise NotUnderstoodError(f"{text} is not a number") from None


def _value(plain: str) -> int | float:
    if plain.startswith("0x"):
        return float.fromhex(plain.rstrip("fl")) if "p" in plain else int(plain.rstrip("ulz"), 16)
    if plain.startswith("0b"):
        return int(plain.rstrip("ulz"), 2)
    if re.fullmatch(r"[0-9]+[ulz]*", plain):
        digits = plain.rstrip("ulz")
        return int(digits, 8) if len(digits) > 1 and digits[0] == "0" else int(digits)
    if plain.endswith("l"):
        raise ValueError(plain)  # long double
    # The exact double of a float literal: what the compiler stores.
    return float(FLOAT.dtype.type(plain[:-1])) if plain.endswith("f") else float(plain)


def literal_type(text: str) -> CType:
    """Return the type of a number literal without a sign."""
    plain = text.replace("'", "").lower()
    digits = plain.rstrip("ulz")
    hexadecimal = plain.startswith("0x")
    if ("p" in plain) if hexadecimal else re.search(r"[.e]|f$", digits):
        return FLOAT if plain.endswith("f") else DOUBLE
    suffix = plain[len(digits) :]
    value = int(_value(plain))
    unsigned = "u" in suffix
    long = "l" in suffix or "z" in suffix
    either = unsigned or digits[:1] == "0"  # only a decimal one without u is never unsigned
    for name in ("int32", "uint32", "int64", "uint64"):
        ctype = CType("int", name)
        if (long and ctype.size < 8) or (unsigned and is_signed(ctype)):
            continue
        if (is_signed(ctype) or either) and fits(value, ctype):
            return ctype
    raise ValueError(text)


def unescaped(text: str) -> str:
    """Return the content of a string literal with escapes resolved."""

    def resolve(match: re.Match[str]) -> str:
        code = match.group(1)
        if code == "\n":
            return ""  # the line goes on in the next
        if code[0] in "xuU":
            return chr(int(code[1:], 16) & 0x10FFFF)
        if code[0] in "01234567":
            return chr(int(code, 8))
        return _ESCAPES.get(code, code)

    return _ESCAPE.sub(resolve, text)


def string(node: Node) -> str:
    """Return the value of one string literal, or of several in a row."""
    if node.type == "concatenated_string":
        return "".join(string(n) for n in named(node) if n.type.endswith("string_literal"))
    text = text_of(node)
    raw = _RAW.search(text)
    if raw is not None:
        return raw.group(2)
    start = text.find('"')
    return unescaped(text[start + 1 : -1])


def character(text: str) -> int:
    """Return the code of a character literal."""
    content = unescaped(text[text.find("'") + 1 : -1])
    return ord(content[0]) if content else 0
