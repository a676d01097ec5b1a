"""Gradients compared with finite differences where no file of their family does."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from children import output_of
from finite_differences import Array, numeric_gradient

import pyaclnn as pa

# Between the bends, of both signs.
X = np.linspace(-4.05, 3.95, 40).reshape(5, 8)
GRAD = np.linspace(0.5, 1.5, 40).reshape(5, 8)

SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772


def tensors(*arrays: Array) -> list[pa.Tensor]:
    """Return float32 tensors."""
    return [pa.asarray(np.asarray(a, np.float32)) for a in arrays]


def agree(actual: pa.Tensor, expected: Array) -> None:
    """Within float32's reach of the derivative."""
    np.testing.assert_allclose(actual.numpy(), expected, rtol=2e-5, atol=2e-6)


def selu(x: Array) -> Array:
    return SELU_SCALE * np.where(x > 0, x, SELU_ALPHA * np.expm1(np.minimum(x, 0)))


def softshrink(x: Array) -> Array:
    return np.where(x > 0.5, x - 0.5, np.where(x < -0.5, x + 0.5, 0.0))


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


#: Operator, further arguments, forward function.
ACTIVATIONS: tuple[tuple[str, tuple[Any, ...], Callable[[Array], Array]], ...] = (
    ("softshrink_backward", (0.5,), softshrink),
    ("threshold_backward", (1.0,), lambda x: np.where(x > 1, x, -20.0)),
    ("hardswish_backward", (), lambda x: x * np.clip(x + 3, 0, 6) / 6),
)


@pytest.mark.parametrize(("name", "extra", "forward"), ACTIVATIONS, ids=[a[0] for a in ACTIVATIONS])
def test_the_operator_is_the_derivative_of_its_activation(
    name: str, extra: tuple[Any, ...], forward: Callable[[Array], Array]
) -> None:
    agree(pa.ops[name](*tensors(GRAD, X), *extra), numeric_gradient(forward, X, GRAD))


def test_selu_is_the_derivative_by_its_result() -> None:
    result = pa.ops.selu_backward(*tensors(GRAD, selu(X)))

    agree(result, numeric_gradient(selu, X, GRAD))


def test_softmax_is_the_derivative_by_its_result() -> None:
    result = pa.ops.softmax_backward(*tensors(GRAD, softmax(X)), 1)

    agree(result, numeric_gradient(softmax, X, GRAD))


def _mask() -> tuple[Array, Array]:
    """Bits for each element of X, and the same as booleans."""
    bits = np.random.default_rng(5).integers(0, 256, 16).astype(np.uint8)
    return bits, np.unpackbits(bits, bitorder="little")[: X.size].reshape(X.shape) == 1


def test_dropout_is_the_derivative_of_keeping_and_scaling() -> None:
    bits, kept = _mask()

    result = pa.ops.dropout_backward(*tensors(GRAD), pa.asarray(bits), 1.25)

    agree(result, numeric_gradient(lambda x: np.where(kept, x * 1.25, 0.0), X, GRAD))


def test_dropout_v3_is_the_derivative_of_keeping_and_scaling() -> None:
    bits, kept = _mask()
    # Only the 950 has the operator, and a process has one chip.
    printed = output_of(
        f"""
        import numpy as np
        import pyaclnn as pa
        grad = np.linspace(0.5, 1.5, 40).reshape(5, 8).astype(np.float32)
        bits = np.array({bits.tolist()}, np.uint8)
        print(pa.ops.dropout_v3_grad(pa.asarray(grad), pa.asarray(bits), 0.75).numpy().tolist())
        """,
        PYACLNN_SIM_SOC="Ascend910_95",
    )

    expected = numeric_gradient(lambda x: np.where(kept, x * 0.75, 0.0), X, GRAD)
    np.testing.assert_allclose(np.array(json.loads(printed)), expected, rtol=2e-5)


@pytest.mark.parametrize("by_size", [False, True])
def test_groups_are_the_derivative_of_adding_a_bias(by_size: bool) -> None:
    sizes = np.array([1, 0, 3, 1])
    rows = np.repeat(np.arange(4), sizes)
    groups = pa.asarray(sizes if by_size else np.cumsum(sizes))

    result = pa.ops.grouped_bias_add_grad_v2(*tensors(GRAD), groups, int(by_size))

    bias = np.zeros((4, 8))
    agree(result, numeric_gradient(lambda b: b[rows], bias, GRAD))


@pytest.mark.parametrize("reduction", [0, 1, 2])
def test_the_planar_nll_is_the_derivative_of_the_loss(reduction: int) -> None:
    rng = np.random.default_rng(7)
    x, weight = rng.normal(size=(2, 3, 2, 4)), rng.uniform(0.5, 2.0, 3)
    target = rng.integers(0, 3, (2, 2, 4))
    own = weight[target]
    grad = rng.uniform(0.5, 1.5, target.shape) if reduction == 0 else np.array([1.25])

    def forward(values: Array) -> Array:
        losses = -own * np.take_along_axis(values, target[:, None], axis=1)[:, 0]
        return (losses, losses.sum() / own.sum(), losses.sum())[reduction]

    result = pa.ops.nll_loss2d_backward(
        *tensors(grad, x), pa.asarray(target), *tensors(weight), reduction, -100,
        *tensors(own.sum(keepdims=True).reshape(1)),
    )  # fmt: skip

    agree(result, numeric_gradient(forward, x, grad))


def test_unpooling_volumes_is_the_derivative_of_putting_values_in_their_places() -> None:
    rng = np.random.default_rng(9)
    x, grad = rng.normal(size=(2, 3, 1, 2, 2)), rng.normal(size=(2, 3, 2, 4, 4))
    places = np.stack([rng.permutation(32)[:4] for _ in range(6)]).reshape(x.shape)

    def unpool(values: Array) -> Array:
        volumes = np.zeros((6, 32))
        np.put_along_axis(volumes, places.reshape(6, 4), values.reshape(6, 4), axis=1)
        return volumes.reshape(grad.shape)

    result = pa.ops.max_unpool3d_backward(
        *tensors(grad, x), pa.asarray(places), (2, 4, 4), (2, 2, 2), (0, 0, 0)
    )

    agree(result, numeric_gradient(unpool, x, grad))
