"""Gradients of gated activations, and of those with a parameter that is learned.

Their kernels are in ``opapi/activation/activation.hpp``.
"""

from __future__ import annotations

from .dtypes import FLOATS, FLOATS_DOUBLE
from .row import Output, Row
from .shape_steps import Axis, Formats
from .steps import (
    Call,
    DoneIfEmpty,
    DtypeIn,
    Kernel,
    KernelExists,
    Null,
    OnlyOn,
    RankAtMost,
    SameDtype,
    SameShape,
    Step,
    That,
)


def _row(name: str, *steps: Step, **outputs: str) -> Row:
    """Make a row whose outputs are like the tensors that are named, if no shape is."""
    found = {
        out: Output(of if " " in of else f"like {of}", f"same {of.split()[-1]}")
        for out, of in outputs.items()
    }
    return Row(name, "activation", steps, found)


def _geglu(name: str, left: str) -> Row:
    """Make the row of the gradient of a half times gelu of the other."""
    return _row(
        name,
        Null(("gradOutput", "self", "gelu", "gradInput")),
        DtypeIn(FLOATS, ("gradOutput",)),
        SameDtype(("gradOutput", "self", "gelu", "gradInput")),
        SameShape(("gradOutput", "gelu")),
        SameShape(("self", "gradInput")),
        Axis(),
        Call("check_half", "check gradOutput self axis"),
        That("approximate == 0 || approximate == 1",
             "approximate is %lld, it must be 0 (erf) or 1 (tanh)",
             ("static_cast<long long>(approximate)",)),
        DoneIfEmpty(("gradOutput",)),
        KernelExists("chip().has_bf16() || (on_310p() && approximate == 1)"),
        Call("geglu_gradient", f"plan gradOutput self gelu axis approximate {left} gradInput"),
        gradInput="self",
    )  # fmt: skip


_PRELU = ("gradOutput", "self", "weight", "gradInput", "gradWeight")

ROWS: tuple[Row, ...] = (
    _row(
        "GluBackward",
        Null(("self", "gradOut", "out")),
        DtypeIn(FLOATS_DOUBLE, ("self",)),
        SameDtype(("self", "gradOut", "out")),
        RankAtMost(8, ("self", "out", "gradOut")),
        That("self.rank() > 0", "self has no dimension to halve"),
        Axis(),
        Call("check_half", "check gradOut self axis"),
        SameShape(("self", "out")),
        DoneIfEmpty(("self",)),
        Call("glu_gradient", "plan gradOut self axis out"),
        out="self",
    ),
    _row(
        "SwiGluGrad",
        Null(("yGrad", "x", "out")),
        OnlyOn(("310P", "A2", "950"), inside=True),
        DtypeIn(FLOATS, ("yGrad", "x", "out")),
        SameDtype(("x", "yGrad", "out")),
        Formats(("yGrad", "x", "out")),
        Call("swi_glu_axis", "plan x dim", "axis"),
        Call("check_swi_glu_gradient", "plan yGrad x axis out"),
        DoneIfEmpty(("x",)),
        Call("swi_glu_gradient", "plan yGrad x axis out"),
        out="x",
    ),
    _geglu("GeGluBackward", "false"),
    _geglu("GeGluV3Backward", "activateLeft"),
    _row(
        "PreluBackward",
        Null(_PRELU),
        DtypeIn(FLOATS, ("self",)),
        SameDtype(("self", "gradOutput", "weight", "gradInput", "gradWeight")),
        RankAtMost(8, _PRELU),
        SameShape(("self", "gradInput")),
        Call("check_prelu_weight", "check self weight gradWeight"),
        That("check.broadcast(self, gradOutput) == self.shape()",
             "gradOutput of shape %s does not broadcast to self's %s",
             ("gradOutput.shape().text().c_str()", "self.shape().text().c_str()")),
        DoneIfEmpty(("gradOutput", "self", "weight")),
        Kernel("prelu_gradient"),
        gradInput="self", gradWeight="slopes weight",
    ),
)  # fmt: skip
