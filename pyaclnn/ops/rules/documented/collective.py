"""Matrix products and experts over several devices."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

_RANKS = "only the communicator knows how many ranks there are"
_PRODUCT = "(*x1[:-1], x2[-1]) as "
_BY_SCALE = _PRODUCT + "bfloat16 if dequantScale.dtype == 'bfloat16' else float16"
_NORM = {"y": "like residual", "normOut": "like residual"}
_ROWS = "(sum(recvCounts), gmmWeight[1 if transGmmWeight else 2]) as same gmmX"
_SHARED = (
    "if mmXOptional is not None and mmWeightOptional is not None: "
    "(mmXOptional[0], mmWeightOptional[0 if transMmWeight else 1]) as same mmXOptional"
)
_COMBINED = "(expertIds[0], expandX[-1]) as same expandX"
_COMBINED_NORM = {
    "yOut": "like residualX",
    "rstdOut": "(*residualX[:-1], 1) as float32",
    "xOut": "like residualX",
}

OUTPUTS: Texts = {
    "AlltoAllAllGatherBatchMatMul": {
        "y1Out": "(weight[0], x[1] * epWorldSize * (tpWorldSize if xShardType else 1), weight[2])"
        " as same x",
        "y2OutOptional": "none",  # what the gradient needs: only where an output is given
        "y3OutOptional": "none",
    },
    "AlltoAllvGroupedMatMul": {
        "gmmY": _ROWS,
        "mmYOptional": _SHARED,
        "permuteOutOptional": "if permuteOutFlag: (sum(recvCounts), gmmX[1]) as same gmmX",
    },
    "BatchMatMulReduceScatterAlltoAll": "(x[0] * epWorldSize, x[1] // epWorldSize // "
    "(tpWorldSize if yShardType else 1), weight[2] // (1 if yShardType else tpWorldSize))"
    " as same x",
    "ElasticReceivableInfoCollect": {"y": "(worldSize, worldSize) as int32"},
    "GroupedMatMulAllReduce": {
        "y": "[*grouped_product(x, weight, groupListOptional, splitItem, 0)] as same x"
    },
    "GroupedMatMulAlltoAllv": {"y": _ROWS, "mmYOptional": _SHARED},
    "InplaceMatmulAllReduceAddRmsNorm InplaceQuantMatmulAllReduceAddRmsNorm "
    "InplaceWeightQuantMatmulAllReduceAddRmsNorm": {"normOut": "like residual"},
    "WeightQuantMatmulAllReduce": {"output": f"{_PRODUCT}same x1"},
    "MatmulAllReduceAddRmsNorm QuantMatmulAllReduceAddRmsNorm "
    "WeightQuantMatmulAllReduceAddRmsNorm": _NORM,
    "MoeDistributeCombine": {"x": _COMBINED},
    "MoeDistributeCombineAddRmsNorm MoeDistributeCombineAddRmsNormV2": _COMBINED_NORM,
    "MoeDistributeCombineV2 MoeDistributeCombineV3": {"xOut": _COMBINED},
    "MoeUpdateExpert": {
        "balancedExpertIds": "like expertIds",
        "balancedActiveMask": "like expertIds as bool",
    },
    "QuantMatmulAllReduce QuantMatmulAllReduceV2 QuantMatmulAllReduceV3": {"output": _BY_SCALE},
}

NOT_INFERRED = {
    "AllGatherMatmul MatmulReduceScatter": _RANKS,
    "MoeDistributeDispatch MoeDistributeDispatchV2 MoeDistributeDispatchV3": (
        "how much room the counts need differs from chip to chip"
    ),
    "QuantMatmulAllReduceV4": "the dtype is that of the scales' scheme: several can be",
}
