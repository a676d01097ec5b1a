"""The registry of living aclnn objects: each is destroyed once, and never in a forked child."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from pyaclnn.abi import AclError, check, warn_status
from pyaclnn.runtime import after_fork, at_leaving, at_teardown, declare_ahead
from pyaclnn.runtime.unreferenced import find_unreferenced

Destroy = Callable[[Any], int]


class Elements:
    """Destroys objects of one kind, unless an object of C took ownership.

    Parameters
    ----------
    destroy : callable
        The C function that destroys one.
    """

    def __init__(self, destroy: Destroy) -> None:
        self._destroy = destroy
        self.taken = False

    def __call__(self, handle: Any) -> int:
        """Destroy one of them, unless ownership was transferred."""
        return 0 if self.taken else self._destroy(handle)


#: Handle -> the C function that destroys it.
_live: dict[Any, tuple[Destroy, str]] = {}

#: Objects that C refused to destroy, and the attempts that are left.
_failed: deque[tuple[Any, Destroy, str, int]] = deque()
_ATTEMPTS = 3

#: From how many objects on lost ones are searched for.
_LEAST = 4096
_enough = [_LEAST]


def create(
    make: Callable[..., Any],
    arguments: Iterable[Any],
    destroy: Destroy,
    create_name: str,
    destroy_name: str,
    elements: Elements | None = None,
) -> Any:
    """Create an object of C, and own it.

    Parameters
    ----------
    make : callable
        The C function that makes it.
    arguments : iterable
        Its arguments.
    destroy : callable
        The C function that destroys it.
    create_name, destroy_name : str
        Names of the two functions, for messages.
    elements : Elements, optional
        What the object destroys with itself.

    Returns
    -------
    cffi pointer
        The handle.

    Raises
    ------
    AclError
        If the creating function returned null.
    """
    made: list[Any] = []
    # Called by `extend` in C, so that no signal comes between the call and storing the handle.
    call = map(make, *zip(arguments))
    try:
        if elements is not None:
            elements.taken = True
        made.extend(call)
        handle = made[0]
        if not handle:
            if elements is not None:
                elements.taken = False
            raise _creation_failed(create_name)
        _live[handle] = (destroy, destroy_name)
    except BaseException:
        if made and made[0] and made[0] not in _live:
            destroy(made[0])
        raise
    if _failed:
        destroy_failed()
    if len(_live) >= _enough[0]:
        destroy_lost()
    return handle


def adopt(handle: Any, destroy: Destroy, create_name: str, destroy_name: str) -> Any:
    """Take ownership of an object that C made; parameters and result as for `create`."""
    if not handle:
        raise _creation_failed(create_name)
    _live[handle] = (destroy, destroy_name)
    return handle


def release(handle: Any) -> None:
    """Destroy an object once; for finalizers: it warns and never raises.

    Where C refuses, it is tried again later.
    """
    if handle in _live:
        destroy, name = _live[handle]
        # No call in between, so that no signal comes between removing it and destroying it.
        del _live[handle]
        status = destroy(handle)
        if status:
            note_failure(status, handle, destroy, name)


def note_failure(status: int, handle: Any, destroy: Destroy, name: str) -> None:
    """Warn that C refused to destroy an object, and retry later."""
    _failed.append((handle, destroy, name, _ATTEMPTS - 1))
    warn_status(status, name)


def destroy_failed() -> None:
    """Retry to destroy the objects that C refused to destroy."""
    for _ in range(len(_failed)):
        try:
            handle, destroy, name, attempts = _failed.pop()
        except IndexError:  # another thread was faster
            return
        status = destroy(handle)
        if status:
            if attempts > 1:
                _failed.appendleft((handle, destroy, name, attempts - 1))
            warn_status(status, name)


def destroy_lost() -> None:
    """Destroy unreachable objects, whose finalizers were interrupted by a signal.

    It is called when the number of objects has doubled since the last time, so its cost is
    amortised.
    """
    for handle in find_unreferenced(_live):
        release(handle)
    _enough[0] = max(_LEAST, 2 * len(_live))


def forget(handle: Any) -> None:
    """Give up ownership of an object that something else will destroy."""
    _live.pop(handle, None)


def count() -> int:
    """Return how many objects are to be destroyed."""
    return len(_live) + len(_failed)


def _creation_failed(name: str) -> AclError:
    # These functions return null without a status; CANN's message is added to the error.
    try:
        check(_INVALID_PARAMETER, name)
    except AclError as error:
        return error
    raise AssertionError(f"{name}: a status other than 0 must raise")


def _release_all() -> None:
    for handle in list(_live):
        release(handle)
    destroy_failed()


def _forget_all() -> None:
    _live.clear()
    _failed.clear()


_INVALID_PARAMETER = 161002

declare_ahead("aclCreateTensor", "aclDestroyTensor", "aclCreateScalar", "aclDestroyScalar")
at_teardown(_release_all)
after_fork(_forget_all)
at_leaving(_forget_all)
