"""Running programs under the tracer, as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

TIME_LIMIT = 120


def trace(
    folder: Path, program: Sequence[str], *options: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Record a program; what it printed, and its status."""
    command = [sys.executable, "-m", "pyaclnn.trace", "-o", str(folder), *options, "--", *program]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        env={**os.environ, **environment},
    )


def python(code: str) -> list[str]:
    """Return the command that runs some lines with pyaclnn."""
    return [sys.executable, "-c", f"import numpy as np\nimport pyaclnn as pa\n{code}"]
