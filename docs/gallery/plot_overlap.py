"""
Copies beside computation
=========================

Blocks of data go to the device, are computed on and come back: one after the other on one stream,
and with copies on a stream of their own, so that the next block is copied while this one is
computed. Host memory is pinned, so no copy waits. Events order the streams.
"""

import time

import matplotlib.pyplot as plt
import numpy as np

import pyaclnn as pa

BLOCKS, SIZE = 8, 1 << 18
host = pa.empty_pinned((SIZE,), "float32")
host[:] = np.linspace(-3, 3, SIZE)
blocks = [pa.empty((SIZE,)) for _ in range(BLOCKS)]


def work(x: pa.Tensor) -> pa.Tensor:
    """Compute for about as long as a copy takes."""
    for _ in range(4):
        x = pa.ops.tanh(x)
    return x


def run(copies: pa.Stream, compute: pa.Stream) -> float:
    """Return the seconds that all blocks take."""
    start = time.perf_counter()
    results = []
    for block in blocks:
        block.copy_from(host, stream=copies)
        compute.wait(copies.record())
        with compute:
            results.append(work(block))
    copies.sync()
    compute.sync()
    return time.perf_counter() - start


one, other = (pa.current_device().create_stream() for _ in range(2))
one_stream = min(run(one, one) for _ in range(5))
two_streams = min(run(one, other) for _ in range(5))

figure, axis = plt.subplots(figsize=(6, 2), layout="constrained")
axis.barh(["one stream", "two streams"], [one_stream * 1e3, two_streams * 1e3])
axis.invert_yaxis()
axis.set_xlabel("milliseconds for all blocks")
plt.show()
