"""Mixtures of experts: gates, tokens sorted by experts, and their rows put together again.

CANN generates most of these operators from their kernels; what they find wrong with shapes and
attributes is 561002, and shapes are looked at in ``opapi/moe``.
"""

from __future__ import annotations

from .dtypes import Dtypes, dtypes
from .optional_steps import If, Since, if_given
from .row import Output, Row
from .steps import (
    Call,
    Cpp,
    Divides,
    DoneIfEmpty,
    DtypeIn,
    ForKernel,
    Kernel,
    NotSimulated,
    Null,
    OnlyOn,
    SameDtype,
    Step,
    Steps,
    Struct,
    That,
)

_FAMILY = "moe"
_CHECKS = ("common/kernel_checks.hpp", "moe/checks.hpp")
_GATING, _ROUTING, _COMBINE = (
    (*_CHECKS, f"moe/{name}.hpp") for name in ("gating", "routing", "combine")
)
_HALVES = dtypes("float32 float16", "bfloat16")
_INT32 = dtypes("int32")
_BOOL = dtypes("bool")
_ON_NEWER = OnlyOn(("A2", "950"), inside=True)


def _rank(name: str, *ranks: int) -> Divides:
    """Return the step of a tensor with one of these numbers of dimensions."""
    holds = " || ".join(f"{name}.rank() == {rank}" for rank in ranks)
    words = " or ".join(map(str, ranks))
    return Divides(holds, f"{name} has %zu dimensions, it must have {words}", (f"{name}.rank()",))


def _number(name: str, condition: str, words: str) -> Divides:
    """Return the step of an attribute for which a condition in C++ must hold."""
    text = f"{name} is %lld, it must be {words}"
    return Divides(condition, text, (f"static_cast<long long>({name})",))


def _from(name: str, least: int, most: int) -> Divides:
    return _number(name, f"{name} >= {least} && {name} <= {most}", f"from {least} to {most}")


def _one_of(name: str, *values: int) -> Divides:
    condition = " || ".join(f"{name} == {value}" for value in values)
    return _number(name, condition, f"one of {', '.join(map(str, values))}")


def _all_int32(*names: str) -> tuple[Step, ...]:
    """Return the steps of tensors of int32 that need not be given."""
    return tuple(if_given(name, DtypeIn(_INT32, (name,))) for name in names)


def _like_x(*names: str) -> tuple[Step, ...]:
    """Return the steps of tensors of the first one's type that need not be given."""
    first, *others = names
    return tuple(if_given(name, SameDtype((first, name))) for name in others)


_K = "(*x[:-1], k)"

_gating_softmax = Row(
    "MoeGatingTopKSoftmax", _FAMILY,
    (
        Null(("x", "yOut", "expertIdxOut", "rowIdxOut")),
        _ON_NEWER,
        DtypeIn(_HALVES, ("x",)),
        SameDtype(("x", "yOut")),
        DtypeIn(_INT32, ("expertIdxOut", "rowIdxOut")),
        if_given("finishedOptional", DtypeIn(_BOOL, ("finishedOptional",))),
        _rank("x", 2, 3),
        Divides("!x.is_empty()", "x is empty: %s", ("x.shape().text().c_str()",)),
        Kernel("moe_gating_top_k_softmax"),
    ),
    {"yOut": Output(_K, "same x"), "expertIdxOut": Output(_K, "int32"),
     "rowIdxOut": Output(_K, "int32")},
    include=_GATING,
)  # fmt: skip

_gating_softmax_v2 = Row(
    "MoeGatingTopKSoftmaxV2", _FAMILY,
    (
        Null(("x", "yOut", "expertIdxOut")),
        _ON_NEWER,
        DtypeIn(_HALVES, ("x",)),
        SameDtype(("x", "yOut")),
        DtypeIn(_INT32, ("expertIdxOut",)),
        if_given("finishedOptional", DtypeIn(_BOOL, ("finishedOptional",))),
        if_given("softmaxResultOutOptional",
                 DtypeIn(dtypes("float32"), ("softmaxResultOutOptional",))),
        _rank("x", 2, 3),
        Divides("x.shape().back() != 0", "x has no experts: %s", ("x.shape().text().c_str()",)),
        _from("renorm", 0, 1),
        Divides("renorm != 0 || !outputSoftmaxResultFlag || softmaxResultOutOptional.given()",
                "softmaxResultOutOptional is null, and asked for"),
        Kernel("moe_gating_top_k_softmax_v2"),
    ),
    {"yOut": Output(_K, "same x"), "expertIdxOut": Output(_K, "int32"),
     "softmaxResultOutOptional":
     Output("if outputSoftmaxResultFlag and renorm == 0: like x", "float32")},
    include=_GATING,
)  # fmt: skip

_gating = Row(
    "MoeGatingTopK", _FAMILY,
    (
        Null(("x", "yOut", "expertIdxOut", "outOut")),
        _ON_NEWER,
        DtypeIn(_HALVES, ("x",)),
        *_like_x("x", "biasOptional"),
        SameDtype(("x", "yOut")),
        DtypeIn(_INT32, ("expertIdxOut",)),
        DtypeIn(dtypes("float32"), ("outOut",)),
        _rank("x", 2),
        _rank("outOut", 2),
        Cpp("const std::int64_t experts = x.shape()[1];"),
        _number("experts", "experts <= 2048", "at most 2048"),
        _number("kGroup", "kGroup > 0 && kGroup <= groupCount", "from 1 to groupCount"),
        _from("normType", 0, 1),
        _from("groupSelectMode", 0, 1),
        _from("renorm", 0, 1),
        _number("groupCount", "experts % groupCount == 0 && experts / groupCount > groupSelectMode",
                "a divisor of the number of experts, with as many in a group as count"),
        _number("groupCount",
                "groupCount == 1 || groupCount == experts || kGroup == groupCount || "
                "groupCount * ((experts / groupCount + 31) / 32 * 32) <= 2048",
                "such that groups, in blocks of 32 experts, have at most 2048"),
        Kernel("moe_gating_top_k"),
    ),
    {"yOut": Output(_K, "same x"), "expertIdxOut": Output(_K, "int32"),
     "outOut": Output("(x if outFlag else (0, 0))", "float32")},
    include=_GATING,
)  # fmt: skip

