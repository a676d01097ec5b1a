"""Pairs of operators on images and volumes: pooling, padding, resampling."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyaclnn.bench.pairs import (
    IMAGES,
    VOLUMES,
    Array,
    Pair,
    TorchCall,
    aten,
    gradients,
    normal,
    uniform,
)
from pyaclnn.selftest.suites.pooling_max import mask_bytes


def _halved(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (*shape[:2], *(extent // 2 for extent in shape[2:]))


def _shape(axes: int) -> tuple[int, ...]:
    return IMAGES if axes == 2 else VOLUMES


def _maxima(x: Array) -> Array:
    """Return the places, in the flattened plane, of the maxima of windows of 2 in each axis."""
    axes = x.ndim - 2
    pooled = _halved(x.shape)
    split = [part for extent in pooled[2:] for part in (extent, 2)]
    windows = x.reshape(*x.shape[:2], *split)
    places = np.arange(np.prod(x.shape[2:])).reshape(split)
    order = [*range(0, 2 * axes, 2), *range(1, 2 * axes, 2)]
    windows = windows.transpose(0, 1, *(2 + i for i in order)).reshape(*pooled, -1)
    places = np.broadcast_to(places.transpose(order).reshape(*pooled[2:], -1), windows.shape)
    best = windows.argmax(axis=-1)[..., None]
    return np.asarray(np.take_along_axis(places, best, -1)[..., 0])


def _max_arguments(axes: int, *, attributes: bool = True, masked: bool = False) -> tuple[Any, ...]:
    x = normal(*_shape(axes))
    indices: Array = _maxima(x).astype(np.int32)
    index = mask_bytes(indices, (2, 2)) if masked else indices
    two, zero, one = (2,) * axes, (0,) * axes, (1,) * axes
    return (
        normal(*_halved(x.shape)), x, index, *((two, two, zero, one, False) if attributes else ()),
    )  # fmt: skip


def _max_pool(torch: Any, grad: Any, x: Any, _: Any, *attributes: Any) -> tuple[Any, ...]:
    axes = x.ndim - 2
    function = getattr(torch.ops.aten, f"max_pool{axes}d_with_indices_backward")
    pool = getattr(torch.nn.functional, f"max_pool{axes}d")
    return function, grad, x, *attributes, pool(x, 2, return_indices=True)[1]


def _adaptive_max_pool(torch: Any, grad: Any, x: Any, indices: Any) -> tuple[Any, ...]:
    function = getattr(torch.ops.aten, f"adaptive_max_pool{x.ndim - 2}d_backward")
    return function, grad, x, indices.long()


def _avg_arguments(axes: int) -> tuple[Any, ...]:
    shape = _shape(axes)
    window = ((3,) * axes, (2,) * axes, (1,) * axes)
    exact = (0,) if axes == 2 else ()
    return normal(*_halved(shape)), normal(*shape), *window, False, True, 0, *exact


def _avg_pool(torch: Any, grad: Any, x: Any, *attributes: Any) -> tuple[Any, ...]:
    function = getattr(torch.ops.aten, f"avg_pool{x.ndim - 2}d_backward")
    return function, grad, x, *attributes[:5], None


def _adaptive_avg_arguments(axes: int) -> tuple[Any, ...]:
    shape = _shape(axes)
    return normal(*_halved(_halved(shape))), normal(*shape)


def _unpool_arguments(axes: int) -> tuple[Any, ...]:
    shape = _shape(axes)
    x = normal(*shape)
    rest: tuple[Any, ...] = ((2, 2, 2), (0, 0, 0)) if axes == 3 else ()
    return normal(*shape), normal(*_halved(shape)), _maxima(x), shape[2:], *rest


def _unpool(
    torch: Any, grad: Any, x: Any, indices: Any, size: Any, *attributes: Any
) -> tuple[Any, ...]:
    function = getattr(torch.ops.aten, f"max_unpool{x.ndim - 2}d")
    return gradients(torch, lambda leaf: function(leaf, indices, size, *attributes), grad, x)


def _pad_arguments(axes: int) -> tuple[Any, ...]:
    shape = (64, 64, 1024) if axes == 1 else _shape(axes)
    padded = (*shape[:2], *(extent + 4 for extent in shape[2:]))
    return normal(*padded), normal(*shape), (2, 2) * axes


def _circular(torch: Any, grad: Any, x: Any, padding: Any) -> tuple[Any, ...]:
    pad = torch.nn.functional.pad
    return gradients(torch, lambda leaf: pad(leaf, padding, mode="circular"), grad, x)


def _paddings() -> list[Pair]:
    pairs = []
    for mode, all_axes in (("reflection", (1, 2, 3)), ("replication", (1, 2, 3)),
                           ("circular", (2, 3))):  # fmt: skip
        for axes in all_axes:
            name = f"{mode}_pad{axes}d_backward"
            torch: TorchCall = _circular if mode == "circular" else aten(name)
            pairs.append(Pair(name, lambda axes=axes: _pad_arguments(axes), torch))  # type: ignore[misc]
    return pairs


def _resize(
    operator: str, axes: int, *, corners: bool, smaller: bool = False, torch: str = ""
) -> Pair:
    """Pair of a resizing by 2 in each axis, whose larger side has 4 Mi elements."""
    extents = {1: (64, 64, 1024), 2: (4, 16, 256, 256), 3: (2, 8, 64, 64, 64)}[axes]
    before, after = (extents, _halved(extents)) if smaller else (_halved(extents), extents)
    scale = 0.5 if smaller else 2.0
    align = (False,) if corners else ()

    def arguments() -> tuple[Any, ...]:
        return normal(*after), after[2:], before, *align, *(scale,) * axes

    return Pair(operator, arguments, aten(torch or operator))


def _sampler_arguments(axes: int) -> tuple[Any, ...]:
    shape = (4, 16, 256, 256) if axes == 2 else (2, 8, 64, 64, 64)
    lines = [np.linspace(-1, 1, extent, dtype=np.float32) for extent in shape[2:]]
    even = np.stack(np.meshgrid(*lines, indexing="ij")[::-1], axis=-1)
    # Neighbours stay neighbours, as under the transformations that this is used for.
    grid = even + uniform(-1, 1, shape[0], *even.shape) / shape[-1]
    return normal(*shape), normal(*shape), grid.astype(np.float32), 0, 0, False, (True, True)


SPATIAL = (
    Pair(
        "adaptive_avg_pool2d_backward", lambda: _adaptive_avg_arguments(2),
        aten("_adaptive_avg_pool2d_backward"),
    ),
    Pair(
        "adaptive_avg_pool3d_backward", lambda: _adaptive_avg_arguments(3),
        aten("_adaptive_avg_pool3d_backward"),
    ),
    Pair(
        "adaptive_max_pool2d_backward", lambda: _max_arguments(2, attributes=False),
        _adaptive_max_pool,
    ),
    Pair(
        "adaptive_max_pool3d_backward", lambda: _max_arguments(3, attributes=False),
        _adaptive_max_pool,
    ),
    Pair("avg_pool2d_backward", lambda: _avg_arguments(2), _avg_pool),
    Pair("avg_pool3d_backward", lambda: _avg_arguments(3), _avg_pool),
    Pair("max_pool2d_with_indices_backward", lambda: _max_arguments(2), _max_pool),
    Pair("max_pool2d_with_mask_backward", lambda: _max_arguments(2, masked=True), _max_pool),
    Pair("max_pool3d_with_argmax_backward", lambda: _max_arguments(3), _max_pool),
    Pair("max_unpool2d_backward", lambda: _unpool_arguments(2), _unpool),
    Pair("max_unpool3d_backward", lambda: _unpool_arguments(3), _unpool),
    *_paddings(),
    _resize("upsample_nearest1d_backward", 1, corners=False),
    _resize("upsample_nearest2d_backward", 2, corners=False),
    _resize("upsample_nearest3d_backward", 3, corners=False),
    *(
        _resize(
            f"upsample_nearest_exact{axes}d_backward", axes, corners=False,
            torch=f"_upsample_nearest_exact{axes}d_backward",
        )
        for axes in (1, 2, 3)
    ),
    _resize("upsample_linear1d_backward", 1, corners=True),
    _resize("upsample_bilinear2d_backward", 2, corners=True),
    _resize(
        "upsample_bilinear2d_backward_v2", 2, corners=True, torch="upsample_bilinear2d_backward"
    ),
    _resize(
        "upsample_bilinear2d_aa_backward", 2, corners=True, smaller=True,
        torch="_upsample_bilinear2d_aa_backward",
    ),
    _resize("upsample_bicubic2d_backward", 2, corners=True),
    _resize(
        "upsample_bicubic2d_aa_grad", 2, corners=True, smaller=True,
        torch="_upsample_bicubic2d_aa_backward",
    ),
    _resize("upsample_trilinear3d_backward", 3, corners=True),
    Pair(
        "grid_sampler2d_backward", lambda: _sampler_arguments(2), aten("grid_sampler_2d_backward")
    ),
    Pair(
        "grid_sampler3d_backward", lambda: _sampler_arguments(3), aten("grid_sampler_3d_backward")
    ),
)  # fmt: skip
