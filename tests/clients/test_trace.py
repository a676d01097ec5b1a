"""A training step of torch_npu, recorded and replayed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Client

pytestmark = pytest.mark.clients

STEP = """
import torch, torch_npu
torch.manual_seed(7)
model = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.GELU(), torch.nn.Linear(32, 2)).npu()
steps = torch.optim.SGD(model.parameters(), 0.1)
x, y = torch.randn(16, 8).npu(), torch.randn(16, 2).npu()
for _ in range(2):
    steps.zero_grad()
    loss = ((model(x) - y) ** 2).mean()
    loss.backward()
    steps.step()
print(loss.item())
"""


def trace(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "pyaclnn.trace", *arguments],
        capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "PYACLNN_BACKEND": "simulator"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_trace_of_a_training_step_is_replayed_to_the_bit(client: Client, tmp_path: Path) -> None:
    folder = str(tmp_path / "step")

    printed = trace("-o", folder, "--content", "full", "--", str(client.python), "-c", STEP)
    shown = trace("show", folder)
    replayed = trace("replay", folder)

    assert 0 < float(printed.split()[-1]) < 10
    assert "Addmm" in shown
    assert "Gelu" in shown
    counts = re.search(r"(\d+) equal to the bit, (\d+) within tolerance, (\d+) differ", replayed)
    assert counts is not None, replayed
    assert int(counts[1]) > 20
    assert (counts[2], counts[3]) == ("0", "0"), replayed
