"""Integer attributes of zero, below it and at the ends of int64: answered, whatever they divide."""

from __future__ import annotations

from typing import Any

import pytest
from operators import cann_statuses

EXTREMES = (0, -1, 2**31 - 1, 2**31, 2**63 - 1, -(2**63))
#: What a first phase answers to an attribute that it takes, or does not.
ANSWERS = {0, 161001, 161002, 561002, 561003, 561103}


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


#: For each operator that takes integers the first of its right calls that has some.
RIGHT = {
    operator: next(call for call in calls if any(map(_is_number, call)))
    for operator, calls in cann_statuses.right_calls().items()
    if any(_is_number(value) for call in calls for value in call)
}


@pytest.mark.parametrize("operator", RIGHT)
def test_extreme_integers_are_answered(operator: str) -> None:
    arguments = RIGHT[operator]
    other = []
    for at in (i for i, value in enumerate(arguments) if _is_number(value)):
        for extreme in EXTREMES:
            changed = [*arguments[:at], extreme, *arguments[at + 1 :]]
            call = {"operator": operator, "arguments": changed}
            try:
                (status,) = cann_statuses.answers([call])
            except OverflowError:
                continue  # the parameter is narrower
            if status not in ANSWERS:
                other.append((at, extreme, status))
    assert other == []
