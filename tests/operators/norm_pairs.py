"""Fused normalisations forward and backward: the statistics of one are the other's."""

from __future__ import annotations

from typing import Any

import numpy as np
from operators.pairs import Pair, Tensors, tupled

import pyaclnn as pa

_EPS = 1e-2
_PARAMETERS = {"gamma": (6,), "beta": (6,)}


def _add_layer_norm(t: Tensors) -> tuple[Any, ...]:
    return tupled(pa.ops.add_layer_norm(t["x1"], t["x2"], t["gamma"], t["beta"], None, _EPS, True))


def _add_layer_norm_grad(grad: pa.Tensor, t: Tensors, results: tuple[Any, ...]) -> tuple[Any, ...]:
    _, mean, rstd, _ = results
    by_x, by_gamma, by_beta = pa.ops.add_layer_norm_grad(
        grad, t["x1"], t["x2"], rstd, mean, t["gamma"], None
    )
    return by_x, by_x, by_gamma, by_beta


def _deep_norm(t: Tensors) -> tuple[Any, ...]:
    mean, rstd, y = pa.ops.deep_norm(t["x"], t["gx"], t["beta"], t["gamma"], 0.3, _EPS)
    return y, mean, rstd


def _deep_norm_grad(grad: pa.Tensor, t: Tensors, results: tuple[Any, ...]) -> tuple[Any, ...]:
    _, mean, rstd = results
    by_x, by_gx, by_beta, by_gamma = pa.ops.deep_norm_grad(
        grad, t["x"], t["gx"], t["gamma"], mean, rstd, 0.3
    )
    return by_x, by_gx, by_gamma, by_beta


def _group_norm_swish(t: Tensors) -> tuple[Any, ...]:
    return tupled(
        pa.ops.group_norm_swish(t["x"], t["gamma"], t["beta"], 3, "NCHW", _EPS, True, 1.5)
    )


def _group_norm_swish_grad(
    grad: pa.Tensor, t: Tensors, results: tuple[Any, ...]
) -> tuple[Any, ...]:
    _, mean, rstd = results
    return tupled(
        pa.ops.group_norm_swish_grad(
            grad, mean, rstd, t["x"], t["gamma"], t["beta"], 3, "NCHW", 1.5, True, True
        )
    )


def _inplace_add_rms_norm(t: Tensors) -> tuple[Any, ...]:
    """Return y, rstd and the sum of both operands, which are copied first."""
    y, x = (pa.ops.muls(t[name], 1.0) for name in ("x1", "x2"))
    rstd = pa.ops.inplace_add_rms_norm(y, x, t["gamma"], _EPS)
    return y, rstd, x


def _inplace_add_rms_norm_grad(
    grad: pa.Tensor, t: Tensors, results: tuple[Any, ...]
) -> tuple[Any, ...]:
    _, rstd, x = results
    by_x, by_gamma = pa.ops.rms_norm_grad(grad, x, rstd, t["gamma"])
    return by_x, by_x, by_gamma


def _of_two_devices(t: Tensors) -> tuple[Any, ...]:
    """Normalise the first samples with the statistics of all, half of them on each device."""
    stats = [pa.ops.batch_norm_stats(half, _EPS) for half in (t["x"][:2], t["x"][2:])]
    means, invstds = (pa.asarray(np.stack([s[which].numpy() for s in stats])) for which in (0, 1))
    counts = pa.full((2,), 8.0, "float32")
    mean, invstd = pa.ops.batch_norm_gather_stats_with_counts(
        t["x"], means, invstds, None, None, 0.1, _EPS, counts
    )
    y = pa.ops.batch_norm_elemt(t["x"], t["w"], t["b"], mean, invstd, _EPS)
    return y, mean, invstd


def _of_two_devices_backward(
    grad: pa.Tensor, t: Tensors, results: tuple[Any, ...]
) -> tuple[Any, ...]:
    _, mean, invstd = results
    sum_dy, sum_dy_xmu, by_w, by_b = pa.ops.batch_norm_reduce_backward(
        grad, t["x"], mean, invstd, t["w"], True, True, True
    )
    by_x = pa.ops.batch_norm_elemt_backward(
        grad, t["x"], mean, invstd, t["w"], sum_dy, sum_dy_xmu, pa.full((2,), 8, "int32")
    )
    return by_x, by_w, by_b


PAIRS = {
    "batch_norm_of_two_devices": Pair(
        {"x": (4, 3, 4), "w": (3,), "b": (3,)}, _of_two_devices, _of_two_devices_backward
    ),
    "add_layer_norm": Pair(
        {"x1": (4, 6), "x2": (4, 6), **_PARAMETERS}, _add_layer_norm, _add_layer_norm_grad
    ),
    "deep_norm": Pair({"x": (4, 6), "gx": (4, 6), **_PARAMETERS}, _deep_norm, _deep_norm_grad),
    "group_norm_swish": Pair(
        {"x": (2, 6, 3), **_PARAMETERS}, _group_norm_swish, _group_norm_swish_grad
    ),
    "inplace_add_rms_norm": Pair(
        {"x1": (3, 6), "x2": (3, 6), "gamma": (6,)}, _inplace_add_rms_norm,
        _inplace_add_rms_norm_grad,
    ),
}  # fmt: skip
