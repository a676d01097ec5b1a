"""One rank of programs on several devices: torch.distributed over the backend "hccl".

Started with the variables of torchrun. What one process computes on the CPU is the truth.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator

import torch
import torch.distributed as dist
import torch_npu
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    RowwiseParallel,
    parallelize_module,
)
from torch.nn.parallel import DistributedDataParallel

RANK, SIZE = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
STEPS, BATCH = 6, 16


def batches(*shape: int) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Give the batches of a classification, the same on each rank."""
    generator = torch.Generator().manual_seed(3)
    for _ in range(STEPS):
        x = torch.randn(BATCH, *shape, generator=generator)
        yield x, (x.flatten(1).sum(1) > 0).long()


def mlp() -> nn.Module:
    """Return two layers and an activation."""
    return nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))


def cnn() -> nn.Module:
    """Return a small convolutional network."""
    return nn.Sequential(
        *(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 8, 3, stride=2, padding=1)),
        *(nn.ReLU(), nn.Flatten(), nn.Linear(8 * 4 * 4, 2)),
    )


def losses(model: nn.Module, shape: tuple[int, ...], device: str, share: slice) -> list[float]:
    """Train, and return the loss of this rank's share of each batch."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    values = []
    for x, y in batches(*shape):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x[share].to(device)), y[share].to(device))
        loss.backward()
        optimizer.step()
        values.append(loss.item())
    return values


def follow(
    make: Callable[[], nn.Module],
    shape: tuple[int, ...],
    distribute: Callable[[nn.Module], nn.Module],
) -> None:
    """Train on all ranks, and compare the mean loss with that of one process."""
    torch.manual_seed(7)
    truth = losses(make(), shape, "cpu", slice(None))
    torch.manual_seed(7)
    own = losses(distribute(make().npu()), shape, "npu", slice(RANK, None, SIZE))
    mean = torch.tensor(own).npu()
    dist.all_reduce(mean)
    for step, (mine, theirs) in enumerate(zip((mean / SIZE).cpu().tolist(), truth, strict=True)):
        if not math.isclose(mine, theirs, rel_tol=1e-4):
            raise AssertionError(f"step {step}: the loss is {mine}, {theirs} in one process")


def ddp(model: nn.Module) -> nn.Module:
    """Average the gradients of all ranks."""
    return DistributedDataParallel(model, device_ids=[torch_npu.npu.current_device()])


def fsdp(model: nn.Module) -> nn.Module:
    """Divide the parameters among the ranks."""
    sharded: nn.Module = fully_shard(model)
    return sharded


def tensor_parallel(model: nn.Module) -> nn.Module:
    """Divide the columns of the first layer among the ranks, and the rows of the last."""
    mesh = init_device_mesh("npu", (SIZE,))
    return parallelize_module(model, mesh, {"0": ColwiseParallel(), "2": RowwiseParallel()})


def follow_together(distribute: Callable[[nn.Module], nn.Module]) -> None:
    """Train on all ranks with the same batches, and compare the losses with one process's."""
    torch.manual_seed(7)
    truth = losses(mlp(), (8,), "cpu", slice(None))
    torch.manual_seed(7)
    own = losses(distribute(mlp().npu()), (8,), "npu", slice(None))
    for step, (mine, theirs) in enumerate(zip(own, truth, strict=True)):
        if not math.isclose(mine, theirs, rel_tol=1e-4):
            raise AssertionError(f"step {step}: the loss is {mine}, {theirs} in one process")


def collectives() -> None:
    """Each collective of torch.distributed once."""
    x = torch.arange(4.0).npu() + RANK
    total = sum(torch.arange(4.0) + rank for rank in range(SIZE))
    dist.all_reduce(x)
    torch.testing.assert_close(x.cpu(), total)
    dist.broadcast(x, SIZE - 1)
    gathered = [torch.zeros(2, dtype=torch.int64).npu() for _ in range(SIZE)]
    dist.all_gather(gathered, torch.tensor([RANK, -RANK]).npu())
    assert [g.cpu().tolist() for g in gathered] == [[rank, -rank] for rank in range(SIZE)]
    share = torch.zeros(2).npu()
    dist.reduce_scatter(share, [torch.full((2,), float(k)).npu() for k in range(SIZE)])
    assert share.cpu().tolist() == [float(RANK * SIZE)] * 2
    mixed = torch.zeros(SIZE).npu()
    dist.all_to_all_single(mixed, torch.arange(float(SIZE)).npu() + 10 * RANK)
    assert mixed.cpu().tolist() == [10.0 * rank + RANK for rank in range(SIZE)]
    into = torch.zeros(3).npu()
    ends = [
        dist.P2POp(dist.isend, torch.full((3,), float(RANK)).npu(), (RANK + 1) % SIZE),
        dist.P2POp(dist.irecv, into, (RANK - 1) % SIZE),
    ]
    for work in dist.batch_isend_irecv(ends):
        work.wait()
    assert into.cpu().tolist() == [float((RANK - 1) % SIZE)] * 3
    group = dist.new_group([0, SIZE - 1])
    if RANK in (0, SIZE - 1):
        y = torch.ones(1).npu()
        dist.all_reduce(y, group=group)
        assert y.item() == 2
    dist.barrier()


PROGRAMS: dict[str, Callable[[], None]] = {
    "collectives": collectives,
    "ddp_mlp": lambda: follow(mlp, (8,), ddp),
    "ddp_cnn": lambda: follow(cnn, (3, 8, 8), ddp),
    "fsdp_mlp": lambda: follow(mlp, (8,), fsdp),
    "tensor_parallel_mlp": lambda: follow_together(tensor_parallel),
}

if __name__ == "__main__":
    torch.set_num_threads(1)
    torch_npu.npu.set_device(0)
    dist.init_process_group("hccl")
    PROGRAMS[sys.argv[1]]()
    dist.destroy_process_group()
