"""The two-phase call, and who owns the executor at every step.

Phase 1 gives an executor to the caller. Phase 2 takes it back, also when it fails; whatever goes
wrong in between, the caller destroys it.
"""

from __future__ import annotations

from typing import Any

from pyaclnn import abi
from pyaclnn.abi import ffi, lib
from pyaclnn.runtime import Stream, declare_ahead

#: Where phase 1 writes its two results, the size of the workspace and the executor. Kept and
#: reused: allocating is dear.
OutParameters = tuple[Any, Any]

declare_ahead("aclOpExecutor", "aclDestroyAclOpExecutor")

# list.pop and list.append are atomic, so threads share the spare ones without a lock.
spare: list[OutParameters] = []


def new_out_parameters(phase1: Any) -> OutParameters:
    """Make result cells.

    Parameters
    ----------
    phase1 : cffi function
        Of any operator, for its last two parameters: cffi parses a type that is named for 1 ms.
    """
    *_, size, executor = ffi.typeof(phase1).args
    return ffi.new(size), ffi.new(executor)


def take_out_parameters(phase1: Any) -> OutParameters:
    """Return a pair of result cells; give it back with :func:`give_out_parameters`."""
    try:
        return spare.pop()
    except IndexError:
        return new_out_parameters(phase1)


def give_out_parameters(cells: OutParameters) -> None:
    """Keep a pair of result cells for the next call."""
    spare.append(cells)


def plan(phase1: Any, name: str, c_arguments: list[Any], shown: Any) -> tuple[Any, int]:
    """Run phase 1.

    Parameters
    ----------
    phase1 : cffi function
        ``aclnnXxxGetWorkspaceSize``.
    name : str
        Its C name, for errors.
    c_arguments : list
        Everything but the two results.
    shown : sequence
        The Python values behind the arguments, for the text of an error.

    Returns
    -------
    executor : cdata
        Owned by the caller.
    workspace_size : int
        Bytes.

    Raises
    ------
    AclError
        With the family that fits the code.
    """
    cells = take_out_parameters(phase1)
    status = phase1(*c_arguments, *cells)
    if status:
        give_out_parameters(cells)
        abi.check(status, name, shown)
    size, executor = cells[0][0], cells[1][0]
    give_out_parameters(cells)
    return executor, size


def execute(phase2: Any, name: str, executor: Any, size: int, stream: Stream, shown: Any) -> None:
    """Run phase 2 of a one-shot executor, with a workspace of the stream.

    The executor is gone afterwards, whatever happened.

    Raises
    ------
    OutOfMemoryError
        Where no workspace can be had.
    AclError
        Where phase 2 fails.
    """
    if size == 0:
        status = phase2(ffi.NULL, 0, executor, stream.handle)
    else:
        # Another thread on this stream must not replace the workspace before our work is queued.
        with stream.lock:
            try:
                workspace = stream.workspace(size)
            except BaseException:
                destroy_executor(executor)
                raise
            status = phase2(workspace, size, executor, stream.handle)
    if status:
        abi.check(status, name, shown)


def destroy_executor(executor: Any) -> None:
    """Destroy an executor that phase 2 will not consume; a failure is a warning."""
    status = lib.aclDestroyAclOpExecutor(executor)
    if status:
        abi.warn_status(status, "aclDestroyAclOpExecutor")
