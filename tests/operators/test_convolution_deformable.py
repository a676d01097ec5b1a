"""Convolutions at points that are moved: statuses, gradients by finite differences, odd points."""

from __future__ import annotations

import sys
from dataclasses import replace
from os import pathsep
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from children import output_of
from finite_differences import numeric_gradient
from operators.calls import INNER_NULL, INVALID, NULL, code_with, ones

import pyaclnn as pa
from pyaclnn.selftest.suites.convolution_deformable import Moved

FORWARD, BACKWARD = "deformable_conv2d", "deformable_conv2d_backward"
_NUMBERS: dict[str, Any] = {
    "kernel_size": (3, 2), "stride": (1, 1, 1, 1), "padding": (1, 1, 0, 1),
    "dilation": (1, 1, 1, 1), "groups": 1, "deformable_groups": 2, "modulated": True,
}  # fmt: skip
RIGHT: dict[str, dict[str, Any]] = {
    FORWARD: {
        "x": ones(2, 4, 5, 6), "weight": ones(3, 4, 3, 2), "offset": ones(2, 36, 5, 6),
        "bias_optional": ones(3), **_NUMBERS,
        "out": ones(2, 3, 5, 6), "deform_out_optional": ones(2, 4, 15, 12),
    },
    BACKWARD: {
        "input": ones(2, 4, 5, 6), "grad_output": ones(2, 3, 5, 6),
        "offset_out": ones(2, 4, 15, 12), "weight": ones(3, 4, 3, 2),
        "offset": ones(2, 36, 5, 6), **_NUMBERS,
        "grad_input": ones(2, 4, 5, 6), "grad_weight": ones(3, 4, 3, 2),
        "grad_offset": ones(2, 36, 5, 6), "grad_bias": ones(3),
    },
}  # fmt: skip


def _answers(operator: str, **changed: Any) -> int:
    right = dict(RIGHT[operator])
    if operator == FORWARD:
        right["out"] = (
            changed.pop("out", right["out"]),
            changed.pop("deform_out_optional", right.pop("deform_out_optional")),
        )
    return code_with(operator, right, **changed)


_WRONG: tuple[tuple[dict[str, Any], int], ...] = (
    ({"weight": None}, NULL), ({"offset": None}, NULL), ({"dilation": None}, NULL),
    ({"weight": ones(3, 4, 3, 2, dtype="float16")}, INVALID),
    ({"kernel_size": (3, 2, 1)}, INVALID), ({"kernel_size": (0, 2)}, INVALID),
    ({"kernel_size": (2**62, 2**62)}, INVALID), ({"kernel_size": (2049, 1)}, INVALID),
    ({"stride": (1, 1)}, INVALID), ({"stride": (2, 1, 1, 1)}, INVALID),
    ({"stride": (1, 1, 0, 1)}, INVALID), ({"stride": (1, 1, 1, 2**63 - 1)}, INVALID),
    ({"padding": (0, 0, 0, 0)}, INVALID), ({"padding": (2**63 - 1, 2**63 - 1, 0, 1)}, INVALID),
    ({"dilation": (1, 1, 1, 2**63 - 1)}, INVALID), ({"dilation": (1, 1, -1, 1)}, INVALID),
    ({"groups": 0}, INVALID), ({"groups": 3}, INVALID), ({"groups": -4}, INVALID),
    ({"deformable_groups": 0}, INVALID), ({"deformable_groups": 3}, INVALID),
    ({"deformable_groups": 1}, INVALID), ({"modulated": False}, INVALID),
    ({"weight": ones(3, 4, 2, 3)}, INVALID), ({"offset": ones(2, 24, 5, 6)}, INVALID),
    ({"offset": ones(36, 5, 6)}, INVALID),
)  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, 0), ({"bias_optional": None}, 0), ({"deform_out_optional": False}, 0), *_WRONG,
        ({"x": ones(2, 4, 5)}, INVALID), ({"bias_optional": ones(4)}, INVALID),
        ({"bias_optional": ones(3, 1)}, INVALID), ({"out": ones(2, 3, 5, 5)}, INVALID),
        ({"out": ones(2, 3, 5, 6, dtype="float16")}, INVALID),
        ({"deform_out_optional": ones(2, 4, 5, 6)}, INVALID),
        ({"x": pa.zeros((2, 4, 5, 6), "int32")}, INVALID),
        # Nothing is computed where there is no image.
        ({"x": ones(0, 4, 5, 6), "offset": ones(0, 36, 5, 6), "out": ones(0, 3, 5, 6),
          "deform_out_optional": ones(0, 4, 15, 12)}, 0),
    ],
)  # fmt: skip
def test_the_convolution_answers_as_cann(changed: dict[str, Any], expected: int) -> None:
    assert _answers(FORWARD, **changed) == expected


