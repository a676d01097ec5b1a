"""The range of a symbolic integer, by its type and how it was computed."""

from __future__ import annotations

from typing import Any

from pyaclnn.port.data.conversions import range_of
from pyaclnn.port.data.symbols import TRUTHS, Expression, Symbol, type_of_symbol

Range = tuple[int, int]

_BOOL: Range = (0, 1)
#: How deep a formula is looked into: what is below counts as any number of its type.
_DEPTH = 8


def bounds(value: Any, depth: int = _DEPTH) -> Range | None:
    """Return the smallest and the largest value that Python may compute for a number.

    Parameters
    ----------
    value : Symbol or int
        A number.
    depth : int, optional
        How far to look into a formula.

    Returns
    -------
    tuple of int or None
        None where the number is no integer, or nothing is known of it.
    """
    if isinstance(value, int):
        return int(value), int(value)
    if not isinstance(value, Symbol):
        return None
    ctype = type_of_symbol(value)
    if ctype.kind == "bool":
        return _BOOL
    if ctype.kind != "int":
        return None
    # What is brought into its type in steps is outside of it in between: no range is cut.
    found = _computed(value, depth - 1) if isinstance(value, Expression) and depth else None
    return range_of(ctype) if found is None else found


def computed_bounds(value: Expression) -> Range | None:
    """Return the bounds of a formula before it is brought into the range of its type."""
    return _computed(value, _DEPTH)


def _computed(value: Expression, depth: int) -> Range | None:
    sign = value.operator
    if sign in TRUTHS:
        return _BOOL
    operands = value.operands[1:] if sign == "where" else value.operands
    ranges = [bounds(o, depth) for o in operands]
    known = [r for r in ranges if r is not None]
    if len(known) != len(ranges) or not known:
        return None
    if sign in ("", "int") and len(known) == 1:
        return known[0]
    if sign == "where":
        return min(r[0] for r in known), max(r[1] for r in known)
    if sign == "-" and len(known) == 1:
        return -known[0][1], -known[0][0]
    return _of_two(sign, *known) if len(known) == 2 else None


def _of_two(sign: str, left: Range, right: Range) -> Range | None:
    if sign == "+":
        return left[0] + right[0], left[1] + right[1]
    if sign == "-":
        return left[0] - right[1], left[1] - right[0]
    if sign == "*":
        products = [a * b for a in left for b in right]
        return min(products), max(products)
    if sign == "&" and (left[0] >= 0 or right[0] >= 0):
        return 0, min(high for low, high in (left, right) if low >= 0)
    if sign in "|^" and left[0] >= 0 and right[0] >= 0:
        return 0, (1 << max(left[1].bit_length(), right[1].bit_length())) - 1
    if sign in ("<<", ">>") and right[0] >= 0 and right[1] < 64:
        ends = [a << b if sign == "<<" else a >> b for a in left for b in right]
        return min(ends), max(ends)
    if sign == "%" and left[0] >= 0 and right[0] > 0:
        return 0, min(left[1], right[1] - 1)
    if sign == "//" and left[0] >= 0 and right[0] > 0:
        return left[0] // right[1], left[1] // right[0]
    return None
