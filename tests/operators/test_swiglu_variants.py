"""Gated units of rows: what they refuse, which rows groups leave alone, and their derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, NULL, TILING, code, ones

import pyaclnn as pa

CLIPPED = (None, 1, 1.702, 7.0, 1.0, True)
GRAD = (1, 1.702, 7.0, 1.0, True)


def groups(*counts: int, dtype: str = "int64") -> pa.Tensor:
    return pa.asarray(np.array(counts, dtype))


@pytest.mark.parametrize("dim", [2, -3, 2**63 - 1, -(2**63)])
def test_the_cut_dimension_is_one_of_x(dim: int) -> None:
    x, half = ones(2, 4), ones(2, 2)

    assert code("clipped_swiglu", x, None, dim, 1.0, 7.0, 1.0, True, out=half) == TILING
    assert code("situ_glu", x, dim, 1.0, 0.0, True, out=half) == TILING
    assert code("situ_glu_grad", half, x, dim, 1.0, 0.0, True) == TILING
    assert code("clipped_swiglu_grad", half, x, None, dim, 1.0, 7.0, 1.0, True) == TILING


def test_an_odd_extent_cannot_be_cut() -> None:
    x, half = ones(2, 5), ones(2, 2)

    assert code("clipped_swiglu", x, *CLIPPED, out=half) == TILING
    assert code("situ_glu", x, 1, 1.0, 0.0, True, out=half) == TILING
    assert code("situ_glu_grad", half, x, 1, 1.0, 0.0, True) == TILING
    assert code("situ_glu", ones(), 0, 1.0, 0.0, True, out=ones()) == TILING


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (groups(1, dtype="int32"), INVALID),
        (pa.ones((1, 1), "int64"), TILING),
        (pa.empty((0,), "int64"), TILING),
        (pa.ones((12150,), "int64"), 0),
        (pa.ones((12151,), "int64"), TILING),
    ],
)
def test_groups_are_a_list_of_counts(given: pa.Tensor, expected: int) -> None:
    assert code("clipped_swiglu", ones(2, 4), given, *CLIPPED[1:]) == expected
    if given.size <= 12150:
        assert code("clipped_swiglu_grad", ones(2, 2), ones(2, 4), given, *GRAD) == expected


def test_shapes_and_types_of_a_gradient_are_those_of_its_unit() -> None:
    x, half = ones(2, 4), ones(2, 2)

    assert code("clipped_swiglu_grad", ones(2, 3), x, None, *GRAD) == TILING
    assert code("clipped_swiglu_grad", half, x, None, *GRAD, out=ones(2, 2)) == TILING
    assert code("clipped_swiglu_grad", ones(2, 2, dtype="float16"), x, None, *GRAD) == INVALID
    assert code("clipped_swiglu_grad", None, x, None, *GRAD) == NULL
    assert code("situ_glu_grad", ones(2, 3), x, 1, 1.0, 0.0, True) == TILING
    assert code("situ_glu_grad", half, x, 1, 1.0, 0.0, True, out=ones(2, 2)) == TILING


@pytest.mark.parametrize("limit", [0.0, -1.0, -1e-300])
def test_a_gradient_needs_a_positive_limit(limit: float) -> None:
    attributes = (1, 1.0, limit, 1.0, True)

    assert code("clipped_swiglu_grad", ones(2, 2), ones(2, 4), None, *attributes) == TILING


def test_a_gradient_of_nothing_is_refused() -> None:
    nothing, half = pa.empty((0, 4), "float32"), pa.empty((0, 2), "float32")

    assert code("clipped_swiglu_grad", half, nothing, None, *GRAD) == TILING
    assert code("clipped_swiglu", nothing, *CLIPPED) == 0


def test_views_are_refused_where_the_kernel_takes_them_for_none() -> None:
    x = ones(2, 8)[:, ::2]

    assert code("clipped_swiglu", x, *CLIPPED) == INVALID
    assert code("clipped_swiglu_grad", ones(2, 2), x, None, *GRAD) == INVALID
    assert code("situ_glu", x, 1, 1.0, 0.0, True) == 0
    assert code("situ_glu", x, 1, 1.0, 0.0, True, out=ones(2, 4)[:, ::2]) == INVALID


@pytest.mark.parametrize("counts", [(2**62, 2**62, 2**62), (-(2**63), -(2**63)), (2**63 - 1, 1)])
def test_sums_of_groups_do_not_wrap(counts: tuple[int, ...]) -> None:
    x = ones(3, 4)
    grad = pa.ops.clipped_swiglu_grad(ones(3, 2), x, groups(*counts), *GRAD).numpy()

    assert bool(grad.any()) == (counts[0] > 0)
    assert grad.any() == grad.all()


def test_rows_behind_the_groups_are_left_alone() -> None:
    out = pa.full((3, 2), 5, "float32")

    pa.ops.clipped_swiglu(ones(3, 4), groups(1, 1), *CLIPPED[1:], out=out)

    assert (out.numpy() == 5).tolist() == [[False] * 2, [False] * 2, [True] * 2]


def _numeric(forward: Callable[[np.ndarray[Any, Any]], Any], x: Any, grad: Any) -> Any:
    """Central differences of the simulator's own forward operator."""
    step, found = 1e-2, np.zeros_like(x)
    for place in np.ndindex(x.shape):
        above, below = x.copy(), x.copy()
        above[place] += step
        below[place] -= step
        change = forward(above).astype(np.float64) - forward(below).astype(np.float64)
        found[place] = (change * grad).sum() / (2 * step)
    return found


