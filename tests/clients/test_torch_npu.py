"""Programs for torch_npu: the released wheel, against the toolkit root."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Client

pytestmark = pytest.mark.clients

FILES = [Path(__file__).with_name(name) for name in ("programs.py", "training.py")]
DEVICES = {"PYACLNN_SIM_DEVICES": "2", "PYACLNN_SIM_MEMORY": "2G"}
#: What the simulator says of a function it does not have.
MISSING = re.compile(
    r"(?:(?P<declared>\w+?)(?:GetWorkspaceSize)? answers 561003: declared, not simulated"
    r"|operator (?P<single>\w+) is asked for by its name"
    r"|(?P<refused>\w+) is not simulated)"
)
#: Programs that do other things than to train, and depend on no operator.
RUNTIME = (
    "devices",
    "copies",
    "streams",
    "events",
    "pinned_memory",
    "allocator",
    "out_of_memory",
    "expandable_segments",
    "save_and_load",
    "two_devices",
    "data_loader",
    "shared_tensors",
)


def programs() -> dict[str, Path]:
    """Return the names of the programs and their files, without importing torch."""
    return {
        node.name: file
        for file in FILES
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(d, ast.Name) and d.id == "program" for d in node.decorator_list)
    }


PROGRAMS = programs()


def missing(text: str) -> str | None:
    """Return the first function that a message says is not there."""
    found = MISSING.search(text)
    return next(name for name in found.groups() if name) if found else None


@pytest.mark.parametrize("name", RUNTIME)
def test_the_runtime_carries(name: str, client: Client) -> None:
    done = client.run(str(PROGRAMS[name]), name, env=DEVICES)

    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize(
    "name", [n for n in PROGRAMS if n not in RUNTIME and n != "an_operator_that_is_not_there"]
)
def test_a_program_computes_what_the_cpu_does(name: str, client: Client) -> None:
    done = client.run(str(PROGRAMS[name]), name, env=DEVICES)

    needs = missing(done.stderr) if done.returncode else None
    if needs:
        pytest.xfail(f"needs {needs}")
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize("queue", ["0", "1", "2"])
@pytest.mark.parametrize("name", ["copies", "streams", "training_loop"])
def test_every_task_queue_carries(name: str, queue: str, client: Client) -> None:
    done = client.run(str(PROGRAMS[name]), name, env={**DEVICES, "TASK_QUEUE_ENABLE": queue})

    assert done.returncode == 0, done.stderr[-3000:]


def test_an_operator_that_is_not_there_is_named(client: Client) -> None:
    done = client.run(str(FILES[0]), "an_operator_that_is_not_there", env=DEVICES)

    assert done.returncode != 0
    assert missing(done.stderr), done.stderr[-3000:]
