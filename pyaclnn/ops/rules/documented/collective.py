"""Matrix products and experts over several devices."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import OutputRules

_RANKS = "only the communicator knows how many ranks there are"

OUTPUTS: OutputRules = {
    "ElasticReceivableInfoCollect": {"y": "(worldSize, worldSize) as int32"},
}

NOT_INFERRED = {
    "AllGatherMatmul AlltoAllQuantMatmul AlltoAllQuantMatmulV2 MatmulReduceScatter": _RANKS,
    "MoeDistributeDispatch MoeDistributeDispatchV2 MoeDistributeDispatchV3": (
        "how much room the counts need differs from chip to chip"
    ),
    "AlltoAllvQuantGroupedMatMul AlltoAllvQuantGroupedMatMulV2 "
    "QuantGroupedMatMulAlltoAllv QuantGroupedMatMulAlltoAllvV2": (
        "the products are float16 or bfloat16"
    ),
    "QuantAllReduce QuantReduceScatter": "the sum is float16, bfloat16 or float32",
    "QuantMatmulAllReduceV4": "the dtype is that of the scales' scheme: several can be",
}
