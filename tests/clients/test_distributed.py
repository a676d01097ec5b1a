"""torch.distributed with torch_npu's backend "hccl", on the simulated libhccl."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from collective.processes import free_port

if TYPE_CHECKING:
    from conftest import Client

pytestmark = pytest.mark.clients

PROGRAM = Path(__file__).with_name("distributed.py")


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize(
    "name", ["collectives", "ddp_mlp", "ddp_cnn", "fsdp_mlp", "tensor_parallel_mlp"]
)
def test_ranks_together_compute_what_one_process_does(
    name: str, ranks: int, client: Client
) -> None:
    job = {
        "WORLD_SIZE": str(ranks),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(free_port()),
        "HCCL_EXEC_TIMEOUT": "200",
        "PYACLNN_SIM_MEMORY": "1G",
        "PYACLNN_SIM_THREADS": "1",
    }

    def run(rank: int) -> subprocess.CompletedProcess[str]:
        return client.run(str(PROGRAM), name, env={**job, "RANK": str(rank)})

    with ThreadPoolExecutor(ranks) as pool:
        ended = list(pool.map(run, range(ranks)))

    assert [done.returncode for done in ended] == [0] * ranks, ended[0].stderr[-3000:]
