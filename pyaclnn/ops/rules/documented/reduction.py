"""Reductions, scans, sorting and searching."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

_DATA = "how many there are depends on the values"

_FLOAT = "reduced self dim {0} as float_of self"

OUTPUTS: Texts = {
    "Norm": _FLOAT.format("keepdim"),
}

NOT_INFERRED = {"Bincount": _DATA}
