"""Shapes and places: views, and one operator where elements move."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy as np

from pyaclnn.array_api._common import Axis, array, axes_of, axis_of, ops, together
from pyaclnn.array_api.creation_functions import asarray
from pyaclnn.tensor import Tensor, reinterpret

__all__ = [
    "broadcast_arrays", "broadcast_to", "concat", "expand_dims", "flip", "moveaxis",
    "permute_dims", "repeat", "reshape", "roll", "squeeze", "stack", "take", "take_along_axis",
    "tile", "unstack",
]  # fmt: skip


def broadcast_to(x: Tensor, /, shape: tuple[int, ...]) -> Tensor:
    """Return a view repeated to a shape."""
    return array(x).broadcast_to(tuple(shape))


def broadcast_arrays(*arrays: Tensor) -> list[Tensor]:
    """Return views of one shape."""
    shape = np.broadcast_shapes(*(array(x).shape for x in arrays))
    return [x.broadcast_to(shape) for x in arrays]


def concat(arrays: Sequence[Tensor], /, *, axis: SupportsIndex | None = 0) -> Tensor:
    """Join along an axis (``aclnnCat``), after promotion."""
    parts = together(list(arrays))
    if axis is None:
        parts, axis = [reshape(x, (-1,)) for x in parts], 0
    if any(x.ndim == 0 for x in parts):
        raise ValueError("arrays without axes cannot be joined; stack them")
    at = axis_of(axis, parts[0].ndim)
    if len(parts) == 1:
        return parts[0].copy()
    dtype = parts[0].dtype
    if dtype.name in ("complex128", *reinterpret.UNSIGNED):
        return reinterpret.moved(ops.cat([reinterpret.movable(x) for x in parts], at), dtype)
    return ops.cat(parts, at)


def stack(arrays: Sequence[Tensor], /, *, axis: SupportsIndex = 0) -> Tensor:
    """Join along a new axis."""
    parts = together(list(arrays))
    if any(x.shape != parts[0].shape for x in parts):
        raise ValueError("only arrays of one shape can be stacked")
    at = axis_of(axis, parts[0].ndim + 1)
    return concat([x.expand_dims(at) for x in parts], axis=at)


def unstack(x: Tensor, /, *, axis: SupportsIndex = 0) -> tuple[Tensor, ...]:
    """Return the views that an axis counts."""
    front = moveaxis(x, axis, 0)
    return tuple(front[n] for n in range(front.shape[0]))


def expand_dims(x: Tensor, /, axis: SupportsIndex) -> Tensor:
    """Return a view with a new axis."""
    return array(x).expand_dims(axis_of(axis, x.ndim + 1))


def squeeze(x: Tensor, /, axis: Axis) -> Tensor:
    """Return a view without axes of extent 1."""
    return array(x).squeeze(tuple(axes_of(axis, x.ndim)))


def permute_dims(x: Tensor, /, axes: tuple[int, ...]) -> Tensor:
    """Return a view with its axes in another order."""
    return array(x).transpose(tuple(axes)) if x.ndim else x[...]


def moveaxis(x: Tensor, source: Axis, destination: Axis, /) -> Tensor:
    """Return a view with some axes in other places."""
    sources, targets = axes_of(source, array(x).ndim), axes_of(destination, x.ndim)
    if len(sources) != len(targets):
        raise ValueError("as many axes are needed as there are places for them")
    order = [a for a in range(x.ndim) if a not in sources]
    for target, axis in sorted(zip(targets, sources, strict=True)):
        order.insert(target, axis)
    return permute_dims(x, tuple(order))


def reshape(x: Tensor, /, shape: tuple[int, ...], *, copy: bool | None = None) -> Tensor:
    """Return a view of another shape, or a copy where strides cannot say it."""
    if copy:
        return array(x).copy().reshape(tuple(shape))
    try:
        return array(x).reshape(tuple(shape))
    except ValueError:
        if copy is False or x.is_contiguous:
            raise
    return x.copy().reshape(tuple(shape))


def flip(x: Tensor, /, *, axis: Axis = None) -> Tensor:
    """Reverse axes (``aclnnFlip``)."""
    reverse = [slice(None)] * array(x).ndim
    for at in axes_of(axis, x.ndim):
        reverse[at] = slice(None, None, -1)
    return x[tuple(reverse)].copy() if 0 in x.shape or not x.ndim else x[tuple(reverse)]


def roll(x: Tensor, /, shift: Axis, *, axis: Axis = None) -> Tensor:
    """Move elements around along axes: two slices joined for each (``aclnnCat``)."""
    if axis is None:
        return reshape(roll(reshape(x, (-1,)), shift, axis=0), x.shape)
    given = axis if isinstance(axis, Sequence) else (axis,)
    axes = [axis_of(a, array(x).ndim) for a in given]
    shifts = list(shift) if isinstance(shift, Sequence) else [shift] * len(axes)
    if len(shifts) != len(axes):
        raise ValueError("as many shifts are needed as axes")
    result = x
    for by, at in zip(shifts, axes, strict=True):
        extent = x.shape[at]
        split = -operator.index(by) % extent if extent else 0  # type: ignore[arg-type]
        if split:
            before: list[Any] = [slice(None)] * x.ndim
            after = list(before)
            before[at], after[at] = slice(split), slice(split, None)
            result = concat([result[tuple(after)], result[tuple(before)]], axis=at)
    return result.copy() if result is x else result


def repeat(x: Tensor, repeats: int | Tensor, /, *, axis: SupportsIndex | None = None) -> Tensor:
    """Repeat elements, each as often as all or as is told for it."""
    if axis is None:
        x, axis = reshape(x, (-1,)), 0
    at = axis_of(axis, array(x).ndim)
    if isinstance(repeats, Tensor) and repeats.size == 1:
        repeats = int(repeats.item())
    if not isinstance(repeats, Tensor):
        shape = (*x.shape[: at + 1], repeats, *x.shape[at + 1 :])
        many = x.expand_dims(at + 1).broadcast_to(shape)
        return reshape(many, (*x.shape[:at], x.shape[at] * repeats, *x.shape[at + 1 :]))
    # How many there will be is known when the sum is.
    total = int(repeats.sum().item())
    counts = repeats.astype("int64", copy=False)
    indices = ops.repeat_interleave_tensor(counts, total)
    return take(x, indices, axis=at)


def tile(x: Tensor, repetitions: tuple[int, ...], /) -> Tensor:
    """Repeat the whole along axes: a view copied."""
    rank = max(array(x).ndim, len(repetitions))
    times = (1,) * (rank - len(repetitions)) + tuple(repetitions)
    extents = (1,) * (rank - x.ndim) + x.shape
    apart = reshape(x, tuple(n for extent in extents for n in (1, extent)))
    both = tuple(n for pair in zip(times, extents, strict=True) for n in pair)
    whole = tuple(n * extent for n, extent in zip(times, extents, strict=True))
    result = reshape(apart.broadcast_to(both), whole)
    return result.copy() if result.buffer is x.buffer else result


def take(x: Tensor, indices: Tensor, /, *, axis: SupportsIndex | None = None) -> Tensor:
    """Select by positions along an axis (``aclnnIndex``)."""
    if axis is None:
        if array(x).ndim != 1:
            raise ValueError(f"axis= is needed where there are {x.ndim} axes")
        axis = 0
    at = axis_of(axis, array(x).ndim)
    if not isinstance(indices, Tensor):
        indices = asarray(indices, device=x.device)
    return x[(slice(None),) * at + (indices,)]


def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: SupportsIndex = -1) -> Tensor:
    """Select by positions of each row's own (``aclnnGather``)."""
    at = axis_of(axis, array(x).ndim)
    if indices.ndim != x.ndim:
        raise ValueError(f"{indices.describe()} has other axes than {x.describe()}")
    common = list(
        np.broadcast_shapes(*((*s[:at], 1, *s[at + 1 :]) for s in (x.shape, indices.shape)))
    )
    common[at] = x.shape[at]
    source = x.broadcast_to(tuple(common))
    common[at] = indices.shape[at]
    chosen = indices.astype("int64", copy=False).broadcast_to(tuple(common))
    if math.prod(common) == 0:
        return Tensor.copy(source[tuple(slice(0, n) for n in common)])
    chosen = ops.s_where(chosen < 0, chosen + x.shape[at], chosen)
    parts = reinterpret.movable(source.contiguous())
    if x.dtype.kind == "c":
        chosen = chosen[..., None].broadcast_to((*common, 2)).copy()
    return reinterpret.moved(ops.gather(parts, at, chosen), x.dtype)
