"""Lists of which a member is null: operators say so, and none looks behind the null pointer."""

from __future__ import annotations

from typing import Any

import pytest
from operators import cann_statuses

#: What CANN answers to a null pointer, where it looks at it and where it only comes by.
REFUSALS = {161001, 161002, 561002, 561003, 561103}


def _has_members(value: Any) -> bool:
    return isinstance(value, list) and value[0] == "TL" and bool(value[1])


#: For each operator with a list of tensors the first of its right calls that has members.
RIGHT = {
    operator: next(call for call in calls if any(map(_has_members, call)))
    for operator, calls in cann_statuses.right_calls().items()
    if any(_has_members(value) for call in calls for value in call)
}
LISTS = [
    (operator, at)
    for operator, arguments in RIGHT.items()
    for at, value in enumerate(arguments)
    if _has_members(value)
]


@pytest.mark.parametrize(("operator", "at"), LISTS)
def test_a_null_member_is_refused(operator: str, at: int) -> None:
    arguments = list(RIGHT[operator])
    kind, members = arguments[at]
    arguments[at] = [kind, [None, *members[1:]]]

    right, wrong = cann_statuses.answers(
        {"operator": operator, "arguments": given} for given in (RIGHT[operator], arguments)
    )
    assert right == 0
    assert wrong in REFUSALS


def test_a_null_bias_of_grouped_products_is_a_wrong_parameter() -> None:
    x, weight, y = (["T", "FLOAT16", shape] for shape in ([3, 20], [3, 20, 24], [3, 24]))
    groups = ["T", "INT64", [3]]

    def answer(*bias: Any) -> int:
        lists = [["TL", [x]], ["TL", [weight]], ["TL", list(bias)] if bias else None]
        rest = [None] * 5 + [groups] + [None] * 3 + [3, 0, 0, 0, ["TL", [y]], None, None]
        call = {"operator": "aclnnGroupedMatmulV4", "arguments": lists + rest}
        return cann_statuses.answers([call])[0]

    assert answer(["T", "FLOAT16", [3, 24]]) == 0
    assert answer(None) == 161002
