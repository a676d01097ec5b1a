"""Gradients of sampling at grid points: refusals, derivatives, borders, masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from finite_differences import Array, numeric_gradient
from operators import calls
from operators.calls import INVALID, NULL

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

BILINEAR, NEAREST, BICUBIC = 0, 1, 2
ZEROS, BORDER, REFLECTION = 0, 1, 2

both = pytest.mark.parametrize("axes", [2, 3])


def operands(axes: int, dtype: str = "float32") -> dict[str, pa.Tensor | None]:
    """An image of (2, 3, 4, 5) or a volume of (2, 3, 2, 4, 5), sampled at 2 by 6 points."""
    points = (1, 2, 6)[-axes:]
    image = (2, 3, *(2, 4, 5)[-axes:])
    return {
        "grad_output": pa.ones((2, 3, *points), dtype),
        "input": pa.ones(image, dtype),
        "grid": pa.zeros((2, *points, axes), dtype),
        "input_grad": pa.zeros(image, dtype),
        "grid_grad": pa.zeros((2, *points, axes), dtype),
    }


def code(
    axes: int, mode: int = 0, padding: int = 0, mask: Any = (True, True), dtype: str = "float32",
    **changes: pa.Tensor | None,
) -> int:  # fmt: skip
    """The status a call is refused with; 0 if it is not."""
    o = operands(axes, dtype) | changes
    results = {"input_grad": o["input_grad"], "grid_grad": o["grid_grad"]}
    return calls.code(
        f"grid_sampler{axes}d_backward",
        o["grad_output"], o["input"], o["grid"], mode, padding, False, mask, **results,
    )  # fmt: skip


@both
def test_right_arguments_are_accepted(axes: int) -> None:
    assert code(axes) == 0


@both
@pytest.mark.parametrize("name", ["grad_output", "input", "grid"])
def test_null_comes_before_a_wrong_dtype(axes: int, name: str) -> None:
    wrong: dict[str, pa.Tensor | None] = {"input": pa.ones((1,), "int8"), name: None}
    assert code(axes, **wrong) == NULL


@both
def test_without_a_mask_nothing_is_looked_at(axes: int) -> None:
    assert code(axes, mask=None, grid=None) == 0
    assert code(axes, mask=(False, False)) == 0
    assert code(axes, mask=(False, False), input=None, mode=9) == NULL
    assert code(axes, mask=(False, False), mode=9) == INVALID
    assert code(axes, mask=(False,)) == code(axes, mask=(True, True, True)) == INVALID


@both
@pytest.mark.parametrize("name", ["grad_output", "grid", "input_grad", "grid_grad"])
def test_all_tensors_have_one_dtype(axes: int, name: str) -> None:
    tensor = operands(axes, "float16")[name]
    assert code(axes, **{name: tensor}) == INVALID


@both
def test_integers_are_refused(axes: int) -> None:
    assert code(axes, dtype="int32") == INVALID


@both
@pytest.mark.parametrize(("mode", "padding"), [(-1, 0), (3, 0), (0, -1), (0, 3)])
def test_unknown_modes_are_refused(axes: int, mode: int, padding: int) -> None:
    assert code(axes, mode=mode, padding=padding) == INVALID


def test_cubic_gradients_are_those_of_images_since_9_1(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (code(2, mode=BICUBIC), code(3, mode=BICUBIC)) == (0, INVALID)
    monkeypatch.setenv("PYACLNN_SIM_CANN", "9.0")
    assert found_on("Ascend910B1", "operators.test_grid_sampler", "code(2, mode=2)") == INVALID


@both
@pytest.mark.parametrize("name", ["grad_output", "input", "grid"])
def test_other_ranks_are_refused(axes: int, name: str) -> None:
    assert code(axes, **{name: pa.ones((2, 3, 4))}) == INVALID


@both
def test_shapes_that_do_not_fit_are_refused(axes: int) -> None:
    points = (1, 2, 6)[-axes:]
    image = (2, 4, 5)[-axes:]
    assert code(axes, grad_output=pa.ones((1, 3, *points))) == INVALID
    assert code(axes, grid=pa.ones((1, *points, axes))) == INVALID
    assert code(axes, grad_output=pa.ones((2, 4, *points))) == INVALID
    assert code(axes, grad_output=pa.ones((2, 3, *points[:-1], 7))) == INVALID
    assert code(axes, grid=pa.ones((2, *points, axes + 1))) == INVALID
    assert code(axes, input_grad=pa.ones((2, 3, *image[:-1], 6))) == INVALID
    assert code(axes, grid_grad=pa.ones((2, *points[:-1], 5, axes))) == INVALID


def test_an_image_without_elements_is_refused() -> None:
    empty = pa.ones((2, 3, 0, 5))
    assert code(2, input=empty, input_grad=empty) == INVALID


def sample(values: Array, grid: Array, padding: int, align: bool) -> Array:
    """torch.nn.functional.grid_sample, mode bilinear, of one batch entry, written out."""
    extents = values.shape[1:]
    result = np.zeros((values.shape[0], *grid.shape[:-1]))
    for place in np.ndindex(*grid.shape[:-1]):
        at = []
        for axis, extent in enumerate(extents):
            x = grid[place][len(extents) - 1 - axis]
            x = (x + 1) / 2 * (extent - 1) if align else ((x + 1) * extent - 1) / 2
            low, high = (0, extent - 1) if align else (-0.5, extent - 0.5)
            while padding == REFLECTION and not low <= x <= high:
                x = 2 * low - x if x < low else 2 * high - x
            at.append(x if padding == ZEROS else min(max(x, 0), extent - 1))
        for corner in np.ndindex(*(2,) * len(extents)):
            index = [int(np.floor(x)) + c for x, c in zip(at, corner, strict=True)]
            if all(0 <= i < n for i, n in zip(index, extents, strict=True)):
                ends = [1 - abs(x - i) for x, i in zip(at, index, strict=True)]
                result[(slice(None), *place)] += np.prod(ends) * values[(slice(None), *index)]
    return result


def keys(x: float) -> float:
    """Keys' cubic convolution, A = -3/4."""
    x = abs(x)
    return 1.25 * x**3 - 2.25 * x**2 + 1 if x <= 1 else -0.75 * (x**3 - 5 * x**2 + 8 * x - 4)


