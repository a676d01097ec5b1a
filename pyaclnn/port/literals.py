"""Literals of C++."""

from __future__ import annotations

import re

from pyaclnn.port.cpp_types import DOUBLE, FLOAT, INT, INT64, CType
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.syntax import Node, named, text_of

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_RAW = re.compile(r'R"([^()\\\s]*)\((.*)\)\1"', re.DOTALL)


def number(text: str) -> int | float:
    """Return the value of a number literal.

    Raises
    ------
    NotUnderstoodError
        For what is no number.
    """
    plain = text.replace("'", "").lower()
    if plain[:1] in ("-", "+"):
        # The grammar has the sign of a first operand in the literal.
        value = number(plain[1:])
        return -value if plain[0] == "-" else value
    try:
        if plain.startswith("0x"):
            return _hexadecimal(plain)
        if plain.startswith("0b"):
            return int(plain.rstrip("ul"), 2)
        if re.fullmatch(r"[0-9]+[ulz]*", plain):
            digits = plain.rstrip("ulz")
            return int(digits, 8) if len(digits) > 1 and digits[0] == "0" else int(digits)
        if plain.endswith("f"):
            # The exact double of a float literal: what the compiler stores.
            return float(FLOAT.dtype.type(plain[:-1]))
        return float(plain.rstrip("l"))
    except ValueError:
        raise NotUnderstoodError(f"{text} is not a number") from None


def _hexadecimal(text: str) -> int | float:
    if "p" in text:
        return float.fromhex(text.rstrip("fl"))
    return int(text.rstrip("ulz"), 16)


def literal_type(text: str) -> CType:
    """Return the type of a number literal."""
    plain = text.lower().lstrip("+-")
    if not plain.startswith("0x") and re.search(r"[.e]|f$", plain):
        return FLOAT if plain.endswith("f") else DOUBLE
    suffix = re.search(r"[ulz]*$", plain)
    words = suffix.group() if suffix else ""
    long = "l" in words or "z" in words
    if "u" in words:
        return CType("int", "uint64" if long else "uint32")
    return INT64 if long or abs(int(number(text))) >= 1 << 31 else INT


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
