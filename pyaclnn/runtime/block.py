"""Blocks: what the memory pool takes from CANN and hands out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyaclnn.abi import ffi

# Sizes are rounded so that blocks are interchangeable: to CANN's own granularity of workspaces,
# and above 1 MiB to its huge pages. aclrtMalloc adds what kernels may read past the end.
_SMALL_LIMIT = 1 << 20
_SMALL_STEP = 1 << 9
_LARGE_STEP = 1 << 21


def rounded_size(nbytes: int) -> int:
    """Return the size of the block that serves a request, for ``nbytes`` above 0."""
    step = _SMALL_STEP if nbytes <= _SMALL_LIMIT else _LARGE_STEP
    return (nbytes + step - 1) & -step


class Block:
    """One allocation of CANN; in use, or in exactly one bin.

    Attributes
    ----------
    pointer : cffi pointer
        Its address as ``void *``.
    address, size : int
        Its address and rounded size.
    bin : list of Block
        Where it goes when it is freed.
    left : object or None
        What the floor above left with the memory for its next user; set by `leave`.
    """

    __slots__ = ("address", "bin", "left", "pointer", "size")

    def __init__(self, pointer: Any, size: int, home: list[Block]) -> None:
        self.pointer = pointer
        self.address = int(ffi.cast("uintptr_t", pointer))
        self.size = size
        self.bin = home
        self.left: Any = None

    def leave(self, left: Any) -> None:
        """Leave something with the memory in place of what is there, or None."""
        before, self.left = self.left, left
        if before is not None:
            release_left(before)


_release_left: Callable[[Any], None] | None = None


def set_release_of_left(release: Callable[[Any], None]) -> None:
    """Say how to let go of what was left with a block; the tensor floor, above this one, does."""
    global _release_left
    _release_left = release


def release_left(left: Any) -> None:
    """Let go of what was left with a block, or was to be; fit for finalizers."""
    assert _release_left is not None
    _release_left(left)
