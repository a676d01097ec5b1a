"""Operators that cannot be simulated from public documents and sources, and why.

The catalogue shows the reason, and so do the operator's docstring and the error of a call.
"""

from __future__ import annotations

_SILENT = "its kernel runs on the AI CPU and is not public, and no document says "
_PACKED = "no document says how msModelSlim compresses a weight, or what its index holds"

_REFUSED = "CANN 8.5 answers 561000 to every call of it, and CANN 9.0 lacks it; there is "
_WINDOW = "it has no result but in the communicator's memory, whose order no document describes"
_LINKS = "no document says what the states are that "

#: Name without ``aclnn`` -> reason.
NOT_SIMULATED: dict[str, str] = {
    "AttentionToFFN": _WINDOW,
    "ElasticReceivableInfoCollect": _LINKS + "y shows",
    "ElasticReceivableTest": _LINKS + "it writes for aclnnElasticReceivableInfoCollect",
    "FFNToAttention": _WINDOW,
    "MatmulCompress": _PACKED,
    "MatmulCompressDequant": _PACKED,
    "MlaPrologV2": _REFUSED + "aclnnMlaPrologV2WeightNz",
    "MlaPrologV3": _REFUSED + "aclnnMlaPrologV3WeightNz",
    "SilentCheck": _SILENT + "how a jump is measured, or what the numbers of its result mean",
    "SilentCheckV2": _SILENT
    + "how the average moves, or what the numbers of its result and its views mean",
}


def why_not_simulated(c_name: str) -> str:
    """Return the reason, or nothing for an operator that is simulated, or could be."""
    return NOT_SIMULATED.get(c_name.removeprefix("aclnn"), "")