@pytest.mark.parametrize("interleaved", [True, False])
def test_the_derivative_of_a_clipped_unit(interleaved: bool) -> None:
    rng = np.random.default_rng(3)
    # Away from the limit, where differences would see both sides.
    x = rng.choice([-2.0, -1.1, -0.4, 0.3, 0.9, 2.2], (2, 3, 4)).astype("float32")
    grad = rng.uniform(0.5, 1.5, (2, 3, 2)).astype("float32")
    more = (None, 2, 1.702, 1.5, 1.0, interleaved)

    found = pa.ops.clipped_swiglu_grad(pa.asarray(grad), pa.asarray(x), *more).numpy()

    numeric = _numeric(lambda v: pa.ops.clipped_swiglu(pa.asarray(v), *more).numpy(), x, grad)
    assert np.allclose(found, numeric, atol=2e-3)


@pytest.mark.parametrize("more", [(1.0, 0.0, True), (2.0, 1.5, False), (-0.5, -2.0, True)])
def test_the_derivative_of_situ_glu(more: tuple[float, float, bool]) -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(0, 1, (2, 4, 3)).astype("float32")
    grad = rng.uniform(0.5, 1.5, (2, 2, 3)).astype("float32")

    found = pa.ops.situ_glu_grad(pa.asarray(grad), pa.asarray(x), 1, *more).numpy()

    numeric = _numeric(lambda v: pa.ops.situ_glu(pa.asarray(v), 1, *more).numpy(), x, grad)
    assert np.allclose(found, numeric, atol=2e-3)


def test_swiglu_group_grad_looks_at_its_arguments_before_the_chip() -> None:
    grad, x, weight = ones(3, 2), ones(3, 4), ones(3, 1)
    full: dict[str, Any] = {
        "grad_y": grad, "x": x, "weight_optional": weight, "y_origin_optional": grad,
        "group_index_optional": None, "clamp_limit": 0.0,
        "out": (pa.empty((3, 4), "float32"), pa.empty((3, 1), "float32")),
    }  # fmt: skip

    def refused(**changes: Any) -> int:
        return code("swiglu_group_grad", **{**full, **changes})

    assert refused() == 561103  # which is not the chip that has it
    assert refused(x=None) == NULL
    assert refused(y_origin_optional=None) == INVALID
    assert refused(clamp_limit=float("nan")) == INVALID
    assert refused(clamp_limit=-1.0) == INVALID
    assert refused(x=ones(3, 5)) == INVALID
    assert refused(grad_y=ones(1, 3, 1, 2)) == INVALID
    assert refused(weight_optional=ones(3, 1, dtype="float16")) == INVALID
    assert refused(weight_optional=ones(2, 1)) == INVALID
    assert refused(y_origin_optional=ones(3, 3)) == INVALID
    assert refused(group_index_optional=pa.empty((0,), "int64")) == INVALID
    assert refused(group_index_optional=pa.ones((1,), "int32")) == INVALID
