"""A training loop as Hugging Face's Accelerate has it, which finds the device by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
import torch_npu  # noqa: F401 - Accelerate looks for the device that it brings
from accelerate import Accelerator
from accelerate.state import AcceleratorState
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

#: What is set -> how far a loss may be from the one on the CPU in float32, of that.
PRECISIONS = {"no": 1e-4, "fp16": 1e-2, "bf16": 3e-2}
EPOCHS, STEPS = 2, 6


def _parts() -> tuple[Any, ...]:
    torch.manual_seed(7)
    model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    x = torch.randn(16 * STEPS, 8, generator=torch.Generator().manual_seed(3))
    loader = DataLoader(TensorDataset(x, (x.sum(1) > 0).long()), batch_size=16)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-2, total_steps=EPOCHS * STEPS)
    return model, optimizer, loader, schedule


def _plainly() -> list[float]:
    model, optimizer, loader, schedule = _parts()
    losses = []
    for _ in range(EPOCHS):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            losses.append(loss.item())
    return losses


@pytest.fixture(autouse=True)
def _another_start() -> Iterator[None]:
    AcceleratorState._reset_state(True)
    yield
    AcceleratorState._reset_state(True)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_its_loop_trains_as_a_plain_one_on_the_cpu(precision: str) -> None:
    """Losses, in each precision, and how many are right in the end."""
    accelerator = Accelerator(mixed_precision=precision)
    model, optimizer, loader, schedule = accelerator.prepare(*_parts())
    losses, right = [], 0
    for _ in range(EPOCHS):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            accelerator.backward(loss)
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            losses.append(loss.item())
    with torch.no_grad():
        for x, y in loader:
            chosen, wanted = accelerator.gather_for_metrics((model(x).argmax(-1), y))
            right += int((chosen == wanted).sum())

    assert accelerator.device.type == "npu"
    assert losses == pytest.approx(_plainly(), rel=PRECISIONS[precision])
    assert right > 16 * STEPS * 0.7