def sample_cubic(values: Array, grid: Array, padding: int, align: bool) -> Array:
    """The same of mode bicubic: elements outside are replaced, and points are not moved."""
    extents = values.shape[1:]
    result = np.zeros((values.shape[0], *grid.shape[:-1]))
    for place in np.ndindex(*grid.shape[:-1]):
        at = [
            (x + 1) / 2 * (n - 1) if align else ((x + 1) * n - 1) / 2
            for x, n in zip(grid[place][::-1], extents, strict=True)
        ]
        for corner in np.ndindex(4, 4):
            index = [int(np.floor(x)) - 1 + c for x, c in zip(at, corner, strict=True)]
            weight = np.prod([keys(x - i) for x, i in zip(at, index, strict=True)])
            for axis, n in enumerate(extents):
                low, high = (0, 2 * n - 2) if align else (-1, 2 * n - 1)  # twice
                while padding == REFLECTION and not low <= 2 * index[axis] <= high:
                    index[axis] = (low if 2 * index[axis] < low else high) - index[axis]
                if padding != ZEROS:
                    index[axis] = min(max(index[axis], 0), n - 1)
            if all(0 <= i < n for i, n in zip(index, extents, strict=True)):
                result[(slice(None), *place)] += weight * values[(slice(None), *index)]
    return result


