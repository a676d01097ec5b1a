"""Small networks train with our operators alone, forward and backward, as mathematics says.

The reference is the loss in float64 NumPy, and its central differences: it knows nothing of any
gradient operator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import pyaclnn as pa

Array = np.ndarray[Any, Any]
Arrays = dict[str, Array]
Tensors = dict[str, pa.Tensor]

STEPS, RATE, EPS = 6, 0.25, 1e-3
_ALL = (True, True, True)
_ONE, _NONE = (1, 1), (0, 0)


def class_losses(scores: Array, labels: Array) -> float:
    """Return the mean negative log likelihood of the right classes."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return float(-logs[np.arange(len(labels)), labels].mean())


class Classes:
    """The loss of class scores on the device, and its gradient by the scores."""

    def __init__(self, scores: pa.Tensor, labels: pa.Tensor) -> None:
        classes = scores.shape[1]
        weight = pa.ones(classes)
        logs = pa.ops.log_softmax(scores, 1)
        self.loss, total = pa.ops.nll_loss(logs, labels, weight, 1, -100)
        by_logs = pa.ops.nll_loss_backward(
            pa.ones(()), logs, labels, weight, 1, -100, total.reshape(())
        )
        self.gradient = pa.ops.log_softmax_backward(by_logs, logs, 1)


# A convolution, batch norm, ReLU, max pool and a linear layer.


def cnn_loss(p: Arrays, x: Array, labels: Array) -> float:
    windows = sliding_window_view(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3))
    y = np.einsum("nchwij,ocij->nohw", windows, p["kernel"]) + p["offset"][:, None, None]
    mean, variance = y.mean((0, 2, 3), keepdims=True), y.var((0, 2, 3), keepdims=True)
    y = (y - mean) / np.sqrt(variance + EPS)
    y = np.maximum(y * p["scale"][:, None, None] + p["shift"][:, None, None], 0)
    n, c, h, w = y.shape
    y = y.reshape(n, c, h // 2, 2, w // 2, 2).max((3, 5)).reshape(n, -1)
    return class_losses(y @ p["matrix"] + p["constant"], labels)


def cnn_step(p: Tensors, x: pa.Tensor, labels: pa.Tensor) -> tuple[pa.Tensor, Tensors]:
    ops = pa.ops
    shape = (_ONE, _ONE, _ONE, False, _NONE, 1)
    convolved = ops.convolution(x, p["kernel"], p["offset"], *shape, 0)
    normed, mean, second = ops.batch_norm(
        convolved, p["scale"], p["shift"], None, None, True, 0.1, EPS
    )
    active = ops.relu(normed)
    windows = ((2, 2), (2, 2), _NONE, _ONE, False)
    pooled, mask = ops.max_pool2d_with_mask(active, *windows)
    flat = pooled.reshape((pooled.shape[0], -1))
    scores = ops.addmm(p["constant"], flat, p["matrix"], 1, 1, 0)
    classes = Classes(scores, labels)

    by = {"constant": ops.reduce_sum(classes.gradient, (0,), False, "float32")}
    by["matrix"] = ops.mm(flat.T, classes.gradient, 0)
    by_pooled = ops.mm(classes.gradient, p["matrix"].T, 0).reshape(pooled.shape)
    by_active = ops.max_pool2d_with_mask_backward(by_pooled, active, mask, *windows)
    by_normed = ops.threshold_backward(by_active, normed, 0.0)
    by_convolved, by["scale"], by["shift"] = ops.batch_norm_backward(
        by_normed, convolved, p["scale"], None, None, mean, second, True, EPS, _ALL
    )
    _, by["kernel"], by["offset"] = ops.convolution_backward(
        by_convolved, x, p["kernel"], p["offset"].shape, *shape, (False, True, True), 0
    )
    return classes.loss, by


# One head of attention behind layer norm, a gated sum with its input, GELU and a linear layer.


def normalised(x: Array) -> Array:
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return np.asarray((x - mean) / np.sqrt(variance + EPS))


def gelu(x: Array) -> Array:
    return np.asarray(0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))))


def transformer_loss(p: Arrays, x: Array, labels: Array) -> float:
    y = normalised(x) * p["scale"] + p["shift"]
    query, key, value = (y @ p[name] for name in ("query", "key", "value"))
    power = np.exp(query @ key.transpose(0, 2, 1))
    seen = power / power.sum(-1, keepdims=True) @ value
    y = gelu(x + seen).reshape(len(x), -1)
    return class_losses(y @ p["matrix"] + p["constant"], labels)


