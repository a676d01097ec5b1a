"""Simple prototypes, parsed without a C parser: nearly all functions of CANN have this form."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PROTOTYPE = re.compile(r"([A-Za-z_]\w*) ([A-Za-z_]\w*) ?\(([^()\[\]]*)\) ?;?")
_PARAMETER = re.compile(r"(const )?([A-Za-z_]\w*)(?: | ?(\*{1,2}) ?)([A-Za-z_]\w*)")
#: Words that are part of a type: a parameter that ends in one has no name, or a longer type.
_SPECIFIERS = frozenset(
    ["void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "bool",
     "_Bool", "const", "volatile", "static", "struct", "union", "enum", "inline", "extern"]
)  # fmt: skip
_SHORT_TYPES = frozenset(["void", "char", "int", "float", "double", "bool", "_Bool"])


@dataclass(frozen=True, slots=True)
class Prototype:
    """A function whose result and parameters are single type names, with up to two stars.

    Attributes
    ----------
    result, name : str
        The type of the result, and the function.
    parameters : tuple of (str, str, bool)
        Name, type without const, and whether it was const.
    """

    result: str
    name: str
    parameters: tuple[tuple[str, str, bool], ...]

    @property
    def shape(self) -> tuple[str, ...]:
        """The types of the call; functions with equal types share one cffi function type."""
        return self.result, *(c_type for _, c_type, _ in self.parameters)


def plain_prototype(text: str) -> Prototype | None:
    """Read a declaration of a function.

    Parameters
    ----------
    text : str
        A cleaned declaration on one line.

    Returns
    -------
    Prototype or None
        None where the declaration needs a real parser: arrays, function pointers, unnamed
        parameters, types of several words, qualified pointers.
    """
    match = _PROTOTYPE.fullmatch(text.strip())
    if match is None or match[1] in _SPECIFIERS - _SHORT_TYPES:
        return None
    result, name, body = match.groups()
    parameters = []
    for part in () if body.strip() in ("", "void") else body.split(","):
        found = _PARAMETER.fullmatch(part.strip())
        if found is None or found[4] in _SPECIFIERS:
            return None
        const, base, stars, parameter = found.groups()
        if base in _SPECIFIERS and base not in _SHORT_TYPES:
            return None
        parameters.append((parameter, f"{base} {stars}" if stars else base, const is not None))
    return Prototype(result, name, tuple(parameters))
