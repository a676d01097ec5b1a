"""Each collective × dtypes × reductions × sizes × numbers of ranks, against NumPy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("matrix.py")


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 8])
def test_collectives_of_one_process_are_those_of_numpy(ranks: int) -> None:
    environment = {
        **os.environ,
        "PYACLNN_SIM_DEVICES": str(ranks),
        "HCCL_EXEC_TIMEOUT": "60",
        "PYACLNN_SIM_CHECK": "races:error",
    }

    child = subprocess.run(
        [sys.executable, str(PROGRAM), str(ranks)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        check=False,
    )

    assert child.stderr == ""
    assert child.stdout.strip() == "all equal"
