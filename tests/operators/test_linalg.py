"""Linear algebra by its properties: what is solved or taken apart gives the matrix back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, code, ones

import pyaclnn as pa

TOLERANCE = {"float32": 2e-5, "float64": 1e-12, "complex64": 2e-5, "complex128": 1e-12}
every_type = pytest.mark.parametrize("dtype", TOLERANCE)


def normal(shape: tuple[int, ...], dtype: str, seed: int = 3) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=shape)
    if dtype.startswith("complex"):
        values = values + 1j * rng.normal(size=shape)
    return np.asarray(values).astype(dtype)


def far_apart(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> float:
    return float(np.abs(a - b).max() / max(np.abs(b).max(), 1e-30))


@every_type
@pytest.mark.parametrize("upper", [True, False])
@pytest.mark.parametrize("transpose", [True, False])
def test_a_solution_times_the_triangle_is_the_right_side(
    dtype: str, upper: bool, transpose: bool
) -> None:
    a = normal((3, 40, 40), dtype) + 9 * np.eye(40, dtype=dtype)
    b = normal((3, 40, 7), dtype, 4)

    x, copy = pa.ops.triangular_solve(
        pa.asarray(b), pa.asarray(a), upper, transpose, False
    )  # fmt: skip

    triangle = np.triu(a) if upper else np.tril(a)
    left = triangle.swapaxes(-1, -2) if transpose else triangle
    assert far_apart(left @ x.numpy(), b) < TOLERANCE[dtype]
    np.testing.assert_array_equal(copy.numpy(), a)


def test_a_zero_on_the_diagonal_gives_no_finite_solution() -> None:
    a = np.array([[1.0, 2.0], [0.0, 0.0]], np.float32)
    x, _ = pa.ops.triangular_solve(
        pa.ones((2, 1), "float32"), pa.asarray(a), True, False, False
    )  # fmt: skip

    assert not np.isfinite(x.numpy()).any()


def test_a_diagonal_of_ones_goes_with_float32_only() -> None:
    for dtype in ("float64", "complex64"):
        a = pa.ones((2, 2), dtype)
        assert code("triangular_solve", a, a, True, False, True) == INVALID


@pytest.mark.parametrize(
    ("b", "a"), [((3, 2), (2, 2)), ((2, 2), (2, 3)), ((2, 3, 3), (4, 3, 3)), ((3,), (3, 3))]
)
def test_right_sides_that_do_not_fit_are_refused(b: tuple[int, ...], a: tuple[int, ...]) -> None:
    outs = (ones(*b), ones(*a))

    assert code("triangular_solve", ones(*b), ones(*a), True, False, False, out=outs) == INVALID


@pytest.mark.parametrize(("rows", "expected"), [(1, INVALID), (2, 0), (3, INVALID)])
def test_a_right_side_has_a_row_for_each_equation(rows: int, expected: int) -> None:
    a, outs = ones(2, 2), (ones(2, 4), ones(2, 2))

    assert code("triangular_solve", ones(rows, 4), a, True, False, False, out=outs) == expected


@every_type
def test_an_inverse_undoes_its_matrix(dtype: str) -> None:
    a = normal((2, 50, 50), dtype)

    inverse = pa.ops.inverse(pa.asarray(a)).numpy()

    identity = np.broadcast_to(np.eye(50), a.shape)
    assert far_apart(inverse @ a, identity) < 500 * TOLERANCE[dtype]
    assert far_apart(a @ inverse, identity) < 500 * TOLERANCE[dtype]


def test_pivots_are_exchanged() -> None:
    a = np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 4.0], [8.0, 0.0, 0.0]], np.float32)

    inverse = pa.ops.inverse(pa.asarray(a)).numpy()

    np.testing.assert_array_equal(inverse, [[0, 0, 0.125], [0.5, 0, 0], [0, 0.25, 0]])


def test_a_singular_matrix_has_no_finite_inverse() -> None:
    a = np.array([[1.0, 2.0], [2.0, 4.0]], np.float32)

    assert not np.isfinite(pa.ops.inverse(pa.asarray(a)).numpy()).all()


RECTANGLES = ((6, 6), (9, 4), (4, 9), (3, 30, 20), (1, 5), (5, 1))


def adjoint(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return a.swapaxes(-1, -2).conj()


def is_orthogonal(q: np.ndarray[Any, Any], dtype: str) -> bool:
    columns = np.eye(q.shape[-1])
    return bool(np.abs(adjoint(q) @ q - columns).max() < TOLERANCE[dtype])


@every_type
@pytest.mark.parametrize("shape", RECTANGLES)
@pytest.mark.parametrize("some", [True, False])
def test_q_is_orthogonal_r_triangular_and_their_product_the_matrix(
    dtype: str, shape: tuple[int, ...], some: bool
) -> None:
    a = normal(shape, dtype)

    q, r = (t.numpy() for t in pa.ops.qr(pa.asarray(a), some))
    same = [t.numpy() for t in pa.ops.linalg_qr(pa.asarray(a), 0 if some else 1)]

    assert far_apart(q @ r, a) < TOLERANCE[dtype]
    assert is_orthogonal(q, dtype)
    np.testing.assert_array_equal(r, np.triu(r))
    np.testing.assert_array_equal(same[0], q)
    np.testing.assert_array_equal(same[1], r)


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
def test_signs_of_r_are_those_of_lapack(dtype: str) -> None:
    a = normal((6, 4), dtype) / 8
    a[0, 0] = 0.25

    for found, expected in zip(pa.ops.qr(pa.asarray(a), True), np.linalg.qr(a), strict=True):
        assert far_apart(found.numpy(), expected) < TOLERANCE[dtype]


def test_r_alone_is_that_of_both() -> None:
    a = pa.asarray(normal((2, 7, 3), "float32"))

    none, r = pa.ops.linalg_qr(a, 2)

    assert none.shape == (0,)
    np.testing.assert_array_equal(r.numpy(), pa.ops.linalg_qr(a, 0)[1].numpy())


def ranked(shape: tuple[int, ...], rank: int, dtype: str) -> np.ndarray[Any, Any]:
    """Return matrices that reach so many directions only."""
    return normal((*shape[:-1], rank), dtype) @ normal((*shape[:-2], rank, shape[-1]), dtype, 5)


@every_type
@pytest.mark.parametrize("shape", RECTANGLES)
@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("rank", [0, 1, 30])
def test_singular_vectors_are_orthogonal_and_give_the_matrix_back(
    dtype: str, shape: tuple[int, ...], full: bool, rank: int
) -> None:
    a = ranked(shape, rank, dtype)

    sigma, u, v = (t.numpy() for t in pa.ops.svd(pa.asarray(a), full, True))

    count = min(shape[-2:])
    product = u[..., :count] * sigma[..., None, :] @ adjoint(v[..., :count])
    assert np.abs(product - a).max() <= 5 * TOLERANCE[dtype] * max(np.abs(a).max(), 1)
    assert is_orthogonal(u, dtype)
    assert is_orthogonal(v, dtype)
    assert (sigma.imag == 0).all()
    assert (sigma.real >= 0).all()
    assert (np.diff(sigma.real, axis=-1) <= 0).all()


@pytest.mark.parametrize("zeros", [[0], [2], [4], [1, 3], [0, 1, 4]], ids=str)
def test_two_diagonals_may_have_zeros(zeros: list[int]) -> None:
    a = np.diag(np.arange(1.0, 6)) + np.diag([4.0, 3, 2, 1], 1)
    a[zeros, zeros] = 0

    sigma, u, v = (t.numpy() for t in pa.ops.svd(pa.asarray(a), True, True))

    np.testing.assert_allclose(u * sigma @ v.T, a, atol=1e-13)
    assert is_orthogonal(u, "float64")
    assert is_orthogonal(v, "float64")
    np.testing.assert_allclose(sigma, np.linalg.svd(a)[1], atol=1e-13)


def test_singular_values_of_numbers_that_are_not_finite_are_nan() -> None:
    a = np.ones((3, 2), np.float32)
    a[1, 1] = np.inf

    for result in pa.ops.svd(pa.asarray(a), True, True):
        assert np.isnan(result.numpy()).all()


def test_large_matrices_are_reflected_by_several_threads() -> None:
    a = normal((300, 280), "float64")

    sigma, u, v = (t.numpy() for t in pa.ops.svd(pa.asarray(a), False, True))

    np.testing.assert_allclose(sigma, np.linalg.svd(a)[1], rtol=1e-11)
    np.testing.assert_allclose(u * sigma @ v.T, a, atol=1e-12)


def test_singular_values_of_any_size() -> None:
    for scale in (1e-300, 1.0, 1e300):
        a = normal((4, 3), "float64") * scale
        sigma, _, _ = pa.ops.svd(pa.asarray(a), False, False)
        np.testing.assert_allclose(sigma.numpy(), np.linalg.svd(a)[1], rtol=1e-12)


@pytest.mark.parametrize("upper", [True, False])
def test_a_triangle_times_its_transpose_is_the_matrix(upper: bool) -> None:
    factor = normal((2, 30, 30), "float32")
    a = factor @ adjoint(factor) + np.eye(30, dtype="float32")

    out = pa.ops.linalg_cholesky(pa.asarray(a), upper).numpy()

    np.testing.assert_array_equal(out, np.triu(out) if upper else np.tril(out))
    assert far_apart(adjoint(out) @ out if upper else out @ adjoint(out), a) < 1e-5


def test_what_is_not_positive_definite_has_no_triangle() -> None:
    a = np.array([[1.0, 2.0], [2.0, 1.0]], np.float32)

    assert np.isnan(pa.ops.linalg_cholesky(pa.asarray(a), False).numpy()).any()
