"""Operators of another chip than the simulated one, tried in a process that simulates it.

A process simulates one chip from its start to its end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pyaclnn as pa
from pyaclnn.selftest.cases import Suite
from pyaclnn.selftest.chips import is_950, soc_name
from pyaclnn.selftest.report import from_dict
from pyaclnn.selftest.runner import Failure, Outcome


def needs_another_chip(suite: Suite) -> bool:
    """Whether another chip has this operator, and can be simulated."""
    if pa.backend.name != "simulator" or suite.chip in ("", soc_name()):
        return False
    return not (suite.chip.startswith("Ascend910_95") and is_950())


def run_on_other_chips(suites: Sequence[Suite], options: Sequence[str]) -> list[Outcome]:
    """Run all cases of some operators of one chip, in one process.

    Parameters
    ----------
    suites : sequence of Suite
        What to run.
    options : sequence of str
        Of the command line, but for the operators and the output.
    """
    chip = suites[0].chip
    with tempfile.TemporaryDirectory(prefix="pyaclnn-selftest-") as folder:
        file = Path(folder) / "results.json"
        names = [f"--op={suite.operator}" for suite in suites]
        done = subprocess.run(
            [sys.executable, "-m", "pyaclnn.selftest", *names, *options, "--json", str(file)],
            env={**os.environ, "PYACLNN_BACKEND": "simulator", "PYACLNN_SIM_SOC": chip},
            capture_output=True, text=True, errors="replace", check=False,
        )  # fmt: skip
        if file.exists():
            results = json.loads(file.read_text(encoding="utf-8"))["operators"]
            outcomes = [from_dict(result) for result in results]
        else:
            reason = done.stderr.strip() or f"ended with status {done.returncode}"
            failure = Failure("in a process", "", reason)
            outcomes = [Outcome(suite.operator, failures=[failure]) for suite in suites]
    for outcome in outcomes:
        outcome.chip = "" if outcome.skipped else chip
    return outcomes
