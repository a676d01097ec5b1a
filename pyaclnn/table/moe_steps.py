"""Steps that the operators of mixtures of experts share.

CANN generates most of these operators from their kernels; what they find wrong with shapes and
attributes is 561002, and shapes are looked at in ``opapi/moe``.
"""

from __future__ import annotations

from functools import partial

from . import shape_steps
from .dtypes import dtypes
from .optional_steps import if_given
from .steps import Call, Divides, DtypeIn, OnlyOn, SameDtype, Step

HALVES = dtypes("float32 float16", "bfloat16")
INT32 = dtypes("int32")
ON_NEWER = OnlyOn(("A2", "950"), inside=True)
ON_ALL_BUT_910 = OnlyOn(("310P", "A2", "950"), inside=True)
ON_A2 = OnlyOn(("A2",), inside=True)
NO_PADDING = Divides("!paddedMode", "paddedMode is true")
rank_is = partial(shape_steps.rank_is, step=Divides)


def number_is(name: str, condition: str, words: str) -> Divides:
    """Return the step of an attribute for which a condition in C++ must hold."""
    text = f"{name} is %lld, it must be {words}"
    return Divides(condition, text, (f"static_cast<long long>({name})",))


def from_to(name: str, least: int, most: int) -> Divides:
    """Return the step of an attribute from one number to another."""
    return number_is(name, f"{name} >= {least} && {name} <= {most}", f"from {least} to {most}")


def one_of(name: str, *values: int) -> Divides:
    """Return the step of an attribute that is one of these numbers."""
    condition = " || ".join(f"{name} == {value}" for value in values)
    return number_is(name, condition, f"one of {', '.join(map(str, values))}")


def all_int32(*names: str) -> tuple[Step, ...]:
    """Return the steps of tensors of int32 that need not be given."""
    return tuple(if_given(name, DtypeIn(INT32, (name,))) for name in names)


def like_first(*names: str) -> tuple[Step, ...]:
    """Return the steps of tensors of the first one's type that need not be given."""
    first, *others = names
    return tuple(if_given(name, SameDtype((first, name))) for name in others)


def range_of(count: str) -> tuple[Step, ...]:
    """Return the steps of a range of so many rows."""
    return (
        Call("expert_range", f"plan rangeOptional {count}", "range"),
        Divides(f"range.last <= {count}", "rangeOptional ends at %lld",
                ("static_cast<long long>(range.last)",)),
    )  # fmt: skip


RANGED = Call("names_range", "rangeOptional", "ranged")
