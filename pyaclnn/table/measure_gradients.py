"""Gradients of embeddings, distances, sums of segments and dropout."""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .optional_steps import if_given
from .row import Output, Row
from .shape_steps import Formats
from .steps import (
    Call,
    Castable,
    Cpp,
    DoneIfEmpty,
    DtypeIn,
    HasShape,
    Null,
    RankAtMost,
    ResultType,
    SameDtype,
    SameShape,
    Step,
    Struct,
    That,
)

_INCLUDE = ("common/fill.hpp", "common/format.hpp", "embedding/embedding.hpp",
            "embedding/gradients.hpp")  # fmt: skip
#: CANN's comparison of chips holds for all of them; where the kernel is looked for it is missing.
_ALL = dtypes("float32 float16 bfloat16")
_ON_A2 = Call("require_a2_or_a3", "plan")


def _dropout(
    name: str, grad: str, out: str, first: tuple[Step, ...], share: tuple[Step, ...], kernel: str,
) -> Row:  # fmt: skip
    return Row(
        name, "embedding",
        (
            *first,
            Null((grad, "mask", out)),
            ResultType("same", (grad,)),
            Castable((out,)),
            DtypeIn(FLOATS, (grad,)),
            DtypeIn(dtypes("uint8"), ("mask",)),
            *share,
            RankAtMost(8, (grad,)),
            SameShape((grad, out)),
            Call("check_dropout_mask", f"check {grad} mask"),
            DoneIfEmpty((grad,)),
            Cpp(f"{kernel};"),
        ),
        {out: Output(f"like {grad}", f"same {grad}")},
        include=_INCLUDE,
    )  # fmt: skip


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
            _ON_A2,
            Cpp(f"grouped_bias_gradient(plan, gradY, groupIdxOptional, {sizes}, out);"),
        ),
        {"out": Output("group_sums gradY groupIdxOptional", "same gradY")},
        include=_INCLUDE,
    )  # fmt: skip


_CDIST = ("grad", "x1", "x2", "cdist", "out")
_CHAMFER = ("xyz1", "xyz2", "idx1", "idx2", "gradDist1", "gradDist2")
_POINTS = dtypes("float32 float16")
_SEGMENTS = ("gradOutput", "gradSelf", "gradInput")

ROWS: tuple[Row, ...] = (
    Row(
        "EmbeddingDenseBackward", "embedding",
        (
            Null(("grad", "indices", "out")),
            DtypeIn(FLOATS, ("grad",)),
            DtypeIn(dtypes("float16 float32 float64 int8 uint8 int16 int32 int64 bool"),
                    ("indices",)),
            DtypeIn(FLOATS, ("out",)),
            RankAtMost(8, ("grad", "indices", "out")),
            Call("check_embedding_dense_gradient", "check grad indices numWeights out"),
            Formats(("grad", "indices", "out")),
            Call("launch_zero", "plan out"),
            DoneIfEmpty(("grad", "indices", "out")),
            Call("embedding_dense_gradient", "plan grad indices paddingIdx scaleGradByFreq out"),
        ),
        {"out": Output("embedding_gradient grad numWeights", "same grad")},
        include=_INCLUDE,
    ),
    _dropout(
        "DropoutBackward", "gradOutput", "out", (),
        (
            Call("dropped_share", "scale", "p"),
            That("!(p > 1 || p < 0)", "scale is %g, it must be 0 or from 1 on", ("double(scale)",)),
        ),
        "dropout_gradient(plan, gradOutput, mask, p, out)",
    ),
    _dropout(
        "DropoutV3Grad", "gradY", "gradX",
        (That("on_950()", "%s does not have this operator, the 950 has",
              ("config().soc_name.c_str()",)),),
        (), "dropout_v3_gradient(plan, gradY, mask, scale, gradX)",
    ),
    Row(
        "CdistBackward", "embedding",
        (
            Null(_CDIST),
            DtypeIn(_ALL, _CDIST),
            SameDtype(_CDIST),
            RankAtMost(7, ("grad",)),
            That("grad.rank() >= 2", "grad has %zu dimensions, it must have 2 or more",
                 ("grad.rank()",)),
            *(That(f"{name}.rank() == grad.rank()",
                   f"{name} has %zu dimensions, it must have %zu as grad has",
                   (f"{name}.rank()", "grad.rank()")) for name in _CDIST[1:]),
            Call("pairs_shape", "check x1 x2", "pairs"),
            HasShape("cdist", "Dims(pairs.begin(), grad.rank())",
                     "a distance for each pair of points"),
            SameShape(("cdist", "grad")),
            SameShape(("x1", "out")),
            That("p == -1.0f || !(p < 0.0f)", "p is %g, it must not be negative", ("double(p)",)),
            DoneIfEmpty(_CDIST[:-1]),
            _ON_A2,
            Call("cdist_gradient", "plan pairs grad x1 x2 cdist p out"),
        ),
        {"out": Output("like x1", "same x1")},
        include=_INCLUDE,
    ),
    Row(
        "ChamferDistanceBackward", "embedding",
        (
            Null((*_CHAMFER, "gradXyz1", "gradXyz2")),
            DtypeIn(_POINTS, ("xyz1", "xyz2")),
            DtypeIn(dtypes("int32"), ("idx1", "idx2")),
            DtypeIn(_POINTS, ("gradDist1", "gradDist2", "gradXyz1", "gradXyz2")),
            DoneIfEmpty(_CHAMFER),
            _ON_A2,
            Struct("ChamferGradient", "xyz1 xyz2 idx1 idx2 gradDist1 gradDist2 gradXyz1 gradXyz2",
                   "call"),
            Call("check_chamfer_gradient", "plan call"),
            Call("chamfer_gradient", "plan call"),
        ),
        {"gradXyz1": Output("like xyz1", "same xyz1"),
         "gradXyz2": Output("like xyz2", "same xyz2")},
        include=_INCLUDE,
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
        include=_INCLUDE,
    ),
    _grouped_bias("GroupedBiasAddGrad", "false"),
    _grouped_bias(
        "GroupedBiasAddGradV2", "groupIdxType == 1",
        That("groupIdxType == 0 || groupIdxType == 1",
             "groupIdxType is %lld, it must be 0 (ends) or 1 (sizes)",
             ("static_cast<long long>(groupIdxType)",)),
    ),
)  # fmt: skip
