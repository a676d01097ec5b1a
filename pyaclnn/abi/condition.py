"""Conditions of ``#if`` lines."""

from __future__ import annotations

import re
from collections.abc import Callable

from pyaclnn.abi.expression import Lookup, evaluate

_DEFINED = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))")
_CALL = re.compile(r"\b[A-Za-z_]\w*\s*\((?:[^()]|\([^()]*\))*\)")


def holds(
    text: str, is_defined: Callable[[str], bool], expand: Callable[[str], str], value: Lookup
) -> bool:
    """Return whether a condition holds.

    Parameters
    ----------
    text : str
        What stands behind ``#if``.
    is_defined : callable
        Whether a macro of this name is defined.
    expand : callable
        Expands the macros in a text, as far as ``value`` does not know them.
    value : callable
        The value of a name that is left; 0 for those that are no macros.

    Raises
    ------
    ValueError
        If it cannot be evaluated.
    """
    text = expand(_DEFINED.sub(lambda m: str(int(is_defined(m[1] or m[2]))), text))
    # What is left of calls is __has_include and the like: nothing is there.
    text = _CALL.sub("0", text)
    return bool(evaluate(text, lambda name: 1 if name == "true" else value(name)))
