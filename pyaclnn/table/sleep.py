"""A stream that waits. Sleep is generated from its kernel."""

from __future__ import annotations

from .row import Row
from .steps import Call, Null, OnlyOn

ROWS: tuple[Row, ...] = (
    Row(
        "Sleep", "stream",
        (
            Null(("cycles",)),
            OnlyOn(("950",), inside=True),
            Call("sleep_cycles", "plan cycles.values()"),
        ),
        missing=("a sleep of more than a second, which ends then",),
    ),
)  # fmt: skip
