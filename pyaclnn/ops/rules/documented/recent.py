"""Operators that came with CANN 9.0 and 9.1 whose outputs have no rule yet."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import OutputRules

OUTPUTS: OutputRules = {}

NOT_INFERRED = {
    "AllGatherMatmulV2 AlltoAllMatmul AlltoAllMatmulV2 "
    "MatmulAlltoAll "
    "MatmulAlltoAllV2 MatmulReduceScatterV2 "
    "MoeDistributeDispatchV4 "
    "QuantMatmulAllReduceV5 "
    "QuantMatmulAlltoAll QuantMatmulAlltoAllV2": (
        "it is new in CANN 9.0 or 9.1, and the sizes of its outputs are not described here yet"
    ),
    "MlaPreprocess MlaPreprocessV2": "two of its outputs are the caches that are given",
}
