"""Matrix products and experts over several devices."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

_RANKS = "only the communicator knows how many ranks there are"
_ROWS = "(sum(recvCounts), gmmWeight[1 if transGmmWeight else 2]) as same gmmX"
_SHARED = (
    "if mmXOptional is not None and mmWeightOptional is not None: "
    "(mmXOptional[0], mmWeightOptional[0 if transMmWeight else 1]) as same mmXOptional"
)

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
    "MoeUpdateExpert": {
        "balancedExpertIds": "like expertIds",
        "balancedActiveMask": "like expertIds as bool",
    },
}

NOT_INFERRED = {
    "AllGatherMatmul MatmulReduceScatter": _RANKS,
    "MoeDistributeDispatch MoeDistributeDispatchV2 MoeDistributeDispatchV3": (
        "how much room the counts need differs from chip to chip"
    ),
    "QuantMatmulAllReduceV4": "the dtype is that of the scales' scheme: several can be",
}
