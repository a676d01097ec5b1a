"""Norms of vectors: what is refused, and what an order stands for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, NULL, code_with, device, tensor

import pyaclnn as pa

RIGHT: dict[str, Any] = {
    "self": tensor(3, 4), "ord": 2.0, "dims": [1], "keep_dims": False, "dtype": "float32",
    "out": tensor(3),
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, 0),
        ({"self": None}, NULL),
        ({"ord": None}, NULL),
        ({"dims": None}, NULL),
        ({"dtype": "float16"}, INVALID),
        ({"dtype": "float16", "out": tensor(3, dtype="float16")}, INVALID),
        ({"self": tensor(3, 4, dtype="bfloat16")}, 0),
        ({"self": tensor(3, 4, dtype="bfloat16"), "dtype": "float16",
          "out": tensor(3, dtype="float16")}, INVALID),
        ({"self": tensor(3, 4, dtype="float64")}, INVALID),
        ({"self": tensor(3, 4, dtype="int32")}, INVALID),
        ({"dims": [2]}, INVALID),
        ({"dims": [-3]}, INVALID),
        ({"dims": [1, -1]}, INVALID),
        ({"out": tensor(3, 1)}, INVALID),
        ({"keep_dims": True, "out": tensor(3, 1)}, 0),
        ({"self": tensor(*[1] * 9), "out": tensor(*[1] * 8)}, INVALID),
        ({"ord": 0.3}, 0),
    ],
)  # fmt: skip
def test_what_a_norm_takes(changes: dict[str, Any], expected: int) -> None:
    assert code_with("linalg_vector_norm", RIGHT, **changes) == expected


@pytest.mark.parametrize("order", [2.0, np.inf, -np.inf, 0.0])
def test_a_norm_of_nothing_is_zero(order: float) -> None:
    out = pa.ones((3,))

    assert pa.ops.linalg_vector_norm(tensor(3, 0), order, [1], False, "float32", out=out).numpy(
    ).tolist() == [0, 0, 0]  # fmt: skip


def test_the_square_of_what_a_type_cannot_hold_is_held() -> None:
    x = device([3e30, 4e30])

    assert pa.ops.linalg_vector_norm(x, 2.0, (), False, "float32").numpy() == np.float32(5e30)
