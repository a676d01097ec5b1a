"""Programs that have torch_npu and pyaclnn share memory: ``python sharing.py NAME``."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

import numpy as np
import torch
import torch_npu

import pyaclnn as pa

PROGRAMS: dict[str, Callable[[], None]] = {}
DTYPES = (
    "float32", "float16", "bfloat16", "float64", "int8", "int16", "int32", "int64", "uint8", "bool",
)  # fmt: skip


def program(function: Callable[[], None]) -> Callable[[], None]:
    """Make a function one of the programs."""
    PROGRAMS[function.__name__] = function
    return function


def equal(actual: object, expected: object) -> None:
    """Raise where two things differ."""
    if actual != expected:
        raise AssertionError(f"{actual!r} is not {expected!r}")


@program
def views_of_every_dtype() -> None:
    """There and back: the same address, strides and values."""
    for name in DTYPES:
        dtype = getattr(torch, name)
        t = (torch.arange(24).reshape(4, 6) % 2).to(dtype).npu()
        x = pa.asarray(t[1:, ::2].t())
        back = x.torch()
        equal((back.data_ptr(), back.stride(), back.dtype), (t[1:].data_ptr(), (2, 6), dtype))
        equal(x.dtype.name, name)
        equal(back.cpu().float().tolist(), t[1:, ::2].t().cpu().float().tolist())
        equal(torch.from_dlpack(x).data_ptr(), back.data_ptr())
    for shape in ((), (0,), (2, 0, 3)):
        t = torch.ones(shape, device="npu")
        x = pa.asarray(t)
        equal((x.shape, tuple(x.torch().shape)), (shape, shape))


@program
def lives() -> None:
    """Each side keeps the other's memory, and it goes back when both are done."""
    pa.current_device().sync()
    before = torch.npu.memory_allocated()
    t = torch.full((1000,), 3.0, device="npu")
    x = pa.asarray(t)
    view = x[10:]
    del t, x
    other = torch.full((1000,), 4.0, device="npu")
    equal(set(view.numpy()), {3.0})
    del view, other
    pa.current_device().sync()
    equal(torch.npu.memory_allocated(), before)

    y = pa.full((1000,), 5.0)
    u = y.torch()
    y.close()
    del y
    z = pa.full((1000,), 6.0)
    u += 1
    equal(set(u.cpu().tolist()), {6.0})
    in_use = pa.memory_stats().in_use
    del u, z
    torch.npu.synchronize()
    pa.current_device().sync()
    pa.current_device().pool.trim()
    equal(pa.memory_stats().in_use < in_use, True)


@program
def order() -> None:
    """Streams of both that are not the same wait for one another; the race checker looks on."""
    stream = torch.npu.Stream()
    t = torch.zeros(100_000, device="npu")
    for _ in range(5):
        with torch.npu.stream(stream):
            stream.wait_stream(torch.npu.default_stream())
            t += 1
            x = pa.asarray(t)
        x += 1
        u = x.torch()
        u += 1
        t = u
    equal(set(t.cpu().tolist()), {15.0})
    with torch.npu.stream(stream), pa.Stream.from_torch() as ours:
        equal(ours is pa.Stream.from_torch(), True)
        equal(int(pa.ffi.cast("uintptr_t", ours.handle)), stream.npu_stream)


@program
def threads() -> None:
    """Many hands at once."""

    def work() -> None:
        for n in range(50):
            t = torch.full((64,), float(n), device="npu")
            with pa.Stream.from_torch():
                y = pa.asarray(t) * 2.0
                u = y.torch()
            equal(u.cpu()[0].item(), 2.0 * n)

    failed: list[BaseException] = []

    def watched() -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    running = [threading.Thread(target=watched) for _ in range(4)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if failed:
        raise failed[0]


@program
def refusals() -> None:
    """What cannot be shared says why."""
    gradient = torch.ones(3, device="npu", requires_grad=True)
    for x, word in ((gradient, "detach"), (torch.ones(3), "asarray copies")):
        try:
            pa.from_dlpack(x)
        except BufferError as error:
            equal(word in str(error), True)
        else:
            raise AssertionError(f"{word}: nothing was refused")
    np.testing.assert_array_equal(pa.asarray(torch.ones(3)).numpy(), np.ones(3))


@program
def the_end() -> None:
    """Both still hold memory of the other."""
    t = torch.ones(10, device="npu")
    kept = [pa.asarray(t), pa.asarray(t).torch(), pa.ones(10).torch(), pa.ones(3).__dlpack__()]
    sys.modules["kept"] = kept  # type: ignore[assignment]


if __name__ == "__main__":
    equal(torch_npu.npu.is_available(), True)
    PROGRAMS[sys.argv[1]]()
