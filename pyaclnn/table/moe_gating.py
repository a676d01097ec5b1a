"""Which experts see a token, and by how much."""

from __future__ import annotations

from .dtypes import dtypes
from .moe_steps import (
    HALVES,
    INT32,
    ON_NEWER,
    from_to,
    like_first,
    number_is,
    rank_is,
)
from .optional_steps import If, if_given
from .row import Output, Row
from .steps import (
    Call,
    Cpp,
    Divides,
    DoneIfEmpty,
    DtypeIn,
    Kernel,
    Null,
    OnlyOn,
    SameDtype,
    That,
)

_FAMILY = "moe"
_BOOL = dtypes("bool")
_K = "(*x[:-1], k)"

_gating_softmax = Row(
    "MoeGatingTopKSoftmax", _FAMILY,
    (
        Null(("x", "yOut", "expertIdxOut", "rowIdxOut")),
        ON_NEWER,
        DtypeIn(HALVES, ("x",)),
        SameDtype(("x", "yOut")),
        DtypeIn(INT32, ("expertIdxOut", "rowIdxOut")),
        if_given("finishedOptional", DtypeIn(_BOOL, ("finishedOptional",))),
        rank_is("x", 2, 3),
        Divides("!x.is_empty()", "x is empty: %s", ("x.shape().text().c_str()",)),
        Kernel("moe_gating_top_k_softmax"),
    ),
    {"yOut": Output(_K, "same x"), "expertIdxOut": Output(_K, "int32"),
     "rowIdxOut": Output(_K, "int32")},
)  # fmt: skip

_gating_softmax_v2 = Row(
    "MoeGatingTopKSoftmaxV2", _FAMILY,
    (
        Null(("x", "yOut", "expertIdxOut")),
        ON_NEWER,
        DtypeIn(HALVES, ("x",)),
        SameDtype(("x", "yOut")),
        DtypeIn(INT32, ("expertIdxOut",)),
        if_given("finishedOptional", DtypeIn(_BOOL, ("finishedOptional",))),
        if_given("softmaxResultOutOptional",
                 DtypeIn(dtypes("float32"), ("softmaxResultOutOptional",))),
        rank_is("x", 2, 3),
        Divides("x.shape().back() != 0", "x has no experts: %s", ("x.shape().text().c_str()",)),
        from_to("renorm", 0, 1),
        Divides("renorm != 0 || !outputSoftmaxResultFlag || softmaxResultOutOptional.given()",
                "softmaxResultOutOptional is null, and asked for"),
        Kernel("moe_gating_top_k_softmax_v2"),
    ),
    {"yOut": Output(_K, "same x"), "expertIdxOut": Output(_K, "int32"),
     "softmaxResultOutOptional":
     Output("if outputSoftmaxResultFlag and renorm == 0: like x", "float32")},
)  # fmt: skip

_gating = Row(
    "MoeGatingTopK", _FAMILY,
    (
        Null(("x", "yOut", "expertIdxOut", "outOut")),
        ON_NEWER,
        DtypeIn(HALVES, ("x",)),
        *like_first("x", "biasOptional"),
        SameDtype(("x", "yOut")),
        DtypeIn(INT32, ("expertIdxOut",)),
        DtypeIn(dtypes("float32"), ("outOut",)),
        rank_is("x", 2),
        rank_is("outOut", 2),
        Cpp("const std::int64_t experts = x.shape()[1];"),
        number_is("experts", "experts <= 2048", "at most 2048"),
        number_is("kGroup", "kGroup > 0 && kGroup <= groupCount", "from 1 to groupCount"),
        from_to("normType", 0, 1),
        from_to("groupSelectMode", 0, 1),
        from_to("renorm", 0, 1),
        number_is("groupCount",
                  "experts % groupCount == 0 && experts / groupCount > groupSelectMode",
                  "a divisor of the number of experts, with as many in a group as count"),
        number_is("groupCount",
                  "groupCount == 1 || groupCount == experts || kGroup == groupCount || "
                  "groupCount * ((experts / groupCount + 31) / 32 * 32) <= 2048",
                  "such that groups, in blocks of 32 experts, have at most 2048"),
        Kernel("moe_gating_top_k"),
    ),
    {"yOut": Output(_K, "same x"), "expertIdxOut": Output(_K, "int32"),
     "outOut": Output("(x if outFlag else (0, 0))", "float32")},
)  # fmt: skip

