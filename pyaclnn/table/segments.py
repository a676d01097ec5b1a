"""Sums of segments of rows, and their gradients.

Sources are ``aclnn_segsum.cpp``, ``aclnn_segsum_backward.cpp`` and
``aclnn_grouped_bias_add_grad.cpp`` of CANN 9.0. RepeatInterleaveGrad is generated from its kernel.
"""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .optional_steps import if_given
from .row import Output, Row
from .shape_steps import Formats
from .steps import (
    Call,
    Cpp,
    DoneIfEmpty,
    DtypeIn,
    KernelExists,
    Null,
    OnlyOn,
    SameDtype,
    Step,
    That,
)

#: CANN's comparison of chips holds for all of them; where the kernel is looked for it is missing.
_ALL = dtypes("float32 float16 bfloat16")
_ON_A2 = KernelExists("on_a2_or_a3()")
_LATE = KernelExists("on_a2_or_late_950()")
_SEGMENTS = ("gradOutput", "gradSelf", "gradInput")


def _grouped_bias(name: str, sizes: str, *kind: Step) -> Row:
    return Row(
        name, "embedding",
        (
            Null(("gradY", "out")),
            DtypeIn(_ALL, ("gradY", "out")),
            SameDtype(("gradY", "out")),
            if_given("groupIdxOptional", DtypeIn(dtypes("int32 int64"), ("groupIdxOptional",))),
            Call("check_grouped_bias_gradient", "check gradY groupIdxOptional out"),
            *kind,
            DoneIfEmpty(("gradY",)),
            _LATE,
            Cpp(f"grouped_bias_gradient(plan, gradY, groupIdxOptional, {sizes}, out);"),
        ),
        {"out": Output("group_sums gradY groupIdxOptional", "same gradY")},
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    Row(
        "ExpSegsum", "pointwise",
        (
            # CANN looks for elements first, which a null argument does not survive there.
            Null(("self",)),
            DoneIfEmpty(("self",)),
            Null(("out",)),
            DtypeIn(FLOATS, ("self",)),
            SameDtype(("self", "out")),
            Call("check_exp_segsum", "check self out"),
            Formats(("self", "out")),
            OnlyOn(("A2",), inside=True),
            Call("exp_segsum", "plan self out"),
        ),
        {"out": Output("with_last_twice self", "same self")},
    ),
    Row(
        "RepeatInterleaveGrad", "copy",
        (
            Null(("yGrad", "repeats", "out")),
            OnlyOn(("950",), inside=True),
            DtypeIn(FLOATS, ("yGrad", "out")),
            DtypeIn(dtypes("int32 int64"), ("repeats",)),
            SameDtype(("yGrad", "out")),
            Call("check_dense", "check {&out}"),
            Call("check_repeats", "plan yGrad repeats axis out", "along"),
            DoneIfEmpty(("out",)),
            Call("sum_repeats", "plan yGrad repeats along out"),
        ),
        {"out": Output("uninterleaved yGrad repeats axis", "same yGrad")},
    ),
    Row(
        "ExpSegsumBackward", "embedding",
        (
            # CANN looks at the extents first, which a null argument does not survive there.
            Null(_SEGMENTS),
            DoneIfEmpty(_SEGMENTS),
            DtypeIn(_ALL, ("gradOutput", "gradSelf")),
            SameDtype(("gradOutput", "gradInput")),
            Call("check_exp_segsum_gradient", "check gradOutput gradSelf gradInput"),
            Formats(_SEGMENTS),
            _ON_A2,
            Call("exp_segsum_gradient", "plan gradOutput gradSelf gradInput"),
        ),
        {"gradInput": Output("without_last gradOutput", "same gradOutput")},
    ),
    _grouped_bias("GroupedBiasAddGrad", "false"),
    _grouped_bias(
        "GroupedBiasAddGradV2", "groupIdxType == 1",
        That("groupIdxType == 0 || groupIdxType == 1",
             "groupIdxType is %lld, it must be 0 (ends) or 1 (sizes)",
             ("static_cast<long long>(groupIdxType)",)),
    ),
)  # fmt: skip
