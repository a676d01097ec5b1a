"""Tokens sorted by the experts that see them."""

from __future__ import annotations

from .dtypes import Dtypes, dtypes
from .moe_steps import (
    HALVES,
    INT32,
    NO_PADDING,
    ON_A2,
    ON_ALL_BUT_910,
    ON_NEWER,
    all_int32,
    from_to,
    like_first,
    number_is,
    one_of,
    range_of,
    rank_is,
)
from .optional_steps import If, Since, if_given
from .row import Output, Row
from .steps import (
    Call,
    Cpp,
    Divides,
    DtypeIn,
    ForKernel,
    Kernel,
    Null,
    OnlyOn,
    SameDtype,
    Step,
    Steps,
    That,
)

_FAMILY = "moe"
_PAIRS = "(prod(expertIdx),)"

_expert_tokens = Row(
    "MoeComputeExpertTokens", _FAMILY,
    (
        Null(("sortedExperts", "out")),
        ON_NEWER,
        DtypeIn(INT32, ("sortedExperts", "out")),
        rank_is("sortedExperts", 1),
        from_to("numExperts", 1, 2048),
        Divides("sortedExperts.elements() < (1 << 24)", "sortedExperts has 2^24 elements or more"),
        Call("check_extents", "plan &out {numExperts}"),
        Call("count_experts", "plan sortedExperts out"),
    ),
    {"out": Output("(numExperts,)", "same sortedExperts")},
)  # fmt: skip


