"""The two-phase call, and the ownership of the executor.

Phase 1 gives the caller an executor, in cells that C writes to. Phase 2 consumes it, even when it
fails; if something raises in between, the caller destroys the executor in the cells. So the cells
are emptied right before phase 2, with no bytecode in between at which Python would run a signal
handler: they hold an executor exactly when it must be destroyed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from pyaclnn import abi
from pyaclnn.abi import ffi, lib
from pyaclnn.ops.spec import Spec
from pyaclnn.runtime import Stream, declare_ahead
from pyaclnn.tensor.registry import note_failure

#: Cells for the two results of phase 1, the size of the workspace and the executor. Reused, since
#: allocating them is slow.
OutParameters = tuple[Any, Any]


class TwoPhaseOperator(Protocol):
    """The part of an operator that plans and tapes use; see `pyaclnn.ops.operator.Operator`."""

    spec: Spec
    name: str
    c_name: str
    result: Callable[[Sequence[Any]], Any]

    def resolve(self) -> tuple[Any, Any]:
        """Return the two C functions."""

    def convert(self, values: tuple[Any, ...], keep: list[object]) -> list[Any]:
        """Turn Python values into C arguments; ``keep`` collects what must outlive the call."""


declare_ahead("aclOpExecutor", "aclDestroyAclOpExecutor")

# list.pop and list.append are atomic, so threads share the spare cells without a lock.
spare: list[OutParameters] = []


def new_out_parameters(phase1: Any) -> OutParameters:
    """Make result cells.

    Parameters
    ----------
    phase1 : cffi function
        Of any operator: the types are taken from its last two parameters, because parsing a type by
        its name takes cffi 1 ms.
    """
    *_, size, executor = ffi.typeof(phase1).args
    return ffi.new(size), ffi.new(executor)


def take_out_parameters(phase1: Any) -> OutParameters:
    """Return a pair of empty result cells; after the call it goes back to `spare`, empty."""
    try:
        return spare.pop()
    except IndexError:
        return new_out_parameters(phase1)


def run(
    phase1: Any, phase2: Any, c_name: str, c_arguments: list[Any], stream: Stream, shown: Any
) -> int:
    """Run both phases, and return the size of the workspace.

    Parameters
    ----------
    phase1, phase2 : cffi function
        ``aclnnXxxGetWorkspaceSize`` and ``aclnnXxx``.
    c_name : str
        ``aclnnXxx``, for errors.
    c_arguments : list
        Everything but the two results of phase 1.
    stream : Stream
        Where phase 2 runs, with a workspace of the stream.
    shown : sequence
        The Python values behind the arguments, for the text of an error.

    Raises
    ------
    OutOfMemoryError
        Where no workspace can be had.
    AclError
        With the family that fits the code, where a phase fails.
    """
    cells = take_out_parameters(phase1)
    try:
        size = phase_1(phase1, c_name + "GetWorkspaceSize", c_arguments, cells, shown)
        execute(phase2, c_name, cells, stream, shown)
    except BaseException:
        destroy(cells)
        raise
    spare.append(cells)
    return size


def phase_1(
    phase1: Any, name: str, c_arguments: list[Any], cells: OutParameters, shown: Any
) -> int:
    """Run phase 1, which leaves its executor in the cells; return the size of the workspace."""
    status = phase1(*c_arguments, *cells)
    if status:
        cells[1][0] = ffi.NULL
        abi.check(status, name, shown)
    return int(cells[0][0])


def execute(phase2: Any, name: str, cells: OutParameters, stream: Stream, shown: Any) -> None:
    """Run phase 2 of the one-shot executor in the cells, with a workspace of the stream.

    The executor is in the cells until phase 2, which consumes it even where it fails, is called.
    """
    size, place = cells[0][0], cells[1]
    # Another thread must not replace the stream's workspace before this work is submitted.
    with stream.lock:
        workspace, handle = stream.workspace(size), stream.handle
        executor = place[0]
        place[0] = ffi.NULL
        status = phase2(workspace, size, executor, handle)
    if status:
        abi.check(status, name, shown)


def destroy(cells: OutParameters) -> None:
    """Destroy the executor in the cells, if there is one; after a failure, warn and retry later.

    The cells are not reused by this function: they may be in `spare` already.
    """
    function = lib.aclDestroyAclOpExecutor
    place = cells[1]
    executor = place[0]
    if executor:
        place[0] = ffi.NULL
        status = function(executor)
        if status:
            note_failure(status, executor, function, "aclDestroyAclOpExecutor")
