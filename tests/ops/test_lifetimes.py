"""Nothing leaks: counted by the simulator, which knows nothing of Python."""

from __future__ import annotations

import gc
from collections.abc import Callable

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.sim import control
from pyaclnn.tensor.cached import clear_caches


@pytest.fixture
def settle() -> Callable[[], int]:
    """Count what is live once Python has let go of all it can."""

    def count() -> int:
        # Scalars are shared by value and kept, some thousands of them.
        clear_caches()
        gc.collect()
        pa.current_stream().sync()
        return control.count("total")

    return count


def call(x: pa.Tensor) -> None:
    pa.ops.threshold_backward(x, x, 0.25)


def test_ten_thousand_calls_leave_nothing_behind(settle: Callable[[], int]) -> None:
    x = pa.asarray(np.ones((8, 8), np.float32))
    for _ in range(10):
        call(x)
    before = settle()

    for _ in range(10_000):
        call(x)

    assert settle() == before


FAULTS = [
    "aclnnThresholdBackwardGetWorkspaceSize:1:161002",
    "aclnnThresholdBackwardGetWorkspaceSize:1:561103",
    "aclnnThresholdBackward:1:361001",
    "aclCreateTensor:1:200000",
    "aclCreateScalar:1:200000",
]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_failure_in_the_middle_leaves_nothing_behind(
    fault: str, settle: Callable[[], int]
) -> None:
    x = pa.asarray(np.ones((8, 8), np.float32))
    values = iter(np.linspace(100, 200, 1000))
    call(x)
    before = settle()

    for _ in range(50):
        with control.fault(fault), pytest.raises((pa.AclError, MemoryError)):
            # A new view and a new scalar each time: both descriptors must be made.
            pa.ops.threshold_backward(x[:4], x[:4], float(next(values)))
    after = settle()

    assert after <= before


def test_no_workspace_destroys_the_executor(settle: Callable[[], int]) -> None:
    columns = pa.asarray(np.ones((64, 65), np.float32)).T
    pool = pa.current_stream().device.pool
    pa.ops.hardswish_backward(columns, columns)
    before = settle()
    pool.trim()

    stream = pa.current_device().create_stream()
    out = pa.empty((65, 64), "float32", stream=stream)
    with control.fault("aclrtMalloc:0:207001"), pytest.raises(pa.OutOfMemoryError):
        pa.ops.hardswish_backward(columns, columns, out=out, stream=stream)
    out.close()
    stream.close()

    assert control.count("executor") == 0
    assert settle() <= before


def test_an_asynchronous_failure_is_raised_where_the_result_is_read() -> None:
    x = pa.asarray(np.ones((8,), np.float32))

    with control.fault("aclnnThresholdBackward:1:async=507015"):
        y = pa.ops.threshold_backward(x, x, 0.25)
        with pytest.raises(pa.AclError) as caught:
            y.numpy()

    assert caught.value.code == 507015