_PAIRS = "(prod(expertIdx),)"

_expert_tokens = Row(
    "MoeComputeExpertTokens", _FAMILY,
    (
        Null(("sortedExperts", "out")),
        _ON_NEWER,
        DtypeIn(_INT32, ("sortedExperts", "out")),
        _rank("sortedExperts", 1),
        _from("numExperts", 1, 2048),
        Divides("sortedExperts.elements() < (1 << 24)", "sortedExperts has 2^24 elements or more"),
        Call("check_extents", "plan &out {numExperts}"),
        Call("count_experts", "plan sortedExperts out"),
    ),
    {"out": Output("(numExperts,)", "same sortedExperts")},
    include=_ROUTING,
)  # fmt: skip


def _init_routing(name: str, quantised: bool) -> Row:
    """Make the row of the first version, whose rows come in the order of columns."""
    return Row(
        name, _FAMILY,
        (
            Null(("x", "rowIdx", "expertIdx", "expandedXOut", "expandedRowIdxOut",
                  "expandedExpertIdxOut")),
            OnlyOn(("A2",), inside=True) if quantised else _ON_NEWER,
            DtypeIn(_HALVES, ("x",)),
            DtypeIn(_INT32, ("rowIdx", "expertIdx", "expandedRowIdxOut", "expandedExpertIdxOut")),
            DtypeIn(dtypes("int8"), ("expandedXOut",)) if quantised
            else SameDtype(("x", "expandedXOut")),
            *(_rank(n, 2) for n in ("x", "rowIdx", "expertIdx")),
            Call("check_extents", "plan &rowIdx expertIdx.shape()"),
            Divides("x.shape()[0] == expertIdx.shape()[0]", "x and expertIdx have other rows"),
            _number("activeNum", "activeNum >= 0", "at least 0"),
            Kernel("moe_init_routing", of="MoeInitRoutingQuant"),
        ),
        {"expandedXOut": Output("(min(x[0], activeNum) * expertIdx[1], x[1])",
                                "int8" if quantised else "same x"),
         "expandedRowIdxOut": Output(_PAIRS, "int32"),
         "expandedExpertIdxOut": Output(_PAIRS, "int32")},
        include=_ROUTING,
    )  # fmt: skip


#: Rows of a routing: rooms for each expert, or as many as are wanted.
_ROWS_V2 = ("(expertNum{0}, expertCapacity{0}, x[1]) if dropPadMode{0} else "
            "(min(activeNum{0} if activeNum{0} > 0 else prod(expertIdx) + activeNum{0}, "
            "prod(expertIdx)), x[1])")  # fmt: skip
_COUNTS_V2 = ("expertTokensCountOrCumsumOutOptional", "expertTokensBeforeCapacityOutOptional")


def _routing_attributes(suffix: str) -> tuple[Step, ...]:
    """Return the steps of the second version's attributes; some names end in ``suffix``."""
    capacity, experts, mode, flag = (
        name + suffix
        for name in ("expertCapacity", "expertNum", "dropPadMode", "expertTokensCountOrCumsumFlag")
    )
    before = "expertTokensBeforeCapacityFlag" + suffix
    counts, before_out = _COUNTS_V2
    newest = "on_950()" if suffix else "false"
    return (
        _rank("x", 2),
        If(newest, _rank("expertIdx", 1, 2)),
        If(f"!({newest})", _rank("expertIdx", 2)),
        Divides("x.shape()[0] == expertIdx.shape()[0]", "x and expertIdx have other rows"),
        _number(f"activeNum{suffix}", f"{newest} || activeNum{suffix} >= 0", "at least 0"),
        _number(capacity, f"{capacity} >= 0", "at least 0"),
        _number(experts, f"{experts} >= 0", "at least 0"),
        _from(mode, 0, 1),
        Divides(f"{mode} == 0 || ({experts} > 0 && {capacity} > 0 && {capacity} <= x.shape()[0])",
                "with dropPadMode 1 there are experts, and a capacity of at most x's rows"),
        _from(flag, 0, 2),
        Divides(f"{flag} == 0 || {experts} > 0", "there are no experts to count"),
        Divides(f"{mode} == 1 || {flag} == 0 || {counts}.given()", f"{counts} is null"),
        Divides(f"{mode} == 0 || !{before} || {before_out}.given()", f"{before_out} is null"),
    )  # fmt: skip


def _routing_outputs(suffix: str, dtype: str) -> dict[str, Output]:
    mode = f"dropPadMode{suffix}"
    counts, before = _COUNTS_V2
    wanted = f"(expertNum{suffix},)"
    return {
        "expandedXOut": Output(f"({_ROWS_V2.format(suffix)})", dtype),
        "expandedRowIdxOut": Output(_PAIRS, "int32"),
        counts: Output(f"if {mode} == 0 and expertTokensCountOrCumsumFlag{suffix} > 0: {wanted}",
                       "int32"),
        before: Output(f"if {mode} == 1 and expertTokensBeforeCapacityFlag{suffix}: {wanted}",
                       "int32"),
    }  # fmt: skip


