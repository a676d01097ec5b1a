"""Functions that few have need of: special functions, shifts, repairs of NaN, angles.

Sources are the files of these names under ``math/*/op_api`` of CANN 9.0, and the documents.
"""

from __future__ import annotations

from dataclasses import replace

from .dtypes import BOOL, FLOATS, FLOATS_DOUBLE, INTEGERS, REAL_BOOL, dtypes
from .format_steps import NoPrivateFormat, SameFormat, public_and_same
from .optional_steps import If, Since
from .row import Output, Row, Trial
from .row_templates import in_place
from .steps import (
    LATE_950,
    Broadcast,
    Call,
    Castable,
    CommonCastable,
    DoneIfEmpty,
    DtypeIn,
    ForKernel,
    Inside,
    Null,
    On950,
    OnlyOn,
    Pointwise,
    RankAtMost,
    ResultIs,
    ResultType,
    ResultTypeIn,
    SameDtype,
    ScalarCastable,
    ShapeIs,
    ShapeOf,
    Step,
    Steps,
    That,
)

_BOTH = ("self", "other")
_UNSIGNED = dtypes("uint16 uint32 uint64")
_ANY_INTEGER = INTEGERS | _UNSIGNED
_SINGLE_TYPES = dtypes("float32 int32 int64 float16 int8 uint8 bool int16", "bfloat16")
_REAL_TRIED = ("float32", "float16", "bfloat16", "int32", "int8", "bool")

_nan_to_num = Row(
    "NanToNum", "pointwise",
    (
        Null(("self", "out")),
        OnlyOn(("A2", "950")),
        SameDtype(("self", "out")),
        DtypeIn(dtypes("float16 float32 bfloat16 int8 int16 int32 int64 uint8 bool"), ("self",)),
        ResultType("same", ("self",)),
        RankAtMost(8, ("self",)),
        ShapeOf("self"),
        ShapeIs(("out",)),
        DoneIfEmpty(("self",)),
        Pointwise("nan_to_num", ("self",), ("nan", "posinf", "neginf")),
    ),
    {"out": Output("like self", "same self")},
    Trial(values={"nan": (0.5, -2.0), "posinf": (4.0, 9.0), "neginf": (-8.0, 1.0)}),
)  # fmt: skip

_gcd = Row(
    "Gcd", "pointwise",
    (
        Null((*_BOTH, "out")),
        That("self.dtype() != ACL_BOOL || other.dtype() != ACL_BOOL", "self and other are bools"),
        DtypeIn(_ANY_INTEGER, ("out",)),
        ResultType("common", _BOTH),
        ResultTypeIn(dtypes("int32 int16 int64", newest="uint8 int8")),
        If("chip().soc == Soc::kAscend910", ResultTypeIn(dtypes("int32"))),
        Castable(("out",)),
        RankAtMost(8, _BOTH),
        Broadcast(_BOTH),
        ShapeIs(("out",)),
        DoneIfEmpty(_BOTH),
        Pointwise("gcd", _BOTH),
    ),
    {"out": Output("broadcast self other", "common self other")},
    Trial(dtypes=("int32", "int16", "int64", "int8"), low=-60, high=60),
)  # fmt: skip

_SHIFTS = Trial(low=0, high=7, values={"shiftBits": (3, 0, 6)})


def _shift(name: str, formula: str, first: str, *checks: Step, choice: str = "") -> Row:
    both = (first, "shiftBits")
    return Row(
        name, "pointwise",
        (
            Null((*both, "out")),
            DtypeIn(_ANY_INTEGER, (*both, "out")),
            RankAtMost(8, both),
            Broadcast(both),
            ShapeIs(("out",)),
            *checks,
            DoneIfEmpty(both),
            ResultType("common", both),
            Castable(("out",)),
            Pointwise(formula, both, hidden=("std::int64_t(last_bit(result_type))",),
                      choice=choice),
        ),
        {"out": Output(f"broadcast {first} shiftBits", f"common {first} shiftBits")},
        _SHIFTS,
    )  # fmt: skip