_gating_backward = Row(
    "MoeGatingTopKBackward", _FAMILY,
    (
        Null(("xNorm", "gradY", "expertIdx", "out")),
        OnlyOn(("A2",), inside=True),
        DtypeIn(dtypes("float32"), ("xNorm",)),
        DtypeIn(HALVES, ("gradY",)),
        SameDtype(("gradY", "out")),
        DtypeIn(INT32, ("expertIdx",)),
        rank_is("xNorm", 2),
        rank_is("gradY", 2),
        Divides("gradY.shape()[0] == xNorm.shape()[0] && gradY.shape()[1] > 0 && "
                "gradY.shape()[1] <= xNorm.shape()[1]", "gradY has shape %s, xNorm %s",
                ("gradY.shape().text().c_str()", "xNorm.shape().text().c_str()")),
        Call("check_extents", "plan &expertIdx gradY.shape()"),
        number_is("normType", "normType == 1", "1, for sigmoids"),
        Call("check_extents", "plan &out xNorm.shape()"),
        Call("gate_backward",
             "plan xNorm gradY expertIdx float(routedScalingFactor) float(eps) out"),
    ),
    {"out": Output("(xNorm)", "same gradY")},
)  # fmt: skip

_fused_topk = Row(
    "MoeFusedTopk", _FAMILY,
    (
        Null(("x", "addNum", "y", "indices")),
        If("enableExpertMapping", Null(("mappingNum", "mappingTable"))),
        DtypeIn(HALVES, ("x",)),
        SameDtype(("x", "addNum")),
        If("enableExpertMapping", DtypeIn(INT32, ("mappingNum", "mappingTable"))),
        DtypeIn(INT32, ("indices",)),
        DtypeIn(dtypes("float32"), ("y",)),
        DoneIfEmpty(("x",)),
        That("groupNum > 0 && groupTopk > 0 && topN > 0 && topK > 0 && groupNum <= 256",
             "groupNum, groupTopk, topN and topK must be positive, and groupNum at most 256"),
        That("x.rank() == 2 && addNum.rank() == 1 && addNum.shape()[0] == x.shape()[1]",
             "addNum has not a number for each expert"),
        Cpp("const std::int64_t experts = x.shape()[1];"),
        That("y.shape() == indices.shape() && y.shape() == (Dims{x.shape()[0], topK})",
             "y has shape %s, indices %s",
             ("y.shape().text().c_str()", "indices.shape().text().c_str()")),
        That("experts % groupNum == 0 && groupTopk <= groupNum && topK <= experts && "
             "topN <= experts / groupNum && experts <= 1024",
             "%lld experts do not go with the groups", ("static_cast<long long>(experts)",)),
        If("enableExpertMapping", That(
            "mappingNum.shape() == Dims{experts} && mappingTable.rank() == 2 && "
            "mappingTable.shape()[0] == experts && mappingTable.shape()[1] <= 128",
            "mappingTable has shape %s", ("mappingTable.shape().text().c_str()",))),
        OnlyOn(("A2",), inside=True),
        # The first phase looks at all but this.
        Divides("activateType == 0", "activateType is %u, it must be 0",
                ("unsigned(activateType)",)),
        Kernel("moe_fused_topk"),
    ),
    {"y": Output("(x[0], topK)", "float32"), "indices": Output("(x[0], topK)", "int32")},
)  # fmt: skip


ROWS: tuple[Row, ...] = (
    _gating_backward,
    _fused_topk,
    _gating_softmax,
    _gating_softmax_v2,
    _gating,
)
