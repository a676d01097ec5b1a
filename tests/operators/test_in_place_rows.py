"""Rows of operators in place follow from those of their functions."""

from __future__ import annotations

import re

import pytest

from pyaclnn import abi
from pyaclnn.ops.spec import load_spec
from pyaclnn.table import ROWS
from pyaclnn.table.row import Row
from pyaclnn.table.row_templates import in_place
from pyaclnn.table.steps import About, Call, Kernel, Null, SameDtype, SameShape, Step, That

IN_PLACE = [row for row in ROWS if row.name.startswith("Inplace")]


def derived(*steps: Step) -> tuple[str, ...]:
    """Statements of the operator in place of one with these steps."""
    return tuple(step.cpp() for step in in_place(Row("Turn", "copy", steps)).steps)


@pytest.mark.parametrize("row", IN_PLACE, ids=lambda row: row.name)
def test_an_operator_in_place_names_only_parameters_that_it_has(row: Row) -> None:
    assert row.c_name in abi.operators()
    given = {argument.c_name for argument in load_spec(row.c_name).arguments}

    for step in row.steps:
        named = "" if isinstance(step, Kernel) else step.cpp()
        assert set(re.findall(r"\b(?:self|out|selfRef)\b", named)) <= given, named


def test_operand_and_output_become_the_one_tensor() -> None:
    assert derived(Null(("self", "other", "out"))) == ("check.not_null(selfRef, other);",)
    assert derived(Call("turn", "plan &self out.dtype() outer Number(out1)")) == (
        "turn(plan, &selfRef, selfRef.dtype(), outer, Number(out1));",
    )


def test_what_is_said_of_operands_is_said_of_the_one_tensor() -> None:
    step = About(lambda x: That(f"{x}.rank() > 0", f"{x} is a scalar; say self"), ("self",))

    assert derived(step) == ('check.that(selfRef.rank() > 0, "selfRef is a scalar; say self");',)


def test_a_tensor_is_not_compared_with_itself() -> None:
    alike = About(lambda a, b: That(f"alike({a}, {b})", f"{a} and {b} differ"), ("self", "out"))

    assert derived(SameDtype(("self", "out")), SameShape(("self", "out")), alike) == ()
    assert derived(SameShape(("self", "other", "out"))) == ("check.same_shape(selfRef, other);",)


def test_nothing_is_checked_twice() -> None:
    assert derived(Null(("self",)), Null(("out",))) == ("check.not_null(selfRef);",)
