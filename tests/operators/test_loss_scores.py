"""Losses of class scores refuse what CANN's refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
from operators.calls import (
    INNER_NULL,
    INVALID,
    NO_KERNEL,
    NULL,
    TILING,
    code_with,
    ones,
)
from operators.status_tests import status_tests

import pyaclnn as pa

half, bfloat = "float16", "bfloat16"


def whole(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int64")


RIGHT: dict[str, dict[str, Any]] = {
    "nll_loss2d": {
        "self": ones(2, 3, 4, 5), "target": whole(2, 4, 5), "weight": ones(3), "reduction": 1,
        "ignore_index": -100, "out": ones(1), "total_weight_out": ones(1),
    },
    "ctc_loss": {
        "log_probs": ones(6, 2, 4), "targets": whole(2, 3), "input_lengths": (6, 5),
        "targetlengths": (3, 2), "blank": 0, "zero_infinity": False,
        "neg_log_likelihood_out": ones(2), "log_alpha_out": ones(2, 6, 8),
    },
    "multilabel_margin_loss": {
        "self": ones(3, 4), "target": whole(3, 4), "reduction": 0, "out": ones(3),
        "is_target": ones(3, 4),
    },
    "softmax_cross_entropy_with_logits": {
        "features": ones(3, 4), "labels": ones(3, 4), "loss": ones(3), "backprop": ones(3, 4),
    },
}  # fmt: skip
_BIG = 2**62
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "nll_loss2d": (
        ("weight", None, NULL), ("self", ones(2, 3, 4, 5, dtype="float64"), INVALID),
        ("weight", ones(3, dtype=half), INVALID), ("target", ones(2, 4, 5), INVALID),
        ("reduction", 3, INVALID), ("reduction", -1, INVALID), ("reduction", 0, INVALID),
        ("self", ones(2, 3, 4), INVALID), ("target", whole(2, 5, 4), INVALID),
        ("weight", ones(4), INVALID), ("out", ones(2), INVALID), ("out", ones(1, dtype=half), 0),
        ("out", ones(1, dtype="int32"), INVALID), ("total_weight_out", ones(2), INVALID),
        ("ignore_index", _BIG, 0),
    ),
    "ctc_loss": (
        ("targets", None, NULL), ("input_lengths", None, NULL), ("blank", 4, INVALID),
        ("blank", -1, INVALID), ("input_lengths", (7, 5), INVALID),
        ("input_lengths", (6,), INVALID),
        ("targetlengths", (3, 2, 1), INVALID), ("targets", whole(2, 2), INVALID),
        ("targets", whole(6), INVALID), ("targets", whole(5), 0),
        ("targets", whole(5, 1, 1), INVALID),
        ("log_alpha_out", ones(2, 6, 7), INVALID), ("neg_log_likelihood_out", ones(3), INVALID),
        ("log_probs", ones(6, 2, 4, dtype=half), INVALID), ("log_probs", ones(0, 2, 4), INVALID),
        ("targets", pa.zeros((2, 3), "uint8"), INVALID), ("targetlengths", (_BIG, _BIG), INVALID),
        ("input_lengths", (-_BIG, 0), 0),
    ),
    "multilabel_margin_loss": (
        ("target", None, NULL), ("self", ones(3, 4, dtype="float64"), INVALID),
        ("target", ones(3, 4), INVALID), ("out", ones(3, dtype=half), INVALID),
        ("is_target", ones(3, 4, dtype=half), INVALID), ("self", ones(2, 3, 4), INVALID),
        ("target", whole(4, 3), INVALID), ("reduction", 1, INVALID), ("self", ones(3, 0), INVALID),
        ("is_target", ones(4, 3), INVALID),
    ),
    "softmax_cross_entropy_with_logits": (
        ("labels", None, NULL), ("features", ones(3, 4, dtype="float64"), INVALID),
        ("loss", ones(3, dtype=half), INVALID), ("labels", ones(3, 4, dtype=half), NO_KERNEL),
        ("labels", ones(3), INVALID), ("labels", ones(1, 4), TILING), ("loss", ones(4), INNER_NULL),
        ("backprop", ones(4, 3), INNER_NULL), ("labels", ones(0, 4), 0),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


def test_targets_that_are_no_class_count_as_nothing() -> None:
    target = pa.asarray(np.array([[[-1, 3, 2**40, 1]]]))
    image = pa.full((1, 3, 1, 4), -2.0, "float32")

    loss, total = pa.ops.nll_loss2d(image, target, ones(3), 2, -100)

    assert (float(loss.numpy()[0]), float(total.numpy()[0])) == (2, 1)


def test_labels_that_are_no_class_are_no_target() -> None:
    target = pa.asarray(np.array([[5, 0, 2**40, -1]]))

    loss, marks = pa.ops.multilabel_margin_loss(ones(1, 4), target, 0)

    assert marks.numpy().tolist() == [[1, 0, 0, 0]]
    assert float(loss.numpy()[0]) == 0.75


def test_an_infinite_loss_is_zeroed_where_asked_and_has_no_gradient_where_it_is_not() -> None:
    logs = pa.ops.log_softmax(pa.asarray(np.random.default_rng(1).normal(size=(2, 1, 4))), 2)
    logs = pa.ops.cast(logs, "float32")
    labels = pa.asarray(np.array([[1, 1, 1]]))

    kept, alpha = pa.ops.ctc_loss(logs, labels, [2], [3], 0, False)
    zeroed, _ = pa.ops.ctc_loss(logs, labels, [2], [3], 0, True)
    gradient = pa.ops.ctc_loss_backward(ones(1), logs, labels, [2], [3], kept, alpha, 0, True)

    assert kept.numpy().tolist() == [np.inf]
    assert zeroed.numpy().tolist() == [0]
    assert not gradient.numpy().any()


def test_only_the_950_has_cross_entropies_of_a_part_of_the_classes() -> None:
    right = {
        "vocab_parallel_logits": ones(3, 16), "target": pa.zeros((3,), "int32"),
        "global_logits_max": ones(3), "vocab_start_index": 0, "vocab_end_index": 16,
    }  # fmt: skip
    assert code_with("cross_entropy_sum_exp_and_index_logit", right) == NO_KERNEL
