"""Linear algebra by its properties: what is solved or taken apart gives the matrix back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID

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
        with pytest.raises(pa.AclParameterError) as refused:
            pa.ops.triangular_solve(a, a, True, False, True)
        assert refused.value.code == INVALID


@pytest.mark.parametrize(
    ("b", "a"), [((3, 2), (2, 2)), ((2, 2), (2, 3)), ((2, 3, 3), (4, 3, 3)), ((3,), (3, 3))]
)
def test_right_sides_that_do_not_fit_are_refused(b: tuple[int, ...], a: tuple[int, ...]) -> None:
    outs = (pa.ones(b, "float32"), pa.ones(a, "float32"))
    with pytest.raises(pa.AclParameterError) as refused:
        pa.ops.triangular_solve(
            pa.ones(b, "float32"), pa.ones(a, "float32"), True, False, False, out=outs
        )
    assert refused.value.code == INVALID


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