_ON_ALL_BUT_910 = OnlyOn(("310P", "A2", "950"), inside=True)
_INDEX = If("on_950()", DtypeIn(Dtypes(("int32", "int64")), ("expertIdx",)),
            DtypeIn(Dtypes(("int32",)), ("expertIdx",)))  # fmt: skip

_init_routing_v2 = Row(
    "MoeInitRoutingV2", _FAMILY,
    (
        Null(("x", "expertIdx", "expandedXOut", "expandedRowIdxOut")),
        _ON_ALL_BUT_910,
        DtypeIn(_HALVES, ("x",)),
        _INDEX,
        SameDtype(("x", "expandedXOut")),
        DtypeIn(_INT32, ("expandedRowIdxOut",)),
        *_all_int32(*_COUNTS_V2),
        *_routing_attributes("Optional"),
        Divides("!on_310p() || (dropPadModeOptional == 0 && x.shape()[1] % 32 == 0)",
                "on this chip there are no rooms, and x has a multiple of 32 columns"),
        Kernel("moe_init_routing_v2", of="MoeInitRoutingQuantV2"),
    ),
    _routing_outputs("Optional", "same x"),
    include=_ROUTING,
)  # fmt: skip

_init_routing_quant_v2 = Row(
    "MoeInitRoutingQuantV2", _FAMILY,
    (
        Null(("x", "expertIdx", "expandedXOut", "expandedRowIdxOut")),
        _ON_NEWER,
        DtypeIn(_HALVES, ("x",)),
        DtypeIn(_INT32, ("expertIdx", "expandedRowIdxOut")),
        *(if_given(n, DtypeIn(dtypes("float32"), (n,)))
          for n in ("scaleOptional", "offsetOptional", "dynamicQuantScaleOutOptional")),
        DtypeIn(Dtypes(("int8", "int4")), ("expandedXOut",)),
        *_all_int32(*_COUNTS_V2),
        *_routing_attributes(""),
        _from("quantMode", 0, 1),
        If("expandedXOut.dtype() == ACL_INT4",
           NotSimulated("a result of int4")),
        If("quantMode == 0", Divides("scaleOptional.given() && offsetOptional.given()",
                                     "scaleOptional or offsetOptional is null")),
        If("quantMode == 0", Steps((Call("check_extents", "plan &scaleOptional {1}"),
                                    Call("check_extents", "plan &offsetOptional {1}")))),
        If("quantMode == 1", Divides("dynamicQuantScaleOutOptional.given()",
                                     "dynamicQuantScaleOutOptional is null")),
        Kernel("moe_init_routing_v2", of="MoeInitRoutingQuantV2"),
    ),
    {**_routing_outputs("", "int8"),
     "dynamicQuantScaleOutOptional": Output(
         "if quantMode == 1: ((expertNum * expertCapacity if dropPadMode else "
         "min(activeNum or prod(expertIdx), prod(expertIdx))),)", "float32")},
    include=_ROUTING, missing=("results of int4",),
)  # fmt: skip

_ROWS_V3 = (
    "(expertNum, expertCapacity, x[1]) if dropPadMode == 1 else "
    "(min(activeNum if activeNum > 0 else prod(expertIdx), prod(expertIdx)), x[1])"
)
_RANGE = ("(activeExpertRangeOptional[1] - activeExpertRangeOptional[0]) "
          "if activeExpertRangeOptional else expertNum")  # fmt: skip

_init_routing_v3 = Row(
    "MoeInitRoutingV3", _FAMILY,
    (
        Null(("x", "expertIdx", "expandedXOut", "expandedRowIdxOut", "expertTokensCountOrCumsumOut",
              "expandedScaleOut")),
        _ON_NEWER,
        ForKernel((
            DtypeIn(_HALVES | dtypes("int8"), ("x",)),
            DtypeIn(_INT32, ("expertIdx", "expandedRowIdxOut")),
            *(if_given(n, DtypeIn(dtypes("float32"), (n,)))
              for n in ("scaleOptional", "offsetOptional")),
            DtypeIn(dtypes("int64"), ("expertTokensCountOrCumsumOut",)),
        )),
        Call("expert_range", "plan activeExpertRangeOptional expertNum", "range"),
        _from("dropPadMode", 0, 1),
        _number("activeNum", "dropPadMode == 1 || activeNum >= -1", "at least -1"),
        _number("expertCapacity", "dropPadMode == 0 || (expertCapacity > 0 && x.rank() == 2 && "
                "expertCapacity <= x.shape()[0])", "from 1 to x's rows"),
        _from("expertTokensNumType", 0, 2),
        _number("expertTokensNumType", "dropPadMode == 0 || !expertTokensNumFlag || "
                "expertTokensNumType == 1", "1 with dropPadMode 1"),
        _number("expertNum", "range.last <= expertNum && "
                "range.last <= (expertTokensNumType == 2 ? 5120 : 10240)",
                "at least the end of the range, which is at most 10240, or 5120 for pairs"),
        If("on_950()", Since("9.1", _one_of("quantMode", -1, 0, 1, 2, 3, 6, 7, 8, 9, 11, 12, 13),
                             _one_of("quantMode", -1, 1, 2, 3, 6, 7, 8)),
           _one_of("quantMode", -1, 0, 1)),
        _from("rowIdxType", 0, 1),
        If("on_950()", Divides(
            "dropPadMode == 0 && expertTokensNumType > 0 && expertTokensNumFlag && expertNum > 0 "
            "&& activeExpertRangeOptional.given() && range.first < range.last && "
            "(activeNum == -1 || activeNum == expertIdx.elements())",
            "on this chip there are no rooms and no running counts, and all rows are active")),
        _rank("x", 2),
        _rank("expertIdx", 2),
        Divides("x.shape()[0] == expertIdx.shape()[0]", "x and expertIdx have other rows"),
        Divides("x.dtype() != ACL_INT8 || quantMode == -1", "x is of int8, and is to be quantised"),
        Divides("quantMode > 1 || expandedXOut.dtype() == (quantMode == -1 ? x.dtype() : ACL_INT8)",
                "expandedXOut is of another type than its rows"),
        Kernel("moe_init_routing_v3"),
    ),
    {"expandedXOut": Output(
        f"({_ROWS_V3})",
        "same x if quantMode == -1 else float8_e5m2 if quantMode in (2, 11) else "
        "float8_e4m3fn if quantMode in (3, 12) else float4_e2m1fn if quantMode == 9 else "
        "int4 if quantMode == 13 else several if quantMode in (6, 7, 8) else int8"),
     "expandedRowIdxOut": Output(_PAIRS, "int32"),
     "expertTokensCountOrCumsumOut": Output(
         f"((expertNum, 2) if expertTokensNumType == 2 else ({_RANGE},))", "int64"),
     "expandedScaleOut": Output(
         "(prod(expertIdx), (x[1] + 63) // 64 * 2) if quantMode in (2, 3) else "
         "(prod(expertIdx), (x[1] + 63) // 64, 2) if quantMode == 9 else "
         "(prod(expertIdx), (x[1] + 255) // 256, 2) if quantMode in (11, 12) else "
         f"(prod(({_ROWS_V3})[:-1]),)",
         "float8_e8m0fnu if quantMode in (2, 3, 9) else float32")},
    include=_ROUTING, missing=("on the 950: x of float8, hifloat8 and float4",),
)  # fmt: skip

