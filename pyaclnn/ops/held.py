"""Resources of a plan, and their release."""

from __future__ import annotations

import weakref
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pyaclnn.abi import lib
from pyaclnn.ops import two_phase
from pyaclnn.runtime import after_fork, at_leaving, at_teardown

if TYPE_CHECKING:
    from pyaclnn.ops.plan import Plan
    from pyaclnn.ops.slot import TensorSlot
    from pyaclnn.runtime import Buffer


class Held(weakref.ref["Plan"]):
    """The executor and the descriptors of a plan, and the memory of its tensors.

    It outlives a plan whose finalizer was broken off by a signal, and is noted down then without a
    line of Python, see `pyaclnn.runtime.native_handle`.

    Parameters
    ----------
    plan : Plan
        Whose they are.

    Attributes
    ----------
    closed : bool
        Whether nothing is held any more, or shall be.
    cells : tuple or None
        Where phase 1 wrote; it owns the executor.
    executor : cffi pointer or None
        That executor, if it is used again and again.
    handles : list of Handle
        The plan's own descriptors: rebinding changes their addresses, and the tensors' must stay.
    slots : dict
        Tensor parameters by name.
    buffers : list of Buffer
        Memory of the tensors in lists.
    """

    __slots__ = ("buffers", "cells", "closed", "executor", "handles", "slots")

    def __new__(cls, plan: Plan) -> Held:  # noqa: D102 - the class says it
        return super().__new__(cls, plan, _dropped.append)

    def __init__(self, plan: Plan) -> None:
        # Found ahead: a finalizer may run while cffi parses, whose lock a thread cannot take twice.
        _ = lib.aclDestroyAclOpExecutor, lib.aclGetRecentErrMsg
        super().__init__(plan, _dropped.append)  # type: ignore[call-arg]
        self.closed = False
        self.cells: two_phase.OutParameters | None = None
        self.executor: Any = None
        self.handles: list[Any] = []
        self.slots: dict[str, TensorSlot] = {}
        self.buffers: list[Buffer] = []
        _all[id(self)] = self

    def close(self) -> None:
        """Release everything; after an interruption, another call releases the rest."""
        self.closed = True
        for slot in self.slots.values():
            slot.let_go()
        self.slots.clear()
        while self.buffers:
            with suppress(ValueError):
                self.buffers[-1].pins.remove(self)
            del self.buffers[-1]
        self.executor = None
        # Before the descriptors that it refers to.
        if self.cells is not None:
            two_phase.destroy(self.cells)
        while self.handles:
            self.handles[-1].close()
            del self.handles[-1]
        _all.pop(id(self), None)

    def forget(self) -> None:
        """Forget the objects of C without destroying them."""
        self.cells = self.executor = None


def close_dropped() -> None:
    """Release the resources of plans that no longer exist."""
    while _dropped:
        try:
            held = _dropped[0]
            held.close()
            _dropped.remove(held)
        except (IndexError, ValueError):  # another thread was faster
            return


def _close_all() -> None:
    for held in list(_all.values()):
        held.close()


def _forget_all() -> None:
    for held in list(_all.values()):
        held.forget()
    _all.clear()
    _dropped.clear()


#: Open ones, by identity, and those whose plans are gone.
_all: dict[int, Held] = {}
_dropped: deque[Any] = deque()

at_teardown(_close_all)
after_fork(_forget_all)
at_leaving(_forget_all)
