"""Rows of experts put together to tokens again, and gradients of rows that were sorted."""

from __future__ import annotations

from .dtypes import dtypes
from .moe_steps import (
    HALVES,
    INT32,
    NO_PADDING,
    ON_A2,
    ON_ALL_BUT_910,
    ON_NEWER,
    RANGED,
    all_int32,
    from_to,
    like_first,
    number_is,
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
    Struct,
    That,
)

_FAMILY = "moe"
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
        DtypeIn(HALVES, ("expandedX",)),
        SameDtype(("expandedX", "x1", "bias", "scales", "out")),
        *like_first("expandedX", "x2Optional"),
        DtypeIn(INT32, ("expandedRowIdx", "expandedExpertIdx")),
        rank_is("expandedX", 2),
        rank_is("scales", 2),
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
)  # fmt: skip
_TOKENS = ("(scalesOptional[0] if scalesOptional is not None else "
           "x1Optional[0] if x1Optional is not None else "
           "expertIdxOptional[0] if expertIdxOptional is not None else expandedRowIdx[0], "
           "expandedX[-1])")  # fmt: skip


def _finalizes(name: str, *special: Step, like_x: tuple[str, ...] = (),
               missing: tuple[str, ...] = ()) -> Row:  # fmt: skip
    """Make a row; ``special`` are the steps of experts that are none."""
    types: tuple[Step, ...] = (
        DtypeIn(HALVES, ("expandedX",)),
        SameDtype(("expandedX", "out")),
        *like_first("expandedX", "x1Optional", "x2Optional", "biasOptional", *like_x),
        if_given("scalesOptional", _SCALES_FIT),
        DtypeIn(INT32, ("expandedRowIdx",)),
        *all_int32("expertIdxOptional"),
    )  # fmt: skip
    return Row(
        name, _FAMILY,
        (
            Null(("expandedX", "expandedRowIdx", "out")),
            ON_ALL_BUT_910,
            # CANN looks at types on some chips only, and in the newer version never.
            ForKernel(types) if special
            else If("on_310p() || on_950()", Steps(types), ForKernel(types)),
            from_to("dropPadMode", 0, 3),
            If("dropPadMode % 2 == 0", rank_is("expandedX", 2)),
            If("dropPadMode % 2 == 1", rank_is("expandedX", 3)),
            Divides("!x2Optional.given() || x1Optional.given()",
                    "x2Optional is given, x1Optional not"),
            Divides("!biasOptional.given() || expertIdxOptional.given()",
                    "biasOptional is given, expertIdxOptional not"),
            if_given("scalesOptional", rank_is("scalesOptional", 2)),
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
        missing=missing,
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
    missing=("on the 950: copied or constant experts whose tensors are not given",),
)  # fmt: skip

_finalize_v2_grad = Row(
    "MoeFinalizeRoutingV2Grad", _FAMILY,
    (
        Null(("gradY", "expandedRowIdx", "gradExpandedXOut", "gradScalesOut")),
        ON_NEWER,
        DtypeIn(HALVES, ("gradY",)),
        SameDtype(("gradY", "gradExpandedXOut")),
        *like_first("gradY", "expandedXOptional", "biasOptional"),
        if_given("scalesOptional", DtypeIn(HALVES, ("scalesOptional",))),
        If("gradScalesOut.elements() != 0", DtypeIn(HALVES, ("gradScalesOut",))),
        DtypeIn(INT32, ("expandedRowIdx",)),
        *all_int32("expertIdxOptional"),
        if_given("scalesOptional", ForKernel((
            If("!on_950()", SameDtype(("gradY", "scalesOptional"))),
            SameDtype(("scalesOptional", "gradScalesOut")),
        ))),
        rank_is("gradY", 2),
        rank_is("expandedRowIdx", 1),
        from_to("dropPadMode", 0, 1),
        number_is("expertNum", "dropPadMode == 0 || expertNum > 0", "positive"),
        number_is("expertCapacity", "dropPadMode == 0 || expertCapacity > 0", "positive"),
        Divides("!scalesOptional.given() || expandedXOptional.given()",
                "scalesOptional is given, expandedXOptional not"),
        Divides("!biasOptional.given() || (scalesOptional.given() && expertIdxOptional.given())",
                "biasOptional is given, scalesOptional or expertIdxOptional not"),
        if_given("scalesOptional", rank_is("scalesOptional", 2)),
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
)  # fmt: skip

_UNPERMUTED = (
    "(probsOptional[0] if probsOptional is not None else sortedIndices[0], permutedTokens[1])"
)

_PLAIN = (
    If("on_950()", That("!paddedMode", "paddedMode is true")),
    ON_NEWER,
)

_unpermute = Row(
    "MoeTokenUnpermute", _FAMILY,
    (
        If("on_950()", That("!paddedMode", "paddedMode is true")),
        Null(("permutedTokens", "sortedIndices", "out")),
        ON_ALL_BUT_910,
        DtypeIn(HALVES, ("permutedTokens",)),
        SameDtype(("permutedTokens", "out")),
        if_given("probsOptional", DtypeIn(HALVES, ("probsOptional",))),
        DtypeIn(INT32, ("sortedIndices",)),
        Divides("!paddedMode", "paddedMode is true"),
        rank_is("permutedTokens", 2),
        if_given("probsOptional", rank_is("probsOptional", 2)),
        Call("columns_or_one", "probsOptional", "k"),
        number_is("k", "on_950() || k <= 512", "at most 512"),
        Divides("!on_310p() || (permutedTokens.shape()[1] % 128 == 0 && "
                "permutedTokens.shape()[1] < 10240)",
                "on this chip columns are a multiple of 128 below 10240"),
        Struct("Combination", "permutedTokens sortedIndices k out false &probsOptional", "c"),
        Call("combine", "plan c"),
    ),
    {"out": Output(_UNPERMUTED, "same permutedTokens")},
)  # fmt: skip

_unpermute_grad = Row(
    "MoeTokenUnpermuteGrad", _FAMILY,
    (
        # Since 9.1, the kernel of A2 and A3 for tokens without weights does not ask for them.
        Since("9.1", If("on_950() || probsOptional.given()", Null(("permuteTokens",))),
              before=Null(("permuteTokens",))),
        Null(("unpermutedTokensGrad", "sortedIndices", "permutedTokensGradOut", "probsGradOut")),
        *_PLAIN,
        DtypeIn(HALVES, ("unpermutedTokensGrad",)),
        SameDtype(("unpermutedTokensGrad", "permutedTokensGradOut")),
        if_given("permuteTokens", SameDtype(("permuteTokens", "unpermutedTokensGrad"))),
        if_given("probsOptional", DtypeIn(HALVES, ("probsOptional",))),
        if_given("probsOptional", SameDtype(("probsOptional", "probsGradOut"))),
        DtypeIn(INT32, ("sortedIndices",)),
        Divides("!paddedMode", "paddedMode is true"),
        if_given("permuteTokens", rank_is("permuteTokens", 2)),
        if_given("probsOptional", rank_is("probsOptional", 2)),
        Call("columns_or_one", "probsOptional", "k"),
        number_is("k", "on_950() || k <= 512", "at most 512"),
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
)  # fmt: skip


def _of_pairs(name: str, grad: str, places: str, k: str, out: str, *checks: Step) -> Row:
    """Make the row of a gradient that adds up the rows of each token."""
    return Row(
        name, _FAMILY,
        (
            Null((grad, places, out)),
            *(_PLAIN if name == "MoeTokenPermuteGrad" else (ON_NEWER,)),
            DtypeIn(HALVES, (grad,)),
            SameDtype((grad, out)),
            DtypeIn(INT32, (places,)),
            number_is(k, f"{k} > 0", "positive"),
            rank_is(out, 2),
            *checks,
            Struct("Combination", f"{grad} {places} {k} {out}", "c"),
            Call("combine", "plan c"),
        ),
        {"out": Output(f"({places}[0] // max({k}, 1), {grad}[-1])", f"same {grad}")},
    )  # fmt: skip


_permute_grad = _of_pairs(
    "MoeTokenPermuteGrad", "permutedOutputGrad", "sortedIndices", "numTopk", "out",
    Divides("!paddedMode", "paddedMode is true"),
    rank_is("permutedOutputGrad", 2),
    number_is("numTopk", "on_950() || numTopk <= 512", "at most 512"),
)  # fmt: skip

_init_routing_v2_grad = _of_pairs(
    "MoeInitRoutingV2Grad", "gradExpandedX", "expandedRowIdx", "topK", "out",
    from_to("dropPadMode", 0, 1),
    number_is("activeNum", "activeNum >= 0", "at least 0"),
    If("dropPadMode == 1", rank_is("gradExpandedX", 3)),
    If("dropPadMode == 0", rank_is("gradExpandedX", 2, 3)),
    Divides("dropPadMode == 1 || gradExpandedX.shape()[0] == "
            "(activeNum > 0 ? std::int64_t(activeNum) : expandedRowIdx.shape()[0])",
            "gradExpandedX has not as many rows as are active"),
)  # fmt: skip

_permute_ep_grad = Row(
    "MoeTokenPermuteWithEpGrad", _FAMILY,
    (
        Null(("permutedTokensOutputGrad", "sortedIndices", "tokenGradOut", "probsGradOut")),
        ON_A2,
        DtypeIn(HALVES, ("permutedTokensOutputGrad",)),
        SameDtype(("permutedTokensOutputGrad", "tokenGradOut", "probsGradOut")),
        *like_first("permutedTokensOutputGrad", "permutedProbsOutputGradOptional"),
        DtypeIn(INT32, ("sortedIndices",)),
        NO_PADDING,
        rank_is("permutedTokensOutputGrad", 2),
        if_given("permutedProbsOutputGradOptional", rank_is("permutedProbsOutputGradOptional", 1)),
        rank_is("tokenGradOut", 2),
        from_to("numTopk", 1, 512),
        *range_of("sortedIndices.elements()"),
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
)  # fmt: skip

_unpermute_ep = Row(
    "MoeTokenUnpermuteWithEp", _FAMILY,
    (
        Null(("permutedTokens", "sortedIndices", "out")),
        ON_A2,
        DtypeIn(HALVES, ("permutedTokens",)),
        SameDtype(("permutedTokens", "out")),
        if_given("probsOptional", DtypeIn(HALVES, ("probsOptional",))),
        DtypeIn(INT32, ("sortedIndices",)),
        NO_PADDING,
        rank_is("permutedTokens", 2),
        if_given("probsOptional", rank_is("probsOptional", 2)),
        # Without a range it is MoeTokenUnpermute, which is not told how many experts there are.
        RANGED,
        Call("chosen_experts", "ranged numTopk probsOptional", "k"),
        from_to("k", 1, 512),
        *range_of("sortedIndices.elements()"),
        Struct("Combination",
               "permutedTokens sortedIndices k out false &probsOptional nullptr nullptr nullptr "
               "nullptr range.first range.last", "c"),
        Call("combine", "plan c"),
    ),
    {"out": Output("(sortedIndices[0] // max(numTopk if rangeOptional else probsOptional[1] "
                   "if probsOptional is not None else 1, 1), permutedTokens[1])",
                   "same permutedTokens")},
)  # fmt: skip

_unpermute_ep_grad = Row(
    "MoeTokenUnpermuteWithEpGrad", _FAMILY,
    (
        Null(("unpermutedTokensGrad", "sortedIndices", "permutedTokensGradOut", "probsGradOut")),
        ON_A2,
        DtypeIn(HALVES, ("unpermutedTokensGrad",)),
        SameDtype(("unpermutedTokensGrad", "permutedTokensGradOut")),
        *like_first("unpermutedTokensGrad", "permutedTokensOptional"),
        if_given("probsOptional", DtypeIn(HALVES, ("probsOptional",))),
        if_given("probsOptional", SameDtype(("probsOptional", "probsGradOut"))),
        DtypeIn(INT32, ("sortedIndices",)),
        NO_PADDING,
        rank_is("unpermutedTokensGrad", 2),
        rank_is("permutedTokensGradOut", 2),
        if_given("probsOptional", rank_is("probsOptional", 2)),
        from_to("topkNum", 1, 512),
        if_given("probsOptional", Divides("permutedTokensOptional.given()",
                                          "probsOptional is given, permutedTokensOptional not")),
        Divides("!unpermutedTokensGrad.is_empty() && !permutedTokensGradOut.is_empty()",
                "there are no tokens"),
        *range_of("sortedIndices.elements()"),
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
)  # fmt: skip


ROWS: tuple[Row, ...] = (
    _permute_ep_grad,
    _unpermute_ep,
    _unpermute_ep_grad,
    _init_routing_v2_grad,
    _permute_grad,
    _unpermute,
    _unpermute_grad,
    _finalize,
    _finalize_v2,
    _finalize_v3,
    _finalize_v2_grad,
)
