"""Statistics of a device's memory and of the pool that hands it out."""

from __future__ import annotations

from typing import NamedTuple

from pyaclnn.abi import OutOfMemoryError


class MemoryInfo(NamedTuple):
    """Free and total device memory in bytes."""

    free: int
    total: int


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


def with_figures(
    error: OutOfMemoryError, size: int, device: object, stats: MemoryStats, info: MemoryInfo
) -> OutOfMemoryError:
    """Return the error of an allocation, with the size requested and the memory in use."""
    figures = (
        f"{size:,} bytes were asked of {device!r}, which has {info.free:,} of "
        f"{info.total:,} bytes free; pyaclnn holds {stats.in_use:,} bytes in use and "
        f"{stats.cached:,} cached. Cached memory was given back before the last attempt: "
        "close tensors, make them smaller, or see who else uses the device."
    )
    return OutOfMemoryError(
        error.code,
        error.name,
        error.function,
        error.message,
        figures,
        [("size", f"{size}")],
        error.meaning,
    )
