"""Pooling in NumPy: the forward functions, and their gradients by the definition, in float64."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array

Ints = Sequence[int]


def _last(*index: Any) -> tuple[Any, ...]:
    """Return an index into the last axes, all before them whole."""
    return (..., *index)


def pooled_extent(
    extent: int, kernel: int, stride: int, padding: int, dilation: int, ceil: bool
) -> int:
    """Return how many windows an axis has (torch.nn.MaxPool1d's formula)."""
    room = extent + 2 * padding - dilation * (kernel - 1) - 1
    count = (-(-room // stride) if ceil else room // stride) + 1
    # With ceil, a window may not start in the padding behind.
    if ceil and (count - 1) * stride >= extent + padding:
        count -= 1
    return count


def expand(values: Ints, axes: int, default: Ints = ()) -> tuple[int, ...]:
    """Return one number for each axis: a single one stands for all, none for ``default``."""
    if len(values) == 0:
        return tuple(default)
    return tuple(values) if len(values) == axes else tuple(values) * axes


def pooled_shape(
    shape: tuple[int, ...], kernel: Ints, stride: Ints, padding: Ints, ceil: bool,
    dilation: Ints = (1,), axes: int = 2,
) -> tuple[int, ...]:  # fmt: skip
    """Return the shape after pooling the last ``axes`` axes."""
    kernel = expand(kernel, axes)
    stride = expand(stride, axes, kernel)
    padding, dilation = expand(padding, axes), expand(dilation, axes)
    extents = (
        pooled_extent(*axis, ceil)
        for axis in zip(shape[-axes:], kernel, stride, padding, dilation, strict=True)
    )
    return (*shape[:-axes], *extents)


def _windows(
    shape: tuple[int, ...], pooled: tuple[int, ...], kernel: Ints, stride: Ints, padding: Ints
) -> Iterator[tuple[tuple[int, ...], tuple[slice, ...], int, int]]:
    """Yield place, slices, elements inside, elements with padding of every window."""
    axes = len(kernel)
    for place in np.ndindex(*pooled[-axes:]):
        slices, inside, padded = [], 1, 1
        for i, at in enumerate(place):
            extent = shape[i - axes]
            start = at * stride[i] - padding[i]
            end = min(start + kernel[i], extent + padding[i])
            padded *= end - start
            slices.append(slice(max(start, 0), min(end, extent)))
            inside *= slices[-1].stop - slices[-1].start
        yield place, tuple(slices), inside, padded


def avg_pool(
    x: Array, kernel: Ints, stride: Ints, padding: Ints, ceil: bool, include_padding: bool,
    divisor: int = 0, axes: int = 2,
) -> Array:  # fmt: skip
    """Return the mean over windows of the last axes (torch.nn.functional.avg_pool2d)."""
    out = np.zeros(pooled_shape(x.shape, kernel, stride, padding, ceil, axes=axes))
    kernel = expand(kernel, axes)
    stride, padding = expand(stride, axes, kernel), expand(padding, axes)
    for place, slices, inside, padded in _windows(x.shape, out.shape, kernel, stride, padding):
        total = x[_last(*slices)].sum(axis=tuple(range(-axes, 0)))
        out[_last(*place)] = total / (divisor or (padded if include_padding else inside))
    return out


def avg_pool_backward(
    grad: Array, shape: tuple[int, ...], kernel: Ints, stride: Ints, padding: Ints,
    include_padding: bool, divisor: int = 0, axes: int = 2,
) -> Array:  # fmt: skip
    """Return what every place gets from the windows that cover it."""
    out = np.zeros(shape)
    kernel = expand(kernel, axes)
    stride, padding = expand(stride, axes, kernel), expand(padding, axes)
    for place, slices, inside, padded in _windows(shape, grad.shape, kernel, stride, padding):
        share = grad[_last(*place)] / (divisor or (padded if include_padding else inside))
        out[_last(*slices)] += share[_last(*(None,) * axes)]
    return out


def _adaptive_windows(
    shape: tuple[int, ...], pooled: tuple[int, ...], axes: int
) -> Iterator[tuple[tuple[int, ...], tuple[slice, ...]]]:
    for place in np.ndindex(*pooled[-axes:]):
        slices = []
        for i, at in enumerate(place):
            extent, count = shape[i - axes], pooled[i - axes]
            slices.append(slice(at * extent // count, -(-(at + 1) * extent // count)))
        yield place, tuple(slices)


def adaptive_avg_pool(x: Array, size: Ints) -> Array:
    """Return means over windows that divide the last axes evenly."""
    axes = len(size)
    out = np.zeros((*x.shape[:-axes], *size))
    for place, slices in _adaptive_windows(x.shape, out.shape, axes):
        out[_last(*place)] = x[_last(*slices)].mean(axis=tuple(range(-axes, 0)))
    return out


def adaptive_avg_pool_backward(grad: Array, shape: tuple[int, ...], axes: int) -> Array:
    """Return what every place gets from the windows that cover it."""
    out = np.zeros(shape)
    for place, slices in _adaptive_windows(shape, grad.shape, axes):
        elements = np.prod([s.stop - s.start for s in slices])
        out[_last(*slices)] += (grad[_last(*place)] / elements)[_last(*(None,) * axes)]
    return out


def _take_maximum(
    x: Array, positions: Sequence[Array], place: tuple[int, ...], out: Array, indices: Array
) -> None:
    """Note the largest element of one window, the first of equals, and its index in the plane."""
    axes = len(positions)
    window = x[_last(*np.ix_(*positions))]
    flat = window.reshape(*x.shape[:-axes], np.prod(window.shape[-axes:], dtype=int))
    grid = np.meshgrid(*positions, indexing="ij")
    plane_index = np.ravel_multi_index(grid, x.shape[-axes:]).reshape(-1)
    best = flat.argmax(axis=-1)
    out[_last(*place)] = np.take_along_axis(flat, best[..., None], axis=-1)[..., 0]
    indices[_last(*place)] = plane_index[best]


def max_pool(
    x: Array, kernel: Ints, stride: Ints, padding: Ints, ceil: bool, dilation: Ints = (1,),
    axes: int = 2,
) -> tuple[Array, Array]:  # fmt: skip
    """Return the maxima over windows and their indices (torch.nn.functional.max_pool2d)."""
    shape = pooled_shape(x.shape, kernel, stride, padding, ceil, dilation, axes)
    out, indices = np.zeros(shape), np.zeros(shape, dtype=np.int64)
    kernel = expand(kernel, axes)
    stride = expand(stride, axes, kernel)
    padding, dilation = expand(padding, axes), expand(dilation, axes)
    for place in np.ndindex(*shape[-axes:]):
        positions = []
        for i, at in enumerate(place):
            window = at * stride[i] - padding[i] + dilation[i] * np.arange(kernel[i])
            positions.append(window[(window >= 0) & (window < x.shape[i - axes])])
        _take_maximum(x, positions, place, out, indices)
    return out, indices


def adaptive_max_pool(x: Array, size: Ints) -> tuple[Array, Array]:
    """Return maxima over windows that divide the last axes evenly, and their indices."""
    axes = len(size)
    shape = (*x.shape[:-axes], *size)
    out, indices = np.zeros(shape), np.zeros(shape, dtype=np.int64)
    for place, slices in _adaptive_windows(x.shape, shape, axes):
        positions = [np.arange(s.start, s.stop) for s in slices]
        _take_maximum(x, positions, place, out, indices)
    return out, indices


def scatter_sums(grad: Array, indices: Array, shape: tuple[int, ...], axes: int) -> Array:
    """Return zeros of ``shape`` with gradients added at their indices, plane by plane."""
    out = np.zeros(shape)
    for plane in np.ndindex(*shape[:-axes]):
        np.add.at(out[plane].reshape(-1), indices[plane].reshape(-1), grad[plane].reshape(-1))
    return out


def gather(grad: Array, indices: Array, axes: int) -> Array:
    """Return the elements of every plane at its indices."""
    out = np.zeros(indices.shape, grad.dtype)
    for plane in np.ndindex(*grad.shape[:-axes]):
        out[plane] = grad[plane].reshape(-1)[indices[plane]]
    return out
