"""Gated units of rows that are halved or taken in pairs, groups of rows, and their gradients.

Most come as CANN 9.0 generates them from their kernels: documents and tilings are the sources, and
``aclnn_swiglu_group_grad.cpp``.
"""

from __future__ import annotations

from .dtypes import FLOATS, Dtypes, dtypes
from .optional_steps import If, if_given
from .row import Output, Row
from .steps import (
    LATE_950,
    Call,
    Cpp,
    Divides,
    DoneIfEmpty,
    DtypeIn,
    Null,
    OnlyOn,
    RankAtMost,
    SameDtype,
    Step,
    Struct,
    That,
)

_FAMILY = "activation"
_CLIPPED = "{float(alpha), float(limit), float(bias)}"
_SITU = "{1, kNoLimit, 0, float(beta), float(linearBeta)}"
_LIMITED = Divides(
    "!(float(limit) <= 0)", "limit is %g, it must be positive", ("double(limit)",)
)  # fmt: skip
_AXIS = Call("swi_glu_axis", "plan x dim", "axis")
_HALF = Call("check_half_inside", "plan out x axis")
_HALF_GRAD = Call("check_half_inside", "plan gradY x axis")
_GROUPS = If("groupIndexOptional.given()", DtypeIn(Dtypes(("int64",)), ("groupIndexOptional",)))


def _dense(*names: str) -> Step:
    """Return the step of operands that are no views."""
    return Call("check_dense", f"check {{{', '.join('&' + name for name in names)}}}")


def _call(gate: str, numbers: str, interleaved: str = "false", swapped: str = "false") -> Step:
    return Struct("GatedRows", f"{gate} {numbers} axis {interleaved} {swapped}", "call")


def _generated(tensors: tuple[str, ...], chips: tuple[str, ...], *dense: str) -> tuple[Step, ...]:
    """Return what a generated operator looks at first; ``dense`` operands are no views."""
    return (
        Null(tensors),
        OnlyOn(chips, inside=True),
        DtypeIn(FLOATS, tensors),
        SameDtype(tensors),
        RankAtMost(8, tensors),
        _dense(*dense),
    )


def _clipped(name: str, chips: tuple[str, ...], gate: str, *checks: Step, dense: tuple[str, ...],
             most: Step) -> Row:  # fmt: skip
    return Row(
        name, _FAMILY,
        (
            *_generated(("x", "out"), chips, *dense),
            _GROUPS,
            *checks,
            _AXIS,
            most,
            _HALF,
            DoneIfEmpty(("x",)),
            _call(gate, _CLIPPED, "interleaved"),
            Call("gated_rows", "plan call x nullptr &groupIndexOptional out"),
        ),
        {"out": Output("half x dim", "same x")},
    )  # fmt: skip


#: Counts that a kernel has room for: on Atlas A2 beside the rows in 192 KiB.
_MOST_A2, _MOST_950 = (
    Call("check_groups", f"plan groupIndexOptional {most}") for most in ("12150", "8192")
)

