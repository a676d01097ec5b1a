"""Normalisations and what they keep for their gradients."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

OUTPUTS: Texts = {
    "AdaLayerNormBackward": {
        "gradInputOut": "like input",
        "gradScaleOut": "like scale",
        "gradShiftOut": "like scale",
        "gradWeightOut": "if weightOptional is not None: like weightOptional",
        "gradBiasOut": "if biasOptional is not None: like biasOptional",
    },
    "BatchNormGatherStatsWithCounts": {
        "meanAll": "(input[1],) as same mean",
        "invstdAll": "(input[1],) as same invstd",
    },
    "BatchNormReduce": {"sum": "(x[1],) as float32", "squareSum": "(x[1],) as float32"},
    "BatchNormStats": {"mean": "(input[1],) as float32", "invstd": "(input[1],) as float32"},
    "QuantizedBatchNorm": {"output": "like input"},
    "SyncBatchNormGatherStats": {
        "batchMean": "(totalSum[-1],) as same totalSum",
        "batchInvstd": "(totalSum[-1],) as same totalSum",
    },
}
