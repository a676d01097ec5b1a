"""Shapes that windows moving over an image make: convolution, pooling, unfolding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from pyaclnn.tensor import Tensor

Shape = tuple[int, ...]


def _sides(padding: Sequence[int], axes: int) -> list[int]:
    """Return both sides' padding of each axis, given as one number an axis or a side."""
    each = max(len(padding) // max(axes, 1), 1)
    return [p + q for p, q in zip(padding[::each], padding[each - 1 :: each], strict=False)]


def _spatial(
    shape: Shape, kernel: Shape, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int],
) -> Shape:  # fmt: skip
    """Return the number of positions along each axis."""
    return tuple(
        max((n + p - d * (k - 1) - 1) // s + 1, 0)
        for n, k, s, p, d in zip(
            shape, kernel, stride, _sides(padding, len(shape)), dilation, strict=False
        )
    )


def _unstrided(
    shape: Shape, kernel: Shape, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], extra: Sequence[int],
) -> Shape:  # fmt: skip
    return tuple(
        max((n - 1) * s - p + d * (k - 1) + e + 1, 0)
        for n, k, s, p, d, e in zip(
            shape, kernel, stride, _sides(padding, len(shape)), dilation, extra, strict=False
        )
    )


def convolved(
    x: Tensor, weight: Tensor, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], transposed: bool, extra: Sequence[int] | None, groups: int,
) -> Shape:  # fmt: skip
    """Return the shape of a convolution, or of a transposed one."""
    if 0 in stride:
        return x.shape
    size, taps = x.shape[2:], weight.shape[2:]
    if transposed:
        spatial = _unstrided(size, taps, stride, padding, dilation, extra or (0,) * len(size))
        return (x.shape[0], weight.shape[1] * groups, *spatial)
    return (x.shape[0], weight.shape[0], *_spatial(size, taps, stride, padding, dilation))


def convolved_by_channel(
    x: Tensor, weight: Tensor, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int],
) -> Shape:  # fmt: skip
    """Return the shape of a convolution with a filter of its own for each channel."""
    return convolved(x, weight, stride, padding, dilation, False, None, 1)


def convolved_tbc(x: Tensor, weight: Tensor, pad: int) -> Shape:
    """Return the shape of a convolution of time, batch, channel."""
    times = x.shape[0] + 2 * pad + 1 - weight.shape[0]
    return (max(times, 0), x.shape[1], weight.shape[2])


def _each(values: Sequence[int], axes: int, default: Sequence[int] = ()) -> tuple[int, ...]:
    """Return a number for each axis: a single one stands for all, none for the default."""
    given = tuple(values) or tuple(default)
    return given * axes if len(given) == 1 else given


def _counted(
    extent: int, kernel: int, stride: int, pads: int, before: int, dilation: int, ceil: bool
) -> int:
    """Return how many windows an axis has; with ceil, none starts behind it."""
    room = extent + pads - dilation * (kernel - 1) - 1 + (stride - 1 if ceil else 0)
    count = room // stride + 1
    return max(count - (ceil and (count - 1) * stride >= extent + before), 0)


def _pooled(
    x: Tensor, axes: int, kernel: Sequence[int], stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], ceil: bool,
) -> Shape:  # fmt: skip
    kernel = _each(kernel, axes)
    stride = _each(stride, axes, kernel)
    before = _each(padding, axes)
    dilation = _each(dilation, axes)
    if 0 in stride:
        return x.shape
    spatial = (
        _counted(n, k, s, 2 * p, p, d, ceil)
        for n, k, s, p, d in zip(x.shape[-axes:], kernel, stride, before, dilation, strict=False)
    )
    return (*x.shape[:-axes], *spatial)


def pooled(
    x: Tensor, kernel: Sequence[int], stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], ceil: bool,
) -> Shape:  # fmt: skip
    """Return the shape of an image of which the largest in each window is left."""
    return _pooled(x, 2, kernel, stride, padding, dilation, ceil)


def pooled_3d(
    x: Tensor, kernel: Sequence[int], stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], ceil: bool,
) -> Shape:  # fmt: skip
    """Return the same of a volume."""
    return _pooled(x, 3, kernel, stride, padding, dilation, ceil)


def adaptive_3d(x: Tensor, size: Sequence[int]) -> Shape:
    """Return the shape of a volume that is pooled to a size; one number stands for all."""
    return (*x.shape[:-3], *_each(size, 3, x.shape[-3:]))


def one_place(x: Tensor) -> Shape:
    """Return the shape of one number for each channel."""
    return (*x.shape[:2], *(1 for _ in x.shape[2:]))


