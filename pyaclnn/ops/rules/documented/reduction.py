"""Reductions, scans, sorting and searching."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

_DATA = "how many there are depends on the values"

_EXTREMA = "reduced self dim keepDim as same self"
_FLOAT = "reduced self dim {0} as float_of self"
_KEPT = {
    "valuesOut": "reduced self dim {0} as same self",
    "indicesOut": "reduced self dim {0} as int64",
}
_KEEP_DIM = {name: text.format("keepDim") for name, text in _KEPT.items()}
_INDEX = "int32 if outInt32 else int64"
#: Without axes all are reduced, or none where noopWithEmpty... says so.
_UNLESS_EMPTY = "(*({0} if {2} and not {1} else without({0}, {1}, {3})),) as same {0}"

OUTPUTS: Texts = {
    "Aminmax AminmaxDim": {"minOut": _EXTREMA, "maxOut": _EXTREMA},
    "AminmaxAll": {"minOut": "scalar as same self", "maxOut": "scalar as same self"},
    "ApplyTopKTopP": "like logits",
    "Bucketize": f"like self as {_INDEX}",
    "Histc": "(bins,) as same self",
    "LinalgVectorNorm": "reduced self dims keepDims as given dtype",
    "LogSumExp": _FLOAT.format("keepDim"),
    "MaxDim MinDim": {
        "out": "reduced self dim keepdim as same self",
        "indices": "reduced self dim keepdim as int32",
    },
    "MaxV2": _UNLESS_EMPTY.format("self", "dims", "noopWithEmptyDims", "keepDims"),
    "MeanV2": _UNLESS_EMPTY.format("self", "dim", "noopWithEmptyAxes", "keepDim"),
    "Median": {"valuesOut": "scalar as same self"},
    "MedianDim NanMedianDim": _KEEP_DIM,
    "NanMedian": "one as same self",
    "Norm": _FLOAT.format("keepdim"),
    "Prod": "one as given dtype",
    "ProdDim": "reduced self dim keepDim as given dtype",
    "ReduceLogSum": {
        "reduce": _UNLESS_EMPTY.format("data", "axes", "noopWithEmptyAxes", "keepDims")
    },
    "ReduceNansum": "reduced self dim keepDim as given dtype",
    "Renorm": "like self",
    "SearchSorted": f"like self as {_INDEX}",
    "SearchSorteds": f"one as {_INDEX}",
    "Std": _FLOAT.format("keepdim"),
    "StdMeanCorrection": {
        "stdOut": _FLOAT.format("keepdim"),
        "meanOut": _FLOAT.format("keepdim"),
    },
    "Trace": "scalar as int64 if 'int' in self.dtype or self.dtype == 'bool' else same self",
    "Var VarCorrection": _FLOAT.format("keepdim"),
    "VarMean": {"varOut": _FLOAT.format("keepdim"), "meanOut": _FLOAT.format("keepdim")},
}

NOT_INFERRED = {"Bincount Unique Unique2 UniqueConsecutive UniqueDim": _DATA}
