"""Gradients of gated activations, and of those with a parameter that is learned.

Their kernels are in ``opapi/activation/activation.hpp``.
"""

from __future__ import annotations

from .dtypes import FLOATS, FLOATS_DOUBLE
from .row import Output, Row
from .steps import (
    Cpp,
    DoneIfEmpty,
    DtypeIn,
    Null,
    OnlyOn,
    RankAtMost,
    SameDtype,
    SameShape,
    That,
)

_FAMILY = "activation"
_INCLUDE = (
    "activation/activation.hpp", "common/format.hpp", "common/kernel_checks.hpp",
    "pointwise/gated.hpp",
)  # fmt: skip
_AXIS = Cpp("const std::size_t axis = check.dim_of(self, dim);")


def _geglu(name: str, left: str) -> Row:
    """Make the row of the gradient of a half times gelu of the other."""
    return Row(
        name, _FAMILY,
        (
            Null(("gradOutput", "self", "gelu", "gradInput")),
            DtypeIn(FLOATS, ("gradOutput",)),
            SameDtype(("gradOutput", "self", "gelu", "gradInput")),
            SameShape(("gradOutput", "gelu")),
            SameShape(("self", "gradInput")),
            _AXIS,
            Cpp("check_half(check, gradOutput, self, axis);"),
            That("approximate == 0 || approximate == 1",
                 "approximate is %lld, it must be 0 (erf) or 1 (tanh)",
                 ("static_cast<long long>(approximate)",)),
            DoneIfEmpty(("gradOutput",)),
            Cpp("const bool tanh = approximate == 1;"),
            Cpp("check_kernel_exists(plan, config().has_bf16() || (on_310p() && tanh));"),
            Cpp(f"geglu_gradient(plan, gradOutput, self, gelu, axis, tanh, {left}, gradInput);"),
        ),
        {"gradInput": Output("like self", "same self")},
        include=_INCLUDE,
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    Row(
        "GluBackward", _FAMILY,
        (
            Null(("self", "gradOut", "out")),
            DtypeIn(FLOATS_DOUBLE, ("self",)),
            SameDtype(("self", "gradOut", "out")),
            RankAtMost(8, ("self", "out", "gradOut")),
            That("self.rank() > 0", "self has no dimension to halve"),
            _AXIS,
            Cpp("check_half(check, gradOut, self, axis);"),
            SameShape(("self", "out")),
            DoneIfEmpty(("self",)),
            Cpp("glu_gradient(plan, gradOut, self, axis, out);"),
        ),
        {"out": Output("like self", "same self")},
        include=_INCLUDE,
    ),
    Row(
        "SwiGluGrad", _FAMILY,
        (
            Null(("yGrad", "x", "out")),
            OnlyOn(("310P", "A2", "950"), inside=True),
            DtypeIn(FLOATS, ("yGrad", "x", "out")),
            SameDtype(("x", "yGrad", "out")),
            Cpp("check_formats(check, yGrad, x, out);"),
            Cpp("const std::size_t axis = swi_glu_axis(plan, x, dim);"),
            Cpp("check_swi_glu_gradient(plan, yGrad, x, axis, out);"),
            DoneIfEmpty(("x",)),
            Cpp("swi_glu_gradient(plan, yGrad, x, axis, out);"),
        ),
        {"out": Output("like x", "same x")},
        include=_INCLUDE,
    ),
    _geglu("GeGluBackward", "false"),
    _geglu("GeGluV3Backward", "activateLeft"),
    Row(
        "PreluBackward", _FAMILY,
        (
            Null(("gradOutput", "self", "weight", "gradInput", "gradWeight")),
            DtypeIn(FLOATS, ("self",)),
            SameDtype(("self", "gradOutput", "weight", "gradInput", "gradWeight")),
            RankAtMost(8, ("gradOutput", "self", "weight", "gradInput", "gradWeight")),
            SameShape(("self", "gradInput")),
            Cpp("check_prelu_weight(check, self, weight, gradWeight);"),
            That("check.broadcast(self, gradOutput) == self.shape()",
                 "gradOutput of shape %s does not broadcast to self's %s",
                 ("gradOutput.shape().text().c_str()", "self.shape().text().c_str()")),
            DoneIfEmpty(("gradOutput", "self", "weight")),
            Cpp("prelu_gradient(plan, gradOutput, self, weight, gradInput, gradWeight);"),
        ),
        {
            "gradInput": Output("like self", "same self"),
            "gradWeight": Output("slopes weight", "same weight"),
        },
        include=_INCLUDE,
    ),
)  # fmt: skip