_left_shifts = Row(
    "LeftShifts", "pointwise",
    (
        Null(("self", "shiftBits", "out")),
        DtypeIn(_ANY_INTEGER, ("self", "shiftBits", "out")),
        RankAtMost(8, ("self",)),
        ShapeOf("self"),
        ShapeIs(("out",)),
        NoPrivateFormat(("self", "out")),
        DoneIfEmpty(("self",)),
        ResultType("common", ("self", "shiftBits")),
        Castable(("out",)),
        Pointwise("left_shift_scalar", ("self",), ("shiftBits",),
                  hidden=("std::int64_t(last_bit(result_type))",)),
    ),
    {"out": Output("like self", "common self shiftBits")},
    replace(_SHIFTS, dtypes=("int64", "int32", "int16", "int8", "uint8")),
)  # fmt: skip


def _log_add_exp(name: str, formula: str) -> Row:
    """Operands are cast to the output's type."""
    return Row(
        name, "pointwise",
        (
            Null((*_BOTH, "out")),
            DtypeIn(REAL_BOOL | _UNSIGNED, _BOTH),
            DtypeIn(FLOATS, ("out",)),
            CommonCastable(("self",), ("out",)),
            CommonCastable(("other",), ("out",)),
            RankAtMost(8, _BOTH),
            Broadcast(_BOTH),
            ShapeIs(("out",)),
            If("on_950()", Since("9.1", Steps(public_and_same("out", *_BOTH)))),
            DoneIfEmpty(_BOTH),
            ResultType("same", ("out",)),
            Pointwise(formula, _BOTH),
        ),
        {"out": Output("broadcast self other", "common_single self other")},
        Trial(dtypes=(*_REAL_TRIED, "float64"), low=0.5, high=9),
    )  # fmt: skip


_xlogy = Row(
    "XLogYTensor", "pointwise",
    (
        Null((*_BOTH, "out")),
        DtypeIn(_SINGLE_TYPES, _BOTH),
        ResultType("common_float", _BOTH),
        RankAtMost(8, _BOTH),
        Broadcast(_BOTH),
        ShapeIs(("out",)),
        DoneIfEmpty(_BOTH),
        Pointwise("xlogy", _BOTH),
    ),
    {"out": Output("broadcast self other", "common_float self other")},
    Trial(low=1.25, high=9),
)  # fmt: skip


def _xlogy_number(name: str, formula: str, tensor: str, number: str) -> Row:
    return Row(
        name, "pointwise",
        (
            Null(("self", "other", "out")),
            DtypeIn(_SINGLE_TYPES, (tensor,)),
            DtypeIn(_SINGLE_TYPES | dtypes("float64"), (number,)),
            ResultType("common_single", (tensor, number)),
            Castable(("out",)),
            RankAtMost(8, (tensor,)),
            ShapeOf(tensor),
            ShapeIs(("out",)),
            DoneIfEmpty((tensor,)),
            Pointwise(formula, (tensor,), (number,)),
        ),
        {"out": Output(f"like {tensor}", f"common_single {tensor} {number}")},
        Trial(low=1.25, high=9, values={"self": (2, 0.5, -3, 0), "other": (2, 0.25, 1.5)}),
    )  # fmt: skip


_xlogy_other = _xlogy_number("XLogYScalarOther", "xlogy_scalar", "self", "other")

_round_decimals = Row(
    "RoundDecimals", "pointwise",
    (
        Null(("self", "out")),
        DtypeIn(FLOATS_DOUBLE | dtypes("int32 int64"), ("self", "out")),
        SameDtype(("out", "self")),
        ResultType("in_float32", ("self",)),
        RankAtMost(8, ("self",)),
        ShapeOf("self"),
        ShapeIs(("out",)),
        NoPrivateFormat(("self", "out")),
        DoneIfEmpty(("self",)),
        Pointwise("round_decimals", ("self",), ("decimals",), gives="self",
                  hidden=("power_of_ten(decimals)",)),
    ),
    {"out": Output("like self", "same self")},
    Trial(low=-90, high=90, values={"decimals": (0, 1, 2, -1)}, edges=False),
)  # fmt: skip


