"""Tensors of one stream used on another: nobody else gets the memory while that may still run."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import numpy as np
import pytest
from gates import Gate

import pyaclnn as pa
from pyaclnn.ops.operator import Operator
from pyaclnn.ops.plan import Plan
from pyaclnn.sim import control

N = 256
selu, cat = pa.ops.selu_backward, pa.ops.cat
#: What a gradient of 1 becomes where the function has the value 1.
SLOPE = 1.0507009873554805


@pytest.fixture(autouse=True)
def _compiled() -> None:
    """Let compiled functions serve, as they do from the third call on."""
    x = pa.ones(2)
    for _ in range(3):
        selu(x, x)
        cat([x, x], 0)
    pa.current_device().pool.trim()


@pytest.fixture
def side() -> Iterator[pa.Stream]:
    stream = pa.current_device().create_stream()
    yield stream
    stream.close()


def expected(value: float) -> np.ndarray[Any, Any]:
    """Return what the operators make of tensors of one value."""
    return np.full(N, value * SLOPE, np.float32)


def overwrite(*streams: pa.Stream) -> list[pa.Tensor]:
    """Submit zeros to all memory of that size that is free."""
    return [pa.zeros(N, stream=stream) for stream in streams for _ in range(20)]


WAYS: dict[str, Callable[[pa.Tensor, pa.Stream], pa.Tensor]] = {
    "tensor": lambda x, side: selu(x, x, stream=side),
    "view": lambda x, side: selu(x[:], x.reshape(2, -1).reshape(-1), stream=side),
    "out": lambda x, side: selu(x, x, out=pa.empty(N, stream=side), stream=side),
    "list": lambda x, side: selu(cat([x[:4], x[4:]], 0, stream=side), x, stream=side),
    "list of one": lambda x, side: selu(cat([x], 0, stream=side), x, stream=side),
    "copy": lambda x, side: selu(pa.empty(N).copy_from(x, stream=side), x, stream=side),
}


@pytest.mark.parametrize("way", WAYS)
def test_an_input_that_is_freed_while_another_stream_reads_it(way: str, side: pa.Stream) -> None:
    for value in (3.0, 5.0, 7.0):
        x = pa.full(N, value)
        with Gate(side) as gate:
            y = WAYS[way](x, side)
            del x
            others = overwrite(pa.current_stream(), side)
            gate.open()
        np.testing.assert_allclose(y.numpy(), expected(value), rtol=1e-6)
        del others


@pytest.mark.parametrize("current", [False, True], ids=["named", "current"])
def test_memory_freed_under_pending_work_is_not_the_output_on_another_stream(
    side: pa.Stream, current: bool
) -> None:
    x = pa.full(N, 3.0)
    for value in (1.0, 2.0):
        t = pa.full(N, value)
        with Gate(pa.current_stream()) as gate:
            result = selu(t, t)
            del t
            if current:
                with side:
                    other = selu(x, x)
            else:
                other = selu(x, x, stream=side)
            side.sync()
            gate.open()
        np.testing.assert_allclose(result.numpy(), expected(value), rtol=1e-6)
        np.testing.assert_allclose(other.numpy(), expected(3), rtol=1e-6)


@pytest.mark.parametrize("way", ["one", "list", "several"])
def test_an_output_of_another_stream_that_is_freed_while_it_is_written(
    way: str, side: pa.Stream
) -> None:
    x, ones = pa.full(N, 3.0), pa.ones((1, 1))
    weight = pa.ones(N)
    out = pa.empty(N)
    with Gate(side) as gate:
        if way == "one":
            selu(x, x, out=out, stream=side)
        elif way == "list":
            cat([x[:9], x[9:]], 0, out=out, stream=side)
        else:
            row = x.reshape(1, N)
            pa.ops.layer_norm_backward(
                row, row, [N], ones, ones, weight, weight,
                [True] * 3, out=(pa.empty((1, N)), out, pa.empty(N)), stream=side,
            )  # fmt: skip
        del out
        others = [pa.zeros(N) for _ in range(20)]
        gate.open()
    side.sync()
    for tensor in others:
        np.testing.assert_array_equal(tensor.numpy(), np.zeros(N))


def test_a_plan_that_runs_on_another_stream_keeps_what_it_was_bound_to(side: pa.Stream) -> None:
    x = pa.full(N, 3.0)
    with pa.ops.softshrink_backward.plan(x, x, next(_fresh)) as plan:
        out = plan.outputs
        with Gate(side) as gate:
            plan.run(side)
            plan.rebind(grad_input=pa.empty(N), grad_output=pa.full(N, 1.0))
            del out
            others = [pa.zeros(N) for _ in range(20)]
            gate.open()
        side.sync()
        for tensor in others:
            np.testing.assert_array_equal(tensor.numpy(), np.zeros(N))


#: Attributes that nothing was planned with before, for the operator cache to repeat the plan.
_fresh = count(0.5, 0.001)


def test_a_dropped_intermediate_of_a_graph_stays_with_the_graph(side: pa.Stream) -> None:
    x = pa.full(N, 3.0)
    selu(x, selu(x, x))  # leaves free memory of that size on the default stream
    with pa.Graph.capture(side) as graph:
        h = selu(x, x)
        y = selu(h, h)
        del h
    mine = [pa.full(N, 7.0, stream=s) for s in (None, side) for _ in range(10)]

    graph.run()
    side.sync()

    np.testing.assert_allclose(y.numpy(), expected(3) * SLOPE, rtol=1e-6)
    for tensor in mine:
        np.testing.assert_array_equal(tensor.numpy(), np.full(N, 7))
    graph.close()


def test_what_a_graph_reads_elsewhere_stays_until_it_is_closed(side: pa.Stream) -> None:
    x = pa.full(N, 3.0)
    address = x.buffer.ptr
    with pa.Graph.capture(side) as graph:
        y = selu(x, x)
    del x
    mine = overwrite(pa.current_stream(), side)
    for _ in range(2):
        graph.run()
        side.sync()
        np.testing.assert_allclose(y.numpy(), expected(3), rtol=1e-6)
    assert all(tensor.buffer.ptr != address for tensor in mine)

    graph.close()

    assert any(tensor.buffer.ptr == address for tensor in overwrite(pa.current_stream()))


def general(*arguments: object) -> None:
    raise AssertionError("left to the general call")


@pytest.mark.parametrize("way", [way for way in WAYS if way != "view"])
def test_compiled_calls_take_tensors_of_other_streams(
    monkeypatch: pytest.MonkeyPatch, side: pa.Stream, way: str
) -> None:
    x = pa.full(N, 3.0)
    assert x.handle
    WAYS[way](x, side)
    monkeypatch.setattr(Operator, "call", general)
    for stream in (side, pa.current_device().create_stream(), side):
        y = WAYS["tensor"](x, stream)
        np.testing.assert_allclose(y.numpy(), expected(3), rtol=1e-6)
        stream.sync()
        out = pa.empty(N)
        assert out.handle
        with stream:
            assert selu(x, x, out=out) is out
        np.testing.assert_allclose(out.numpy(), expected(3), rtol=1e-6)
        assert stream in x.buffer.streams
        assert stream in out.buffer.streams


def test_a_known_list_of_tensors_is_taken_on_every_stream(
    monkeypatch: pytest.MonkeyPatch, side: pa.Stream
) -> None:
    parts = [pa.full(100, 1.0), pa.full(N - 100, 2.0)]
    wanted = np.concatenate([t.numpy() for t in parts])
    for stream in (None, side):
        cat(parts, 0, stream=stream)
    monkeypatch.setattr(Operator, "call", general)

    for stream in (side, pa.current_device().create_stream(), None):
        np.testing.assert_array_equal(cat(parts, 0, stream=stream).numpy(), wanted)
        assert stream is None or all(stream in t.buffer.streams for t in parts)


@pytest.mark.parametrize("used_before", [False, True])
def test_a_closed_stream_is_refused(used_before: bool) -> None:
    closed = pa.current_device().create_stream()
    x, out = pa.full(N, 3.0), pa.empty(N)
    if used_before:
        selu(x, x, out=out, stream=closed)
    there = pa.empty(N, stream=closed)
    closed.close()
    executors = control.count("executor")

    for options in ({"out": out}, {"out": there}, {}):
        with pytest.raises(pa.ClosedError, match="the stream is closed"):
            selu(x, x, stream=closed, **options)

    assert control.count("executor") == executors
    np.testing.assert_allclose(selu(x, x, out=out).numpy(), expected(3), rtol=1e-6)


def test_a_closed_tensor_that_was_used_elsewhere_is_refused(side: pa.Stream) -> None:
    x, y = pa.full(N, 3.0), pa.full(N, 4.0)
    for _ in range(2):
        selu(x, y, stream=side)
    buffer = y.buffer
    buffer.close()
    # Another tensor gets the memory, and is used there as well.
    others = [pa.full(N, 5.0) for _ in range(3)]
    for other in others:
        selu(x, other, stream=side)

    with pytest.raises(pa.ClosedError):
        selu(x, y, stream=side)


def test_a_plan_runs_on_another_stream_by_its_short_way(
    monkeypatch: pytest.MonkeyPatch, side: pa.Stream
) -> None:
    grad = pa.full(N, 1.0)
    with pa.ops.softshrink_backward.plan(grad, pa.full(N, 3.0), next(_fresh)) as plan:
        plan.run(side)
        monkeypatch.setattr(Plan, "_run_checked", general)
        for value in (2.0, 4.0):
            grad.copy_from(np.full(N, value, np.float32))
            result = plan.run(side)
            np.testing.assert_array_equal(result.numpy(), np.full(N, value))
        with pytest.raises(AssertionError, match="left to the general call"):
            plan.rebind(grad_output=pa.full(N, 1.0)).run(side)


def test_what_is_bound_after_a_run_on_another_stream_is_noted_there(side: pa.Stream) -> None:
    x = pa.full(N, 3.0)
    with pa.ops.softshrink_backward.plan(x, x, next(_fresh)) as plan:
        plan.run(side)
        out = pa.empty(N)
        with Gate(side) as gate:
            plan.rebind(grad_input=out).run(side)
            plan.rebind(grad_input=pa.empty(N))
            del out
            others = [pa.zeros(N) for _ in range(20)]
            gate.open()
        side.sync()
        for tensor in others:
            np.testing.assert_array_equal(tensor.numpy(), np.zeros(N))


def wander(seed: int, inputs: list[tuple[pa.Tensor, float]], wrong: list[object]) -> None:
    """Call on streams in turn, keep some results and views, drop others while work is pending."""
    choose = random.Random(seed)
    device = pa.current_device()
    streams = [device.create_stream() for _ in range(2)]
    kept: list[tuple[pa.Tensor, float]] = []
    for step in range(300):
        x, value = choose.choice([*inputs, *kept])
        stream = choose.choice(streams)
        # What another stream made is waited for; what it still reads may be dropped.
        x.buffer.sync()
        y = selu(x, x, stream=stream)
        result = value * np.float32(SLOPE)
        match choose.randrange(8):
            case 0:
                kept.append((y[:], result))
            case 1 | 2:
                kept.append((y, result))
            case 3 if kept:
                kept.pop(choose.randrange(len(kept)))
            case 4:
                streams[choose.randrange(2)] = device.create_stream()
            case 5 if step % 50 == 0:
                device.pool.trim()
        if len(kept) > 12:
            kept = [pair for pair in kept if pair[1] < 1e6]
            wrong += [w for t, w in kept if not np.allclose(t.numpy(), w, rtol=1e-4)]
            del kept[:6]
    wrong += [w for t, w in kept if not np.allclose(t.numpy(), w, rtol=1e-4)]


def test_threads_that_share_inputs_on_streams_of_their_own_get_right_results() -> None:
    inputs = [(pa.full(N, value), value) for value in (1.0, 2.0, 3.0)]
    wrong: list[object] = []
    before = pa.memory_stats().in_use
    threads = [threading.Thread(target=wander, args=(n, inputs, wrong)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []
    pa.current_device().pool.trim()
    assert pa.memory_stats().in_use <= before
    for x, value in inputs:
        np.testing.assert_array_equal(x.numpy(), np.full(N, value))
