"""Gradients of activations: derivatives of the forward functions, and what documents single out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from finite_differences import Array, numeric_gradient
from operators.activation_calls import arguments, code
from operators.calls import VIEW_COPY, ones

import pyaclnn as pa

Forward = Callable[[Array], Array]


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def erf(x: Array) -> Array:
    return np.vectorize(math.erf)(x)


def gelu(x: Array) -> Array:
    return np.asarray(x / 2 * (1 + erf(x / math.sqrt(2))))


def gelu_tanh(x: Array) -> Array:
    return np.asarray(x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))))


def elu(x: Array, alpha: float, scale: float, input_scale: float) -> Array:
    return np.where(x > 0, scale * x, scale * alpha * (np.exp(input_scale * x) - 1))


def given(*values: Any) -> list[Any]:
    """Arrays as float32 tensors, other values as they are."""
    return [pa.asarray(v.astype(np.float32)) if isinstance(v, np.ndarray) else v for v in values]


def agree(result: pa.Tensor, expected: Array) -> None:
    np.testing.assert_allclose(result.numpy(), expected, rtol=2e-4, atol=2e-6)


#: Operator, further arguments, forward function.
SMOOTH: tuple[tuple[str, tuple[Any, ...], Forward], ...] = (
    ("fast_gelu_backward", (), lambda x: x * sigmoid(1.702 * x)),
    ("gelu_backward", (), gelu_tanh),
    ("gelu_backward_v2", ("none",), gelu),
    ("gelu_backward_v2", ("tanh",), gelu_tanh),
    ("hardshrink_backward", (0.75,), lambda x: np.where(np.abs(x) > 0.75, x, 0.0)),
    ("hardsigmoid_backward", (), lambda x: np.clip(x / 6 + 0.5, 0, 1)),
    ("hardswish_backward_v2", (), lambda x: x * np.clip(x + 3, 0, 6) / 6),
    ("hardtanh_backward", (-1.5, 0.5), lambda x: np.clip(x, -1.5, 0.5)),
    ("leaky_relu_backward", (0.2, False), lambda x: np.where(x > 0, x, 0.2 * x)),
    ("mish_backward", (), lambda x: x * np.tanh(np.logaddexp(0, x))),
    ("silu_backward", (), lambda x: x * sigmoid(x)),
    ("softplus_backward", (2.0, 5.0), lambda x: np.where(2 * x > 5, x, np.logaddexp(0, 2 * x) / 2)),
    ("swish_backward", (1.5,), lambda x: x * sigmoid(1.5 * x)),
    ("swish_backward", (None,), lambda x: x * sigmoid(x)),
)


@pytest.mark.parametrize(
    ("name", "extra", "forward"), SMOOTH, ids=[f"{n}-{e}" for n, e, _ in SMOOTH]
)
def test_the_operator_is_the_derivative_of_its_activation(
    name: str, extra: tuple[Any, ...], forward: Forward
) -> None:
    rng = np.random.default_rng(3)
    # A grid with no point on a bend.
    x = np.linspace(-4.03, 3.97, 60).reshape(6, 10).astype(np.float32).astype(np.float64)
    grad = rng.uniform(0.5, 1.5, x.shape).astype(np.float32).astype(np.float64)
    agree(pa.ops[name](*given(grad, x), *extra), numeric_gradient(forward, x, grad))


#: Operators that take the forward function's result; forward function and where it is tried.
FROM_RESULT: tuple[tuple[str, tuple[Any, ...], Forward], ...] = (
    ("sigmoid_backward", (), sigmoid),
    ("tanh_backward", (), np.tanh),
    ("leaky_relu_backward", (0.2, True), lambda x: np.where(x > 0, x, 0.2 * x)),
)


@pytest.mark.parametrize(
    ("name", "extra", "forward"), FROM_RESULT, ids=[n for n, _, _ in FROM_RESULT]
)
def test_the_derivative_follows_from_the_result(
    name: str, extra: tuple[Any, ...], forward: Forward
) -> None:
    x = np.linspace(-3.03, 2.97, 40)
    grad = np.linspace(0.5, 1.5, 40)
    agree(pa.ops[name](*given(grad, forward(x)), *extra), numeric_gradient(forward, x, grad))


@pytest.mark.parametrize("is_result", [False, True])
def test_elu_is_the_derivative_by_input_or_result(is_result: bool) -> None:
    x = np.linspace(-3.03, 2.97, 40)
    grad = np.linspace(0.5, 1.5, 40)
    scales = (1.5, 0.75, 0.5)

    def forward(v: Array) -> Array:
        return elu(v, *scales)

    operand = forward(x) if is_result else x
    result = pa.ops.elu_backward(*given(grad), *scales, is_result, *given(operand))
    agree(result, numeric_gradient(forward, x, grad))


def test_log_sigmoid_is_the_derivative_and_reads_no_buffer() -> None:
    x = np.linspace(-9.0, 9.0, 40)
    grad = np.linspace(0.5, 1.5, 40)
    result = pa.ops.log_sigmoid_backward(*given(grad, x), ones(0))
    agree(result, numeric_gradient(lambda v: -np.logaddexp(0, -v), x, grad))


def test_logit_is_the_derivative() -> None:
    x = np.linspace(0.05, 0.95, 40)
    grad = np.linspace(0.5, 1.5, 40)
    result = pa.ops.logit_grad(*given(x, grad), -1.0)
    agree(result, numeric_gradient(lambda v: np.log(v / (1 - v)), x, grad))


#: Operator, arguments behind the gradient and the input, and the forward function of the halves.
GATED: tuple[tuple[str, tuple[Any, ...], Callable[[Array, Array], Array]], ...] = (
    ("glu_backward", (), lambda a, b: a * sigmoid(b)),
    ("swi_glu_grad", (), lambda a, b: a * sigmoid(a) * b),
    ("ge_glu_backward", (0,), lambda a, b: a * gelu(b)),
    ("ge_glu_backward", (1,), lambda a, b: a * gelu_tanh(b)),
    ("ge_glu_v3_backward", (0, True), lambda a, b: gelu(a) * b),
    ("ge_glu_v3_backward", (1, False), lambda a, b: a * gelu_tanh(b)),
)


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize(("name", "extra", "forward"), GATED, ids=[f"{n}-{e}" for n, e, _ in GATED])
def test_the_operator_is_the_derivative_of_its_gated_unit(
    name: str, extra: tuple[Any, ...], forward: Callable[[Array, Array], Array], dim: int
) -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(0, 1.5, (4, 6, 2))
    grad = rng.uniform(0.5, 1.5, np.split(x, 2, axis=dim)[0].shape)
    between = ()
    if name.startswith("ge_glu"):
        a, b = np.split(x, 2, axis=dim)
        left = extra[1:] == (True,)
        activated = a if left else b
        between = (gelu_tanh(activated) if extra[0] else gelu(activated),)
    result = pa.ops[name](*given(grad, x, *between), dim, *extra)
    expected = numeric_gradient(lambda v: forward(*np.split(v, 2, axis=dim)), x, grad)
    agree(result, expected)


@pytest.mark.parametrize("weight_shape", [(3,), (1,), (1, 1, 1)])
def test_prelu_is_the_derivative_by_input_and_weight(weight_shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(7)
    x, grad = rng.normal(0, 1.5, (4, 3, 5)), rng.uniform(0.5, 1.5, (4, 3, 5))
    weight = rng.normal(0, 1, weight_shape)

    def forward(x: Array, weight: Array) -> Array:
        return np.where(x > 0, x, x * weight.reshape(-1, 1))

    by_x, by_weight = pa.ops.prelu_backward(*given(grad, x, weight))
    agree(by_x, numeric_gradient(lambda v: forward(v, weight), x, grad))
    agree(by_weight, numeric_gradient(lambda v: forward(x, v), weight, grad))


def test_prelu_works_in_place() -> None:
    x = pa.asarray(np.array([[-1.0, 2.0], [-3.0, 4.0]], np.float32))
    grad, weight, by_weight = ones(2, 2), pa.full((2,), 0.5, "float32"), ones(2)
    pa.ops.prelu_backward(grad, x, weight, out=(grad, by_weight))
    assert grad.numpy().tolist() == [[0.5, 1.0], [0.5, 1.0]]
    assert by_weight.numpy().tolist() == [-4.0, 0.0]


def values(result: pa.Tensor) -> list[Any]:
    return result.numpy().astype(np.float64).tolist()


def test_hardshrink_takes_a_negative_lambd_for_0() -> None:
    x = np.array([-0.5, 0.0, 0.5])
    assert values(pa.ops.hardshrink_backward(*given(np.ones(3), x), -1.0)) == [1, 0, 1]


def test_hardtanh_blocks_its_own_limits() -> None:
    x = np.array([-1.0, -0.5, 0.5, 1.0])
    assert values(pa.ops.hardtanh_backward(*given(np.ones(4), x), -1.0, 1.0)) == [0, 1, 1, 0]


def test_hardtanh_finds_a_wrong_output_only_when_it_copies() -> None:
    assert code("hardtanh_backward", arguments("hardtanh_backward"), ones(12)) == VIEW_COPY


@pytest.mark.parametrize(
    ("x", "eps", "expected"),
    [
        (0.0, -1.0, np.inf),
        (1.0, -1.0, np.inf),
        (-0.5, -1.0, np.nan),
        (1.5, -1.0, np.nan),
        (-0.5, 0.0, 0.0),
        (0.0, 0.0, np.inf),
        (0.125, 0.125, 2 / (0.125 * 0.875)),
        (0.1, 0.125, 0.0),
        (0.9, 0.125, 0.0),
        (0.5, 1.0, np.inf),
        (0.5, 2.0, np.nan),
        (0.5, np.inf, 0.0),
        (0.5, np.nan, np.nan),
        (np.nan, -1.0, np.nan),
    ],
)
def test_logit_at_the_limits_its_document_names(x: float, eps: float, expected: float) -> None:
    result = pa.ops.logit_grad(*given(np.array([x]), np.array([2.0])), eps).numpy()
    np.testing.assert_allclose(result, [expected], rtol=1e-6)


def test_softplus_passes_the_gradient_beyond_the_threshold_only() -> None:
    x = np.array([0.5, 0.5001])
    inside, beyond = values(pa.ops.softplus_backward(*given(np.ones(2), x), 2.0, 1.0))
    assert (round(inside, 6), beyond) == (round(1 / (1 + math.exp(-1)), 6), 1)


def test_softplus_computes_doubles_in_float32() -> None:
    x = pa.asarray(np.array([1 + 2.0**-40]))
    result = pa.ops.softplus_backward(pa.ones((1,), "float64"), x, 1.0, 20.0).numpy()
    assert result.dtype == np.float64
    assert result[0] == np.float32(result[0])


@pytest.mark.parametrize("name", ["sigmoid_backward", "tanh_backward"])
def test_doubles_are_computed_in_double(name: str) -> None:
    y = np.array([0.1, 0.3, 0.7])
    result = pa.ops[name](pa.ones((3,), "float64"), pa.asarray(y)).numpy()
    expected = y * (1 - y) if name == "sigmoid_backward" else 1 - y * y
    np.testing.assert_allclose(result, expected, rtol=1e-15)


def test_the_gate_of_a_double_glu_is_computed_in_double() -> None:
    x = np.array([0.7, -1.3])
    result = pa.ops.glu_backward(pa.ones((1,), "float64"), pa.asarray(x), 0).numpy()
    s = 1 / (1 + math.exp(1.3))
    np.testing.assert_allclose(result, [s, 0.7 * s * (1 - s)], rtol=1e-15)


def test_a_half_result_is_rounded_to_half_before_it_becomes_float() -> None:
    grad, x = (pa.asarray(np.array([v], np.float16)) for v in (1.0, 0.3))
    wide = pa.ops.gelu_backward(grad, x, out=ones(1)).numpy()
    assert wide.tolist() == pa.ops.gelu_backward(grad, x).numpy().tolist()


def test_far_tails_neither_overflow_nor_cancel() -> None:
    x = np.array([-1e30, -80.0, 80.0, 1e30])
    for name in ("gelu_backward", "silu_backward", "mish_backward", "fast_gelu_backward"):
        result = values(pa.ops[name](*given(np.ones(4), x)))
        np.testing.assert_allclose(result, [0, 0, 1, 1], atol=1e-30)
