"""A search for objects that only pyaclnn's own tables refer to.

A signal may interrupt a finalizer before its first line, so that its work is never done. Such an
object is recognised by its reference count: only the table of all its kind refers to it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TypeVar

_Item = TypeVar("_Item")

# Not in a Python without reference counts (PyPy), nor in a free-threaded one, where other threads
# run meanwhile.
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
    # Whether variables count depends on the release of Python, so it is measured.
    for times in range(1, 8):
        if _referred_to({object(): None}, times):
            return times
    return -1


_WHEN_LOST = _count_when_lost() if _COUNTED else -1
