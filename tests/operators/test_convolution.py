"""Convolution gradients: what is refused, in CANN's order, and what is computed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from finite_differences import numeric_gradient

import pyaclnn as pa

NULL, INVALID, INNER_NULL = 161001, 161002, 561103
Array = np.ndarray[Any, Any]


def tensor(*shape: int, dtype: str = "float32") -> pa.Tensor:
    return pa.ones(shape, dtype)


def convolve(**changes: Any) -> Any:
    """Run a right two-dimensional call with some arguments changed."""
    arguments: dict[str, Any] = {
        "grad_output": tensor(2, 4, 5, 5), "input": tensor(2, 3, 5, 5),
        "weight": tensor(4, 3, 3, 3), "bias_sizes": (4,), "stride": (1, 1), "padding": (1, 1),
        "dilation": (1, 1), "transposed": False, "output_padding": (0, 0), "groups": 1,
        "output_mask": (True, True, True), "cube_math_type": 0,
    } | changes  # fmt: skip
    return pa.ops["convolution_backward"](**arguments)


def outputs(**changes: Any) -> tuple[Any, ...]:
    right = {"x": tensor(2, 3, 5, 5), "w": tensor(4, 3, 3, 3), "b": tensor(4)} | changes
    return tuple(right.values())


def tbc(**changes: Any) -> Any:
    arguments: dict[str, Any] = {
        "self": tensor(5, 2, 4), "input": tensor(5, 2, 3), "weight": tensor(3, 3, 4),
        "bias": tensor(4), "pad": 1, "cube_math_type": 0,
    } | changes  # fmt: skip
    return pa.ops["conv_tbc_backward"](**arguments)


def code(call: Callable[..., Any], **changes: Any) -> int:
    """The status of a call; 0 for success."""
    try:
        call(**changes)
    except pa.AclError as error:
        return error.code
    return 0


TENSORS = ("grad_output", "input", "weight")
ARRAYS = ("stride", "padding", "dilation", "output_padding", "output_mask")


@pytest.mark.parametrize("name", [*TENSORS, *ARRAYS])
def test_null_argument(name: str) -> None:
    assert code(convolve, **{name: None}, out=outputs()) == NULL


def test_mask_of_another_length_counts_as_null() -> None:
    assert code(convolve, output_mask=(True, True), out=outputs()) == NULL


def test_right_call_succeeds() -> None:
    assert code(convolve) == 0
    assert code(tbc) == 0


@pytest.mark.parametrize("name", TENSORS)
def test_integers_are_refused(name: str) -> None:
    shape = {"grad_output": (2, 4, 5, 5), "input": (2, 3, 5, 5), "weight": (4, 3, 3, 3)}[name]
    assert code(convolve, **{name: tensor(*shape, dtype="int32")}, out=outputs()) == INVALID


@pytest.mark.parametrize(
    "changes",
    [
        {"stride": (0, 1)}, {"stride": (1,)}, {"padding": (-1, 0)}, {"padding": (1, 1, 1)},
        {"dilation": (0, 1)}, {"dilation": (1, 1, 1)}, {"output_padding": (1, 0)},
        {"output_padding": (0,)}, {"groups": 0}, {"groups": 3}, {"cube_math_type": 4},
        {"cube_math_type": -1}, {"weight": tensor(4, 2, 3, 3)}, {"weight": tensor(4, 3, 3)},
        {"input": tensor(2, 3)}, {"grad_output": tensor(2, 4, 5)},
        {"grad_output": tensor(2, 5, 5, 5)}, {"grad_output": tensor(3, 4, 5, 5)},
        {"grad_output": tensor(0, 4, 5, 5)},
    ],
)  # fmt: skip
def test_invalid_argument(changes: dict[str, Any]) -> None:
    assert code(convolve, **changes, out=outputs()) == INVALID


@pytest.mark.parametrize(
    "changes",
    [{"x": tensor(2, 3, 5, 6)}, {"w": tensor(4, 3, 3, 2)}, {"b": tensor(3)}, {"b": tensor(4, 1)}],
)
def test_output_of_another_shape(changes: dict[str, Any]) -> None:
    assert code(convolve, out=outputs(**changes)) == INVALID


def test_bfloat16_is_not_computed_in_float16() -> None:
    shapes = ((2, 4, 5, 5), (2, 3, 5, 5), (4, 3, 3, 3))
    names = {n: tensor(*s, dtype="bfloat16") for n, s in zip(TENSORS, shapes, strict=True)}
    assert code(convolve, **names, cube_math_type=2) == INVALID
    assert code(convolve, **names, cube_math_type=1) == 0


def test_missing_tensor_is_found_before_a_wrong_attribute() -> None:
    assert code(convolve, input=None, stride=(0, 0), out=outputs()) == NULL


def test_plane_that_does_not_fit_is_found_by_the_kernel_in_two_dimensions() -> None:
    assert code(convolve, grad_output=tensor(2, 4, 5, 6)) == INNER_NULL


def test_transposed_plane_that_does_not_fit_is_invalid() -> None:
    right = {
        "transposed": True, "input": tensor(2, 4, 5, 5), "grad_output": tensor(2, 3, 5, 5),
        "bias_sizes": (3,),
    }  # fmt: skip
    assert code(convolve, **right) == 0
    assert code(convolve, **right | {"grad_output": tensor(2, 3, 5, 6)}) == INVALID


def test_results_left_out_by_the_mask_are_none() -> None:
    grad_input, grad_weight, grad_bias = convolve(output_mask=(False, True, False))
    assert grad_input is None
    assert grad_weight.shape == (4, 3, 3, 3)
    assert grad_bias is None


def test_of_no_samples_the_weight_gradient_is_zero() -> None:
    out = outputs(x=pa.ones((0, 3, 5, 5)))
    convolve(input=tensor(0, 3, 5, 5), grad_output=tensor(0, 4, 5, 5), out=out)
    assert not out[1].numpy().any()
    assert not out[2].numpy().any()


def test_of_no_samples_the_bias_size_must_be_right() -> None:
    empty = {"input": tensor(0, 3, 5, 5), "grad_output": tensor(0, 4, 5, 5)}
    assert code(convolve, **empty, bias_sizes=(5,)) == INVALID


@pytest.mark.parametrize("name", ["self", "input", "weight", "bias"])
def test_tbc_null_argument(name: str) -> None:
    out = (tensor(5, 2, 3), tensor(3, 3, 4), tensor(4))
    assert code(tbc, **{name: None}, out=out) == NULL


@pytest.mark.parametrize(
    "changes",
    [
        {"self": tensor(6, 2, 4)}, {"self": tensor(0, 2, 4)}, {"input": tensor(5, 2, 2)},
        {"input": tensor(5, 3, 3)}, {"weight": tensor(9, 3, 4)}, {"bias": tensor(3)},
        {"bias": tensor(4, 1)}, {"pad": -1}, {"cube_math_type": 4},
        {"self": tensor(5, 2, 4, dtype="int32")}, {"bias": tensor(4, dtype="int32")},
    ],
)  # fmt: skip
def test_tbc_invalid_argument(changes: dict[str, Any]) -> None:
    out = (tensor(5, 2, 3), tensor(3, 3, 4), tensor(4))
    assert code(tbc, **changes, out=out) == INVALID


def forward(
    x: Array, weight: Array, bias: Array, stride: int, padding: int, dilation: int, groups: int
) -> Array:
    """A convolution, written from its definition: one product for every element it reads."""
    n, c = x.shape[:2]
    out, per_group = weight.shape[:2]
    axes = x.ndim - 2
    size = tuple(
        (i + 2 * padding - (k - 1) * dilation - 1) // stride + 1
        for i, k in zip(x.shape[2:], weight.shape[2:], strict=True)
    )
    y = np.zeros((n, out, *size)) + bias.reshape(-1, *(1,) * axes)
    for o, position, tap in product(range(out), np.ndindex(size), np.ndindex(weight.shape[2:])):
        place = tuple(
            p * stride - padding + k * dilation for p, k in zip(position, tap, strict=True)
        )
        if not all(0 <= p < i for p, i in zip(place, x.shape[2:], strict=True)):
            continue
        first = o // (out // groups) * (c // groups)
        seen: tuple[Any, ...] = (slice(None), slice(first, first + per_group), *place)
        kernel: tuple[Any, ...] = (o, slice(None), *tap)
        to: tuple[Any, ...] = (slice(None), o, *position)
        y[to] += x[seen] @ weight[kernel]
    return y


def transposed_forward(
    x: Array, weight: Array, bias: Array, stride: int, padding: int, extra: int, groups: int
) -> Array:
    """A transposed convolution from its definition: each element adds a copy of the weight."""
    n = x.shape[0]
    channels = weight.shape[1]
    axes = x.ndim - 2
    size = tuple(
        (i - 1) * stride - 2 * padding + k + extra
        for i, k in zip(x.shape[2:], weight.shape[2:], strict=True)
    )
    y = np.zeros((n, groups * channels, *size)) + bias.reshape(-1, *(1,) * axes)
    group_size = x.shape[1] // groups
    for i, position, tap in product(
        range(x.shape[1]), np.ndindex(x.shape[2:]), np.ndindex(weight.shape[2:])
    ):
        place = tuple(p * stride - padding + k for p, k in zip(position, tap, strict=True))
        if not all(0 <= p < s for p, s in zip(place, size, strict=True)):
            continue
        first = i // group_size * channels
        to: tuple[Any, ...] = (slice(None), slice(first, first + channels), *place)
        seen: tuple[Any, ...] = (slice(None), i, *position)
        kernel: tuple[Any, ...] = (i, slice(None), *tap)
        y[to] += x[seen][:, None] * weight[kernel]
    return y


def check_gradients(
    run: Callable[[Array, Array, Array], Array], values: list[Array], grad: Array, results: Any
) -> None:
    for index, result in enumerate(results):

        def moved(value: Array, index: int = index) -> Array:
            x, weight, bias = (value if i == index else v for i, v in enumerate(values))
            return run(x, weight, bias)

        expected = numeric_gradient(moved, values[index], grad)
        np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("image", "taps", "stride", "padding", "dilation", "groups"),
    [((7,), (3,), 2, 1, 1, 1), ((5, 4), (2, 3), 1, 1, 1, 2), ((6, 6), (2, 2), 3, 2, 2, 1),
     ((3, 4, 3), (2, 1, 2), 1, 1, 1, 2)],
)  # fmt: skip
def test_gradients_match_finite_differences(
    image: tuple[int, ...], taps: tuple[int, ...], stride: int, padding: int, dilation: int,
    groups: int,
) -> None:  # fmt: skip
    rng = np.random.default_rng(7)
    axes = len(image)
    values = [
        rng.normal(size=(2, 2, *image)), rng.normal(size=(4, 2 // groups, *taps)),
        rng.normal(size=4),
    ]  # fmt: skip

    def run(x: Array, weight: Array, bias: Array) -> Array:
        return forward(x, weight, bias, stride, padding, dilation, groups)

    grad = np.asarray(rng.normal(size=run(*values).shape))
    results = pa.ops["convolution_backward"](
        *(pa.asarray(v.astype(np.float32)) for v in (grad, values[0], values[1])), (4,),
        (stride,) * axes, (padding,) * axes, (dilation,) * axes, False, (0,) * axes, groups,
        (True, True, True), 0,
    )  # fmt: skip
    check_gradients(run, values, grad, results)


@pytest.mark.parametrize(
    ("image", "taps", "stride", "padding", "extra", "groups"),
    [((5,), (3,), 2, 1, 1, 1), ((3, 4), (2, 3), 2, 1, 1, 2), ((2, 2, 3), (2, 3, 1), 3, 0, 2, 1)],
)
def test_transposed_gradients_match_finite_differences(
    image: tuple[int, ...], taps: tuple[int, ...], stride: int, padding: int, extra: int,
    groups: int,
) -> None:  # fmt: skip
    rng = np.random.default_rng(8)
    axes = len(image)
    values = [
        rng.normal(size=(2, 4, *image)), rng.normal(size=(4, 3, *taps)),
        rng.normal(size=3 * groups),
    ]  # fmt: skip

    def run(x: Array, weight: Array, bias: Array) -> Array:
        return transposed_forward(x, weight, bias, stride, padding, extra, groups)

    grad = np.asarray(rng.normal(size=run(*values).shape))
    results = pa.ops["convolution_backward"](
        *(pa.asarray(v.astype(np.float32)) for v in (grad, values[0], values[1])), (3 * groups,),
        (stride,) * axes, (padding,) * axes, (1,) * axes, True, (extra,) * axes, groups,
        (True, True, True), 0,
    )  # fmt: skip
    check_gradients(run, values, grad, results)


def test_tbc_gradients_match_finite_differences() -> None:
    rng = np.random.default_rng(9)
    values = [rng.normal(size=(5, 2, 3)), rng.normal(size=(3, 3, 4)), rng.normal(size=4)]

    def run(x: Array, weight: Array, bias: Array) -> Array:
        y = forward(x.transpose(1, 2, 0), weight.transpose(2, 1, 0), bias, 1, 1, 1, 1)
        return np.asarray(y.transpose(2, 0, 1))

    grad = rng.normal(size=(5, 2, 4))
    tensors = [pa.asarray(v.astype(np.float32)) for v in (grad, *values)]
    check_gradients(run, values, grad, pa.ops["conv_tbc_backward"](*tensors, 1, 0))


@pytest.mark.parametrize(("math", "bits"), [(1, 11), (2, 10), (3, 11)])
def test_cube_math_type_rounds_the_operands(math: int, bits: int) -> None:
    # One product: 1 + 2^-bits is kept, and what lies a quarter of a step above it is lost.
    kept = 1 + 2.0**-bits
    x = np.full((1, 1, 1, 1), kept + 2.0 ** -(bits + 2), np.float32)
    one = pa.ones((1, 1, 1, 1))
    _, grad_weight, _ = convolve(
        grad_output=one, input=pa.asarray(x), weight=one, padding=(0, 0), bias_sizes=(1,),
        cube_math_type=math,
    )  # fmt: skip
    assert float(grad_weight.numpy()[0, 0, 0, 0]) == kept
