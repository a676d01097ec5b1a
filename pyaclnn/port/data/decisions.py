"""Run-time conditions around the current statement: state of one translation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from pyaclnn.port.errors import NotUnderstoodError


class Decisions:
    """The open conditions, and the functions that record assignments under them.

    Parameters
    ----------
    record : callable, optional
        Takes a variable and its new value, and returns the value that replaces it.
    keep : callable, optional
        Takes a number and a name, and returns a snapshot of the number.
    """

    __slots__ = ("_made", "keep", "open", "place", "record", "size", "ways")

    def __init__(
        self,
        record: Callable[[Any, Any], Any] | None = None,
        keep: Callable[[Any, str], Any] | None = None,
    ) -> None:
        self.open = 0
        #: The ways of decisions that are being followed, by number; the innermost is the last.
        self.ways: list[int] = []
        self._made = 0
        self.record = record
        self.keep = keep
        #: Returns the struct at an address, and the size of a struct type.
        self.place: Callable[[Any], Any] | None = None
        self.size: Callable[[Any], int] | None = None

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Evaluate one branch of a condition."""
        self.open += 1
        self._made += 1
        self.ways.append(self._made)
        try:
            yield
        finally:
            self.open -= 1
            self.ways.pop()


#: Those of the translation under way in this thread: a variable is made in many places, and
#: needs to know under how many decisions.
_CURRENT: ContextVar[Decisions] = ContextVar("decisions", default=Decisions())  # noqa: B039

current = _CURRENT.get


def refuse_undecided(depth: int, what: str) -> None:
    """Raise if an object that was made under some conditions changes under further ones.

    Parameters
    ----------
    depth : int
        How many decisions were open when it was made.
    what : str
        Is done, for the message.
    """
    if depth < current().open:
        raise NotUnderstoodError(f"{what} where only a run decides whether")


@contextmanager
def followed(decisions: Decisions) -> Iterator[None]:
    """Let these be the current ones."""
    token = _CURRENT.set(decisions)
    try:
        yield
    finally:
        _CURRENT.reset(token)
