"""Normalisation gradients against central differences of the forward functions, in float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from finite_differences import Array, numeric_gradient

import pyaclnn as pa

EPS = 1e-3
MASK = (True, True, True)


def draw(*shapes: tuple[int, ...], low: float = -2.0, high: float = 2.0) -> list[Array]:
    """Values that float32 holds exactly."""
    rng = np.random.default_rng(5)
    return [rng.uniform(low, high, s).astype(np.float32).astype(np.float64) for s in shapes]


def up(*arrays: Array) -> list[pa.Tensor]:
    return [pa.asarray(np.asarray(a, np.float32)) for a in arrays]


def close(results: Any, *expected: Array) -> bool:
    return all(
        np.allclose(r.numpy(), e, rtol=2e-4, atol=2e-5)
        for r, e in zip(results, expected, strict=True)
    )


def numeric(
    forward: Callable[..., Array], grad: Array, *arguments: Array, wanted: tuple[int, ...]
) -> list[Array]:
    """Gradients by the wanted arguments."""

    def alone(position: int) -> Callable[[Array], Array]:
        return lambda value: forward(*arguments[:position], value, *arguments[position + 1 :])

    return [numeric_gradient(alone(i), arguments[i], grad) for i in wanted]


def normalise(x: Array, axes: tuple[int, ...], has_mean: bool = True) -> Array:
    centered = x - x.mean(axis=axes, keepdims=True) if has_mean else x
    return centered / np.sqrt((centered**2).mean(axis=axes, keepdims=True) + EPS)


def statistics(x: Array, axes: tuple[int, ...]) -> tuple[Array, Array]:
    mean = x.mean(axis=axes, keepdims=True)
    return mean, 1 / np.sqrt(x.var(axis=axes, keepdims=True) + EPS)


def per_channel(values: Array, rank: int) -> Array:
    return values.reshape((1, -1, *(1,) * (rank - 2)))


@pytest.mark.parametrize("shape", [(4, 3), (3, 2, 5), (2, 3, 4, 5)], ids=str)
@pytest.mark.parametrize("name", ["batch_norm_backward", "fast_batch_norm_backward"])
def test_derivative_of_batch_norm_in_training(name: str, shape: tuple[int, ...]) -> None:
    grad, x, weight, bias = draw(shape, shape, (shape[1],), (shape[1],))
    axes = (0, *range(2, len(shape)))

    def forward(x: Array, weight: Array, bias: Array) -> Array:
        rank = x.ndim
        return normalise(x, axes) * per_channel(weight, rank) + per_channel(bias, rank)

    expected = numeric(forward, grad, x, weight, bias, wanted=(0, 1, 2))
    version = (0,) if name.startswith("fast") else ()
    tensors = up(grad, x, weight), up(x.mean(axis=axes), x.var(axis=axes))
    result = pa.ops[name](*tensors[0], None, None, *tensors[1], True, EPS, MASK, *version)
    assert close(result, *expected)


def test_derivative_of_batch_norm_in_inference() -> None:
    grad, x, weight, bias, mean = draw((3, 2, 5), (3, 2, 5), (2,), (2,), (2,))
    (variance,) = draw((2,), low=0.5)

    def forward(x: Array, weight: Array, bias: Array) -> Array:
        normal = (x - per_channel(mean, 3)) / np.sqrt(per_channel(variance, 3) + EPS)
        return normal * per_channel(weight, 3) + per_channel(bias, 3)

    expected = numeric(forward, grad, x, weight, bias, wanted=(0, 1, 2))
    result = pa.ops.batch_norm_backward(
        *up(grad, x, weight, mean, variance), None, None, False, EPS, MASK
    )
    assert close(result, *expected)


def test_derivative_of_batch_norm_of_two_devices_is_that_of_both_batches() -> None:
    shape = (4, 3, 5)
    grad, x, weight, bias = draw(shape, shape, (3,), (3,))

    def forward(x: Array, weight: Array, bias: Array) -> Array:
        return normalise(x, (0, 2)) * per_channel(weight, 3) + per_channel(bias, 3)

    expected_x, expected_weight, expected_bias = numeric(
        forward, grad, x, weight, bias, wanted=(0, 1, 2)
    )
    mean, invstd = (a.reshape(-1) for a in statistics(x, (0, 2)))
    halves = [slice(0, 2), slice(2, 4)]
    parts = [
        [t.numpy() for t in pa.ops.batch_norm_reduce_backward(
            *up(grad[half], x[half], mean, invstd, weight), *MASK)]
        for half in halves
    ]  # fmt: skip
    sums = [a + b for a, b in zip(*parts, strict=True)]
    assert np.allclose(sums[2], expected_weight, rtol=2e-4)
    assert np.allclose(sums[3], expected_bias, rtol=2e-4)
    counter = pa.asarray(np.array([10, 10], np.int32))
    grads = [
        pa.ops.batch_norm_elemt_backward(
            *up(grad[half], x[half], mean, invstd, weight, *sums[:2]), counter
        )
        for half in halves
    ]
    assert close(grads, expected_x[:2], expected_x[2:])


@pytest.mark.parametrize("normalised", [1, 2])
def test_derivative_of_layer_norm(normalised: int) -> None:
    shape = (3, 4, 5)
    axes = tuple(range(3 - normalised, 3))
    grad, x, weight, bias = draw(shape, shape, shape[-normalised:], shape[-normalised:])
    expected = numeric(
        lambda x, w, b: normalise(x, axes) * w + b, grad, x, weight, bias, wanted=(0, 1, 2)
    )
    mean, rstd = statistics(x, axes)
    result = pa.ops.layer_norm_backward(
        *up(grad, x), shape[-normalised:], *up(mean, rstd, weight, bias), MASK
    )
    assert close(result, *expected)


def test_derivative_of_layer_norm_of_a_sum() -> None:
    shape = (3, 4, 5)
    grad, x1, x2, gamma, beta, further = draw(shape, shape, shape, (5,), (5,), shape)

    def forward(x1: Array, gamma: Array, beta: Array) -> Array:
        return normalise(x1 + x2, (2,)) * gamma + beta

    grad_x, *expected = numeric(forward, grad, x1, gamma, beta, wanted=(0, 1, 2))
    mean, rstd = statistics(x1 + x2, (2,))
    result = pa.ops.add_layer_norm_grad(*up(grad, x1, x2, rstd, mean, gamma, further))
    assert close(result, grad_x + further, *expected)


def test_derivative_of_deep_norm() -> None:
    shape, alpha = (3, 4, 5), 0.75
    grad, x, gx, gamma, beta = draw(shape, shape, shape, (5,), (5,))

    def forward(x: Array, gx: Array, gamma: Array, beta: Array) -> Array:
        return normalise(alpha * x + gx, (2,)) * gamma + beta

    grad_x, grad_gx, grad_gamma, grad_beta = numeric(
        forward, grad, x, gx, gamma, beta, wanted=(0, 1, 2, 3)
    )
    mean, rstd = statistics(alpha * x + gx, (2,))
    result = pa.ops.deep_norm_grad(*up(grad, x, gx, gamma, mean, rstd), alpha)
    assert close(result, grad_x, grad_gx, grad_beta, grad_gamma)


def test_derivative_of_rms_norm() -> None:
    shape = (3, 2, 8)
    grad, x, gamma = draw(shape, shape, (8,))
    expected = numeric(
        lambda x, g: normalise(x, (2,), has_mean=False) * g, grad, x, gamma, wanted=(0, 1)
    )
    rstd = 1 / np.sqrt((x**2).mean(axis=2) + EPS)
    assert close(pa.ops.rms_norm_grad(*up(grad, x, rstd, gamma)), *expected)


@pytest.mark.parametrize("shape", [(2, 6, 3), (2, 4, 4, 5)], ids=str)
@pytest.mark.parametrize("scale", [None, 1.0, 0.5])
def test_derivative_of_group_norm_and_swish(shape: tuple[int, ...], scale: float | None) -> None:
    n, c = shape[:2]
    groups = 2
    grad, x, gamma, beta = draw(shape, shape, (c,), (c,))

    def forward(x: Array, gamma: Array, beta: Array) -> Array:
        normal = normalise(x.reshape((n, groups, -1)), (2,)).reshape(shape)
        y = normal * per_channel(gamma, x.ndim) + per_channel(beta, x.ndim)
        return y if scale is None else y / (1 + np.exp(-scale * y))

    expected = numeric(forward, grad, x, gamma, beta, wanted=(0, 1, 2))
    mean, rstd = (a[..., 0] for a in statistics(x.reshape((n, groups, -1)), (2,)))
    if scale is None:
        size = x.size // (n * c)
        result = pa.ops.group_norm_backward(
            *up(grad, x, mean, rstd, gamma), n, c, size, groups, MASK
        )
    else:
        result = pa.ops.group_norm_swish_grad(
            *up(grad, mean, rstd, x, gamma, beta), groups, "NCHW", scale, True, True
        )
    assert close(result, *expected)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("length", [1, 17, 64, 1024, 1025])
def test_many_rows_of_layer_norm_have_the_bits_of_few(length: int, dtype: str) -> None:
    rng = np.random.default_rng(length)
    grad, x = (pa.asarray(rng.standard_normal((60, length)), dtype=dtype) for _ in range(2))
    mean, rstd = (pa.asarray(rng.random((60, 1)), dtype="float32") for _ in range(2))
    gamma = pa.asarray(rng.standard_normal(length), dtype=dtype)

    def gradient(rows: slice) -> bytes:
        given = grad[rows], x[rows], [length], mean[rows], rstd[rows], gamma, gamma
        results = pa.ops.layer_norm_backward(*given, [True, True, True])
        return bytes(results[0].numpy().tobytes())

    assert b"".join(gradient(slice(i, i + 3)) for i in range(0, 60, 3)) == gradient(slice(60))
