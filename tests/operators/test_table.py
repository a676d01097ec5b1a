"""Operators that are rows of the table refuse what the row says, and Python derives what C++ does.

The checks are generated from the row; that they are CANN's is tested where an operator has tests of
its own. Here each step is seen to work in each operator: an argument that breaks one step only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID, NULL
from operators.fullest import Call, fullest

import pyaclnn as pa
from pyaclnn.ops.naming import operator_name, snake_case
from pyaclnn.selftest.suites import SUITES
from pyaclnn.table import ROWS, Row
from pyaclnn.table.dtypes import C_NAMES
from pyaclnn.table.optional_steps import If
from pyaclnn.table.steps import Castable, DtypeIn, Null, NullInside, RankAtMost, ShapeIs, Step

KERNELS = Path(pa.__file__).parent / "sim" / "src" / "opapi"
TESTED = {suite.operator for suite in SUITES if not suite.chip and suite.ranks == 1}

every_row = pytest.mark.parametrize(
    "row", [r for r in ROWS if operator_name(r.c_name) in TESTED], ids=lambda r: r.name
)


def names_of(row: Row, kind: type[Any]) -> list[tuple[Any, str]]:
    """Return the steps of a kind with each Python name that they look at."""
    return [
        (step, snake_case(name))
        for step in row.steps
        if isinstance(step, kind)
        for name in step.names
    ]


def call_of(row: Row) -> tuple[Call, dict[str, Any]]:
    call = fullest(operator_name(row.c_name))
    return call, {**call.inputs, **call.outputs}


def test_every_simulated_operator_is_a_row_of_a_family_that_has_kernels() -> None:
    families = {folder.name for folder in KERNELS.iterdir()} - {"common"}

    assert {row.family for row in ROWS} <= families
    assert {suite.operator for suite in SUITES} == {operator_name(row.c_name) for row in ROWS}


@every_row
def test_the_right_arguments_are_accepted(row: Row) -> None:
    assert call_of(row)[0].code({}) == 0


@every_row
def test_null_is_refused(row: Row) -> None:
    call, arguments = call_of(row)
    names = {n for _, n in names_of(row, Null) if n in call.inputs}
    inside = {snake_case(n) for step in row.steps for n in _noticed_inside(step)}
    codes = {n: INNER_NULL if n in inside else NULL for n in names | (inside & set(call.inputs))}

    assert {n: call.code({n: None}) for n in codes} == codes
    assert names <= set(arguments)


def _noticed_inside(step: Step) -> tuple[str, ...]:
    """Return the arguments whose null is noticed inside on the chip of this process."""
    if isinstance(step, If) and step.condition == "!on_950()":
        return _noticed_inside(step.step)
    return step.names if isinstance(step, NullInside) else ()


@every_row
def test_element_types_that_are_not_listed_are_refused(row: Row) -> None:
    call, arguments = call_of(row)
    found = {}
    for step, name in names_of(row, DtypeIn):
        if isinstance(arguments[name], pa.Tensor):
            anywhere = {*step.accepted.on("newer"), *step.accepted.on("newest")}
            wrong = next((d for d in C_NAMES if d not in anywhere), None)
            if wrong is not None:
                found[name] = call.code({name: pa.ones(arguments[name].shape, wrong)})

    assert found == dict.fromkeys(found, INVALID)


@every_row
def test_too_many_dimensions_are_refused(row: Row) -> None:
    call, arguments = call_of(row)
    found = {}
    for step, name in names_of(row, RankAtMost):
        shape = (1,) * (step.limit + 1)
        found[name] = call.code({name: pa.ones(shape, arguments[name].dtype)})

    assert found == dict.fromkeys(found, INVALID)


#: What CANN's sources allow for these; for all others that look at the rank it is eight.
FEWER_DIMENSIONS = {
    "Addbmm": 2, "Addr": 2, "CdistBackward": 7, "ChannelShuffle": 7, "Diag": 2,
    "InplaceAddbmm": 2, "InplaceAddr": 2, "LayerNormQuant": 2, "OneHot": 7,
    "RepeatInterleave": 1, "RepeatInterleaveWithDim": 1, "RmsNormQuant": 2,
}  # fmt: skip


def test_up_to_eight_dimensions_are_allowed_where_cann_does_not_say_otherwise() -> None:
    limits = {
        (row.name, step.limit)
        for row in ROWS
        for step in row.steps
        if isinstance(step, RankAtMost) and step.limit != FEWER_DIMENSIONS.get(row.name)
    }

    assert {(name, limit) for name, limit in limits if limit != 8} == set()
    assert set(FEWER_DIMENSIONS) <= {row.name for row in ROWS}


@every_row
def test_an_output_of_another_shape_is_refused(row: Row) -> None:
    call, arguments = call_of(row)
    found = {
        name: call.code({name: pa.ones((2, *arguments[name].shape[:6], 3), arguments[name].dtype)})
        for _, name in names_of(row, ShapeIs)
        if name in call.outputs
    }

    assert found == dict.fromkeys(found, INVALID)


@every_row
def test_an_output_that_the_result_cannot_be_cast_to_is_refused(row: Row) -> None:
    call, arguments = call_of(row)
    names = [n for _, n in names_of(row, Castable) if n in call.outputs]
    found = {
        name: call.code({name: pa.ones(arguments[name].shape, "bool")})
        for name in names
        if arguments[name].dtype != np.dtype(bool)
    }

    assert found == dict.fromkeys(found, INVALID)
