"""Models of usual parts are trained on the CPU and through torch_npu; losses and weights agree."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import torch_npu  # noqa: F401
from torch import nn

torch.npu.matmul.allow_hf32 = False
torch.npu.conv.allow_hf32 = False


class _Recurrent(nn.Module):  # type: ignore[misc]  # torch has no types here
    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.recurrent = kind(16, 12, batch_first=True)
        self.head = nn.Linear(12, 4)

    def forward(self, x: torch.Tensor) -> Any:
        return self.head(self.recurrent(x)[0][:, -1])


class _Words(nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(32, 16)
        layer = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(16, 4)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        mask = nn.Transformer.generate_square_subsequent_mask(ids.shape[1], device=ids.device)
        return self.head(self.layers(self.words(ids), mask=mask).mean(1))


def _convolutions(*middle: nn.Module) -> nn.Module:
    head = (nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(32, 4))
    return nn.Sequential(nn.Conv2d(3, 8, 3, stride=2, padding=1), *middle, *head)


_DRAW = torch.Generator().manual_seed(0)
IMAGES = torch.randn(8, 3, 16, 16, generator=_DRAW)
ROWS = torch.randn(8, 16, generator=_DRAW)
SERIES = torch.randn(8, 5, 16, generator=_DRAW)
WORDS = torch.randint(32, (8, 6), generator=_DRAW)
MODELS: dict[str, tuple[Callable[[], Any], torch.Tensor]] = {
    "perceptron": (
        lambda: nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 4)),
        ROWS,
    ),
    "batch_norm": (
        lambda: _convolutions(nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2)),
        IMAGES,
    ),
    "group_norm": (
        lambda: _convolutions(nn.GroupNorm(2, 8), nn.SiLU(), nn.Conv2d(8, 8, 3, groups=8)),
        IMAGES,
    ),
    "upsample": (
        lambda: _convolutions(nn.Upsample(scale_factor=2, mode="bilinear"), nn.Hardswish()),
        IMAGES,
    ),
    "transposed": (
        lambda: _convolutions(nn.ConvTranspose2d(8, 8, 3, stride=2), nn.LeakyReLU()),
        IMAGES,
    ),
    "lstm": (lambda: _Recurrent(nn.LSTM), SERIES),
    "gru": (lambda: _Recurrent(nn.GRU), SERIES),
    "transformer": (_Words, WORDS),
}
OPTIMIZERS: dict[str, Callable[[Any], torch.optim.Optimizer]] = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9),
    "adamw": lambda p: torch.optim.AdamW(p, lr=1e-3),
}


def _train(model: nn.Module, data: torch.Tensor, device: str, optimizer: str) -> list[float]:
    model = copy.deepcopy(model).to(device).train()
    data, target = data.to(device), (torch.arange(8) % 4).to(device)
    steps = OPTIMIZERS[optimizer](model.parameters())
    losses = []
    for _ in range(4):
        steps.zero_grad()
        loss = nn.functional.cross_entropy(model(data), target)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        steps.step()
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("name", MODELS)
def test_training(name: str, optimizer: str) -> None:
    """The losses of some steps are those of the CPU."""
    torch.manual_seed(0)
    make, data = MODELS[name]
    model = make()
    expected = _train(model, data, "cpu", optimizer)
    assert _train(model, data, "npu", optimizer) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_mixed_precision(dtype: torch.dtype) -> None:
    """Training with autocast and a scaler makes the loss smaller."""
    torch.manual_seed(0)
    make, data = MODELS["perceptron"]
    model, data, target = make().npu(), data.npu(), (torch.arange(8) % 4).npu()
    steps = OPTIMIZERS["adamw"](model.parameters())
    scaler = torch.amp.GradScaler("npu", enabled=dtype == torch.float16)
    losses = []
    for _ in range(20):
        steps.zero_grad()
        with torch.autocast("npu", dtype=dtype):
            loss = nn.functional.cross_entropy(model(data), target)
        scaler.scale(loss).backward()
        scaler.step(steps)
        scaler.update()
        losses.append(loss.item())
    assert losses[-1] < 0.9 * losses[0]


def test_saved_and_loaded(tmp_path: Path) -> None:
    """A model that was saved on a device is loaded to the CPU, and back."""
    make, data = MODELS["perceptron"]
    model = make().npu()
    torch.save(model.state_dict(), tmp_path / "model.pt")
    for device in ("cpu", "npu"):
        other = make().to(device)
        other.load_state_dict(torch.load(tmp_path / "model.pt", map_location=device))
        # CANN's GELU is the tanh form, the CPU's is exact: they differ by up to 5e-4.
        made = other(data.to(device)).cpu()
        torch.testing.assert_close(made, model(data.npu()).cpu(), rtol=0, atol=1e-3)