def window_mask(
    x: Tensor, kernel: Sequence[int], stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], ceil: bool,
) -> Shape:  # fmt: skip
    """Return the shape of the bytes that CANN wants for a bit of each place of each window."""
    shape = pooled(x, kernel, stride, padding, dilation, ceil)
    size = _each(kernel, 2)
    blocks = -(-(shape[-1] * shape[-2]) // 16) + 1
    return (*shape[:-2], size[0] * size[1], blocks * 32)


def max_pooled(
    x: Tensor, kernel: Sequence[int], strides: Sequence[int], pads: Sequence[int], ceil: int
) -> Shape:
    """Return the same for padding that differs by sides: top, left, bottom, right."""
    kernel, strides = _each(kernel, 2), _each(strides, 2, (1,))
    if 0 in strides:
        return x.shape
    sides = _each(pads, 2, (0,)) * (1 if len(pads) == 4 else 2)
    spatial = (
        _counted(n, k, s, p + q, p, 1, bool(ceil))
        for n, k, s, p, q in zip(x.shape[-2:], kernel, strides, sides[:2], sides[2:], strict=False)
    )
    return (*x.shape[:-2], *spatial)


def averaged_2d(
    x: Tensor, kernel: Sequence[int], stride: Sequence[int], padding: Sequence[int], ceil: bool
) -> Shape:
    """Return the shape of an image of which the mean of each window is left."""
    return _pooled(x, 2, kernel, stride, padding, (1,), ceil)


def averaged_3d(
    x: Tensor, kernel: Sequence[int], stride: Sequence[int], padding: Sequence[int], ceil: bool
) -> Shape:
    """Return the same of a volume."""
    return _pooled(x, 3, kernel, stride, padding, (1,), ceil)


def of_size(x: Tensor, size: Sequence[int]) -> Shape:
    """Return the shape with its last extents replaced."""
    return (*x.shape[: max(x.ndim - len(size), 0)], *size)


def whole_size(x: Tensor, size: Sequence[int] | None) -> Shape:
    """Return the shape that a list says; that of the tensor where CANN refuses the call."""
    return x.shape if size is None else tuple(max(0, int(n)) for n in size)


def folded(columns: Tensor, size: Sequence[int] | None, kernel: Sequence[int] | None) -> Shape:
    """Return the shape of images of this size, a channel for the rows of each kernel."""
    if size is None or kernel is None or columns.ndim < 2:
        return columns.shape
    channels = columns.shape[-2] // max(1, prod(whole_size(columns, kernel)))
    return (*columns.shape[:-2], channels, *whole_size(columns, size))


def of_scales(x: Tensor, scales: Sequence[float]) -> Shape:
    """Return the shape with its last two extents multiplied."""
    return (*x.shape[:2], *(int(n * s) for n, s in zip(x.shape[2:], scales[-2:], strict=False)))


def grid_of(theta: Tensor, size: Sequence[int]) -> Shape:
    """Return the shape of the points of images of this size."""
    return (size[0], *size[2:], len(size) - 2)


def columns(
    x: Tensor, kernel: Sequence[int], dilation: Sequence[int], padding: Sequence[int],
    stride: Sequence[int],
) -> Shape:  # fmt: skip
    """Return the shape of windows as columns, with a row for each tap of each channel."""
    if 0 in stride or x.ndim < 3 or len(kernel) != 2:
        return x.shape
    windows = _spatial(x.shape[-2:], tuple(kernel), stride, padding, dilation)
    taps, count = kernel[0] * kernel[1], 1
    for n in windows:
        count *= n
    return (*x.shape[:-3], x.shape[-3] * taps, count)


def sampled(x: Tensor, grid: Tensor) -> Shape:
    """Return the shape of samples at the points of a grid."""
    return (*x.shape[:2], *grid.shape[1:-1])


#: What a row names -> the shape.
SHAPES: dict[str, Callable[..., Shape]] = {
    "adaptive_3d": adaptive_3d,
    "averaged_2d": averaged_2d,
    "averaged_3d": averaged_3d,
    "columns": columns,
    "convolved": convolved,
    "convolved_by_channel": convolved_by_channel,
    "convolved_tbc": convolved_tbc,
    "folded": folded,
    "grid_of": grid_of,
    "max_pooled": max_pooled,
    "of_scales": of_scales,
    "of_size": of_size,
    "one_place": one_place,
    "pooled": pooled,
    "pooled_3d": pooled_3d,
    "sampled": sampled,
    "whole_size": whole_size,
    "window_mask": window_mask,
}
