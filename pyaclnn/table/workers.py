"""Workers of models whose attention and experts run on devices of their own."""

from __future__ import annotations

from .row import Row
from .steps import Kernel, Null, That

_CONTEXT = "scheduleContextRef"
_FLAT = That(f"{_CONTEXT}.rank() == 1", f"{_CONTEXT} has %zu dimensions", (f"{_CONTEXT}.rank()",))

ROWS: tuple[Row, ...] = (
    Row(
        "InplaceAttentionWorkerScheduler", "attention",
        (Null((_CONTEXT,)), _FLAT, Kernel("attention_worker_scheduler")),
    ),
    Row(
        "InplaceFfnWorkerScheduler", "attention",
        (
            Null((_CONTEXT,)), _FLAT,
            That("executeMode == 0", "executeMode is %d, it must be 0", ("int(executeMode)",)),
            Kernel("ffn_worker_scheduler"),
        ),
    ),
)  # fmt: skip