_permute = Row(
    "MoeTokenPermute", _FAMILY,
    (
        Null(("tokens", "indices", "permuteTokensOut", "sortedIndicesOut")),
        If("on_950()", That("!paddedMode", "paddedMode is true")),
        _ON_NEWER,
        DtypeIn(_HALVES, ("tokens",)),
        DtypeIn(dtypes("int32 int64"), ("indices",)),
        SameDtype(("tokens", "permuteTokensOut")),
        DtypeIn(_INT32, ("sortedIndicesOut",)),
        Divides("!paddedMode", "paddedMode is true"),
        Divides("tokens.rank() == 2 || (tokens.rank() > 2 && !on_950())",
                "tokens has %zu dimensions", ("tokens.rank()",)),
        _rank("indices", 1, 2),
        Divides("tokens.shape()[0] == indices.shape()[0]", "tokens and indices have other rows"),
        Divides("on_950() || indices.rank() == 1 || indices.shape()[1] <= 512",
                "a token has more than 512 experts"),
        Divides("on_950() || indices.elements() < 16777215", "indices has 16777215 elements"),
        Kernel("moe_token_permute"),
    ),
    {"permuteTokensOut": Output(
        "(min(numOutTokens, prod(indices)) if numOutTokens > 0 else "
        "max(prod(indices) + numOutTokens, 0), *tokens[1:])", "same tokens"),
     "sortedIndicesOut": Output("(prod(indices),)", "int32")},
    include=_ROUTING,
)  # fmt: skip


# Rows put together to tokens again


_SCALES = ("scalesOptional",)
_SCALES_FIT = If(
    "on_950()", DtypeIn(dtypes("float32 float16 bfloat16"), _SCALES),
    If("expandedX.dtype() == ACL_BF16", DtypeIn(dtypes("bfloat16 float32"), _SCALES),
       Cpp("check.dtype_in(DtypeSet{expandedX.dtype()}, scalesOptional);")),
)  # fmt: skip

_finalize = Row(
    "MoeFinalizeRouting", _FAMILY,
    (
        Null(("expandedX", "x1", "bias", "scales", "expandedRowIdx", "expandedExpertIdx", "out")),
        OnlyOn(("A2",), inside=True),
        DtypeIn(_HALVES, ("expandedX",)),
        SameDtype(("expandedX", "x1", "bias", "scales", "out")),
        *_like_x("expandedX", "x2Optional"),
        DtypeIn(_INT32, ("expandedRowIdx", "expandedExpertIdx")),
        _rank("expandedX", 2),
        _rank("scales", 2),
        Divides("scales.shape()[1] != 0 && bias.shape()[0] != 0", "there are no experts"),
        Divides("expandedRowIdx.rank() == 1 && expandedRowIdx.shape()[0] == expandedX.shape()[0]",
                "expandedRowIdx has not a number for each row of expandedX"),
        Call("columns_or_one", "scales", "k"),
        Struct("Combination",
               "expandedX expandedRowIdx k out true &scales &bias &expandedExpertIdx &x1 "
               "&x2Optional", "c"),
        Call("combine", "plan c"),
    ),
    {"out": Output("like x1", "same x1")},
    include=_COMBINE,
)  # fmt: skip

_TOKENS = ("(scalesOptional[0] if scalesOptional is not None else "
           "x1Optional[0] if x1Optional is not None else "
           "expertIdxOptional[0] if expertIdxOptional is not None else expandedRowIdx[0], "
           "expandedX[-1])")  # fmt: skip