def _init_routing(name: str, quantised: bool) -> Row:
    """Make the row of the first version, whose rows come in the order of columns."""
    return Row(
        name, _FAMILY,
        (
            Null(("x", "rowIdx", "expertIdx", "expandedXOut", "expandedRowIdxOut",
                  "expandedExpertIdxOut")),
            OnlyOn(("A2",), inside=True) if quantised else ON_NEWER,
            DtypeIn(HALVES, ("x",)),
            DtypeIn(INT32, ("rowIdx", "expertIdx", "expandedRowIdxOut", "expandedExpertIdxOut")),
            DtypeIn(dtypes("int8"), ("expandedXOut",)) if quantised
            else SameDtype(("x", "expandedXOut")),
            *(rank_is(n, 2) for n in ("x", "rowIdx", "expertIdx")),
            Call("check_extents", "plan &rowIdx expertIdx.shape()"),
            Divides("x.shape()[0] == expertIdx.shape()[0]", "x and expertIdx have other rows"),
            number_is("activeNum", "activeNum >= 0", "at least 0"),
            Kernel("moe_init_routing", of="MoeInitRoutingQuant"),
        ),
        {"expandedXOut": Output("(min(x[0], activeNum) * expertIdx[1], x[1])",
                                "int8" if quantised else "same x"),
         "expandedRowIdxOut": Output(_PAIRS, "int32"),
         "expandedExpertIdxOut": Output(_PAIRS, "int32")},
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
        rank_is("x", 2),
        If(newest, rank_is("expertIdx", 1, 2)),
        If(f"!({newest})", rank_is("expertIdx", 2)),
        Divides("x.shape()[0] == expertIdx.shape()[0]", "x and expertIdx have other rows"),
        number_is(f"activeNum{suffix}", f"{newest} || activeNum{suffix} >= 0", "at least 0"),
        number_is(capacity, f"{capacity} >= 0", "at least 0"),
        number_is(experts, f"{experts} >= 0", "at least 0"),
        from_to(mode, 0, 1),
        Divides(f"{mode} == 0 || ({experts} > 0 && {capacity} > 0 && {capacity} <= x.shape()[0])",
                "with dropPadMode 1 there are experts, and a capacity of at most x's rows"),
        from_to(flag, 0, 2),
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


_INDEX = If("on_950()", DtypeIn(Dtypes(("int32", "int64")), ("expertIdx",)),
            DtypeIn(Dtypes(("int32",)), ("expertIdx",)))  # fmt: skip

_init_routing_v2 = Row(
    "MoeInitRoutingV2", _FAMILY,
    (
        Null(("x", "expertIdx", "expandedXOut", "expandedRowIdxOut")),
        ON_ALL_BUT_910,
        DtypeIn(HALVES, ("x",)),
        _INDEX,
        SameDtype(("x", "expandedXOut")),
        DtypeIn(INT32, ("expandedRowIdxOut",)),
        *all_int32(*_COUNTS_V2),
        *_routing_attributes("Optional"),
        Divides("!on_310p() || (dropPadModeOptional == 0 && x.shape()[1] % 32 == 0)",
                "on this chip there are no rooms, and x has a multiple of 32 columns"),
        Kernel("moe_init_routing_v2", of="MoeInitRoutingQuantV2"),
    ),
    _routing_outputs("Optional", "same x"),
)  # fmt: skip

_init_routing_quant_v2 = Row(
    "MoeInitRoutingQuantV2", _FAMILY,
    (
        Null(("x", "expertIdx", "expandedXOut", "expandedRowIdxOut")),
        ON_NEWER,
        DtypeIn(HALVES, ("x",)),
        DtypeIn(INT32, ("expertIdx", "expandedRowIdxOut")),
        *(if_given(n, DtypeIn(dtypes("float32"), (n,)))
          for n in ("scaleOptional", "offsetOptional", "dynamicQuantScaleOutOptional")),
        DtypeIn(Dtypes(("int8", "int4")), ("expandedXOut",)),
        *all_int32(*_COUNTS_V2),
        *_routing_attributes(""),
        from_to("quantMode", 0, 1),
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
)  # fmt: skip

#: What the 950 moves as it is; float8's scales are of blocks.
_NARROW = "hifloat8 float8_e4m3fn float8_e5m2 float4_e2m1fn"
_FLOATS = "('float8_e4m3fn', 'float8_e5m2', 'float4_e2m1fn')"
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
        ON_NEWER,
        ForKernel((
            DtypeIn(HALVES | dtypes("int8", newest=_NARROW), ("x",)),
            DtypeIn(INT32, ("expertIdx", "expandedRowIdxOut")),
            if_given("scaleOptional",
                     DtypeIn(dtypes("float32", newest="float8_e8m0fnu"), ("scaleOptional",))),
            if_given("offsetOptional", DtypeIn(dtypes("float32"), ("offsetOptional",))),
            DtypeIn(dtypes("int64"), ("expertTokensCountOrCumsumOut",)),
        )),
        Call("expert_range", "plan activeExpertRangeOptional expertNum", "range"),
        from_to("dropPadMode", 0, 1),
        number_is("activeNum", "dropPadMode == 1 || activeNum >= -1", "at least -1"),
        number_is("expertCapacity", "dropPadMode == 0 || (expertCapacity > 0 && x.rank() == 2 && "
                  "expertCapacity <= x.shape()[0])", "from 1 to x's rows"),
        from_to("expertTokensNumType", 0, 2),
        number_is("expertTokensNumType", "on_950() || dropPadMode == 0 || "
                  "!expertTokensNumFlag || expertTokensNumType == 1", "1 with dropPadMode 1"),
        number_is("expertNum", "range.last <= expertNum && "
                  "range.last <= (expertTokensNumType == 2 ? 5120 : 10240)",
                  "at least the end of the range, which is at most 10240, or 5120 for pairs"),
        If("on_950()", Since("9.1", one_of("quantMode", -1, 0, 1, 2, 3, 6, 7, 8, 9, 11, 12, 13),
                             one_of("quantMode", -1, 1, 2, 3, 6, 7, 8)),
           one_of("quantMode", -1, 0, 1)),
        from_to("rowIdxType", 0, 1),
        If("on_950()", Steps((
            Divides(
                "expertTokensNumFlag && expertNum > 0 && activeExpertRangeOptional.given() && "
                "range.first < range.last && "
                "(activeNum == -1 || activeNum == expertIdx.elements())",
                "on this chip rows are counted, of a range that is given, and all are active"),
            Since("9.1",
                  Divides("dropPadMode == 0 || (quantMode == -1 && rowIdxType == 0 && "
                          "range.first == 0 && range.last == expertNum)",
                          "on this chip rooms are of all experts, for rows as they are"),
                  before=Divides("dropPadMode == 0 && expertTokensNumType > 0",
                                 "on this chip there are no rooms and no running counts")),
        ))),
        rank_is("x", 2),
        rank_is("expertIdx", 2),
        Divides("x.shape()[0] == expertIdx.shape()[0]", "x and expertIdx have other rows"),
        Divides("quantMode == -1 || x.dtype() == ACL_FLOAT || x.dtype() == ACL_FLOAT16 || "
                "x.dtype() == ACL_BF16", "x is of narrow numbers, and is to be quantised"),
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
         f"(prod(expertIdx), (x[1] + 63) // 64, 2) if quantMode == 9 or x.dtype in {_FLOATS} else "
         "(prod(expertIdx), (x[1] + 255) // 256, 2) if quantMode in (11, 12) else "
         f"(prod(({_ROWS_V3})[:-1]),)",
         f"float8_e8m0fnu if quantMode in (2, 3, 9) or x.dtype in {_FLOATS} else float32")},
    missing=(
        "on the 950: x of float4 with gaps, or with parts of pairs of blocks",
        "rooms of x in float8 or float4, which its kernel does not write",
    ),
)  # fmt: skip

