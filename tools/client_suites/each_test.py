"""A plug-in of pytest that writes a line before and after each test.

What is known is then not lost with a process that ends; a process that is started again leaves out
what has a line. A process whose device raised an exception is ended: each later call answers the
same.
"""

from __future__ import annotations

import json
import os
import unittest
from collections.abc import Callable
from pathlib import Path

import pytest

REPORT = Path(os.environ["PYACLNN_REPORT"])
#: A kernel raised an exception: the device is of no more use to this process.
_LOST = "507015"
_ENDED = 70
#: So much of a failure is kept: its end, where the exception is.
_CHARACTERS = 6000

if os.environ.get("PYACLNN_UNSKIP"):
    # Before a test file is read: tests wait for a release of CANN that is here by now.
    def _run_all_the_same(reason: str) -> Callable[[object], object]:
        return lambda test: test

    unittest.skip = _run_all_the_same  # type: ignore[assignment]

if os.environ.get("PYACLNN_FORMATS"):
    import torch
    import torch_npu  # noqa: F401

    # Casts to a private format keep rows otherwise.
    torch.npu.config.allow_internal_format = True


def _write(line: dict[str, str]) -> None:
    with REPORT.open("a", encoding="utf-8") as report:
        report.write(json.dumps(line) + "\n")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what was tried."""
    tried = set()
    if REPORT.exists():
        tried = {json.loads(line)["case"] for line in REPORT.read_text("utf-8").splitlines()}
    items[:] = [item for item in items if item.nodeid not in tried]


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Say which file could not be read."""
    if report.failed:
        why = str(report.longrepr)[-_CHARACTERS:]
        _write({"case": report.nodeid, "outcome": "failed", "why": why})


def pytest_runtest_logstart(nodeid: str) -> None:
    """Say that a test begins."""
    _write({"case": nodeid, "outcome": "begun", "why": ""})


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Say how a test ended."""
    if report.when == "call" or report.outcome != "passed":
        outcome = "skipped" if report.skipped else report.outcome
        why = "" if report.passed else report.longreprtext[-_CHARACTERS:]
        _write({"case": report.nodeid, "outcome": outcome, "why": why})
        if _LOST in why:
            os._exit(_ENDED)