def transformer_step(p: Tensors, x: pa.Tensor, labels: pa.Tensor) -> tuple[pa.Tensor, Tensors]:
    ops = pa.ops
    y, mean, rstd = ops.layer_norm(x, x.shape[-1:], p["scale"], p["shift"], EPS)
    names = ("query", "key", "value")
    query, key, value = (ops.matmul(y, p[name], 0) for name in names)
    weights = ops.softmax(ops.batch_mat_mul(query, key.transpose((0, 2, 1)), 0), 2)
    both = ops.add(x, ops.batch_mat_mul(weights, value, 0), 1)
    active = ops.gelu(both)
    flat = active.reshape((x.shape[0], -1))
    classes = Classes(ops.addmm(p["constant"], flat, p["matrix"], 1, 1, 0), labels)

    by = {"constant": ops.reduce_sum(classes.gradient, (0,), False, "float32")}
    by["matrix"] = ops.mm(flat.T, classes.gradient, 0)
    by_active = ops.mm(classes.gradient, p["matrix"].T, 0).reshape(x.shape)
    by_seen = ops.gelu_backward(by_active, both)
    by_weights = ops.batch_mat_mul(by_seen, value.transpose((0, 2, 1)), 0)
    by_scores = ops.softmax_backward(by_weights, weights, 2)
    by_projected = (
        ops.batch_mat_mul(by_scores, key, 0),
        ops.batch_mat_mul(by_scores.transpose((0, 2, 1)), query, 0),
        ops.batch_mat_mul(weights.transpose((0, 2, 1)), by_seen, 0),
    )
    rows = y.reshape((-1, y.shape[-1]))
    by_y = pa.zeros_like(y)
    for name, gradient in zip(names, by_projected, strict=True):
        by[name] = ops.mm(rows.T, gradient.reshape((rows.shape[0], -1)), 0)
        by_y = ops.add(by_y, ops.matmul(gradient, p[name].T, 0), 1)
    _, by["scale"], by["shift"] = ops.layer_norm_backward(
        by_y, x, x.shape[-1:], mean, rstd, p["scale"], p["shift"], (False, True, True)
    )
    return classes.loss, by


# A convolution, batch norm, max pool, layer norm, dropout, GELU and a linear layer.

_HIDDEN = (8, 3, 2, 3)
_KEEP = 0.75
#: What dropout keeps: the same places in each step, so that losses can be compared.
_KEPT = np.random.default_rng(12).random(_HIDDEN) < _KEEP