@pytest.mark.parametrize("padding", [ZEROS, BORDER, REFLECTION])
@pytest.mark.parametrize("align", [False, True])
@pytest.mark.parametrize(("axes", "mode"), [(2, BILINEAR), (3, BILINEAR), (2, BICUBIC)])
def test_both_results_are_derivatives_of_sampling(
    axes: int, mode: int, padding: int, align: bool
) -> None:
    sampled = sample_cubic if mode == BICUBIC else sample
    rng = np.random.default_rng(3)
    values = rng.normal(size=(2, *(2, 4, 5)[-axes:]))
    # Some points outside on either side, and none where the function has a kink.
    grid = rng.uniform(-1.9, 1.9, (*(1, 3, 4)[-axes:], axes))
    gradient = rng.normal(size=(2, *grid.shape[:-1]))
    by_input = numeric_gradient(lambda v: sampled(v, grid, padding, align), values, gradient)
    by_grid = numeric_gradient(lambda g: sampled(values, g, padding, align), grid, gradient)

    tensors = [pa.asarray(a[np.newaxis].astype(np.float64)) for a in (gradient, values, grid)]
    got = pa.ops[f"grid_sampler{axes}d_backward"](*tensors, mode, padding, align, (True, True))

    np.testing.assert_allclose(got[0].numpy()[0], by_input, rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(got[1].numpy()[0], by_grid, rtol=1e-5, atol=1e-8)


def plane(*rows: list[float]) -> pa.Tensor:
    return pa.asarray(np.array([[rows]], dtype=np.float32))


def points(*coordinates: tuple[float, float]) -> pa.Tensor:
    return pa.asarray(np.array([[coordinates]], dtype=np.float32))


def test_the_nearest_element_gets_all_and_ties_go_to_the_even_one() -> None:
    # Corners aligned, coordinate c of three elements is at c + 1: 0.5, 1.5 and 2.
    grid = points((-0.5, -1), (0.5, -1), (1, -1))
    image = plane([0, 0, 0])
    got, slopes = pa.ops.grid_sampler2d_backward(
        plane([1, 10, 100]), image, grid, NEAREST, ZEROS, True, (True, True)
    )
    assert got.numpy().ravel().tolist() == [1, 0, 110]
    assert (slopes.numpy() == 0).all()


@pytest.mark.parametrize("mode", [BILINEAR, BICUBIC])
@pytest.mark.parametrize("far", [3.0, -1e6, 1e30, np.inf, np.nan])
def test_points_far_outside_give_and_get_nothing(far: float, mode: int) -> None:
    got, slopes = pa.ops.grid_sampler2d_backward(
        plane([5]), plane([1, 2], [3, 4]), points((far, 0.1)), mode, ZEROS, False, (True, True)
    )
    assert (got.numpy() == 0).all()
    assert (slopes.numpy() == 0).all()


def test_beyond_the_border_the_outermost_element_gets_all() -> None:
    got, slopes = pa.ops.grid_sampler2d_backward(
        plane([5]), plane([1, 2], [3, 4]), points((7, -7)), BILINEAR, BORDER, False, (True, True)
    )
    assert got.numpy().ravel().tolist() == [0, 5, 0, 0]
    assert (slopes.numpy() == 0).all()


@both
@pytest.mark.parametrize("wanted", [0, 1])
def test_a_result_that_is_not_wanted_is_left_alone(axes: int, wanted: int) -> None:
    o = operands(axes)
    results = [pa.full(o[name].shape, 77, "float32") for name in ("input_grad", "grid_grad")]  # type: ignore[union-attr]
    mask = (wanted == 0, wanted == 1)
    pa.ops[f"grid_sampler{axes}d_backward"](
        o["grad_output"], o["input"], o["grid"], BILINEAR, ZEROS, False, mask, out=tuple(results)
    )
    assert (results[1 - wanted].numpy() == 77).all()
    assert (results[wanted].numpy() != 77).all()


def test_many_points_on_one_element_are_added_up() -> None:
    grid = pa.zeros((1, 40, 50, 2))
    got, _ = pa.ops.grid_sampler2d_backward(
        pa.ones((1, 2, 40, 50)), pa.ones((1, 2, 3, 3)), grid, BILINEAR, ZEROS, True, (True, True)
    )
    assert got.numpy()[0, :, 1, 1].tolist() == [2000, 2000]
    assert got.numpy().sum() == 4000


def test_volumes_may_have_their_channels_last() -> None:
    rng = np.random.default_rng(4)
    gradient, values = rng.normal(size=(2, 3, 2, 3, 4)), rng.normal(size=(2, 3, 4, 5, 6))
    grid = pa.asarray(rng.uniform(-1.2, 1.2, (2, 2, 3, 4, 3)))
    attributes = (BILINEAR, REFLECTION, False, (True, True))
    first = pa.ops.grid_sampler3d_backward(
        pa.asarray(gradient), pa.asarray(values), grid, *attributes
    )
    turned = [
        with_format(pa.asarray(np.ascontiguousarray(a.transpose(0, 2, 3, 4, 1))), "NDHWC")
        for a in (gradient, values)
    ]
    out = with_format(pa.zeros((2, 4, 5, 6, 3), "float64"), "NDHWC")
    _, slopes = pa.ops.grid_sampler3d_backward(*turned, grid, *attributes, input_grad=out)
    np.testing.assert_allclose(out.numpy().transpose(0, 4, 1, 2, 3), first[0].numpy(), rtol=1e-12)
    np.testing.assert_allclose(slopes.numpy(), first[1].numpy(), rtol=1e-12)


def workspace(padding: int, dtype: str = "float32") -> int:
    o = operands(2, dtype)
    results = {"input_grad": o["input_grad"], "grid_grad": o["grid_grad"]}
    with pa.ops.grid_sampler2d_backward.plan(
        o["grad_output"], o["input"], o["grid"], BILINEAR, padding, False, (True, True), **results
    ) as plan:
        return int(plan.workspace_size)


def test_channels_go_last_whatever_the_padding() -> None:
    assert workspace(ZEROS) == workspace(BORDER) == workspace(REFLECTION) > 0
