"""Programs that train, on the CPU and on the device; see programs.py."""

from __future__ import annotations

import copy
import math
import os
import sys
import tempfile
from collections.abc import Callable, Iterator

import torch
import torch_npu
from programs import PROGRAMS, equal, program
from torch import nn

STEPS = 20


def follow(
    make: Callable[[], nn.Module],
    batches: Callable[[], Iterator[tuple[torch.Tensor, torch.Tensor]]],
    loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    optimizer: Callable[..., torch.optim.Optimizer],
    tolerance: float = 1e-4,
) -> None:
    """Train on the CPU and on the device from the same start, and compare each loss."""
    torch.manual_seed(7)
    model = make()
    losses: dict[str, list[float]] = {}
    for device in ("cpu", "npu"):
        torch.manual_seed(8)
        trained = copy.deepcopy(model).to(device)
        steps = optimizer(trained.parameters())
        losses[device] = []
        for x, y in batches():
            steps.zero_grad()
            value = loss(trained(x.to(device)), y.to(device))
            value.backward()
            steps.step()
            losses[device].append(value.item())
    for step, (mine, theirs) in enumerate(zip(losses["npu"], losses["cpu"], strict=True)):
        if not math.isclose(mine, theirs, rel_tol=tolerance):
            raise AssertionError(f"step {step}: the loss is {mine}, {theirs} on the CPU")
    if not losses["npu"][-1] < losses["npu"][0]:
        raise AssertionError(f"nothing was learnt: {losses['npu']}")


def classes(*shape: int) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Give the batches of a classification, the same each time."""
    generator = torch.Generator().manual_seed(3)
    for _ in range(STEPS):
        x = torch.randn(16, *shape, generator=generator)
        yield x, (x.flatten(1).sum(1) > 0).long()


def mlp() -> nn.Module:
    """Return two layers and an activation."""
    return nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))


def train_mlp(optimizer: Callable[..., torch.optim.Optimizer], tolerance: float = 1e-4) -> None:
    """Train the smallest network."""
    follow(mlp, lambda: classes(8), nn.functional.cross_entropy, optimizer, tolerance)


@program
def training_loop() -> None:
    """The first program of a tutorial."""
    train_mlp(lambda p: torch.optim.SGD(p, lr=0.1))


class Compiled(nn.Module):
    """The smallest network, compiled with its first batch by a backend of torch's own."""

    def __init__(self, backend: str) -> None:
        super().__init__()
        self.backend = backend
        self.plain = mlp()
        self.made: Callable[[torch.Tensor], torch.Tensor] | None = None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return what the compiled network makes of a batch."""
        if self.made is None:
            self.made = torch.compile(self.plain.forward, backend=self.backend)
        return self.made(x)


def train_compiled(backend: str) -> None:
    """Train it."""
    follow(
        lambda: Compiled(backend),
        lambda: classes(8),
        nn.functional.cross_entropy,
        lambda p: torch.optim.SGD(p, lr=0.1),
    )


@program
def compiled_eagerly() -> None:
    """torch.compile that runs what it has captured as it is."""
    train_compiled("eager")


@program
def compiled_ahead_of_time() -> None:
    """torch.compile with a graph for the gradients as well."""
    train_compiled("aot_eager")


@program
def profiled() -> None:
    """Under torch_npu's profiler, and under torch's, which names the operators."""
    kinds = torch_npu.profiler.ProfilerActivity
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # where it writes what it has seen
        with torch_npu.profiler.profile(activities=[kinds.CPU, kinds.NPU]):
            training_loop()
        os.chdir(here)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as seen:
        training_loop()
    if "aten::addmm" not in {event.key for event in seen.key_averages()}:
        raise AssertionError("the profiler has not seen the products")


@program
def sgd_momentum() -> None:
    """As training_loop, with momentum and decay."""
    train_mlp(lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, weight_decay=0.01))


@program
def sgd_foreach() -> None:
    """As sgd_momentum, all tensors of a step in one call, ahead of its momentum."""
    train_mlp(
        lambda p: torch.optim.SGD(
            p, lr=0.05, momentum=0.9, weight_decay=0.01, nesterov=True, foreach=True
        )
    )


@program
def adam() -> None:
    """One tensor after the other."""
    train_mlp(lambda p: torch.optim.Adam(p, lr=0.01, foreach=False))


@program
def adam_foreach() -> None:
    """All tensors of a step in one call."""
    train_mlp(lambda p: torch.optim.Adam(p, lr=0.01, foreach=True))


@program
def adamw_foreach() -> None:
    """As adam_foreach, with decoupled decay."""
    train_mlp(lambda p: torch.optim.AdamW(p, lr=0.01, foreach=True))


@program
def amsgrad_foreach() -> None:
    """As adam_foreach, with the largest second moment so far."""
    train_mlp(lambda p: torch.optim.Adam(p, lr=0.01, amsgrad=True, foreach=True))


@program
def rmsprop_foreach() -> None:
    """Another rule over lists, with a centre."""
    train_mlp(lambda p: torch.optim.RMSprop(p, lr=0.01, centered=True, foreach=True))


@program
def clipped_gradients() -> None:
    """Norms of all gradients at once, and products with what they are clipped to."""
    torch.manual_seed(4)
    results = []
    for device in ("cpu", "npu"):
        torch.manual_seed(4)
        model = mlp().to(device)
        x, y = next(classes(8))
        nn.functional.cross_entropy(model(x.to(device)), y.to(device)).backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 0.1, foreach=True)
        results.append([norm.item(), *(p.grad.norm().item() for p in model.parameters())])
    for mine, theirs in zip(*results, strict=True):
        if not math.isclose(mine, theirs, rel_tol=1e-4):
            raise AssertionError(f"{results[1]}, on the CPU {results[0]}")


@program
def adamw_fused() -> None:
    """A step as one operator, against torch's plain one."""

    def optimizer(parameters: Iterator[nn.Parameter]) -> torch.optim.Optimizer:
        parameters = list(parameters)
        fused = parameters[0].device.type == "npu"
        if fused:
            return torch_npu.optim.NpuFusedAdamW(parameters, lr=0.01)
        return torch.optim.AdamW(parameters, lr=0.01)

    train_mlp(optimizer)


