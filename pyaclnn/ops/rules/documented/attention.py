"""Attention, and the rotary embeddings before it."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import OutputRules

_MLA_ROPE = "(*tokenX[:-1], weightUk[0], ropeCos[-1]) as same ropeCos"
_MLA_QUERY = (
    "(*tokenX[:-1], weightUk[0], weightUk[2]) as int8 if tokenX.dtype == 'int8'"
    " and quantScaleCkvOptional is not None else same weightUk"
)
_MLA_SCALE = (
    "if tokenX.dtype == 'int8' and quantScaleCkvOptional is not None: "
    "(prod(tokenX[:-1]), weightUk[0], 1) as float32"
)
_MLA = {"queryOut": _MLA_QUERY, "queryRopeOut": _MLA_ROPE}
_MLA_V2 = {**_MLA, "dequantScaleQNopeOutOptional": _MLA_SCALE}

OUTPUTS: OutputRules = {
    "MlaPrologV2": _MLA_V2,
    "MlaPrologV3": {
        **_MLA,
        "dequantScaleQNopeOut": _MLA_SCALE,
        "queryNormOut": "none",  # reserved, as is the next
        "dequantScaleQNormOut": "none",
    },
}
