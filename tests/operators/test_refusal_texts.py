"""What refusals say: the numbers that were compared, and those that would do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from operators.calls import ones
from operators.test_nsa_compress import RIGHT

import pyaclnn as pa


def _attend(**changed: Any) -> None:
    name = "nsa_compress_attention"
    given = {**RIGHT[name], **changed}
    outputs = [given.pop(output.name) for output in pa.ops[name].spec.outputs]
    pa.ops[name](**given, out=tuple(outputs))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: _attend(actual_seq_q_len_optional=(1, 5)),
            "lengths end with 5 and 30 of 4 and 30 tokens",
        ),
        (
            lambda: pa.ops.max_unpool2d(ones(2, 3), pa.zeros((2, 3), "int32"), (4, 5)),
            "self has 2 dimensions, it must have 3 or 4",
        ),
        (
            lambda: pa.ops.reflection_pad1d(ones(4), (1, 1), out=ones(6)),
            "self has 1 dimensions, it must have 2 or 3",
        ),
    ],
    ids=["lengths", "unpooling", "padding"],
)
def test_the_numbers_compared_are_named(call: Callable[[], object], text: str) -> None:
    with pytest.raises(pa.AclError) as refused:
        call()

    assert text in str(refused.value)
