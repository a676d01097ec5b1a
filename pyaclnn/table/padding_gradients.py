"""Gradients of padding with copies of elements."""

from __future__ import annotations

from .dtypes import COMPLEX, Dtypes, dtypes
from .row import Output, Row
from .shape_steps import Formats, SameRank, Spatial
from .steps import Call, DoneIf, DtypeIn, Inside, Null, SameDtype, SameShape, Step

_TENSORS = ("gradOutput", "self", "gradInput")
_NULL = Null(("gradOutput", "self", "padding", "gradInput"))
_NULL_OF_IMAGES = Null(("self", "gradOutput", "gradInput", "padding"))
#: CANN answers a missing argument with an inner error here.
_NULL_INSIDE = Inside(
    "gradOutput.given() && self.given() && padding.given() && gradInput.given()",
    "gradOutput, self, padding or gradInput is null",
)

#: Chips before A2 take bfloat16, too, and find no kernel for it.
_COPIED = dtypes("float32 float16 bfloat16 float64") | COMPLEX
_WRAPPED = dtypes("float32 float16 bfloat16")


def _pad(name: str, null: Step, accepted: Dtypes, mode: str, axes: int, *checks: Step) -> Row:
    """Make the row of a gradient of padding the last axes with copies of elements."""
    return Row(
        name, "padding",
        (
            null,
            DtypeIn(accepted, _TENSORS),
            SameDtype(("self", "gradOutput", "gradInput")),
            Formats(_TENSORS),
            SameShape(("self", "gradInput")),
            Spatial(axes, ("self",)),
            SameRank(("self", "gradOutput")),
            Call("check_padding", f"check self padding PadMode::{mode} {axes}"),
            *checks,
            Call("check_padded", "check gradOutput self padding"),
            DoneIf("gradOutput.is_empty() || self.is_empty()",
                   Call("check_empty_pad", f"check self PadMode::{mode} {axes}")),
            Call("pad_gradient", f"plan gradOutput self padding gradInput PadMode::{mode}"),
        ),
        {"gradInput": Output("like self", "same self")},
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    *(
        _pad(f"{kind}Pad{axes}dBackward", null, _COPIED, mode, axes, *checks)
        for kind, mode in (("Reflection", "kReflect"), ("Replication", "kEdge"))
        for axes, null, checks in (
            (1, _NULL, ()),
            (2, _NULL_OF_IMAGES, (Call("check_bf16_padding", "check self padding"),)),
            (3, _NULL, ()),
        )
    ),
    _pad("CircularPad2dBackward", _NULL, _WRAPPED, "kCircular", 2),
    _pad("CircularPad3dBackward", _NULL_INSIDE, _WRAPPED, "kCircular", 3),
)
