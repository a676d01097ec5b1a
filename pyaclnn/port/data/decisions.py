"""Decisions of a run around the statement that is being followed: state of one translation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any


class Decisions:
    """How many decisions are open, and who writes down what is assigned under them.

    Parameters
    ----------
    record : callable, optional
        Takes a variable and the value it is to get, and returns what stands for that value.
    keep : callable, optional
        Takes a number and a name, and returns what stands for the number as it is now.
    """

    __slots__ = ("keep", "open", "record")

    def __init__(
        self,
        record: Callable[[Any, Any], Any] | None = None,
        keep: Callable[[Any, str], Any] | None = None,
    ) -> None:
        self.open = 0
        self.record = record
        self.keep = keep

    @contextmanager
    def one_more(self) -> Iterator[None]:
        """Follow one way of a decision."""
        self.open += 1
        try:
            yield
        finally:
            self.open -= 1


#: Those of the translation under way in this thread: a variable is made in many places, and
#: needs to know under how many decisions.
_CURRENT: ContextVar[Decisions] = ContextVar("decisions", default=Decisions())  # noqa: B039

current = _CURRENT.get


@contextmanager
def followed(decisions: Decisions) -> Iterator[None]:
    """Let these be the current ones."""
    token = _CURRENT.set(decisions)
    try:
        yield
    finally:
        _CURRENT.reset(token)
