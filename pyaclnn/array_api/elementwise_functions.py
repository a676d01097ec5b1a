"""Functions of each element: an operator each, or a few where CANN lacks a dtype."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from pyaclnn.array_api._common import array, number, ops, pair
from pyaclnn.array_api.creation_functions import zeros
from pyaclnn.ops.naming import likely_c_name
from pyaclnn.tensor import Tensor, reinterpret
from pyaclnn.tensor.calculable import call

__all__ = [
    "abs", "acos", "acosh", "add", "asin", "asinh", "atan", "atan2", "atanh", "bitwise_and",
    "bitwise_invert", "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor",
    "ceil", "clip", "conj", "copysign", "cos", "cosh", "divide", "equal", "exp", "expm1", "floor",
    "floor_divide", "greater", "greater_equal", "hypot", "imag", "isfinite", "isinf", "isnan",
    "less", "less_equal", "log", "log1p", "log2", "log10", "logaddexp", "logical_and",
    "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "multiply", "negative",
    "nextafter", "not_equal", "positive", "pow", "real", "reciprocal", "remainder", "round", "sign",
    "signbit", "sin", "sinh", "sqrt", "square", "subtract", "tan", "tanh", "trunc", "where",
]  # fmt: skip

Operand = Any
Unary = Callable[[Tensor], Tensor]
#: By the size of an element: the integer of as many bits.
_WHOLE_OF: dict[int, np.dtype[Any]] = {
    2: np.dtype(np.int16),
    4: np.dtype(np.int32),
    8: np.dtype(np.int64),
}
_WHOLE = ("int8", "uint8", "int16", "int32", "int64", "bool")


def _is_complex(x: Tensor) -> bool:
    return array(x).dtype.kind == "c"


def _complex(real: Tensor, imaginary: Tensor) -> Tensor:
    return ops.complex(*pair(real, imaginary))


def where(condition: Tensor, x1: Operand, x2: Operand, /) -> Tensor:
    """Choose by a mask (``aclnnSWhere``)."""
    first, second = pair(x1, x2)
    return ops.s_where(array(condition), first, second)


def _times_i(z: Tensor, sign: int = 1) -> Tensor:
    """Return z times i, or times -i, without multiplying infinities by zero."""
    return _complex(-z.imag, z.real) if sign > 0 else _complex(z.imag, -z.real)


def _asin(z: Tensor) -> Tensor:
    return _times_i(asinh(_times_i(z)), -1)


def _acos(z: Tensor) -> Tensor:
    rotated = _asin(z)
    return _complex(math.pi / 2 - rotated.real, -rotated.imag)


def _atan(z: Tensor) -> Tensor:
    return _times_i(atanh(_times_i(z)), -1)


def _expm1(z: Tensor) -> Tensor:
    a, b = z.real, z.imag
    half = sin(b / 2)
    # The last term makes a zero positive.
    small = _complex(expm1(a) * cos(b) - 2 * half * half + 0.0, exp(a) * sin(b))
    return where(abs(z) < 0.5, small, exp(z) - 1)


def _expm1_of_double(x: Tensor) -> Tensor:
    """Divide the error of exp(x) - 1 out, as Kahan did."""
    power = exp(x)
    less = power - 1
    exact = where(less == -1, less, less * x / log(power))
    return where(power == 1, x, where(isfinite(power), exact, less))


def _log1p(z: Tensor) -> Tensor:
    a, b = z.real, z.imag
    small = _complex(log1p(a * a + 2 * a + b * b) / 2, atan2(b, a + 1))
    return where(abs(z) < 0.5, small, log(z + 1))


def _tanh_of_double(x: Tensor) -> Tensor:
    less = expm1(-2 * abs(x))
    return copysign(-less / (less + 2), x)


def _tanh(z: Tensor) -> Tensor:
    return _times_i(tan(_times_i(z)), -1)


def _trunc_of_double(x: Tensor) -> Tensor:
    return where(x < 0, ceil(x), floor(x))


def _of_parts(combine: Callable[[Tensor, Tensor], Tensor], name: str) -> Unary:
    def both(z: Tensor) -> Tensor:
        function = globals()[name]
        return combine(function(z.real), function(z.imag))

    return both


def _sign_of_float(x: Tensor) -> Tensor:
    """Keep NaN, which has the sign 0 in CANN."""
    return where(isnan(x), x, ops.sign(x))


def _sign_of_complex(z: Tensor) -> Tensor:
    size = abs(z)
    return where(size == 0, 0.0, z / where(size == 0, 1.0, size).astype(z.dtype))


def _round_complex(z: Tensor) -> Tensor:
    return _complex(round(z.real), round(z.imag))


def _through_int32(name: str) -> Unary:
    return lambda x: ops[name](x.astype("int32")).astype(x.dtype)


def _copy(x: Tensor) -> Tensor:
    return x.copy()


def _unary(name: str, operator_name: str = "", **lacking: Unary) -> Unary:
    """Make a function of an operator, and of compositions for dtypes that it lacks.

    Names are dtypes, or ``complex`` and ``whole`` for several.
    """
    called = operator_name or name
    ways = dict(lacking)
    for many, dtypes in (("complex", ("complex64", "complex128")), ("whole", _WHOLE)):
        if many in ways:
            ways.update(dict.fromkeys(dtypes, ways.pop(many)))

    def function(x: Tensor, /) -> Tensor:
        way = ways.get(array(x).dtype.name)
        return call(called, x) if way is None else way(x)

    function.__name__ = function.__qualname__ = name
    c_name = likely_c_name(called)
    kinds = f"; compositions for {', '.join(sorted(ways))}" if ways else ""
    function.__doc__ = f"Call ``{c_name}`` for each element{kinds}."
    return function


def _abs_of_complex128(z: Tensor) -> Tensor:
    return hypot(z.real, z.imag)


abs = _unary("abs", complex128=_abs_of_complex128)
acos = _unary("acos", complex=_acos)
acosh = _unary("acosh")
asin = _unary("asin", complex=_asin)
asinh = _unary("asinh")
atan = _unary("atan", complex=_atan)
atanh = _unary("atanh")
bitwise_invert = _unary("bitwise_invert", "bitwise_not")
ceil = _unary("ceil", whole=_copy)
cos = _unary("cos")
cosh = _unary("cosh")
exp = _unary("exp")
expm1 = _unary("expm1", float64=_expm1_of_double, complex=_expm1)
floor = _unary("floor", whole=_copy)
isfinite = _unary("isfinite", "is_finite", complex=_of_parts(lambda a, b: a & b, "isfinite"))
isinf = _unary("isinf", "is_inf", complex=_of_parts(lambda a, b: a | b, "isinf"))
log = _unary("log")
log1p = _unary("log1p", complex=_log1p)
log2 = _unary("log2")
log10 = _unary("log10")
logical_not = _unary("logical_not", complex=lambda z: z == 0)
reciprocal = _unary("reciprocal")
round = _unary("round", whole=_copy, complex=_round_complex)
sign = _unary(
    "sign",
    int8=_through_int32("sign"),
    uint8=_through_int32("sign"),
    int16=_through_int32("sign"),
    float16=_sign_of_float,
    float32=_sign_of_float,
    float64=_sign_of_float,
    complex=_sign_of_complex,
)
sin = _unary("sin")
sinh = _unary("sinh")
sqrt = _unary("sqrt")
tan = _unary("tan")
tanh = _unary("tanh", float64=_tanh_of_double, complex=_tanh)
trunc = _unary("trunc", whole=_copy, float64=_trunc_of_double)


def signbit(x: Tensor, /) -> Tensor:
    """Return where the sign is set, of zeros and NaN too: the bits as an integer below 0."""
    return _as(x, _WHOLE_OF[array(x).itemsize]) < 0


def isnan(x: Tensor, /) -> Tensor:
    """Return where a number is not equal to itself."""
    return array(x) != x


def square(x: Tensor, /) -> Tensor:
    """Multiply by itself (``aclnnMul``)."""
    return array(x) * x


def negative(x: Tensor, /) -> Tensor:
    """Change the sign (``aclnnNeg``)."""
    return -array(x)


def positive(x: Tensor, /) -> Tensor:
    """Return a copy."""
    return +array(x)


def real(x: Tensor, /) -> Tensor:
    """Return a view of the real parts."""
    return array(x).real


def imag(x: Tensor, /) -> Tensor:
    """Return a view of the imaginary parts."""
    return array(x).imag


def conj(x: Tensor, /) -> Tensor:
    """Change the sign of imaginary parts."""
    return _complex(x.real, -x.imag) if _is_complex(x) else +x


def _binary(name: str, calculate: Callable[[Any, Any], Any], said: str) -> Callable[..., Tensor]:
    def function(x1: Operand, x2: Operand, /) -> Tensor:
        if isinstance(x1, Tensor) and isinstance(x2, Tensor) and x1.dtype is not x2.dtype:
            x1, x2 = pair(x1, x2)
        elif not isinstance(x1, Tensor):
            array(x2)
        result: Tensor = calculate(x1, x2)
        return result

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Return ``{said}``, after promotion."
    return function


add = _binary("add", operator.add, "x1 + x2")
subtract = _binary("subtract", operator.sub, "x1 - x2")
multiply = _binary("multiply", operator.mul, "x1 * x2")
divide = _binary("divide", operator.truediv, "x1 / x2")
floor_divide = _binary("floor_divide", operator.floordiv, "x1 // x2")
remainder = _binary("remainder", operator.mod, "x1 % x2")
pow = _binary("pow", operator.pow, "x1 ** x2")
bitwise_and = _binary("bitwise_and", operator.and_, "x1 & x2")
bitwise_or = _binary("bitwise_or", operator.or_, "x1 | x2")
bitwise_xor = _binary("bitwise_xor", operator.xor, "x1 ^ x2")
bitwise_left_shift = _binary("bitwise_left_shift", operator.lshift, "x1 << x2")
bitwise_right_shift = _binary("bitwise_right_shift", operator.rshift, "x1 >> x2")
equal = _binary("equal", operator.eq, "x1 == x2")
not_equal = _binary("not_equal", operator.ne, "x1 != x2")
less = _binary("less", operator.lt, "x1 < x2")
less_equal = _binary("less_equal", operator.le, "x1 <= x2")
greater = _binary("greater", operator.gt, "x1 > x2")
greater_equal = _binary("greater_equal", operator.ge, "x1 >= x2")


def _of_tensors(name: str, called: str) -> Callable[..., Tensor]:
    def function(x1: Operand, x2: Operand, /) -> Tensor:
        return call(called, *pair(x1, x2))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Call ``{likely_c_name(called)}`` for each pair of elements."
    return function


atan2 = _of_tensors("atan2", "atan2")
logical_and = _of_tensors("logical_and", "logical_and")
logical_or = _of_tensors("logical_or", "logical_or")
logical_xor = _of_tensors("logical_xor", "logical_xor")
maximum = _of_tensors("maximum", "maximum")
minimum = _of_tensors("minimum", "minimum")


def clip(x: Tensor, /, min: Operand = None, max: Operand = None) -> Tensor:
    """Return values within bounds (``aclnnMaximum``, ``aclnnMinimum``); of the dtype of x."""
    result = array(x)
    for bound, choose in ((min, maximum), (max, minimum)):
        if bound is not None:
            limit = _fitting(bound, x) if not isinstance(bound, Tensor) else bound
            result = result if limit is None else choose(result, limit)
    return result.astype(x.dtype, copy=False) if result is not x else x.copy()


def _fitting(bound: Any, x: Tensor) -> Any:
    """Return a Python number within the range of the dtype of x."""
    if x.dtype.kind in "iu":
        info = np.iinfo(x.dtype)
        return builtins.min(builtins.max(bound, int(info.min)), int(info.max))
    return bound


def copysign(x1: Operand, x2: Operand, /) -> Tensor:
    """Return sizes with the signs of others."""
    first, second = pair(x1, x2)
    return where(signbit(second), -abs(first), abs(first))


def hypot(x1: Operand, x2: Operand, /) -> Tensor:
    """Return the lengths of hypotenuses, whose squares may overflow."""
    first, second = (abs(x) for x in pair(x1, x2))
    large, small = maximum(first, second), minimum(first, second)
    ratio = small / where(large == 0, 1.0, large)
    length = large * sqrt(ratio * ratio + 1)
    endless = isinf(first) | isinf(second)
    return where(endless, math.inf, length) if length.size else length


def logaddexp(x1: Operand, x2: Operand, /) -> Tensor:
    """Return the logarithms of sums of exponentials."""
    first, second = pair(x1, x2)
    large = maximum(first, second)
    # Equal ones may be infinite, and their difference then is no number.
    apart = where(first == second, 0.0, abs(first - second))
    return large + log1p(exp(-apart))


def nextafter(x1: Operand, x2: Operand, /) -> Tensor:
    """Return the next number towards another: one more or less of the bits, as an integer."""
    first, second = pair(x1, x2)
    whole = _WHOLE_OF[first.itemsize]
    shape = np.broadcast_shapes(first.shape, second.shape)
    first, second = first.broadcast_to(shape).copy(), second.broadcast_to(shape)
    up = (second > first) == (first > 0)
    pattern = _as(first, whole)
    one = zeros((), dtype=whole, device=first.device) + 1
    stepped = _as(where(up, pattern + one, pattern - one), first.dtype)
    smallest = number(float(np.finfo(first.dtype).smallest_subnormal), first.dtype, first.device)
    from_zero = where(second > 0, smallest, -smallest)
    moved = where(first == 0, from_zero, stepped)
    stay = where(first == second, second, moved)
    return where(isnan(first) | isnan(second), math.nan, stay)


def _as(x: Tensor, dtype: np.dtype[Any]) -> Tensor:
    """Return the same bits as another dtype of the same size."""
    return reinterpret.over(x, x.shape, dtype, x.strides, x.offset)
