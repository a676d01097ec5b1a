"""Functions of ``<cmath>``: of the C library, so that a port has the bits its sample has."""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Callable
from typing import Any

from pyaclnn.port.data.constants import builtin
from pyaclnn.port.data.conversions import (
    convert,
    fraction,
    part_of,
    plain,
    promote,
    type_of_number,
)
from pyaclnn.port.data.cpp_types import AUTO, BOOL, DOUBLE, FLOAT, INT64, CType
from pyaclnn.port.data.runtime_numbers import cast_symbol, choice, comparison, type_of
from pyaclnn.port.data.symbols import Expression, Symbol
from pyaclnn.port.errors import NotUnderstoodError
from pyaclnn.port.evaluation.initialise import Braces
from pyaclnn.port.evaluation.interpreter import Interpreter

_UNARY = [
    "sqrt", "exp", "exp2", "log", "log2", "log10", "sin", "cos", "tan", "tanh", "sinh", "cosh",
    "asin", "acos", "atan", "asinh", "acosh", "atanh", "log1p", "expm1", "erf", "erfc", "tgamma",
    "lgamma", "cbrt", "ceil", "floor", "trunc", "rint", "nearbyint", "round",
]  # fmt: skip
_BINARY = ["hypot", "pow", "fmod", "atan2", "copysign", "remainder", "fdim"]
#: What computes them in a port, where that is no function of `math` of the same name.
_PYTHON = {
    "tgamma": "math.gamma", "exp2": "np.exp2", "cbrt": "np.cbrt", "rint": "np.rint",
    "nearbyint": "np.rint", "trunc": "np.trunc", "ceil": "np.ceil", "floor": "np.floor",
    "round": "", "fdim": "",
}  # fmt: skip


def _library(name: str, count: int, kind: Any) -> Callable[..., float]:
    function = getattr(ctypes.CDLL(None), name)
    function.restype, function.argtypes = kind, [kind] * count
    found: Callable[..., float] = function
    return found


def in_std(interpreter: Interpreter) -> bool:
    """Return whether ``sqrt`` without ``std::`` is C++'s, which has a float for a float."""
    return interpreter.qualified or interpreter.float_overloads


def _result_type(interpreter: Interpreter, name: str, base: str, values: tuple[Any, ...]) -> CType:
    types = [type_of(v) for v in values]
    if name != base:
        return FLOAT
    if any(t is AUTO for t in types):
        return DOUBLE
    single = all(t.name == "float32" for t in types)
    return FLOAT if single and in_std(interpreter) else DOUBLE


def _function(base: str, count: int) -> None:
    def call(interpreter: Interpreter, *values: Any, name: str) -> Any:
        if len(values) != count or not all(isinstance(v, (int, float, Symbol)) for v in values):
            raise NotUnderstoodError(f"calls {name} with what it does not take")
        ctype = _result_type(interpreter, name, base, values)
        if any(isinstance(v, Symbol) for v in values):
            return _later(base, values, ctype)
        suffix, kind = ("f", ctypes.c_float) if ctype is FLOAT else ("", ctypes.c_double)
        found = _library(base + suffix, count, kind)(*(float(convert(v, ctype)) for v in values))
        return fraction(found, ctype.name)

    for name in (base, base + "f"):
        builtin(name)(lambda interpreter, *values, name=name: call(interpreter, *values, name=name))


def _later(base: str, values: tuple[Any, ...], ctype: CType) -> Any:
    python = _PYTHON.get(base, f"math.{base}")
    if not python:
        raise NotUnderstoodError(f"applies {base} to a value that is only known at run time")
    operands = tuple(v if isinstance(v, Symbol) else plain(v) for v in values)
    found = Expression(python, operands, DOUBLE)
    return found if ctype is DOUBLE else cast_symbol(found, FLOAT)


for _base in _UNARY:
    _function(_base, 1)
for _base in _BINARY:
    _function(_base, 2)


@builtin("ldexp", "scalbn", "ldexpf")
def _ldexp(interpreter: Interpreter, value: Any, power: Any) -> Any:
    if isinstance(value, Symbol) or isinstance(power, Symbol):
        raise NotUnderstoodError("scales a value that is only known at run time")
    ctype = _result_type(interpreter, "", "", (value,))
    try:
        return fraction(math.ldexp(value, int(power)), ctype.name)
    except OverflowError:
        return fraction(math.copysign(math.inf, value), ctype.name)


@builtin("lround", "llround", "lroundf")
def _lround(interpreter: Interpreter, value: Any) -> Any:
    if isinstance(value, Symbol):
        raise NotUnderstoodError("rounds a value that is only known at run time")
    return convert(_library("round", 1, ctypes.c_double)(float(value)), INT64)


@builtin("lrint", "llrint")
def _lrint(interpreter: Interpreter, value: Any) -> Any:
    if isinstance(value, Symbol):
        raise NotUnderstoodError("rounds a value that is only known at run time")
    return convert(_library("rint", 1, ctypes.c_double)(float(value)), INT64)


