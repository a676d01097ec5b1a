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
    Castable,
    Cpp,
    DoneIfEmpty,
    DtypeIn,
    Null,
    RankAtMost,
    ResultType,
    SameDtype,
    ShapeIs,
    ShapeOf,
    That,
)

_INCLUDE = ("pointwise/gated.hpp", "common/kernel_checks.hpp")
_FORMULAS = (
    "const auto& formula = approximate == 1 ? formulas::gelu_tanh_mul : formulas::gelu_mul;",
    "const auto& gelu = approximate == 1 ? formulas::gelu_tanh : formulas::gelu;",
)


def _geglu(name: str, left: str) -> Row:
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
            *(Cpp(f"check_half(check, {o}, self, axis);") for o in outs),
            That("approximate == 0 || approximate == 1", "approximate is %lld; it must be 0 or 1",
                 ("static_cast<long long>(approximate)",)),
            Cpp("if (self.is_empty() || self.rank() == 0) return;"),
            Cpp("check_kernel_exists(plan, config().has_bf16() || "
                "(on_310p() && approximate == 1));"),
            *map(Cpp, _FORMULAS),
            Cpp(f"gated(plan, formula, self, axis, !{left}, out);"),
            Cpp(f"half_through(plan, gelu, self, axis, !{left}, outGelu);"),
        ),
        dict.fromkeys(outs, half),
        include=_INCLUDE,
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
            Cpp("check_half(check, out, self, axis);"),
            DoneIfEmpty(("self",)),
            Cpp("gated(plan, formulas::glu, self, axis, false, out);"),
        ),
        {"out": Output("half self dim", "same self")},
        include=_INCLUDE,
    ),
    _geglu("GeGlu", "false"),
    _geglu("GeGluV3", "activateLeft"),
    Row(
        "SwiGlu", "activation",
        (
            Null(("x", "out")),
            Cpp("check_kernel_exists(plan, config().soc != Soc::kAscend910);"),
            DtypeIn(FLOATS, ("x", "out")),
            SameDtype(("x", "out")),
            Cpp("const std::size_t axis = swi_glu_axis(plan, x, dim);"),
            Cpp("check_half_inside(plan, out, x, axis);"),
            DoneIfEmpty(("x",)),
            Cpp("gated(plan, formulas::swi_glu, x, axis, false, out);"),
        ),
        {"out": Output("half x dim", "same x")},
        include=_INCLUDE,
    ),
    Row(
        "GeluMul", "activation",
        (
            Null(("input", "out")),
            Cpp("check_kernel_exists(plan, config().has_bf16());"),
            DtypeIn(FLOATS, ("input", "out")),
            SameDtype(("input", "out")),
            Cpp("const bool tanh = approximateOptional.given() && "
                'approximateOptional.text == "tanh";'),
            Cpp("check_tiling(plan, tanh || !approximateOptional.given() || "
                'approximateOptional.text == "none", "approximate must be none or tanh");'),
            Cpp("const std::size_t axis = swi_glu_axis(plan, input, -1);"),
            Cpp("check_half_inside(plan, out, input, axis);"),
            DoneIfEmpty(("input",)),
            Cpp("gated(plan, tanh ? formulas::gelu_tanh_mul : formulas::gelu_mul, input, axis, "
                "false, out);"),
        ),
        {"out": Output("half_of_last input", "same input")},
        include=_INCLUDE,
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
            Cpp("prelu(plan, self, weight, result_type, out);"),
        ),
        {"out": Output("like self", "common self weight")},
        include=_INCLUDE,
    ),
)  # fmt: skip
