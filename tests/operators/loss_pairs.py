"""Losses of class scores forward and backward: total weights and alignments are handed over."""

from __future__ import annotations

from typing import Any

import numpy as np
from operators.pairs import Pair, Tensors, tupled

import pyaclnn as pa

_WEIGHTS = np.array([0.5, 1, 1.5], np.float32)


def _places() -> tuple[pa.Tensor, pa.Tensor]:
    """Return the class of each place of an image, some ignored, and weights of classes."""
    return pa.asarray(np.array([[[0, 2, 1], [1, 0, 2]]])), pa.asarray(_WEIGHTS)


def _nll_2d(reduction: int) -> Pair:
    def backward(grad: pa.Tensor, t: Tensors, results: tuple[Any, ...]) -> tuple[Any, ...]:
        total = results[1].reshape((1,)) if reduction else pa.ones((1,))
        return tupled(pa.ops.nll_loss2d_backward(grad, t["x"], *_places(), reduction, 1, total))

    return Pair(
        {"x": (1, 3, 2, 3)},
        lambda t: tupled(pa.ops.nll_loss2d(t["x"], *_places(), reduction, 1)),
        backward,
    )


_TARGETS = np.array([[1, 2, 2], [3, 1, 0]])
_LENGTHS: tuple[list[int], list[int]] = ([6, 4], [3, 2])


def _ctc(t: Tensors) -> tuple[Any, ...]:
    return tupled(
        pa.ops.ctc_loss(pa.ops.log_softmax(t["x"], 2), pa.asarray(_TARGETS), *_LENGTHS, 0, False)
    )


def _ctc_backward(grad: pa.Tensor, t: Tensors, results: tuple[Any, ...]) -> tuple[Any, ...]:
    logs = pa.ops.log_softmax(t["x"], 2)
    by_logs = pa.ops.ctc_loss_backward(
        grad, logs, pa.asarray(_TARGETS), *_LENGTHS, results[0], results[1], 0, False
    )
    # What CANN gives is the gradient by the scores already: its sum over the classes is 0.
    return (by_logs,)


def _soft_labels(t: Tensors) -> tuple[Any, ...]:
    labels = np.random.default_rng(9).dirichlet(np.ones(5), 4).astype(np.float32)
    return tupled(pa.ops.softmax_cross_entropy_with_logits(t["x"], pa.asarray(labels)))


PAIRS = {
    **{f"nll_loss2d {reduction}": _nll_2d(reduction) for reduction in range(3)},
    "ctc_loss": Pair({"x": (6, 2, 4)}, _ctc, _ctc_backward),
    "softmax_cross_entropy_with_logits": Pair(
        {"x": (4, 5)}, _soft_labels,
        lambda g, t, r: (pa.ops.mul(r[1], g.reshape((4, 1))),),
    ),
}  # fmt: skip
