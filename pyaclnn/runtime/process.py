"""CANN's state in this process: initialised once, torn down once, unusable after a fork."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Callable

from pyaclnn.abi import (
    ClosedError,
    ForkedProcessError,
    check,
    define,
    ffi,
    has_symbol,
    lib,
    warn_cleanup,
    warn_status,
)

#: Functions that nearly every program uses, declared to cffi at once: each call of its parser reads
#: all types again, so one by one they take 30 ms more.
_COMMON_FUNCTIONS = (
    "aclInit",
    "aclFinalize",
    "aclGetRecentErrMsg",
    "aclrtGetDevice",
    "aclrtSetDevice",
    "aclrtGetCurrentContext",
    "aclrtCreateStreamWithConfig",
    "aclrtStreamQuery",
    "aclrtSynchronizeStreamWithTimeout",
    "aclrtDestroyStream",
    "aclrtMalloc",
    "aclrtFree",
    "aclrtMemcpy",
    "aclrtMemcpyAsync",
    "aclrtMemsetAsync",
    "aclrtResetDevice",
)

_REPEAT_INITIALIZE = 100002
_REPEAT_FINALIZE = 100037
_UNSUPPORTED = 207000

_lock = threading.RLock()
_initialised = False
_ours = False
_forked = False
_closed = False
_ahead: list[str] = []
#: Threads that have used pyaclnn, by identifier.
_threads: dict[int, weakref.ref[threading.Thread]] = {}
_before_teardown: list[Callable[[], None]] = []
_teardown: list[Callable[[], None]] = []
_after_fork: list[Callable[[], None]] = []
_at_leaving: list[Callable[[], None]] = []


class StillBusyError(Exception):
    """A device still has work at exit after the time-out."""


def ensure_initialised() -> None:
    """Initialise CANN unless this process has done so; another owner's ``aclInit`` is respected.

    Raises
    ------
    ForkedProcessError
        In a child forked from a process that had initialised CANN.
    ClosedError
        After the teardown at interpreter exit.
    AclError
        Where ``aclInit`` fails.
    """
    if not _initialised:
        _initialise()


def _initialise() -> None:
    global _initialised, _ours
    if _forked:
        raise ForkedProcessError(
            "this process was forked from one that used pyaclnn, and an NPU connection does not "
            "survive a fork; start workers with multiprocessing's 'spawn' method instead: "
            "multiprocessing.set_start_method('spawn')"
        )
    if _closed:
        raise ClosedError("pyaclnn was shut down because the interpreter is exiting")
    with _lock:
        if _initialised:
            return
        define(*_COMMON_FUNCTIONS, *_ahead)
        status = lib.aclInit(ffi.NULL)
        if status != _REPEAT_INITIALIZE:
            check(status, "aclInit")
            _ours = True
        # Registered only now, so that exit handlers of the program run while CANN still works.
        atexit.register(_tear_down)
        _initialised = True


def note_thread() -> None:
    """Note that the calling thread uses pyaclnn."""
    _threads[threading.get_ident()] = weakref.ref(threading.current_thread())


def declare_ahead(*names: str) -> None:
    """Name C functions of a higher layer to be declared when CANN is initialised."""
    _ahead.extend(names)


def at_teardown(callback: Callable[[], None]) -> None:
    """Register a function to run before CANN is finalised; the last registered runs first.

    Parameters
    ----------
    callback : callable
        Must not raise; it is called once, while streams are still open.
    """
    _teardown.append(callback)


def before_teardown(callback: Callable[[], None]) -> None:
    """Register a function that waits before the teardown; it may raise `StillBusyError`."""
    _before_teardown.append(callback)


def at_leaving(callback: Callable[[], None]) -> None:
    """Register a function that stops finalizers from calling CANN if there is no teardown.

    Parameters
    ----------
    callback : callable
        Must not call CANN.
    """
    _at_leaving.append(callback)


def after_fork(callback: Callable[[], None]) -> None:
    """Register a function for forked children; it is called only if CANN was in use.

    Parameters
    ----------
    callback : callable
        Must not call CANN.
    """
    _after_fork.append(callback)


def _tear_down() -> None:
    global _initialised, _closed
    if not _initialised:
        return
    if _other_threads() or not _wait_for_work():
        # The system takes everything back when the process ends.
        for callback in _at_leaving:
            callback()
        return
    for callback in reversed(_teardown):
        callback()
    _initialised = False
    _closed = True
    if _ours:
        _finalise()


def _other_threads() -> bool:
    """Whether other threads may be in a call that uses what the teardown destroys."""
    threads = [reference() for reference in list(_threads.values())]
    here = threading.current_thread()
    return any(t is not None and t is not here and t.is_alive() for t in threads)


def _wait_for_work() -> bool:
    """Whether all work that is left has run."""
    try:
        for callback in _before_teardown:
            callback()
    except StillBusyError as error:
        why = str(error)
    except KeyboardInterrupt:
        why = "waiting for the work that is left was broken off"
    else:
        return True
    warn_cleanup(f"pyaclnn ends without a clean-up: {why}")
    return False


def _finalise() -> None:
    # Counting down leaves other users of aclInit in this process alone; it came with CANN 9.0.
    status, function = _UNSUPPORTED, ""
    if has_symbol("aclFinalizeReference"):
        status, function = lib.aclFinalizeReference(ffi.NULL), "aclFinalizeReference"
    if status == _UNSUPPORTED:
        status, function = lib.aclFinalize(), "aclFinalize"
    if status != _REPEAT_FINALIZE:
        warn_status(status, function)


def _forget_in_child() -> None:
    global _initialised, _forked, _lock
    if not _initialised:
        return
    # The lock may have been held by a thread that does not exist here.
    _lock = threading.RLock()
    _initialised = False
    _forked = True
    for callback in _after_fork:
        callback()


os.register_at_fork(after_in_child=_forget_in_child)
