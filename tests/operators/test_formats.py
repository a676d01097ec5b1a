"""Every operator accepts the memory formats that CANN's accepts, and refuses the others."""

from __future__ import annotations

import os
import sys

import pytest
from children import output_of
from operators import formats
from operators.calls import INVALID, code_of
from operators.fullest import GRADIENT, fullest
from operators.refusals import NULL_CODES
from operators.test_refusals import HERE

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

every_operator = pytest.mark.parametrize("name", HERE)
with_rule = pytest.mark.parametrize("name", sorted(formats.RULES))


@every_operator
def test_every_format_of_every_tensor_is_answered_as_by_cann(name: str) -> None:
    assert formats.disagreements(name) == []


def test_every_operator_has_a_rule_or_none() -> None:
    assert not formats.ANY & formats.RULES.keys()
    assert formats.ANY | formats.RULES.keys() == GRADIENT.keys()


@pytest.mark.parametrize("name", sorted(formats.RULES_950))
def test_formats_of_the_950(name: str) -> None:
    program = f"""
    from operators.formats import disagreements
    print(disagreements("{name}"))
    """
    path = os.pathsep.join(sys.path)
    assert output_of(program, PYACLNN_SIM_SOC="Ascend910_95", PYTHONPATH=path) == "[]"


def refused(name: str) -> tuple[str, int]:
    """Return an argument and a format it is refused with."""
    call, rule = fullest(name), formats.RULES[name]
    names = [*rule.alike.split(), *(n for names in rule.accepted for n in names.split())]
    for argument in names:
        for format in reversed(formats.ALL):
            wrong = formats.formatted(call, argument, format)
            if formats.answer(call, {argument: wrong})[1]:
                return argument, format
    raise AssertionError(f"{name} refuses no format")


@with_rule
def test_a_missing_tensor_comes_before_a_wrong_format(name: str) -> None:
    call = fullest(name)
    argument, format = refused(name)
    wrong = formats.formatted(call, argument, format)
    pointers = (pa.Tensor, tuple, list)
    other = next(
        n for n, v in call.inputs.items()
        if isinstance(v, pointers)
        and NULL_CODES.get((name, n)) != 0
        and (n != argument or n == "tensors")
    )  # fmt: skip
    missing = call.code({other: None})

    assert missing != 0
    assert call.code({argument: wrong, other: None}) == missing


@with_rule
def test_formats_are_looked_at_in_the_order_of_cann(name: str) -> None:
    call, rule = fullest(name), formats.RULES[name]
    argument, format = refused(name)

    def is_for_format(changed: pa.Tensor) -> bool:
        wrong = formats.reformatted(changed, format)
        value = [wrong, wrong] if isinstance(call.inputs.get(argument), list) else wrong
        return formats.answer(call, {argument: value})[1]

    right = formats.tensors_of(call)[argument][-1]
    assert is_for_format(pa.ones(right.shape, "uint16")) is not rule.after_types
    larger = tuple(n + 1 for n in right.shape)
    found = [is_for_format(pa.ones(shape, right.dtype)) for shape in (larger, (2, *larger))]
    assert not all(found) if rule.after_shapes else any(found)


@pytest.mark.parametrize(("operator", "expected"), [("left_shift", INVALID), ("right_shift", 0)])
def test_only_left_shifts_mind_the_blocks_that_a_tensor_says_it_has(
    operator: str, expected: int
) -> None:
    x, bits = pa.zeros((7,), "int8"), with_format(pa.zeros((7,), "int8"), "FRACTAL_Z")

    assert code_of(pa.ops[operator], x, bits) == expected
