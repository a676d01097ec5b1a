"""Outputs of operators without a row, as CANN's documents have them, a table for each family.

``OUTPUTS`` has the line of each output, which ``ops/rules/notation.py`` reads; ``NOT_INFERRED`` why
those of an operator have to be given. An operator that gets a row in ``pyaclnn/table`` leaves
these tables.
"""

from __future__ import annotations

from collections.abc import Mapping

from pyaclnn.ops.rules.documented import (
    attention,
    collective,
    matmul,
    moe,
    pointwise,
    quantised,
    recent,
    reduction,
)
from pyaclnn.ops.rules.notation import by_operator

_FAMILIES = (
    attention, collective, matmul, moe, pointwise, quantised, recent, reduction,
)  # fmt: skip

OUTPUTS: dict[str, Mapping[str, str]] = {}
for _family in _FAMILIES:
    OUTPUTS |= by_operator(_family.OUTPUTS)

#: Operator -> why its outputs do not follow from what it is given.
NOT_INFERRED: dict[str, str] = {
    "aclnn" + name: reason
    for family in _FAMILIES
    for names, reason in getattr(family, "NOT_INFERRED", {}).items()
    for name in names.split()
}