def _finalizes(name: str, *special: Step, like_x: tuple[str, ...] = (),
               missing: tuple[str, ...] = ()) -> Row:  # fmt: skip
    """Make a row; ``special`` are the steps of experts that are none."""
    types: tuple[Step, ...] = (
        DtypeIn(_HALVES, ("expandedX",)),
        SameDtype(("expandedX", "out")),
        *_like_x("expandedX", "x1Optional", "x2Optional", "biasOptional", *like_x),
        if_given("scalesOptional", _SCALES_FIT),
        DtypeIn(_INT32, ("expandedRowIdx",)),
        *_all_int32("expertIdxOptional"),
    )  # fmt: skip
    return Row(
        name, _FAMILY,
        (
            Null(("expandedX", "expandedRowIdx", "out")),
            _ON_ALL_BUT_910,
            # CANN looks at types on some chips only, and in the newer version never.
            ForKernel(types) if special
            else If("on_310p() || on_950()", Steps(types), ForKernel(types)),
            _from("dropPadMode", 0, 3),
            If("dropPadMode % 2 == 0", _rank("expandedX", 2)),
            If("dropPadMode % 2 == 1", _rank("expandedX", 3)),
            Divides("!x2Optional.given() || x1Optional.given()",
                    "x2Optional is given, x1Optional not"),
            Divides("!biasOptional.given() || expertIdxOptional.given()",
                    "biasOptional is given, expertIdxOptional not"),
            if_given("scalesOptional", _rank("scalesOptional", 2)),
            Call("columns_or_one", "scalesOptional", "k"),
            if_given("biasOptional", Divides(
                "biasOptional.rank() == 2 && biasOptional.shape()[0] >= k && "
                "biasOptional.shape()[0] != 0 && (dropPadMode % 2 == 0 || "
                "biasOptional.shape()[0] == expandedX.shape()[0])",
                "biasOptional has not a row for each expert: %s",
                ("biasOptional.shape().text().c_str()",))),
            Divides("!on_310p() || (dropPadMode == 2 && !x1Optional.given() && "
                    "!biasOptional.given() && !expertIdxOptional.given() && "
                    "expandedX.shape()[1] % 32 == 0)",
                    "on this chip there are scales alone, dropPadMode is 2, and columns are a "
                    "multiple of 32"),
            Cpp("const bool by_column = dropPadMode < 2;"),
            *special,
            Struct("Combination",
                   "expandedX expandedRowIdx k out by_column &scalesOptional &biasOptional "
                   "&expertIdxOptional &x1Optional &x2Optional "
                   + ("0 INT64_MAX special" if special else ""), "c"),
            Call("combine", "plan c"),
        ),
        {"out": Output(_TOKENS, "same expandedX")},
        include=_COMBINE, missing=missing,
    )  # fmt: skip


_finalize_v2 = _finalizes("MoeFinalizeRoutingV2")
_finalize_v3 = _finalizes(
    "MoeFinalizeRoutingV3",
    Call("known_experts", "biasOptional expandedX dropPadMode", "experts"),
    *(Call("expert_span", f"plan {kind}ExpertRange experts", kind)
      for kind in ("zero", "copy", "constant")),
    Struct("SpecialExperts",
           "zero copy constant &xOptional &a1Optional &a2Optional &vOptional", "special"),
    like_x=("xOptional", "a1Optional", "a2Optional", "vOptional"),
    missing=("zero, copied and constant experts on chips before the 950",
             "copied or constant experts whose tensors are not given"),
)  # fmt: skip

_finalize_v2_grad = Row(
    "MoeFinalizeRoutingV2Grad", _FAMILY,
    (
        Null(("gradY", "expandedRowIdx", "gradExpandedXOut", "gradScalesOut")),
        _ON_NEWER,
        DtypeIn(_HALVES, ("gradY",)),
        SameDtype(("gradY", "gradExpandedXOut")),
        *_like_x("gradY", "expandedXOptional", "biasOptional"),
        if_given("scalesOptional", If("on_950()", DtypeIn(_HALVES, ("scalesOptional",)))),
        if_given("scalesOptional", If("!on_950()", SameDtype(("gradY", "scalesOptional")))),
        if_given("scalesOptional", SameDtype(("scalesOptional", "gradScalesOut"))),
        DtypeIn(_INT32, ("expandedRowIdx",)),
        *_all_int32("expertIdxOptional"),
        _rank("gradY", 2),
        _rank("expandedRowIdx", 1),
        _from("dropPadMode", 0, 1),
        _number("expertNum", "dropPadMode == 0 || expertNum > 0", "positive"),
        _number("expertCapacity", "dropPadMode == 0 || expertCapacity > 0", "positive"),
        Divides("!scalesOptional.given() || expandedXOptional.given()",
                "scalesOptional is given, expandedXOptional not"),
        Divides("!biasOptional.given() || (scalesOptional.given() && expertIdxOptional.given())",
                "biasOptional is given, scalesOptional or expertIdxOptional not"),
        if_given("scalesOptional", _rank("scalesOptional", 2)),
        if_given("biasOptional", Divides(
            "biasOptional.rank() == 2 && biasOptional.shape()[0] > 0 && "
            "(dropPadMode == 0 || biasOptional.shape()[0] == expertNum)",
            "biasOptional has not a row for each expert: %s",
            ("biasOptional.shape().text().c_str()",))),
        Kernel("moe_finalize_routing_v2_grad"),
    ),
    {"gradExpandedXOut": Output(
        "((expertNum, expertCapacity, gradY[1]) if dropPadMode else "
        "(min(activeNum or expandedRowIdx[0], expandedRowIdx[0]), gradY[1]))", "same gradY"),
     "gradScalesOut": Output(
         "(gradY[0], scalesOptional[1] if scalesOptional is not None else 1)",
         "same scalesOptional if scalesOptional is not None else same gradY")},
    include=_COMBINE,
)  # fmt: skip

_UNPERMUTED = (
    "(probsOptional[0] if probsOptional is not None else sortedIndices[0], permutedTokens[1])"
)
_PLAIN = (
    If("on_950()", That("!paddedMode", "paddedMode is true")),
    _ON_NEWER,
)

