"""Rules for the element type an operator computes in and gives: for Python, and their C++ twins.

The twin has the same name, in ``opapi/common/result_types.hpp``; selftest's cases of mixed types
hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable

from .dtypes import kind, promote

#: From the dtypes of the arguments a rule reads to the dtype, or None where there is none. A
#: scalar's dtype is that of the aclScalar.
TypeRule = Callable[..., "str | None"]


def common(*types: str) -> str | None:
    """Return the promoted type of all."""
    result: str | None = types[0]
    for other in types[1:]:
        if result is None:
            return None
        result = promote(result, other)
    return result


def same(first: str) -> str | None:
    """Return the type of the argument."""
    return first


def float_of(first: str) -> str | None:
    """Return float32 for integers and bool, otherwise the type itself."""
    return "float32" if kind(first) in ("bool", "integer") else first


def common_float(*types: str) -> str | None:
    """Return the promoted type, float32 in place of integers and bool."""
    result = common(*types)
    return None if result is None else float_of(result)


def with_scalar(tensor: str, scalar: str) -> str | None:
    """Return the type of a tensor and a number: the number counts by its category only.

    A complex operand promotes; a floating tensor keeps its type; an integer one too, unless the
    number is floating point, and a bool one promotes.
    """
    if "complex" in (kind(tensor), kind(scalar)):
        return promote(tensor, scalar)
    if kind(tensor) == "floating":
        return tensor
    if kind(scalar) == "floating" or kind(tensor) == "bool":
        return promote(tensor, scalar)
    return tensor


def with_fitting_scalar(tensor: str, scalar: str) -> str | None:
    """Return the type a tensor and a number are compared in: int8 in place of bool.

    They promote, but a double that a floating tensor's type can hold counts as one of that type.
    Here a double always does: the twin in C++ looks at the value.
    """
    if kind(tensor) == "floating" and scalar == "float64":
        return tensor
    result = promote(tensor, scalar)
    return "int8" if result == "bool" else result


def own_beside_number(tensor: str, scalar: str) -> str | None:
    """Return the type a tensor is compared with a number in that is made to fit it.

    A floating tensor's own; beside others a double counts as float32.
    """
    if kind(tensor) == "floating":
        return tensor
    return promote(tensor, "float32" if scalar == "float64" else scalar)


def multiplied_by_number(tensor: str, number: str, out: str = "") -> str | None:
    """Return the type a tensor is multiplied by a number in, which counts by its category."""
    whole = kind(tensor) in ("bool", "integer")
    if whole and number == "float64" and "float32" in (out, "float32" if tensor == "bool" else ""):
        return "float32"
    return with_scalar(tensor, number)


def subtracted_from_number(tensor: str, number: str) -> str | None:
    """Return the type a number less a tensor is computed in: the tensor's own if it is floating."""
    if kind(tensor) != "floating" and kind(number) == "floating":
        return promote(tensor, number)
    return tensor


def common_or_category(tensor: str, number: str) -> str | None:
    """Return the promoted type; on the 950, where the twin looks, the number's category counts."""
    return promote(tensor, number)


def common_or_own(tensor: str, number: str) -> str | None:
    """Return the promoted type; on the 950 that of ``with_scalar``, as the twin has it."""
    return promote(tensor, number)


def divided_down(tensor: str, number: str) -> str | None:
    """Return the type a tensor is divided by a number in, rounded down: float32 for bool.

    On the 950, where the twin looks, the number's category counts, and 16 bits become float32.
    """
    return common_not_bool(tensor, number)


def remainder_of_number(tensor: str, number: str, out: str) -> str | None:
    """Return the output's type; on the 950 what both have in common, as the twin has it."""
    return out


def clamped_in(tensor: str, *bounds: str) -> str | None:
    """Return the output's type, which is the tensor's by default."""
    return tensor


def kept_beside_scalar(tensor: str, scalar: str) -> str | None:
    """Return the type a tensor is compared with a number in, for equality.

    Its own if it is complex, or floating beside a real number, or an integer beside an integer.
    """
    if kind(tensor) == "complex" or (kind(tensor) == "floating" and kind(scalar) != "complex"):
        return tensor
    if tensor == "bool" or kind(scalar) in ("floating", "complex"):
        return promote(tensor, scalar)
    return tensor


def quotient_by_scalar(tensor: str, scalar: str) -> str | None:
    """Return the type a tensor is divided by a number in: its own, float32 for integers."""
    own = float_of(tensor)
    return promote(own, scalar) if own and kind(scalar) == "complex" else own


def common_not_bool(*types: str) -> str | None:
    """Return the promoted type, float32 in place of bool."""
    result = common(*types)
    return "float32" if result == "bool" else result


def common_of_given(*types: str | None) -> str | None:
    """Return the promoted type of those that are given."""
    return common(*(t for t in types if t is not None))


def restored(first: str, scale: str | None = None) -> str | None:
    """Return the type itself; of int8 bfloat16 beside a scale of that, else float16."""
    if first != "int8":
        return first
    return "bfloat16" if scale == "bfloat16" else "float16"


