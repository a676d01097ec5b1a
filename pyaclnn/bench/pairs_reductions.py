"""Pairs of operators that reduce rows or channels: softmax, losses of classes, normalisation."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyaclnn.bench.pairs import (
    IMAGES,
    MATRIX,
    MEAN,
    Array,
    Pair,
    aten,
    gradients,
    integers,
    normal,
    softmax,
    uniform,
)
from pyaclnn.selftest.suites.loss_classes import ctc_alpha, ctc_states

_ALL = (True, True, True)
_EPS = 1e-5
_ROWS, _COLUMNS = MATRIX
_CHANNELS, _GROUPS = IMAGES[1], 8

#: What an unsigned parameter takes for "no padding index", and PyTorch's word for it.
_NO_PADDING = 2**64 - 1


def _log_softmax(*shape: int) -> Array:
    return np.asarray(np.log(softmax(normal(*shape))))


def _softmax_data(function: str) -> Any:
    def prepare(torch: Any, grad: Any, output: Any, dim: int) -> tuple[Any, ...]:
        return getattr(torch.ops.aten, function), grad, output, dim, torch.float32

    return prepare


_SCALE = 0.5


def _masked_softmax_arguments() -> tuple[Any, ...]:
    shape = (4, 16, 256, 256)
    mask = uniform(0, 1, *shape) < 0.25
    output = softmax(np.where(mask, -10000.0, normal(*shape)).astype(np.float32))
    return normal(*shape), output, mask, _SCALE, False


def _masked_softmax(
    torch: Any, grad: Any, output: Any, mask: Any, scale: float, _: bool
) -> tuple[Any, ...]:
    x = output.clamp(min=1e-20).log() / scale

    def forward(leaf: Any) -> Any:
        return torch.softmax((leaf * scale).masked_fill(mask, -10000.0), -1)

    return gradients(torch, forward, grad, x)


def _nll_arguments(shape: tuple[int, ...]) -> tuple[Any, ...]:
    rows = (shape[0], *shape[2:])
    one = np.ones((1,), np.float32)
    total = np.full((1,), np.prod(rows), np.float32)
    weight = np.ones(shape[1], np.float32)
    target = integers(shape[1], *rows)
    return one, normal(*shape), target, weight, MEAN, -100, total


def _cross_entropy_arguments() -> tuple[Any, ...]:
    target = integers(_COLUMNS, _ROWS)
    grad = np.ones((), np.float32)
    return grad, _log_softmax(*MATRIX), target, None, None, None, "mean", -100, 0.0, 0.0


def _cross_entropy(torch: Any, grad: Any, log_prob: Any, target: Any, *_: Any) -> tuple[Any, ...]:
    # log_softmax leaves its own results as they are.
    function = torch.nn.functional.cross_entropy
    return gradients(torch, lambda leaf: function(leaf, target), grad, log_prob)


def _ctc_arguments() -> tuple[Any, ...]:
    time, batch, classes, labels = 256, 32, 512, 40
    log_probs = _log_softmax(time, batch, classes)
    targets = 1 + integers(classes - 1, batch, labels)
    alpha = np.stack(
        [ctc_alpha(log_probs[:, n].astype(np.float64), ctc_states(targets[n], 0))
         for n in range(batch)]
    )  # fmt: skip
    losses = -np.logaddexp(alpha[:, -1, -1], alpha[:, -1, -2])
    return (
        np.ones(batch, np.float32), log_probs, targets, [time] * batch, [labels] * batch,
        losses.astype(np.float32), alpha.astype(np.float32), 0, False,
    )  # fmt: skip


def _group_arguments() -> tuple[Any, ...]:
    x = normal(*IMAGES)
    mean, variance = _statistics(x.reshape(IMAGES[0], _GROUPS, -1), (2,))
    n, plane = IMAGES[0], IMAGES[2] * IMAGES[3]
    rstd = 1 / np.sqrt(variance + np.float32(_EPS))
    gamma = uniform(0.5, 2, _CHANNELS)
    return normal(*IMAGES), x, mean, rstd, gamma, n, _CHANNELS, plane, _GROUPS, _ALL


def _group_swish_arguments() -> tuple[Any, ...]:
    grad, x, mean, rstd, gamma, *_ = _group_arguments()
    beta = normal(_CHANNELS)
    return grad, mean, rstd, x, gamma, beta, _GROUPS, "NCHW", 1.0, True, True


def _group_swish(
    torch: Any, grad: Any, mean: Any, rstd: Any, x: Any, gamma: Any, beta: Any, *_: Any
) -> tuple[Any, ...]:
    def forward(x: Any, gamma: Any, beta: Any) -> Any:
        functional = torch.nn.functional
        return functional.silu(functional.group_norm(x, _GROUPS, gamma, beta, _EPS))

    return gradients(torch, forward, grad, x, gamma, beta)


def _statistics(x: Array, axes: tuple[int, ...], keep: bool = False) -> tuple[Array, Array]:
    mean = x.mean(axis=axes, keepdims=keep, dtype=np.float64).astype(np.float32)
    variance = x.var(axis=axes, keepdims=keep, dtype=np.float64).astype(np.float32)
    return mean, variance


def _batch_arguments(*version: int) -> tuple[Any, ...]:
    x = normal(*IMAGES)
    weight, statistics = uniform(0.5, 2, _CHANNELS), _statistics(x, (0, 2, 3))
    # The parameter for 1/std takes the variance on the chips that the simulator has by default.
    return normal(*IMAGES), x, weight, None, None, *statistics, True, _EPS, _ALL, *version


def _batch_norm(
    torch: Any, grad: Any, x: Any, weight: Any, mean: Any, variance: Any, saved_mean: Any,
    saved: Any, *attributes: Any,
) -> tuple[Any, ...]:  # fmt: skip
    return (
        torch.ops.aten.native_batch_norm_backward, grad, x, weight, mean, variance, saved_mean,
        (saved + _EPS).rsqrt(), *attributes[:3],
    )  # fmt: skip


def _row_statistics(x: Array) -> tuple[Array, Array]:
    mean, variance = _statistics(x, (1,), keep=True)
    return mean, 1 / np.sqrt(variance + np.float32(_EPS))


def _layer_arguments() -> tuple[Any, ...]:
    x, weight = normal(*MATRIX), uniform(0.5, 2, _COLUMNS)
    return (
        normal(*MATRIX), x, (_COLUMNS,), *_row_statistics(x), weight, normal(_COLUMNS), _ALL,
    )  # fmt: skip


def _add_layer_arguments() -> tuple[Any, ...]:
    x1, x2 = normal(*MATRIX), normal(*MATRIX)
    mean, rstd = _row_statistics(x1 + x2)
    return normal(*MATRIX), x1, x2, rstd, mean, uniform(0.5, 2, _COLUMNS), None


def _add_layer(
    torch: Any, grad: Any, x1: Any, x2: Any, rstd: Any, mean: Any, gamma: Any, _: Any
) -> tuple[Any, ...]:
    norm, shape = torch.nn.functional.layer_norm, (_COLUMNS,)

    def forward(x1: Any, gamma: Any, beta: Any) -> Any:
        return norm(x1 + x2, shape, gamma, beta, _EPS)

    return gradients(torch, forward, grad, x1, gamma, torch.zeros_like(gamma))


_ALPHA = 0.75


def _deep_arguments() -> tuple[Any, ...]:
    x, gx = normal(*MATRIX), normal(*MATRIX)
    statistics = _row_statistics(np.float32(_ALPHA) * x + gx)
    return normal(*MATRIX), x, gx, uniform(0.5, 2, _COLUMNS), *statistics, _ALPHA


def _deep(torch: Any, grad: Any, x: Any, gx: Any, gamma: Any, *_: Any) -> tuple[Any, ...]:
    norm, shape = torch.nn.functional.layer_norm, (_COLUMNS,)

    def forward(x: Any, gx: Any, beta: Any, gamma: Any) -> Any:
        return norm(_ALPHA * x + gx, shape, gamma, beta, _EPS)

    return gradients(torch, forward, grad, x, gx, torch.zeros_like(gamma), gamma)


def _rms_arguments() -> tuple[Any, ...]:
    x = normal(*MATRIX)
    rstd = 1 / np.sqrt((x**2).mean(axis=1) + np.float32(_EPS))
    return normal(*MATRIX), x, rstd, uniform(0.5, 2, _COLUMNS)


def _rms(torch: Any, grad: Any, x: Any, rstd: Any, gamma: Any) -> tuple[Any, ...]:
    norm, shape = torch.nn.functional.rms_norm, (_COLUMNS,)
    return gradients(torch, lambda x, gamma: norm(x, shape, gamma, _EPS), grad, x, gamma)


def _embedding_arguments() -> tuple[Any, ...]:
    rows, columns = 8192, 512
    return normal(rows, columns), integers(rows, rows), rows, _NO_PADDING, False


def _embedding(
    torch: Any, grad: Any, indices: Any, rows: int, _: int, scaled: bool
) -> tuple[Any, ...]:
    return torch.ops.aten.embedding_dense_backward, grad, indices, rows, -1, scaled


def _cdist_arguments() -> tuple[Any, ...]:
    x1, x2 = normal(_ROWS, 16), normal(_COLUMNS, 16)
    squares = (x1**2).sum(1)[:, None] + (x2**2).sum(1) - 2 * x1 @ x2.T
    return normal(*MATRIX), x1, x2, np.sqrt(np.maximum(squares, 1e-4)), 1.0


def _segment_sums(steps: Array) -> Array:
    sums = np.cumsum(steps, axis=-1)
    return np.tril(np.exp(np.minimum(sums[..., :, None] - sums[..., None, :], 0)))


def _exp_segsum_arguments() -> tuple[Any, ...]:
    batch, length = 64, 256
    steps = -uniform(0, 0.1, 1, batch, length)
    return normal(1, batch, length, length), _segment_sums(steps).astype(np.float32)


def _exp_segsum(torch: Any, grad: Any, value: Any) -> tuple[Any, ...]:
    below = value.diagonal(-1, -2, -1).log()
    steps = torch.nn.functional.pad(below, (1, 0))
    length = steps.shape[-1]
    ones = torch.ones(length, length, dtype=torch.bool)

    def forward(steps: Any) -> Any:
        rows = steps[..., None].expand(*steps.shape, length).masked_fill(~ones.tril(-1), 0)
        return rows.cumsum(-2).masked_fill(~ones.tril(0), -float("inf")).exp()

    return gradients(torch, forward, grad, steps)


REDUCTIONS = (
    Pair(
        "softmax_backward", lambda: (normal(*MATRIX), softmax(normal(*MATRIX)), -1),
        _softmax_data("_softmax_backward_data"),
    ),
    Pair(
        "log_softmax_backward", lambda: (normal(*MATRIX), _log_softmax(*MATRIX), -1),
        _softmax_data("_log_softmax_backward_data"),
    ),
    Pair("scaled_masked_softmax_backward", _masked_softmax_arguments, _masked_softmax, "ND"),
    Pair("nll_loss_backward", lambda: _nll_arguments(MATRIX), aten("nll_loss_backward")),
    Pair("nll_loss2d_backward", lambda: _nll_arguments(IMAGES), aten("nll_loss2d_backward")),
    Pair("cross_entropy_loss_grad", _cross_entropy_arguments, _cross_entropy),
    Pair("ctc_loss_backward", _ctc_arguments, aten("_ctc_loss_backward")),
    Pair("batch_norm_backward", _batch_arguments, _batch_norm),
    Pair("fast_batch_norm_backward", lambda: _batch_arguments(0), _batch_norm),
    Pair("layer_norm_backward", _layer_arguments, aten("native_layer_norm_backward")),
    Pair("add_layer_norm_grad", _add_layer_arguments, _add_layer),
    Pair("deep_norm_grad", _deep_arguments, _deep),
    Pair("rms_norm_grad", _rms_arguments, _rms),
    Pair("group_norm_backward", _group_arguments, aten("native_group_norm_backward")),
    Pair("group_norm_swish_grad", _group_swish_arguments, _group_swish),
    Pair("embedding_dense_backward", _embedding_arguments, _embedding),
    Pair(
        "cdist_backward", _cdist_arguments,
        lambda torch, grad, x1, x2, distance, p: (
            torch.ops.aten._cdist_backward, grad, x1, x2, p, torch.cdist(x1, x2, p),
        ),
    ),
    Pair("exp_segsum_backward", _exp_segsum_arguments, _exp_segsum),
    Pair(
        "grouped_bias_add_grad", lambda: (normal(64, 64, 1024), None),
        lambda torch, grad, _: (torch.sum, grad, 1),
    ),
    Pair(
        "grouped_bias_add_grad_v2", lambda: (normal(64, 64, 1024), None, 0),
        lambda torch, grad, *_: (torch.sum, grad, 1),
    ),
)  # fmt: skip
