"""Plans: phase 1 once, phase 2 many times."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import numpy as np
import pytest
from children import output_of

import pyaclnn as pa
from pyaclnn.sim import control

_fresh = count(1.0, 0.001)


@pytest.fixture
def x() -> pa.Tensor:
    return pa.asarray(np.linspace(-4, 4, 24, dtype=np.float32).reshape(4, 6))


@pytest.fixture
def fresh_lambd() -> float:
    """An attribute no other test planned with: the operator cache would refuse to repeat it."""
    return next(_fresh)


def expected(grad: np.ndarray, x: np.ndarray, lambd: float) -> np.ndarray:
    return np.where(np.abs(x) <= lambd, 0.0, grad)


def test_a_plan_runs_many_times(x: pa.Tensor, fresh_lambd: float) -> None:
    grad = pa.asarray(np.ones((4, 6), np.float32))
    with pa.ops.softshrink_backward.plan(grad, x, fresh_lambd) as plan:
        for factor in (1.0, 2.0, 3.0):
            grad.copy_from(np.full((4, 6), factor, np.float32))
            y = plan.run()
            wanted = expected(np.full((4, 6), factor), x.numpy(), fresh_lambd)
            np.testing.assert_array_equal(y.numpy(), wanted)
        assert plan.reused


def test_rebinding_reads_and_writes_other_tensors(x: pa.Tensor, fresh_lambd: float) -> None:
    other = pa.asarray(np.full((4, 6), 9.0, np.float32))
    out = pa.zeros((4, 6), "float32")
    with pa.ops.softshrink_backward.plan(x, x, fresh_lambd) as plan:
        first = plan.run().numpy()
        second = plan.rebind(grad_output=other, grad_input=out).run()

        np.testing.assert_array_equal(first, expected(x.numpy(), x.numpy(), fresh_lambd))
        assert second is out
        np.testing.assert_array_equal(out.numpy(), expected(other.numpy(), x.numpy(), fresh_lambd))


def test_rebinding_leaves_the_planned_tensor_as_it_was(x: pa.Tensor, fresh_lambd: float) -> None:
    other = pa.zeros((4, 6), "float32")
    with pa.ops.softshrink_backward.plan(x, x, fresh_lambd) as plan:
        plan.rebind(self=other).run()

    y = pa.ops.softshrink_backward(x, x, fresh_lambd)
    np.testing.assert_array_equal(y.numpy(), expected(x.numpy(), x.numpy(), fresh_lambd))


def test_where_cann_refuses_to_repeat_the_plan_says_so_and_still_works(
    x: pa.Tensor, fresh_lambd: float
) -> None:
    # The second identical phase 1 comes from the operator cache, and cannot be repeated.
    out = pa.empty((4, 6), "float32")
    pa.ops.softshrink_backward(x, x, fresh_lambd, out=out)

    with pa.ops.softshrink_backward.plan(x, x, fresh_lambd, out=out) as plan:
        for _ in range(3):
            plan.run()
        assert not plan.reused
        assert "561000" in plan.reason
        y = plan.rebind(self=pa.full((4, 6), 9.0)).run()
        np.testing.assert_array_equal(y.numpy(), x.numpy())
        plan.rebind(self=x).run(pa.current_device().create_stream())
        run = plan.run
    with pytest.raises(pa.ClosedError, match="softshrink_backward is closed"):
        run()
    np.testing.assert_array_equal(out.numpy(), expected(x.numpy(), x.numpy(), fresh_lambd))


def test_a_tensor_of_another_shape_needs_its_own_plan(x: pa.Tensor, fresh_lambd: float) -> None:
    with (
        pa.ops.softshrink_backward.plan(x, x, fresh_lambd) as plan,
        pytest.raises(ValueError, match=r"self was planned as float32\[4,6\]"),
    ):
        plan.rebind(self=pa.empty((6, 4), "float32"))


def test_a_name_that_is_no_tensor_is_refused(x: pa.Tensor, fresh_lambd: float) -> None:
    with (
        pa.ops.softshrink_backward.plan(x, x, fresh_lambd) as plan,
        pytest.raises(TypeError, match="grad_output, self, grad_input"),
    ):
        plan.rebind(lambd=x)


def test_a_closed_plan_is_refused(x: pa.Tensor, fresh_lambd: float) -> None:
    plan = pa.ops.softshrink_backward.plan(x, x, fresh_lambd)
    plan.close()
    plan.close()

    with pytest.raises(pa.ClosedError):
        plan.run()


def test_a_tensor_may_be_closed_while_a_plan_uses_its_memory(
    x: pa.Tensor, fresh_lambd: float
) -> None:
    grad = pa.asarray(np.full((4, 6), 3.0, np.float32))
    wanted = expected(grad.numpy(), x.numpy(), fresh_lambd)
    with pa.ops.softshrink_backward.plan(grad, x, fresh_lambd) as plan:
        grad.close()
        _ = [pa.full((4, 6), 8.0, "float32") for _ in range(20)]

        np.testing.assert_array_equal(plan.run().numpy(), wanted)


def test_a_tensor_without_memory_is_not_bound(x: pa.Tensor, fresh_lambd: float) -> None:
    other = pa.empty(x.shape)
    other.buffer.close()
    with (
        pa.ops.softshrink_backward.plan(x, x, fresh_lambd) as plan,
        pytest.raises(pa.ClosedError, match="is closed"),
    ):
        plan.rebind(grad_output=other)


def test_a_buffer_cannot_be_freed_by_hand_while_a_plan_uses_it(
    x: pa.Tensor, fresh_lambd: float
) -> None:
    with (
        pa.ops.softshrink_backward.plan(x, x, fresh_lambd),
        pytest.raises(ValueError, match="part of a plan"),
    ):
        x.buffer.close()
    x.buffer.close()
    assert x.closed


def test_a_plan_runs_on_another_stream_and_thread(x: pa.Tensor, fresh_lambd: float) -> None:
    columns = pa.asarray(x.numpy().T.copy()).T
    wanted = expected(x.numpy(), x.numpy(), fresh_lambd)
    with (
        pa.ops.softshrink_backward.plan(columns, columns, fresh_lambd) as plan,
        pa.current_device().create_stream() as stream,
        ThreadPoolExecutor(1) as pool,
    ):
        assert plan.workspace_size > 0
        on_stream = plan.run(stream).numpy()
        in_thread = pool.submit(lambda: plan.run().numpy()).result()

    np.testing.assert_array_equal(on_stream, wanted)
    np.testing.assert_array_equal(in_thread, wanted)


def test_a_failing_run_is_raised_and_the_plan_goes_on(x: pa.Tensor, fresh_lambd: float) -> None:
    with pa.ops.softshrink_backward.plan(x, x, fresh_lambd) as plan:
        with (
            control.fault("aclnnSoftshrinkBackward:1:361001"),
            pytest.raises(pa.AclError) as caught,
        ):
            plan.run()
        result = plan.run().numpy()

    assert caught.value.code == 361001
    np.testing.assert_array_equal(result, expected(x.numpy(), x.numpy(), fresh_lambd))


def test_a_plan_frees_its_executor_and_descriptors(x: pa.Tensor, fresh_lambd: float) -> None:
    pa.ops.softshrink_backward(x, x, fresh_lambd).close()
    gc.collect()
    pa.current_device().pool.trim()
    before = control.count("executor"), control.count("tensor")

    plan = pa.ops.softshrink_backward.plan(x, x, fresh_lambd + 0.0005)
    plan.run().numpy()
    during = control.count("executor")
    plan.close()
    del plan
    pa.current_device().pool.trim()

    assert during == before[0] + 1
    assert (control.count("executor"), control.count("tensor")) == before


def test_a_plan_that_is_refused_lets_go_of_nothing_that_another_holds(fresh_lambd: float) -> None:
    """In a process with two devices."""
    printed = output_of(f"""
        import pyaclnn as pa
        x, out = pa.ones((4, 6)), pa.empty((4, 6))
        plan = pa.ops.softshrink_backward.plan(x, x, {fresh_lambd}, out=out)
        with pa.Device(1):
            elsewhere = pa.ones((4, 6))
        for _ in range(2):
            try:
                pa.ops.softshrink_backward.plan(x, elsewhere, 0.5, out=out)
            except ValueError as error:
                print("refused:", error)
        try:
            out.buffer.close()
        except ValueError as error:
            print("held:", error)
        plan.close()
        out.buffer.close()
        print(out.closed)
    """, PYACLNN_SIM_DEVICES="2")  # fmt: skip

    first, second, held, closed = printed.splitlines()
    assert "the tensor is on device 1, the stream on device 0" in first
    assert second == first
    assert held.startswith("held:")
    assert closed == "True"


def test_a_plan_runs_while_another_device_is_current(fresh_lambd: float) -> None:
    """In a process with two devices."""
    printed = output_of(f"""
        import pyaclnn as pa
        x = pa.full((4, 6), 3.0)
        plan = pa.ops.softshrink_backward.plan(x, x, {fresh_lambd})
        side = pa.current_device().create_stream()
        for stream in (None, side, side):
            with pa.Device(1):
                pa.zeros(4).numpy()
                out = plan.run(stream)
            print(out.numpy().min(), out.numpy().max())
        plan.close()
    """, PYACLNN_SIM_DEVICES="2")  # fmt: skip

    assert printed.splitlines() == ["3.0 3.0"] * 3
