"""Python programs run in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from typing import Any


def run_child(
    code: str, timeout: float = 60, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run Python code in a new process, on the simulator unless ``environment`` says otherwise.

    After so many seconds it hangs; what computes much takes them on a machine that is busy.
    """
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        timeout=timeout,
        check=False,
    )


def output_of(code: str, timeout: float = 60, **environment: str) -> str:
    """Run Python code in a new process that must succeed quietly; return what it printed."""
    child = run_child(code, timeout, **environment)
    assert child.stderr == ""
    assert child.returncode == 0
    return child.stdout.strip()


def found_on(chip: str, module: str, call: str, **environment: str) -> Any:
    """Return what a call of a function of a test module finds in a process on that chip."""
    code = f"import json, {module} as found\nprint(json.dumps(found.{call}))"
    path = os.pathsep.join(sys.path)
    return json.loads(output_of(code, PYACLNN_SIM_SOC=chip, PYTHONPATH=path, **environment))
