"""Rows looked up in bags or scaled, blocks that are overwritten, softmax of what is masked."""

from __future__ import annotations

from .dtypes import FLOATS, FLOATS_NOT_950, dtypes
from .format_steps import FormatNotIn, SameFormat
from .list_steps import EachTensor
from .optional_steps import Since, if_given
from .row import Output, Row
from .shape_steps import Formats
from .steps import (
    Call,
    Cpp,
    Divides,
    DoneIfEmpty,
    DtypeIn,
    Kernel,
    Null,
    NullInside,
    OnlyOn,
    RankAtMost,
    ResultType,
    SameDtype,
    SameShape,
    Steps,
    Struct,
    That,
)

_FAMILY = "indexing"
_NUMBER = dtypes("int32 int64")
_LISTED = dtypes("int8 int16 int32 uint8 uint16 uint32 float16 float32", "bfloat16")

ROWS: tuple[Row, ...] = (
    Row(
        "EmbeddingBag", "embedding",
        (
            Null(("weight", "indices", "offsets", "output", "offset2bag", "bagSize",
                  "maxIndices")),
            Struct("Bags",
                   "weight indices offsets perSampleWeights mode includeLastOffset paddingIdx",
                   "bags"),
            Call("check_bags", "check bags output offset2bag bagSize maxIndices"),
            DoneIfEmpty(("weight", "indices", "offsets")),
            Divides("!sparse && !scaleGradByFreq", "sparse and scaleGradByFreq must be false"),
            Call("embedding_bag", "plan bags output offset2bag bagSize maxIndices"),
        ),
        {"output": Output("bags weight offsets includeLastOffset", "same weight"),
         "offset2bag": Output("elements indices", "common indices offsets"),
         "bagSize": Output("bag_sizes offsets includeLastOffset", "common indices offsets"),
         "maxIndices": Output("bag_places weight offsets includeLastOffset mode",
                              "common indices offsets")},
    ),
    Row(
        "EmbeddingRenorm", "embedding",
        (
            NullInside(("selfRef", "indices")),
            Since("9.1", DtypeIn(FLOATS, ("selfRef",)),
                  before=DtypeIn(FLOATS_NOT_950, ("selfRef",))),
            DtypeIn(_NUMBER, ("indices",)),
            That("selfRef.rank() == 2", "selfRef has %zu dimensions, it must have two",
                 ("selfRef.rank()",)),
            RankAtMost(8, ("indices",)),
            FormatNotIn(("FRACTAL_NZ",), ("selfRef", "indices")),
            DoneIfEmpty(("selfRef", "indices")),
            Kernel("embedding_renorm"),
        ),
    ),
    Row(
        "MaskedScale", "pointwise",
        (
            Null(("self", "mask", "out")),
            SameDtype(("self", "out")),
            OnlyOn(("950",)),
            DtypeIn(FLOATS, ("self",)),
            DtypeIn(dtypes("float32 float16 uint8 int8"), ("mask",)),
            SameShape(("self", "out")),
            SameShape(("out", "mask")),
            RankAtMost(8, ("self", "mask")),
            SameFormat(("self", "out")),
            DoneIfEmpty(("self",)),
            ResultType("same", ("self",)),
            Cpp("pointwise(plan, formulas::masked_scale, ACL_FLOAT, result_type, out, "
                "{&self, &mask}, {Number(double(scale))});"),
        ),
        {"out": Output("like self", "same self")},
    ),
    Row(
        "ScaledMaskedSoftmax", "softmax",
        (
            Call("check_scaled_masked", "check plan x mask y"),
            That("!fixedTriuMask", "fixedTriuMask must be false"),
            OnlyOn(("310P", "A2", "950"), inside=True),
            DtypeIn(FLOATS, ("x",)),
            SameShape(("x", "y")),
            DoneIfEmpty(("x",)),
            Kernel("scaled_masked_softmax"),
        ),
        {"y": Output("like x", "same x")},
    ),
    Row(
        "MaskedSoftmaxWithRelPosBias", "softmax",
        (
            Null(("x", "relativePosBias", "out")),
            OnlyOn(("310P", "A2"), inside=True),
            Kernel("softmax_with_bias"),
        ),
        {"out": Output("like x", "same x")},
    ),
    Row(
        "ScatterList", _FAMILY,
        (
            Null(("varRef", "indice", "updates")),
            EachTensor("varRef", Null(("tensor",))),
            EachTensor("varRef",
                       Steps((DtypeIn(_LISTED, ("tensor",)), SameDtype(("updates", "tensor"))))),
            DtypeIn(_NUMBER, ("indice",)),
            DtypeIn(_LISTED, ("updates",)),
            if_given("maskOptional", DtypeIn(dtypes("uint8"), ("maskOptional",))),
            That('!reduceOptional.given() || reduceOptional.text == "update"',
                 "reduceOptional is %s, it must be update", ("reduceOptional.text.c_str()",)),
            OnlyOn(("310P", "A2", "950"), inside=True),
            Kernel("scatter_list"),
        ),
    ),
    Row(
        "StridedSliceAssignV2", _FAMILY,
        (
            Null(("varRef", "inputValue", "begin", "end", "strides")),
            DtypeIn(dtypes("float16 float32 int32 int64 float64 int8", "bfloat16"),
                    ("varRef", "inputValue")),
            SameDtype(("varRef", "inputValue")),
            OnlyOn(("A2", "950"), inside=True),
            Kernel("assign_slice"),
        ),
    ),
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
            Kernel("embedding_dense_gradient"),
        ),
        {"out": Output("embedding_gradient grad numWeights", "same grad")},
    ),
)  # fmt: skip
