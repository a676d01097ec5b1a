"""The benchmark of whole steps runs where torch_npu is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import toolchain

if TYPE_CHECKING:
    from conftest import Client

pytestmark = pytest.mark.clients

PROGRAM = """\
from pyaclnn.bench import steps
{change}
print(*steps.steps("Llama decoding float32", rounds=1))
"""


def measure(client: Client, change: str = "") -> tuple[str, str]:
    program = PROGRAM.format(change=change)
    done = client.run("-c", program, env={"PYTHONPATH": str(toolchain.REPOSITORY)})
    return done.stdout, done.stderr


def test_a_step_is_measured(client: Client) -> None:
    output, errors = measure(client)

    assert output.split() == ["pyaclnn", "torch"], errors


def test_other_results_are_refused(client: Client) -> None:
    _, errors = measure(client, "steps._TOLERANCE['float32'] = -1.0")

    assert "RuntimeError: Llama decoding float32:" in errors