@builtin("abs", "fabs", "fabsf", "labs", "llabs")
def _abs(interpreter: Interpreter, value: Any) -> Any:
    name = interpreter.called
    if isinstance(value, complex):
        raise NotUnderstoodError("takes the magnitude of a complex number")
    ctype = promote(type_of(value))
    if name == "labs" or name == "llabs":
        ctype = INT64
    elif name.startswith("fabs"):
        ctype = _result_type(interpreter, name, "fabs", (value,))
    elif ctype.kind == "float" and not in_std(interpreter) and not _has_stdlib(interpreter):
        raise NotUnderstoodError("abs of a fraction without std:: may be that of integers")
    if isinstance(value, Symbol):
        cast = cast_symbol(value, ctype) if type_of(value) is not AUTO else value
        return Expression("abs", (cast,), ctype)
    return convert(abs(plain(value)), ctype)


def _has_stdlib(interpreter: Interpreter) -> bool:
    return any(re.match(r"\s*#\s*include\s*<stdlib\.h>", line) for line in interpreter.lines)


def _test(name: str, known: Callable[[float], bool]) -> None:
    def call(interpreter: Interpreter, value: Any) -> Any:
        return Expression(f"math.{name}", (value,), BOOL) if isinstance(value, Symbol) \
            else known(value)  # fmt: skip

    builtin(name)(call)


_test("isnan", math.isnan)
_test("isinf", math.isinf)
_test("isfinite", math.isfinite)


@builtin("signbit")
def _signbit(interpreter: Interpreter, value: Any) -> Any:
    if isinstance(value, Symbol):
        raise NotUnderstoodError("asks for the sign of a value that is only known at run time")
    return math.copysign(1.0, value) < 0


def _extreme(sign: str) -> Callable[..., Any]:
    def call(interpreter: Interpreter, *values: Any) -> Any:
        found = list(values[0].values) if isinstance(values[0], Braces) else list(values)
        less: Any = None
        if not isinstance(values[0], Braces) and len(values) > 2:
            found, less = list(values[:2]), values[2]
        ctype = interpreter.template[0] if interpreter.template else type_of_first(found)
        if less is not None or not all(isinstance(v, (int, float, Symbol)) for v in found):
            raise NotUnderstoodError("compares what is no number, or by another rule")
        converted = [cast_symbol(v, ctype) if isinstance(v, Symbol) else convert(v, ctype)
                     for v in found]  # fmt: skip
        if any(isinstance(v, Symbol) for v in converted):
            operands = tuple(map(later_operand, converted))
            return Expression("max" if sign == "<" else "min", operands, ctype)
        return (max if sign == "<" else min)(converted)

    return call


def type_of_first(values: list[Any]) -> CType:
    """Return the type that all of some numbers have, of which some may be symbols."""
    types = [type_of(v) for v in values]
    known = [t for t in types if t is not AUTO]
    if any(t.name != known[0].name for t in known):
        raise NotUnderstoodError("compares numbers of two types, which C++ refuses")
    return known[0] if known else AUTO


def later_operand(value: Any) -> Any:
    """Return a number as an operand beside results: float32 where C++ has a float."""
    if isinstance(value, Symbol):
        return value
    wrap = type_of_number(value).name == "float32"
    return Expression("np.float32", (plain(value),), FLOAT) if wrap else plain(value)


builtin("max")(_extreme("<"))
builtin("min")(_extreme(">"))


def _float_extreme(name: str, sign: str) -> None:
    def call(interpreter: Interpreter, left: Any, right: Any) -> Any:
        ctype = _result_type(interpreter, interpreter.called, name, (left, right))
        if isinstance(left, Symbol) or isinstance(right, Symbol):
            test = comparison(sign, left, right)
            return choice(test, *(cast_symbol(v, ctype) if isinstance(v, Symbol)
                                  else convert(v, ctype) for v in (left, right)))  # fmt: skip
        left, right = convert(left, ctype), convert(right, ctype)
        if left != left or right != right:
            return right if left != left else left
        return max(left, right) if sign == ">" else min(left, right)

    builtin(name, name + "f")(call)


_float_extreme("fmax", ">")
_float_extreme("fmin", "<")


@builtin("__builtin_popcount", "__builtin_popcountl", "__builtin_popcountll")
def _bits_set(interpreter: Interpreter, value: Any) -> int:
    if not isinstance(value, int):
        raise NotUnderstoodError("counts the bits of a result")
    wide = interpreter.called.endswith("l")
    return (value & ((1 << (64 if wide else 32)) - 1)).bit_count()


@builtin("clamp")
def _clamp(interpreter: Interpreter, value: Any, low: Any, high: Any) -> Any:
    ctype = type_of_first([value, low, high])
    if any(isinstance(v, Symbol) for v in (value, low, high)):
        inner = Expression("max", (later_operand(value), later_operand(low)), ctype)
        return Expression("min", (inner, later_operand(high)), ctype)
    return low if value < low else high if high < value else value


@builtin("real", "imag")
def _part(interpreter: Interpreter, value: Any) -> Any:
    if not isinstance(value, complex):
        raise NotUnderstoodError("takes a part of what is not complex")
    return part_of(value, interpreter.called)
