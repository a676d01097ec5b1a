"""Norms of vectors: what is refused, and what an order stands for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID, NULL, code, code_with, device, ones

import pyaclnn as pa

RIGHT: dict[str, Any] = {
    "self": ones(3, 4), "ord": 2.0, "dims": [1], "keep_dims": False, "dtype": "float32",
    "out": ones(3),
}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, 0),
        ({"self": None}, NULL),
        ({"ord": None}, NULL),
        ({"dims": None}, NULL),
        ({"dtype": "float16"}, INVALID),
        ({"dtype": "float16", "out": ones(3, dtype="float16")}, 0),
        ({"self": ones(3, 4, dtype="bfloat16")}, 0),
        ({"self": ones(3, 4, dtype="bfloat16"), "dtype": "float16",
          "out": ones(3, dtype="float16")}, 0),
        ({"self": ones(3, 4, dtype="float64")}, 0),
        ({"self": ones(3, 4, dtype="int32")}, 0),
        ({"self": ones(3, 4, dtype="uint16")}, INVALID),
        ({"dims": [2]}, INVALID),
        ({"dims": [-3]}, INVALID),
        ({"dims": [1, -1]}, INVALID),
        ({"out": ones(3, 1)}, INVALID),
        ({"keep_dims": True, "out": ones(3, 1)}, 0),
        ({"self": ones(*[1] * 9), "out": ones(*[1] * 8)}, INVALID),
        ({"ord": 0.3}, 0),
    ],
)  # fmt: skip
def test_what_a_norm_takes(changes: dict[str, Any], expected: int) -> None:
    assert code_with("linalg_vector_norm", RIGHT, **changes) == expected


@pytest.mark.parametrize("order", [2.0, np.inf, -np.inf, 0.0])
def test_a_norm_of_nothing_is_zero(order: float) -> None:
    out = pa.ones((3,))

    assert pa.ops.linalg_vector_norm(ones(3, 0), order, [1], False, "float32", out=out).numpy(
    ).tolist() == [0, 0, 0]  # fmt: skip


def test_the_square_of_what_a_type_cannot_hold_is_held() -> None:
    x = device([3e30, 4e30])

    assert pa.ops.linalg_vector_norm(x, 2.0, (), False, "float32").numpy() == np.float32(5e30)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, 0),
        ({"self": None}, NULL),
        ({"p": None}, NULL),
        ({"max_norm": None}, NULL),
        ({"self": ones(3, 4, dtype="int32"), "out": ones(3, 4, dtype="int32")}, INVALID),
        ({"out": ones(3, 4, dtype="float16")}, INVALID),
        ({"self": ones(3), "out": ones(3)}, INVALID),
        ({"out": ones(4, 3)}, INVALID),
        ({"p": -0.5}, INVALID),
        ({"max_norm": -1.0}, INVALID),
        ({"dim": 2}, INVALID),
        ({"dim": -2}, 0),
    ],
)
def test_what_a_limit_on_norms_takes(changes: dict[str, Any], expected: int) -> None:
    right = {"self": ones(3, 4), "p": 2.0, "dim": 0, "max_norm": 1.0, "out": ones(3, 4)}

    assert code_with("renorm", right, **changes) == expected


def test_the_largest_of_nothing_is_not_written() -> None:
    out = pa.full((), 7.0)

    pa.ops.max_v2(pa.zeros((0, 3)), [], False, False, out=out)

    assert float(out.numpy()) == 7


@pytest.mark.parametrize(
    ("operator", "arguments", "out", "expected"),
    [
        ("max_v2", (ones(2, 3), [0], False, True), ones(3), 0),
        ("max_v2", (ones(2, 3), [], False, True), ones(2, 3), 0),
        ("max_v2", (ones(2, 3), [], False, False), ones(2, 3), INVALID),
        ("max_v2", (ones(2, 3), [0, -2], False, False), ones(3), INVALID),
        ("max_v2", (ones(2, 0), [1], False, False), ones(2), INVALID),
        ("max_v2", (ones(2, 0), [0], False, False), ones(0), 0),
        ("max_v2", (ones(2, 3), [0], False, False), ones(3, dtype="float16"), INVALID),
        ("mean_v2", (ones(2, 3), [0], False, True), ones(3, dtype="float16"), INVALID),
        ("mean_v2", (ones(2, 3), [], False, True), ones(3), INVALID),
        ("mean_v2", (ones(2, 3), [2], False, True), ones(3), INVALID),
        ("mean_v2", (ones(3), [0], True, False), ones(0), INVALID),
        ("mean_v2", (ones(2, 3, dtype="bool"), [0], False, True), ones(3), INVALID),
        ("reduce_log_sum", (ones(2, 3), [0], True, False), ones(1, 3), 0),
        # CANN says in its log that an axis stands twice, and goes on.
        ("reduce_log_sum", (ones(2, 3), [0, 0], True, False), ones(1, 3), 0),
        ("reduce_log_sum", (ones(2, 3), [], True, True), ones(1, 3), INNER_NULL),
        ("reduce_log_sum", (ones(2, 3), [0], True, False), ones(3), INVALID),
        ("reduce_log_sum", (ones(2, 3, dtype="bfloat16"), [0], True, False), None, INVALID),
        ("max_n", ([],), ones(3), INVALID),
        ("max_n", ([ones(3), None],), ones(3), NULL),
        ("max_n", ([ones(3), ones(2)],), ones(3), INVALID),
        ("max_n", ([ones(3), ones(2, 1)],), ones(2, 3), 0),
        ("min_n", ([ones(3, dtype="int16")],), ones(3, dtype="int16"), INVALID),
        ("min_n", ([ones(3), ones(3, dtype="float16")],), ones(3), INVALID),
        ("sum", ([ones(3), ones(2, 1)],), ones(2, 3), 0),
        ("sum", ([ones(3), ones(2, 1)],), ones(3), INVALID),
        ("sum", ([ones(3, dtype="bfloat16")],), ones(3, dtype="bfloat16"), INVALID),
    ],
)
def test_reductions_that_are_refused(
    operator: str, arguments: tuple[Any, ...], out: pa.Tensor | None, expected: int
) -> None:
    assert code(operator, *arguments, out=out) == expected


def test_a_mean_of_nothing_fills_what_it_is_given() -> None:
    out = pa.ones((2, 2))

    assert np.isnan(pa.ops.mean_v2(ones(0, 3), [0], False, False, out=out).numpy()).all()


def test_extrema_of_a_list_show_nan() -> None:
    tensors = [device([1, np.nan, 3]), device([2, 5, np.nan])]

    assert np.isnan(pa.ops.max_n(tensors).numpy()).tolist() == [False, True, True]
    assert np.isnan(pa.ops.min_n(tensors).numpy()).tolist() == [False, True, True]


def test_the_norm_of_integers_is_computed_in_float32() -> None:
    x = device(np.array([[3, 4], [6, 8]], np.int32))

    found = pa.ops.linalg_vector_norm(x, 2.0, [1], False, "float32")

    assert found.numpy().tolist() == [5, 10]
