"""Reductions, scans, sorting and searching."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import OutputRules

_DATA = "how many there are depends on the values"

OUTPUTS: OutputRules = {}

NOT_INFERRED = {"Bincount": _DATA}