@program
def autocast() -> None:
    """Matrix products in half precision, and gradients that are scaled for it."""
    torch.manual_seed(1)
    model = mlp().npu()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("npu", init_scale=1024.0)
    losses = []
    for x, y in classes(8):
        optimizer.zero_grad()
        with torch.autocast("npu", dtype=torch.float16):
            out = model(x.npu())
            equal(out.dtype, torch.float16)
            loss = nn.functional.cross_entropy(out.float(), y.npu())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    equal(losses[-1] < losses[0], True)
    equal(scaler.get_scale(), 1024.0)


class Convolutions(nn.Module):
    """Two convolutions with batch norm and pooling."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 4, 3, padding=1),
            nn.BatchNorm2d(4),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(4, 8, 3, padding=1),
            nn.BatchNorm2d(8),
            nn.ReLU(),
        )
        self.head = nn.Linear(8 * 4 * 4, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits of images."""
        return self.head(self.features(x).flatten(1))


@program
def cnn() -> None:
    """Images, convolutions and batch norm."""
    torch.npu.conv.allow_hf32 = False  # else convolutions keep ten bits of a float32
    follow(
        Convolutions,
        lambda: classes(1, 8, 8),
        nn.functional.cross_entropy,
        lambda p: torch.optim.SGD(p, lr=0.02),
    )


