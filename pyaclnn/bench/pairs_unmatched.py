"""Operators for which PyTorch has no CPU kernel: compared with compositions, or with nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyaclnn.bench.pairs import IMAGES, MATRIX, Array, Pair, TorchCall, normal, uniform

_CHANNELS, _EPS = IMAGES[1], 1e-5
_PER_CHANNEL = (1, _CHANNELS, 1, 1)
_DROPOUT_SCALE = 2.0


def nothing(reason: str) -> TorchCall:
    """Compare with nothing."""

    def prepare(torch: Any, *_: Any) -> tuple[Any, ...]:
        raise LookupError(reason)

    return prepare


def _statistics(x: Array) -> tuple[Array, Array]:
    return x.mean(axis=(0, 2, 3)), 1 / np.sqrt(x.var(axis=(0, 2, 3)) + np.float32(_EPS))


def _reduce_arguments() -> tuple[Any, ...]:
    x = normal(*IMAGES)
    mean, invstd = _statistics(x)
    return normal(*IMAGES), x, mean, invstd, uniform(0.5, 2, _CHANNELS), True, True, True


def _reduce(torch: Any, grad: Any, x: Any, mean: Any, invstd: Any, *_: Any) -> tuple[Any, ...]:
    def backward() -> Any:
        sum_dy = grad.sum((0, 2, 3))
        sum_dy_xmu = (grad * (x - mean.view(_PER_CHANNEL))).sum((0, 2, 3))
        return sum_dy, sum_dy_xmu, sum_dy_xmu * invstd, sum_dy

    return (backward,)


def _elemt_arguments() -> tuple[Any, ...]:
    grad, x = normal(*IMAGES), normal(*IMAGES)
    mean, invstd = _statistics(x)
    sums = grad.sum(axis=(0, 2, 3)), (grad * (x - mean.reshape(_PER_CHANNEL))).sum(axis=(0, 2, 3))
    count = np.array([x.size // _CHANNELS], np.int32)
    return grad, x, mean, invstd, uniform(0.5, 2, _CHANNELS), *sums, count


def _elemt(
    torch: Any, grad: Any, x: Any, mean: Any, invstd: Any, weight: Any, sum_dy: Any,
    sum_dy_xmu: Any, count: Any,
) -> tuple[Any, ...]:  # fmt: skip
    n = count.sum()

    def backward() -> Any:
        factor = (weight * invstd).view(_PER_CHANNEL)
        slope = (invstd**2 * sum_dy_xmu / n).view(_PER_CHANNEL)
        centered = x - mean.view(_PER_CHANNEL)
        return (grad - (sum_dy / n).view(_PER_CHANNEL) - centered * slope) * factor

    return (backward,)


def _chamfer_arguments() -> tuple[Any, ...]:
    batch, points = 32, 32768
    nearest = [
        np.random.default_rng(i).integers(0, points, (batch, points)).astype(np.int32)
        for i in range(2)
    ]
    distances = normal(batch, points), normal(batch, points)
    return normal(batch, points, 2), normal(batch, points, 2), *nearest, *distances


def _chamfer(
    torch: Any, xyz1: Any, xyz2: Any, idx1: Any, idx2: Any, grad1: Any, grad2: Any
) -> tuple[Any, ...]:
    places = [idx.long()[..., None].expand(*idx.shape, 2) for idx in (idx1, idx2)]

    def backward() -> Any:
        step1 = 2 * grad1[..., None] * (xyz1 - xyz2.gather(1, places[0]))
        step2 = 2 * grad2[..., None] * (xyz2 - xyz1.gather(1, places[1]))
        return step1.scatter_add(1, places[1], -step2), step2.scatter_add(1, places[0], -step1)

    return (backward,)


def _cdist(p: float) -> Pair:
    def arguments() -> tuple[Any, ...]:
        rows, width = 1024, 16
        x1, x2 = normal(rows, width), normal(rows, width)
        distance = np.empty((rows, rows), np.float32)
        for i in range(rows):
            distance[i] = (np.abs(x1[i] - x2) ** p).sum(axis=1) ** (1 / p)
        return normal(rows, rows), x1, x2, distance, p

    def torch(torch: Any, grad: Any, x1: Any, x2: Any, distance: Any, p: float) -> tuple[Any, ...]:
        return torch.ops.aten._cdist_backward, grad, x1, x2, p, distance

    return Pair("cdist_backward", arguments, torch, label=f"p {p:g}")


def _align_arguments() -> tuple[Any, ...]:
    shape, regions, pooled = (8, 32, 128, 128), 2048, 7
    corners = uniform(0, 64, regions, 2)
    sizes = uniform(16, 60, regions, 2)
    images = np.arange(regions, dtype=np.float32)[:, None] % shape[0]
    boxes = np.concatenate([images, corners, corners + sizes], axis=1)
    return normal(regions, shape[1], pooled, pooled), boxes, shape, pooled, pooled, 1.0, 2, True


def _dropout_arguments() -> tuple[Any, ...]:
    grad = normal(*MATRIX)
    return grad, uniform(0, 256, grad.size // 8).astype(np.uint8), _DROPOUT_SCALE


def _dropout(torch: Any, grad: Any, mask: Any, scale: float) -> tuple[Any, ...]:
    places = torch.arange(8, dtype=torch.uint8)

    def backward() -> Any:
        kept = (mask[:, None] >> places & 1).view(grad.shape)
        return grad * kept * scale

    return (backward,)


UNMATCHED = (
    Pair("batch_norm_reduce_backward", _reduce_arguments, _reduce),
    Pair("batch_norm_elemt_backward", _elemt_arguments, _elemt),
    Pair("chamfer_distance_backward", _chamfer_arguments, _chamfer),
    _cdist(2.0),
    _cdist(1.5),
    _cdist(3.0),
    Pair(
        "roi_align_v2_backward", _align_arguments,
        nothing("the kernel is in torchvision, which needs not be there"),
    ),
    Pair("dropout_v3_grad", _dropout_arguments, _dropout, chip="Ascend910_95"),
)  # fmt: skip
