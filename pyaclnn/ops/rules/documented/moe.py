"""Mixture of experts: routing, permutation of tokens, grouped matrix products."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

_ROUTED_MAP = (
    "numOutTokens // routingMap[1] * routingMap[1] if dropAndPad else "
    "numOutTokens // routingMap[0] * routingMap[0]"
)

OUTPUTS: Texts = {
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
