"""Gradients of distances between points: refusals in CANN's order, forward functions, edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from finite_differences import Array, numeric_gradient
from operators.calls import INNER_NULL, INVALID, NULL, TILING, code_with, device, ones

import pyaclnn as pa

CDIST = {
    "grad": ones(2, 3, 4), "x1": ones(2, 3, 5), "x2": ones(2, 4, 5),
    "cdist": ones(2, 3, 4), "p": 2.0, "out": ones(2, 3, 5),
}  # fmt: skip
CHAMFER = {
    "xyz1": ones(2, 3, 2), "xyz2": ones(2, 4, 2), "idx1": pa.zeros((2, 3), "int32"),
    "idx2": pa.zeros((2, 4), "int32"), "grad_dist1": ones(2, 3), "grad_dist2": ones(2, 4),
    "out": (ones(2, 3, 2), ones(2, 4, 2)),
}  # fmt: skip


def test_right_arguments_are_accepted() -> None:
    assert code_with("cdist_backward", CDIST) == 0
    assert code_with("chamfer_distance_backward", CHAMFER) == 0


@pytest.mark.parametrize("missing", ["grad", "x1", "x2", "cdist"])
def test_a_null_cdist_argument_comes_first(missing: str) -> None:
    assert code_with("cdist_backward", CDIST, p=-3.0, out=ones(1), **{missing: None}) == NULL


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("grad", ones(2, 3, 4, dtype="int32")),
        ("x1", ones(2, 3, 5, dtype="float16")),
        ("x2", ones(4, 5)),
        ("x2", ones(3, 4, 5)),
        ("x2", ones(2, 4, 6)),
        ("x2", ones(2, 3, 5)),
        ("cdist", ones(2, 4, 3)),
        ("grad", ones(2, 4, 3)),
        ("out", ones(2, 4, 5)),
        ("p", -0.5),
        ("p", -2.0),
    ],
)
def test_a_wrong_cdist_argument_is_refused(argument: str, value: Any) -> None:
    assert code_with("cdist_backward", CDIST, **{argument: value}) == INVALID


def test_vectors_and_eight_dimensions_are_refused() -> None:
    for rank in (1, 8):
        t = ones(*[1] * rank)
        right = {"grad": t, "x1": t, "x2": t, "cdist": t, "p": 2.0, "out": t}
        assert code_with("cdist_backward", right) == INVALID


def test_a_batch_of_x1_is_not_summed() -> None:
    # The kernel's result has the batch of x2, which an output like x1 does not hold.
    changes = {"x1": ones(1, 3, 5), "out": ones(1, 3, 5)}
    assert code_with("cdist_backward", CDIST, **changes) == INNER_NULL


@pytest.mark.parametrize("p", [0.0, 1.0, 1.5, 2.0, 3.0, float("inf"), -1.0])
def test_cdist_is_the_derivative_of_the_distance(p: float) -> None:
    rng = np.random.default_rng(7)
    x1, x2 = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 4))
    grad = rng.normal(size=(2, 3, 5))
    exponent = np.inf if p == -1 else p

    def forward(value: Array) -> Array:
        d = np.abs(value[:, :, None] - x2[:, None])
        if exponent == 0:
            return np.asarray((d != 0).sum(axis=-1, dtype=np.float64))
        return np.asarray(np.linalg.norm(d, exponent, axis=-1))

    # float32 all the way, so that the largest difference is the distance itself.
    x1, x2 = x1.astype(np.float32).astype(np.float64), x2.astype(np.float32).astype(np.float64)
    distance = forward(x1)
    if np.isinf(exponent):
        single = np.abs(x1.astype(np.float32)[:, :, None] - x2.astype(np.float32)[:, None])
        distance = single.max(axis=-1)
    got = pa.ops.cdist_backward(device(grad), device(x1), device(x2), device(distance), p)
    expected = numeric_gradient(forward, x1, grad)
    np.testing.assert_allclose(got.numpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("p", [0.5, 1.0, 1.5, 2.0, 4.0, float("inf")])
def test_equal_points_have_no_gradient(p: float) -> None:
    x = ones(1, 3)
    got = pa.ops.cdist_backward(ones(1, 1), x, x, pa.zeros((1, 1)), p)
    assert got.numpy().tolist() == [[0, 0, 0]]


@pytest.mark.parametrize("missing", ["xyz1", "xyz2", "idx1", "idx2", "grad_dist1", "grad_dist2"])
def test_a_null_chamfer_argument_comes_first(missing: str) -> None:
    out = (ones(1, dtype="int8"), ones(1, dtype="int8"))
    assert code_with("chamfer_distance_backward", CHAMFER, out=out, **{missing: None}) == NULL


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("xyz1", ones(2, 3, 2, dtype="bfloat16")),
        ("idx1", pa.zeros((2, 3), "int64")),
        ("grad_dist2", ones(2, 4, dtype="float64")),
    ],
)
def test_a_wrong_chamfer_type_is_refused(argument: str, value: pa.Tensor) -> None:
    assert code_with("chamfer_distance_backward", CHAMFER, **{argument: value}) == INVALID


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("xyz1", ones(2, 3, 3)),
        ("xyz2", ones(3, 4, 2)),
        ("idx1", pa.zeros((2, 4), "int32")),
        ("grad_dist2", ones(2, 3)),
    ],
)
def test_a_wrong_chamfer_shape_is_found_in_tiling(argument: str, value: pa.Tensor) -> None:
    assert code_with("chamfer_distance_backward", CHAMFER, **{argument: value}) == TILING


def test_chamfer_results_have_the_type_of_the_first_points() -> None:
    out = (ones(2, 3, 2, dtype="float16"), ones(2, 4, 2))
    assert code_with("chamfer_distance_backward", CHAMFER, out=out) == INNER_NULL


def test_chamfer_is_the_derivative_of_the_squared_distances() -> None:
    rng = np.random.default_rng(3)
    xyz1, xyz2 = rng.normal(size=(2, 4, 2)), rng.normal(size=(2, 5, 2))
    squared = ((xyz1[:, :, None] - xyz2[:, None]) ** 2).sum(axis=-1)
    idx1, idx2 = squared.argmin(axis=2), squared.argmin(axis=1)
    grad1, grad2 = rng.normal(size=(2, 4)), rng.normal(size=(2, 5))

    def total(first: Array, second: Array) -> Array:
        d = ((first[:, :, None] - second[:, None]) ** 2).sum(axis=-1)
        return np.asarray((d.min(axis=2) * grad1).sum() + (d.min(axis=1) * grad2).sum())

    got1, got2 = pa.ops.chamfer_distance_backward(
        device(xyz1), device(xyz2), device(idx1, "int32"), device(idx2, "int32"), device(grad1),
        device(grad2),
    )  # fmt: skip
    one = np.array(1.0)
    expected1 = numeric_gradient(lambda v: total(v, xyz2), xyz1, one)
    expected2 = numeric_gradient(lambda v: total(xyz1, v), xyz2, one)
    np.testing.assert_allclose(got1.numpy(), expected1, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(got2.numpy(), expected2, rtol=1e-5, atol=1e-6)


def test_an_index_that_is_no_point_is_skipped() -> None:
    right = {**CHAMFER, "idx1": pa.full((2, 3), -1, "int32"), "idx2": pa.full((2, 4), 9, "int32")}
    assert code_with("chamfer_distance_backward", right) == 0
    assert all((out.numpy() == 0).all() for out in CHAMFER["out"])
