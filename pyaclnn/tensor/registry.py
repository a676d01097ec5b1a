"""The aclnn objects that live: each is destroyed exactly once, and never in a forked child."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyaclnn.abi import AclError, check, ffi, warn_status
from pyaclnn.runtime import after_fork, at_teardown, declare_ahead

Destroy = Callable[[Any], int]

#: Handle -> the C function that destroys it.
_live: dict[Any, tuple[Destroy, str]] = {}


def adopt(handle: Any, destroy: Destroy, create_name: str, destroy_name: str) -> Any:
    """Take charge of an object that C made.

    Parameters
    ----------
    handle : cffi pointer
        What the creating function returned.
    destroy : callable
        The C function that destroys it.
    create_name, destroy_name : str
        Names of the two functions, for messages.

    Returns
    -------
    cffi pointer
        The handle.

    Raises
    ------
    AclError
        If the creating function returned null.
    """
    if handle == ffi.NULL:
        raise _creation_failed(create_name)
    _live[handle] = (destroy, destroy_name)
    return handle


def release(handle: Any) -> None:
    """Destroy an object unless that was done; fit for finalizers: it warns and never raises."""
    entry = _live.pop(handle, None)
    if entry is not None:
        destroy, name = entry
        status = destroy(handle)
        if status:
            warn_status(status, name)


def forget(handle: Any) -> None:
    """Give up charge of an object that something else will destroy."""
    _live.pop(handle, None)


def count() -> int:
    """Return how many objects are to be destroyed."""
    return len(_live)


def _creation_failed(name: str) -> AclError:
    # These functions return null without a status; what CANN noted of it is still wanted.
    try:
        check(_INVALID_PARAMETER, name)
    except AclError as error:
        return error
    raise AssertionError(f"{name}: a status other than 0 must raise")


def _release_all() -> None:
    for handle in list(_live):
        release(handle)


_INVALID_PARAMETER = 161002

declare_ahead("aclCreateTensor", "aclDestroyTensor", "aclCreateScalar", "aclDestroyScalar")
at_teardown(_release_all)
after_fork(_live.clear)
