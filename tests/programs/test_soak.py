from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SOAK = Path(__file__).parents[2] / "tools" / "soak.py"


@pytest.mark.exhaustive
def test_handles_and_memory_stay_flat_for_a_while() -> None:
    done = subprocess.run(
        [sys.executable, str(SOAK), "--minutes", "0.25", "--seed", "7"],
        capture_output=True,
        text=True,
        check=False,
    )

    lines = {line.split(":")[0].strip(): line for line in done.stdout.splitlines()[1:]}
    assert lines.keys() == {"handles", "device bytes", "resident", "time"}, done.stderr
    # Time is for people: a test runs beside others.
    assert all(lines[name].endswith("flat") for name in ("handles", "device bytes")), done.stdout
