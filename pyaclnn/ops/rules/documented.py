"""Outputs of operators without a row in ``pyaclnn/table``, by CANN's documents.

An operator that gets a row whose outputs have rules leaves these tables.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyaclnn.ops.rules.notation import OutputRules, by_operator

_MLA_SCALE = (
    "if tokenX.dtype == 'int8' and quantScaleCkvOptional is not None: "
    "(prod(tokenX[:-1]), weightUk[0], 1) as float32"
)
_MLA = {
    "queryOut": "(*tokenX[:-1], weightUk[0], weightUk[2]) as int8 if tokenX.dtype == 'int8'"
    " and quantScaleCkvOptional is not None else same weightUk",
    "queryRopeOut": "(*tokenX[:-1], weightUk[0], ropeCos[-1]) as same ropeCos",
}
_OUTPUTS: OutputRules = {
    "ElasticReceivableInfoCollect": {"y": "(worldSize, worldSize) as int32"},
    "MlaPrologV2": {**_MLA, "dequantScaleQNopeOutOptional": _MLA_SCALE},
    "MlaPrologV3": {
        **_MLA,
        "dequantScaleQNopeOut": _MLA_SCALE,
        "queryNormOut": "none",  # reserved, as is the next
        "dequantScaleQNormOut": "none",
    },
    "SilentCheck SilentCheckV2": {"result": "one as int32"},
}
_NOT_INFERRED = {
    # Several devices.
    "AllGatherMatmul AlltoAllQuantMatmul AlltoAllQuantMatmulV2 MatmulReduceScatter": (
        "only the communicator knows how many ranks there are"
    ),
    "MoeDistributeDispatch MoeDistributeDispatchV2 MoeDistributeDispatchV3": (
        "how much room the counts need differs from chip to chip"
    ),
    "AlltoAllvQuantGroupedMatMul AlltoAllvQuantGroupedMatMulV2 "
    "QuantGroupedMatMulAlltoAllv QuantGroupedMatMulAlltoAllvV2": (
        "the products are float16 or bfloat16"
    ),
    "QuantAllReduce QuantReduceScatter": "the sum is float16, bfloat16 or float32",
    "AllGatherMatmulV2 AlltoAllMatmul AlltoAllMatmulV2 MatmulAlltoAll MatmulAlltoAllV2 "
    "MatmulReduceScatterV2 MoeDistributeDispatchV4 QuantMatmulAllReduceV5 QuantMatmulAlltoAll "
    "QuantMatmulAlltoAllV2": (
        "it is new in CANN 9.0 or 9.1, and the sizes of its outputs are not described here yet"
    ),
    # Matrix products and convolutions.
    "FusedQuantMatmulWeightNz MatmulCompress MatmulCompressDequant QuantMatmulWeightNz": (
        "the weight is in a private format, which hides its columns"
    ),
    "DualLevelQuantMatmulWeightNz": "the result is float16 or bfloat16",
    "FusedQuantMatmul QuantConvolution QuantConvolutionWeightNz QuantMatmulAllReduceV4 "
    "QuantMatmulV3 QuantMatmulV4 QuantMatmulV5": (
        "the dtype is that of the scales' scheme: several can be"
    ),
    "GroupedMatmulFinalizeRouting GroupedMatmulFinalizeRoutingV2 GroupedMatmulFinalizeRoutingV3 "
    "GroupedMatmulFinalizeRoutingWeightNz GroupedMatmulFinalizeRoutingWeightNzV2": (
        "no argument says how many rows there are"
    ),
    # Quantisation and private formats.
    "SwigluGroupQuant": "quantMode decides upon the types of the result and of its scales",
    "ConvertWeightToINT4Pack FlatQuant FlatQuantV2 FlatQuantV3 RotateQuant": (
        "the result is int4, packed or not, or float4: several dtypes can be"
    ),
    "NpuFormatCast": "the caller chooses the format that is cast to",
    "TransConvolutionWeight WeightQuantPreprocess": "the weight is written in a private format",
    "HansEncode": "the caller chooses how large the compressed part may be",
    # Others.
    "MlaPreprocess MlaPreprocessV2": "two of its outputs are the caches that are given",
    "CoalesceSparse": "the values of equal indices are added to what the outputs hold",
    "NormalFloatFloat": "no argument says how many numbers are drawn",
    "Randperm": "the caller chooses the dtype",
    "Bincount": "how many there are depends on the values",
}

#: Operator -> the line of each output, see ``notation.py``.
OUTPUTS: dict[str, Mapping[str, str]] = by_operator(_OUTPUTS)
#: Operator -> why its outputs do not follow from what it is given.
NOT_INFERRED = {
    "aclnn" + name: reason for names, reason in _NOT_INFERRED.items() for name in names.split()
}
