"""Attention over two axes: statuses, and the gradients that its suite compares with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from finite_differences import numeric_gradient
from operators.calls import INNER_NULL, INVALID, NULL, TILING, ones
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.selftest.suites.floyd_attention import Floyd

NAMES = ("query", "key1", "value1", "key2", "value2")


def halves(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="float16")


_WHOLE, _FIRST, _SECOND = (1, 1, 16, 128, 32), (1, 1, 16, 128, 32), (1, 1, 128, 128, 32)
_GIVEN: dict[str, Any] = {
    "query": halves(*_WHOLE), "key1": halves(*_FIRST), "value1": halves(*_FIRST),
    "key2": halves(*_SECOND), "value2": halves(*_SECOND), "scale_value_optional": 1.0,
    "scale_value": 1.0, "dy": halves(*_WHOLE), "attention_in": halves(*_WHOLE),
    "softmax_max": ones(1, 1, 16, 128, 8), "softmax_sum": ones(1, 1, 16, 128, 8),
}  # fmt: skip
_OUTPUTS = {
    "softmax_max_out": ones(1, 1, 16, 128, 8), "softmax_sum_out": ones(1, 1, 16, 128, 8),
    "attention_out_out": halves(*_WHOLE), "dq_out": halves(*_WHOLE), "dk1_out": halves(*_FIRST),
    "dv1_out": halves(*_FIRST), "dk2_out": halves(*_SECOND), "dv2_out": halves(*_SECOND),
}  # fmt: skip


def _right(operator: str) -> dict[str, Any]:
    spec = pa.ops[operator].spec
    return {p.name: {**_GIVEN, **_OUTPUTS}.get(p.name) for p in (*spec.inputs, *spec.outputs)}


RIGHT = {name: _right(name) for name in ("fused_floyd_attention", "fused_floyd_attention_grad")}

_BOTH = (
    ("query", None, NULL), ("value2", None, NULL), ("query", ones(*_WHOLE), INVALID),
    ("key1", halves(1, 1, 16, 128, 64), TILING), ("key2", halves(1, 1, 128, 64, 32), TILING),
    ("query", halves(16, 128, 32), TILING), ("query", halves(1, 1, 16, 0, 32), TILING),
    ("atten_mask_optional", ones(1, 1, 16, 128, 128, dtype="bool"), TILING),
    ("atten_mask_optional", halves(1, 1, 16, 1, 128), INVALID),
    ("atten_mask_optional", ones(1, 1, 16, 1, 128, dtype="uint8"), 0),
)  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(
    RIGHT,
    {
        "fused_floyd_attention": (*_BOTH, ("softmax_max_out", ones(16, 128, 8), INNER_NULL)),
        "fused_floyd_attention_grad": (
            *_BOTH, ("softmax_max", None, NULL), ("softmax_sum", ones(1, 1, 16, 128, 1), TILING),
            ("dy", halves(1, 1, 16, 128, 64), TILING), ("dk2_out", halves(*_FIRST), INNER_NULL),
        ),
    },
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_the_gradients_of_the_suite_are_those_of_its_forward_pass(name: str) -> None:
    rng = np.random.default_rng(5)
    first, second = (1, 2, 2, 4, 3), (1, 2, 4, 3, 3)
    shapes = ((1, 2, 2, 3, 3), first, first, second, second)
    given = {x: rng.normal(0, 1, shape) for x, shape in zip(NAMES, shapes, strict=True)}
    grad = rng.normal(0, 1, shapes[0])
    mask = np.zeros((1, 1, 2, 1, 4), bool)
    mask[..., 2] = True
    floyd = Floyd(given, mask, 0.5)

    expected = numeric_gradient(
        lambda x: Floyd({**given, name: x}, mask, 0.5).out, given[name], grad
    )

    assert np.allclose(floyd.gradients(grad, floyd.out)[NAMES.index(name)], expected, atol=1e-5)
