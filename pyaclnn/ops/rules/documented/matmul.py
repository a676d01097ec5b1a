"""Matrix products, convolutions, decompositions."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import OutputRules

#: Eight numbers of four bits are in an int32.
_ROWS = (
    "(x[0], weight[1] * (8 if weight.dtype == 'int32' else 1))"
    " as same x if quantScaleOptional is None else int8"
)
_SCALES = "the dtype is that of the scales' scheme: several can be"
_PRIVATE = "the weight is in a private format, which hides its columns"

OUTPUTS: OutputRules = {}

NOT_INFERRED = {
    "FusedQuantMatmulWeightNz MatmulCompress MatmulCompressDequant QuantMatmulWeightNz": _PRIVATE,
    "DualLevelQuantMatmulWeightNz": "the result is float16 or bfloat16",
    "FusedQuantMatmul QuantConvolution QuantConvolutionWeightNz "
    "QuantMatmulV3 QuantMatmulV4 QuantMatmulV5": _SCALES,
}
