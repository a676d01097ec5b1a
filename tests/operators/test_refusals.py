"""Every simulated operator refuses null, wrong types, wrong shapes and wrong attributes.

The order of the checks, and what else one operator refuses, is in the file of its family.
"""

from __future__ import annotations

from typing import Any

import pytest
from operators import refusals
from operators.calls import INVALID, NULL
from operators.fullest import Call, fullest

import pyaclnn as pa
from pyaclnn import catalogue
from pyaclnn.selftest.chips import soc_name
from pyaclnn.selftest.suites import GRADIENTS, SUITES

HERE = [suite.operator for suite in GRADIENTS if not suite.chip]
every_operator = pytest.mark.parametrize("name", HERE)


def disagreements(
    call: Call, wrong: dict[str, Any], table: refusals.Table, usual: int
) -> list[str]:
    """Say which of these arguments, one at a time, is answered otherwise than expected."""
    found = []
    for argument, value in wrong.items():
        expected = table.get((call.operator, argument), table.get((call.operator, "*"), usual))
        code = call.code({argument: value})
        if code != expected:
            found.append(f"{argument}: {code}, expected {expected}")
    return found


@every_operator
def test_the_right_arguments_are_accepted(name: str) -> None:
    assert fullest(name).code({}) == 0


@every_operator
def test_null_is_refused(name: str) -> None:
    call = fullest(name)
    pointers = (pa.Tensor, tuple, list, str)
    required = {n: None for n, v in call.inputs.items() if isinstance(v, pointers)}

    assert disagreements(call, required, refusals.NULL_CODES, NULL) == []


@every_operator
def test_an_element_type_of_no_operator_is_refused(name: str) -> None:
    call = fullest(name)
    wrong = call.each_changed(lambda tensor: pa.ones(tensor.shape, "uint16"))

    assert disagreements(call, wrong, refusals.DTYPE_CODES, INVALID) == []


@every_operator
def test_a_shape_that_fits_nothing_is_refused(name: str) -> None:
    call = fullest(name)
    wrong = call.each_changed(
        lambda tensor: pa.ones(tuple(n + 1 for n in tensor.shape) or (2, 3), tensor.dtype)
    )

    assert disagreements(call, wrong, refusals.SHAPE_CODES, INVALID) == []


@every_operator
def test_attributes_out_of_their_range_are_refused(name: str) -> None:
    call = fullest(name)
    wrong = refusals.WRONG_ATTRIBUTES.get(name, {})

    found = [
        f"{argument} = {value}: {code}, expected {expected}"
        for argument, (value, expected) in wrong.items()
        if (code := call.code({argument: value})) != expected
    ]

    assert found == []


@every_operator
def test_every_attribute_has_a_wrong_value_or_a_reason_for_having_none(name: str) -> None:
    tensors = fullest(name).each_changed(lambda tensor: tensor)
    attributes = {
        argument
        for argument, value in fullest(name).inputs.items()
        if not isinstance(value, pa.Tensor | bool | None) and argument not in tensors
    }
    free = {argument for operator, argument in refusals.ANY_VALUE if operator == name}
    limited = set(refusals.WRONG_ATTRIBUTES.get(name, {}))

    assert limited | free == attributes
    assert not limited & free


def test_all_simulated_operators_are_in_this_file() -> None:
    elsewhere = {suite.operator for suite in SUITES if suite.chip not in ("", soc_name())}
    simulated = {entry.name for entry in catalogue.collect() if entry.library}

    from_table = {suite.operator for suite in SUITES if suite not in GRADIENTS}  # test_table.py
    assert simulated == {*HERE, *elsewhere, *from_table}
