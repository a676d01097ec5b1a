"""Average pooling: refusals, derivatives of the forward function, what chips do differently."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import output_of
from finite_differences import numeric_gradient
from operators.calls import INNER_NULL, INVALID, NULL, code, ones

import pyaclnn as pa
from pyaclnn.selftest.cases import numpy_dtype
from pyaclnn.selftest.suites.pooling_reference import adaptive_avg_pool, avg_pool, pooled_shape

GRAD, IMAGE = (2, 3, 2, 2), (2, 3, 4, 4)
GRAD_3D, VOLUME = (2, 3, 2, 2, 2), (2, 3, 4, 4, 4)


def code_2d(*tensors: pa.Tensor | None, out: pa.Tensor | None = None, **changes: Any) -> int:
    """The status of a 2 by 2 pooling, with some attributes changed."""
    attributes: dict[str, Any] = {
        "kernel_size": (2,), "stride": (), "padding": (0,), "ceil_mode": False,
        "count_include_pad": True, "divisor_override": 0, "cube_math_type": 0,
    } | changes  # fmt: skip
    return code(
        "avg_pool2d_backward",
        *tensors,
        *attributes.values(),
        out=ones(*IMAGE) if out is None else out,
    )


def code_3d(*tensors: pa.Tensor | None, out: pa.Tensor | None = None, **changes: Any) -> int:
    """The status of a 2 by 2 by 2 pooling, with some attributes changed."""
    attributes: dict[str, Any] = {
        "kernel_size": (2,), "stride": (), "padding": (0,), "ceil_mode": False,
        "count_include_pad": True, "divisor_override": 0,
    } | changes  # fmt: skip
    return code(
        "avg_pool3d_backward",
        *tensors,
        *attributes.values(),
        out=ones(*VOLUME) if out is None else out,
    )


def test_right_arguments_are_accepted() -> None:
    assert code_2d(ones(*GRAD), ones(*IMAGE)) == 0
    assert code_3d(ones(*GRAD_3D), ones(*VOLUME)) == 0


@pytest.mark.parametrize("missing", [0, 1])
def test_a_null_tensor_comes_before_a_wrong_dtype(missing: int) -> None:
    images: list[pa.Tensor | None] = [ones(*GRAD, dtype="int8"), ones(*IMAGE, dtype="int8")]
    volumes: list[pa.Tensor | None] = [
        ones(*GRAD_3D, dtype="int8"), ones(*VOLUME, dtype="int8")
    ]  # fmt: skip
    images[missing] = volumes[missing] = None

    assert code_2d(*images) == NULL
    assert code_3d(*volumes) == NULL


@pytest.mark.parametrize("name", ["kernel_size", "padding"])
def test_a_null_attribute_is_refused(name: str) -> None:
    assert code_2d(ones(*GRAD), ones(*IMAGE), **{name: None}) == NULL
    assert code_3d(ones(*GRAD_3D), ones(*VOLUME), **{name: None}) == NULL


def test_only_the_planar_operator_does_without_a_stride() -> None:
    assert code_2d(ones(*GRAD), ones(*IMAGE), stride=None) == 0
    assert code_3d(ones(*GRAD_3D), ones(*VOLUME), stride=None) == NULL


@pytest.mark.parametrize("position", [0, 1])
@pytest.mark.parametrize("dtype", ["float64", "int32", "bool"])
def test_other_dtypes_are_refused(position: int, dtype: str) -> None:
    images = [ones(*GRAD), ones(*IMAGE)]
    images[position] = ones(*images[position].shape, dtype=dtype)

    assert code_2d(*images) == INVALID


def test_planar_gradients_have_one_dtype() -> None:
    half = ones(*IMAGE, dtype="float16")
    assert code_2d(ones(*GRAD), ones(*IMAGE), out=half) == INVALID


def test_a_volume_of_another_dtype_cannot_take_the_result() -> None:
    half = ones(*VOLUME, dtype="float16")
    assert code_3d(ones(*GRAD_3D), ones(*VOLUME), out=half) == INNER_NULL


@pytest.mark.parametrize(
    "changes",
    [
        {"kernel_size": ()}, {"kernel_size": (2, 2, 2)}, {"kernel_size": (0,)},
        {"kernel_size": (2, -1)}, {"stride": (0,)}, {"stride": (2, -2)}, {"stride": (2, 2, 2)},
        {"padding": ()}, {"padding": (2,)}, {"padding": (-1,)}, {"padding": (0, 0, 0)},
        {"cube_math_type": 4}, {"cube_math_type": -1},
    ],
    ids=str,
)  # fmt: skip
def test_wrong_planar_attributes_are_refused(changes: dict[str, Any]) -> None:
    assert code_2d(ones(*GRAD), ones(*IMAGE), **changes) == INVALID


@pytest.mark.parametrize(
    "changes",
    [
        {"kernel_size": ()}, {"kernel_size": (2, 2)}, {"kernel_size": (0,)}, {"stride": (0,)},
        {"stride": (2, 2)}, {"padding": ()}, {"padding": (2,)}, {"padding": (-1,)},
        {"padding": (0, 0)},
    ],
    ids=str,
)  # fmt: skip
def test_wrong_volume_attributes_are_refused(changes: dict[str, Any]) -> None:
    assert code_3d(ones(*GRAD_3D), ones(*VOLUME), **changes) == INVALID


def test_shapes_that_do_not_belong_together_are_refused() -> None:
    assert code_2d(ones(2, 3, 2, 3), ones(*IMAGE)) == INVALID
    assert code_2d(ones(2, 2, 2, 2), ones(*IMAGE)) == INVALID
    assert code_2d(ones(*GRAD), ones(*IMAGE), out=ones(2, 3, 4, 5)) == INVALID
    assert code_2d(ones(3, 2, 2), ones(*IMAGE)) == INVALID
    assert code_3d(ones(2, 3, 2, 2, 3), ones(*VOLUME)) == INVALID
    assert code_3d(ones(*GRAD_3D), ones(*VOLUME), out=ones(2, 3, 4, 4, 5)) == INVALID
    assert code_3d(ones(3, 2, 2, 2), ones(*VOLUME)) == INVALID


@pytest.mark.parametrize("rank", [2, 5])
def test_planes_have_three_or_four_dimensions(rank: int) -> None:
    shape = (4,) * rank
    assert code_2d(ones(*shape), ones(*shape), out=ones(*shape)) == INVALID


def adaptive_code(axes: int, grad: pa.Tensor | None, x: pa.Tensor | None, out: pa.Tensor) -> int:
    return code(f"adaptive_avg_pool{axes}d_backward", grad, x, out=out)


@pytest.mark.parametrize("axes", [2, 3])
def test_adaptive_pooling_refuses_in_order(axes: int) -> None:
    grad, image = (2, 3, *(2,) * axes), (2, 3, *(5,) * axes)
    whole = ones(*image, dtype="int32")

    assert adaptive_code(axes, ones(*grad), ones(*image), ones(*image)) == 0
    assert adaptive_code(axes, None, whole, ones(*image)) == NULL
    assert adaptive_code(axes, ones(*grad), None, ones(*image)) == NULL
    assert adaptive_code(axes, ones(*grad), whole, ones(*image)) == INVALID
    half = ones(*grad, dtype="float16")
    assert adaptive_code(axes, half, ones(*image), ones(*image)) == INVALID
    assert adaptive_code(axes, ones(*grad[1:]), ones(*image), ones(*image)) == INVALID
    assert adaptive_code(axes, ones(*grad), ones(*image), ones(*image[1:])) == INVALID
    assert adaptive_code(axes, ones(4, *grad[1:]), ones(*image), ones(*image)) == INVALID


def test_adaptive_planes_of_another_size_or_dtype_cannot_take_the_result() -> None:
    grad, image = ones(2, 3, 2, 2), ones(2, 3, 5, 5)

    assert adaptive_code(2, grad, image, ones(2, 3, 5, 6)) == INNER_NULL
    assert adaptive_code(2, grad, image, ones(2, 3, 5, 5, dtype="float16")) == INNER_NULL


def test_adaptive_volumes_are_double_only_when_pooled_to_one() -> None:
    image = ones(2, 3, 4, 4, 4, dtype="float64")

    assert adaptive_code(3, ones(2, 3, 1, 1, 1, dtype="float64"), image, image) == 0
    assert adaptive_code(3, ones(2, 3, 2, 1, 1, dtype="float64"), image, image) == INVALID


def test_adaptive_volumes_may_not_be_empty() -> None:
    image = ones(0, 3, 4, 4, 4)
    assert adaptive_code(3, ones(0, 3, 1, 1, 1), image, image) == INVALID


POOLINGS = (
    ((2,), (), (0,), False, True, 0),
    ((3, 2), (2, 1), (1, 0), False, True, 0),
    ((3, 2), (2, 1), (1, 0), False, False, 0),
    ((3,), (2,), (1,), True, True, 0),
    ((3,), (2,), (1,), True, False, 0),
    ((3,), (1,), (1,), False, True, 5),
)


@pytest.mark.parametrize("pooling", POOLINGS, ids=str)
def test_planar_pooling_is_the_derivative_of_its_forward_function(pooling: Any) -> None:
    kernel, stride, padding, ceil, include, divisor = pooling
    rng = np.random.default_rng(3)
    x = rng.normal(size=(1, 2, 5, 6))
    grad = rng.normal(size=pooled_shape(x.shape, kernel, stride, padding, ceil)).astype(np.float32)

    result = pa.ops.avg_pool2d_backward(
        pa.asarray(grad), pa.asarray(x.astype(np.float32)), *pooling, 0
    )

    expected = numeric_gradient(
        lambda v: avg_pool(v, kernel, stride, padding, ceil, include, divisor), x, grad
    )
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-6)


def test_volume_pooling_is_the_derivative_of_its_forward_function() -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=(2, 3, 4, 5))
    window: Any = ((2, 3, 2), (1, 2, 2), (1, 1, 0), True)
    grad = rng.normal(size=pooled_shape(x.shape, *window, axes=3)).astype(np.float32)

    result = pa.ops.avg_pool3d_backward(
        pa.asarray(grad), pa.asarray(x.astype(np.float32)), *window, False, 0
    )

    expected = numeric_gradient(lambda v: avg_pool(v, *window, False, axes=3), x, grad)
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("size", [(2, 3), (1, 1), (7, 4), (2, 3, 1), (1, 1, 1), (3, 5, 2)])
def test_adaptive_pooling_is_the_derivative_of_its_forward_function(size: tuple[int, ...]) -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(2, 3, 5, 4)[: 4 if len(size) == 3 else 3])
    grad = rng.normal(size=(*x.shape[: -len(size)], *size)).astype(np.float32)
    operator = pa.ops[f"adaptive_avg_pool{len(size)}d_backward"]

    result = operator(pa.asarray(grad), pa.asarray(x.astype(np.float32)))

    expected = numeric_gradient(lambda v: adaptive_avg_pool(v, size), x, grad)
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-6)


def test_a_pool_of_one_window_over_a_large_image_ignores_its_padding() -> None:
    grad = pa.ones((1, 1, 1, 1), "float32")

    result = pa.ops.avg_pool2d_backward(
        grad, ones(1, 1, 10, 10), (10,), (20,), (5,), False, False, 0, 0
    )

    np.testing.assert_allclose(result.numpy(), np.full((1, 1, 10, 10), 0.01), rtol=1e-6)


# hfloat32 has float32's range, float16 has not.
@pytest.mark.parametrize(("cube_math_type", "large"), [(1, 2.0**28), (2, np.inf), (3, 2.0**28)])
def test_the_matrix_unit_may_round_float32(cube_math_type: int, large: float) -> None:
    grad = pa.asarray(np.full((1, 1, 2, 2), 1.0002441, np.float32))
    big = pa.asarray(np.full((1, 1, 2, 2), 2.0**30, np.float32))
    image = ones(1, 1, 4, 4)

    def pooled(g: pa.Tensor, kind: int) -> float:
        result = pa.ops.avg_pool2d_backward(g, image, (2,), (), (0,), False, True, 0, kind)
        return float(result.numpy()[0, 0, 0, 0])

    assert pooled(grad, cube_math_type) == 0.25
    assert pooled(grad, 0) == np.float32(1.0002441) / 4
    assert pooled(big, cube_math_type) == large


def test_halves_are_not_rounded_further() -> None:
    grad = pa.asarray(np.full((1, 1, 2, 2), 2.0**30, np.float32).astype(numpy_dtype("bfloat16")))
    image = ones(1, 1, 4, 4, dtype="bfloat16")

    result = pa.ops.avg_pool2d_backward(grad, image, (2,), (), (0,), False, True, 0, 1)

    assert float(result.numpy()[0, 0, 0, 0]) == 2.0**28


def test_the_vector_unit_keeps_float32_whatever_is_allowed() -> None:
    grad = pa.asarray(np.full((1, 1, 2, 2), 1.0002441, np.float32))

    result = pa.ops.avg_pool2d_backward(grad, ones(1, 1, 4, 4), (2,), (), (0,), True, True, 0, 1)

    assert result.numpy()[0, 0, 0, 0] == np.float32(1.0002441) / 4


POOL = """
    import numpy as np, pyaclnn as pa
    halves = (pa.ones((1, 1, n, n), "float16") for n in (2, 3))
    result = pa.ops.avg_pool2d_backward(*halves, (2,), (2,), (0,), True, True, 0, 0)
    print(result.numpy()[0, 0, 2].tolist())
    """


def test_the_first_generation_divides_a_ceiled_window_by_the_whole_kernel() -> None:
    assert output_of(POOL, PYACLNN_SIM_SOC="Ascend910A") == "[0.25, 0.25, 0.25]"
    assert output_of(POOL, PYACLNN_SIM_SOC="Ascend910B1") == "[0.5, 0.5, 1.0]"