def _gamma(name: str, formula: str) -> Row:
    """Stay away from the zeros, where relative errors are the input's."""
    return Row(
        name, "pointwise",
        (
            Null(("self", "out")),
            SameDtype(("self", "out")),
            DtypeIn(dtypes("float64 float32 float16"), ("self",)),
            SameFormat(("self", "out")),
            ResultType("same", ("self",)),
            RankAtMost(8, ("self",)),
            ShapeOf("self"),
            ShapeIs(("out",)),
            DoneIfEmpty(("self",)),
            Pointwise(formula, ("self",)),
        ),
        {"out": Output("like self", "same self")},
        Trial(low=2.5, high=20, edges=False),
    )  # fmt: skip


_erfinv = Row(
    "Erfinv", "activation",
    (
        Null(("self", "out")),
        DtypeIn(FLOATS | INTEGERS | BOOL, ("self",)),
        ResultType("float_of", ("self",)),
        Castable(("out",)),
        ShapeOf("self"),
        ShapeIs(("out",)),
        RankAtMost(8, ("self",)),
        DoneIfEmpty(("self",)),
        Pointwise("erfinv", ("self",)),
    ),
    {"out": Output("like self", "float_of self")},
    Trial(low=-0.999, high=0.999),
)  # fmt: skip

_is_close = Row(
    "IsClose", "pointwise",
    (
        Null((*_BOTH, "out")),
        DtypeIn(REAL_BOOL, _BOTH),
        SameDtype(_BOTH),
        ResultType("exactly_real", ("self",)),
        RankAtMost(8, _BOTH),
        Broadcast(_BOTH),
        ShapeIs(("out",)),
        DoneIfEmpty(_BOTH),
        Call("check_stored_as", "plan ACL_BOOL out"),
        Pointwise("is_close", _BOTH, ("rtol", "atol", "equalNan"), gives="bool"),
    ),
    {"out": Output("broadcast self other", "bool")},
    Trial(outputs=False, values={
        "rtol": (0.25, 0.0), "atol": (0.5, 0.0, 3.0), "equalNan": (False, True),
    }),
)  # fmt: skip

_polar = Row(
    "Polar", "pointwise",
    (
        Null(("input", "angle", "out")),
        DtypeIn(dtypes("float32"), ("input",)),
        DtypeIn(dtypes("complex64"), ("out",)),
        DtypeIn(dtypes("float32"), ("angle",)),
        RankAtMost(8, ("input", "angle", "out")),
        Broadcast(("input", "angle")),
        ShapeIs(("out",)),
        Since("9.1", On950(Steps((
            SameFormat(("input", "out", "angle")), NoPrivateFormat(("input",)),
        )))),
        DoneIfEmpty(("input", "angle")),
        ResultIs("complex64"),
        Pointwise("polar", ("input", "angle")),
    ),
    {"out": Output("broadcast input angle", "complex64")},
    Trial(low=0.5, high=1.2, edges=False, outputs=False),
)  # fmt: skip

_angle = Row(
    "AngleV2", "pointwise",
    (
        Null(("x", "out")),
        OnlyOn(("910", "A2", LATE_950), inside=True),
        DtypeIn(
            dtypes("float16 float32 complex64 bool uint8 int8 int16 int32 int64",
                   newest="bfloat16"),
            ("x",),
        ),
        That("out.dtype() == (is_16_bit_float(x.dtype()) ? x.dtype() : ACL_FLOAT)",
             "out must be as x where that has 16 bits, and float32 for all others"),
        RankAtMost(8, ("x",)),
        ShapeOf("x"),
        ShapeIs(("out",)),
        DoneIfEmpty(("x",)),
        ResultType("float_of", ("x",)),
        Pointwise("angle", ("x",), gives="out"),
    ),
    {"out": Output("like x", "angle_of x")},
    Trial(outputs=False),
)  # fmt: skip