def statuses_of_gradients() -> None:
    """On a 950: each status."""
    wrong: tuple[tuple[dict[str, Any], int], ...] = (
        *_WRONG, ({"input": ones(2, 4, 5)}, INVALID), ({"grad_bias": ones(4)}, INVALID),
        ({"padding": (-1, 3, 0, 1)}, INVALID), ({"grad_output": ones(2, 3, 5, 5)}, INVALID),
        ({"offset_out": ones(2, 4, 5, 6)}, INVALID), ({"grad_offset": ones(2, 24, 5, 6)}, INVALID),
        ({"grad_weight": ones(3, 4, 3, 2, dtype="float16")}, INVALID), ({}, 0),
    )  # fmt: skip
    for changed, expected in wrong:
        assert _answers(BACKWARD, **changed) == expected, changed


def derivatives() -> None:
    """On a 950: each gradient against finite differences of the truth."""
    rng = np.random.default_rng(5)
    start = Moved(
        rng.normal(0, 1, (2, 4, 5, 6)), rng.uniform(-1.9, 1.9, (2, 3, 2, 6, 5, 6)),
        (3, 2), (1, 1), (1, 1, 0, 1), (1, 1),
    )  # fmt: skip
    weight, grad = rng.normal(0, 1, (4, 2, 3, 2)), rng.normal(0, 1, (2, 4, 5, 6))
    given = (start.x, grad, start.sampled(), weight, start.offset.reshape(2, 36, 5, 6))
    numbers = {**_NUMBERS, "groups": 2}
    by_image, by_weight, by_offset, by_bias = (
        result.numpy()
        for result in pa.ops[BACKWARD](
            *(pa.asarray(a.astype(np.float32)) for a in given), *numbers.values()
        )
    )

    def check(seen: Any, at: Any, part: Any, forward: Any) -> None:
        def of(value: Any) -> Any:
            changed = at.copy()
            changed[part] = value
            return forward(changed)

        expected = numeric_gradient(of, at[part], grad)
        assert np.allclose(seen.reshape(at.shape)[part], expected, rtol=1e-3, atol=1e-3)

    check(by_image, start.x, (1, 2), lambda x: replace(start, x=x).out(weight, None, 2))
    moved = (1, slice(None), 1, slice(2), 2)
    check(by_offset, start.offset, moved, lambda o: replace(start, offset=o).out(weight, None, 2))
    check(by_weight, weight, 3, lambda w: start.out(w, None, 2))
    check(by_bias, np.zeros(4), slice(1, 2), lambda b: start.out(weight, b, 2))


def test_the_gradients() -> None:
    tests = str(Path(__file__).parents[1])
    output_of(
        "from operators.test_convolution_deformable import derivatives, statuses_of_gradients\n"
        "statuses_of_gradients()\nderivatives()",
        PYACLNN_SIM_SOC="Ascend910_95", PYTHONPATH=pathsep.join([tests, *sys.path]),
    )  # fmt: skip


def test_the_gradients_are_not_there_on_other_chips() -> None:
    assert _answers(BACKWARD) == INNER_NULL
    assert _answers(BACKWARD, weight=None) == NULL


@pytest.mark.parametrize("place", [float("nan"), float("inf"), -1e30, 1e30, 2.0**40])
def test_points_outside_of_the_image_count_for_nothing(place: float) -> None:
    offset = pa.full((2, 36, 5, 6), place, "float32")
    given = {**RIGHT[FORWARD], "offset": offset, "bias_optional": None}
    given = {k: v for k, v in given.items() if k not in ("out", "deform_out_optional")}

    out, points = pa.ops[FORWARD](**given)

    assert not out.numpy().any()
    assert points.shape == (2, 4, 15, 12)
