"""Nothing leaks: counted by the simulator, which knows nothing of Python."""

from __future__ import annotations

import gc
import random
import threading
from collections.abc import Callable

import numpy as np
import pytest
from children import output_of

import pyaclnn as pa
from pyaclnn import abi
from pyaclnn.ops.operator import Operator
from pyaclnn.sim import control
from pyaclnn.tensor.cached import clear_caches


@pytest.fixture
def settle() -> Callable[[], int]:
    """Count what is live once Python has let go of all it can."""

    def count() -> int:
        # Scalars are shared by value and kept, some thousands of them.
        clear_caches()
        gc.collect()
        # So are the buffers of the latest outputs, with their descriptors.
        pa.current_device().pool.trim()
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

    assert settle() <= before


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


def keep_some(seed: int, errors: list[object]) -> None:
    """Call and keep outputs, views of them and cycles around them, and look at the values later."""
    choose = random.Random(seed)
    device = pa.current_device()
    host = {
        shape: np.random.default_rng(seed).standard_normal((2, *shape)).astype(np.float32)
        for shape in ((5,), (3, 7), (200,))
    }
    inputs = {shape: [pa.asarray(each) for each in values] for shape, values in host.items()}
    kept: list[tuple[pa.Tensor, np.ndarray]] = []
    for _ in range(2000):
        shape = choose.choice(list(host))
        grad, x = host[shape]
        y = pa.ops.softshrink_backward(*inputs[shape], 0.5)
        wanted = np.where(np.abs(x) <= 0.5, 0, grad)
        match choose.randrange(20):
            case 0:
                kept.append((y, wanted))
            case 1:
                kept.append((y[1:], wanted[1:]))
            case 2:
                kept.append((y.T, wanted.T))
            case 3:
                kept.append((pa.Tensor(y.buffer, (wanted.size,)), wanted.reshape(-1)))
            case 4:
                cycle: list[object] = [y, y.buffer]
                cycle.append(cycle)
            case 5 if choose.random() < 0.05:
                device.pool.trim()
            case 6 if choose.random() < 0.05:
                gc.collect()
        if len(kept) > 30:
            choose.shuffle(kept)
            errors += [w for t, w in kept[:15] if not np.array_equal(t.numpy(), w)]
            del kept[:15]
    errors += [w for t, w in kept if not np.array_equal(t.numpy(), w)]


@pytest.mark.exhaustive
def test_threads_on_one_stream_never_get_memory_that_another_still_has() -> None:
    gc.collect()
    before = pa.memory_stats().in_use
    errors: list[object] = []
    threads = [threading.Thread(target=keep_some, args=(n, errors)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert errors == []
    gc.collect()
    assert pa.memory_stats().in_use <= before


def test_another_thread_sees_both_functions_of_an_operator_or_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    operator, lib = Operator("aclnnHardswishBackward"), abi.lib
    seen = []

    class Watched:
        def __getattr__(self, name: str) -> object:
            # Looking a function up lets other threads run.
            seen.append(operator._phase1)
            return getattr(lib, name)

    monkeypatch.setattr(abi, "lib", Watched())
    operator.resolve()

    assert seen == [None, None]
    assert None not in (operator._phase1, operator._phase2)


def test_finalizers_may_run_while_declarations_are_parsed() -> None:
    # The lock that cffi parses under cannot be taken twice: a plan that the garbage collector
    # found there, and that had to look up what destroys executors, waited for ever.
    printed = output_of(
        """
        import gc, time
        import pycparser.c_parser
        import pyaclnn as pa
        gc.disable()
        class Cycle: pass
        def abandon():
            owner = Cycle()
            owner.self, owner.plan = owner, pa.ops.softshrink_backward.plan(x, x, 0.5)
        x = pa.ones((3,))
        abandon()
        parse = pycparser.c_parser.CParser.parse
        def collecting(self, *arguments, **named):
            print(gc.collect() > 0)
            pycparser.c_parser.CParser.parse = parse
            return parse(self, *arguments, **named)
        pycparser.c_parser.CParser.parse = collecting
        print(pa.ops.layer_norm(pa.ones((2, 3)), (3,), None, None, 1e-5)[0].shape)
        """
    )

    assert printed == "True\n(2, 3)"
