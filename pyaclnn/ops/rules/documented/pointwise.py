"""Checks of training, and random numbers."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import OutputRules

_CHOSEN = "the caller chooses the dtype"

OUTPUTS: OutputRules = {
    "SilentCheck SilentCheckV2": {"result": "one as int32"},
}

NOT_INFERRED = {
    "CoalesceSparse": "the values of equal indices are added to what the outputs hold",
    "NormalFloatFloat": "no argument says how many numbers are drawn",
    "Randperm": _CHOSEN,
}
