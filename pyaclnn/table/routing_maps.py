"""Tokens permuted by what says which experts see them: a map, or the counts of each rank."""

from __future__ import annotations

from .dtypes import EVERY_FLOAT, Dtypes, dtypes
from .moe_steps import INT32, ON_NEWER
from .optional_steps import If, Since, if_given
from .row import Output, Row
from .shape_steps import rank_is
from .steps import DtypeIn, Kernel, Null, SameDtype, Step, That

_FAMILY = "moe"
_MAP = dtypes("int8 bool")
_TOKENS = Dtypes(("float16", "int8"), ("bfloat16",),
                 ("float8_e5m2", "float8_e4m3fn", "hifloat8"))  # fmt: skip
_FLOAT4 = dtypes("", "", "float4_e2m1fn float4_e1m2")
_SCALES = Dtypes(("float32",), newest=("float8_e8m0fnu",))


def _probs(probs: str, tokens: str) -> Step:
    """Return the step of probabilities, which have the tokens' type, or float32 beside bfloat16."""
    same = f"{probs}.dtype() == {tokens}.dtype()"
    mixed = f"({probs}.dtype() == ACL_FLOAT && {tokens}.dtype() == ACL_BF16)"
    return That(f"{same} || {mixed}", f"{probs} has another type than {tokens}")


_COUNT = ("numOutTokens // max({0}, 1) * {0}".format("routingMap[1]"),
          "numOutTokens // max({0}, 1) * {0}".format("routingMap[0]"))  # fmt: skip
_ROWS = f"({_COUNT[0]} if dropAndPad else {_COUNT[1]})"

