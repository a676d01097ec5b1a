"""Mixture of experts: routing, permutation of tokens, grouped matrix products."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

_GATED = {"yOut": "(*x[:-1], k) as same x", "expertIdxOut": "(*x[:-1], k) as int32"}
_ROWS = "(expertIdx[0] * expertIdx[1],) as int32"

#: Room for each expert where tokens may be dropped, else the rows that are wanted.
_EXPANDED_V2 = (
    "((expertNumOptional, expertCapacityOptional, x[1]) if dropPadModeOptional else "
    "(min(activeNumOptional or expertIdx[0] * expertIdx[1], expertIdx[0] * expertIdx[1]), x[1]))"
)
_EXPANDED_QUANT = _EXPANDED_V2.replace("Optional", "")
_ROUTED_MAP = (
    "numOutTokens // routingMap[1] * routingMap[1] if dropAndPad else "
    "numOutTokens // routingMap[0] * routingMap[0]"
)
_TOKENS_OUT = (
    "min(numOutTokens, prod(indices)) if numOutTokens > 0 else prod(indices) + numOutTokens"
)
_UNPERMUTED = (
    "(restoreShapeOptional[0], permutedTokens[1]) if paddedMode else "
    "(probsOptional[0] if probsOptional is not None else sortedIndices[0], permutedTokens[1])"
)
_FINALIZED = (
    "(scalesOptional[0] if scalesOptional is not None else "
    "x1Optional[0] if x1Optional is not None else "
    "expertIdxOptional[0] if expertIdxOptional is not None else expandedRowIdx[0], expandedX[-1])"
    " as same expandedX"
)
_GROUPED = (
    "[*grouped_product(x, weight, {groups}, splitItem, {type})]"
    " as same x if x[0].dtype != 'int8' else several"
)
_GROUPED_V4 = {
    "out": _GROUPED.format(groups="groupListOptional", type="groupType"),
    "activationFeatureOutOptional": "none",  # reserved, as is the next
    "dynQuantScaleOutOptional": "none",
}

OUTPUTS: Texts = {
    "GroupedMatmul": {"y": _GROUPED.format(groups="groupListOptional", type="0")},
    "GroupedMatmulV2 GroupedMatmulV3": {
        "y": _GROUPED.format(groups="groupListOptional", type="groupType")
    },
    "GroupedMatmulV4 GroupedMatmulV5": _GROUPED_V4,
    "MoeTokenPermuteWithRoutingMap": {
        "permuteTokensOut": f"({_ROUTED_MAP}, tokens[1]) as same tokens",
        "permuteProbsOutOptional": f"if probsOptional is not None: ({_ROUTED_MAP},)"
        " as same probsOptional",
        "sortedIndicesOut": f"({_ROUTED_MAP},) as int32",
    },
    "MoeTokenPermuteWithRoutingMapGrad": {
        "tokensGradOut": "(tokensNum, permutedTokenOutputGrad[1]) as same permutedTokenOutputGrad",
        "probsGradOutOptional": "if permutedProbsOutputGradOptional is not None: "
        "(tokensNum, numExperts) as same permutedProbsOutputGradOptional",
    },
}

NOT_INFERRED = {
    "GroupedMatmulFinalizeRouting": "no argument says how many rows there are",
    "GroupedMatmulFinalizeRoutingV2": "no argument says how many rows there are",
    "GroupedMatmulFinalizeRoutingV3": "no argument says how many rows there are",
    "GroupedMatmulFinalizeRoutingWeightNz": "no argument says how many rows there are",
    "GroupedMatmulFinalizeRoutingWeightNzV2": "no argument says how many rows there are",
    "GroupedMatmulWeightNz": "the weight is in a private format, and several dtypes can be",
    "MoeTokenUnpermuteWithRoutingMap": "what is written for the gradient differs by release",
}
