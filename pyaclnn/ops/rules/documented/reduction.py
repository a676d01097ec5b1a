"""Reductions, scans, sorting and searching."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

_DATA = "how many there are depends on the values"

_FLOAT = "reduced self dim {0} as float_of self"
#: Without axes all are reduced, or none where noopWithEmpty... says so.
_UNLESS_EMPTY = "(*({0} if {2} and not {1} else without({0}, {1}, {3})),) as same {0}"

OUTPUTS: Texts = {
    "MaxV2": _UNLESS_EMPTY.format("self", "dims", "noopWithEmptyDims", "keepDims"),
    "MeanV2": _UNLESS_EMPTY.format("self", "dim", "noopWithEmptyAxes", "keepDim"),
    "Norm": _FLOAT.format("keepdim"),
    "ReduceLogSum": {
        "reduce": _UNLESS_EMPTY.format("data", "axes", "noopWithEmptyAxes", "keepDims")
    },
    "Renorm": "like self",
}

NOT_INFERRED = {"Bincount": _DATA}
