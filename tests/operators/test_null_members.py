"""Lists of which a member is null: operators say so, and none looks behind the null pointer."""

from __future__ import annotations

from typing import Any

import pytest
from operators import cann_statuses

import pyaclnn as pa

#: What CANN answers to a null pointer, where it looks at it and where it only comes by.
REFUSALS = {161001, 161002, 561002, 561003, 561103}


def _right_calls() -> dict[str, list[Any]]:
    """Return the arguments of a right call of each operator that has a list of tensors."""
    found: dict[str, list[Any]] = {}
    for file in (*cann_statuses.files(), cann_statuses.KEPT):
        for call in cann_statuses.read(file):
            lists = [a for a in call["arguments"] if isinstance(a, list) and a[0] == "TL" and a[1]]
            if lists and call["status"].get("Ascend910B1") == 0:
                found.setdefault(call["operator"], call["arguments"])
    return found


RIGHT = _right_calls()
LISTS = [
    (operator, at)
    for operator, arguments in RIGHT.items()
    for at, value in enumerate(arguments)
    if isinstance(value, list) and value[0] == "TL" and value[1]
]


@pytest.mark.parametrize(("operator", "at"), LISTS)
def test_a_null_member_is_refused(operator: str, at: int) -> None:
    memory = pa.zeros((cann_statuses.ROOM,), "uint8")
    pointer = pa.ffi.cast("char *", memory.buffer.ptr)
    arguments = list(RIGHT[operator])
    kind, members = arguments[at]
    arguments[at] = [kind, [None, *members[1:]]]

    assert cann_statuses.answer({"operator": operator, "arguments": RIGHT[operator]}, pointer) == 0
    assert cann_statuses.answer({"operator": operator, "arguments": arguments}, pointer) in REFUSALS


def test_a_null_bias_of_grouped_products_is_a_wrong_parameter() -> None:
    x, weight, y = (["T", "FLOAT16", shape] for shape in ([3, 20], [3, 20, 24], [3, 24]))
    groups = ["T", "INT64", [3]]
    memory = pa.zeros((cann_statuses.ROOM,), "uint8")

    def answer(*bias: Any) -> int:
        lists = [["TL", [x]], ["TL", [weight]], ["TL", list(bias)] if bias else None]
        rest = [None] * 5 + [groups] + [None] * 3 + [3, 0, 0, 0, ["TL", [y]], None, None]
        call = {"operator": "aclnnGroupedMatmulV4", "arguments": lists + rest}
        return cann_statuses.answer(call, pa.ffi.cast("char *", memory.buffer.ptr))

    assert answer(["T", "FLOAT16", [3, 24]]) == 0
    assert answer(None) == 161002
