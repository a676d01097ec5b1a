"""Memory that torch_npu and pyaclnn share: the released wheel, against the toolkit root."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import toolchain

if TYPE_CHECKING:
    from conftest import Client

pytestmark = pytest.mark.clients

FILE = Path(__file__).with_name("sharing.py")
PROGRAMS = [
    node.name
    for node in ast.parse(FILE.read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef) and node.decorator_list
]


@pytest.mark.parametrize("queue", ["0", "1"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_memory_is_shared(name: str, queue: str, client: Client) -> None:
    env = {
        "PYTHONPATH": str(toolchain.REPOSITORY),
        "TASK_QUEUE_ENABLE": queue,
        "PYACLNN_SIM_CHECK": "races",
    }

    done = client.run(str(FILE), name, env=env)

    assert done.returncode == 0, done.stderr[-3000:]
    # Neither streams out of order, nor what ends late.
    for word in ("hazard", "Traceback", "ignored"):
        assert word not in done.stderr, done.stderr[-3000:]
