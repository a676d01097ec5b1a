"""Gradients are the derivatives of the simulated forward operators, and take what these hand over.

The forward operator is the independent truth here: central differences of it, of its own results.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from finite_differences import Array, numeric_gradient
from operators import indexing_pairs, loss_pairs, norm_pairs, resampling_pairs
from operators.pairs import Pair, Tensors, tupled

import pyaclnn as pa

_ALL = (True, True, True)
_EPS = 1e-2
_IMAGE = {"x": (2, 3, 5, 4)}
_WINDOWS = ((3, 2), (2, 1), (1, 1))


def _batch_norm(t: Tensors) -> tuple[Any, ...]:
    return tupled(pa.ops.batch_norm(t["x"], t["w"], t["b"], None, None, True, 0.1, _EPS))


def _batch_norm_backward(
    grad: pa.Tensor, t: Tensors, results: tuple[pa.Tensor, ...]
) -> tuple[Any, ...]:
    _, mean, second = results
    return tupled(
        pa.ops.batch_norm_backward(grad, t["x"], t["w"], None, None, mean, second, True, _EPS, _ALL)
    )


def _group_norm(t: Tensors) -> tuple[Any, ...]:
    return tupled(pa.ops.group_norm(t["x"], t["w"], t["b"], 2, 4, 15, 2, _EPS))


def _layer_norm(t: Tensors) -> tuple[Any, ...]:
    return tupled(pa.ops.layer_norm(t["x"], (6,), t["w"], t["b"], _EPS))


def _classes() -> tuple[pa.Tensor, pa.Tensor]:
    """Return the class of each of four rows, one of which is ignored, and weights of classes."""
    weights = np.array([0.5, 1, 1.5, 2, 0.75], np.float32)
    return pa.asarray(np.array([3, 2, 0, 4])), pa.asarray(weights)


def _places(values: pa.Tensor, count: int) -> pa.Tensor:
    """Return a place of its own for each value of a channel."""
    rng, (channels, *extents) = np.random.default_rng(5), values.shape
    rows = [rng.permutation(count)[: int(np.prod(extents))] for _ in range(channels)]
    return pa.asarray(np.array(rows).reshape(values.shape))


def _near(grid: pa.Tensor) -> pa.Tensor:
    """Return places between the first four elements, wherever the points are."""
    return pa.ops.adds(pa.ops.muls(grid, 1 / 64), -0.8, 1)


def _grid_sampler_backward(grad: pa.Tensor, t: Tensors) -> tuple[Any, ...]:
    axes = t["x"].ndim - 2
    backward = pa.ops.grid_sampler2d_backward if axes == 2 else pa.ops.grid_sampler3d_backward
    by_x, by_grid = backward(grad, t["x"], _near(t["grid"]), 0, 0, True, (True, True))
    return by_x, pa.ops.muls(by_grid, 1 / 64)


PAIRS: dict[str, Pair] = {
    **loss_pairs.PAIRS,
    **norm_pairs.PAIRS,
    **indexing_pairs.PAIRS,
    **resampling_pairs.PAIRS,
    "batch_norm": Pair({"x": (3, 2, 4), "w": (2,), "b": (2,)}, _batch_norm, _batch_norm_backward),
    "layer_norm": Pair(
        {"x": (4, 6), "w": (6,), "b": (6,)}, _layer_norm,
        lambda g, t, r: tupled(
            pa.ops.layer_norm_backward(g, t["x"], (6,), r[1], r[2], t["w"], t["b"], _ALL)
        ),
    ),
    "group_norm": Pair(
        {"x": (2, 4, 3, 5), "w": (4,), "b": (4,)}, _group_norm,
        lambda g, t, r: tupled(
            pa.ops.group_norm_backward(g, t["x"], r[1], r[2], t["w"], 2, 4, 15, 2, _ALL)
        ),
    ),
    "rms_norm": Pair(
        {"x": (3, 7), "w": (7,)},
        lambda t: tupled(pa.ops.rms_norm(t["x"], t["w"], _EPS)),
        lambda g, t, r: tupled(pa.ops.rms_norm_grad(g, t["x"], r[1], t["w"])),
    ),
    "max_pool2d_with_mask": Pair(
        _IMAGE,
        lambda t: tupled(pa.ops.max_pool2d_with_mask(t["x"], *_WINDOWS, (1,), True)),
        lambda g, t, r: tupled(
            pa.ops.max_pool2d_with_mask_backward(g, t["x"], r[1], *_WINDOWS, (1,), True)
        ),
        distinct=True,
    ),
    "max_pool2d_with_indices": Pair(
        _IMAGE,
        lambda t: tupled(pa.ops.max_pool2d_with_indices(t["x"], *_WINDOWS, (1,), False)),
        lambda g, t, r: tupled(
            pa.ops.max_pool2d_with_indices_backward(g, t["x"], r[1], *_WINDOWS, (1,), False)
        ),
        distinct=True,
    ),
    "adaptive_max_pool2d": Pair(
        _IMAGE,
        lambda t: tupled(pa.ops.adaptive_max_pool2d(t["x"], (2, 3))),
        lambda g, t, r: tupled(pa.ops.adaptive_max_pool2d_backward(g, t["x"], r[1])),
        distinct=True,
    ),
    "avg_pool2d": Pair(
        _IMAGE,
        lambda t: tupled(pa.ops.avg_pool2d(t["x"], *_WINDOWS, True, False, 0, 0)),
        lambda g, t, r: tupled(
            pa.ops.avg_pool2d_backward(g, t["x"], *_WINDOWS, True, False, 0, 0)
        ),
    ),
    "avg_pool3d": Pair(
        {"x": (2, 3, 4, 3)},
        lambda t: tupled(pa.ops.avg_pool3d(t["x"], (2,), (1,), (1,), False, True, 0)),
        lambda g, t, r: tupled(
            pa.ops.avg_pool3d_backward(g, t["x"], (2,), (1,), (1,), False, True, 0)
        ),
    ),
    "adaptive_avg_pool2d": Pair(
        _IMAGE,
        lambda t: tupled(pa.ops.adaptive_avg_pool2d(t["x"], (3, 3))),
        lambda g, t, r: tupled(pa.ops.adaptive_avg_pool2d_backward(g, t["x"])),
    ),
    "adaptive_avg_pool3d": Pair(
        {"x": (2, 3, 4, 3)},
        lambda t: tupled(pa.ops.adaptive_avg_pool3d(t["x"], (2, 3, 1))),
        lambda g, t, r: tupled(pa.ops.adaptive_avg_pool3d_backward(g, t["x"])),
    ),
    "max_pool3d_with_argmax": Pair(
        {"x": (2, 3, 4, 3)},
        lambda t: tupled(
            pa.ops.max_pool3d_with_argmax(t["x"], (2, 3, 2), (1, 2, 1), (1, 1, 0), (1,), True)
        ),
        lambda g, t, r: tupled(
            pa.ops.max_pool3d_with_argmax_backward(
                g, t["x"], r[1], (2, 3, 2), (1, 2, 1), (1, 1, 0), (1,), True
            )
        ),
        distinct=True,
    ),
    "adaptive_max_pool3d": Pair(
        {"x": (2, 3, 4, 5)},
        lambda t: tupled(pa.ops.adaptive_max_pool3d(t["x"], (2, 3, 2))),
        lambda g, t, r: tupled(pa.ops.adaptive_max_pool3d_backward(g, t["x"], r[1])),
        distinct=True,
    ),
    "max_unpool2d": Pair(
        {"x": (2, 2, 3)},
        lambda t: tupled(pa.ops.max_unpool2d(t["x"], _places(t["x"], 20), (4, 5))),
        lambda g, t, r: tupled(
            pa.ops.max_unpool2d_backward(g, t["x"], _places(t["x"], 20), (4, 5))
        ),
    ),
    "max_unpool3d": Pair(
        {"x": (2, 2, 2, 1)},
        lambda t: tupled(
            pa.ops.max_unpool3d(t["x"], _places(t["x"], 24), (3, 4, 2), (1, 1, 1), (0, 0, 0))
        ),
        lambda g, t, r: tupled(
            pa.ops.max_unpool3d_backward(
                g, t["x"], _places(t["x"], 24), (3, 4, 2), (1, 1, 1), (0, 0, 0)
            )
        ),
    ),
    "upsample_nearest2d": Pair(
        _IMAGE,
        lambda t: tupled(pa.ops.upsample_nearest2d(t["x"], (7, 3))),
        lambda g, t, r: tupled(
            pa.ops.upsample_nearest2d_backward(g, (7, 3), t["x"].shape, 0.0, 0.0)
        ),
    ),
    "upsample_nearest3d": Pair(
        {"x": (2, 2, 2, 3, 4)},
        lambda t: tupled(pa.ops.upsample_nearest3d(t["x"], (4, 5, 3), 0.0, 0.0, 0.0)),
        lambda g, t, r: tupled(
            pa.ops.upsample_nearest3d_backward(g, (4, 5, 3), t["x"].shape, 0.0, 0.0, 0.0)
        ),
    ),
    "upsample_bilinear2d": Pair(
        _IMAGE,
        lambda t: tupled(pa.ops.upsample_bilinear2d(t["x"], (7, 3), False, 0.0, 0.0)),
        lambda g, t, r: tupled(
            pa.ops.upsample_bilinear2d_backward(g, (7, 3), t["x"].shape, False, 0.0, 0.0)
        ),
    ),
    "upsample_bilinear2d_v2": Pair(
        _IMAGE,
        lambda t: tupled(pa.ops.upsample_bilinear2d(t["x"], (8, 6), False, 1.7, 1.6)),
        lambda g, t, r: tupled(
            pa.ops.upsample_bilinear2d_backward_v2(g, (8, 6), t["x"].shape, False, 1.7, 1.6)
        ),
    ),
    "im2col": Pair(
        _IMAGE,
        lambda t: tupled(pa.ops.im2col(t["x"], (3, 2), (1, 2), (1, 1), (2, 1))),
        lambda g, t, r: tupled(
            pa.ops.im2col_backward(g, t["x"].shape[2:], (3, 2), (1, 2), (1, 1), (2, 1))
        ),
    ),
    "grid_sampler2d": Pair(
        {"x": (2, 3, 4, 5), "grid": (2, 3, 2, 2)},
        lambda t: tupled(pa.ops.grid_sampler2d(t["x"], _near(t["grid"]), 0, 0, True)),
        lambda g, t, r: _grid_sampler_backward(g, t),
    ),
    "grid_sampler3d": Pair(
        {"x": (2, 2, 5, 4, 5), "grid": (2, 1, 2, 2, 3)},
        lambda t: tupled(pa.ops.grid_sampler3d(t["x"], _near(t["grid"]), 0, 0, True)),
        lambda g, t, r: _grid_sampler_backward(g, t),
    ),
    "cross_entropy_loss": Pair(
        {"x": (4, 5)},
        lambda t: pa.ops.cross_entropy_loss(t["x"], *_classes(), "mean", 2, 0.1, 0.0, False),
        lambda g, t, r: tupled(
            pa.ops.cross_entropy_loss_grad(
                g, r[1], *_classes(), None, None, "mean", 2, 0.1, 0.0
            )
        ),
    ),
    "log_softmax": Pair(
        {"x": (3, 5)},
        lambda t: tupled(pa.ops.log_softmax(t["x"], 1)),
        lambda g, t, r: tupled(pa.ops.log_softmax_backward(g, r[0], 1)),
    ),
}  # fmt: skip


def _values(shape: tuple[int, ...], distinct: bool, rng: np.random.Generator) -> Array:
    if distinct:
        return rng.permutation(int(np.prod(shape))).reshape(shape).astype(np.float64)
    return rng.normal(1.0, 1.0, shape)


@pytest.mark.parametrize("name", PAIRS)
def test_the_gradient_is_the_derivative_of_the_simulated_forward(name: str) -> None:
    pair, rng = PAIRS[name], np.random.default_rng(11)
    values = {n: _values(s, pair.distinct, rng) for n, s in pair.shapes.items()}

    def placed(changed: dict[str, Array]) -> Tensors:
        return {n: pa.asarray(v.astype(np.float32)) for n, v in {**values, **changed}.items()}

    tensors = placed({})
    results = pair.forward(tensors)
    grad = rng.uniform(0.5, 1.5, results[0].shape)
    gradients = pair.backward(pa.asarray(grad.astype(np.float32)), tensors, results)

    for parameter, gradient in zip(values, gradients, strict=True):

        def forward(changed: Array, parameter: str = parameter) -> Array:
            result = pair.forward(placed({parameter: changed}))[0].numpy()
            return np.asarray(result.astype(np.float64))

        expected = numeric_gradient(forward, values[parameter], grad, eps=2**-6)
        np.testing.assert_allclose(gradient.numpy(), expected, rtol=2e-3, atol=2e-3)
