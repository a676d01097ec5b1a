"""Gradients of look-ups, masks and sums over groups: refusals, forward functions, edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import output_of
from finite_differences import Array, numeric_gradient
from operators.calls import INVALID, NULL, code_with, device, ones

import pyaclnn as pa

NO_PADDING = 2**64 - 1


EMBEDDING = {
    "grad": ones(2, 3, 5), "indices": ones(2, 3, dtype="int64"), "num_weights": 4,
    "padding_idx": NO_PADDING, "scale_grad_by_freq": False, "out": ones(4, 5),
}  # fmt: skip
DROPOUT = {
    "grad_output": ones(3, 50), "mask": ones(32, dtype="uint8"), "scale": 2.0,
    "out": ones(3, 50),
}  # fmt: skip
GROUPED = {
    "grad_y": ones(6, 5), "group_idx_optional": device([2, 6], "int64"), "group_idx_type": 0,
    "out": ones(2, 5),
}  # fmt: skip
SEGSUM = {
    "grad_output": ones(1, 2, 3, 3), "grad_self": ones(1, 2, 3, 3), "out": ones(1, 2, 3),
}  # fmt: skip
OPERATORS: dict[str, dict[str, Any]] = {
    "embedding_dense_backward": EMBEDDING,
    "dropout_backward": DROPOUT,
    "grouped_bias_add_grad_v2": GROUPED,
    "exp_segsum_backward": SEGSUM,
}


@pytest.mark.parametrize("name", OPERATORS)
def test_right_arguments_are_accepted(name: str) -> None:
    assert code_with(name, OPERATORS[name]) == 0


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("embedding_dense_backward", "grad"),
        ("embedding_dense_backward", "indices"),
        ("dropout_backward", "grad_output"),
        ("dropout_backward", "mask"),
        ("grouped_bias_add_grad_v2", "grad_y"),
        ("exp_segsum_backward", "grad_output"),
        ("exp_segsum_backward", "grad_self"),
    ],
)
def test_null_comes_before_a_wrong_type(name: str, missing: str) -> None:
    wrong = {"out": ones(9, dtype="int8"), missing: None}
    assert code_with(name, OPERATORS[name], **wrong) == NULL


@pytest.mark.parametrize(
    ("name", "argument", "value"),
    [
        ("embedding_dense_backward", "grad", ones(2, 3, 5, dtype="int32")),
        ("embedding_dense_backward", "indices", ones(2, 3, dtype="uint32")),
        ("embedding_dense_backward", "indices", ones(5, dtype="int64")),
        ("embedding_dense_backward", "num_weights", 5),
        ("embedding_dense_backward", "out", ones(4, 5, dtype="float64")),
        ("embedding_dense_backward", "out", ones(5, 4)),
        ("embedding_dense_backward", "out", ones(1, 4, 5)),
        ("dropout_backward", "grad_output", ones(3, 50, dtype="int32")),
        ("dropout_backward", "mask", ones(32, dtype="bool")),
        ("dropout_backward", "mask", ones(19, dtype="uint8")),
        ("dropout_backward", "scale", 0.5),
        ("dropout_backward", "scale", -1.0),
        ("dropout_backward", "out", ones(50, 3)),
        ("dropout_backward", "out", ones(3, 50, dtype="int32")),
        ("grouped_bias_add_grad_v2", "grad_y", ones(6, 5, dtype="int32")),
        ("grouped_bias_add_grad_v2", "grad_y", ones(2, 3, 5)),
        ("grouped_bias_add_grad_v2", "group_idx_optional", None),
        ("grouped_bias_add_grad_v2", "group_idx_optional", ones(2)),
        ("grouped_bias_add_grad_v2", "group_idx_optional", ones(3, dtype="int64")),
        ("grouped_bias_add_grad_v2", "group_idx_type", 2),
        ("grouped_bias_add_grad_v2", "group_idx_type", -1),
        ("grouped_bias_add_grad_v2", "out", ones(2, 5, dtype="float16")),
        ("exp_segsum_backward", "grad_output", ones(1, 2, 3, 3, dtype="int32")),
        ("exp_segsum_backward", "grad_output", ones(1, 2, 4, 3)),
        ("exp_segsum_backward", "grad_output", ones(2, 3, 3)),
        ("exp_segsum_backward", "grad_self", ones(1, 1, 3, 3)),
        ("exp_segsum_backward", "grad_self", ones(1, 1, 2, 3, 3)),
        ("exp_segsum_backward", "out", ones(1, 2, 4)),
        ("exp_segsum_backward", "out", ones(1, 2, 3, dtype="float16")),
    ],
)
def test_a_wrong_argument_is_refused(name: str, argument: str, value: Any) -> None:
    assert code_with(name, OPERATORS[name], **{argument: value}) == INVALID


def test_more_than_2048_groups_are_refused() -> None:
    groups = device(np.full(2049, 6), "int64")
    wrong = {"group_idx_optional": groups, "out": ones(2049, 5)}
    assert code_with("grouped_bias_add_grad_v2", GROUPED, **wrong) == INVALID


def test_the_segment_sum_does_not_look_at_empty_tensors() -> None:
    wrong = {"grad_output": ones(0, 7), "out": ones(3, dtype="int8")}
    assert code_with("exp_segsum_backward", SEGSUM, **wrong) == 0


def test_embedding_is_the_derivative_of_the_look_up() -> None:
    weights = np.arange(12.0).reshape(4, 3)
    indices = np.array([[0, 2], [2, 1]])
    grad = np.random.default_rng(0).normal(size=(2, 2, 3))
    expected = numeric_gradient(lambda w: w[indices], weights, grad)
    got = pa.ops.embedding_dense_backward(
        device(grad), device(indices, "int64"), 4, NO_PADDING, False
    )
    np.testing.assert_allclose(got.numpy(), expected, rtol=1e-6, atol=1e-9)


def test_the_padding_row_has_no_gradient() -> None:
    got = pa.ops.embedding_dense_backward(ones(3, 2), device([1, 0, 1], "int64"), 2, 1, False)
    assert got.numpy().tolist() == [[1, 1], [0, 0]]


def test_an_index_outside_of_the_weights_is_skipped() -> None:
    indices = device([5, -1, 1], "int64")
    got = pa.ops.embedding_dense_backward(ones(3, 2), indices, 2, NO_PADDING, False)
    assert got.numpy().tolist() == [[0, 0], [1, 1]]


def test_sums_of_halves_are_rounded_once() -> None:
    # In float16 alone 2048 + 1 + 1 stays 2048.
    grad = device([[2048.0], [1.0], [1.0]], "float16")
    got = pa.ops.embedding_dense_backward(grad, pa.zeros((3,), "int64"), 1, NO_PADDING, False)
    assert got.numpy().tolist() == [[2050.0]]


def test_the_mask_counts_bits_from_the_lowest() -> None:
    mask = np.zeros(16, np.uint8)
    mask[0], mask[1] = 0b00000101, 0b10000000
    got = pa.ops.dropout_backward(ones(16), pa.asarray(mask), 4.0).numpy()
    assert got.tolist() == [4, 0, 4, *[0] * 12, 4]


def test_dropped_elements_are_zero_whatever_the_gradient() -> None:
    got = pa.ops.dropout_backward(pa.full((3,), np.inf), pa.zeros((16,), "uint8"), 2.0)
    assert got.numpy().tolist() == [0, 0, 0]


@pytest.mark.parametrize(("scale", "expected"), [(0.0, 0.0), (1.0, 3.0), (float("inf"), 0.0)])
def test_certain_dropout_does_not_look_at_the_mask(scale: float, expected: float) -> None:
    mask = pa.full((16,), 0b10101010, "uint8")
    got = pa.ops.dropout_backward(pa.full((9,), 3.0), mask, scale)
    assert got.numpy().tolist() == [expected] * 9


def test_groups_are_the_derivative_of_adding_a_bias() -> None:
    bias, ends = np.zeros((3, 2)), np.array([1, 1, 4])
    grad = np.random.default_rng(0).normal(size=(4, 2))
    expected = numeric_gradient(lambda b: b[[0, 2, 2, 2]], bias, grad)
    got = pa.ops.grouped_bias_add_grad(device(grad), device(ends, "int32"))
    np.testing.assert_allclose(got.numpy(), expected, rtol=1e-6, atol=1e-9)


def test_segment_sums_are_the_derivative_of_the_forward_operator() -> None:
    x = np.random.default_rng(0).normal(size=(1, 2, 5))
    grad = np.random.default_rng(1).normal(size=(1, 2, 5, 5))

    def forward(value: Array) -> Array:
        # exp of x[j + 1] + ... + x[i] for j <= i, 0 above the diagonal.
        sums = np.cumsum(value, axis=-1)
        return np.asarray(np.tril(np.exp(sums[..., :, None] - sums[..., None, :])))

    expected = numeric_gradient(forward, x, grad)
    got = pa.ops.exp_segsum_backward(device(grad), device(forward(x)))
    np.testing.assert_allclose(got.numpy(), expected, rtol=1e-5, atol=1e-6)


_ON_950 = """
import numpy as np, pyaclnn as pa
mask = np.zeros(16, np.uint8)
mask[0] = 6
out = pa.ops.dropout_v3_grad(pa.ones((4,)), pa.asarray(mask), -1.5)
print(out.numpy().tolist())
"""


def test_dropout_v3_multiplies_by_any_scale_on_the_950() -> None:
    assert output_of(_ON_950, PYACLNN_SIM_SOC="Ascend950") == "[0.0, -1.5, -1.5, 0.0]"


def test_dropout_v3_is_refused_elsewhere_before_null() -> None:
    right = {"grad_y": None, "mask": ones(16, dtype="uint8"), "scale": 2.0, "out": ones(4)}
    assert code_with("dropout_v3_grad", right) == INVALID
