"""Element-wise arithmetic, comparisons, elementary functions."""

from __future__ import annotations

from dataclasses import replace

from .dtypes import COMPLEX, FLOATS, FLOATS_DOUBLE, NUMBERS, REAL, REAL_BOOL, Dtypes, dtypes
from .format_steps import Formatted, NoPrivateFormat, any_format, public_formats
from .optional_steps import If
from .row import Output, Row, Trial
from .row_templates import binary, in_place, unary, with_number
from .shape_steps import FlatOrRankAtMost
from .steps import (
    Broadcast,
    Castable,
    CategoryCastable,
    CommonCastable,
    DoneIfEmpty,
    DtypeIn,
    FitsInPlace,
    Null,
    On950,
    Pointwise,
    RankAtMost,
    ResultType,
    ResultTypeIn,
    SameDtype,
    ShapeIs,
    ShapeOf,
    Step,
)

_ALPHA = Trial(values={"alpha": (1, 2, 0, -3)})
_NUMBER = Trial(values={"other": (2, 1, -3, 1.5, True), "alpha": (1, 2, -3)})

_add = binary("Add", NUMBERS, "add", scalars=("alpha",), trial=_ALPHA)
_adds = with_number("Adds", NUMBERS, "add_scalar", scalars=("alpha",), trial=_NUMBER)
_BOTH = ("self", "other")
_mul = Row(
    "Mul", "pointwise",
    (
        Null((*_BOTH, "out")),
        DtypeIn(NUMBERS, (*_BOTH, "out")),
        ResultType("common", _BOTH),
        If("!on_950()", Castable(("out",))),
        RankAtMost(8, _BOTH),
        Broadcast(_BOTH),
        ShapeIs(("out",)),
        DoneIfEmpty(_BOTH),
        Pointwise("mul", _BOTH),
    ),
    {"out": Output("broadcast self other", "common self other")},
)  # fmt: skip
#: Before the 950 a product may be cast to any output.
_muls = Row(
    "Muls", "pointwise",
    (
        Null((*_BOTH, "out")),
        DtypeIn(NUMBERS, ("self", "out")),
        CategoryCastable(*_BOTH),
        ResultType("multiplied_by_number", (*_BOTH, "out")),
        ShapeOf("self"),
        ShapeIs(("out",)),
        DoneIfEmpty(("self",)),
        Pointwise("mul_scalar", ("self",), ("other",)),
    ),
    {"out": Output("like self", "multiplied_by_number self other")},
    _NUMBER,
)  # fmt: skip

#: What in-place operators on two tensors look at before all else.
_FITS = (Null(("selfRef", "other")), FitsInPlace(("selfRef", "other")))

_exp = unary(
    "Exp", dtypes("float32 float16 float64 complex64 complex128 bool int64", "bfloat16"), "exp",
    type=("float_of", "self"), trial=Trial(low=-8, high=8),
)  # fmt: skip


def _subtraction(accepted: Dtypes, reverse: bool) -> tuple[Row, ...]:
    name, formula = ("Rsub", "rsub") if reverse else ("Sub", "sub")
    tensors = binary(name, accepted, formula, scalars=("alpha",), trial=_ALPHA)
    if reverse:
        trial = Trial(values={"other": (2, 1, -3, 1.5), "alpha": (1, 2, -3)})
        return tensors, with_number(
            "Rsubs", accepted, "rsub_scalar", scalars=("alpha",), trial=trial,
            type=("subtracted_from_number", *_BOTH), numbers=accepted,
        )  # fmt: skip
    number = with_number("Subs", accepted, "sub_scalar", scalars=("alpha",), trial=_NUMBER)
    return tensors, in_place(tensors), number, in_place(number)


def _quotient() -> tuple[Row, ...]:
    """Integers are divided as float32, and their quotients may be cut off by an integer output."""
    tensors = Row(
        "Div", "pointwise",
        (
            Null(("self", "other", "out")),
            DtypeIn(NUMBERS, ("other", "self")),
            NoPrivateFormat(("self", "other", "out")),
            CommonCastable(("self", "other"), ("out",)),
            ResultType("common_float", ("self", "other")),
            On950(Castable(("out",))),
            RankAtMost(8, ("self", "other")),
            Broadcast(("self", "other")),
            ShapeIs(("out",)),
            DoneIfEmpty(("self", "other")),
            Pointwise("div", ("self", "other")),
        ),
        {"out": Output("broadcast self other", "common_float self other")},
        _DIVISOR,
    )  # fmt: skip
    number = Row(
        "Divs", "pointwise",
        (
            Null(("self", "other", "out")),
            NoPrivateFormat(("self", "out")),
            DtypeIn(NUMBERS, ("other", "self")),
            RankAtMost(8, ("self",)),
            ShapeOf("self"),
            ShapeIs(("out",)),
            CommonCastable(("self",), ("out",)),
            ResultType("quotient_by_scalar", ("self", "other")),
            On950(Castable(("out",))),
            DoneIfEmpty(("self",)),
            Pointwise("div_scalar", ("self",), ("other",)),
        ),
        {"out": Output("like self", "quotient_by_scalar self other")},
        Trial(values={"other": (2, 0.5, -4)}),
    )  # fmt: skip
    return tensors, in_place(tensors, first=_FITS), number, in_place(number)


