"""Convolution gradients: what is computed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from finite_differences import numeric_gradient
from operators.calls import code_of, ones
from operators.convolution_calls import convolve, tbc

import pyaclnn as pa

Array = np.ndarray[Any, Any]


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


def test_bfloat16_is_computed_in_float16_where_that_is_asked_for() -> None:
    # Three of the seven bits of 1.0078125 * 2^-20 are below the smallest float16, and 2^16 is
    # above the largest one.
    def product(a: float, b: float) -> tuple[float, float]:
        x, grad = (pa.full((1, 1, 1, 1), value, "bfloat16") for value in (a, b))
        grad_input, grad_weight, _ = convolve(
            grad_output=grad, input=x, weight=x, padding=(0, 0), bias_sizes=(1,), cube_math_type=2
        )
        return tuple(float(r.numpy().astype(np.float32).item()) for r in (grad_input, grad_weight))

    assert product(1.0078125 * 2.0**-20, 1.0) == (2.0**-20, 2.0**-20)
    assert product(2.0**16, 1.0) == (np.inf, np.inf)
    # Of two numbers that are, only the product by the weight is a float16 again.
    assert product(2.0**9, 2.0**9) == (np.inf, 2.0**18)


@pytest.mark.parametrize("math", [2, 3])
def test_tbc_takes_bfloat16_with_any_precision(math: int) -> None:
    halves = {
        "self": ones(5, 2, 4, dtype="bfloat16"), "input": ones(5, 2, 3, dtype="bfloat16"),
        "weight": ones(3, 3, 4, dtype="bfloat16"), "bias": ones(4, dtype="bfloat16"),
    }  # fmt: skip
    assert code_of(tbc, **halves, cube_math_type=math) == 0
