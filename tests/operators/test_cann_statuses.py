"""The simulator answers what CANN answers, or the list of differences says why it does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from operators import cann_statuses

FILES = cann_statuses.files()
CHIPS = sorted(
    {(file, chip) for file in FILES for call in cann_statuses.read(file) for chip in call["status"]}
)


@pytest.mark.parametrize(("file", "chip"), CHIPS, ids=lambda v: getattr(v, "stem", v))
def test_calls_are_answered_as_cann_answers_them(file: Path, chip: str) -> None:
    calls = cann_statuses.on_chip(file, chip)
    answers = cann_statuses.answers_on(file, chip)

    wrong = [
        f"{call['operator']}{call['arguments']}: {answer}, expected {expected}"
        for call, answer in zip(calls, answers, strict=True)
        if answer != (expected := {**call["status"], **call.get("answers", {})}[chip])
    ]
    assert wrong == []


def test_every_difference_has_a_reason() -> None:
    reasons = cann_statuses.reasons()
    calls = [call for file in FILES for call in cann_statuses.read(file)]
    different = [call for call in calls if "answers" in call]

    assert {call["because"] for call in different} == set(reasons)
    assert all(reasons.values())
    assert all("because" not in call for call in calls if "answers" not in call)
    for call in different:
        assert all(call["status"][chip] != status for chip, status in call["answers"].items())
