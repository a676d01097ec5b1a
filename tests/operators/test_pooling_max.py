"""Max pooling and unpooling: refusals, derivatives of the forward function, unusual indices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from finite_differences import Array, numeric_gradient
from operators.calls import INVALID, NULL, code, ones

import pyaclnn as pa
from pyaclnn.selftest.suites.pooling_max import mask_bytes
from pyaclnn.selftest.suites.pooling_reference import adaptive_max_pool, max_pool

FIND_KERNEL, INNER_NULL = 561003, 561103

WINDOW: dict[str, Any] = {
    "kernel_size": (2,), "stride": (), "padding": (0,), "dilation": (1,), "ceil_mode": False,
}  # fmt: skip


#: Operator, shape of the gradient, of the input, of the indices, and dtype of these.
POOLS: tuple[tuple[Any, ...], ...] = (
    ("max_pool2d_with_indices_backward", (2, 3, 2, 2), (2, 3, 4, 4), (2, 3, 2, 2), "int32"),
    ("max_pool2d_with_mask_backward", (2, 3, 2, 2), (2, 3, 4, 4), (2, 3, 4, 64), "int8"),
    ("max_pool3d_with_argmax_backward", (2, 3, 2, 2, 2), (2, 3, 4, 4, 4), (2, 3, 2, 2, 2), "int32"),
)
pools = pytest.mark.parametrize("pool", POOLS, ids=[p[0] for p in POOLS])


def pool_code(pool: Any, *, tensors: dict[int, Any] | None = None, **changes: Any) -> int:
    """The status of a pooling with some tensors and attributes changed; 3 is the output."""
    name, grad, image, index, index_dtype = pool
    arguments: list[Any] = [ones(*grad), ones(*image), ones(*index, dtype=index_dtype)]
    arguments.append(ones(*image))
    for position, value in (tensors or {}).items():
        arguments[position] = value
    return code(name, *arguments[:3], *(WINDOW | changes).values(), out=arguments[3])


@pools
def test_right_arguments_are_accepted(pool: Any) -> None:
    assert pool_code(pool) == 0


@pools
@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_null_tensor_comes_before_a_wrong_dtype(pool: Any, missing: int) -> None:
    other = (missing + 1) % 3
    wrong = ones(*pool[1 + other], dtype="bool")
    assert pool_code(pool, tensors={missing: None, other: wrong}) == NULL


@pools
@pytest.mark.parametrize("name", ["kernel_size", "stride", "padding", "dilation"])
def test_a_null_attribute_is_refused(pool: Any, name: str) -> None:
    assert pool_code(pool, **{name: None}) == NULL


@pools
@pytest.mark.parametrize(("position", "dtype"), [(0, "float64"), (1, "int32"), (2, "float32"),
                                                 (2, "int64"), (3, "float16")])  # fmt: skip
def test_other_dtypes_are_refused(pool: Any, position: int, dtype: str) -> None:
    shape = pool[1 + position] if position < 3 else pool[2]
    assert pool_code(pool, tensors={position: ones(*shape, dtype=dtype)}) == INVALID


@pools
@pytest.mark.parametrize(
    "changes",
    [
        {"kernel_size": (0,)}, {"stride": (0,)}, {"stride": (1, 1, 1, 1)}, {"padding": ()},
        {"padding": (2,)}, {"padding": (-1,)}, {"dilation": ()}, {"dilation": (0,)},
    ],
    ids=str,
)  # fmt: skip
def test_wrong_attributes_are_refused(pool: Any, changes: dict[str, Any]) -> None:
    assert pool_code(pool, **changes) == INVALID


@pools
def test_a_kernel_of_too_many_sizes_is_refused(pool: Any) -> None:
    # With a mask, CANN gives the code of a null pointer.
    expected = NULL if "mask" in pool[0] else INVALID
    assert pool_code(pool, kernel_size=(2, 2, 2, 2)) == expected


@pools
def test_shapes_that_do_not_belong_together_are_refused(pool: Any) -> None:
    _, grad, image, index, index_dtype = pool
    assert pool_code(pool, tensors={0: ones(*grad[:-1], 3)}) == INVALID
    assert pool_code(pool, tensors={1: ones(*image[:-1], 6)}) == INVALID
    assert pool_code(pool, tensors={3: ones(*image[:-1], 6)}) == INVALID
    assert pool_code(pool, tensors={0: ones(*grad[2:])}) == INVALID
    other = ones(*index[:-1], 3, dtype=index_dtype)
    planar = "2d" in pool[0] and "mask" not in pool[0]
    if "mask" not in pool[0]:
        assert pool_code(pool, tensors={2: other}) == (INNER_NULL if planar else INVALID)


def test_planar_pooling_is_not_dilated_on_this_chip() -> None:
    assert pool_code(POOLS[0], dilation=(2,)) == INVALID


def test_planar_pooling_with_indices_knows_float32_only() -> None:
    grad, image, index = ones(2, 3, 2, 2), ones(2, 3, 4, 4), ones(2, 3, 2, 2, dtype="int32")
    half = [ones(*t.shape, dtype="float16") for t in (grad, image)]
    name = "max_pool2d_with_indices_backward"

    assert code(name, *half, index, *WINDOW.values()) == INVALID


def test_int8_indices_pass_the_checks_and_find_no_kernel() -> None:
    index = ones(2, 3, 2, 2, dtype="int8")
    assert pool_code(POOLS[0], tensors={2: index}) == INNER_NULL


def adaptive_code(axes: int, *tensors: Any, out: pa.Tensor) -> int:
    return code(f"adaptive_max_pool{axes}d_backward", *tensors, out=out)


@pytest.mark.parametrize("axes", [2, 3])
def test_adaptive_pooling_refuses_in_order(axes: int) -> None:
    pooled, shape = (2, 3, *(2,) * axes), (2, 3, *(5,) * axes)
    grad, x = ones(*pooled), ones(*shape)
    index = ones(*pooled, dtype="int32")

    assert adaptive_code(axes, grad, x, index, out=ones(*shape)) == 0
    for missing in range(3):
        tensors: list[Any] = [ones(*pooled, dtype="bool"), x, index]
        tensors[missing] = None
        assert adaptive_code(axes, *tensors, out=ones(*shape)) == NULL
    half = ones(*pooled, dtype="float16")
    assert adaptive_code(axes, half, x, index, out=ones(*shape)) == INVALID
    integers = [ones(*s, dtype="int32") for s in (pooled, shape)]
    assert adaptive_code(axes, *integers, index, out=integers[1]) == INVALID
    assert adaptive_code(axes, grad, x, grad, out=ones(*shape)) == INVALID
    short = ones(*pooled[:-1], 1, dtype="int32")
    assert adaptive_code(axes, grad, x, short, out=ones(*shape)) == INVALID
    assert adaptive_code(axes, grad, x, index, out=ones(*shape[:-1], 6)) == INVALID
    flat = [ones(*s[-2:]) for s in (pooled, shape)]
    flat_index = ones(*pooled[-2:], dtype="int32")
    assert adaptive_code(axes, *flat, flat_index, out=flat[1]) == INVALID


@pytest.mark.parametrize("axes", [2, 3])
def test_other_channels_are_found_by_the_kernel_of_adaptive_pooling(axes: int) -> None:
    pooled, shape = (2, 1, *(1,) * axes), (2, 2, *(2,) * axes)
    index = ones(*pooled, dtype="int32")
    found = adaptive_code(axes, ones(*pooled), ones(*shape), index, out=ones(*shape))
    assert found == INNER_NULL


def test_only_adaptive_planes_take_int64_indices_on_this_chip() -> None:
    for axes, expected in ((2, 0), (3, INVALID)):
        pooled, shape = (2, 3, *(2,) * axes), (2, 3, *(5,) * axes)
        index = ones(*pooled, dtype="int64")
        out = ones(*shape)
        assert adaptive_code(axes, ones(*pooled), ones(*shape), index, out=out) == expected


def spread(shape: tuple[int, ...], seed: int) -> Array:
    """Values far enough from one another for a difference quotient."""
    rng = np.random.default_rng(seed)
    return rng.permutation(int(np.prod(shape))).reshape(shape) / 8.0


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize(
    "window", [((2,), (), (0,), False), ((3, 2), (2, 1), (1, 0), True)], ids=str
)
def test_planar_pooling_is_the_derivative_of_its_forward_function(
    window: Any, masked: bool
) -> None:
    x = spread((1, 2, 5, 6), 1)
    _, indices = max_pool(x, *window)
    grad = np.random.default_rng(2).normal(size=indices.shape).astype(np.float32)
    name = f"max_pool2d_with_{'mask' if masked else 'indices'}_backward"
    index = mask_bytes(indices, window[0]) if masked else indices.astype(np.int32)
    kernel, stride, padding, ceil = window

    result = pa.ops[name](
        pa.asarray(grad), pa.asarray(x.astype(np.float32)), pa.asarray(index),
        kernel, stride, padding, (1,), ceil,
    )  # fmt: skip

    expected = numeric_gradient(lambda v: max_pool(v, *window)[0], x, grad)
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-6)


def test_volume_pooling_is_the_derivative_of_its_forward_function() -> None:
    x = spread((2, 4, 5, 6), 3)
    window: Any = ((2,), (1, 2, 2), (1, 0, 1), False, (1, 2, 1))
    _, indices = max_pool(x, *window, axes=3)
    grad = np.random.default_rng(2).normal(size=indices.shape).astype(np.float32)
    kernel, stride, padding, ceil, dilation = window

    result = pa.ops.max_pool3d_with_argmax_backward(
        pa.asarray(grad), pa.asarray(x.astype(np.float32)), pa.asarray(indices.astype(np.int32)),
        kernel, stride, padding, dilation, ceil,
    )  # fmt: skip

    expected = numeric_gradient(lambda v: max_pool(v, *window, axes=3)[0], x, grad)
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("size", [(2, 3), (1, 1), (2, 3, 1), (3, 2, 2)])
def test_adaptive_pooling_is_the_derivative_of_its_forward_function(size: tuple[int, ...]) -> None:
    x = spread((2, 3, 5, 4)[: 4 if len(size) == 3 else 3], 4)
    _, indices = adaptive_max_pool(x, size)
    grad = np.random.default_rng(2).normal(size=indices.shape).astype(np.float32)
    operator = pa.ops[f"adaptive_max_pool{len(size)}d_backward"]

    result = operator(
        pa.asarray(grad), pa.asarray(x.astype(np.float32)), pa.asarray(indices.astype(np.int32))
    )

    expected = numeric_gradient(lambda v: adaptive_max_pool(v, size)[0], x, grad)
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-6)


def test_halves_are_summed_in_float32() -> None:
    grad = pa.asarray(np.array([[[1024.0, 0.5, 0.5]]], np.float16))
    index = pa.asarray(np.zeros((1, 1, 3), np.int32))

    result = pa.ops.adaptive_max_pool2d_backward(grad, ones(1, 1, 3, dtype="float16"), index)

    # In float16, 1024 + 0.5 is 1024, twice.
    assert result.numpy()[0, 0, 0] == 1025


@pytest.mark.parametrize("index", [-1, 4, 2**31 - 1, -(2**31)])
def test_an_index_outside_the_plane_writes_nowhere(index: int) -> None:
    grad = pa.asarray(np.array([[[5.0, 7.0]]], np.float32))
    indices = pa.asarray(np.array([[[index, 1]]], np.int32))

    result = pa.ops.adaptive_max_pool2d_backward(grad, ones(1, 2, 2), indices)

    assert result.numpy().tolist() == [[[0, 7], [0, 0]]]


#: Operator, shape of the pooled tensor, size it was unpooled to, further arguments.
UNPOOLS: tuple[tuple[Any, ...], ...] = (
    ("max_unpool2d_backward", (2, 3, 2, 2), (4, 4), ()),
    ("max_unpool3d_backward", (2, 3, 2, 2, 2), (4, 4, 4), ((2, 2, 2), (0, 0, 0))),
)
unpools = pytest.mark.parametrize("unpool", UNPOOLS, ids=[u[0] for u in UNPOOLS])


def unpool_code(
    unpool: Any, *, tensors: dict[int, Any] | None = None, size: Any = None, rest: Any = None
) -> int:
    """The status of an unpooling with some tensors and attributes changed; 3 is the output."""
    name, shape, default_size, default_rest = unpool
    arguments: list[Any] = [
        ones(*shape[:2], *default_size), ones(*shape), ones(*shape, dtype="int64"),
        ones(*shape),
    ]  # fmt: skip
    for position, value in (tensors or {}).items():
        arguments[position] = value
    size = default_size if size is None else size
    return code(name, *arguments[:3], size, *(rest or default_rest), out=arguments[3])


@unpools
def test_unpooling_accepts_right_arguments(unpool: Any) -> None:
    assert unpool_code(unpool) == 0


@unpools
@pytest.mark.parametrize("missing", [0, 1, 2])
def test_unpooling_looks_for_null_first(unpool: Any, missing: int) -> None:
    tensors: dict[int, Any] = {position: ones(1, dtype="complex64") for position in range(3)}
    assert unpool_code(unpool, tensors=tensors | {missing: None}) == NULL


@unpools
@pytest.mark.parametrize("position", [0, 1, 3])
@pytest.mark.parametrize("dtype", ["complex64", "bfloat16", "uint16"])
def test_unpooling_refuses_other_dtypes(unpool: Any, position: int, dtype: str) -> None:
    _, shape, size, _ = unpool
    changed = (*shape[:2], *size) if position == 0 else shape
    assert unpool_code(unpool, tensors={position: ones(*changed, dtype=dtype)}) == INVALID


@unpools
def test_unpooling_refuses_shapes_that_do_not_belong_together(unpool: Any) -> None:
    _, shape, size, _ = unpool
    assert unpool_code(unpool, tensors={0: ones(*shape[:2], *size[:-1], 5)}) == INVALID
    assert unpool_code(unpool, tensors={0: ones(2, 4, *size)}) == INVALID
    assert unpool_code(unpool, tensors={1: ones(*shape[:-1], 3)}) == INVALID
    assert unpool_code(unpool, tensors={2: ones(*shape[:-1], 3, dtype="int64")}) == INVALID
    assert unpool_code(unpool, tensors={3: ones(*shape[:-1], 3)}) == INVALID
    assert unpool_code(unpool, size=(*size[:-1], 5)) == INVALID
    assert unpool_code(unpool, size=size[:-1]) == INVALID


def test_unpooled_volumes_are_stricter() -> None:
    three = UNPOOLS[1]
    shape = three[1]
    int32 = ones(*shape, dtype="int32")
    strided = pa.empty((*shape[:-1], 4), "float32")[..., ::2]

    assert unpool_code(three, tensors={2: int32}) == INVALID
    assert unpool_code(three, tensors={3: strided}) == INVALID
    assert unpool_code(three, rest=((2, 2, 0), (0, 0, 0))) == INVALID
    assert unpool_code(three, rest=((2, 2), (0, 0, 0))) == INVALID
    assert unpool_code(three, rest=((2, 2, 2), (0,))) == INVALID
    small = {0: ones(*shape[:2], 1, 1, 1)}
    assert unpool_code(three, tensors=small, size=(1, 1, 1)) == INVALID


def test_unpooled_planes_convert_upwards_only() -> None:
    index = pa.asarray(np.array([[[1, 0]]], np.int64))
    self = ones(1, 1, 2, dtype="int32")
    grad = pa.asarray(np.array([[[300, -7]]], np.int32))

    def result(dtype: str) -> list[Any]:
        out = ones(1, 1, 2, dtype=dtype)
        found: list[Any] = pa.ops.max_unpool2d_backward(grad, self, index, (1, 2), out=out).numpy()
        return np.asarray(found).reshape(-1).tolist()

    assert result("float32") == [-7, 300]
    assert result("int8") == [-7, 44]
    with pytest.raises(pa.AclParameterError, match="converted"):
        result("bool")


def test_an_empty_gradient_needs_an_empty_input() -> None:
    name = "max_unpool2d_backward"
    index = ones(1, 2, 2, dtype="int64")
    assert code(name, ones(1, 0, 4), ones(1, 2, 2), index, (0, 4)) == INVALID


@pytest.mark.parametrize("index", [-1, 4, 2**62])
def test_an_index_outside_the_plane_fetches_zero(index: int) -> None:
    grad = pa.asarray(np.array([[[5.0, 7.0], [8.0, 9.0]]], np.float32))
    indices = pa.asarray(np.array([[[index, 3]]], np.int64))

    result = pa.ops.max_unpool2d_backward(grad, ones(1, 1, 2), indices, (2, 2))

    assert result.numpy().tolist() == [[[0, 9]]]


def test_unpooling_is_the_derivative_of_its_forward_function() -> None:
    rng = np.random.default_rng(6)
    x = rng.normal(size=(2, 2, 3))
    # Every element has a place of its own, as after pooling without overlap.
    indices = np.stack([rng.permutation(20)[:6].reshape(2, 3) for _ in range(2)])
    grad = rng.normal(size=(2, 4, 5)).astype(np.float32)

    def unpool(values: Array) -> Array:
        out = np.zeros((2, 20))
        np.put_along_axis(out, indices.reshape(2, 6), values.reshape(2, 6), axis=1)
        return out.reshape(2, 4, 5)

    result = pa.ops.max_unpool2d_backward(
        pa.asarray(grad), pa.asarray(x.astype(np.float32)), pa.asarray(indices), (4, 5)
    )

    np.testing.assert_allclose(
        result.numpy(), numeric_gradient(unpool, x, grad), rtol=1e-4, atol=1e-6
    )
