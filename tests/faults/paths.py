"""Ways through the public interface: each one makes what it needs, and lets go of all of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

import pyaclnn as pa

Array = np.ndarray[Any, Any]
Path = Callable[[], Array]

#: float32, of which the operators below make values that are written down here and exact.
SELF = np.linspace(-3, 3, 24, dtype=np.float32).reshape(4, 6)
GRAD = np.arange(24, dtype=np.float32).reshape(4, 6)
THRESHOLD = 0.25
WANTED = np.where(SELF > THRESHOLD, GRAD, np.float32(0))

PATHS: dict[str, Path] = {}
_numbers = itertools.count(1)


def path(function: Path) -> Path:
    """Have this one tried as well."""
    PATHS[function.__name__] = function
    return function


def pair() -> tuple[pa.Tensor, pa.Tensor]:
    return pa.asarray(GRAD), pa.asarray(SELF)


def threshold(*tensors: pa.Tensor, **named: Any) -> Any:
    return pa.ops.threshold_backward(*tensors, THRESHOLD, **named)


@path
def tensors_of_arrays() -> Array:
    grad, self = pair()
    return np.where(self.numpy() > THRESHOLD, grad.numpy(), np.float32(0))


@path
def filled_tensors() -> Array:
    zeros, threes = pa.zeros((4, 6)), pa.full((4, 6), 3.0)
    return WANTED + zeros.numpy() + threes.numpy() - 3


@path
def a_call() -> Array:
    return threshold(*pair()).numpy()


@path
def calls_of_a_new_scalar_and_of_views() -> Array:
    grad, self = pair()
    parts = []
    for half in (slice(2), slice(2, 4)):
        value = THRESHOLD + 1e-6 * next(_numbers)
        parts.append(pa.ops.threshold_backward(grad[half], self[half], value))
    return np.concatenate([part.numpy() for part in parts])


@path
def the_general_call() -> Array:
    grad, self = pair()
    return pa.ops.threshold_backward.call((grad, self, THRESHOLD), None, None, {}).numpy()


@path
def a_call_with_out() -> Array:
    grad, self = pair()
    out = pa.empty((4, 6))
    threshold(grad, self, out=out)
    return out.numpy()


@path
def a_call_with_workspace() -> Array:
    grad, self = pair()
    return threshold(grad.T, self.T).numpy().T


@path
def a_call_on_a_stream() -> Array:
    with pa.current_device().create_stream() as stream:
        result = threshold(*pair())
        stream.sync()
    values = result.numpy()
    stream.close()
    return values


@path
def a_tensor_used_on_two_streams() -> Array:
    grad, self = pair()
    stream = pa.current_device().create_stream()
    result = threshold(grad, self, stream=stream)
    pa.current_stream().wait(stream.record())
    other = threshold(result, self)
    del result, grad
    return other.numpy()


@path
def a_plan() -> Array:
    with pa.ops.threshold_backward.plan(*pair(), THRESHOLD) as plan:
        plan.run()
        return plan.run().numpy()


@path
def a_plan_that_is_dropped() -> Array:
    return pa.ops.threshold_backward.plan(*pair(), THRESHOLD).run().numpy()


@path
def a_plan_with_workspace_that_is_rebound() -> Array:
    grad, self = pair()
    plan = pa.ops.threshold_backward.plan(self.T, self.T, THRESHOLD)
    plan.run()
    plan.rebind(grad_output=grad.T)
    result = plan.run().numpy().T
    plan.close()
    return result


@path
def a_plan_of_a_list() -> Array:
    grad, self = pair()
    parts = [self[:2], self[2:]]
    with pa.ops.cat.plan(parts, 0) as plan:
        joined = plan.run()
    return threshold(grad, joined).numpy()


@path
def a_graph() -> Array:
    grad, self = pair()
    out = pa.zeros((4, 6))
    pa.current_stream().sync()
    stream = pa.current_device().create_stream()
    with pa.Graph.capture(stream) as graph:
        threshold(grad, self, out=out)
    graph.run()
    graph.run(pa.current_stream())
    stream.sync()
    graph.close()
    values = out.numpy()
    stream.close()
    return values


@path
def a_graph_of_two_streams_that_is_dropped() -> Array:
    grad, self = pair()
    out = pa.zeros((4, 6))
    pa.current_stream().sync()
    stream, other = (pa.current_device().create_stream() for _ in range(2))
    with pa.Graph.capture(stream) as graph:
        other.wait(stream.record())
        threshold(grad, self, out=out, stream=other)
        stream.wait(other.record())
    graph.run()
    stream.sync()
    return out.numpy()


@path
def copies_on_the_device() -> Array:
    result = threshold(*pair())
    return pa.empty((4, 6)).copy_from(result).numpy()


@path
def copies_that_are_submitted() -> Array:
    stream = pa.current_device().create_stream()
    host = pa.empty_pinned((4, 6))
    host[...] = SELF
    self = pa.empty((4, 6)).copy_from(host, stream=stream)
    grad = pa.empty((4, 6)).copy_from(GRAD, stream=stream)
    result = threshold(grad, self, stream=stream)
    values = result.numpy(stream=stream)
    stream.sync()
    return values.copy()


@path
def pinned_memory_that_is_dropped_at_once() -> Array:
    stream = pa.current_stream()
    tensor = pa.empty((4, 6))
    for _ in range(2):
        host = pa.empty_pinned((4, 6))
        host[...] = SELF
        tensor.copy_from(host, stream=stream)
        del host
    return threshold(pa.asarray(GRAD), tensor).numpy()


@path
def events() -> Array:
    stream = pa.current_device().create_stream()
    begin = pa.Event().record(stream)
    result = threshold(*pair(), stream=stream)
    end = stream.record()
    end.sync()
    begin.elapsed_ms(end)
    pa.current_stream().wait(end)
    begin.close()
    return result.numpy()
