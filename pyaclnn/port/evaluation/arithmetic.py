"""Operators on numbers, pointers, strings and symbols."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from pyaclnn.port.data.conversions import (
    convert,
    fits,
    fraction,
    integer,
    is_signed,
    plain,
    promote,
    promoted,
    type_of_number,
)
from pyaclnn.port.data.cpp_types import AUTO, BOOL, INT64, CType
from pyaclnn.port.data.memory import Pointer, ResultPointer, Vector, data_pointer
from pyaclnn.port.data.references import describe
from pyaclnn.port.data.runtime_numbers import cast_symbol, comparison, operation
from pyaclnn.port.data.symbols import (
    Expression,
    Query,
    StatusCode,
    StatusTest,
    Symbol,
    UndecidedError,
    WorkspaceSize,
    truth,
    type_of_symbol,
)
from pyaclnn.port.data.values import CellPointer, SmartPointer
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.library.files import FileValue
from pyaclnn.port.model import DevicePointer

MAX_TEXT = 1 << 16

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_PLAIN: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip
_HALF = 1 << 31

ONE_WAY_CHANGES = (
    "only a run knows whether this is reached, and it may change what others are computed from"
)


def binary(sign: str, left: Any, right: Any) -> Any:
    """Return the result of an arithmetic operator.

    Raises
    ------
    NotUnderstoodError
        For operands that the operator does not support here.
    """
    if isinstance(left, (int, float, complex)) and isinstance(right, (int, float, complex)):
        if type(left) is type(right) is int and sign in "+-*":
            result = _PLAIN[sign](left, right)
            if -_HALF <= left < _HALF and -_HALF <= right < _HALF and -_HALF <= result < _HALF:
                return result
        return numbers(sign, left, right)
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
            if left.target is not right.target:
                raise NotUnderstoodError("takes the distance of addresses of different arrays")
            return convert((left.offset - right.offset) // (left.step or 1), INT64)
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


def numbers(sign: str, left: Any, right: Any) -> Any:
    """Return the result of an arithmetic operator on two known numbers, as C++ computes it."""
    if sign in ("<<", ">>"):
        return _shift(sign, left, right)
    if sign not in _PLAIN and sign not in ("/", "%"):
        raise NotUnderstoodError(f"the operator {sign} is not supported")
    common = promoted(type_of_number(left), type_of_number(right))
    if common is AUTO:
        raise NotUnderstoodError(f"applies {sign} to numbers of types that do not go together")
    if common.kind == "complex":
        return _complex(sign, left, right, common)
    left, right = plain(convert(left, common)), plain(convert(right, common))
    if common.kind == "float":
        if sign in "%&|^":
            raise NotUnderstoodError(f"applies {sign} to a fraction")
        return fraction(_divide(left, right) if sign == "/" else _PLAIN[sign](left, right),
                        common.name)  # fmt: skip
    if sign in "/%":
        if right == 0:
            raise NotUnderstoodError("divides by zero")
        quotient = abs(left) // abs(right)
        quotient = quotient if (left < 0) == (right < 0) else -quotient
        result = quotient if sign == "/" else left - quotient * right
    else:
        result = _PLAIN[sign](left, right)
    if is_signed(common) and not fits(result, common):
        raise NotUnderstoodError(f"{left} {sign} {right} overflows {common.name}")
    return integer(result, common.name)


def _shift(sign: str, left: Any, right: Any) -> Any:
    common = promote(type_of_number(left))
    if common.kind != "int" or not isinstance(right, int):
        raise NotUnderstoodError(f"applies {sign} to a fraction")
    if not 0 <= right < 8 * common.size:
        raise NotUnderstoodError(f"shifts by {int(right)} bits")
    left = int(left)
    return integer(left << right if sign == "<<" else left >> right, common.name)


def _complex(sign: str, left: Any, right: Any, common: CType) -> Any:
    """Compute with complex numbers; a product is rounded in each step."""
    a, b = complex(left), complex(right)
    if sign in "+-":
        return convert(_PLAIN[sign](a, b), common)
    if sign != "*":
        # Libraries differ in how they divide.
        raise NotUnderstoodError(f"applies {sign} to complex numbers")
    part = "float32" if common.name == "complex64" else "float64"

    def product(x: float, y: float) -> Any:
        return fraction(x * y, part)

    real = fraction(product(a.real, b.real) - product(a.imag, b.imag), part)
    return convert(complex(real, fraction(product(a.real, b.imag) + product(a.imag, b.real), part)),
                   common)  # fmt: skip


def _divide(left: float, right: float) -> float:
    if right == 0:
        if left == 0 or left != left:
            return math.nan
        return math.copysign(math.inf, left) * math.copysign(1.0, right)
    return left / right


def _symbols(sign: str, left: Any, right: Any) -> Any:
    for value in (left, right):
        if not isinstance(value, (Symbol, int, float)):
            raise NotUnderstoodError(f"applies {sign} to a result and a {describe(value)}")
    if isinstance(left, WorkspaceSize) and isinstance(right, int) and sign in "+-":
        return left
    return operation(sign, left, right)


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
        return left if sign == "!=" else Expression("not", (left,), BOOL)
    if isinstance(left, Symbol) or isinstance(right, Symbol):
        return comparison(sign, left, right)
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return _compare_numbers(sign, left, right)
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
    if isinstance(left, ResultPointer) or isinstance(right, ResultPointer):
        raise NotUnderstoodError("compares an address that is only known at run time")
    if isinstance(left, Pointer) and isinstance(right, Pointer):
        if left.target is right.target:
            way = -1 if left.step < 0 else 1
            return _COMPARE[sign](way * left.offset, way * right.offset)
        return sign == "!="
    if isinstance(left, Vector) and isinstance(right, Vector):
        return _COMPARE[sign](left.values(), right.values())
    try:
        return bool(_COMPARE[sign](left, right))
    except TypeError:
        raise NotUnderstoodError(f"compares a {describe(left)} with a {describe(right)}") from None


def _compare_numbers(sign: str, left: Any, right: Any) -> bool:
    if type(left) is not type(right):
        common = promoted(type_of_number(left), type_of_number(right))
        left, right = convert(left, common), convert(right, common)
    return _COMPARE[sign](left, right)


def unary(sign: str, value: Any) -> Any:
    """Return ``-value``, ``~value`` or ``+value``.

    Raises
    ------
    NotUnderstoodError
        For what is no number.
    """
    if isinstance(value, Pointer) and sign == "+":
        return value
    if not isinstance(value, (Symbol, int, float, complex)):
        raise NotUnderstoodError(f"applies {sign} to a {describe(value)}")
    if isinstance(value, Symbol):
        ctype = promote(type_of_symbol(value))
        if sign == "+":
            return cast_symbol(value, ctype)
        if sign == "~" or ctype.kind == "int":
            return operation("-", -1 if sign == "~" else 0, value)
        return Expression("-", (value,), ctype)
    ctype = promote(type_of_number(value))
    if ctype.kind == "int":
        whole = int(plain(value))
        result = -whole if sign == "-" else ~whole if sign == "~" else whole
        if sign == "-" and is_signed(ctype) and not fits(result, ctype):
            raise NotUnderstoodError(f"-({whole}) overflows {ctype.name}")
        return integer(result, ctype.name)
    if sign == "~":
        raise NotUnderstoodError("applies ~ to a fraction")
    return convert(-plain(value) if sign == "-" else value, ctype)


def _tested(value: Any) -> Any:
    """Return an operand of ``&&`` as a bool: Python's ``and`` returns the operand itself."""
    found = type_of_symbol(value) if isinstance(value, Symbol) else AUTO
    return comparison("!=", value, 0) if found.is_number and found.kind != "bool" else value


def both(sign: str, left: Any, right: Callable[[], Any], changes: bool = False) -> Any:
    """Return ``left && right()`` or ``left || right()``; a symbol if it is not known.

    If it is symbolic whether ``right()`` is evaluated, it must have no side effects.
    """
    decided = sign == "||"
    try:
        if truth(left) == decided:
            return decided
        unknown = False
    except UndecidedError:
        if changes:
            raise NotUnderstoodError(ONE_WAY_CHANGES) from None
        unknown = True
    other = right()
    try:
        known_other = truth(other)
    except UndecidedError:
        if not unknown:
            return _tested(other)
        operands = (_tested(left), _tested(other))
        return Expression("or" if decided else "and", operands, BOOL)
    if not unknown:
        return known_other
    return decided if known_other == decided else left
