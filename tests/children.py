"""Python programs run in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap


def run_child(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python code in a new process, on the simulator unless ``environment`` says otherwise."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


def output_of(code: str, **environment: str) -> str:
    """Run Python code in a new process that must succeed quietly; return what it printed."""
    child = run_child(code, **environment)
    assert child.stderr == ""
    assert child.returncode == 0
    return child.stdout.strip()