ROWS: tuple[Row, ...] = (
    Row(
        "MoeTokenPermuteWithRoutingMap", _FAMILY,
        (
            Null(("tokens", "routingMap", "permuteTokensOut", "sortedIndicesOut")),
            if_given("probsOptional", Null(("permuteProbsOutOptional",))),
            ON_NEWER,
            DtypeIn(EVERY_FLOAT, ("tokens", "permuteTokensOut")),
            DtypeIn(_MAP, ("routingMap",)),
            SameDtype(("tokens", "permuteTokensOut")),
            DtypeIn(INT32, ("sortedIndicesOut",)),
            if_given("probsOptional", DtypeIn(EVERY_FLOAT, ("probsOptional",))),
            if_given("probsOptional", _probs("probsOptional", "tokens")),
            if_given("probsOptional", SameDtype(("probsOptional", "permuteProbsOutOptional"))),
            rank_is("routingMap", 2),
            if_given("probsOptional", That("probsOptional.shape() == routingMap.shape()",
                                           "probsOptional has another shape than the map")),
            rank_is("tokens", 2),
            Kernel("permute_with_map"),
        ),
        {"permuteTokensOut": Output(f"({_ROWS}, tokens[1])", "same tokens"),
         "permuteProbsOutOptional": Output(f"if probsOptional is not None: ({_ROWS},)",
                                           "same probsOptional"),
         "sortedIndicesOut": Output(f"({_ROWS},)", "int32")},
    ),
    Row(
        "MoeTokenPermuteWithRoutingMapGrad", _FAMILY,
        (
            That("numExperts > 0 && tokensNum > 0", "numExperts and tokensNum must be positive"),
            Null(("permutedTokenOutputGrad", "sortedIndices", "tokensGradOut")),
            if_given("permutedProbsOutputGradOptional", Null(("routingMapOptional",))),
            ON_NEWER,
            DtypeIn(EVERY_FLOAT, ("permutedTokenOutputGrad",)),
            SameDtype(("permutedTokenOutputGrad", "tokensGradOut")),
            if_given("permutedProbsOutputGradOptional",
                     DtypeIn(EVERY_FLOAT, ("permutedProbsOutputGradOptional",))),
            If("permutedProbsOutputGradOptional.given() && probsGradOutOptional.given()",
               SameDtype(("permutedProbsOutputGradOptional", "probsGradOutOptional"))),
            if_given("permutedProbsOutputGradOptional",
                     _probs("permutedProbsOutputGradOptional", "permutedTokenOutputGrad")),
            if_given("routingMapOptional", DtypeIn(_MAP, ("routingMapOptional",))),
            DtypeIn(INT32, ("sortedIndices",)),
            rank_is("permutedTokenOutputGrad", 2),
            if_given("routingMapOptional", rank_is("routingMapOptional", 2)),
            if_given("permutedProbsOutputGradOptional",
                     rank_is("permutedProbsOutputGradOptional", 1)),
            Kernel("permute_with_map_backward"),
        ),
        {"tokensGradOut": Output("(tokensNum, permutedTokenOutputGrad[1])",
                                 "same permutedTokenOutputGrad"),
         "probsGradOutOptional": Output(
             "if permutedProbsOutputGradOptional is not None: (tokensNum, numExperts)",
             "same permutedProbsOutputGradOptional")},
    ),
    Row(
        "MoeTokenUnpermuteWithRoutingMap", _FAMILY,
        (
            Null(("permutedTokens", "sortedIndices", "unpermutedTokens")),
            If("!probsOptional.given()", Null(("restoreShapeOptional",))),
            ON_NEWER,
            DtypeIn(EVERY_FLOAT, ("permutedTokens",)),
            DtypeIn(INT32, ("sortedIndices",)),
            if_given("probsOptional", DtypeIn(EVERY_FLOAT, ("probsOptional",))),
            if_given("probsOptional", _probs("probsOptional", "permutedTokens")),
            If("probsOptional.given() && permuteProbs.given()",
               SameDtype(("probsOptional", "permuteProbs"))),
            SameDtype(("permutedTokens", "unpermutedTokens")),
            *(if_given(n, DtypeIn(INT32, (n,))) for n in ("outIndex", "permuteTokenId")),
            rank_is("permutedTokens", 2),
            rank_is("sortedIndices", 1),
            rank_is("unpermutedTokens", 2),
            Kernel("unpermute_with_map"),
        ),
        {"unpermutedTokens": Output(
            "((restoreShapeOptional[0] if restoreShapeOptional is not None else probsOptional[0]), "
            "permutedTokens[1])", "same permutedTokens"),
         "outIndex": Output("like sortedIndices", "same sortedIndices"),
         "permuteTokenId": Output("like sortedIndices", "same sortedIndices"),
         "permuteProbs": Output("if probsOptional is not None: like sortedIndices",
                                "same probsOptional")},
    ),
    Row(
        "MoeTokenUnpermuteWithRoutingMapGrad", _FAMILY,
        (
            Null(("unpermutedTokensGrad", "outIndex", "permuteTokenId", "permutedTokensGradOut")),
            ON_NEWER,
            DtypeIn(EVERY_FLOAT, ("unpermutedTokensGrad",)),
            DtypeIn(INT32, ("outIndex", "permuteTokenId")),
            if_given("routingMapOptional", DtypeIn(_MAP, ("routingMapOptional",))),
            *(if_given(n, SameDtype(("unpermutedTokensGrad", n)))
              for n in ("permutedTokensOptional", "permutedTokensGradOut")),
            if_given("probsOptional", DtypeIn(EVERY_FLOAT, ("probsOptional",))),
            if_given("probsOptional", _probs("probsOptional", "unpermutedTokensGrad")),
            If("probsOptional.given() && probsGradOutOptional.given()",
               SameDtype(("probsOptional", "probsGradOutOptional"))),
            rank_is("unpermutedTokensGrad", 2),
            Kernel("unpermute_with_map_backward"),
        ),
        {"permutedTokensGradOut": Output("(outIndex[0], unpermutedTokensGrad[1])",
                                         "same unpermutedTokensGrad"),
         "probsGradOutOptional": Output("if probsOptional is not None: like probsOptional",
                                        "same probsOptional")},
    ),
    Row(
        "MoeReRouting", _FAMILY,
        (
            Null(("tokens", "expertTokenNumPerRank", "permuteTokensOut",
                  "permutePerTokenScalesOut", "permuteTokenIdxOut", "expertTokenNumOut")),
            ON_NEWER,
            Since("9.1", DtypeIn(_TOKENS | _FLOAT4, ("tokens",)), DtypeIn(_TOKENS, ("tokens",))),
            DtypeIn(dtypes("int32 int64"), ("expertTokenNumPerRank",)),
            if_given("perTokenScalesOptional", DtypeIn(_SCALES, ("perTokenScalesOptional",))),
            SameDtype(("tokens", "permuteTokensOut")),
            if_given("perTokenScalesOptional",
                     SameDtype(("perTokenScalesOptional", "permutePerTokenScalesOut"))),
            DtypeIn(INT32, ("permuteTokenIdxOut",)),
            SameDtype(("expertTokenNumPerRank", "expertTokenNumOut")),
            Kernel("moe_re_routing"),
        ),
        {"permuteTokensOut": Output("like tokens", "same tokens"),
         "permutePerTokenScalesOut": Output(
             "(tokens[0],) if perTokenScalesOptional is None else (*perTokenScalesOptional[:],)",
             "float32 if perTokenScalesOptional is None else same perTokenScalesOptional"),
         "permuteTokenIdxOut": Output("(tokens[0],)", "int32"),
         "expertTokenNumOut": Output("(expertTokenNumPerRank[1],)", "same expertTokenNumPerRank")},
    ),
)  # fmt: skip
