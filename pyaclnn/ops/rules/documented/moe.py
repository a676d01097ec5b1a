"""Mixture of experts: routing, permutation of tokens, grouped matrix products."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import OutputRules

OUTPUTS: OutputRules = {}

NOT_INFERRED = {
    "GroupedMatmulFinalizeRouting": "no argument says how many rows there are",
    "GroupedMatmulFinalizeRoutingV2": "no argument says how many rows there are",
    "GroupedMatmulFinalizeRoutingV3": "no argument says how many rows there are",
    "GroupedMatmulFinalizeRoutingWeightNz": "no argument says how many rows there are",
    "GroupedMatmulFinalizeRoutingWeightNzV2": "no argument says how many rows there are",
}
