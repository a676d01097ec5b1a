"""Operators on numbers, pointers, strings and symbols."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.files import FileValue
from pyaclnn.port.memory import Pointer, Vector, data_pointer
from pyaclnn.port.model import DevicePointer
from pyaclnn.port.references import describe
from pyaclnn.port.symbols import (
    Expression,
    Query,
    StatusCode,
    StatusTest,
    Symbol,
    UndecidedError,
    WorkspaceSize,
    is_float,
    truth,
)
from pyaclnn.port.values import CellPointer, SmartPointer

MAX_TEXT = 1 << 16

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, ">>": operator.rshift,
}  # fmt: skip


def binary(sign: str, left: Any, right: Any) -> Any:
    """Return the result of an arithmetic operator.

    Raises
    ------
    NotUnderstoodError
        For operands the operator has no meaning for here.
    """
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return _numbers(sign, left, right)
    if isinstance(left, complex) or isinstance(right, complex):
        return left / right if sign == "/" else _PLAIN[sign](left, right)
    if isinstance(left, Symbol) or isinstance(right, Symbol):
        return _symbols(sign, left, right)
    if isinstance(left, Vector) and left.count:
        left = data_pointer(left)
    if isinstance(left, Pointer) and isinstance(right, Vector) and right.count:
        right = data_pointer(right)
    if isinstance(left, (Pointer, DevicePointer)) and sign in "+-":
        if isinstance(right, int):
            return left.moved(right if sign == "+" else -right)
        if isinstance(right, Pointer) and isinstance(left, Pointer) and sign == "-":
            return (left.offset - right.offset) // max(left.step, 1)
    if isinstance(right, (Pointer, DevicePointer)) and sign == "+" and isinstance(left, int):
        return right.moved(left)
    if isinstance(left, CellPointer) and right == 0:
        return left
    if isinstance(left, str) and sign == "+":
        if len(left) > MAX_TEXT:
            raise NotUnderstoodError("a string grows without end")
        return left + (chr(right) if isinstance(right, int) else str(right))
    if isinstance(right, str) and sign == "+" and isinstance(left, int):
        return chr(left) + right
    raise NotUnderstoodError(f"applies {sign} to a {describe(left)} and a {describe(right)}")


def _numbers(sign: str, left: Any, right: Any) -> Any:
    if sign == "/":
        return _divide(left, right)
    if sign == "%":
        if not isinstance(left, int) or not isinstance(right, int) or right == 0:
            raise NotUnderstoodError("takes a remainder of 0 or of fractions")
        return int(math.copysign(1, left)) * (abs(left) % abs(right))
    if sign == "<<":
        if not 0 <= right < 128:
            raise NotUnderstoodError(f"shifts by {right} bits")
        return left << right
    if sign not in _PLAIN:
        raise NotUnderstoodError(f"the operator {sign} is not supported")
    result = _PLAIN[sign](left, right)
    if isinstance(result, int) and result.bit_length() > 128:
        raise NotUnderstoodError("a number overflows")
    return result


def _divide(left: Any, right: Any) -> Any:
    if isinstance(left, int) and isinstance(right, int):
        if right == 0:
            raise NotUnderstoodError("divides by zero")
        quotient = abs(left) // abs(right)
        return quotient if (left < 0) == (right < 0) else -quotient
    if right == 0:
        return math.nan if left == 0 or left != left else math.copysign(math.inf, left)
    return left / right


def _symbols(sign: str, left: Any, right: Any) -> Any:
    for value in (left, right):
        if not isinstance(value, (Symbol, int, float)):
            raise NotUnderstoodError(f"applies {sign} to a result and a {describe(value)}")
    if isinstance(left, WorkspaceSize) and isinstance(right, int) and sign in "+-":
        return left
    if sign not in "+-*/":
        raise NotUnderstoodError(f"applies {sign} to a value that is only known at run time")
    found = Expression(sign, (left, right))
    if sign == "/" and not is_float(left) and not is_float(right):
        return Expression("int", (found,))
    return found


def compare(sign: str, left: Any, right: Any) -> Any:
    """Return the result of a comparison: a truth value, or a symbol."""
    if isinstance(right, StatusCode):
        left, right = right, left
    if isinstance(left, StatusCode) and sign in ("==", "!=") and isinstance(right, int):
        return StatusTest(left.plan, (sign == "==") == (right == 0), right != 0)
    if right is None and isinstance(left, Query) and left.is_text:
        # The name of the chip is there; a message only after an error.
        return (left.call.name != "aclGetRecentErrMsg") == (sign == "!=")
    if right is None and isinstance(left, Expression) and left.operator == "in":
        return left if sign == "!=" else Expression("not", (left,))
    if isinstance(left, Symbol) or isinstance(right, Symbol):
        return Expression(sign, (left, right))
    if isinstance(left, SmartPointer):
        left = left.value
    if isinstance(right, SmartPointer):
        right = right.value
    if isinstance(left, FileValue) and isinstance(right, int):
        # A descriptor that is none would be negative.
        return _COMPARE[sign](3, right)
    if left is None or right is None:
        # A null pointer may be compared with NULL as 0.
        same = left is right or (left is None and right == 0) or (right is None and left == 0)
        return same if sign == "==" else not same
    if isinstance(left, Pointer) and isinstance(right, Pointer):
        if left.target is right.target:
            return _COMPARE[sign](left.offset, right.offset)
        return sign == "!="
    if isinstance(left, Vector) and isinstance(right, Vector):
        return _COMPARE[sign](left.values(), right.values())
    try:
        return bool(_COMPARE[sign](left, right))
    except TypeError:
        raise NotUnderstoodError(f"compares a {describe(left)} with a {describe(right)}") from None


def negate(value: Any) -> Any:
    """Return ``-value``."""
    if isinstance(value, Symbol):
        return Expression("-", (0, value))
    return -value


def both(sign: str, left: Any, right: Callable[[], Any]) -> Any:
    """Return ``left && right()`` or ``left || right()``; a symbol where only a run knows."""
    decided = sign == "||"
    try:
        if truth(left) == decided:
            return decided
        unknown = False
    except UndecidedError:
        unknown = True
    other = right()
    try:
        known_other = truth(other)
    except UndecidedError:
        return Expression("or" if decided else "and", (left, other)) if unknown else other
    if not unknown:
        return known_other
    return decided if known_other == decided else left
