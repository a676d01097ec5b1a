"""Normalisations and what they keep for their gradients."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

#: One for each row that is normalised: the axes before those of gamma, then ones.
_ROWS = "(*{x}[:len({x}) - len(gamma)], *(1,) * len(gamma)) as float32"

OUTPUTS: Texts = {
    "AdaLayerNorm": "like x",
    "AdaLayerNormBackward": {
        "gradInputOut": "like input",
        "gradScaleOut": "like scale",
        "gradShiftOut": "like scale",
        "gradWeightOut": "if weightOptional is not None: like weightOptional",
        "gradBiasOut": "if biasOptional is not None: like biasOptional",
    },
    "AdaLayerNormV2": {
        "out": "like x",
        "meanOutOptional": "(*x[:-1], 1) as same x",
        "rstdOutOptional": "(*x[:-1], 1) as same x",
    },
    "AddLayerNorm": {
        "yOut": "like x1",
        "meanOut": _ROWS.format(x="x1"),
        "rstdOut": _ROWS.format(x="x1"),
        "xOut": "like x1",
    },
    "AddRmsNormCast": {
        "y1Out": "like x1 as float32",
        "y2Out": "like x1",
        "rstdOut": _ROWS.format(x="x1"),
        "xOut": "like x1",
    },
    "BatchNormGatherStatsWithCounts": {
        "meanAll": "(input[1],) as same mean",
        "invstdAll": "(input[1],) as same invstd",
    },
    "BatchNormReduce": {"sum": "(x[1],) as float32", "squareSum": "(x[1],) as float32"},
    "BatchNormStats": {"mean": "(input[1],) as float32", "invstd": "(input[1],) as float32"},
    "DeepNorm": {
        "meanOut": _ROWS.format(x="x"),
        "rstdOut": _ROWS.format(x="x"),
        "yOut": "like x",
    },
    "GemmaRmsNorm": {"yOut": "like x", "rstdOut": _ROWS.format(x="x")},
    "GroupNormSwish": {
        "yOut": "like x",
        "meanOut": "(x[0], numGroups) as same gamma",
        "rstdOut": "(x[0], numGroups) as same gamma",
    },
    "InplaceAddRmsNorm": {"rstdOut": _ROWS.format(x="x1Ref")},
    "InstanceNorm": {
        "y": "like x",
        "mean": "((x[0], 1, 1, x[3]) if dataFormat == 'NHWC' else (*x[:2], 1, 1)) as same x",
        "variance": "((x[0], 1, 1, x[3]) if dataFormat == 'NHWC' else (*x[:2], 1, 1)) as same x",
    },
    "QuantizedBatchNorm": {"output": "like input"},
    "SyncBatchNormGatherStats": {
        "batchMean": "(totalSum[-1],) as same totalSum",
        "batchInvstd": "(totalSum[-1],) as same totalSum",
    },
}