_unpermute = Row(
    "MoeTokenUnpermute", _FAMILY,
    (
        Null(("permutedTokens", "sortedIndices", "out")),
        If("on_950()", That("!paddedMode", "paddedMode is true")),
        _ON_ALL_BUT_910,
        DtypeIn(_HALVES, ("permutedTokens",)),
        SameDtype(("permutedTokens", "out")),
        if_given("probsOptional", DtypeIn(_HALVES, ("probsOptional",))),
        DtypeIn(_INT32, ("sortedIndices",)),
        Divides("!paddedMode", "paddedMode is true"),
        _rank("permutedTokens", 2),
        if_given("probsOptional", _rank("probsOptional", 2)),
        Call("columns_or_one", "probsOptional", "k"),
        _number("k", "on_950() || k <= 512", "at most 512"),
        Divides("!on_310p() || (permutedTokens.shape()[1] % 128 == 0 && "
                "permutedTokens.shape()[1] < 10240)",
                "on this chip columns are a multiple of 128 below 10240"),
        Struct("Combination", "permutedTokens sortedIndices k out false &probsOptional", "c"),
        Call("combine", "plan c"),
    ),
    {"out": Output(_UNPERMUTED, "same permutedTokens")},
    include=_COMBINE,
)  # fmt: skip

_unpermute_grad = Row(
    "MoeTokenUnpermuteGrad", _FAMILY,
    (
        # Since 9.1, the kernel of A2 and A3 for tokens without weights does not ask for them.
        Since("9.1", If("on_950() || probsOptional.given()", Null(("permuteTokens",))),
              before=Null(("permuteTokens",))),
        Null(("unpermutedTokensGrad", "sortedIndices", "permutedTokensGradOut", "probsGradOut")),
        *_PLAIN,
        DtypeIn(_HALVES, ("unpermutedTokensGrad",)),
        SameDtype(("unpermutedTokensGrad", "permutedTokensGradOut")),
        if_given("permuteTokens", SameDtype(("permuteTokens", "unpermutedTokensGrad"))),
        if_given("probsOptional", DtypeIn(_HALVES, ("probsOptional",))),
        if_given("probsOptional", SameDtype(("probsOptional", "probsGradOut"))),
        DtypeIn(_INT32, ("sortedIndices",)),
        Divides("!paddedMode", "paddedMode is true"),
        if_given("permuteTokens", _rank("permuteTokens", 2)),
        if_given("probsOptional", _rank("probsOptional", 2)),
        Call("columns_or_one", "probsOptional", "k"),
        _number("k", "on_950() || k <= 512", "at most 512"),
        Divides("on_950() || (!permutedTokensGradOut.is_empty() && "
                "!unpermutedTokensGrad.is_empty())",
                "there are no tokens"),
        if_given("permuteTokens",
                 Call("check_extents", "plan &permutedTokensGradOut permuteTokens.shape()")),
        Call("beside", "probsOptional probsGradOut", "probs_grad"),
        Struct("CombinationGradient",
               "unpermutedTokensGrad sortedIndices k permutedTokensGradOut &permuteTokens "
               "&probsOptional nullptr nullptr probs_grad", "c"),
        Call("combine_backward", "plan c"),
    ),
    {"permutedTokensGradOut": Output(
        "(permuteTokens if permuteTokens is not None "
        "else (sortedIndices[0], unpermutedTokensGrad[1]))",
        "same unpermutedTokensGrad"),
     "probsGradOut": Output(
         "(probsOptional if probsOptional is not None else (sortedIndices[0], 1))",
         "same probsOptional if probsOptional is not None else same unpermutedTokensGrad")},
    include=_COMBINE,
)  # fmt: skip


def _of_pairs(name: str, grad: str, places: str, k: str, out: str, *checks: Step) -> Row:
    """Make the row of a gradient that adds up the rows of each token."""
    return Row(
        name, _FAMILY,
        (
            Null((grad, places, out)),
            *(_PLAIN if name == "MoeTokenPermuteGrad" else (_ON_NEWER,)),
            DtypeIn(_HALVES, (grad,)),
            SameDtype((grad, out)),
            DtypeIn(_INT32, (places,)),
            _number(k, f"{k} > 0", "positive"),
            _rank(out, 2),
            *checks,
            Struct("Combination", f"{grad} {places} {k} {out}", "c"),
            Call("combine", "plan c"),
        ),
        {"out": Output(f"({places}[0] // max({k}, 1), {grad}[-1])", f"same {grad}")},
        include=_COMBINE,
    )  # fmt: skip


_permute_grad = _of_pairs(
    "MoeTokenPermuteGrad", "permutedOutputGrad", "sortedIndices", "numTopk", "out",
    Divides("!paddedMode", "paddedMode is true"),
    _rank("permutedOutputGrad", 2),
    _number("numTopk", "on_950() || numTopk <= 512", "at most 512"),
)  # fmt: skip

_init_routing_v2_grad = _of_pairs(
    "MoeInitRoutingV2Grad", "gradExpandedX", "expandedRowIdx", "topK", "out",
    _from("dropPadMode", 0, 1),
    _number("activeNum", "activeNum >= 0", "at least 0"),
    If("dropPadMode == 1", _rank("gradExpandedX", 3)),
    If("dropPadMode == 0", _rank("gradExpandedX", 2, 3)),
    Divides("dropPadMode == 1 || gradExpandedX.shape()[0] == "
            "(activeNum > 0 ? std::int64_t(activeNum) : expandedRowIdx.shape()[0])",
            "gradExpandedX has not as many rows as are active"),
)  # fmt: skip