ROWS: tuple[Row, ...] = (
    _clipped("ClippedSwiglu", ("A2", LATE_950), "SwigluGate::kClipped",
             dense=("x", "groupIndexOptional", "out"), most=If("on_950()", _MOST_950, _MOST_A2)),
    _clipped(
        "ClippedSwigluV2", ("950",), "clipped_gate(clampMode)",
        _LIMITED,
        Divides("clampMode == 0 || clampMode == 1", "clampMode is %lld, it must be 0 or 1",
                ("static_cast<long long>(clampMode)",)),
        dense=("out",), most=_MOST_950,
    ),
    Row(
        "ClippedSwigluGrad", _FAMILY,
        (
            *_generated(("gradY", "x", "gradXOut"), ("A2", "950"),
                        "gradY", "x", "groupIndexOptional", "gradXOut"),
            _GROUPS,
            _LIMITED,
            _AXIS,
            _HALF_GRAD,
            Call("check_groups", "plan groupIndexOptional INT64_MAX"),
            Divides("gradXOut.shape() == x.shape()", "gradXOut has shape %s, x %s",
                    ("gradXOut.shape().text().c_str()", "x.shape().text().c_str()")),
            Call("check_not_empty", "plan x"),
            _call("SwigluGate::kClipped", _CLIPPED, "interleaved"),
            Call("gated_rows_backward", "plan call gradY x nullptr &groupIndexOptional gradXOut"),
        ),
        {"gradXOut": Output("like x", "same x")},
    ),
    Row(
        "SwigluGroup", _FAMILY,
        (
            *_generated(("x", "out"), ("950",),
                        "x", "weightOptional", "groupIndexOptional", "out"),
            Call("swi_glu_axis", "plan x -1", "axis"),
            Call("check_not_empty", "plan x"),
            Call("check_row_weights", "plan weightOptional x"),
            Call("check_groups", "plan groupIndexOptional INT64_MAX"),
            Call("limit_or_none", "clampLimit -1", "limit"),
            Divides("limit > 0", "clampLimit is %g, it must be positive, or -1",
                    ("double(limit)",)),
            _HALF,
            _call("SwigluGate::kClipped", "{1, limit, 0}"),
            Call("gated_rows", "plan call x &weightOptional &groupIndexOptional out"),
        ),
        {"out": Output("half_of_last x", "same x")},
    ),
    Row(
        "SwigluGroupGrad", _FAMILY,
        (
            Null(("gradY", "x", "gradXOut")),
            if_given("weightOptional", Null(("gradWeightOutOptional",))),
            That("weightOptional.given() == yOriginOptional.given()",
                 "weightOptional and yOriginOptional must be given together"),
            That("clampLimit >= 0", "clampLimit is %g, it must not be negative",
                 ("double(clampLimit)",)),
            DtypeIn(FLOATS, ("gradY", "x")),
            SameDtype(("gradY", "x", "gradXOut")),
            if_given("weightOptional", DtypeIn(dtypes("float32"), ("weightOptional",))),
            if_given("yOriginOptional", SameDtype(("gradY", "yOriginOptional"))),
            _GROUPS,
            if_given("gradWeightOutOptional",
                     DtypeIn(dtypes("float32"), ("gradWeightOutOptional",))),
            Call("check_swiglu_group_grad",
                 "check gradY x weightOptional yOriginOptional groupIndexOptional gradXOut "
                 "gradWeightOutOptional"),
            DoneIfEmpty(("gradY",)),
            OnlyOn(("950",), late=True),
            Cpp("const std::size_t axis = x.rank() - 1;"),
            Call("limit_or_none", "clampLimit 0", "limit"),
            _call("SwigluGate::kClippedInside", "{1, limit, 0}"),
            Call("gated_rows_backward",
                 "plan call gradY x &weightOptional &groupIndexOptional gradXOut"),
            If("weightOptional.given()",
               Call("row_products", "plan gradY yOriginOptional gradWeightOutOptional")),
        ),
        {
            "gradXOut": Output("like x", "same x"),
            "gradWeightOutOptional": Output("like_given weightOptional", "float32"),
        },
    ),
    Row(
        "SituGlu", _FAMILY,
        (
            *_generated(("x", "out"), ("A2", "950"), "out"),
            _AXIS,
            _HALF,
            DoneIfEmpty(("x",)),
            _call("SwigluGate::kSitu", _SITU, swapped="!activateLeft"),
            Call("gated_rows", "plan call x nullptr nullptr out"),
        ),
        {"out": Output("half x dim", "same x")},
    ),
    Row(
        "SituGluGrad", _FAMILY,
        (
            *_generated(("gradY", "x", "out"), ("A2", "950"), "out"),
            _AXIS,
            _HALF_GRAD,
            Divides("out.shape() == x.shape()", "out has shape %s, x %s",
                    ("out.shape().text().c_str()", "x.shape().text().c_str()")),
            DoneIfEmpty(("x",)),
            _call("SwigluGate::kSitu", _SITU, swapped="!activateLeft"),
            Call("gated_rows_backward", "plan call gradY x nullptr nullptr out"),
        ),
        {"out": Output("like x", "same x")},
    ),
)  # fmt: skip
