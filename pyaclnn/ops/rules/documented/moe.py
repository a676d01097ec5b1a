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
    "MoeComputeExpertTokens": "(numExperts,) as same sortedExperts",
    "MoeFinalizeRouting": "like x1",
    "MoeFinalizeRoutingV2": _FINALIZED,
    "MoeFinalizeRoutingV2Grad": {
        "gradExpandedXOut": "((expertNum, expertCapacity, gradY[1]) if dropPadMode else "
        "(min(activeNum or expandedRowIdx[0], expandedRowIdx[0]), gradY[1])) as same gradY",
        "gradScalesOut": "(gradY[0], scalesOptional[1] if scalesOptional is not None else 1)"
        " as same gradY",
    },
    "MoeGatingTopK": {**_GATED, "outOut": "like x as float32"},
    "MoeGatingTopKSoftmax": {**_GATED, "rowIdxOut": "(*x[:-1], k) as int32"},
    "MoeGatingTopKSoftmaxV2": {
        **_GATED,
        "softmaxResultOutOptional": "if outputSoftmaxResultFlag: like x as float32",
    },
    "MoeInitRouting": {
        "expandedXOut": "(min(x[0], activeNum) * expertIdx[1], x[1]) as same x",
        "expandedRowIdxOut": _ROWS,
        "expandedExpertIdxOut": _ROWS,
    },
    "MoeInitRoutingQuant": {
        "expandedXOut": "(min(x[0], activeNum) * expertIdx[1], x[1]) as int8",
        "expandedRowIdxOut": _ROWS,
        "expandedExpertIdxOut": _ROWS,
    },
    "MoeInitRoutingV2": {
        "expandedXOut": f"{_EXPANDED_V2} as same x",
        "expandedRowIdxOut": _ROWS,
        "expertTokensCountOrCumsumOutOptional": "if dropPadModeOptional == 0 and "
        "expertTokensCountOrCumsumFlagOptional > 0: (expertNumOptional,) as int32",
        "expertTokensBeforeCapacityOutOptional": "if dropPadModeOptional == 1 and "
        "expertTokensBeforeCapacityFlagOptional: (expertNumOptional,) as int32",
    },
    "MoeInitRoutingQuantV2": {
        "expandedXOut": f"{_EXPANDED_QUANT} as int8",
        "expandedRowIdxOut": _ROWS,
        "expertTokensCountOrCumsumOutOptional": "if dropPadMode == 0 and "
        "expertTokensCountOrCumsumFlag > 0: (expertNum,) as int32",
        "expertTokensBeforeCapacityOutOptional": "if dropPadMode == 1 and "
        "expertTokensBeforeCapacityFlag: (expertNum,) as int32",
        "dynamicQuantScaleOutOptional": "if quantMode == 1: ((expertNum * expertCapacity "
        "if dropPadMode else min(activeNum or prod(expertIdx), prod(expertIdx))),) as float32",
    },
    "MoeInitRoutingV2Grad": "(expandedRowIdx[0] // topK, gradExpandedX[-1]) as same gradExpandedX",
    "MoeInitRoutingV3": {
        "expandedXOut": "(prod(expertIdx), x[1]) as same x if quantMode == -1 else int8",
        "expandedRowIdxOut": _ROWS,
        "expertTokensCountOrCumsumOut": "((expertNum, 2) if expertTokensNumType == 2 else "
        "((activeExpertRangeOptional[1] - activeExpertRangeOptional[0]) "
        "if activeExpertRangeOptional else expertNum,)) as int64",
        "expandedScaleOut": "(prod(expertIdx),) as float32",
    },
    "MoeTokenPermute": {
        "permuteTokensOut": f"({_TOKENS_OUT}, tokens[1]) as same tokens",
        "sortedIndicesOut": "(prod(indices),) as int32",
    },
    "MoeTokenPermuteGrad": {
        "out": "(sortedIndices[0] // max(numTopk, 1), permutedOutputGrad[1])"
        " as same permutedOutputGrad"
    },
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
    "MoeTokenUnpermute": f"({_UNPERMUTED}) as same permutedTokens",
    "MoeTokenUnpermuteGrad": {
        "permutedTokensGradOut": "like permuteTokens",
        "probsGradOut": "if probsOptional is not None: like probsOptional",
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
