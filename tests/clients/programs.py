"""Small programs for torch_npu, as people write them: ``python programs.py NAME``.

They run in an environment of their own, which has torch and torch_npu, and know nothing of this
project. Each compares what the device computed with what torch computes on the CPU, and raises
where they differ.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import torch
import torch_npu
from torch import nn

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

    from torch.multiprocessing import Queue

PROGRAMS: dict[str, Callable[[], None]] = {}


def program(function: Callable[[], None]) -> Callable[[], None]:
    """Make a function one of the programs."""
    PROGRAMS[function.__name__] = function
    return function


def same(actual: torch.Tensor, expected: torch.Tensor, tolerance: float = 1e-5) -> None:
    """Raise where a result of the device differs from the CPU's."""
    torch.testing.assert_close(actual.cpu(), expected, rtol=tolerance, atol=tolerance)


def equal(actual: object, expected: object) -> None:
    """Raise where two things differ."""
    if actual != expected:
        raise AssertionError(f"{actual!r} is not {expected!r}")


@program
def devices() -> None:
    """Which there are, and which is in use."""
    equal(torch.npu.is_available(), True)
    equal(torch.npu.device_count(), 2)
    equal(torch.npu.current_device(), 0)
    equal(torch.npu.get_device_name(0), "Ascend910B1")
    free, total = torch.npu.mem_get_info()
    equal(0 < free <= total, True)
    with torch.npu.device(1):
        equal(torch.npu.current_device(), 1)
        equal(torch.empty(2, device="npu").device.index, 1)


@program
def copies() -> None:
    """There and back, in all common types."""
    floats = (torch.float32, torch.float16, torch.bfloat16)
    for dtype in (*floats, torch.int64, torch.uint8, torch.bool):
        x = torch.arange(24).reshape(4, 6).to(dtype)
        same(x.npu(), x)
        same(x.npu().clone(), x)
    x = torch.randn(5, 7)
    same(x.npu().t().contiguous(), x.t().contiguous())


@program
def streams() -> None:
    """Work on a stream of its own, and a wait for it."""
    stream = torch.npu.Stream()
    x = torch.arange(1000.0)
    with torch.npu.stream(stream):
        y = x.npu(non_blocking=True)
        done = stream.record_event()
    torch.npu.current_stream().wait_event(done)
    same(y.clone(), x)
    stream.synchronize()
    equal(stream.query(), True)


@program
def events() -> None:
    """Marks with times."""
    start, end = (torch.npu.Event(enable_timing=True) for _ in range(2))
    start.record()
    torch.ones(1000).npu()
    end.record()
    end.synchronize()
    equal(end.query(), True)
    equal(start.elapsed_time(end) >= 0, True)


@program
def pinned_memory() -> None:
    """Copies that do not wait."""
    x = torch.randn(1000).pin_memory()
    equal(x.is_pinned(), True)
    y = x.to("npu", non_blocking=True)
    back = torch.empty(1000).pin_memory()
    back.copy_(y, non_blocking=True)
    torch.npu.synchronize()
    same(back, x)


@program
def allocator() -> None:
    """What the caching allocator counts, and gives back."""
    before = torch.npu.memory_allocated()
    x = torch.empty(1 << 20, dtype=torch.uint8, device="npu")
    # The allocator adds what kernels may read past the end.
    equal(0 <= torch.npu.memory_allocated() - before - (1 << 20) <= 512, True)
    equal(torch.npu.memory_reserved() >= 1 << 20, True)
    del x
    equal(torch.npu.memory_allocated(), before)
    torch.npu.empty_cache()
    equal(torch.npu.memory_reserved() <= 2 << 20, True)
    equal(torch.npu.memory_stats()["num_ooms"], 0)
    equal("PyTorch" in torch.npu.memory_summary(), True)


@program
def out_of_memory() -> None:
    """More than there is, and life after it."""
    try:
        torch.empty(1 << 40, dtype=torch.uint8, device="npu")
    except torch.OutOfMemoryError as error:
        equal("NPU out of memory" in str(error), True)
    else:
        raise AssertionError("a device has no TiB")
    x = torch.randn(100)
    same(x.npu(), x)


@program
def expandable_segments() -> None:
    """Virtual memory behind the caching allocator."""
    torch.npu.memory._set_allocator_settings("expandable_segments:True")
    tensors = [torch.full((n,), float(n)) for n in (1000, 1 << 20, 3 << 20, 5 << 20)]
    moved = [x.npu() for x in tensors]
    for x, y in zip(tensors, moved, strict=True):
        same(y, x)
    del moved[1:3]
    torch.npu.empty_cache()
    x = torch.randn(6 << 20)
    same(x.npu(), x)
    same(moved[0], tensors[0])


@program
def save_and_load() -> None:
    """A file of tensors of the device."""
    x = torch.randn(10)
    file = io.BytesIO()
    torch.save({"x": x.npu()}, file)
    file.seek(0)
    loaded = torch.load(file)["x"]
    equal(loaded.device.type, "npu")
    same(loaded, x)
    file.seek(0)
    same(torch.load(file, map_location="cpu")["x"], x)


