"""Deliberate misuse: the simulator must report each mistake and accept its correct twin.

Only for the simulator: on a real CANN most of these are undefined behaviour.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.abi import ffi, lib
from pyaclnn.selftest.runner import Failure, Outcome

_HOST_TO_DEVICE = 1
_STALE = (107000, 107003)


@dataclass(frozen=True, slots=True)
class Check:
    """One mistake: the wrong calls, the statuses that are accepted, and the correct calls."""

    name: str
    wrong: Callable[[], int]
    codes: tuple[int, ...]
    right: Callable[[], int]


class _Call:
    """One planned threshold_backward on raw handles, to be misused at any step."""

    def __init__(self, layout: tuple[int, int] = (4, 6)) -> None:
        rows, columns = layout
        x = pa.asarray(np.ones((columns, rows), np.float32)).T
        self.tensors = (pa.ones((rows, columns)), x, pa.empty((rows, columns)))
        self.scalar = lib.aclCreateScalar(ffi.new("float *", 0.5), lib.ACL_FLOAT)
        self.size = ffi.new("uint64_t *")
        self.executor = ffi.new("aclOpExecutor **")
        self.stream = pa.current_stream()

    def plan(self, x: Any = None) -> int:
        grad, own_x, out = self.tensors
        return int(
            lib.aclnnThresholdBackwardGetWorkspaceSize(
                grad.handle,
                own_x.handle if x is None else x,
                self.scalar,
                out.handle,
                self.size,
                self.executor,
            )
        )

    def run(
        self, workspace: Any, size: int | None = None, name: str = "aclnnThresholdBackward"
    ) -> int:
        bytes_given = self.size[0] if size is None else size
        status = getattr(lib, name)(workspace, bytes_given, self.executor[0], self.stream.handle)
        return int(status) or int(lib.aclrtSynchronizeStream(self.stream.handle))

    def close(self) -> None:
        lib.aclDestroyScalar(self.scalar)


@contextmanager
def _planned() -> Iterator[tuple[_Call, Any]]:
    call = _Call()
    workspace = pa.Buffer(1 << 16)
    try:
        assert call.plan() == 0
        yield call, ffi.cast("void *", workspace.ptr)
    finally:
        call.close()
        workspace.close()


def _workspace(make: Callable[[_Call, Any], tuple[Any, int]]) -> Callable[[], int]:
    def attempt() -> int:
        with _planned() as (call, workspace):
            return call.run(*make(call, workspace))

    return attempt


def _right_workspace() -> int:
    with _planned() as (call, workspace):
        return call.run(workspace)


def _executor_twice() -> int:
    with _planned() as (call, workspace):
        assert call.run(workspace) == 0
        return call.run(workspace)


def _executor_of_another() -> int:
    with _planned() as (call, workspace):
        return call.run(workspace, name="aclnnHardswishBackward")


def _destroyed_tensor() -> int:
    handle = _raw_tensor()
    lib.aclDestroyTensor(handle)
    call = _Call()
    status = call.plan(handle)
    call.close()
    return status


def _wrong_type() -> int:
    call = _Call()
    status = call.plan(ffi.cast("aclTensor *", call.scalar))
    call.close()
    return status


def _made_up_handle() -> int:
    call = _Call()
    status = call.plan(ffi.cast("aclTensor *", 0x1234560))
    call.close()
    return status


def _host_tensor() -> int:
    host = ffi.new("float[24]")
    call = _Call()
    dims = ffi.new("int64_t[2]", [4, 6])
    tensor = lib.aclCreateTensor(
        dims, 2, lib.ACL_FLOAT, ffi.NULL, 0, lib.ACL_FORMAT_ND, dims, 2, host
    )
    workspace = pa.Buffer(1 << 16)
    try:
        return call.plan(tensor) or call.run(ffi.cast("void *", workspace.ptr))
    finally:
        workspace.close()
        lib.aclDestroyTensor(tensor)
        call.close()


def _plan_right() -> int:
    call = _Call()
    status = call.plan()
    if status == 0:
        lib.aclDestroyAclOpExecutor(call.executor[0])
    call.close()
    return status


def _raw_tensor() -> Any:
    dims = ffi.new("int64_t[2]", [4, 6])
    return lib.aclCreateTensor(
        dims, 2, lib.ACL_FLOAT, ffi.NULL, 0, lib.ACL_FORMAT_ND, dims, 2, ffi.NULL
    )


def _destroy_tensor(times: int) -> Callable[[], int]:
    def attempt() -> int:
        handle = _raw_tensor()
        return [int(lib.aclDestroyTensor(handle)) for _ in range(times)][-1]

    return attempt


def _malloc(size: int = 4096) -> Any:
    cell = ffi.new("void **")
    assert lib.aclrtMalloc(cell, size, lib.ACL_MEM_MALLOC_HUGE_FIRST) == 0
    return cell[0]


def _free(times: int) -> Callable[[], int]:
    def attempt() -> int:
        block = _malloc()
        return [int(lib.aclrtFree(block)) for _ in range(times)][-1]

    return attempt


def _free_host() -> int:
    host = ffi.new("char[4096]")
    return int(lib.aclrtFree(host))


def _copy(make_destination: Callable[[Any, Any], Any], count: int = 4096) -> Callable[[], int]:
    def attempt() -> int:
        block, host = _malloc(), ffi.new("char[]", count)
        target = make_destination(block, host)
        status = int(lib.aclrtMemcpy(target, count, host, count, _HOST_TO_DEVICE))
        lib.aclrtFree(block)
        return status

    return attempt


def _queued_memset(free_first: bool) -> Callable[[], int]:
    def attempt() -> int:
        block = _malloc()
        with pa.current_device().create_stream() as stream:
            gate = _Gate(stream)
            assert lib.aclrtMemsetAsync(block, 4096, 0, 4096, stream.handle) == 0
            if free_first:
                lib.aclrtFree(block)
            gate.open()
            status = int(lib.aclrtSynchronizeStream(stream.handle))
            gate.close()
            if not free_first:
                lib.aclrtFree(block)
        return status

    return attempt


class _Gate:
    """Blocks a stream, by an event of another stream, until it is opened."""

    def __init__(self, stream: pa.Stream) -> None:
        cell = ffi.new("aclrtEvent *")
        assert lib.aclrtCreateEventWithFlag(cell, lib.ACL_EVENT_SYNC) == 0
        self._event = cell[0]
        self._opener = pa.current_device().create_stream()
        assert lib.aclrtStreamWaitEvent(stream.handle, self._event) == 0

    def open(self) -> None:
        lib.aclrtRecordEvent(self._event, self._opener.handle)
        self._opener.sync()

    def close(self) -> None:
        self._opener.close()
        lib.aclrtDestroyEvent(self._event)


def _stream_memset(destroyed: bool) -> Callable[[], int]:
    def attempt() -> int:
        cell = ffi.new("aclrtStream *")
        assert lib.aclrtCreateStream(cell) == 0
        block = _malloc()
        if destroyed:
            lib.aclrtDestroyStream(cell[0])
        status = int(lib.aclrtMemsetAsync(block, 4096, 0, 4096, cell[0]))
        if not destroyed:
            lib.aclrtDestroyStream(cell[0])
        lib.aclrtFree(block)
        return status

    return attempt


CHECKS: tuple[Check, ...] = (
    Check("destroyed tensor", _destroyed_tensor, (161001, 161002), _plan_right),
    Check("scalar passed as tensor", _wrong_type, (161001, 161002), _plan_right),
    Check("made-up tensor handle", _made_up_handle, (161001, 161002), _plan_right),
    Check("tensor destroyed twice", _destroy_tensor(2), (161001, 161002), _destroy_tensor(1)),
    Check("memory freed twice", _free(2), (107000,), _free(1)),
    Check("tensor in host memory", _host_tensor, (507015,), _right_workspace),
    Check("executor used twice", _executor_twice, (561000,), _right_workspace),
    Check("executor of another operator", _executor_of_another, (561000,), _right_workspace),
    Check(
        "workspace null",
        _workspace(lambda c, w: (ffi.NULL, c.size[0])),
        (161001,),
        _right_workspace,
    ),
    Check("workspace too small", _workspace(lambda c, w: (w, 1)), (161002,), _right_workspace),
    Check(
        "workspace in host memory",
        _workspace(lambda c, w: (ffi.cast("void *", c.size), c.size[0])),
        (161002, 507015),
        _right_workspace,
    ),
    Check("host memory freed as device memory", _free_host, (107000,), _free(1)),
    Check(
        "copy past the end of a block",
        _copy(lambda block, host: block, 1 << 20),
        (107000,),
        _copy(lambda block, host: block),
    ),
    Check("memory freed under queued work", _queued_memset(True), (507015,), _queued_memset(False)),
    Check("work on a destroyed stream", _stream_memset(True), _STALE, _stream_memset(False)),
)


def run() -> Outcome:
    """Make every mistake, and its correct twin."""
    started = time.perf_counter()
    outcome = Outcome("misuse checks")
    for check in CHECKS:
        outcome.cases += 2
        status = check.wrong()
        lib.aclGetRecentErrMsg()
        if status not in check.codes:
            expected = " or ".join(map(str, check.codes))
            outcome.failures.append(Failure(check.name, "", f"answered {status}, not {expected}"))
        status = check.right()
        if status:
            outcome.failures.append(Failure(check.name, "", f"correct twin answered {status}"))
    outcome.seconds = time.perf_counter() - started
    return outcome
