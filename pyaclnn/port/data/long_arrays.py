"""Long arrays that are stored as a few numbers and a rule for the rest."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pyaclnn.port.data.cpp_types import CType

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Ramp:
    """Integers that grow by one from ``start`` on, as elements of a type."""

    start: int
    ctype: CType

    def part(self, offset: int, size: int) -> Array:
        """Return a stretch of their bytes."""
        first, last = offset // self.ctype.size, -(-(offset + size) // self.ctype.size)
        values = np.arange(self.start + first, self.start + last).astype(self.ctype.dtype)
        cut = offset - first * self.ctype.size
        return values.view(np.uint8)[cut : cut + size]


@dataclass(frozen=True)
class LongArray:
    """The compact form of an array.

    Attributes
    ----------
    shape : tuple of int
        Its shape.
    head : numpy.ndarray
        Its first elements, which follow no rule.
    turn : numpy.ndarray
        The pattern that the elements repeat; None where they count up.
    start : int
        The first number, where they count up.
    """

    shape: tuple[int, ...]
    head: Array
    turn: Array
    start: int = 0

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the elements."""
        found: np.dtype[Any] = self.head.dtype
        return found

    @property
    def size(self) -> int:
        """Number of the elements."""
        return math.prod(self.shape)

    def reshape(self, shape: tuple[int, ...]) -> LongArray:
        """Return the same elements in another shape."""
        return replace(self, shape=shape)

    def astype(self, dtype: Any) -> LongArray:
        """Return the same numbers as elements of another type."""
        return replace(self, head=self.head.astype(dtype), turn=self.turn.astype(dtype))
