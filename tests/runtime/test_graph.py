"""Graphs: captured work runs again, on memory that nobody else gets meanwhile."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from typing import Any

import gates
import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.sim import control

N = 6
VALUES = np.linspace(-3, 3, N, dtype=np.float32)


@pytest.fixture(autouse=True)
def _no_graphs_of_other_tests() -> None:
    gc.collect()
    pa.current_device().destroy_dropped()


@pytest.fixture
def stream() -> Iterator[pa.Stream]:
    with pa.current_device().create_stream() as stream:
        yield stream


@pytest.fixture
def x(stream: pa.Stream) -> pa.Tensor:
    return pa.asarray(VALUES)


def shrink(grad: pa.Tensor, x: pa.Tensor, **where: pa.Stream | pa.Tensor) -> pa.Tensor:
    """Zero where |x| <= 1, else grad."""
    y: pa.Tensor = pa.ops.softshrink_backward(grad, x, 1.0, **where)
    return y


def shrunk(grad: np.ndarray, x: np.ndarray = VALUES) -> np.ndarray:
    return np.where(np.abs(x) <= 1, 0, grad)


def other_tensors(shape: tuple[int, ...] = (N,)) -> list[pa.Tensor]:
    """Return tensors that would take over any memory of that size that is free."""
    return [pa.asarray(np.full(shape, -99, np.float32)) for _ in range(20)]


def test_a_graph_reads_what_its_inputs_hold_when_it_runs(x: pa.Tensor) -> None:
    grad = pa.zeros((N,))
    with pa.Graph.capture() as graph:
        y = shrink(grad, x)
    for factor in (1.0, 2.0):
        grad.copy_from(np.full(N, factor, np.float32))
        graph.run()
        np.testing.assert_array_equal(y.numpy(), shrunk(np.full(N, factor)))


def test_captured_work_does_not_run_by_itself(x: pa.Tensor) -> None:
    y = pa.zeros((N,))
    with pa.Graph.capture():
        shrink(x, x, out=y)
    np.testing.assert_array_equal(y.numpy(), np.zeros(N))


def test_a_chain_of_operators_is_one_submission(x: pa.Tensor, stream: pa.Stream) -> None:
    with pa.Graph.capture() as graph:
        y = x
        for _ in range(10):
            y = shrink(x, y)
    with gates.Gate(stream):
        before = control.count("queued_task")
        graph.run()
        assert control.count("queued_task") == before + 1
    np.testing.assert_array_equal(y.numpy(), shrunk(VALUES))


def test_memory_of_a_dropped_input_stays_with_the_graph(x: pa.Tensor) -> None:
    grad = pa.asarray(np.full(N, 5, np.float32))
    with pa.Graph.capture() as graph:
        y = shrink(grad, x)
    del grad
    others = other_tensors()
    graph.run()
    np.testing.assert_array_equal(y.numpy(), shrunk(np.full(N, 5)))
    del others


def test_memory_of_a_closed_input_stays_with_the_graph(x: pa.Tensor) -> None:
    grad = pa.asarray(np.full(N, 5, np.float32))
    with pa.Graph.capture() as graph:
        y = shrink(grad, x)
    grad.close()
    others = other_tensors()
    graph.run()
    np.testing.assert_array_equal(y.numpy(), shrunk(np.full(N, 5)))
    del others


def test_memory_that_the_graph_writes_goes_to_nobody_else(x: pa.Tensor) -> None:
    with pa.Graph.capture() as graph:
        y = shrink(x, shrink(x, x))
    del y
    others = other_tensors()
    graph.run()
    for tensor in others:
        np.testing.assert_array_equal(tensor.numpy(), np.full(N, -99))


def test_trimming_leaves_a_graph_its_memory(x: pa.Tensor) -> None:
    with pa.Graph.capture() as graph:
        y = shrink(x, shrink(x, x))
    pa.current_device().pool.trim()
    graph.run()
    np.testing.assert_array_equal(y.numpy(), shrunk(VALUES))


def test_a_graph_has_a_workspace_of_its_own(stream: pa.Stream) -> None:
    with pa.Graph.capture() as graph:
        captured = pa.current_stream().workspace(1024)
    assert stream.workspace(1024) != captured
    graph.close()


def test_closing_gives_all_memory_back(x: pa.Tensor) -> None:
    before = pa.memory_stats().in_use
    with pa.Graph.capture() as graph:
        y = shrink(x, shrink(x, x))
        pa.current_stream().workspace(4096)
    del y
    assert pa.memory_stats().in_use > before
    graph.close()
    assert (pa.memory_stats().in_use, control.count("graph")) == (before, 0)


def test_outputs_survive_the_graph(x: pa.Tensor) -> None:
    with pa.Graph.capture() as graph:
        y = shrink(x, x)
    graph.run()
    graph.close()
    others = other_tensors()
    np.testing.assert_array_equal(shrink(y, x).numpy(), shrunk(VALUES))
    del others


def test_a_dropped_graph_is_destroyed_with_the_next_use_of_the_device(x: pa.Tensor) -> None:
    with pa.Graph.capture() as graph:
        shrink(x, x)
    graph.run()
    pa.current_stream().sync()  # its work may not be under way
    del graph
    gc.collect()
    pa.current_device().create_stream().close()
    assert control.count("graph") == 0


def test_a_dropped_graph_keeps_its_memory_while_another_one_is_captured_behind_its_run(
    stream: pa.Stream, x: pa.Tensor
) -> None:
    y = pa.zeros((N,))
    with pa.Graph.capture(mode="thread_local") as graph:
        shrink(x, shrink(x, x), out=y)
    with gates.Gate(stream):
        graph.run()
        del graph
        with pa.Graph.capture(mode="thread_local") as other:
            # A stream that is captured cannot be asked whether it has run everything.
            shrink(x, x)
        assert control.count("graph") == 2
    other.close()
    np.testing.assert_array_equal(y.numpy(), shrunk(shrunk(VALUES)))


def test_memory_that_a_failed_record_leaves_in_use_waits_for_the_end_of_the_capture(
    stream: pa.Stream,
) -> None:
    default = pa.current_device().default_stream
    side = pa.current_device().create_stream()
    grad, x = (pa.asarray(VALUES, stream=default) for _ in range(2))
    with gates.Gate(side):
        y = shrink(x, x, stream=side)
        address = x.buffer.ptr
        del x
        with pa.Graph.capture(mode="thread_local"), control.fault("aclrtRecordEvent:1:507899"):
            # Looks for memory, and cannot wait for the device while it captures.
            shrink(grad, grad)
        others = [pa.empty((N,), stream=default) for _ in range(20)]
        assert address not in [each.buffer.ptr for each in others]
    np.testing.assert_array_equal(y.numpy(), shrunk(VALUES))
    del others
    again = [pa.empty((N,), stream=default) for _ in range(40)]
    assert address in [each.buffer.ptr for each in again]
    side.close()


def test_repeated_captures_take_no_more_memory(x: pa.Tensor) -> None:
    reserved = []
    for _ in range(20):
        with pa.Graph.capture() as graph:
            y = shrink(x, x)
        graph.run()
        graph.close()
        del y
        reserved.append(pa.memory_stats().reserved)
    assert reserved[-1] == reserved[1]


def test_work_on_a_stream_that_joins_is_captured(x: pa.Tensor, stream: pa.Stream) -> None:
    side = pa.current_device().create_stream()
    with pa.Graph.capture() as graph:
        side.wait(pa.current_stream().record())
        with side:
            y = shrink(x, x)
        pa.current_stream().wait(side.record())
        z = shrink(y, x)
    graph.run()
    np.testing.assert_array_equal(z.numpy(), shrunk(shrunk(VALUES)))
    graph.close()
    side.close()


def test_a_stream_that_joins_inside_its_own_block_is_captured(x: pa.Tensor) -> None:
    side = pa.current_device().create_stream()
    grad = pa.asarray(np.full(N, 5, np.float32), stream=side)
    with pa.Graph.capture() as graph:
        fork = pa.current_stream().record()
        with side:
            side.wait(fork)
            y = shrink(grad, x)
        pa.current_stream().wait(side.record())
    del grad
    others = other_tensors()
    graph.run()
    np.testing.assert_array_equal(y.numpy(), shrunk(np.full(N, 5)))
    graph.close()
    side.close()
    del others


def test_a_stream_that_is_not_led_back_fails_the_capture(x: pa.Tensor) -> None:
    side = pa.current_device().create_stream()
    graph = pa.Graph.capture()
    graph.__enter__()
    side.wait(pa.current_stream().record())
    shrink(x, x, stream=side)
    with pytest.raises(pa.AclError, match="did not wait for") as caught:
        graph.__exit__(None, None, None)
    assert (caught.value.code, graph.closed, control.count("graph")) == (107025, True, 0)
    np.testing.assert_array_equal(shrink(x, x, stream=side).numpy(), shrunk(VALUES))


def test_the_captured_stream_may_be_named(x: pa.Tensor, stream: pa.Stream) -> None:
    grad = pa.asarray(np.full(N, 5, np.float32))
    with pa.Graph.capture(stream) as graph:
        y = shrink(grad, x, stream=stream)
        with stream:
            z = shrink(y, x)
    del grad, y
    others = other_tensors()
    graph.run()
    np.testing.assert_array_equal(z.numpy(), shrunk(np.full(N, 5)))
    del others


def test_a_run_on_another_stream_keeps_the_order_of_work(x: pa.Tensor, stream: pa.Stream) -> None:
    other = pa.current_device().create_stream()
    y = pa.zeros((N,))
    with pa.Graph.capture() as graph:
        z = shrink(y, x)
    with gates.Gate(stream) as gate:
        shrink(x, x, out=y)
        graph.run(other)
        w = shrink(z, x)
        gate.open()
    np.testing.assert_array_equal(w.numpy(), shrunk(VALUES))
    other.close()


def test_a_plan_inside_a_capture_runs_with_the_graph(x: pa.Tensor) -> None:
    grad = pa.zeros((N,))
    with pa.ops.softshrink_backward.plan(grad, x, 0.875) as plan:
        with pa.Graph.capture() as graph:
            y = plan.run()
        y.copy_from(VALUES)
        grad.copy_from(np.full(N, 4, np.float32))
        np.testing.assert_array_equal(y.numpy(), VALUES)
        graph.run()
        np.testing.assert_array_equal(y.numpy(), np.where(np.abs(VALUES) <= 0.875, 0, 4))
        grad.copy_from(np.full(N, 6, np.float32))
        np.testing.assert_array_equal(plan.run().numpy(), np.where(np.abs(VALUES) <= 0.875, 0, 6))


def test_waiting_for_captured_work_is_refused_and_ends_the_capture(x: pa.Tensor) -> None:
    graph = pa.Graph.capture()
    with pytest.raises(pa.AclError) as caught, graph:
        shrink(x, x).numpy()
    assert (caught.value.code, graph.closed, control.count("graph")) == (107027, True, 0)
    np.testing.assert_array_equal(shrink(x, x).numpy(), shrunk(VALUES))


def test_a_relaxed_capture_allows_copies_of_other_work(x: pa.Tensor) -> None:
    with pa.current_device().create_stream():
        elsewhere = pa.asarray(VALUES)
    with pytest.raises(pa.AclError) as caught, pa.Graph.capture():
        elsewhere.numpy()
    assert caught.value.code == 107030
    with pa.Graph.capture(mode="relaxed"):
        np.testing.assert_array_equal(elsewhere.numpy(), VALUES)


def test_an_error_inside_the_block_is_the_one_that_is_raised(x: pa.Tensor) -> None:
    with pytest.raises(ZeroDivisionError), pa.Graph.capture():
        shrink(x, shrink(x, pa.zeros((1 // 0,))))
    assert control.count("graph") == 0


def test_misuse_is_refused(stream: pa.Stream) -> None:
    with pytest.raises(ValueError, match="'global', 'thread_local', 'relaxed'"):
        pa.Graph.capture(mode="local")
    graph = pa.Graph.capture()
    with pytest.raises(pa.ClosedError, match="still being captured"):
        graph.run()
    with graph:
        with pytest.raises(ValueError, match="do not nest"):
            pa.Graph.capture()
        with pytest.raises(ValueError, match="leave its `with` block"):
            graph.close()
        with pytest.raises(ValueError, match="end the capture first"):
            stream.close()
    with pytest.raises(ValueError, match="captured once"), graph:
        pass
    graph.run()
    graph.close()
    graph.close()
    with pytest.raises(pa.ClosedError, match="is closed"):
        graph.run()


def test_a_graph_outlives_its_stream_without_harm(x: pa.Tensor) -> None:
    with pa.current_device().create_stream() as short_lived:
        with pa.Graph.capture() as graph:
            y = shrink(x, x)
        graph.run()
    short_lived.close()
    with pytest.raises(pa.ClosedError, match="stream is closed"):
        graph.run()
    np.testing.assert_array_equal(y.numpy(), shrunk(VALUES))
    graph.close()
    assert control.count("graph") == 0


def test_a_run_after_a_failed_task_tells_which(x: pa.Tensor, stream: pa.Stream) -> None:
    with control.fault("aclnnSoftshrinkBackward:1:async=507015"), pa.Graph.capture() as graph:
        shrink(x, x)
    graph.run()
    with pytest.raises(pa.AclError, match="aclnnSoftshrinkBackward, captured on stream") as caught:
        stream.sync()
    assert caught.value.code == 507015


def test_a_capture_that_a_signal_left_open_ends_with_its_graph() -> None:
    # As where the signal comes before the first instruction of __exit__.
    x = pa.ones(100)
    stream = pa.current_device().create_stream()
    before = pa.current_stream()
    graph = pa.Graph.capture(stream)
    graph.__enter__()
    pa.ops.relu(x, stream=stream)
    assert pa.current_stream() is not before
    del graph

    np.testing.assert_array_equal(pa.asarray(np.full(4, 3, np.float32)).numpy(), 3)
    assert pa.current_stream() is before
    np.testing.assert_array_equal(pa.ops.relu(x, stream=stream).numpy(), 1)
    with pa.Graph.capture(stream) as again:
        y = pa.ops.relu(x, stream=stream)
    again.run()
    stream.sync()
    np.testing.assert_array_equal(y.numpy(), 1)


def test_one_thread_at_a_time_destroys_what_is_left_of_a_graph(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x = pa.ones(100)
    stream = pa.current_device().create_stream()
    graph = pa.Graph.capture(stream, mode="thread_local")
    with graph:
        pa.ops.relu(x, stream=stream)
    native = graph._native
    inside, leave = threading.Event(), threading.Event()
    give_back = type(native).give_back
    calls = []

    def slowly(self: Any) -> None:
        calls.append(self)
        inside.set()
        assert leave.wait(30)
        give_back(self)

    monkeypatch.setattr(type(native), "give_back", slowly)
    del graph
    device = pa.current_device()
    other = threading.Thread(target=lambda: (device.activate(), device.destroy_dropped()))
    other.start()
    assert inside.wait(30)
    device.destroy_dropped()
    assert not native.finish()
    leave.set()
    other.join()

    assert calls == [native]
    assert native not in device.dropped
