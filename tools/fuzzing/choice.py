"""Choosing so that cases stay what they are when there is more to choose from."""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Generic, TypeVar

_Item = TypeVar("_Item")
#: Of each item: with more of them, the shares of items differ less.
_POINTS = 32


class Choice(Generic[_Item]):
    """Items on a ring, each at some points of it that follow from its name.

    A place on the ring belongs to the next point, so that a new item takes only its share of the
    places from the others.
    """

    def __init__(self, items: Sequence[_Item], name: Callable[[_Item], str]) -> None:
        points = sorted(
            (blake2b(f"{point} {name(item)}".encode(), digest_size=8).digest(), number)
            for number, item in enumerate(items)
            for point in range(_POINTS)
        )
        self._places = [place for place, _ in points]
        self._items = [items[number] for _, number in points]

    def draw(self, rng: random.Random) -> _Item:
        """Return one of the items."""
        return self._items[bisect(self._places, rng.randbytes(8)) % len(self._items)]
