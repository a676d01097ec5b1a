"""Resizing gradients: refusals in CANN's order, the forward functions, what scales do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators import calls
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, code_of
from operators.resample_calls import AXES, NAMES, call

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

NEAREST_2D = "upsample_nearest2d_backward"

every_operator = pytest.mark.parametrize("name", NAMES)

#: Kernels that go by the gradient's shape and copy into whatever result is given.
BY_GRADIENT = (
    "upsample_nearest_exact1d_backward",
    "upsample_nearest_exact2d_backward",
    "upsample_bilinear2d_aa_backward",
    "upsample_bicubic2d_aa_grad",
)


def code(name: str, **changes: Any) -> int:
    """The status such a call is refused with; 0 if it is not."""
    return code_of(call, name, **changes)


@every_operator
def test_a_doubled_image_returns_as_many_gradients(name: str) -> None:
    total = call(name).numpy().sum()
    np.testing.assert_allclose(total, 2 * 3 * 8 ** AXES[name], rtol=1e-6)


@every_operator
@pytest.mark.parametrize("missing", ["grad", "input_size", "output_size"])
def test_null_comes_before_everything_else(name: str, missing: str) -> None:
    wrong = pa.ones((2, 3, 5), "int8")
    arguments: dict[str, Any] = {"grad": wrong, "output_size": (), "input_size": (), missing: None}
    # CANN looks at the types before it reads this one.
    is_read_late = missing == "output_size" and name in BY_GRADIENT[:2]
    assert code(name, **arguments, out=wrong) == (INVALID if is_read_late else NULL)
    assert not is_read_late or code(name, output_size=None) == NULL


@every_operator
@pytest.mark.parametrize("dtype", ["int32", "bool", "complex64"])
def test_other_dtypes_are_refused(name: str, dtype: str) -> None:
    shape = (2, 3) + (8,) * AXES[name]
    assert code(name, grad=pa.ones(shape, dtype)) == INVALID


@every_operator
def test_float64_is_only_for_those_that_fall_back_to_the_cpu(name: str) -> None:
    shape = (2, 3) + (8,) * AXES[name]
    small = pa.ones((2, 3) + (4,) * AXES[name], "float64")
    falls_back = name in (
        "upsample_nearest1d_backward",
        "upsample_nearest3d_backward",
        "upsample_trilinear3d_backward",
    )
    expected = 0 if falls_back else INVALID
    assert code(name, grad=pa.ones(shape, "float64"), out=small) == expected


@every_operator
def test_the_result_has_the_dtype_of_the_gradient(name: str) -> None:
    small = pa.ones((2, 3) + (4,) * AXES[name], "float16")
    assert code(name, out=small) == INVALID


@every_operator
@pytest.mark.parametrize("rank", [2, 7])
def test_other_ranks_are_refused(name: str, rank: int) -> None:
    assert code(name, grad=pa.ones((2,) * rank)) == INVALID


@every_operator
def test_sizes_of_other_lengths_are_refused(name: str) -> None:
    axes = AXES[name]
    assert code(name, output_size=(8,) * (axes + 1)) == INVALID
    assert code(name, output_size=()) == INVALID
    assert code(name, input_size=(2, 3) + (4,) * (axes + 1)) == INVALID
    assert code(name, input_size=(4,) * axes) == INVALID


@every_operator
@pytest.mark.parametrize("size", [0, -1])
def test_extents_below_one_are_refused(name: str, size: int) -> None:
    axes = AXES[name]
    assert code(name, input_size=(2, 3) + (size,) * axes) == INVALID


@every_operator
def test_a_gradient_of_another_size_is_refused_unless_its_shape_is_what_counts(name: str) -> None:
    size = (9,) * AXES[name]
    expected = 0 if name in BY_GRADIENT else INVALID
    assert code(name, output_size=size) == expected


@every_operator
def test_other_channels_are_refused(name: str) -> None:
    out = pa.ones((2, 5) + (4,) * AXES[name])
    assert code(name, out=out) == INVALID


@every_operator
def test_a_result_of_another_size_is_refused(name: str) -> None:
    out = pa.ones((2, 3) + (5,) * AXES[name])
    expected = INNER_NULL if name in BY_GRADIENT else INVALID
    assert code(name, out=out) == expected


@pytest.mark.parametrize(
    "name",
    [NEAREST_2D, "upsample_bilinear2d_backward", "upsample_bilinear2d_backward_v2"],
)
def test_some_demand_an_image_format(name: str) -> None:
    grad, out = pa.ones((2, 3, 8, 8)), pa.zeros((2, 3, 4, 4))
    assert code(name, grad=with_format(grad, "ND"), out=with_format(out, "ND")) == INVALID
    assert code(name, grad=with_format(grad, "NCHW"), out=with_format(out, "NCHW")) == 0


@pytest.mark.parametrize("name", [n for n in NAMES if AXES[n] != 2 or "aa" in n or "exact" in n])
def test_others_take_tensors_without_a_format(name: str) -> None:
    grad, out = (pa.ones((2, 3) + (n,) * AXES[name]) for n in (8, 4))
    assert code(name, grad=with_format(grad, "ND"), out=with_format(out, "ND")) == 0


@pytest.mark.parametrize("name", BY_GRADIENT)
def test_negative_scales_are_refused(name: str) -> None:
    assert code(name, scales=(-1.0,) * AXES[name]) == INVALID


@pytest.mark.parametrize("name", [*BY_GRADIENT, "upsample_nearest_exact3d_backward"])
def test_enlarging_more_than_fifty_times_is_refused(name: str) -> None:
    axes = AXES[name]
    assert code(name, scales=(50.5,) * axes) == INVALID
    sizes: dict[str, Any] = {
        "input_size": (2, 3) + (1,) * axes,
        "out": pa.ones((2, 3, *[1] * axes)),
    }
    grad = pa.ones((2, 3, *[8] * (axes - 1), 51))
    assert code(name, grad=grad, output_size=(*[8] * (axes - 1), 51), **sizes) == INVALID


def test_a_line_is_enlarged_five_hundred_times_at_most() -> None:
    name = "upsample_linear1d_backward"
    grad, out = pa.ones((1, 1, 501)), pa.zeros((1, 1, 1))
    sizes: dict[str, Any] = {"output_size": (501,), "input_size": (1, 1, 1), "out": out}
    assert code(name, grad=grad, **sizes) == INVALID


@pytest.mark.parametrize("name", ["upsample_nearest_exact1d_backward", "upsample_bicubic2d_aa_grad",
                                  "upsample_bilinear2d_aa_backward"])  # fmt: skip
def test_some_refuse_an_empty_batch(name: str) -> None:
    axes = AXES[name]
    grad, out = pa.ones((0, 3) + (8,) * axes), pa.ones((0, 3) + (4,) * axes)
    assert code(name, grad=grad, input_size=(0, 3) + (4,) * axes, out=out) == INVALID


def test_an_empty_image_skips_the_checks_of_the_planar_exact_operator() -> None:
    empty = pa.ones((0,), "int8")
    assert code("upsample_nearest_exact2d_backward", grad=empty, out=empty, input_size=()) == 0


def ramp(length: int) -> pa.Tensor:
    return pa.asarray(np.arange(1, length + 1, dtype=np.float32).reshape(1, 1, length))


def test_a_scale_that_fits_counts_instead_of_the_extents() -> None:
    sizes: dict[str, Any] = {"grad": ramp(10), "output_size": (10,), "input_size": (1, 1, 7)}
    name = "upsample_nearest1d_backward"
    # Element o comes from floor(o / 1.55), or from floor(o * 7 / 10).
    scaled = call(name, **sizes, scales=(1.55,), out=None).numpy().ravel().tolist()
    plain = call(name, **sizes, out=None).numpy().ravel().tolist()
    assert scaled == [1 + 2, 3 + 4, 5, 6 + 7, 8, 9 + 10, 0]
    assert plain == [1 + 2, 3, 4 + 5, 6, 7 + 8, 9, 10]


@pytest.mark.parametrize("shape", [(1, 1), (1, 1, 1), (1, 1, 1, 1)])
def test_the_gradient_of_one_element_has_any_number_of_axes_behind_its_channels(
    shape: tuple[int, ...],
) -> None:
    out = with_format(pa.zeros(shape), "NCL")

    pa.ops.upsample_nearest1d_backward(ramp(4), (4,), (1, 1, 1), 0.0, out=out)

    assert out.numpy().reshape(-1).tolist() == [1 + 2 + 3 + 4]


@pytest.mark.parametrize("shape", [(1,), (1, 1, 2), (1, 2, 1), ()])
def test_the_gradient_of_one_element_goes_nowhere_else(shape: tuple[int, ...]) -> None:
    with pytest.raises(pa.AclError):
        pa.ops.upsample_nearest1d_backward(ramp(4), (4,), (1, 1, 1), 0.0, out=pa.zeros(shape))


def test_what_lies_behind_the_last_exact_neighbour_belongs_to_none() -> None:
    sizes: dict[str, Any] = {"grad": ramp(10), "output_size": (10,), "input_size": (1, 1, 7)}
    name = "upsample_nearest_exact1d_backward"
    scaled = call(name, **sizes, scales=(1.25,), out=None).numpy().ravel().tolist()
    assert scaled == [1, 2, 3 + 4, 5, 6, 7, 8 + 9]


def test_a_scale_that_does_not_fit_is_ignored_by_the_linear_operator() -> None:
    sizes: dict[str, Any] = {"grad": ramp(10), "output_size": (10,), "input_size": (1, 1, 7)}
    name = "upsample_linear1d_backward"
    plain = call(name, **sizes, out=None).numpy()
    assert (call(name, **sizes, scales=(1.25,), out=None).numpy() == plain).all()
    assert (call(name, **sizes, scales=(1.5,), out=None).numpy() != plain).any()


def test_the_first_bilinear_operator_ignores_scales() -> None:
    grad = pa.asarray(np.arange(100, dtype=np.float32).reshape(1, 1, 10, 10))
    sizes: dict[str, Any] = {"grad": grad, "output_size": (10, 10), "input_size": (1, 1, 7, 7)}
    first, second = "upsample_bilinear2d_backward", "upsample_bilinear2d_backward_v2"
    plain = call(first, **sizes, out=None).numpy()
    assert (call(first, **sizes, scales=(1.5, 1.5), out=None).numpy() == plain).all()
    assert (call(second, **sizes, scales=(1.5, 1.5), out=None).numpy() != plain).any()
    assert (call(second, **sizes, scales=(1.5, 0.0), out=None).numpy() == plain).all()


def test_volumes_are_scaled_by_all_three_scales_or_none() -> None:
    grad = pa.asarray(np.arange(1000, dtype=np.float32).reshape(1, 1, 10, 10, 10))
    sizes: dict[str, Any] = {"grad": grad, "output_size": (10,) * 3, "input_size": (1, 1, 7, 7, 7)}
    name = "upsample_trilinear3d_backward"
    plain = call(name, **sizes, out=None).numpy()
    assert (call(name, **sizes, scales=(1.5, 1.5, 0.0), out=None).numpy() == plain).all()
    assert (call(name, **sizes, scales=(1.5,) * 3, out=None).numpy() != plain).any()


@pytest.mark.parametrize(("scale", "step"), [(0.0, 4 / 6), (1.7, 1 / 1.7)])
def test_exact_neighbours_are_found_by_all_three_scales_or_none(scale: float, step: float) -> None:
    x = np.arange(64, dtype=np.float32).reshape(1, 1, 4, 4, 4)

    y = pa.ops.upsample_nearest_exact3d(pa.asarray(x), (6, 6, 6), 1.7, 1.7, scale)

    places = np.floor((np.arange(6) + 0.5) * step + 1e-6).astype(int)
    assert np.array_equal(y.numpy()[0, 0], x[0, 0][np.ix_(places, places, places)])


@pytest.mark.parametrize("name", [NEAREST_2D, "upsample_bilinear2d_backward_v2"])
def test_images_with_channels_last_give_the_same_gradients(name: str) -> None:
    values = np.random.default_rng(0).normal(size=(2, 3, 9, 8)).astype(np.float32)
    first = call(
        name, grad=pa.asarray(values), output_size=(9, 8), input_size=(2, 3, 5, 4), out=None
    )
    turned = with_format(pa.asarray(np.ascontiguousarray(values.transpose(0, 2, 3, 1))), "NHWC")
    out = with_format(pa.zeros((2, 5, 4, 3)), "NHWC")
    call(name, grad=turned, output_size=(9, 8), input_size=(2, 5, 4, 3), out=out)
    np.testing.assert_allclose(out.numpy().transpose(0, 3, 1, 2), first.numpy(), atol=1e-5)


@pytest.mark.parametrize("name", ["upsample_nearest3d_backward", "upsample_trilinear3d_backward"])
def test_volumes_with_channels_last_keep_the_order_of_input_size(name: str) -> None:
    values = np.random.default_rng(0).normal(size=(2, 3, 4, 9, 8)).astype(np.float32)
    sizes: dict[str, Any] = {"output_size": (4, 9, 8), "input_size": (2, 3, 2, 5, 4)}
    first = call(name, grad=pa.asarray(values), **sizes, out=None)
    turned = np.ascontiguousarray(values.transpose(0, 2, 3, 4, 1))
    out = with_format(pa.zeros((2, 2, 5, 4, 3)), "NDHWC")
    call(name, grad=with_format(pa.asarray(turned), "NDHWC"), **sizes, out=out)
    np.testing.assert_allclose(out.numpy().transpose(0, 4, 1, 2, 3), first.numpy(), atol=1e-5)


def test_an_axis_that_keeps_its_size_is_copied_whatever_the_scale() -> None:
    grad = pa.asarray(np.arange(24, dtype=np.float32).reshape(1, 1, 4, 2, 3))
    sizes = {"grad": grad, "output_size": (4, 2, 3), "input_size": (1, 1, 2, 2, 3)}
    scaled = call(
        "upsample_trilinear3d_backward", **sizes, scales=(2.0, 1.3, 0.7),
        out=pa.zeros((1, 1, 2, 2, 3)),
    )  # fmt: skip
    # Halving (2 to 4 elements) takes 1, 3/4 and 1/4 of the elements beside it.
    planes = grad.numpy()[0, 0]
    low = planes[0] + 0.75 * planes[1] + 0.25 * planes[2]
    high = 0.25 * planes[1] + 0.75 * planes[2] + planes[3]

    np.testing.assert_allclose(scaled.numpy()[0, 0], [low, high], rtol=1e-6)


def test_what_a_small_scale_leads_outside_of_an_image_of_one_size_is_dropped() -> None:
    # Elements two apart: from 0.5 and 2.5, and, outside of an image of four, from 4.5 and 6.5.
    grad = pa.asarray(np.array([[[2.0, 4.0, 8.0, 16.0]]], np.float32))
    row = call(
        "upsample_linear1d_backward", grad=grad, output_size=(4,), input_size=(1, 1, 4),
        scales=(0.5,), out=pa.zeros((1, 1, 4)),
    )  # fmt: skip
    np.testing.assert_allclose(row.numpy()[0, 0], [1, 1, 2, 2])

    image = with_format(grad.reshape(1, 1, 1, 4), 0)
    plane = call(
        "upsample_bilinear2d_backward_v2", grad=image, output_size=(1, 4),
        input_size=(1, 1, 1, 4), scales=(1.0, 0.5), out=with_format(pa.zeros((1, 1, 1, 4)), 0),
    )  # fmt: skip
    np.testing.assert_allclose(plane.numpy()[0, 0, 0], [1, 1, 2, 2])


@pytest.mark.parametrize(("extent", "resized"), [(4, 6), (16, 27)])
def test_nearest_goes_back_by_the_scales_that_the_forward_kernel_goes_by(
    extent: int, resized: int
) -> None:
    # Element i of the resized image is taken from element floor(i / 1.7).
    taken = np.bincount((np.arange(resized) / 1.7).astype(int), minlength=extent)
    grad = pa.ones((1, 1, resized, resized))

    found = pa.ops.upsample_nearest2d_backward(
        grad, (resized, resized), (1, 1, extent, extent), 1.7, 1.7
    )

    assert found.numpy()[0, 0].tolist() == np.outer(taken, taken).tolist()


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64"])
def test_integers_are_copied_by_way_of_float32_where_nothing_is_resized(dtype: str) -> None:
    grad = np.arange(2 * 3 * 4 * 2).reshape(2, 3, 4, 2).astype(dtype)
    # Of the largest int32 and int64, float32 makes one that is too large, and is cut to them.
    grad[0, 0, 0, 0] = np.iinfo(dtype).max
    name = "upsample_bilinear2d_backward_v2"

    def answer(rows: int, scale: float, dtype: str = dtype) -> int:
        x, out = pa.zeros(grad.shape, dtype), pa.zeros((2, 3, rows, 2), dtype)
        return calls.code(name, x, (4, 2), out.shape, False, scale, 0.0, out=out)

    result = pa.ops[name](pa.asarray(grad), (4, 2), grad.shape, False, 1.0, 0.0).numpy()

    assert np.array_equal(result, grad)
    assert (answer(4, 1.0), answer(4, 0.5), answer(5, 1.0)) == (0, NO_KERNEL, INVALID)
    assert answer(4, 1.0, "float64") == INVALID


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "float64", "complex128"])
def test_the_first_bilinear_operator_copies_any_type_where_nothing_is_resized(dtype: str) -> None:
    values = (np.arange(24).reshape(1, 2, 3, 4) % 5 - 2).astype(dtype)
    grad = with_format(pa.asarray(values), "NCHW")

    found = pa.ops.upsample_bilinear2d_backward(grad, (3, 4), (1, 2, 3, 4), False, 3.0, 0.5)

    np.testing.assert_array_equal(found.numpy(), values)


@pytest.mark.parametrize(
    ("name", "middle"),
    [("upsample_nearest2d_backward", 0.0), ("upsample_nearest_exact2d_backward", 0.5)],
)
def test_a_scale_that_shrinks_says_where_gradients_go(name: str, middle: float) -> None:
    # Not the ratio of the extents, which would be 0.6.
    places = np.floor((np.arange(3) + middle) / 0.7).astype(int)
    grad = np.arange(1, 10, dtype=np.float32).reshape(3, 3)
    expected = np.zeros((5, 5))
    expected[np.ix_(places, places)] = grad

    got = pa.ops[name](pa.asarray(grad[None, None]), [3, 3], [1, 1, 5, 5], 0.7, 0.7)

    np.testing.assert_array_equal(got.numpy()[0, 0], expected)


@pytest.mark.parametrize("axis", [0, 1])
def test_nearest_goes_back_by_a_scale_of_one_axis_and_by_the_size_of_the_other(axis: int) -> None:
    by_scale = np.floor(np.arange(3) / 0.7).astype(int)
    by_size = np.floor(np.arange(3) * 5 / 3).astype(int)
    assert by_scale.tolist() != by_size.tolist()
    places = (by_scale, by_size) if axis == 0 else (by_size, by_scale)
    grad = np.arange(1, 10, dtype=np.float32).reshape(3, 3)
    expected = np.zeros((5, 5))
    expected[np.ix_(*places)] = grad
    scales = (0.7, 0.0) if axis == 0 else (0.0, 0.7)

    got = pa.ops[NEAREST_2D](pa.asarray(grad[None, None]), [3, 3], [1, 1, 5, 5], *scales)

    np.testing.assert_array_equal(got.numpy()[0, 0], expected)


@pytest.mark.parametrize("missing", [None, 0, 1, 2])
def test_volumes_go_by_their_scales_where_all_are_given(missing: int | None) -> None:
    volume = np.random.default_rng(3).normal(0, 1, (5, 5, 5)).astype(np.float32)
    scales = [0.7] * 3  # not the ratio of the extents, which is 0.6
    if missing is not None:
        scales[missing] = 0.0
    step = 1 / 0.7 if missing is None else 5 / 3
    places = np.clip((np.arange(3) + 0.5) * step - 0.5, 0, 4)
    low = np.minimum(places.astype(int), 3)
    weights = np.zeros((3, 5))
    weights[np.arange(3), low] = 1 - (places - low)
    weights[np.arange(3), low + 1] += places - low

    found = pa.ops.upsample_trilinear3d(
        pa.asarray(volume[None, None]), (3, 3, 3), False, *scales, out=pa.zeros((1, 1, 3, 3, 3))
    )

    expected = np.einsum("dx,hy,wz,xyz->dhw", weights, weights, weights, volume)
    np.testing.assert_allclose(found.numpy()[0, 0], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("rows", "step", "by_scale"), [(100, 49.5, True), (102, 50.5, False)])
def test_steps_of_more_than_50_rows_go_by_the_size(rows: int, step: float, by_scale: bool) -> None:
    image = np.broadcast_to(np.arange(rows, dtype=np.float32)[:, None], (rows, 4))
    out = with_format(pa.zeros((1, 1, 2, 4)), "NCHW")

    found = pa.ops.upsample_bilinear2d(
        with_format(pa.asarray(image[None, None]), "NCHW"), (2, 4), False, 1 / step, 1.0, out=out
    )

    places = (np.arange(2) + 0.5) * (step if by_scale else rows / 2) - 0.5
    np.testing.assert_allclose(found.numpy()[0, 0, :, 0], places, rtol=1e-6)
