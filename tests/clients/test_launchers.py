"""The program of docs/several-devices.md, started by torchrun and by MPICH's mpirun."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from collective.processes import free_port
from collective.test_page import losses, program

if TYPE_CHECKING:
    from conftest import Client

pytestmark = pytest.mark.clients

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("launcher", ["torchrun", "mpirun"])
def test_a_launcher_starts_the_ranks(launcher: str, client: Client, tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(program(), encoding="utf-8")
    folder = client.python.parent
    command = {
        "torchrun": ["torchrun", "--nproc-per-node", "2", f"--master-port={free_port()}"],
        "mpirun": ["mpirun", "-n", "2", str(client.python)],
    }[launcher]
    own = {
        "PYTHONPATH": str(ROOT),
        "PATH": f"{folder}:{os.environ['PATH']}",
        "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",  # torchrun itself needs no NPU
    }

    alone = client.run(str(path), env={**own, "RANK": "0", "WORLD_SIZE": "1"})
    done = subprocess.run(
        [str(folder / command[0]), *command[1:], str(path)], capture_output=True, text=True,
        env={**os.environ, **own, "PYACLNN_BACKEND": "simulator"}, timeout=300, check=False,
    )  # fmt: skip

    assert (alone.returncode, done.returncode) == (0, 0), alone.stderr + done.stderr
    assert len(losses(alone.stdout)) == 4
    assert losses(done.stdout) == pytest.approx(losses(alone.stdout), rel=1e-4)