def _add_to_number(name: str, number: str, tensor: str, out: str, first: tuple[str, ...]) -> Row:
    outputs = {"out": Output("like other", "with_scalar other self")} if out == "out" else {}
    seen = (tensor, number) if out == tensor else (tensor, number, out)
    return Row(
        name, "pointwise",
        (
            Null(first),
            DtypeIn(dtypes("float32 int32 float16 bfloat16 int8"), (tensor,)),
            ResultType("added_to_number", seen),
            ScalarCastable(("alpha",)),
            Castable((out,)),
            RankAtMost(8, (tensor,)),
            ShapeOf(tensor),
            ShapeIs((out,)),
            DoneIfEmpty((tensor,)),
            Pointwise("add_of_scalar", (tensor,), (number, "alpha"), out=out),
        ),
        outputs,
        Trial(values={number: (2, -3, 1.5), "alpha": (1, 2, -3)}),
    )  # fmt: skip


_heaviside = Row(
    "Heaviside", "activation",
    (
        Null(("input", "values", "out")),
        DtypeIn(dtypes("float32 float16 bfloat16"), ("input", "values", "out")),
        ResultType("same", ("input",)),
        RankAtMost(8, ("input", "values")),
        Broadcast(("input", "values")),
        That("out.elements() == result_shape.product()", "out has %lld elements, the result %lld",
             ("static_cast<long long>(out.elements())",
              "static_cast<long long>(result_shape.product())")),
        DoneIfEmpty(("input", "values", "out")),
        OnlyOn(("A2", "950"), inside=True),
        Call("check_stored_as", "plan input.dtype() out"),
        Inside("same_or_one(out.shape(), result_shape)", "out has shape %s, the result %s",
               ("out.shape().text().c_str()", "result_shape.text().c_str()")),
        ForKernel((SameDtype(("input", "values")),)),
        Pointwise("heaviside", ("input", "values")),
    ),
    {"out": Output("broadcast input values", "same input")},
    Trial(outputs=False),
)  # fmt: skip

_xlog1py = Row(
    "Xlog1py", "pointwise",
    (
        Null(("x", "y", "z")),
        SameDtype(("x", "y", "z")),
        DtypeIn(FLOATS, ("x",)),
        RankAtMost(8, ("x", "y", "z")),
        DoneIfEmpty(("x", "y")),
        Call("check_broadcast_inside", "plan x y z"),
        OnlyOn(("950",), late=True),
        ResultType("same", ("x",)),
        Pointwise("xlog1py", ("x", "y"), out="z"),
    ),
    {"z": Output("broadcast x y", "same x")},
    Trial(low=-0.9, high=8),
)  # fmt: skip

ROWS: tuple[Row, ...] = (
    _nan_to_num,
    in_place(_nan_to_num),
    _gcd,
    _shift("LeftShift", "left_shift", "self", NoPrivateFormat(("self", "shiftBits", "out"))),
    _left_shifts,
    _shift(
        "RightShift", "right_shift", "input",
        choice="result_type == ACL_UINT64 ? formulas::unsigned_right_shift : formulas::right_shift",
    ),
    _log_add_exp("LogAddExp", "log_add_exp"),
    _log_add_exp("LogAddExp2", "log_add_exp2"),
    _xlogy,
    in_place(_xlogy),
    _xlogy_other,
    in_place(_xlogy_other),
    _xlogy_number("XLogYScalarSelf", "xlogy_of_scalar", "other", "self"),
    _round_decimals,
    in_place(_round_decimals),
    _gamma("Lgamma", "lgamma"),
    _gamma("Digamma", "digamma"),
    _erfinv,
    in_place(_erfinv),
    _is_close,
    _polar,
    _angle,
    _add_to_number("AddV3", "self", "other", "out", ("self", "other", "alpha", "out")),
    _add_to_number("InplaceAddV3", "selfRef", "other", "other", ("selfRef", "other", "alpha")),
    _heaviside,
    _xlog1py,
)  # fmt: skip
