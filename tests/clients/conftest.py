"""Programs written for CANN run in an environment of their own, which tools/clients.py makes."""

from __future__ import annotations

import functools
import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
import toolchain

#: The Python of an environment with torch and torch_npu.
PYTHON_VARIABLE = "PYACLNN_CLIENTS_PYTHON"
TIMEOUT_S = 600


@functools.cache
def toolkit_environment() -> dict[str, str]:
    """Return the variables after ``source set_env.sh``, with nothing of this process' Python."""
    outside = {n: v for n, v in os.environ.items() if n not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    script = f"source {shlex.quote(str(toolchain.toolkit() / 'set_env.sh'))} && env -0"
    done = subprocess.run(["bash", "-c", script], capture_output=True, check=True, env=outside)
    return dict(v.split("=", 1) for v in done.stdout.decode().split("\0") if "=" in v)


class Client:
    """The environment of the programs."""

    def __init__(self, python: Path) -> None:
        self.python = python

    def run(
        self, *arguments: str, env: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run Python there, against the toolkit root."""
        return subprocess.run(
            [str(self.python), *arguments],
            capture_output=True,
            text=True,
            env={**toolkit_environment(), **(env or {})},
            cwd=cwd,
            timeout=TIMEOUT_S,
        )


@pytest.fixture(scope="session")
def client() -> Client:
    """Give the environment that ``tools/clients.py`` made."""
    python = os.environ.get(PYTHON_VARIABLE)
    if not python:
        pytest.fail(
            f"${PYTHON_VARIABLE} is not set: python tools/clients.py makes it and runs this"
        )
    return Client(Path(python))
