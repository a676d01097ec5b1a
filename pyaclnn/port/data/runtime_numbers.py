"""Arithmetic on symbolic numbers: Python source that computes as C++ does.

In a port an element of a result is a NumPy scalar of the element's type, a ``float`` of C++ is a
``np.float32``, a ``double`` a ``float`` or ``np.float64``, and any integer an ``int``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pyaclnn.port.data.conversions import (
    bits_of,
    convert,
    is_signed,
    plain,
    promote,
    promoted,
    range_of,
    type_of_number,
)
from pyaclnn.port.data.cpp_types import AUTO, BOOL, CType
from pyaclnn.port.data.ranges import computed_bounds
from pyaclnn.port.data.symbols import TRUTHS, Element, Expression, Symbol, is_float, type_of_symbol
from pyaclnn.port.errors import NotUnderstoodError

#: What the operator of another type's view of the same bits begins with; both types follow.
VIEW = "view:"
_CASTS = frozenset(["float", "np.float32", "np.float64", "int"])
_ARITHMETIC = frozenset(["+", "-", "*", "/"])
#: Python makes an ``int`` of anything by these, and of ``int`` by those.
_WHOLE = frozenset(["", "int", "len"])
_CLOSED = frozenset(["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "abs"])
_BITS = frozenset(["&", "|", "^", "<<", ">>"])


def type_of(value: Any) -> CType:
    """Return the C++ type of a number, symbolic or not; `AUTO` if it is unknown."""
    return type_of_symbol(value) if isinstance(value, Symbol) else type_of_number(value)


def stored(cells: dict[int, Any], offset: int, ctype: CType) -> Any:
    """Return the symbol that is stored at an address; None if there is none.

    Raises
    ------
    NotUnderstoodError
        If it is a part of something, or to be read as another type.
    """
    found = cells.get(offset)
    there = type_of(found) if found is not None else None
    if there is not None and (there is AUTO or there.name == ctype.name):
        return found
    if isinstance(found, Element) and there is not None and there.size == ctype.size:
        return found.reinterpreted(ctype)
    if isinstance(found, Symbol) and there is not None and there.size == ctype.size:
        return reinterpreted(found, there, ctype)
    for near in range(offset - 15, offset + ctype.size):
        if near in cells and near + type_of(cells[near]).size > offset:
            raise NotUnderstoodError("takes bytes of results for another type")
    return None


def reinterpreted(value: Symbol, found: CType, ctype: CType) -> Symbol:
    """Return the bits of a number as one of another type.

    Raises
    ------
    NotUnderstoodError
        For other types than integers and the usual fractions.
    """
    kinds = {found.kind, ctype.kind}
    names = {t.name for t in (found, ctype) if t.kind == "float"}
    if not kinds <= {"int", "float"} or not names <= {"float32", "float64"}:
        raise NotUnderstoodError("takes bytes of results for another type")
    view = Expression(f"{VIEW}{found.name}:{ctype.name}", (value,), ctype)
    return Expression("int", (view,), ctype) if ctype.kind == "int" else view


def is_snapshot(value: Any) -> bool:
    """Return whether it is an element, or one converted: no variable of the port is needed."""
    if isinstance(value, Expression) and value.operator in _CASTS:
        return is_snapshot(value.operands[0])
    return isinstance(value, Element)


def widened(value: Any) -> Any:
    """Return the operand of a conversion that changes no digit, for printing."""
    while isinstance(value, Expression) and value.operator in _CASTS:
        inner = value.operands[0]
        if not isinstance(inner, Element) or not holds(value.ctype, inner.ctype):
            break
        value = inner
    return value


def holds(wide: CType, narrow: CType) -> bool:
    """Return whether a type has all numbers of another of its kind."""
    if wide.kind != narrow.kind or wide.kind not in ("int", "float"):
        return False
    if wide.kind == "float":
        return wide.size > narrow.size or wide.name == narrow.name
    if is_signed(wide) == is_signed(narrow):
        return wide.size >= narrow.size
    return is_signed(wide) and wide.size > narrow.size


def cast_symbol(value: Any, ctype: CType) -> Any:
    """Convert a symbolic number to a type."""
    found = type_of_symbol(value)
    if found is AUTO or not ctype.is_number or found.name == ctype.name:
        return value
    if ctype.kind == "bool":
        return Expression("!=", (value, 0), BOOL)
    if ctype.kind == "float":
        word = {"float64": "float", "float32": "np.float32"}.get(ctype.name)
        if word is None:
            raise NotUnderstoodError(f"converts a result to {ctype.name}")
        return Expression(word, (value,), ctype)
    if ctype.kind != "int":
        raise NotUnderstoodError(f"converts a result to {ctype.name}")
    whole = Expression("" if _is_whole(value) else "int", (value,), ctype)
    if found.kind in ("float", "bool") or holds(ctype, found):
        return whole
    return wrapped(whole, ctype)


def _is_whole(value: Any) -> bool:
    """Return whether the port has a number as an ``int`` of Python, which is never too narrow."""
    if isinstance(value, Expression) and value.ctype.kind == "int":
        if value.operator == "where":
            return all(map(_is_whole, value.operands[1:]))
        if value.operator in _WHOLE:
            return True
        return value.operator in _CLOSED and all(map(_is_whole, value.operands))
    return isinstance(value, int)


def wrapped(value: Expression, ctype: CType) -> Expression:
    """Return an integer as one of a type has it that may be too narrow for it."""
    found, (low, high) = computed_bounds(value), range_of(ctype)
    if found is not None and low <= found[0] and found[1] <= high:
        return value if value.ctype.name == ctype.name else Expression("", (value,), ctype)
    mask = bits_of(ctype)
    if not is_signed(ctype):
        return Expression("&", (value, mask), ctype)
    half = (mask + 1) // 2
    moved = Expression("&", (Expression("+", (value, half), ctype), mask), ctype)
    return Expression("-", (moved, half), ctype)


def operation(sign: str, left: Any, right: Any) -> Any:
    """Return the result of an arithmetic operator of which an operand is a symbol.

    Raises
    ------
    NotUnderstoodError
        If no Python source is known that computes as C++ does.
    """
    types = type_of(left), type_of(right)
    if AUTO in types or "complex" in (types[0].kind, types[1].kind):
        return _untyped(sign, left, right)
    common = promoted(*types)
    if common.kind == "float":
        if sign not in _ARITHMETIC:
            raise NotUnderstoodError(f"applies {sign} to a fraction")
        wide = "np.float64" if sign == "/" else "float"
        return Expression(sign, tuple(_fraction(v, common, wide) for v in (left, right)), common)
    if sign in ("<<", ">>"):
        common = promote(types[0])
        if isinstance(right, int) and not 0 <= right < 8 * common.size:
            raise NotUnderstoodError(f"shifts by {int(right)} bits")
        # Python raises where the number of bits is negative, which C++ leaves open.
        right = plain(right) if isinstance(right, int) else _whole(right, promote(types[1]))
        return _integers(sign, _whole(left, common), right, common)
    return _integers(sign, _whole(left, common), _whole(right, common), common)


def _fraction(value: Any, common: CType, wide: str) -> Any:
    """Return an operand of an operation in a floating-point type."""
    if not isinstance(value, Symbol):
        value = _as_fraction(value, common)
        return Expression("np.float32", (value,), common) if common.name == "float32" else value
    found = cast_symbol(value, common)
    if found is not value and common.name == "float64":
        return Expression(wide, (value,), common)
    return found


def _as_fraction(value: Any, common: CType) -> Any:
    """Return a known number as a fraction; whole ones that it holds are better read as they are."""
    found = plain(convert(value, common))
    whole = isinstance(value, int) and abs(value) <= 1 << 24
    return int(value) if whole and common.kind == "float" else found


def _whole(value: Any, common: CType) -> Any:
    """Return an operand of an operation in an integer type."""
    if not isinstance(value, Symbol):
        return plain(convert(value, common))
    if isinstance(value, Element) and value.ctype.name == common.name and is_signed(common):
        return value
    if isinstance(value, Element):
        inner = Expression("int", (value,), value.ctype)
        return inner if holds(common, value.ctype) or value.ctype.kind == "bool" else \
            wrapped(inner, common)  # fmt: skip
    return cast_symbol(value, common)


def _integers(sign: str, left: Any, right: Any, common: CType) -> Any:
    if sign in "/%":
        return _quotient(sign, left, right, common)
    if sign not in _ARITHMETIC and sign not in _BITS:
        raise NotUnderstoodError(f"applies {sign} to a value that is only known at run time")
    if sign == "<<" and not _is_whole(left):
        left = Expression("int", (left,), common)  # which no NumPy scalar is too narrow for
    found = Expression(sign, (left, right), common)
    if sign == "<<" or (not is_signed(common) and sign in "+-*"):
        return wrapped(found, common)
    return found


def _quotient(sign: str, left: Any, right: Any, common: CType) -> Any:
    """C rounds to zero, Python down."""
    if right == 0:
        raise NotUnderstoodError("divides by zero")
    if not is_signed(common):
        return Expression("//" if sign == "/" else sign, (left, right), common)
    if sign == "%":
        if common.size > 4:
            rest = Expression("%", tuple(Expression("abs", (v,), common) for v in (left, right)),
                              common)  # fmt: skip
            below = Expression("<", (left, 0), BOOL)
            return Expression("where", (below, Expression("-", (rest,), common), rest), common)
        found = Expression("math.fmod", (left, right), AUTO)
    elif common.size <= 4:
        found = Expression("/", (left, right), AUTO)
    else:
        magnitude = Expression("//", tuple(Expression("abs", (v,), common) for v in (left, right)),
                               common)  # fmt: skip
        same = Expression("==", tuple(Expression("<", (v, 0), BOOL) for v in (left, right)), BOOL)
        return Expression("where", (same, magnitude, Expression("-", (0, magnitude), common)),
                          common)  # fmt: skip
    return Expression("int", (found,), common)


def _untyped(sign: str, left: Any, right: Any) -> Any:
    """Answers of the C API and times: numbers whose type only the API knows."""
    if sign not in _ARITHMETIC:
        raise NotUnderstoodError(f"applies {sign} to a value that is only known at run time")
    found = Expression(sign, (plain(left), plain(right)))
    if sign == "/" and not is_float(left) and not is_float(right):
        return Expression("int", (found,))
    return found


def comparison(sign: str, left: Any, right: Any) -> Any:
    """Return a comparison of which an operand is a symbol."""
    if not all(isinstance(v, (Symbol, int, float)) for v in (left, right)):
        return Expression(sign, (left, right), BOOL)
    common = promoted(type_of(left), type_of(right))
    operands = (_compared(left, common), _compared(right, common))
    if any(o is None for o in operands):
        operands = (_whole(left, common), _whole(right, common))
    elif common.kind == "float" and not _exact(left, right) and not _exact(right, left):
        operands = tuple(_fraction(v, common, "float") for v in (left, right))
    return Expression(sign, operands, BOOL)


def _compared(value: Any, common: CType) -> Any:
    """Return an operand of a comparison; None where a negative one counts as a large one."""
    if not isinstance(value, Symbol):
        if common is AUTO:
            return plain(value)
        number = _as_fraction(value, common)
        if common.name == "float32" and isinstance(number, float) and _is_longer(number):
            return Expression("np.float32", (number,), common)
        return number
    found = type_of_symbol(value)
    if common.kind == "int" and not is_signed(common) and found.kind == "int" and is_signed(found):
        return None
    if common.name == "uint64" and found.kind == "bool":
        # NumPy compares its own truth values with no number that is larger than a long.
        return Expression("int", (value,), common)
    return value


def _is_longer(number: float) -> bool:
    """Return whether a float has more digits as a double than as what it is."""
    return repr(number) != repr(float(str(np.float32(number))))


def _exact(number: Any, symbol: Any) -> bool:
    """Return whether NumPy compares a number with a symbol as C++ does, without a conversion."""
    if isinstance(number, Symbol):
        # Two of NumPy's scalars have the common type there, too.
        return isinstance(symbol, Symbol) and type_of(number).name == type_of(symbol).name
    found = type_of(symbol)
    return found.kind == "int" or float(number) == float(convert(number, found))


def choice(condition: Any, then: Any, otherwise: Any) -> Any:
    """Return ``condition ? then : otherwise`` of a symbolic condition."""
    numbers = all(isinstance(v, (Symbol, int, float)) for v in (then, otherwise))
    if not numbers:
        return Expression("where", (condition, then, otherwise))
    if isinstance(then, bool) and isinstance(otherwise, bool) and then != otherwise:
        truth = isinstance(condition, Expression) and condition.operator in TRUTHS
        if not then:
            return Expression("not", (condition,), BOOL)
        if truth:
            return condition
    types = type_of(then), type_of(otherwise)
    common = types[0] if types[0].name == types[1].name else promoted(*types)
    operands = [_chosen(v, common) for v in (then, otherwise)]
    return Expression("where", (condition, *operands), common)


def _chosen(value: Any, common: CType) -> Any:
    if isinstance(value, Symbol):
        return cast_symbol(value, common)
    value = plain(convert(value, common)) if common is not AUTO else plain(value)
    return Expression("np.float32", (value,), common) if common.name == "float32" else value
