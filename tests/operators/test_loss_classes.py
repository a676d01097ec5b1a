"""Gradients of classification losses: refusals in CANN's order, the forward function, edges."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from finite_differences import Array, numeric_gradient
from operators.calls import INVALID, NULL, TILING, code_with, device, ones

import pyaclnn as pa

NONE, MEAN, SUM = range(3)


def nll(rows: tuple[int, ...] = (4,), shape: tuple[int, ...] = (4, 3)) -> dict[str, Any]:
    classes = shape[-1] if len(shape) < 3 else shape[1]
    return {
        "grad_output": ones(*rows), "self": ones(*shape), "target": pa.zeros(rows, "int64"),
        "weight": ones(classes), "reduction": NONE, "ignore_index": -100,
        "total_weight": ones(1), "out": ones(*shape),
    }  # fmt: skip


FLAT, IMAGE = nll(), nll((2, 5, 6), (2, 3, 5, 6))
both = pytest.mark.parametrize(
    ("name", "right"), [("nll_loss_backward", FLAT), ("nll_loss2d_backward", IMAGE)]
)


@both
def test_right_arguments_are_accepted(name: str, right: dict[str, Any]) -> None:
    assert code_with(name, right) == 0


@both
@pytest.mark.parametrize("missing", ["grad_output", "self", "target", "weight", "total_weight"])
def test_null_comes_before_a_wrong_type(name: str, right: dict[str, Any], missing: str) -> None:
    wrong = {"reduction": 7, "out": ones(2, dtype="int8"), missing: None}
    assert code_with(name, right, **wrong) == NULL


@both
@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("weight", ones(3, dtype="float16")),
        ("total_weight", ones(1, dtype="float16")),
        ("total_weight", ones(2)),
        ("weight", ones(4)),
        ("weight", ones(1, 3)),
        ("reduction", 3),
        ("reduction", -1),
        ("grad_output", ones(9)),
        ("target", ones(4)),
        ("target", ones(7, dtype="int64")),
        ("target", ones(4, 1, dtype="int64")),
        ("out", ones(3, 4)),
        ("out", ones(4, 3, dtype="int32")),
    ],
)
def test_a_wrong_argument_is_refused(
    name: str, right: dict[str, Any], argument: str, value: Any
) -> None:
    assert code_with(name, right, **{argument: value}) == INVALID


@both
def test_a_reduced_loss_has_one_gradient(name: str, right: dict[str, Any]) -> None:
    assert code_with(name, right, reduction=MEAN) == INVALID
    assert code_with(name, right, reduction=MEAN, grad_output=ones(1)) == 0


@pytest.mark.parametrize("reduction", [NONE, MEAN, SUM])
def test_nll_is_the_derivative_of_the_loss(reduction: int) -> None:
    x = np.array([[0.1, -0.5, 0.3], [2.0, 0.4, -1.0], [0.7, 0.2, 0.9], [1.0, 1.5, -2.0]])
    target = np.array([2, 0, -100, 1])
    weight = np.array([0.5, 2.0, 1.25])
    grad = np.array([1.0, -2.0, 0.5, 3.0]) if reduction == NONE else np.array([0.75])
    counts = target != -100
    own = np.where(counts, weight[np.where(counts, target, 0)], 0.0)

    def forward(value: Array) -> Array:
        losses = -own * value[np.arange(4), np.where(counts, target, 0)]
        reduced = {NONE: losses, MEAN: losses.sum() / own.sum(), SUM: losses.sum()}
        return np.asarray(reduced[reduction])

    got = pa.ops.nll_loss_backward(
        device(grad), device(x), device(target, "int64"), device(weight), reduction, -100,
        device([own.sum()]),
    )  # fmt: skip
    np.testing.assert_allclose(got.numpy(), numeric_gradient(forward, x, grad), rtol=1e-5)


def test_a_row_alone_may_have_a_target_without_dimensions() -> None:
    got = pa.ops.nll_loss_backward(
        device(2.0), ones(3), device(1, "int64"), device([1.0, 4.0, 1.0]), NONE, -100, ones(1)
    )
    assert got.numpy().tolist() == [0.0, -8.0, 0.0]


def test_a_target_that_is_no_class_gives_zeros() -> None:
    got = pa.ops.nll_loss_backward(
        ones(3), ones(3, 2), device([2, -1, 1], "int64"), ones(2), NONE, -100, ones(1)
    )
    assert got.numpy().tolist() == [[0, 0], [0, 0], [0, -1]]


def cross_entropy(reduction: str = "none", **changes: Any) -> dict[str, Any]:
    right = {
        "grad_loss": ones(4), "log_prob": ones(4, 3), "target": pa.zeros((4,), "int64"),
        "weight_optional": None, "grad_zloss_optional": None, "lse_for_zloss_optional": None,
        "reduction_optional": reduction, "ignore_index": -100, "label_smoothing": 0.0,
        "lse_square_scale_for_zloss": 0.0, "out": ones(4, 3),
    }  # fmt: skip
    return {**right, **changes}


def test_right_cross_entropy_arguments_are_accepted() -> None:
    assert code_with("cross_entropy_loss_grad", cross_entropy()) == 0


@pytest.mark.parametrize("missing", ["grad_loss", "log_prob", "target"])
def test_null_comes_before_a_wrong_shape(missing: str) -> None:
    right = cross_entropy(out=ones(9))
    assert code_with("cross_entropy_loss_grad", right, **{missing: None}) == NULL


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("grad_loss", ones(4, dtype="float16")),
        ("target", ones(4, dtype="int32")),
        ("weight_optional", ones(3, dtype="float16")),
        ("out", ones(4, 3, dtype="float16")),
    ],
)
def test_a_wrong_type_comes_before_a_wrong_shape(argument: str, value: pa.Tensor) -> None:
    changes = {"log_prob": ones(5, 3), argument: value}
    assert code_with("cross_entropy_loss_grad", cross_entropy(), **changes) == INVALID


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("log_prob", ones(4)),
        ("target", ones(5, dtype="int64")),
        ("weight_optional", ones(4)),
        ("grad_loss", ones(3)),
    ],
)
def test_a_wrong_shape_is_found_in_tiling(argument: str, value: pa.Tensor) -> None:
    assert code_with("cross_entropy_loss_grad", cross_entropy(), **{argument: value}) == TILING


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
def test_cross_entropy_is_the_derivative_by_the_logits(reduction: str, smoothing: float) -> None:
    x = np.array([[0.1, -0.5, 0.3], [2.0, 0.4, -1.0], [0.7, 0.2, 0.9], [1.0, 1.5, -2.0]])
    target = np.array([2, 0, -100, 1])
    weight = np.array([0.5, 2.0, 1.25])
    grad = np.array([1.0, -2.0, 0.5, 3.0]) if reduction == "none" else np.array(0.75)
    counts = target != -100
    own = np.where(counts, weight[np.where(counts, target, 0)], 0.0)

    def log_softmax(value: Array) -> Array:
        return np.asarray(value - np.log(np.exp(value).sum(axis=1, keepdims=True)))

    def forward(value: Array) -> Array:
        log_prob = log_softmax(value)
        losses = -(1 - smoothing) * own * log_prob[np.arange(4), np.where(counts, target, 0)]
        losses = losses - smoothing / 3 * (log_prob * weight).sum(axis=1) * counts
        reduced = {"none": losses, "mean": losses.sum() / own.sum(), "sum": losses.sum()}
        return np.asarray(reduced[reduction])

    got = pa.ops.cross_entropy_loss_grad(
        device(grad), device(log_softmax(x)), device(target, "int64"), device(weight), None, None,
        reduction, -100, smoothing, 0.0,
    )  # fmt: skip
    expected = numeric_gradient(forward, x, grad)
    np.testing.assert_allclose(got.numpy(), expected, rtol=1e-5, atol=1e-7)


def test_the_z_loss_arguments_change_nothing() -> None:
    plain = cross_entropy()
    z = cross_entropy(
        grad_zloss_optional=ones(4), lse_for_zloss_optional=ones(4),
        lse_square_scale_for_zloss=0.5,
    )  # fmt: skip
    assert (
        code_with("cross_entropy_loss_grad", plain) == code_with("cross_entropy_loss_grad", z) == 0
    )
    assert (plain["out"].numpy() == z["out"].numpy()).all()


def ctc(**changes: Any) -> dict[str, Any]:
    right = {
        "grad_out": ones(2), "log_probs": ones(5, 2, 4), "targets": ones(2, 3, dtype="int64"),
        "input_lengths": [5, 4], "target_lengths": [3, 2], "neg_log_likelihood": ones(2),
        "log_alpha": ones(2, 5, 7), "blank": 0, "zero_infinity": False, "out": ones(5, 2, 4),
    }  # fmt: skip
    return {**right, **changes}


def test_right_ctc_arguments_are_accepted() -> None:
    assert code_with("ctc_loss_backward", ctc()) == 0


@pytest.mark.parametrize(
    "missing",
    ["grad_out", "log_probs", "targets", "input_lengths", "target_lengths", "neg_log_likelihood",
     "log_alpha"],
)  # fmt: skip
def test_a_null_ctc_argument_comes_first(missing: str) -> None:
    assert code_with("ctc_loss_backward", ctc(blank=9), **{missing: None}) == NULL


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("grad_out", ones(2, 1)),
        ("grad_out", ones(3)),
        ("grad_out", ones(2, dtype="float16")),
        ("log_probs", ones(5, 2, 4, dtype="int32")),
        ("log_probs", pa.ones((0, 2, 4))),
        ("targets", ones(2, 2, dtype="int64")),
        ("targets", ones(4, dtype="int64")),
        ("targets", ones(2, 3, dtype="int8")),
        ("input_lengths", [5, 6]),
        ("input_lengths", [5]),
        ("target_lengths", [3, 4]),
        ("target_lengths", [3, 2, 1]),
        ("neg_log_likelihood", ones(1)),
        ("log_alpha", ones(2, 5, 6)),
        ("log_alpha", ones(2, 4, 7)),
        ("blank", -1),
        ("blank", 4),
        ("out", ones(5, 2, 3)),
        ("out", ones(5, 2, 4, dtype="float16")),
    ],
)
def test_a_wrong_ctc_argument_is_refused(argument: str, value: Any) -> None:
    assert code_with("ctc_loss_backward", ctc(), **{argument: value}) == INVALID


def _paths(labels: list[int], times: int, blank: int) -> list[tuple[int, ...]]:
    """All sequences of classes that read as ``labels``, by trying every one."""

    def reading(path: tuple[int, ...]) -> list[int]:
        merged = [c for c, _ in itertools.groupby(path)]
        return [c for c in merged if c != blank]

    classes = range(3)
    return [p for p in itertools.product(classes, repeat=times) if reading(p) == labels]


@pytest.mark.parametrize(("dtype", "near"), [("float32", 2e-5), ("float64", 1e-8)])
@pytest.mark.parametrize("labels", [[1], [1, 2], [2, 2], []])
def test_ctc_is_the_derivative_through_log_softmax(
    labels: list[int], dtype: str, near: float
) -> None:
    times, blank, grad = 4, 0, 1.5
    logits = np.array([[0.3, 1.0, -0.2], [0.5, -0.7, 0.9], [-0.1, 0.4, 0.2], [1.1, -0.3, 0.6]])
    paths = _paths(labels, times, blank)

    def log_softmax(value: Array) -> Array:
        return np.asarray(value - np.log(np.exp(value).sum(axis=1, keepdims=True)))

    def forward(value: Array) -> Array:
        probability = np.exp(log_softmax(value))
        return -np.log(sum(np.prod(probability[np.arange(times), list(p)]) for p in paths))

    log_probs = log_softmax(logits)
    states = [blank]
    for label in labels:
        states += [label, blank]
    alpha = np.full((times, len(states)), -np.inf)
    alpha[0, 0] = log_probs[0, blank]
    alpha[0, 1:2] = log_probs[0, states[1:2]]
    for t in range(1, times):
        for s, state in enumerate(states):
            into = [alpha[t - 1, s]] + [alpha[t - 1, s - 1]] * (s > 0)
            if s > 1 and state != states[s - 2]:
                into.append(alpha[t - 1, s - 2])
            with np.errstate(all="ignore"):
                alpha[t, s] = np.logaddexp.reduce(into) + log_probs[t, state]
    got = pa.ops.ctc_loss_backward(
        device([grad], dtype), device(log_probs[:, None], dtype), device([[*labels, 0]], "int64"),
        [times], [len(labels)], device([forward(logits)], dtype), device(alpha[None], dtype), blank,
        False,
    )  # fmt: skip
    expected = numeric_gradient(forward, logits, np.array(grad))
    np.testing.assert_allclose(got.numpy()[:, 0], expected, rtol=near, atol=near / 10)


def test_a_label_that_is_no_class_counts_as_a_blank() -> None:
    scores = np.random.default_rng(4).normal(size=(6, 2, 4)).astype(np.float32)
    logs = pa.ops.log_softmax(pa.asarray(scores), 2)

    def losses(label: int) -> Array:
        targets = pa.asarray(np.array([[1, label, 3], [label, 2, 1]]))
        loss, _ = pa.ops.ctc_loss(logs, targets, [6, 6], [3, 3], 0, False)
        return loss.numpy()

    assert np.array_equal(losses(4), losses(0))
    assert np.array_equal(losses(-1), losses(0))


@pytest.mark.parametrize("zero_infinity", [False, True])
def test_an_impossible_sample_is_nan_unless_zeroed(zero_infinity: bool) -> None:
    right = ctc(zero_infinity=zero_infinity, log_alpha=pa.full((2, 5, 7), -np.inf))
    assert code_with("ctc_loss_backward", right, neg_log_likelihood=pa.full((2,), np.inf)) == 0
    got = right["out"].numpy()
    assert (got == 0).all() if zero_infinity else np.isnan(got[:4]).all()
