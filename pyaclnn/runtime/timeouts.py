"""Conversion of timeouts from Python's seconds to CANN's milliseconds."""

from __future__ import annotations

import math

_LONGEST = 2**31 - 1


def milliseconds(seconds: float) -> int:
    """Return a timeout for CANN: at least 1 ms, since it refuses 0.

    Raises
    ------
    ValueError
        If the time is negative or not a number.
    """
    if not seconds >= 0:
        raise ValueError(f"timeout is {seconds!r}; give seconds >= 0, or None to wait for ever")
    return int(min(max(1, math.ceil(min(seconds, _LONGEST) * 1000)), _LONGEST))
