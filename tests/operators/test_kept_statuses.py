"""Drawn calls are answered as they were when ``tools/kept_statuses.py`` wrote them down.

Nobody but the simulator says that these statuses are CANN's: where one is wrong, mend it and write
the file again. Without this file nothing notices that a check of a kernel was lost, or that its
limit moved; ``test_cann_statuses.py`` has what CANN's own sources answer.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from operators import cann_statuses

FILE = Path(__file__).with_name("kept_statuses.json")


@pytest.mark.parametrize("chip", ["Ascend910B1", "Ascend910A", "Ascend310P3", "Ascend950"])
def test_answers_are_those_of_before(chip: str) -> None:
    calls = cann_statuses.on_chip(FILE, chip)
    answers = cann_statuses.answers_on(FILE, chip)

    wrong = [
        f"{call['operator']}{call['arguments']}: {answer}, it was {call['status'][chip]}"
        for call, answer in zip(calls, answers, strict=True)
        if answer != call["status"][chip]
    ]
    assert wrong == [], "if all of these are meant: python tools/kept_statuses.py"
