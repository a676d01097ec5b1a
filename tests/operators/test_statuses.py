"""The simulator answers what CANN answers, or the list of differences says why it does not.

Where CANN's sources do not say, ``kept_statuses.json`` has what the simulator answered when
``tools/kept_statuses.py`` wrote it: so that it is noticed where a check of a kernel is lost, or a
limit moves. ``neighbour_statuses.json`` has the same of right calls that differ in one thing, up to
both sides of each limit.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import pytest
from operators import cann_statuses
from operators.cann_statuses import Call

FILES, KEPT = cann_statuses.files(), (cann_statuses.KEPT, cann_statuses.NEAR)
CHIPS = sorted(
    {chip for file in FILES for call in cann_statuses.read(file) for chip in call["status"]}
)
KEPT_CHIPS = sorted(
    {chip for file in KEPT for call in cann_statuses.read(file) for chip in call["status"]}
)


@functools.cache
def answers(chip: str) -> tuple[Sequence[int], Sequence[int]]:
    """Return the answers to the calls of CANN and to those that were kept, of one process."""
    found = cann_statuses.answers_on(chip)
    count = len(cann_statuses.on_chip(FILES, chip))
    return found[:count], found[count:]


def _wrong(calls: Sequence[Call], seen: Sequence[int], expected: Sequence[int]) -> list[str]:
    return [
        f"{call['operator']}{call['arguments']}: {answer}, expected {status}{_place(call)}"
        for call, answer, status in zip(calls, seen, expected, strict=True)
        if answer != status
    ]


def _place(call: Call) -> str:
    return "; {}: {}".format(*call["changed"]) if "changed" in call else ""


@pytest.mark.parametrize("chip", CHIPS)
def test_calls_are_answered_as_cann_answers_them(chip: str) -> None:
    calls = cann_statuses.on_chip(FILES, chip)
    expected = [{**call["status"], **call.get("answers", {})}[chip] for call in calls]

    assert _wrong(calls, answers(chip)[0], expected) == []


@pytest.mark.parametrize("chip", KEPT_CHIPS)
def test_other_calls_are_answered_as_before(chip: str) -> None:
    calls = cann_statuses.on_chip(KEPT, chip)
    expected = [call["status"][chip] for call in calls]

    wrong = _wrong(calls, answers(chip)[1], expected)
    assert wrong == [], "if all of these are meant: python tools/kept_statuses.py"


def test_every_difference_has_a_reason() -> None:
    reasons = cann_statuses.reasons()
    calls = [call for file in FILES for call in cann_statuses.read(file)]
    different = [call for call in calls if "answers" in call]

    assert {call["because"] for call in different} == set(reasons)
    assert all(reasons.values())
    assert all("because" not in call for call in calls if "answers" not in call)
    for call in different:
        assert all(call["status"][chip] != status for chip, status in call["answers"].items())
