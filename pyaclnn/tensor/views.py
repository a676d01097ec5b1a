"""View arithmetic: pure functions on shapes, strides and offsets, counted in elements."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from types import EllipsisType
from typing import Any, SupportsIndex

import numpy as np

Shape = tuple[int, ...]
_INDEX_TYPES = frozenset((int, slice, EllipsisType, type(None)))
#: shape, strides, offset.
View = tuple[Shape, Shape, int]


class NoViewError(Exception):
    """The selection of a key is not expressible as a view."""


def as_shape(shape: SupportsIndex | Sequence[SupportsIndex]) -> Shape:
    """Return a shape as a tuple of ints.

    Raises
    ------
    ValueError
        If an extent is negative.
    TypeError
        If an extent is not an integer.
    """
    # isinstance(..., SupportsIndex) would take longer than the rest of creating a tensor.
    if shape.__class__ is not tuple and hasattr(shape, "__index__"):
        extents: Shape = (operator.index(shape),)
    else:
        extents = tuple(map(operator.index, shape))
    if extents and min(extents) < 0:
        raise ValueError(f"shape {extents} has a negative extent")
    return extents


def check_fits(shape: Shape, numbers: Iterable[int]) -> None:
    """Raise ValueError where one of the numbers that describe a shape to C does not fit 64 bits."""
    largest = max(numbers, default=0)
    if largest >= 1 << 63:
        raise ValueError(f"shape {shape} needs {largest:,}, and an aclTensor has 64-bit integers")


def as_axes(axes: SupportsIndex | Sequence[SupportsIndex]) -> tuple[SupportsIndex, ...]:
    """Return one axis, or several, as a tuple."""
    return (axes,) if hasattr(axes, "__index__") else tuple(axes)


def contiguous_strides(shape: Shape) -> Shape:
    """Return the row-major strides of a shape."""
    strides = []
    step = 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent if extent > 0 else 1
    return tuple(strides[::-1])


def is_contiguous(shape: Shape, strides: Shape) -> bool:
    """Return whether elements lie row-major and without gaps, as aclnn judges it."""
    if math.prod(shape) <= 1:
        return True
    step = 1
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent != 1:
            if stride != step:
                return False
            step *= extent
    return True


def span(shape: Shape, strides: Shape) -> int:
    """Return how many elements lie from the first to the last of a view, inclusive."""
    if 0 in shape:
        return 0
    return 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides, strict=True))


def check_bounds(view: View, there: int) -> None:
    """Refuse a view that is malformed or reaches beyond the elements that are there.

    Raises
    ------
    ValueError
        Saying what is wrong.
    """
    shape, strides, offset = view
    if len(strides) != len(shape):
        raise ValueError(f"{len(strides)} strides for {len(shape)} dimensions")
    if offset < 0 or (strides and min(strides) < 0):
        raise ValueError(
            f"strides {strides} and offset {offset} must be at least 0: aclnn takes no reversed "
            "views"
        )
    reach = offset + span(shape, strides)
    if reach > there:
        raise ValueError(
            f"shape {shape} with strides {strides} and offset {offset} reaches {reach} elements "
            f"into a buffer that has {there}"
        )


def index(view: View, key: Any) -> View:
    """Return the view that basic indexing selects.

    Parameters
    ----------
    view : View
        Shape, strides and offset.
    key : index expression
        Integers, slices with positive steps, ``...`` and ``None``.

    Raises
    ------
    IndexError
        If an index is out of range or there are too many.
    NoViewError
        For masks, index arrays and slices that run backwards, which need an operator.
    """
    shape, strides, offset = view
    new_shape: list[int] = []
    new_strides: list[int] = []
    axis = 0
    for item in _expanded(key, len(shape)):
        if item is None:
            new_shape.append(1)
            new_strides.append(0)
            continue
        extent, stride = shape[axis], strides[axis]
        if isinstance(item, slice):
            start, length, step = _resolve_slice(item, extent)
            # An empty selection may start behind the end: its offset is kept inside the memory.
            offset += start * stride if length else 0
            new_shape.append(length)
            new_strides.append(stride * step)
        else:
            offset += _resolve_index(item, extent, axis) * stride
        axis += 1
    return tuple(new_shape), tuple(new_strides), offset


def transpose(view: View, axes: Sequence[SupportsIndex] | None) -> View:
    """Return a view with its axes permuted; reversed for ``None``.

    Raises
    ------
    ValueError
        If ``axes`` is not a permutation of the axes.
    """
    shape, strides, offset = view
    rank = len(shape)
    order = [normalised_axis(axis, rank) for axis in axes] if axes is not None else None
    if order is None:
        return shape[::-1], strides[::-1], offset
    if sorted(order) != list(range(rank)):
        raise ValueError(f"axes {tuple(axes or ())} are not a permutation of {rank} axes")
    return tuple([shape[a] for a in order]), tuple([strides[a] for a in order]), offset


def broadcast_to(view: View, shape: Shape) -> View:
    """Return a view repeated to a shape, with stride 0 where it repeats.

    Raises
    ------
    ValueError
        If the shapes do not fit by NumPy's rules.
    """
    check_fits(shape, shape)
    old_shape, old_strides, offset = view
    added = len(shape) - len(old_shape)
    fits = added >= 0 and all(
        old in (1, new) for old, new in zip(old_shape, shape[max(added, 0) :], strict=True)
    )
    if not fits:
        raise ValueError(f"shape {old_shape} cannot be broadcast to {shape}")
    strides = tuple(
        0 if old == 1 and new != 1 else stride
        for old, new, stride in zip(old_shape, shape[added:], old_strides, strict=True)
    )
    return shape, (0,) * added + strides, offset


def expand_dims(view: View, axis: SupportsIndex) -> View:
    """Return a view with an axis of extent 1 inserted.

    Raises
    ------
    ValueError
        If the position does not exist.
    """
    shape, strides, offset = view
    at = normalised_axis(axis, len(shape) + 1)
    return (*shape[:at], 1, *shape[at:]), (*strides[:at], 0, *strides[at:]), offset


def squeeze(view: View, axis: SupportsIndex | Sequence[SupportsIndex] | None) -> View:
    """Return a view without axes of extent 1: all of them for ``None``.

    Raises
    ------
    ValueError
        If a named axis has another extent.
    """
    shape, strides, offset = view
    if axis is None:
        gone = {a for a, extent in enumerate(shape) if extent == 1}
    else:
        named = as_axes(axis)
        gone = {normalised_axis(a, len(shape)) for a in named}
        if long := [a for a in sorted(gone) if shape[a] != 1]:
            raise ValueError(f"axis {long[0]} of shape {shape} has not extent 1")
    kept = [a for a in range(len(shape)) if a not in gone]
    return tuple(shape[a] for a in kept), tuple(strides[a] for a in kept), offset


def reshape(view: View, shape: Shape) -> View:
    """Return the same elements in another shape, if strides can express it.

    Parameters
    ----------
    view : View
        Shape, strides and offset.
    shape : tuple of int
        One extent may be -1.

    Raises
    ------
    ValueError
        If the sizes differ, or if only a copy could do it.
    """
    old_shape, old_strides, offset = view
    shape = _with_inferred_extent(shape, math.prod(old_shape), old_shape)
    if 0 in shape or is_contiguous(old_shape, old_strides):
        return shape, contiguous_strides(shape), offset
    strides = _strides_of_reshape(old_shape, old_strides, shape)
    if strides is None:
        raise ValueError(
            f"a view of shape {old_shape} and strides {old_strides} cannot be reshaped to {shape} "
            "without copying; copy first: pyaclnn.asarray(tensor.numpy())"
        )
    return shape, strides, offset


def normalised_axis(axis: SupportsIndex, rank: int) -> int:
    """Return an axis counted from 0.

    Raises
    ------
    ValueError
        If it does not exist.
    """
    number = operator.index(axis)
    if not -rank <= number < rank:
        raise ValueError(f"axis {number} does not exist in {rank} dimensions")
    return number % rank


def _expanded(key: Any, rank: int) -> list[Any]:
    items = list(key) if isinstance(key, tuple) else [key]
    named, dots = 0, []
    for position, item in enumerate(items):
        known = item.__class__ in _INDEX_TYPES
        if not known and (not hasattr(item, "__index__") or _is_bool_or_array(item)):
            raise NoViewError
        if item is Ellipsis:
            dots.append(position)
        elif item is not None:
            named += 1
    if named > rank:
        raise IndexError(f"{named} indices for {rank} dimensions")
    rest = [slice(None)] * (rank - named)
    if len(dots) > 1:
        raise IndexError("an index can have only one ellipsis (...)")
    at = dots[0] if dots else len(items)
    return items[:at] + rest + items[at + 1 :]


def _is_bool_or_array(item: Any) -> bool:
    return (
        isinstance(item, (bool, np.bool_))
        or getattr(item, "ndim", 0) > 0
        or getattr(item, "dtype", None) == np.bool_
    )


def _resolve_slice(item: slice, extent: int) -> tuple[int, int, int]:
    if item.step is not None and operator.index(item.step) <= 0:
        if operator.index(item.step) == 0:
            raise ValueError("slice step cannot be zero")
        raise NoViewError
    start, stop, step = item.indices(extent)
    return start, max(0, (stop - start + step - 1) // step), step


def _resolve_index(item: SupportsIndex, extent: int, axis: int) -> int:
    number = operator.index(item)
    if not -extent <= number < extent:
        raise IndexError(f"index {number} is out of range for axis {axis} with extent {extent}")
    return number % extent


def _with_inferred_extent(shape: Shape, size: int, old_shape: Shape) -> Shape:
    if math.prod(shape) == size and min(shape, default=0) >= 0:
        return shape
    unknown = [axis for axis, extent in enumerate(shape) if extent == -1]
    known = math.prod(extent for extent in shape if extent != -1)
    if len(unknown) > 1 or any(extent < -1 for extent in shape):
        raise ValueError(f"shape {shape}: extents are at least 0, and one of them may be -1")
    if unknown and known and size % known == 0:
        at = unknown[0]
        return (*shape[:at], size // known, *shape[at + 1 :])
    if unknown or known != size:
        raise ValueError(f"{size} elements of shape {old_shape} do not make shape {shape}")
    return shape


def _strides_of_reshape(old_shape: Shape, old_strides: Shape, shape: Shape) -> Shape | None:
    """Pair groups of old and new axes of equal size; each old group must lie evenly in memory."""
    old = [(e, s) for e, s in zip(old_shape, old_strides, strict=True) if e != 1]
    strides: list[int] = []
    old_at = new_at = 0
    while old_at < len(old) and new_at < len(shape):
        old_end, new_end = old_at + 1, new_at + 1
        old_size, new_size = old[old_at][0], shape[new_at]
        while old_size != new_size:
            if old_size < new_size:
                old_size *= old[old_end][0]
                old_end += 1
            else:
                new_size *= shape[new_end]
                new_end += 1
        for (_, outer), (extent, inner) in zip(
            old[old_at : old_end - 1], old[old_at + 1 : old_end], strict=True
        ):
            if outer != extent * inner:
                return None
        step = old[old_end - 1][1]
        group = []
        for extent in reversed(shape[new_at:new_end]):
            group.append(step)
            step *= extent
        strides.extend(reversed(group))
        old_at, new_at = old_end, new_end
    strides.extend([1] * (len(shape) - len(strides)))
    return tuple(strides)
