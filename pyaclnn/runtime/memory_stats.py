"""What a memory pool says of itself."""

from __future__ import annotations

from typing import NamedTuple


class MemoryStats(NamedTuple):
    """What a pool holds, in bytes and blocks.

    Attributes
    ----------
    reserved : int
        Bytes taken from CANN.
    in_use : int
        Of these, bytes of live buffers and stream workspaces.
    cached : int
        Of these, bytes kept for reuse.
    peak : int
        The most that was ever reserved.
    blocks : int
        Blocks taken from CANN.
    mallocs : int
        How often CANN was asked so far.
    """

    reserved: int
    in_use: int
    cached: int
    peak: int
    blocks: int
    mallocs: int
