"""Products with what belongs to some axes only, sums of any number of tensors, squares.

Sources are ``aclnn_square.cpp``, ``aclnn_xlog1py.cpp``, ``aclnn_add_n.cpp``, ``aclnn_scale.cpp``
and ``aclnn_modulate.cpp`` of CANN 9.0, and the tiling of FatreluMul.
"""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .format_steps import public_and_same
from .list_steps import EachTensor
from .optional_steps import if_given
from .row import Output, Row, Trial
from .steps import (
    Call,
    Cpp,
    DoneIfEmpty,
    DtypeIn,
    Null,
    OnlyOn,
    Pointwise,
    RankAtMost,
    ResultType,
    SameDtype,
    SameShape,
)

_FAMILY = "pointwise"
_INCLUDE = ("pointwise/scaled.hpp", "common/kernel_checks.hpp", "pointwise/checks.hpp")
_HAS_BF16 = ("A2", "950")


_square = Row(
    "Square", _FAMILY,
    (
        Null(("self", "out")),
        OnlyOn(("950",)),
        SameDtype(("self", "out")),
        DtypeIn(FLOATS | dtypes("int32 int64"), ("self",)),
        *public_and_same("self", "out"),
        SameShape(("self", "out")),
        RankAtMost(8, ("self",)),
        DoneIfEmpty(("self",)),
        ResultType("same", ("self",)),
        Pointwise("square", ("self",)),
    ),
    {"out": Output("like self", "same self")},
    include=_INCLUDE,
)  # fmt: skip

_xlog1py = Row(
    "Xlog1py", _FAMILY,
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
    include=_INCLUDE,
)  # fmt: skip

ROWS: tuple[Row, ...] = (
    _square,
    _xlog1py,
    Row(
        "AddN", _FAMILY,
        (
            Null(("tensors",)),
            EachTensor("tensors", Null(("tensor",))),
            Null(("out",)),
            Call("check_addends", "check plan tensors out"),
            Call("fold_all", "plan Fold::kSum tensors out"),
        ),
        {"out": Output("like_first tensors", "common tensors")},
        include=_INCLUDE,
        missing=("an empty list, the first tensor of which CANN 9.0 reads",),
    ),
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
            Call("scale_along", "plan x scale bias axis y"),
        ),
        {"y": Output("like x", "same x")},
        include=_INCLUDE,
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
        include=_INCLUDE,
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
        include=(*_INCLUDE, "pointwise/gated.hpp"),
        missing=("a threshold that is NaN or infinite, which its document excludes",),
    ),
)  # fmt: skip
