"""
What a plan saves
=================

The host's time for a call of an operator on few elements: called eagerly, with an output that is
given, as a plan that skips CANN's first phase, and as one of a hundred calls in a graph. The
device's work is the same; on a real NPU the first phase is longer, and so is what a plan saves.
"""

import statistics
import time
from collections.abc import Callable

import matplotlib.pyplot as plt

import pyaclnn as pa

x = pa.ones((64,))
grad, out = pa.ones_like(x), pa.empty_like(x)
plan = pa.ops.softshrink_backward.plan(grad, pa.full((64,), 2.0), 0.5)
with pa.Graph.capture() as graph:
    for _ in range(100):
        pa.ops.softshrink_backward(grad, x, 0.5, out=out)


def microseconds(call: Callable[[], object], calls: int = 300) -> float:
    """Return the median of several rounds, per call."""
    rounds = []
    for _ in range(7):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        rounds.append((time.perf_counter() - start) / calls * 1e6)
        pa.current_stream().sync()
    return statistics.median(rounds)


times = {
    "allocating": microseconds(lambda: pa.ops.softshrink_backward(grad, x, 0.5)),
    "out=": microseconds(lambda: pa.ops.softshrink_backward(grad, x, 0.5, out=out)),
    "plan": microseconds(plan.run),
    "in a graph": microseconds(graph.run, 30) / 100,
}

figure, axis = plt.subplots(figsize=(6, 3), layout="constrained")
axis.barh(list(times), list(times.values()))
axis.invert_yaxis()
axis.set_xlabel("microseconds per call, of the host")
plt.show()
