"""Weak sets that threads may change while others iterate."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Generic, TypeVar

_Member = TypeVar("_Member")


class ThreadSafeWeakSet(Generic[_Member]):
    """A set of live objects, which it does not keep alive.

    Unlike ``weakref.WeakSet``, it may be iterated while other threads add and drop members; the
    iteration sees the members of its beginning.
    """

    __slots__ = ("_references",)

    def __init__(self) -> None:
        self._references: dict[weakref.ref[_Member], None] = {}

    def add(self, member: _Member) -> None:
        """Add an object; one that is compared by identity."""
        references = self._references
        references[weakref.ref(member, lambda gone: references.pop(gone, None))] = None

    def discard(self, member: _Member) -> None:
        """Remove an object, if it is there."""
        self._references.pop(weakref.ref(member), None)

    def __iter__(self) -> Iterator[_Member]:
        # A single call in C, which is atomic.
        for reference in list(self._references):
            member = reference()
            if member is not None:
                yield member

    def __len__(self) -> int:
        return len(self._references)
