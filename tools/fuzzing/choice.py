"""Choosing so that cases stay what they are when there is more to choose from."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import TypeVar

_Item = TypeVar("_Item")


def choose(items: Sequence[_Item], name: Callable[[_Item], str], rng: random.Random) -> _Item:
    """Return one of the items; a new one takes only its share of the cases from the others."""
    salt = rng.randbytes(8)
    return max(items, key=lambda i: blake2b(salt + name(i).encode(), digest_size=8).digest())
