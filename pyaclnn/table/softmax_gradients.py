"""Gradients of softmax."""

from __future__ import annotations

from .dtypes import BOOL, FLOATS, dtypes
from .optional_steps import If
from .row import Output, Row
from .shape_steps import Axis, Formats
from .steps import (
    Call,
    Cpp,
    DoneIfEmpty,
    DtypeIn,
    Kernel,
    Null,
    OnlyOn,
    RankAtMost,
    ResultType,
    SameDtype,
    SameShape,
    ShapeOf,
    Stage,
    Step,
    That,
)

_FLOATS_ALWAYS = dtypes("float32 float16 bfloat16")
_PAIR = ("gradOutput", "output")
_ALIKE = SameShape((*_PAIR, "out"))


def _along_axis(name: str, kind: str, operands: tuple[str, ...], *checks: Step) -> Row:
    """Make the row of a gradient along one axis; ``operands`` in the order they are looked at."""
    return Row(
        name, "softmax",
        (
            Null((*operands, "out")),
            DoneIfEmpty(_PAIR),
            DtypeIn(FLOATS, operands),
            SameDtype(operands),
            *checks,
            ResultType("same", ("gradOutput",)),
            ShapeOf("gradOutput"),
            Stage(_PAIR, "out", spreads=False),
            Call("launch_softmax_grad", f"plan SoftmaxKind::{kind} gradOutput output axis out"),
        ),
        {"out": Output("like output", "same output")},
    )  # fmt: skip


def _rows_at_most(longest: int) -> Step:
    row = "gradOutput.shape()[3]"
    return That(f"{row} <= {longest}", f"gradOutput has rows of %lld, at most {longest}",
                (f"static_cast<long long>({row})",))  # fmt: skip


ROWS: tuple[Row, ...] = (
    _along_axis(
        "SoftmaxBackward", "kPlain", _PAIR,
        Axis("gradOutput"), RankAtMost(8, ("gradOutput",)), _ALIKE,
    ),
    _along_axis(
        "LogSoftmaxBackward", "kLog", ("output", "gradOutput"),
        RankAtMost(8, _PAIR), _ALIKE, Axis("gradOutput"),
    ),
    Row(
        "ScaledMaskedSoftmaxBackward", "softmax",
        (
            Null(("gradOutput", "y", "mask", "out")),
            DtypeIn(_FLOATS_ALWAYS, ("gradOutput", "y")),
            DtypeIn(BOOL, ("mask",)),
            DtypeIn(_FLOATS_ALWAYS, ("out",)),
            Formats(("gradOutput", "y", "out", "mask")),
            That("gradOutput.rank() == 4", "gradOutput has %zu dimensions, it must have 4",
                 ("gradOutput.rank()",)),
            If("on_950()", _rows_at_most(8192), _rows_at_most(4096)),
            SameShape(("gradOutput", "y", "out")),
            Call("check_mask_of_rows", "check mask gradOutput.shape()"),
            That("!fixTriuMask", "fixTriuMask must be false"),
            OnlyOn(("310P", "A2", "950"), inside=True),
            DtypeIn(FLOATS, ("gradOutput",)),
            SameDtype(("gradOutput", "y")),
            Cpp('check_formats(check, format_row("InnerScaledMaskedSoftmaxGradV2"), '
                "{&gradOutput, &y, &out});"),
            DoneIfEmpty(("gradOutput",)),
            Kernel("scaled_masked_softmax_gradient"),
        ),
        {"out": Output("like gradOutput", "same gradOutput")},
    ),
)  # fmt: skip
