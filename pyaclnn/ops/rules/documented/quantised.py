"""Quantisation, by itself and after a normalisation or an activation."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import OutputRules

_PACKED = "the result is int4, packed or not, or float4: several dtypes can be"

OUTPUTS: OutputRules = {}

NOT_INFERRED = {
    "SwigluGroupQuant": "quantMode decides upon the types of the result and of its scales",
    "ConvertWeightToINT4Pack FlatQuant FlatQuantV2 FlatQuantV3 RotateQuant": _PACKED,
    "NpuFormatCast": "the caller chooses the format that is cast to",
    "TransConvolutionWeight": "the weight is written in a private format",
    "HansEncode": "the caller chooses how large the compressed part may be",
    "WeightQuantPreprocess": "the weight is written in a private format",
}