@program
def printing() -> None:
    """The text of a tensor."""
    x = torch.tensor([[1.0, -2.5], [3.25, 100.0]])
    equal(repr(x.npu()).replace(", device='npu:0'", ""), repr(x))


@program
def random_numbers() -> None:
    """A seed gives the same numbers again, of the distribution asked for."""
    torch.npu.manual_seed(5)
    x = torch.randn(20000, device="npu")
    torch.npu.manual_seed(5)
    same(torch.randn(20000, device="npu"), x.cpu())
    equal(abs(x.cpu().mean().item()) < 0.05, True)
    equal(abs(x.cpu().std().item() - 1) < 0.05, True)
    kept = nn.functional.dropout(torch.ones(20000, device="npu"), 0.25).cpu()
    equal(set(kept.unique().tolist()) <= {0.0, torch.tensor(1 / 0.75).item()}, True)
    equal(abs((kept == 0).float().mean().item() - 0.25) < 0.02, True)


@program
def autograd() -> None:
    """Gradients through a few functions."""
    x = torch.randn(6, 5)
    grads = []
    for device in ("cpu", "npu"):
        leaf = x.clone().to(device).requires_grad_()
        (torch.tanh(leaf) * torch.sigmoid(leaf) + leaf.exp()).sum().backward()
        grads.append(leaf.grad)
    same(grads[1], grads[0])


@program
def data_loader() -> None:
    """Batches from worker processes, through pinned memory."""
    x = torch.arange(64.0).reshape(32, 2)
    loader = torch.utils.data.DataLoader(
        torch.utils.data.TensorDataset(x), batch_size=8, num_workers=2, pin_memory=True
    )
    batches = [batch.npu(non_blocking=True) for (batch,) in loader]
    same(torch.cat([b.cpu() for b in batches]), x)


@program
def graph() -> None:
    """Work that is captured once and run again."""
    x = torch.zeros(4, device="npu")
    graph = torch.npu.NPUGraph()
    y = x * 2 + 1
    torch.npu.synchronize()
    with torch.npu.graph(graph):
        y = x * 2 + 1
    for value in (1.0, 5.0):
        x.copy_(torch.full((4,), value))
        graph.replay()
        same(y, torch.full((4,), 2 * value + 1))


@program
def two_devices() -> None:
    """From one device to the other."""
    x = torch.randn(100)
    y = x.to("npu:0").to("npu:1")
    equal(y.device.index, 1)
    same(y, x)
    same(y.to("npu:0"), x)


def take_and_double(tensors: Queue[torch.Tensor], sums: Queue[float], done: Event) -> None:
    """Be the other process of shared_tensors."""
    torch.npu.set_device(0)
    x = tensors.get()
    sums.put(x.sum().item())
    x.mul_(2)
    torch.npu.synchronize()
    del x
    done.set()


@program
def shared_tensors() -> None:
    """A tensor that another process reads and writes."""
    context = torch.multiprocessing.get_context("spawn")
    tensors, sums, done = context.Queue(), context.Queue(), context.Event()
    process = context.Process(target=take_and_double, args=(tensors, sums, done))
    process.start()
    x = torch.arange(5.0).npu()
    tensors.put(x)
    equal(sums.get(timeout=300), 10.0)
    equal(done.wait(300), True)
    same(x, torch.arange(5.0) * 2)
    process.join()
    equal(process.exitcode, 0)


@program
def sparse_tensors() -> None:
    """To indices and values and back, though an operator failed before."""
    x, y = torch.randn(5, 5, 2).npu().requires_grad_(), torch.randn(5, 6, 2).npu()
    with contextlib.suppress(RuntimeError):  # CdistGrad is asked for by its name
        torch.cdist(x, y, p=0.0).sum().backward()
        torch.npu.synchronize()
    dense = torch.tensor([[0.0, 1.0], [2.0, 0.0]])
    sparse = dense.npu().to_sparse()
    equal(sparse.cpu().indices().tolist(), [[0, 1], [1, 0]])
    same(sparse.values(), torch.tensor([1.0, 2.0]))
    same(sparse.cpu().to_dense(), dense)


@program
def products_into_blocks() -> None:
    """Halves are multiplied by name, into FRACTAL_NZ, and come back in rows."""
    left, right = torch.rand(2, 3, 20).half(), torch.rand(2, 20, 5).half()
    made = torch_npu.npu_bmmV2(left.npu(), right.npu(), [])
    same(made.float(), torch.bmm(left.float(), right.float()), 2e-3)


@program
def an_operator_that_is_not_there() -> None:
    """What a program is told of one; the test reads it."""
    average, step = torch.zeros(3).npu(), torch.zeros(1).long().npu()
    torch_npu._npu_silent_check_v2(
        torch.ones(1).npu(), torch.ones(4).npu(), average, step, 7, 1e6, 1e5, 1e4, 5e3, 3
    )


if __name__ == "__main__":
    PROGRAMS[sys.argv[1]]()
