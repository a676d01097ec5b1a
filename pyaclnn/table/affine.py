"""Products and sums with operands that belong to some axes: scales, shifts, modulations.

Sources are ``aclnn_scale.cpp`` and ``aclnn_modulate.cpp`` of CANN 9.0.
"""

from __future__ import annotations

from .dtypes import FLOATS
from .optional_steps import if_given
from .row import Output, Row
from .steps import (
    Call,
    DoneIfEmpty,
    DtypeIn,
    Kernel,
    Null,
    OnlyOn,
    RankAtMost,
    SameDtype,
    SameShape,
)

_FAMILY = "pointwise"
_HAS_BF16 = ("A2", "950")


ROWS: tuple[Row, ...] = (
    Row(
        "Scale", _FAMILY,
        (
            Null(("x", "scale", "y")),
            OnlyOn(("A2", "950", "310P")),
            DtypeIn(FLOATS, ("x",)),
            if_given("bias", SameDtype(("scale", "bias"))),
            SameDtype(("x", "scale", "y")),
            SameShape(("x", "y")),
            if_given("bias", SameShape(("scale", "bias"))),
            RankAtMost(8, ("x", "scale")),
            Call("check_scale", "check x scale axis numAxes scaleFromBlob"),
            DoneIfEmpty(("x",)),
            Kernel("scale_along"),
        ),
        {"y": Output("like x", "same x")},
    ),
    Row(
        "Modulate", _FAMILY,
        (
            Null(("self", "out")),
            OnlyOn(_HAS_BF16),
            DtypeIn(FLOATS, ("self", "out")),
            *(if_given(name, SameDtype(("self", name)))
              for name in ("scaleOptional", "shiftOptional")),
            SameDtype(("self", "out")),
            Call("check_modulation", "check self scaleOptional shiftOptional out"),
            DoneIfEmpty(("self",)),
            Call("modulate", "plan self scaleOptional shiftOptional out"),
        ),
        {"out": Output("like self", "same self")},
    ),
)  # fmt: skip