def mixed_loss(p: Arrays, x: Array, labels: Array) -> float:
    windows = sliding_window_view(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3))
    y = np.einsum("nchwij,ocij->nohw", windows, p["kernel"])
    mean, variance = y.mean((0, 2, 3), keepdims=True), y.var((0, 2, 3), keepdims=True)
    y = (y - mean) / np.sqrt(variance + EPS)
    y = y * p["scale"][:, None, None] + p["shift"][:, None, None]
    n, c, h, w = y.shape
    y = y.reshape(n, c, h // 2, 2, w // 2, 2).max((3, 5))
    y = normalised(y.reshape(n, -1)) * p["gamma"] + p["beta"]
    y = y * _KEPT.reshape(n, -1) / _KEEP
    return class_losses(gelu(y) @ p["matrix"] + p["constant"], labels)


def mixed_step(p: Tensors, x: pa.Tensor, labels: pa.Tensor) -> tuple[pa.Tensor, Tensors]:
    ops = pa.ops
    mask = np.packbits(_KEPT, bitorder="little")
    bits = pa.asarray(np.pad(mask, (0, -len(mask) % 16)))
    shape = (_ONE, _ONE, _ONE, False, _NONE, 1)
    windows = ((2, 2), (2, 2), _NONE, _ONE, False)
    convolved = ops.convolution(x, p["kernel"], None, *shape, 0)
    normed, mean, second = ops.batch_norm(
        convolved, p["scale"], p["shift"], None, None, True, 0.1, EPS
    )
    pooled, places = ops.max_pool2d_with_indices(normed, *windows)
    flat = pooled.reshape((pooled.shape[0], -1))
    width = flat.shape[1:]
    rows, row_mean, rstd = ops.layer_norm(flat, width, p["gamma"], p["beta"], EPS)
    dropped = ops.dropout_do_mask(rows, bits, 1 - _KEEP)
    active = ops.gelu(dropped)
    classes = Classes(ops.addmm(p["constant"], active, p["matrix"], 1, 1, 0), labels)

    by = {"constant": ops.reduce_sum(classes.gradient, (0,), False, "float32")}
    by["matrix"] = ops.mm(active.T, classes.gradient, 0)
    by_active = ops.mm(classes.gradient, p["matrix"].T, 0)
    by_rows = ops.dropout_backward(ops.gelu_backward(by_active, dropped), bits, 1 / _KEEP)
    by_flat, by["gamma"], by["beta"] = ops.layer_norm_backward(
        by_rows, flat, width, row_mean, rstd, p["gamma"], p["beta"], _ALL
    )
    by_normed = ops.max_pool2d_with_indices_backward(
        by_flat.reshape(pooled.shape), normed, places, *windows
    )
    by_convolved, by["scale"], by["shift"] = ops.batch_norm_backward(
        by_normed, convolved, p["scale"], None, None, mean, second, True, EPS, _ALL
    )
    _, by["kernel"], _ = ops.convolution_backward(
        by_convolved, x, p["kernel"], None, *shape, (False, True, False), 0
    )
    return classes.loss, by


def losses_of_reference(
    loss: Callable[[Arrays, Array, Array], float], p: Arrays, x: Array, labels: Array
) -> list[float]:
    """Descend along central differences."""
    p = {name: values.copy() for name, values in p.items()}
    losses = []
    for _ in range(STEPS):
        losses.append(loss(p, x, labels))
        gradients = {name: np.zeros_like(values) for name, values in p.items()}
        for name, values in p.items():
            for index in np.ndindex(values.shape):
                kept = values[index]
                values[index] = kept + 1e-6
                above = loss(p, x, labels)
                values[index] = kept - 1e-6
                gradients[name][index] = (above - loss(p, x, labels)) / 2e-6
                values[index] = kept
        for name, values in p.items():
            values -= RATE * gradients[name]
    return losses


def losses_of_device(
    step: Callable[[Tensors, pa.Tensor, pa.Tensor], tuple[pa.Tensor, Tensors]],
    p: Arrays, x: Array, labels: Array,
) -> list[float]:  # fmt: skip
    tensors = {name: pa.asarray(values.astype(np.float32)) for name, values in p.items()}
    image, wanted = pa.asarray(x.astype(np.float32)), pa.asarray(labels)
    losses = []
    for _ in range(STEPS):
        loss, gradients = step(tensors, image, wanted)
        losses.append(float(loss.numpy()))
        for name, gradient in gradients.items():
            pa.ops.inplace_sub(tensors[name], gradient, RATE)
    return losses


NETWORKS = {
    "convolutions": (
        cnn_loss, cnn_step, (12, 2, 4, 6),
        {"kernel": (3, 2, 3, 3), "offset": (3,), "scale": (3,), "shift": (3,), "matrix": (18, 3),
         "constant": (3,)},
    ),
    "everything": (
        mixed_loss, mixed_step, (8, 2, 4, 6),
        {"kernel": (3, 2, 3, 3), "scale": (3,), "shift": (3,), "gamma": (18,), "beta": (18,),
         "matrix": (18, 3), "constant": (3,)},
    ),
    "attention": (
        transformer_loss, transformer_step, (10, 4, 5),
        {"scale": (5,), "shift": (5,), "query": (5, 5), "key": (5, 5), "value": (5, 5),
         "matrix": (20, 3), "constant": (3,)},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_learns_as_its_float64_reference_does(name: str) -> None:
    loss, step, shape, parameters = NETWORKS[name]
    rng = np.random.default_rng(5)
    x, labels = rng.normal(size=shape), rng.integers(0, 3, shape[0])
    p = {n: rng.normal(0.3, 0.4, s) for n, s in parameters.items()}

    expected = losses_of_reference(loss, p, x, labels)

    np.testing.assert_allclose(losses_of_device(step, p, x, labels), expected, rtol=1e-4)
    assert expected[-1] < 0.8 * expected[0]


def losses_of_pytorch(p: Arrays, x: Array, labels: Array) -> list[float]:
    """Train the network of everything with PyTorch's own layers and gradients, in float32."""
    torch = pytest.importorskip("torch")
    functional = torch.nn.functional
    own = {n: torch.tensor(v, dtype=torch.float32, requires_grad=True) for n, v in p.items()}
    image, wanted = torch.tensor(x, dtype=torch.float32), torch.tensor(labels)
    kept = torch.tensor(_KEPT.reshape(len(x), -1) / _KEEP, dtype=torch.float32)
    losses = []
    for _ in range(STEPS):
        y = functional.conv2d(image, own["kernel"], padding=1)
        y = functional.batch_norm(y, None, None, own["scale"], own["shift"], True, 0.1, EPS)
        y = functional.max_pool2d(y, 2).flatten(1)
        y = functional.layer_norm(y, y.shape[1:], own["gamma"], own["beta"], EPS)
        y = functional.gelu(y * kept)
        loss = functional.cross_entropy(y @ own["matrix"] + own["constant"], wanted)
        loss.backward()
        losses.append(loss.item())
        with torch.no_grad():
            for values in own.values():
                values -= RATE * values.grad
                values.grad = None
    return losses


def test_its_losses_are_those_of_pytorch() -> None:
    _, step, shape, parameters = NETWORKS["everything"]
    rng = np.random.default_rng(5)
    x, labels = rng.normal(size=shape), rng.integers(0, 3, shape[0])
    p = {n: rng.normal(0.3, 0.4, s) for n, s in parameters.items()}

    expected = losses_of_pytorch(p, x, labels)
    np.testing.assert_allclose(losses_of_device(step, p, x, labels), expected, rtol=1e-4)
