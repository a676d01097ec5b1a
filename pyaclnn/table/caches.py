"""Caches of keys and values in blocks, and the state of sequences that are decoded with them."""

from __future__ import annotations

from .row import Row
from .steps import Kernel, Null

_FAMILY = "attention"
_STATE = (
    "inputTokens", "sampledTokenIds", "inputPositions", "seqLens", "slotMapping", "blockTables",
)  # fmt: skip
_HALVES = "on the 950: floats of 4 bits with gaps"
_ADVANCE = Kernel("advance_step", of="AdvanceStepV2")

ROWS: tuple[Row, ...] = (
    Row("AdvanceStep", _FAMILY, (Null(_STATE), _ADVANCE)),
    Row("AdvanceStepV2", _FAMILY, (Null(_STATE), _ADVANCE)),
    Row(
        "GatherPaKvCache", _FAMILY,
        (
            Null(("keyCache", "valueCache", "blockTables", "seqLens", "keyRef", "valueRef")),
            Kernel("gather_pa_kv_cache"),
        ),
    ),
    Row(
        "ScatterPaCache", _FAMILY,
        (Null(("key", "keyCacheRef", "slotMapping")), Kernel("scatter_pa_cache")),
        missing=(_HALVES,),
    ),
    Row(
        "ScatterPaKvCache", _FAMILY, (Kernel("scatter_pa_kv_cache"),),
        missing=("scatterMode Nct of a strided view", _HALVES),
    ),
)  # fmt: skip
