"""Texts that a sample holds in strings, arrays and behind pointers."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.data.memory import Memory, Pointer, Vector, data_pointer
from pyaclnn.port.data.references import describe
from pyaclnn.port.data.symbols import Query
from pyaclnn.port.errors import NotUnderstoodError


def text_value(value: Any) -> str:
    """Return the text a ``char`` pointer, array or string holds.

    Raises
    ------
    NotUnderstoodError
        If it holds none.
    """
    if isinstance(value, str):
        return value.split("\0", 1)[0]
    if isinstance(value, Vector):
        value = data_pointer(value)
    if isinstance(value, Pointer) and value.ctype.size == 1:
        characters: list[str] = []
        end = value.target.size if isinstance(value.target, Memory) else 1 << 16
        while len(characters) < 1 << 16:
            if value.offset + len(characters) == end:
                # Without its final zero: samples have such arrays.
                return "".join(characters)
            code = value.load(len(characters))
            if not isinstance(code, int):
                break
            if code == 0:
                return "".join(characters)
            characters.append(chr(code & 0xFF))
    raise NotUnderstoodError(f"takes the text of a {describe(value)}")


def text_symbol(value: Any) -> Query | None:
    """Return the symbolic text that an address or array holds; None for others."""
    if isinstance(value, Query):
        return value
    memory = value.memory if isinstance(value, Vector) else getattr(value, "target", None)
    found = getattr(memory, "text", None)
    return found if isinstance(found, Query) else None