_permute = Row(
    "MoeTokenPermute", _FAMILY,
    (
        Null(("tokens", "indices", "permuteTokensOut", "sortedIndicesOut")),
        If("on_950()", That("!paddedMode", "paddedMode is true")),
        ON_NEWER,
        DtypeIn(HALVES, ("tokens",)),
        DtypeIn(dtypes("int32 int64"), ("indices",)),
        SameDtype(("tokens", "permuteTokensOut")),
        DtypeIn(INT32, ("sortedIndicesOut",)),
        Divides("!paddedMode", "paddedMode is true"),
        Divides("tokens.rank() == 2 || (tokens.rank() > 2 && !on_950())",
                "tokens has %zu dimensions", ("tokens.rank()",)),
        rank_is("indices", 1, 2),
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
)  # fmt: skip

_permute_ep = Row(
    "MoeTokenPermuteWithEp", _FAMILY,
    (
        Null(("tokens", "indices", "permuteTokensOut", "sortedIndicesOut", "permuteProbsOut")),
        ON_A2,
        DtypeIn(HALVES, ("tokens",)),
        DtypeIn(dtypes("int32 int64"), ("indices",)),
        *like_first("tokens", "probsOptional"),
        SameDtype(("tokens", "permuteTokensOut", "permuteProbsOut")),
        DtypeIn(INT32, ("sortedIndicesOut",)),
        NO_PADDING,
        rank_is("tokens", 2),
        rank_is("indices", 1, 2),
        Divides("tokens.shape()[0] == indices.shape()[0]", "tokens and indices have other rows"),
        Call("check_extents", "plan &probsOptional indices.shape()"),
        Divides("indices.rank() == 1 || (indices.shape()[1] >= 1 && indices.shape()[1] <= 512)",
                "a token has none or more than 512 experts"),
        Cpp("const std::int64_t all = indices.elements();"),
        number_is("all", "all < 16777215", "less than 16777215"),
        *range_of("all"),
        Kernel("moe_token_permute_with_ep"),
    ),
    {"permuteTokensOut": Output(
        "(rangeOptional[1] - rangeOptional[0] or prod(indices) if rangeOptional else "
        "min(numOutTokens, prod(indices)) if numOutTokens > 0 else "
        "max(prod(indices) + numOutTokens, 0), tokens[1])",
        "same tokens"),
     "sortedIndicesOut": Output("(prod(indices),)", "int32"),
     "permuteProbsOut": Output(
         "(rangeOptional[1] - rangeOptional[0] or prod(indices) if rangeOptional else 0,)",
         "same tokens")},
)  # fmt: skip


ROWS: tuple[Row, ...] = (
    _permute_ep,
    _expert_tokens,
    _init_routing("MoeInitRouting", quantised=False),
    _init_routing("MoeInitRoutingQuant", quantised=True),
    _init_routing_v2,
    _init_routing_quant_v2,
    _init_routing_v3,
    _permute,
)
