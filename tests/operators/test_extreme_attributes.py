"""Integer attributes of zero, below it and at the ends of int64: answered, whatever they divide."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from operators import cann_statuses

import pyaclnn as pa

EXTREMES = (0, -1, 2**31 - 1, 2**31, 2**63 - 1, -(2**63))
#: What a first phase answers to an attribute that it takes, or does not.
ANSWERS = {0, 161001, 161002, 561002, 561003, 561103}


def _right_calls() -> dict[str, list[list[Any]]]:
    """Return operators that take integers, with a right call of each, by how their names begin."""
    found: dict[str, list[Any]] = {}
    for file in (*cann_statuses.files(), cann_statuses.KEPT):
        for call in cann_statuses.read(file):
            if call["status"].get("Ascend910B1") == 0 and any(map(_is_number, call["arguments"])):
                found.setdefault(call["operator"], call["arguments"])
    groups: dict[str, list[list[Any]]] = defaultdict(list)
    for operator, arguments in sorted(found.items()):
        groups[operator[:6]].append([operator, arguments])
    return groups


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


RIGHT = _right_calls()


@pytest.mark.parametrize("group", RIGHT)
def test_extreme_integers_are_answered(group: str) -> None:
    memory = pa.zeros((cann_statuses.ROOM,), "uint8")
    pointer = pa.ffi.cast("char *", memory.buffer.ptr)
    other = []
    for operator, arguments in RIGHT[group]:
        for at in (i for i, value in enumerate(arguments) if _is_number(value)):
            for extreme in EXTREMES:
                changed = [*arguments[:at], extreme, *arguments[at + 1 :]]
                try:
                    status = cann_statuses.answer(
                        {"operator": operator, "arguments": changed}, pointer
                    )
                except OverflowError:
                    continue  # the parameter is narrower
                if status not in ANSWERS:
                    other.append((operator, at, extreme, status))
    assert other == []
