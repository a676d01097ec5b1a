"""The cross entropy of classes refuses what CANN's refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, NULL, TILING, code_with, ones

import pyaclnn as pa

RIGHT: dict[str, Any] = {
    "input": ones(4, 3), "target": pa.zeros((4,), "int64"), "weight_optional": ones(3),
    "reduction_optional": "none", "ignore_index": -100, "label_smoothing": 0.0,
    "lse_square_scale_for_zloss": 0.0, "return_zloss": False, "loss_out": ones(4),
    "log_prob_out": ones(4, 3), "zloss_out": ones(4), "lse_for_zloss_out": ones(4),
}  # fmt: skip

CASES: tuple[tuple[str, Any, int], ...] = (
    ("input", None, NULL), ("target", None, NULL), ("weight_optional", None, 0),
    ("input", ones(4, 3, dtype="float64"), INVALID),
    ("loss_out", ones(4, dtype="float16"), INVALID),
    ("lse_for_zloss_out", ones(4, dtype="float16"), INVALID),
    ("target", pa.zeros((4,), "int32"), INVALID), ("target", ones(4), INVALID),
    ("weight_optional", ones(3, dtype="float16"), INVALID), ("weight_optional", ones(4), TILING),
    ("weight_optional", ones(1, 3), TILING), ("target", pa.zeros((3,), "int64"), TILING),
    ("target", pa.zeros((4, 1), "int64"), TILING), ("input", ones(4, 3, 1), TILING),
    ("reduction_optional", "avg", TILING), ("reduction_optional", "sum", TILING),
    ("label_smoothing", -0.1, TILING), ("label_smoothing", 1.1, TILING),
    ("log_prob_out", ones(3, 4), TILING),
    ("zloss_out", ones(1), TILING), ("lse_for_zloss_out", ones(1), TILING),
    ("lse_square_scale_for_zloss", 0.5, 0), ("return_zloss", True, 0),
)  # fmt: skip


def test_the_right_call_succeeds() -> None:
    assert code_with("cross_entropy_loss", RIGHT) == 0


@pytest.mark.parametrize(
    ("argument", "value", "expected"), CASES, ids=lambda v: v if isinstance(v, str) else ""
)
def test_it_answers_as_cann(argument: str, value: Any, expected: int) -> None:
    assert code_with("cross_entropy_loss", RIGHT, **{argument: value}) == expected


def test_it_writes_into_views_and_leaves_the_outputs_of_the_z_loss() -> None:
    loss, log_prob = pa.zeros((4, 2), "float32")[:, 1], pa.zeros((3, 4), "float32").T
    pa.ops.cross_entropy_loss(
        *(v for name, v in RIGHT.items() if not name.endswith("_out")),
        out=(loss, log_prob, RIGHT["zloss_out"], RIGHT["lse_for_zloss_out"]),
    )

    np.testing.assert_allclose(loss.numpy(), np.full(4, np.log(3)), rtol=1e-6)
    np.testing.assert_allclose(log_prob.numpy(), np.full((4, 3), -np.log(3)), rtol=1e-6)
    np.testing.assert_array_equal(RIGHT["lse_for_zloss_out"].numpy(), np.ones(4))