class Encoder(nn.Module):
    """An encoder whose dropout takes its masks from the CPU, so that they are the same."""

    def __init__(self, width: int = 16, heads: int = 2) -> None:
        super().__init__()
        self.heads = heads
        self.embed = nn.Embedding(20, width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.first = nn.LayerNorm(width)
        self.second = nn.LayerNorm(width)
        self.wide = nn.Sequential(nn.Linear(width, 32), nn.GELU(), nn.Linear(32, width))
        self.head = nn.Linear(width, 2)

    def drop(self, x: torch.Tensor) -> torch.Tensor:
        """Drop a tenth."""
        return x * (torch.rand(x.shape) > 0.1).to(x.device) / 0.9

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return the logits of sequences."""
        x = self.embed(tokens)
        batch, length, width = x.shape
        parts = self.qkv(self.first(x)).view(batch, length, 3, self.heads, -1)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        weights = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]), -1)
        mixed = (self.drop(weights) @ v).transpose(1, 2).reshape(batch, length, width)
        x = x + self.drop(self.out(mixed))
        x = x + self.drop(self.wide(self.second(x)))
        return self.head(x.mean(1))


def sentences() -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Give the batches of token sequences."""
    generator = torch.Generator().manual_seed(3)
    for _ in range(STEPS):
        tokens = torch.randint(20, (16, 6), generator=generator)
        yield tokens, (tokens[:, 0] > 9).long()


@program
def transformer() -> None:
    """Attention, layer norm and dropout."""
    follow(
        Encoder,
        sentences,
        nn.functional.cross_entropy,
        lambda p: torch.optim.Adam(p, lr=0.01, foreach=False),
    )


class Memory(nn.Module):
    """An LSTM by hand."""

    def __init__(self, width: int = 12) -> None:
        super().__init__()
        self.width = width
        self.gates = nn.Linear(4 + width, 4 * width)
        self.head = nn.Linear(width, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits of sequences."""
        h = torch.zeros(x.shape[0], self.width, device=x.device)
        c = torch.zeros_like(h)
        for step in x.unbind(1):
            i, f, g, o = self.gates(torch.cat((step, h), 1)).chunk(4, 1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
        return self.head(h)


@program
def lstm() -> None:
    """A recurrent network."""
    follow(
        Memory,
        lambda: classes(5, 4),
        nn.functional.cross_entropy,
        lambda p: torch.optim.SGD(p, lr=0.1),
    )


class GroupedProduct(torch.autograd.Function):
    """Groups of rows with a matrix for each, by npu_grouped_matmul; gradients by it as well."""

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: torch.autograd.function.FunctionCtx,
        x: torch.Tensor,
        w: torch.Tensor,
        ends: torch.Tensor,
    ) -> torch.Tensor:
        ctx.save_for_backward(x, w, ends)
        return grouped(x, w, ends, 0)

    @staticmethod
    def backward(  # type: ignore[override]
        ctx: torch.autograd.function.FunctionCtx, grad: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, None]:
        x, w, ends = ctx.saved_tensors  # type: ignore[attr-defined]
        return grouped(grad, w.transpose(1, 2), ends, 0), grouped(x.t(), grad, ends, 2), None


def grouped(x: torch.Tensor, w: torch.Tensor, ends: torch.Tensor, kind: int) -> torch.Tensor:
    """Return the products of groups of rows (0) or of the inner axis (2)."""
    return torch_npu.npu_grouped_matmul(
        [x], [w], group_list=ends, split_item=3, group_type=kind, group_list_type=0
    )[0]


class Experts(nn.Module):
    """A mixture of experts as Mixtral has it, two of four for each token."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Parameter(torch.randn(16, 4) * 0.3)
        self.rise = nn.Parameter(torch.randn(4, 16, 48) * 0.2)
        self.fall = nn.Parameter(torch.randn(4, 24, 16) * 0.2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Choose experts, go through them, and add their rows up."""
        logits = x @ self.gate
        on_device = x.device.type == "npu"
        if on_device:
            chosen = torch_npu.npu_moe_gating_top_k_softmax(logits, None, 2)[1].long()
        else:
            chosen = logits.topk(2)[1]
        weights = torch.softmax(logits, -1).gather(1, chosen)
        weights = weights / weights.sum(-1, keepdim=True)
        if not on_device:
            return self._one_by_one(x, chosen, weights)
        rows, places = torch_npu.npu_moe_token_permute(x, chosen.int())
        ends = torch.bincount(chosen.flatten().cpu(), minlength=4).cumsum(0).to(x.device)
        first, second = GroupedProduct.apply(rows, self.rise, ends).chunk(2, -1)
        rows = GroupedProduct.apply(nn.functional.silu(first) * second, self.fall, ends)
        return torch_npu.npu_moe_token_unpermute(rows, places, weights)

    def _one_by_one(
        self, x: torch.Tensor, chosen: torch.Tensor, weights: torch.Tensor
    ) -> torch.Tensor:
        out = torch.zeros_like(x)
        for expert in range(4):
            token, place = torch.where(chosen == expert)
            first, second = (x[token] @ self.rise[expert]).chunk(2, -1)
            rows = nn.functional.silu(first) * second @ self.fall[expert]
            out = out.index_add(0, token, rows * weights[token, place, None])
        return out


@program
def experts() -> None:
    """A mixture of experts, by permutation and grouped products."""
    torch.manual_seed(3)
    batch = torch.randn(24, 16), torch.randn(24, 16) * 0.3
    follow(
        Experts,
        lambda: iter([batch] * STEPS),
        nn.functional.mse_loss,
        lambda parameters: torch.optim.AdamW(parameters, lr=1e-2),
    )


if __name__ == "__main__":
    PROGRAMS[sys.argv[1]]()