def common_single(*types: str) -> str | None:
    """Return the promoted type, float32 in place of integers, bool and float64."""
    result = common_float(*types)
    return "float32" if result == "float64" else result


def in_float32(*types: str) -> str | None:
    """Return the promoted type, float32 in place of float16 and bfloat16."""
    result = common(*types)
    return "float32" if result in ("float16", "bfloat16") else result


def exactly_real(first: str) -> str | None:
    """Return float32 for the narrow floating types and float64 for all others."""
    return "float32" if first in ("float32", "float16", "bfloat16") else "float64"


def added_to_number(tensor: str, number: str, out: str = "") -> str | None:
    """Return the type a tensor is added to a number in: float32 if it is floating."""
    if kind(tensor) == "floating" and kind(number) != "complex":
        return "float32"
    return "float32" if (number, out) == ("float64", "float32") else with_scalar(tensor, number)


def angle_of(first: str) -> str | None:
    """Return the type of an angle: a float of 16 bits for that, float32 for all others."""
    return first if first in ("float16", "bfloat16") else "float32"


def power_of_tensor(tensor: str, number: str, out: str = "") -> str | None:
    """Return the type of a tensor to the power of a number: float32 for a double and that output.

    An int8, uint8 or int16 tensor is squared in int32: the twin in C++ looks at the number.
    """
    return "float32" if (number, out) == ("float64", "float32") else with_scalar(tensor, number)


def power_of_number(tensor: str, number: str, out: str = "") -> str | None:
    """Return the type of a number to the power of a tensor: float32 for doubles and that output."""
    return "float32" if (tensor, out) == ("float64", "float32") else with_scalar(tensor, number)


def _quotient(whole: str | None, own: str | None, mode: int) -> str | None:
    """Return the type of a quotient that is rounded down (2), cut off (1) or neither (0)."""
    if mode == 2:
        return "float32" if whole == "bool" else whole
    narrow = ("float32", "float16", "bfloat16")
    return own if own in narrow or (own and kind(own) == "complex") else "float32"


def quotient(first: str, second: str, mode: int) -> str | None:
    """Return the type two tensors are divided in."""
    both = common(first, second)
    return both and _quotient(both, both, mode)


def quotient_by_number(tensor: str, number: str, mode: int) -> str | None:
    """Return the type a tensor is divided by a number in.

    Beside the narrow floating types a number of these counts as of the tensor's.
    """
    narrow = ("float32", "float16", "bfloat16")
    if tensor in narrow and number in narrow:
        return tensor
    both = common(tensor, number)
    complex_ = both is not None and kind(both) == "complex"
    return both and _quotient(both, both if complex_ else tensor, mode)


def own_or_output(first: str, out: str = "") -> str | None:
    """Return the type of the argument, or the output's in place of integers and bool."""
    return out if out and kind(first) in ("bool", "integer") else first


# The operators that these are for write what their output is: there is no twin.


def counted_in(*numbers: str) -> str | None:
    """Return the type a sequence has by default: int64 between integers, else float32."""
    return "int64" if all(kind(n) in ("bool", "integer") for n in numbers) else "float32"


def common_or_float32(*types: str) -> str | None:
    """Return the type that all have, float32 or what is wider where they differ."""
    if len(set(types)) == 1:
        return types[0]
    return common("float32", *(t for t in types if kind(t) in ("floating", "complex")))


def same_or_float32(*types: str) -> str | None:
    """Return the type that all have, or float32 where they differ."""
    return types[0] if len(set(types)) == 1 else "float32"


def first_given(*types: str | None) -> str | None:
    """Return the type of the first that is given."""
    return next((t for t in types if t is not None), None)


def complex_of(part: str) -> str | None:
    """Return the complex type with such parts."""
    return "complex128" if part == "float64" else "complex64"


def summed_in(number: str) -> str | None:
    """Return int64 for integers and bool, otherwise the type itself."""
    return "int64" if kind(number) in ("bool", "integer") else number


def real_of(number: str) -> str | None:
    """Return the type of a complex number's parts."""
    return {"complex64": "float32", "complex128": "float64"}.get(number, number)


def index_type(narrow: bool) -> str | None:
    """Return the type of places: int32 where that is asked for."""
    return "int32" if narrow else "int64"


#: Parameters that rules look at by value, not by type.
BY_VALUE = frozenset({"mode", "outInt32"})

RULES: dict[str, TypeRule] = {
    rule.__name__: rule
    for rule in (
        added_to_number,
        angle_of,
        common,
        common_float,
        clamped_in,
        common_or_category,
        common_or_own,
        complex_of,
        counted_in,
        common_not_bool,
        common_of_given,
        divided_down,
        restored,
        common_or_float32,
        common_single,
        exactly_real,
        first_given,
        in_float32,
        index_type,
        float_of,
        kept_beside_scalar,
        multiplied_by_number,
        own_beside_number,
        own_or_output,
        power_of_number,
        power_of_tensor,
        quotient,
        quotient_by_number,
        quotient_by_scalar,
        real_of,
        remainder_of_number,
        same,
        same_or_float32,
        subtracted_from_number,
        summed_in,
        with_fitting_scalar,
        with_scalar,
    )
}
