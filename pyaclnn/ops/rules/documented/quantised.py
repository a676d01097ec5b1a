"""Quantisation, by itself and after a normalisation or an activation."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

_FLOAT8 = "the result has a dtype (float8, float4) that tensors do not have yet"
_PACKED = "the result is int4, packed or not, or float4: several dtypes can be"

OUTPUTS: Texts = {
    "DequantRopeQuantKvcache": {
        "qOut": "(*x[:-1], sizeSplits[0] // cos[-1], cos[-1]) as same cos",
        "kOut": "if kvOutput: (*x[:-1], sizeSplits[1] // cos[-1], cos[-1]) as same cos",
        "vOut": "if kvOutput: (*x[:-1], sizeSplits[2] // cos[-1], cos[-1]) as same cos",
    },
}

NOT_INFERRED = {
    "GroupedDynamicMxQuantWithDualAxis MxToBlockMxQuant": _FLOAT8,
    "SwigluGroupQuant": "quantMode decides upon the types of the result and of its scales",
    "ConvertWeightToINT4Pack FlatQuant FlatQuantV2 FlatQuantV3 RotateQuant": _PACKED,
    "NpuFormatCast": "the caller chooses the format that is cast to",
    "TransConvolutionWeight": "the weight is written in a private format",
    "HansDecode": "the caller chooses the dtype that is restored",
    "HansEncode": "the caller chooses how large the compressed part may be",
    "SwinAttentionScoreQuant": "no document describes it",
    "SwinTransformerLnQkvQuant": "no document describes it",
    "WeightQuantPreprocess": "the weight is written in a private format",
}
