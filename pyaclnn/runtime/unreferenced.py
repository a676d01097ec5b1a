"""A search for objects that only our own tables still refer to.

A signal may break off a finalizer before its first line, and then nobody does what it was to do. It
shows in that nothing refers to an object but the table of all of its kind.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TypeVar

_Item = TypeVar("_Item")

# Not in a Python that does not count references (PyPy), nor in one in which other threads go on
# meanwhile (free-threaded).
_COUNTED = hasattr(sys, "getrefcount") and getattr(sys, "_is_gil_enabled", lambda: True)()


def find_unreferenced(table: Iterable[_Item]) -> list[_Item]:
    """Return the objects without any other reference.

    Parameters
    ----------
    table : iterable
        It refers once to each.

    Returns
    -------
    list
        None of them can be reached by another thread.
    """
    return _referred_to(table, _WHEN_LOST) if _COUNTED else []


def _referred_to(table: Iterable[_Item], times: int) -> list[_Item]:
    return [item for item in list(table) if sys.getrefcount(item) == times]


def _count_when_lost() -> int:
    # It depends on the release of Python, which may count variables or not; so it is tried.
    for times in range(1, 8):
        if _referred_to({object(): None}, times):
            return times
    return -1


_WHEN_LOST = _count_when_lost() if _COUNTED else -1
