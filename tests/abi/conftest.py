from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from abi.fake_toolkit import FakeToolkit

ROOT = Path(__file__).resolve().parents[2]
#: Nothing of the machine's own may show in a test of what is found.
INHERITED = ("PATH", "HOME", "TMPDIR", "LD_PRELOAD")

#: The floor by itself: the floors above it, and NumPy, would take most of the time.
IMPORT = f"""
import sys, types
sys.modules["pyaclnn"] = types.ModuleType("pyaclnn")
sys.modules["pyaclnn"].__path__ = [{str(ROOT / "pyaclnn")!r}]
import pyaclnn.abi as abi
"""

RunPython = Callable[..., str]


@pytest.fixture(scope="session")
def c_compiler() -> list[str]:
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    pytest.importorskip("ziglang", reason="no C compiler, and no ziglang to stand in for it")
    return [sys.executable, "-m", "ziglang", "cc"]


@pytest.fixture
def toolkit(tmp_path: Path, c_compiler: list[str]) -> FakeToolkit:
    return FakeToolkit(tmp_path / "cann", c_compiler)


@pytest.fixture
def run_python(tmp_path: Path) -> RunPython:
    """Run a program in a process of its own, because a process keeps its backend and libraries."""

    def run(code: str, **environment: object) -> str:
        # Fails the test unless the exit status is as expected; returns what was printed.
        expected = environment.pop("status", 0)
        variables = {n: os.environ[n] for n in INHERITED if n in os.environ}
        variables |= {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
        variables |= {name: str(value) for name, value in environment.items()}
        result = subprocess.run(
            [sys.executable, "-c", IMPORT + code],
            env=variables, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert result.returncode == expected, result.stdout + result.stderr
        return result.stdout + result.stderr

    return run
