"""Copies in another shape, padding, indexing, resampling, pooling, losses."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

OUTPUTS: Texts = {
    # Copies.
    # Padding.
    # Losses.
    "CtcLoss": {
        "negLogLikelihoodOut": "(*logProbs[1:-1],) as same logProbs",
        "logAlphaOut": "(logProbs[1] if len(logProbs) > 2 else 1, logProbs[0], "
        "(2 * max(targetlengths) + 8) // 8 * 8) as same logProbs",
    },
    "MultilabelMarginLoss": {
        "out": "(*(self[:-1] if reduction == 0 else ()),) as same self",
        "isTarget": "like self",
    },
    "NLLLoss2d": {
        "out": "(*(target if reduction == 0 else (1,)),) as same self",
        "totalWeightOut": "one as same self",
    },
    "SoftmaxCrossEntropyWithLogits": {
        "loss": "(features[0],) as same features",
        "backprop": "like features",
    },
}

NOT_INFERRED = {
    "RepeatInterleaveGrad": "how often a row was repeated is a value on the device",
}
