"""Attention to points of feature maps: statuses, gradients by finite differences, odd data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from finite_differences import numeric_gradient
from operators.calls import INNER_NULL, INVALID, NULL, ones
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.selftest.suites.deformable_attention import Deformable

_GIVEN: dict[str, Any] = {
    "value": ones(2, 10, 3, 8), "spatial_shape": pa.asarray(np.array([[2, 3], [2, 2]], np.int32)),
    "level_start_index": pa.asarray(np.array([0, 6], np.int32)),
    "location": pa.full((2, 32, 3, 2, 4, 2), 0.5, "float32"), "attn_weight": ones(2, 32, 3, 2, 4),
}  # fmt: skip
FUNCTION, GRAD = "multi_scale_deformable_attn_function", "multi_scale_deformable_attention_grad"
RIGHT = {
    FUNCTION: {**_GIVEN, "output": ones(2, 32, 24)},
    GRAD: {
        **_GIVEN, "grad_output": ones(2, 32, 24), "grad_value": ones(2, 10, 3, 8),
        "grad_location": ones(2, 32, 3, 2, 4, 2), "grad_attn_weight": ones(2, 32, 3, 2, 4),
    },
}  # fmt: skip

_BOTH = (
    ("value", None, NULL), ("attn_weight", None, NULL), ("value", ones(2, 10, 24), INVALID),
    ("value", pa.zeros((2, 10, 3, 8), "int32"), INVALID), ("value", ones(2, 10, 3, 12), INVALID),
    ("value", ones(2, 10, 17, 8), INVALID), ("spatial_shape", ones(2, 2), INVALID),
    ("spatial_shape", pa.zeros((2, 3), "int32"), INVALID),
    ("level_start_index", pa.zeros((2,), "int64"), INNER_NULL),
    ("location", ones(2, 32, 3, 2, 4, 3), INVALID), ("value", ones(3, 10, 3, 8), INNER_NULL),
    ("location", ones(2, 32, 3, 2, 4, 2, dtype="float16"), INNER_NULL),
)  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(
    RIGHT,
    {
        FUNCTION: (
            *_BOTH, ("location", ones(2, 31, 3, 2, 4, 2), INVALID),
            ("output", ones(2, 32, 24, dtype="float16"), INVALID),
            ("output", ones(2, 32, 3, 8), INNER_NULL),
        ),
        GRAD: (
            *_BOTH, ("grad_output", ones(2, 32, 3, 8), INVALID), ("grad_output", None, NULL),
            ("grad_output", ones(2, 32, 25), INNER_NULL),
            ("grad_value", ones(2, 10, 24), INNER_NULL),
        ),
    },
)  # fmt: skip


def _called(name: str, **changed: Any) -> Any:
    given = {**RIGHT[name], **changed}
    return pa.ops[name](*(given[p.name] for p in pa.ops[name].spec.inputs))


@pytest.mark.parametrize("name", ["value", "location", "weight"])
def test_the_gradients_are_the_derivatives(name: str) -> None:
    rng = np.random.default_rng(7)
    start = Deformable(
        rng.normal(0, 1, (2, 10, 3, 8)), ((2, 3), (2, 2)),
        rng.uniform(-0.1, 1.1, (2, 32, 3, 2, 4, 2)), rng.normal(0, 1, (2, 32, 3, 2, 4)),
    )  # fmt: skip
    grad = rng.normal(0, 1, (2, 32, 3, 8))
    given = {"value": start.value, "location": start.location, "attn_weight": start.weight}
    on_device = {key: pa.asarray(x.astype(np.float32)) for key, x in given.items()}
    flat = pa.asarray(grad.reshape(2, 32, 24).astype(np.float32))
    results = dict(
        zip(("value", "location", "weight"), _called(GRAD, **on_device, grad_output=flat),
            strict=True)
    )  # fmt: skip
    part = (0, slice(0, 2)) if name == "value" else (0, 0)
    whole = getattr(start, name)

    def forward(x: Any) -> Any:
        changed = whole.copy()
        changed[part] = x
        return replace(start, **{name: changed}).out()

    expected = numeric_gradient(forward, whole[part], grad)

    assert np.allclose(results[name].numpy()[part], expected, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize(
    "changed",
    [
        {"location": pa.full((2, 32, 3, 2, 4, 2), float("nan"), "float32")},
        {"location": pa.full((2, 32, 3, 2, 4, 2), 1e30, "float32")},
        {"level_start_index": pa.asarray(np.array([-(2**31), 2**31 - 1], np.int32))},
        {"spatial_shape": pa.full((2, 2), 2**31 - 1, "int32")},
        {"spatial_shape": pa.full((2, 2), -3, "int32")},
    ],
)
def test_points_outside_of_the_maps_count_for_nothing(changed: dict[str, Any]) -> None:
    assert not _called(FUNCTION, **changed).numpy().any()
    assert not any(result.numpy().any() for result in _called(GRAD, **changed))