def _extremum(name: str, formula: str) -> Row:
    row = binary(name, REAL_BOOL, formula)
    dtype, *rest = row.steps[1:]
    return replace(row, steps=(row.steps[0], dtype, DtypeIn(REAL_BOOL, ("out",)), *rest))


_THREE = ("self", "tensor1", "tensor2")


def _fused(
    name: str, accepted: Dtypes, formula: str, *checks: Step, trial: Trial,
    formats: Formatted = any_format,
) -> tuple[Row, Row]:  # fmt: skip
    """Rows of self + value * f(tensor1, tensor2), and of the same in place."""
    row = Row(
        name, "pointwise",
        (
            Null((*_THREE, "value", "out")),
            DtypeIn(accepted, _THREE),
            *formats(*_THREE, "out"),
            ResultType("common", ("tensor1", "tensor2", "self")),
            *checks,
            Castable(("out",)),
            RankAtMost(8, _THREE),
            Broadcast(_THREE),
            ShapeIs(("out",)),
            DoneIfEmpty(_THREE),
            Pointwise(formula, _THREE, ("value",)),
        ),
        {"out": Output("broadcast self tensor1 tensor2", "common tensor1 tensor2 self")},
        trial,
    )  # fmt: skip
    return row, in_place(row)


def _interpolation() -> tuple[Row, ...]:
    tensors = Row(
        "Lerp", "pointwise",
        (
            Null(("self", "end", "weight", "out")),
            DtypeIn(FLOATS, ("self",)),
            SameDtype(("self", "end", "weight", "out")),
            ResultType("same", ("self",)),
            Broadcast(("self", "end", "weight")),
            ShapeIs(("out",)),
            FlatOrRankAtMost(8, ("self", "end", "weight"), ("self", "end", "weight", "out")),
            DoneIfEmpty(("self", "end", "weight")),
            Pointwise("lerp", ("self", "end", "weight")),
        ),
        {"out": Output("broadcast self end weight", "same self")},
        Trial(low=0.1, high=0.9, edges=False),
    )  # fmt: skip
    number = Row(
        "Lerps", "pointwise",
        (
            Null(("self", "end", "weight", "out")),
            DtypeIn(FLOATS, ("self", "end")),
            SameDtype(("self", "end")),
            DtypeIn(FLOATS_DOUBLE, ("out",)),
            ResultType("same", ("self",)),
            Broadcast(("self", "end")),
            ShapeIs(("out",)),
            FlatOrRankAtMost(8, ("self", "end"), ("self", "end", "out")),
            DoneIfEmpty(("self", "end")),
            Pointwise("lerp_scalar", ("self", "end"), ("weight",)),
        ),
        {"out": Output("broadcast self end", "same self")},
        Trial(low=0.5, high=6, values={"weight": (0.25, 0.75, 1, 0)}, edges=False),
    )  # fmt: skip
    return tensors, in_place(tensors), number, in_place(number)


_REAL_COMPLEX = REAL | COMPLEX
#: Divisors stay away from zero, which edge values try.
_DIVISOR = Trial(low=0.25, high=9)

ROWS: tuple[Row, ...] = (
    _add,
    in_place(_add, first=_FITS),
    _adds,
    in_place(_adds),
    _mul,
    in_place(_mul, first=_FITS, without=(RankAtMost,)),
    _muls,
    in_place(_muls),
    _exp,
    in_place(_exp),
    *_subtraction(NUMBERS, reverse=False),
    *_subtraction(_REAL_COMPLEX, reverse=True),
    *_quotient(),
    _extremum("Maximum", "maximum"),
    _extremum("Minimum", "minimum"),
    *_fused(
        "Addcmul",
        dtypes("float32 int32 int64 float16 int8 uint8 float64", "bfloat16"),
        "addcmul",
        ResultTypeIn(dtypes("float32 int32 int64 float16 int8 uint8 float64", "bfloat16")),
        trial=Trial(values={"value": (1, 2, -3)}, edges=False),
        formats=public_formats,
    ),
    *_fused(
        "Addcdiv",
        dtypes("float32 int64 float16 float64", "bfloat16"),
        "addcdiv",
        trial=Trial(
            dtypes=("float32", "float16", "bfloat16", "float64"),
            low=0.25,
            high=9,
            values={"value": (1, 0.5, -3)},
            edges=False,
        ),
    ),
    *_interpolation(),
)
