"""Templates of rows: what element-wise operators of CANN check, and in which order.

A template gives the usual steps; keywords say what is unusual about an operator, or its row is
written out. ``in_place`` derives the variant that writes its first operand.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from .dtypes import Dtypes
from .format_steps import SameFormat
from .row import Output, Row, Trial
from .steps import (
    About,
    Broadcast,
    Call,
    Castable,
    DoneIfEmpty,
    DtypeIn,
    Null,
    Pointwise,
    RankAtMost,
    ResultIs,
    ResultType,
    SameDtype,
    SameShape,
    ScalarCastable,
    ShapeIs,
    ShapeOf,
    Step,
)

#: A rule's name and the arguments it reads: ("common", "self", "other").
Typed = tuple[str, ...]


def result(typed: Typed) -> Step:
    """Return the step that fixes what is computed in."""
    return ResultType(typed[0], typed[1:]) if len(typed) > 1 else ResultIs(typed[0])


def unary(
    name: str, accepted: Dtypes, formula: str, *, family: str = "pointwise",
    type: Typed = ("same", "self"), scalars: tuple[str, ...] = (), checks: tuple[Step, ...] = (),
    gives: str = "", trial: Trial | None = None,
) -> Row:  # fmt: skip
    """Row of out = f(self, scalars...): null, dtype, castable, shape, ``checks``, empty."""
    steps: tuple[Step, ...] = (
        Null(("self", *scalars, "out")),
        DtypeIn(accepted, ("self",)),
        result(type),
        *((Castable(("out",)),) if not gives else ()),
        RankAtMost(8, ("self",)),
        ShapeOf("self"),
        ShapeIs(("out",)),
        *checks,
        DoneIfEmpty(("self",)),
        Pointwise(formula, ("self",), scalars, gives=gives),
    )
    output = Output("like self", gives or " ".join(type))
    return Row(name, family, steps, {"out": output}, trial or Trial())


def binary(
    name: str, accepted: Dtypes, formula: str, *, family: str = "pointwise",
    type: Typed = ("common", "self", "other"), scalars: tuple[str, ...] = (),
    gives: str = "", trial: Trial | None = None,
) -> Row:  # fmt: skip
    """Row of out = f(self, other, scalars...), two tensors that broadcast."""
    steps: tuple[Step, ...] = (
        Null(("self", "other", *scalars, "out")),
        DtypeIn(accepted, ("self", "other")),
        result(type),
        *((ScalarCastable(scalars),) if scalars else ()),
        *((Castable(("out",)),) if not gives else ()),
        RankAtMost(8, ("self", "other")),
        Broadcast(("self", "other")),
        ShapeIs(("out",)),
        DoneIfEmpty(("self", "other")),
        Pointwise(formula, ("self", "other"), scalars, gives=gives),
    )
    output = Output("broadcast self other", gives or " ".join(type))
    return Row(name, family, steps, {"out": output}, trial or Trial())


def with_number(
    name: str, accepted: Dtypes, formula: str, *, family: str = "pointwise",
    type: Typed = ("with_scalar", "self", "other"), scalars: tuple[str, ...] = (),
    gives: str = "", trial: Trial | None = None, numbers: Dtypes | None = None,
) -> Row:  # fmt: skip
    """Row of out = f(self, other, scalars...), where other is an aclScalar, one of ``numbers``."""
    steps: tuple[Step, ...] = (
        Null(("self", "other", *scalars, "out")),
        DtypeIn(accepted, ("self",)),
        *((DtypeIn(numbers, ("other",)),) if numbers else ()),
        result(type),
        *((ScalarCastable(scalars),) if scalars else ()),
        *((Castable(("out",)),) if not gives else ()),
        RankAtMost(8, ("self",)),
        ShapeOf("self"),
        ShapeIs(("out",)),
        DoneIfEmpty(("self",)),
        Pointwise(formula, ("self",), ("other", *scalars), gives=gives),
    )
    output = Output("like self", gives or " ".join(type))
    return Row(name, family, steps, {"out": output}, trial or Trial())


#: What says nothing of one operand alone.
_COMPARISONS = (SameDtype, SameShape, SameFormat)


def in_place(
    base: Row, name: str = "", *, ref: str = "selfRef", first: tuple[Step, ...] = (),
    operand: str = "self", out: str = "out", without: tuple[type[Step], ...] = (),
) -> Row:  # fmt: skip
    """Derive the variant that writes its operand: ``first``, then the steps of ``base``.

    ``operand`` and ``out`` become ``ref``: where a step names one, in the words of a ``Call``, and
    in what an ``About`` makes. Steps of the kinds ``without`` are left out, as are names and steps
    that then stand twice, and comparisons of the operand with itself.
    """
    names = (operand, out)

    def word(text: str) -> str:
        for old in names:
            if text in (old, "&" + old) or text.startswith(old + "."):
                return text.replace(old, ref, 1)
        return text

    def renamed(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(dict.fromkeys(renamed(v) for v in value if not is_vacuous(v)))
        if isinstance(value, str):
            return ref if value in names else value
        return derived(value) if hasattr(value, "cpp") and is_dataclass(value) else value

    def is_vacuous(step: Any) -> bool:
        compared = isinstance(step, _COMPARISONS) or (isinstance(step, About) and step.names[1:])
        return bool(compared) and set(step.names) <= {operand, out, ref}

    def derived(step: Any) -> Any:
        changed = {f.name: renamed(getattr(step, f.name)) for f in fields(step)}
        if isinstance(step, Call):
            changed["arguments"] = " ".join(map(word, step.arguments.split(" ")))
        return replace(step, **changed)

    steps = list(first)
    for step in base.steps:
        if isinstance(step, without) or is_vacuous(step):
            continue
        if (changed := derived(step)) not in steps:
            steps.append(changed)
    return Row(
        name or "Inplace" + base.name, base.family, tuple(steps), {}, base.trial, base.missing,
    )  # fmt: skip
