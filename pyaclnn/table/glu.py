"""Gated linear units, whose input is two halves, and the parametric rectifier.

Sources are ``aclnn_glu.cpp``, ``aclnn_geglu.cpp`` and ``aclnn_prelu.cpp`` of CANN 9.0, and the
documents of SwiGlu and GeluMul, which come as they are generated from their kernels.
"""

from __future__ import annotations

from .dtypes import FLOATS, FLOATS_DOUBLE
from .optional_steps import If
from .row import Output, Row
from .shape_steps import Axis
from .steps import (
    Call,
    Castable,
    Cpp,
    Divides,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    Kernel,
    KernelExists,
    Null,
    OnlyOn,
    RankAtMost,
    ResultType,
    SameDtype,
    ShapeIs,
    ShapeOf,
    That,
)


def _geglu(name: str) -> Row:
    """Make the row of a half times gelu of the other, which is a result, too."""
    outs = ("out", "outGelu")
    half = Output("half self dim", "same self")
    return Row(
        name, "activation",
        (
            Null(("self", *outs)),
            DtypeIn(FLOATS, ("self", *outs)),
            If("!self.is_empty() && self.rank() > 0", SameDtype(("self", *outs))),
            RankAtMost(8, ("self", *outs)),
            Axis(),
            *(Call("check_half", f"check {o} self axis") for o in outs),
            That("approximate == 0 || approximate == 1", "approximate is %lld; it must be 0 or 1",
                 ("static_cast<long long>(approximate)",)),
            DoneIf("self.is_empty() || self.rank() == 0"),
            KernelExists("chip().has_bf16() || (on_310p() && approximate == 1)"),
            Kernel("ge_glu", of="GeGluV3"),
        ),
        dict.fromkeys(outs, half),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    Row(
        "Glu", "activation",
        (
            Null(("self", "out")),
            DtypeIn(FLOATS_DOUBLE, ("self", "out")),
            ResultType("same", ("self",)),
            Castable(("out",)),
            RankAtMost(8, ("self", "out")),
            Axis(),
            Call("check_half", "check out self axis"),
            DoneIfEmpty(("self",)),
            Call("gated", "plan formulas::glu self axis false out"),
        ),
        {"out": Output("half self dim", "same self")},
    ),
    _geglu("GeGlu"),
    _geglu("GeGluV3"),
    Row(
        "SwiGlu", "activation",
        (
            Null(("x", "out")),
            OnlyOn(("310P", "A2", "950"), inside=True),
            DtypeIn(FLOATS, ("x", "out")),
            SameDtype(("x", "out")),
            Call("swi_glu_axis", "plan x dim", "axis"),
            Call("check_half_inside", "plan out x axis"),
            DoneIfEmpty(("x",)),
            Call("gated", "plan formulas::swi_glu x axis false out"),
        ),
        {"out": Output("half x dim", "same x")},
    ),
    Row(
        "GeluMul", "activation",
        (
            Null(("input", "out")),
            OnlyOn(("A2", "950"), inside=True),
            DtypeIn(FLOATS, ("input", "out")),
            SameDtype(("input", "out")),
            Divides('!approximateOptional.given() || approximateOptional.text == "tanh" || '
                    'approximateOptional.text == "none"', "approximate must be none or tanh"),
            Call("swi_glu_axis", "plan input -1", "axis"),
            Call("check_half_inside", "plan out input axis"),
            DoneIfEmpty(("input",)),
            Kernel("gelu_mul"),
        ),
        {"out": Output("half_of_last input", "same input")},
    ),
    Row(
        "Prelu", "activation",
        (
            Null(("self", "weight", "out")),
            DtypeIn(FLOATS, ("self", "weight", "out")),
            ResultType("common", ("self", "weight")),
            Castable(("out",)),
            RankAtMost(8, ("self", "weight", "out")),
            ShapeOf("self"),
            ShapeIs(("out",)),
            That("weight.elements() == 1 || "
                 "weight.elements() == (self.rank() > 1 ? self.shape()[1] : 1)",
                 "weight has %lld elements; it must have one, or one for each channel",
                 ("static_cast<long long>(weight.elements())",)),
            DoneIfEmpty(("self", "weight")),
            Call("prelu", "plan self weight result_type out"),
        ),
        {"out": Output("like self", "common self weight")},
    ),
    Row(
        "FatreluMul", "activation",
        (
            Null(("input", "threshold", "out")),
            OnlyOn(("A2",), inside=True),
            DtypeIn(FLOATS, ("input", "threshold", "out")),
            SameDtype(("input", "threshold", "out")),
            Call("check_fatrelu", "plan input threshold"),
            Cpp("check_half_inside(plan, out, input, input.rank() - 1);"),
            DoneIfEmpty(("input",)),
            Call("fatrelu_mul", "plan input threshold out"),
        ),
        {"out": Output("half_of_last input", "same input")},
        missing=("a threshold that is NaN or infinite, which its document excludes",),
    ),
)  # fmt: skip