_gating_backward = Row(
    "MoeGatingTopKBackward", _FAMILY,
    (
        Null(("xNorm", "gradY", "expertIdx", "out")),
        OnlyOn(("A2",), inside=True),
        DtypeIn(dtypes("float32"), ("xNorm",)),
        DtypeIn(_HALVES, ("gradY",)),
        SameDtype(("gradY", "out")),
        DtypeIn(_INT32, ("expertIdx",)),
        _rank("xNorm", 2),
        _rank("gradY", 2),
        Divides("gradY.shape()[0] == xNorm.shape()[0] && gradY.shape()[1] > 0 && "
                "gradY.shape()[1] <= xNorm.shape()[1]", "gradY has shape %s, xNorm %s",
                ("gradY.shape().text().c_str()", "xNorm.shape().text().c_str()")),
        Call("check_extents", "plan &expertIdx gradY.shape()"),
        _number("normType", "normType == 1", "1, for sigmoids"),
        Call("check_extents", "plan &out xNorm.shape()"),
        Call("gate_backward",
             "plan xNorm gradY expertIdx float(routedScalingFactor) float(eps) out"),
    ),
    {"out": Output("(xNorm)", "same gradY")},
    include=_GATING,
)  # fmt: skip


_fused_topk = Row(
    "MoeFusedTopk", _FAMILY,
    (
        Null(("x", "addNum", "y", "indices")),
        If("enableExpertMapping", Null(("mappingNum", "mappingTable"))),
        DtypeIn(_HALVES, ("x",)),
        SameDtype(("x", "addNum")),
        If("enableExpertMapping", DtypeIn(_INT32, ("mappingNum", "mappingTable"))),
        DtypeIn(_INT32, ("indices",)),
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
    include=_GATING,
)  # fmt: skip


def _add(name: str, list_type: str, chips: tuple[str, ...]) -> Row:
    """Make the row of products of the inner axis that are added to a tensor."""
    return Row(
        name, _FAMILY,
        (
            # The sources answer these as any other wrong argument.
            That("x.given() && weight.given() && groupList.given() && yRef.given()",
                 "x, weight, groupList or yRef is null"),
            That(f"{list_type} == 0 || {list_type} == 1", "groupListType must be 0 or 1"),
            That("x.rank() == 2 && weight.rank() == 2 && groupList.rank() == 1 && "
                 "x.shape()[1] > 0 && x.shape()[0] == weight.shape()[0]",
                 "x has shape %s, weight %s",
                 ("x.shape().text().c_str()", "weight.shape().text().c_str()")),
            That("!on_950() || (yRef.rank() == 3 && yRef.shape()[0] == groupList.shape()[0])",
                 "yRef has not a matrix for each group"),
            DtypeIn(dtypes("float32"), ("yRef",)),
            DtypeIn(dtypes("int64"), ("groupList",)),
            DtypeIn(dtypes("float16", "bfloat16"), ("x",)),
            SameDtype(("x", "weight")),
            OnlyOn(chips, inside=True),
            _number("groupType", "groupType == 2 && transposeX && !transposeWeight",
                    "2, with x transposed alone"),
            Call("add_grouped_products", f"plan x weight groupList {list_type} yRef"),
        ),
        include=(*_CHECKS, "moe/grouped_matmul.hpp"),
    )  # fmt: skip


_ON_A2 = OnlyOn(("A2",), inside=True)


def _range_of(count: str) -> tuple[Step, ...]:
    """Return the steps of a range of so many rows."""
    return (
        Call("expert_range", f"plan rangeOptional {count}", "range"),
        Divides(f"range.last <= {count}", "rangeOptional ends at %lld",
                ("static_cast<long long>(range.last)",)),
    )  # fmt: skip


_RANGED = Call("names_range", "rangeOptional", "ranged")
_NO_PADDING = Divides("!paddedMode", "paddedMode is true")
_RANGES = (*_CHECKS, "moe/combine.hpp", "moe/routing.hpp")

_permute_ep = Row(
    "MoeTokenPermuteWithEp", _FAMILY,
    (
        Null(("tokens", "indices", "permuteTokensOut", "sortedIndicesOut", "permuteProbsOut")),
        _ON_A2,
        DtypeIn(_HALVES, ("tokens",)),
        DtypeIn(dtypes("int32 int64"), ("indices",)),
        *_like_x("tokens", "probsOptional"),
        SameDtype(("tokens", "permuteTokensOut", "permuteProbsOut")),
        DtypeIn(_INT32, ("sortedIndicesOut",)),
        _NO_PADDING,
        _rank("tokens", 2),
        _rank("indices", 1, 2),
        Divides("tokens.shape()[0] == indices.shape()[0]", "tokens and indices have other rows"),
        Call("check_extents", "plan &probsOptional indices.shape()"),
        Divides("indices.rank() == 1 || (indices.shape()[1] >= 1 && indices.shape()[1] <= 512)",
                "a token has none or more than 512 experts"),
        Cpp("const std::int64_t all = indices.elements();"),
        _number("all", "all < 16777215", "less than 16777215"),
        *_range_of("all"),
        _RANGED,
        If("ranged && range.first == range.last",
           NotSimulated("an empty range")),
        Kernel("moe_token_permute_with_ep"),
    ),
    {"permuteTokensOut": Output(
        "(rangeOptional[1] - rangeOptional[0] if rangeOptional else min(numOutTokens, "
        "prod(indices)) if numOutTokens > 0 else max(prod(indices) + numOutTokens, 0), tokens[1])",
        "same tokens"),
     "sortedIndicesOut": Output("(prod(indices),)", "int32"),
     "permuteProbsOut": Output(
         "(rangeOptional[1] - rangeOptional[0] if rangeOptional else 0,)", "same tokens")},
    include=_RANGES, missing=("an empty range",),
)  # fmt: skip

_permute_ep_grad = Row(
    "MoeTokenPermuteWithEpGrad", _FAMILY,
    (
        Null(("permutedTokensOutputGrad", "sortedIndices", "tokenGradOut", "probsGradOut")),
        _ON_A2,
        DtypeIn(_HALVES, ("permutedTokensOutputGrad",)),
        SameDtype(("permutedTokensOutputGrad", "tokenGradOut", "probsGradOut")),
        *_like_x("permutedTokensOutputGrad", "permutedProbsOutputGradOptional"),
        DtypeIn(_INT32, ("sortedIndices",)),
        _NO_PADDING,
        _rank("permutedTokensOutputGrad", 2),
        if_given("permutedProbsOutputGradOptional", _rank("permutedProbsOutputGradOptional", 1)),
        _rank("tokenGradOut", 2),
        _from("numTopk", 1, 512),
        *_range_of("sortedIndices.elements()"),
        Struct("Combination",
               "permutedTokensOutputGrad sortedIndices numTopk tokenGradOut false nullptr nullptr "
               "nullptr nullptr nullptr range.first range.last", "c"),
        Call("combine", "plan c"),
        If("permutedProbsOutputGradOptional.given() && rangeOptional.given()",
           Call("pick_places",
                "plan permutedProbsOutputGradOptional sortedIndices range.first range.last "
                "probsGradOut")),
    ),
    {"tokenGradOut": Output(
        "(sortedIndices[0] // max(numTopk, 1), permutedTokensOutputGrad[1])",
        "same permutedTokensOutputGrad"),
     "probsGradOut": Output("(sortedIndices[0] // max(numTopk, 1), numTopk)",
                            "same permutedTokensOutputGrad")},
    include=_RANGES,
)  # fmt: skip

_unpermute_ep = Row(
    "MoeTokenUnpermuteWithEp", _FAMILY,
    (
        Null(("permutedTokens", "sortedIndices", "out")),
        _ON_A2,
        DtypeIn(_HALVES, ("permutedTokens",)),
        SameDtype(("permutedTokens", "out")),
        if_given("probsOptional", DtypeIn(_HALVES, ("probsOptional",))),
        DtypeIn(_INT32, ("sortedIndices",)),
        _NO_PADDING,
        _rank("permutedTokens", 2),
        if_given("probsOptional", _rank("probsOptional", 2)),
        # Without a range it is MoeTokenUnpermute, which is not told how many experts there are.
        _RANGED,
        Call("chosen_experts", "ranged numTopk probsOptional", "k"),
        _from("k", 1, 512),
        *_range_of("sortedIndices.elements()"),
        Struct("Combination",
               "permutedTokens sortedIndices k out false &probsOptional nullptr nullptr nullptr "
               "nullptr range.first range.last", "c"),
        Call("combine", "plan c"),
    ),
    {"out": Output("(sortedIndices[0] // max(numTopk if rangeOptional else probsOptional[1] "
                   "if probsOptional is not None else 1, 1), permutedTokens[1])",
                   "same permutedTokens")},
    include=_RANGES,
)  # fmt: skip

_unpermute_ep_grad = Row(
    "MoeTokenUnpermuteWithEpGrad", _FAMILY,
    (
        Null(("unpermutedTokensGrad", "sortedIndices", "permutedTokensGradOut", "probsGradOut")),
        _ON_A2,
        DtypeIn(_HALVES, ("unpermutedTokensGrad",)),
        SameDtype(("unpermutedTokensGrad", "permutedTokensGradOut")),
        *_like_x("unpermutedTokensGrad", "permutedTokensOptional"),
        if_given("probsOptional", DtypeIn(_HALVES, ("probsOptional",))),
        if_given("probsOptional", SameDtype(("probsOptional", "probsGradOut"))),
        DtypeIn(_INT32, ("sortedIndices",)),
        _NO_PADDING,
        _rank("unpermutedTokensGrad", 2),
        _rank("permutedTokensGradOut", 2),
        if_given("probsOptional", _rank("probsOptional", 2)),
        _from("topkNum", 1, 512),
        if_given("probsOptional", Divides("permutedTokensOptional.given()",
                                          "probsOptional is given, permutedTokensOptional not")),
        Divides("!unpermutedTokensGrad.is_empty() && !permutedTokensGradOut.is_empty()",
                "there are no tokens"),
        *_range_of("sortedIndices.elements()"),
        Call("beside", "probsOptional probsGradOut", "probs_grad"),
        Struct("CombinationGradient",
               "unpermutedTokensGrad sortedIndices topkNum permutedTokensGradOut "
               "&permutedTokensOptional &probsOptional nullptr nullptr probs_grad range.first "
               "range.last", "c"),
        Call("combine_backward", "plan c"),
    ),
    {"permutedTokensGradOut": Output(
        "(permutedTokensOptional if permutedTokensOptional is not None else "
        "(sortedIndices[0], unpermutedTokensGrad[1]))", "same unpermutedTokensGrad"),
     "probsGradOut": Output(
         "(probsOptional if probsOptional is not None else (sortedIndices[0], 1))",
         "same probsOptional if probsOptional is not None else same unpermutedTokensGrad")},
    include=_RANGES,
)  # fmt: skip


ROWS: tuple[Row, ...] = (
    _permute_ep,
    _permute_ep_grad,
    _unpermute_ep,
    _unpermute_ep_grad,
    _gating_backward,
    _fused_topk,
    _add("GroupedMatmulAdd", "0", ("A2", "950")),
    _add("GroupedMatmulAddV2", "groupListType", ("950",)),
    _gating_softmax,
    _gating_softmax_v2,
    _gating,
    _expert_tokens,
    _init_routing("MoeInitRouting", quantised=False),
    _init_routing("MoeInitRoutingQuant", quantised=True),
    _init_routing_v2,
    _init_routing_quant_v2,
    _init_routing_v3,
    _init_routing_v2_grad,
    _permute,
    _permute_grad,
    _unpermute,
    _unpermute_grad,
    _finalize,
    _finalize_v2,
    _finalize_v3,
    _finalize_v2_grad,
)
