"""Element-wise loss gradients: refusals in CANN's order, the forward function, special cases."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from finite_differences import Array, numeric_gradient
from operators.calls import INVALID, NULL, code, ones

import pyaclnn as pa

NONE, MEAN, SUM, BATCH_MEAN = range(4)


#: Name, and the arguments that follow gradient, self and target.
POINTWISE: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("mse_loss_backward", (NONE,)),
    ("l1_loss_backward", (NONE,)),
    ("smooth_l1_loss_backward", (NONE, 1.0)),
    ("soft_margin_loss_backward", (NONE,)),
    ("kl_div_backward", (NONE, False)),
    ("kl_div_target_backward", (NONE, False)),
    ("binary_cross_entropy_backward", (None, NONE)),
    ("binary_cross_entropy_with_logits_backward", (None, None, NONE)),
    ("binary_cross_entropy_with_logits_target_backward", (None, None, NONE)),
)
operators = pytest.mark.parametrize(("name", "rest"), POINTWISE, ids=[n for n, _ in POINTWISE])


@operators
def test_right_arguments_are_accepted(name: str, rest: tuple[Any, ...]) -> None:
    t = ones(3, 4)
    assert code(name, t, t, t, *rest, out=ones(3, 4)) == 0


@operators
@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_null_input_comes_before_everything_else(
    name: str, rest: tuple[Any, ...], missing: int
) -> None:
    tensors: list[pa.Tensor | None] = [ones(3, 4, dtype="int8")] * 3
    tensors[missing] = None
    assert code(name, *tensors, *rest, out=ones(9)) == NULL


@operators
@pytest.mark.parametrize("position", [0, 1, 2])
def test_an_integer_input_is_refused(name: str, rest: tuple[Any, ...], position: int) -> None:
    tensors = [ones(3, 4)] * 3
    tensors[position] = ones(3, 4, dtype="int32")
    # The L1 loss looks at the common type only, which is float32 here.
    expected = 0 if name == "l1_loss_backward" else INVALID
    assert code(name, *tensors, *rest, out=ones(3, 4)) == expected


def test_the_l1_loss_of_integers_alone_is_refused() -> None:
    t = ones(3, 4, dtype="int32")
    assert code("l1_loss_backward", t, t, t, NONE, out=ones(3, 4)) == INVALID


@operators
@pytest.mark.parametrize("position", [0, 1, 2])
def test_shapes_that_do_not_broadcast_are_refused(
    name: str, rest: tuple[Any, ...], position: int
) -> None:
    tensors = [ones(3, 4)] * 3
    tensors[position] = ones(2, 4)
    assert code(name, *tensors, *rest, out=ones(3, 4)) == INVALID


@operators
def test_an_output_of_another_shape_is_refused(name: str, rest: tuple[Any, ...]) -> None:
    t = ones(3, 4)
    assert code(name, t, t, t, *rest, out=ones(4, 3)) == INVALID


@operators
def test_nine_dimensions_are_refused(name: str, rest: tuple[Any, ...]) -> None:
    t = ones(*[1] * 9)
    assert code(name, t, t, t, *rest, out=ones(*[1] * 9)) == INVALID


@pytest.mark.parametrize(
    ("name", "rest"), [(n, r) for n, r in POINTWISE if not n.startswith("kl_div")]
)
@pytest.mark.parametrize("reduction", [-1, 3])
def test_an_unknown_reduction_is_refused(name: str, rest: tuple[Any, ...], reduction: int) -> None:
    t = ones(3, 4)
    changed = tuple(reduction if r == NONE and r is not None else r for r in rest)
    assert code(name, t, t, t, *changed, out=ones(3, 4)) == INVALID


@pytest.mark.parametrize("reduction", [-1, 4, 99])
def test_the_divergence_takes_any_other_reduction_for_none(reduction: int) -> None:
    t = pa.asarray(np.array([[0.5, 2.0]], np.float32))
    assert pa.ops.kl_div_backward(t, t, t, reduction, False).numpy().tolist() == [[-0.25, -4.0]]


def test_mixed_types_are_refused_where_they_must_be_equal() -> None:
    t = ones(3, 4)
    assert code("mse_loss_backward", ones(3, 4, dtype="float16"), t, t, NONE, out=t) == INVALID


@pytest.mark.parametrize("beta", [-1e-3, float("nan")])
def test_beta_must_not_be_negative(beta: float) -> None:
    t = ones(3, 4)
    assert code("smooth_l1_loss_backward", t, t, t, NONE, beta, out=ones(3, 4)) == INVALID


def test_a_weight_must_broadcast_to_self() -> None:
    t = ones(3, 4)
    weight = ones(2, 3, 4)
    assert code("binary_cross_entropy_backward", t, t, t, weight, NONE, out=t) == INVALID


def test_a_weight_has_a_floating_point_type() -> None:
    t = ones(3, 4)
    weight = ones(4, dtype="int32")
    assert code("binary_cross_entropy_backward", t, t, t, weight, NONE, out=t) == INVALID


def test_logits_give_the_type_of_the_target() -> None:
    x, half = ones(3, 4), ones(3, 4, dtype="float16")
    name = "binary_cross_entropy_with_logits_backward"
    assert code(name, x, x, half, None, None, NONE, out=ones(3, 4)) == INVALID
    assert code(name, x, x, half, None, None, NONE, out=half) == 0


def test_logits_and_targets_do_not_broadcast() -> None:
    x = ones(3, 4)
    name = "binary_cross_entropy_with_logits_backward"
    assert code(name, x, x, ones(4), None, None, NONE, out=x) == INVALID


@operators
def test_empty_tensors_leave_the_output_alone(name: str, rest: tuple[Any, ...]) -> None:
    t = ones(0, 4)
    assert pa.ops[name](t, t, t, *rest).shape == (0, 4)


# Values between the kinks, and no gradient close to 0.
G = np.array([[0.5, -1.5, 2.0], [1.0, 0.75, -0.5]])
X = np.array([[0.3, -1.7, 2.5], [-0.4, 0.9, -3.0]])
T = np.array([[1.1, 0.2, -0.6], [-1.9, 0.35, 1.6]])
P = np.array([[0.3, 0.7, 0.45], [0.9, 0.15, 0.6]])
L = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
W = np.array([[0.5, 1.5, 2.0]])
PW = np.array([[3.0, 0.25, 1.25]])


def _bce(x: Array, t: Array) -> Array:
    return -W * (t * np.log(x) + (1 - t) * np.log(1 - x))


def _bce_with_logits(x: Array, t: Array) -> Array:
    return W * ((1 - t) * x + (1 + (PW - 1) * t) * np.logaddexp(0, -x))


def _smooth_l1(x: Array, t: Array) -> Array:
    d = np.abs(x - t)
    return np.where(d < 2.0, d * d / 4.0, d - 1.0)


def _kl(x: Array, t: Array) -> Array:
    return t * (np.log(t) - x)


def _kl_log(x: Array, t: Array) -> Array:
    return np.exp(t) * (t - x)


Forward = Callable[[Array, Array], Array]
#: Operator, forward loss of (self, target), values, further arguments, and by which of the two.
DERIVATIVES: tuple[tuple[Any, ...], ...] = (
    ("mse_loss_backward", lambda x, t: (x - t) ** 2, X, T, (), (), "self"),
    ("l1_loss_backward", lambda x, t: np.abs(x - t), X, T, (), (), "self"),
    ("smooth_l1_loss_backward", _smooth_l1, X, T, (), (2.0,), "self"),
    ("soft_margin_loss_backward", lambda x, t: np.log1p(np.exp(-x * t)), X, T, (), (), "self"),
    ("binary_cross_entropy_backward", _bce, P, L, (W,), (), "self"),
    ("binary_cross_entropy_with_logits_backward", _bce_with_logits, X, P, (W, PW), (), "self"),
    ("binary_cross_entropy_with_logits_target_backward", _bce_with_logits, X, P, (W, PW), (),
     "target"),
    ("kl_div_backward", _kl, X, P, (), (False,), "self"),
    ("kl_div_backward", _kl_log, X, T, (), (True,), "self"),
    ("kl_div_target_backward", _kl, X, P, (), (False,), "target"),
    ("kl_div_target_backward", _kl_log, X, T, (), (True,), "target"),
)  # fmt: skip


@pytest.mark.parametrize("reduction", [NONE, MEAN, SUM])
@pytest.mark.parametrize(
    ("name", "loss", "x", "t", "weights", "rest", "by"),
    DERIVATIVES,
    ids=[case[0] + str(i) for i, case in enumerate(DERIVATIVES)],
)
def test_the_operator_is_the_derivative_of_the_loss(
    name: str, loss: Forward, x: Array, t: Array, weights: tuple[Any, ...], rest: tuple[Any, ...],
    by: str, reduction: int,
) -> None:  # fmt: skip
    grad = G if reduction == NONE else np.array(0.7)

    def forward(value: Array) -> Array:
        losses = loss(value, t) if by == "self" else loss(x, value)
        return {NONE: losses, MEAN: losses.mean(), SUM: losses.sum()}[reduction]

    expected = numeric_gradient(forward, x if by == "self" else t, grad)
    tensors = [pa.asarray(a.astype(np.float32)) for a in (grad, x, t, *weights)]
    got = pa.ops[name](*tensors, reduction, *rest).numpy()
    np.testing.assert_allclose(got, expected, rtol=2e-5, atol=1e-7)


def test_the_batch_mean_divides_by_the_first_extent() -> None:
    tensors = [pa.asarray(a.astype(np.float32)) for a in (np.array(3.0), X, P)]
    got = pa.ops.kl_div_backward(*tensors, BATCH_MEAN, False).numpy()
    np.testing.assert_allclose(got, -P * 3.0 / 2, rtol=1e-6)


def test_beta_zero_is_the_l1_loss() -> None:
    g, x, t = (pa.asarray(np.array(v, np.float32)) for v in ([2, 3, 4], [1, 5, 7], [1, 6, 2]))
    assert pa.ops.smooth_l1_loss_backward(g, x, t, NONE, 0.0).numpy().tolist() == [0, -3, 4]


def test_a_certain_and_wrong_probability_keeps_its_gradient_finite() -> None:
    g, x, t = (pa.asarray(np.array(v, np.float32)) for v in ([1, 1], [0, 1], [1, 0]))
    got = pa.ops.binary_cross_entropy_backward(g, x, t, None, NONE).numpy()
    np.testing.assert_allclose(got, [-1e12, 1e12], rtol=1e-6)


def test_a_certain_and_wrong_probability_costs_a_hundred() -> None:
    x, t = (pa.asarray(np.array(v, np.float32)) for v in ([0, 1, 0, 1], [1, 0, 0, 1]))
    got = pa.ops.binary_cross_entropy(x, t, None, NONE).numpy()
    assert got.tolist() == [100, 100, 0, 0]


def test_a_half_result_is_rounded_to_half_before_it_becomes_float() -> None:
    # 2 * (1 + 2^-10 - 0) * (1 + 2^-10) needs 21 bits; float16 has 11.
    x = pa.asarray(np.array([1 + 2**-10], np.float16))
    zero = pa.zeros((1,), "float16")
    out = pa.empty((1,), "float32")
    pa.ops.mse_loss_backward(x, x, zero, NONE, out=out)
    assert out.numpy()[0] == np.float32(np.float16(2 * (1 + 2**-10) ** 2))


def test_mixed_halves_are_computed_in_float32() -> None:
    g = pa.asarray(np.array([1.0], np.float16))
    x = pa.asarray(np.array([1 + 2**-10], np.float16))
    t = pa.zeros((1,), "bfloat16")
    got = pa.ops.smooth_l1_loss_backward(g, x, t, NONE, 4.0)
    assert got.dtype == np.float32
    assert got.numpy()[0] == np.float32((1 + 2**-10) / 4)


def test_the_divergence_ignores_the_type_of_its_inputs() -> None:
    g, x = pa.ones((2, 2), "bfloat16"), pa.ones((2, 2), "float16")
    t = pa.asarray(np.full((2, 2), 0.1, np.float32))
    out = pa.empty((2, 2), "float32")
    pa.ops.kl_div_backward(g, x, t, NONE, False, out=out)
    assert (out.numpy() == np.float32(-0.1)).all()
