"""Handles of CANN's objects, which are destroyed when their Python owners are gone.

A signal may interrupt Python code after any call, in finalizers as well, and the result of a C call
is lost then. So C writes a handle into a cell that is owned before the call; and the end of the
owner is noticed by a weak reference whose callback is a C function, which no signal interrupts.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from pyaclnn.abi import ffi, lib, warn_status

# Reentrant, for a collection inside may run finalizers of the program.
_claiming = threading.RLock()
# How often destroying may fail, each time with a warning, before the handle is leaked.
_ATTEMPTS = 3


class Keeper(Protocol):
    """What keeps handles until they are destroyed: a device."""

    native_handles: dict[int, NativeHandle]
    dropped: deque[NativeHandle]


class NativeHandle(weakref.ref[Any]):
    """A handle, and the resources released with it.

    The device keeps it and, when the owner is gone, has it in its queue `Device.dropped`.

    Parameters
    ----------
    owner : object
        Whose handle it is.
    device : Keeper
        Where it is destroyed.

    Attributes
    ----------
    cell : cffi pointer
        The ``void **`` that C writes the handle into, and NULL when it was destroyed.
    device : Keeper
        As given.
    finisher : int
        The thread that is destroying what is left; 0 for none.
    """

    __slots__ = ("_failures", "cell", "device", "finisher")

    #: The C function that destroys the handle.
    function = ""
    #: Whether the teardown skips it while its owner is alive.
    stays_with_owner = False

    def __new__(cls, owner: object, device: Keeper) -> NativeHandle:  # noqa: D102 - the class says it
        return super().__new__(cls, owner, device.dropped.append)

    def __init__(self, owner: object, device: Keeper) -> None:
        super().__init__(owner, device.dropped.append)  # type: ignore[call-arg]
        self.cell = ffi.new("void **")
        self.device = device
        self._failures = 0
        self.finisher = 0
        # Last: from now on `finish` may be called.
        device.native_handles[id(self)] = self

    def finish(self, *, wait: bool = False) -> bool:
        """Destroy the object, in a thread that has the device bound.

        If it was interrupted, another call does the rest; one thread does it at a time.

        Parameters
        ----------
        wait : bool
            Whether to wait for work that still needs it.

        Returns
        -------
        bool
            True if nothing is left to do.
        """
        if not self._claim():
            return False
        try:
            if not self.is_idle(wait=wait) or not self._destroy():
                return False
            self.give_back()
            self.device.native_handles.pop(id(self), None)
        finally:
            self.finisher = 0
        return True

    def _claim(self) -> bool:
        """Whether no other thread is destroying it; interrupted and ended threads do not count."""
        here = threading.get_ident()
        with _claiming:
            if self.finisher not in {0, here} and self.finisher in sys._current_frames():
                return False
            self.finisher = here
            return True

    def close(self) -> None:
        """Destroy the object now, or when the device cleans up next."""
        if not self.finish():
            self.device.dropped.append(self)

    def is_idle(self, *, wait: bool) -> bool:
        """Return whether no work needs it, after waiting for that if asked to."""
        return True

    def give_back(self) -> None:
        """Return the resources of a destroyed handle for reuse."""

    def _destroy(self) -> bool:
        # Looked up first: no other call, and so no signal, comes between taking the handle and
        # destroying it.
        destroy: Callable[[Any], int] = getattr(lib, self.function)
        handle = self.cell[0]
        if not handle:
            return True
        self.cell[0] = ffi.NULL
        status = destroy(handle)
        if status:
            self.cell[0] = handle
            self._failures += 1
            warn_status(status, self.function)
            if self._failures < _ATTEMPTS:
                return False
            self.cell[0] = ffi.NULL
        return True


def not_copied(owner: object, why: str) -> TypeError:
    """Return the error for copying or pickling an owner: two owners would destroy one object."""
    return TypeError(f"{type(owner).__name__} objects are neither copied nor pickled: {why}")
