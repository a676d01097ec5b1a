"""Threads and streams under load."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

import pyaclnn as pa


def test_eight_threads_with_a_stream_each_give_right_results() -> None:
    def work(seed: int) -> bool:
        rng = np.random.default_rng(seed)
        with pa.Device(0).create_stream() as stream:
            for _ in range(60):
                x = rng.normal(size=(37, 53)).astype(np.float32)
                grad = rng.normal(size=(37, 53)).astype(np.float32)
                t = pa.asarray(x)
                y = pa.ops.threshold_backward(pa.asarray(grad), t.T.T, 0.5)
                z = pa.ops.softshrink_backward(y, t, 1.0)
                wanted = np.where((x > 0.5) & (np.abs(x) > 1.0), grad, 0)
                if not np.array_equal(z.numpy(), wanted):
                    return False
            stream.sync()
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_threads_may_share_one_stream() -> None:
    x = pa.asarray(np.linspace(-3, 3, 60 * 70, dtype=np.float32).reshape(60, 70)).T
    stream = pa.current_stream()
    wanted = np.where(x.numpy() > 0.5, x.numpy(), 0)

    def work(_: int) -> bool:
        # Non-contiguous: every call borrows the stream's workspace.
        results = [pa.ops.threshold_backward(x, x, 0.5, stream=stream) for _ in range(40)]
        return all(np.array_equal(r.numpy(), wanted) for r in results)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


def test_one_tensor_on_two_streams_ordered_by_an_event() -> None:
    device = pa.current_device()
    with device.create_stream() as producer, device.create_stream() as consumer:
        for round_number in range(50):
            x = pa.full((1000, 33), float(round_number), "float32", stream=producer)
            y = pa.ops.threshold_backward(x, x, -1.0, stream=producer)
            consumer.wait(producer.record())
            z = pa.ops.threshold_backward(y, y, -1.0, stream=consumer)
            # The blocks go back to the pool while the consumer may still read them.
            del x, y
            assert (z.numpy() == round_number).all()
