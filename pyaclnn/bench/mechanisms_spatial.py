"""Norms, pooling, resampling, products and convolution, compared with PyTorch."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from pyaclnn.bench.mechanisms import Arguments, Mechanism, Shape, values

#: Rows of 1,024; planes of 128 x 128; planes that are enlarged to four times as many elements.
_ROWS: Shape = (1 << 13, 1 << 10)
_PLANES: Shape = (1 << 8, 1 << 14)
_SMALLER: Shape = (1 << 8, 1 << 12)
#: Products of square matrices, and images with 64 channels.
_MATRIX: Shape = (1 << 10, 1 << 10)
_SEEN: Shape = (1 << 9, 56 * 56)

_EPSILON = 1e-5
#: PyTorch's arguments for a window of 3, a step of 2 and a padding of 1.
_THREE = ([3, 3], [2, 2], [1, 1])
_TWO = ([2, 2], [2, 2], [0, 0])
#: Gives the nearest value to where CANN's arithmetic permits no other.
_EXACT = 0


def images(shape: Shape) -> npt.NDArray[np.float32]:
    """Return rows as planes of 32 channels, or 2, as square as their extent permits."""
    planes, extent = shape
    height = next(h for h in range(math.isqrt(extent), 0, -1) if extent % h == 0)
    channels = 32 if planes % 32 == 0 else 2
    return values(planes // channels, channels, height, extent // height)


def _images(*more: Any) -> Arguments:
    return lambda shape, _: (images(shape), *more)


def _aten(name: str, count: int) -> Callable[..., Any]:
    """PyTorch's function with the first so many arguments of the operator."""
    return lambda torch, *given: getattr(torch.ops.aten, name)(*given[:count])


def _by_row(shape: Shape, _: str) -> tuple[Any, ...]:
    return values(*shape), [shape[1]], values(shape[1]), values(shape[1]), _EPSILON


def _rms_norm(torch: Any, x: Any, gamma: Any, eps: float) -> Any:
    return torch.ops.aten._fused_rms_norm(x, [x.shape[-1]], gamma, eps)


def _batch_norm(*, training: bool) -> Arguments:
    def given(shape: Shape, _: str) -> tuple[Any, ...]:
        x = images(shape)
        line = values(x.shape[1])
        return x, line, line, line.copy(), line.copy(), training, 0.1, _EPSILON

    return given


def _group_norm(shape: Shape, _: str) -> tuple[Any, ...]:
    x = images(shape)
    n, channels, *plane = x.shape
    line = values(channels)
    return x, line, line, n, channels, math.prod(plane), 2, _EPSILON


def _pooled(x: npt.NDArray[np.float32]) -> list[int]:
    return [max(extent // 4, 1) for extent in x.shape[2:]]


def _adapted(shape: Shape, _: str) -> tuple[Any, ...]:
    x = images(shape)
    return x, _pooled(x)


def _resized(operator: str, *, corners: bool, label: str = "", factor: float = 2) -> Mechanism:
    """Planes of other extents, of which the larger has the elements that are counted."""

    def given(shape: Shape, _: str) -> tuple[Any, ...]:
        x = images(shape)
        size = [max(int(extent * factor), 1) for extent in x.shape[2:]]
        scales = [made / extent for made, extent in zip(size, x.shape[2:], strict=True)]
        return x, size, *((False, *scales) if corners else ())

    return Mechanism(
        operator,
        given,
        _aten(operator, 5),
        label,
        _SMALLER if factor > 1 else _PLANES,
        writes=False,
    )


def _product(shape: Shape, _: str) -> tuple[Any, ...]:
    return values(*shape), values(shape[1], shape[1]), _EXACT


def _filtered(channels: int, kernel: int, stride: int = 1, groups: int = 1) -> Arguments:
    def given(shape: Shape, _: str) -> tuple[Any, ...]:
        x = images(shape)
        own = x.shape[1]
        made, parts = (channels, groups) if own % groups == 0 else (own, own)
        weight = values(made, own // parts, kernel, kernel) / np.float32(own * kernel**2)
        return (
            x, weight, values(made), [stride] * 2, [kernel // 2] * 2, [1, 1], False, [0, 0],
            parts, _EXACT,
        )  # fmt: skip

    return given


def _convolution(label: str, *numbers: int) -> Mechanism:
    return Mechanism(
        "convolution", _filtered(*numbers), _aten("convolution", 9), label, _SEEN,
        writes=False, share=0.7,
    )  # fmt: skip


SPATIAL = (
    Mechanism("layer_norm", _by_row, _aten("native_layer_norm", 5), "", _ROWS, writes=False),
    Mechanism(
        "rms_norm", lambda shape, _: (values(*shape), values(shape[1]), _EPSILON), _rms_norm,
        "", _ROWS, writes=False,
    ),
    Mechanism(
        "batch_norm", _batch_norm(training=True), _aten("native_batch_norm", 8), "training",
        _PLANES, writes=False,
    ),
    Mechanism(
        "batch_norm", _batch_norm(training=False), _aten("native_batch_norm", 8), "inference",
        _PLANES, writes=False,
    ),
    Mechanism(
        "group_norm", _group_norm, _aten("native_group_norm", 8), "", _PLANES, writes=False
    ),
    Mechanism(
        "max_pool2d_with_indices", _images(*_TWO, [1, 1], False),
        _aten("max_pool2d_with_indices", 6), "2x2", _PLANES, writes=False,
    ),
    Mechanism(
        "max_pool2d_with_indices", _images(*_THREE, [1, 1], False),
        _aten("max_pool2d_with_indices", 6), "3x3", _PLANES, writes=False,
    ),
    Mechanism(
        "avg_pool2d", _images(*_TWO, False, True, 0, _EXACT), _aten("avg_pool2d", 6), "2x2",
        _PLANES, writes=False,
    ),
    Mechanism(
        "avg_pool2d", _images(*_THREE, False, True, 0, _EXACT), _aten("avg_pool2d", 6), "3x3",
        _PLANES, writes=False,
    ),
    Mechanism(
        "adaptive_avg_pool2d", _adapted, _aten("_adaptive_avg_pool2d", 2), "", _PLANES,
        writes=False,
    ),
    Mechanism(
        "adaptive_max_pool2d", _adapted, _aten("adaptive_max_pool2d", 2), "", _PLANES,
        writes=False,
    ),
    _resized("upsample_nearest2d", corners=False),
    _resized("upsample_bilinear2d", corners=True),
    _resized("upsample_bilinear2d", corners=True, label="smaller", factor=0.6),
    _resized("upsample_bicubic2d", corners=True),
    Mechanism(
        "matmul", _product, lambda torch, a, b, _, **out: torch.matmul(a, b, **out), "", _MATRIX,
        share=0.8,
    ),
    _convolution("3x3", 32, 3),
    _convolution("3x3 stride 2", 64, 3, 2),
    _convolution("1x1", 64, 1),
    _convolution("7x7", 32, 7, 2),
    _convolution("depthwise", 32, 3, 1, 32),
)  # fmt: skip
