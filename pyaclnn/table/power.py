"""Powers, angles of two coordinates, and clamps to tensors.

Sources are ``aclnn_pow.cpp``, ``aclnn_pow_tensor_tensor.cpp``, ``aclnn_atan2.cpp`` and
``aclnn_clamp.cpp`` of CANN 9.0.
"""

from __future__ import annotations

from dataclasses import replace

from .dtypes import NUMBERS, REAL, REAL_BOOL
from .row import Output, Row, Trial
from .row_templates import in_place
from .steps import (
    Broadcast,
    Call,
    Castable,
    CommonCastable,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    Null,
    On950,
    Pointwise,
    RankAtMost,
    ResultType,
    ResultTypeIn,
    ShapeIs,
    ShapeOf,
    Step,
    That,
    ThatGiven,
)

_BOTH = ("self", "exponent")
_POWERS = Trial(
    low=0.1, high=4, values={"exponent": (3, 2, 0.5, -1.0, -0.5, 0), "self": (3, 2, 0.5, 1)}
)
_NUMBERS_BUT_BOOL = tuple(d for d in NUMBERS.on("newer") if d != "bool")
_TWO_BOOLS = "two bools have no power"


def _with_number(
    name: str, rule: str, formula: str, *checks: Step, tensor: str, choice: str = ""
) -> Row:
    number = "exponent" if tensor == "self" else "self"
    return Row(
        name, "pointwise",
        (
            Null((*_BOTH, "out")),
            DtypeIn(NUMBERS, _BOTH),
            CommonCastable(_BOTH, ("out",)),
            ResultType(rule, (tensor, number, "out")),
            That(f"{tensor}.dtype() != ACL_BOOL || {number}->dtype() != ACL_BOOL", _TWO_BOOLS),
            Castable(("out",)),
            RankAtMost(8, (tensor,)),
            ShapeOf(tensor),
            ShapeIs(("out",)),
            DoneIfEmpty((tensor,)),
            *checks,
            Pointwise(formula, (tensor,), (number,), choice=choice),
        ),
        {"out": Output(f"like {tensor}", f"{rule} {tensor} {number}")},
        _POWERS,
    )  # fmt: skip


_tensors = Row(
    "PowTensorTensor", "pointwise",
    (
        Null((*_BOTH, "out")),
        That("self.dtype() != ACL_BOOL || exponent.dtype() != ACL_BOOL", _TWO_BOOLS),
        DtypeIn(NUMBERS, _BOTH),
        ResultType("common", _BOTH),
        Castable(("out",)),
        RankAtMost(8, _BOTH),
        Broadcast(_BOTH),
        ShapeIs(("out",)),
        DoneIfEmpty(_BOTH),
        Pointwise("power", _BOTH),
    ),
    {"out": Output("broadcast self exponent", "common self exponent")},
    replace(_POWERS, dtypes=_NUMBERS_BUT_BOOL),
)  # fmt: skip
_by_number = _with_number(
    "PowTensorScalar", "power_of_tensor", "power_scalar",
    On950(Call("check_exponent", "check result_type exponent")),
    tensor="self",
    choice="formula_of_power(exponent)",
)  # fmt: skip

_COORDINATES = ("self", "other")
_atan2 = Row(
    "Atan2", "pointwise",
    (
        Null((*_COORDINATES, "out")),
        DtypeIn(REAL_BOOL, _COORDINATES),
        ResultType("common_float", _COORDINATES),
        RankAtMost(8, _COORDINATES),
        Broadcast(_COORDINATES),
        ShapeIs(("out",)),
        DoneIfEmpty(_COORDINATES),
        Pointwise("atan2", _COORDINATES),
    ),
    {"out": Output("broadcast self other", "common_float self other")},
)  # fmt: skip


def _bound(name: str, bound: str, formula: str) -> Row:
    """Make the row of a clamp to one tensor, which is looked at before the others."""
    both = ("self", bound)
    return Row(
        name, "pointwise",
        (
            Null((bound, "self", "out")),
            DtypeIn(REAL, ("self", "out")),
            RankAtMost(8, ("self", "out", bound)),
            DoneIfEmpty(both),
            ResultType("common", both),
            Castable(("out",)),
            ResultTypeIn(REAL),
            Broadcast(both),
            ShapeIs(("out",)),
            Pointwise(formula, both),
        ),
        {"out": Output(f"broadcast self {bound}", f"common self {bound}")},
    )  # fmt: skip


_BOUNDS = ("clipValueMin", "clipValueMax")
_clamp = Row(
    "ClampTensor", "pointwise",
    (
        Null(("self", "out")),
        ThatGiven("clipValueMin.given() || clipValueMax.given()", "every bound"),
        DtypeIn(REAL, ("self", "out")),
        RankAtMost(8, ("self", "out")),
        DoneIf("!clipValueMin.given()",
               Call("clamp_to_one", "check plan formulas::minimum self clipValueMax out")),
        DoneIf("!clipValueMax.given()",
               Call("clamp_to_one", "check plan formulas::maximum self clipValueMin out")),
        RankAtMost(8, _BOUNDS),
        DoneIfEmpty(("self", *_BOUNDS)),
        ResultType("common", ("self", *_BOUNDS)),
        Castable(("out",)),
        ResultTypeIn(REAL),
        Broadcast(("self", *_BOUNDS)),
        ShapeIs(("out",)),
        Pointwise("clamp_tensor", ("self", *_BOUNDS)),
    ),
    {"out": Output("broadcast_of_given self clipValueMin clipValueMax",
                   "common_of_given self clipValueMin clipValueMax")},
)  # fmt: skip
_clamp_min = _bound("ClampMinTensor", "clipValueMin", "maximum")
_clamp_max = _bound("ClampMaxTensor", "max", "minimum")

ROWS: tuple[Row, ...] = (
    _by_number,
    in_place(_by_number, ref="self"),
    _with_number("PowScalarTensor", "power_of_number", "power_of_scalar", tensor="exponent"),
    _tensors,
    in_place(_tensors, ref="self"),
    _atan2,
    in_place(_atan2),
    _clamp,
    _clamp_min,
    in_place(_clamp_min),
    _clamp_max,
    in_place(_clamp_max),
)
