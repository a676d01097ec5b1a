"""The program of docs/several-devices.md runs as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from collective.processes import free_port

PAGE = Path(__file__).resolve().parents[2] / "docs" / "several-devices.md"


def program() -> str:
    found = re.search(
        r"<!-- file: train.py -->\n```python\n(.*?)```", PAGE.read_text("utf-8"), re.S
    )
    assert found
    return found[1]


def train(size: int, launcher: str, folder: Path) -> str:
    """What rank 0 prints, of so many processes started as a launcher does it."""
    path = folder / "train.py"
    path.write_text(program(), encoding="utf-8")
    port = str(free_port())
    ranks = []
    for rank in range(size):
        if launcher == "torchrun":
            job = {"RANK": str(rank), "WORLD_SIZE": str(size), "LOCAL_RANK": str(rank)}
            job |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
        elif launcher == "Open MPI":
            names = {"RANK": rank, "SIZE": size, "LOCAL_RANK": rank}
            job = {f"OMPI_COMM_WORLD_{name}": str(value) for name, value in names.items()}
            job["PMIX_NAMESPACE"] = f"job {port}"
        else:
            job = {"PMI_RANK": str(rank), "PMI_SIZE": str(size), "MPI_LOCALRANKID": str(rank)}
        ranks.append(
            subprocess.Popen(
                [sys.executable, str(path)],
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "HCCL_EXEC_TIMEOUT": "60", **job},
            )
        )
    printed = [rank.communicate(timeout=120)[0] for rank in ranks]
    assert [rank.returncode for rank in ranks] == [0] * size
    return printed[0]


def losses(printed: str) -> list[float]:
    return [float(value) for value in re.findall(r"loss ([\d.]+)", printed)]


def test_ranks_together_learn_what_one_does(tmp_path: Path) -> None:
    alone = losses(train(1, "torchrun", tmp_path))

    assert len(alone) == 4
    assert alone[-1] < alone[0] / 2
    for launcher in ("torchrun", "Open MPI", "MPICH"):
        together = losses(train(2, launcher, tmp_path))
        assert together == pytest.approx(alone, rel=1e-4)
