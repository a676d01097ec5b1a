"""Shapes of operators that create, move or choose elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from pyaclnn.ops.rules import extents
from pyaclnn.tensor import Tensor

Shape = tuple[int, ...]


def steps_to(start: float, end: float, step: float) -> Shape:
    """Return how many steps there are to an end that is not reached."""
    return (max(0, math.ceil((end - start) / step)) if step else 0,)


def steps_including(start: float, end: float, step: float) -> Shape:
    """Return how many steps there are to an end that may be reached."""
    return (max(0, math.floor((end - start) / step) + 1) if step else 0,)


def numbers(*extents: int) -> Shape:
    """Return the extents that the arguments are."""
    return tuple(max(0, n) for n in extents)


def numbers_of(size: Sequence[int]) -> Shape:
    """Return the extents that an argument lists."""
    return tuple(max(0, n) for n in size)


def padded(tensor: Tensor, padding: Sequence[int]) -> Shape:
    """Return the shape with two numbers for each dimension, innermost first, added."""
    shape = list(tensor.shape)
    for place, number in enumerate(padding[: 2 * len(shape)]):
        shape[-1 - place // 2] += number
    return tuple(max(0, n) for n in shape)


def flattened(tensor: Tensor, axis: int) -> Shape:
    """Return two extents: the product of those before an axis, and of the others."""
    axis = axis + max(tensor.ndim, 1) if axis < 0 else axis
    return math.prod(tensor.shape[:axis]), math.prod(tensor.shape[axis:])


def slices(
    tensor: Tensor,
    starts: Sequence[int],
    ends: Sequence[int],
    axes: Sequence[int],
    steps: Sequence[int],
) -> Shape:
    """Return the shape of slices along several dimensions."""
    shape = list(tensor.shape)
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=False):
        if -len(shape) <= axis < len(shape) and step > 0:
            extent = tensor.shape[axis]
            shape[axis] = len(range(*slice(start, end, step).indices(extent)))
    return tuple(shape)


def diag(tensor: Tensor, diagonal: int) -> Shape:
    """Return the shape of a matrix with a vector on a diagonal, or of a matrix's diagonal."""
    if tensor.ndim < 2:
        return diagflat(tensor, diagonal)
    rows, columns = tensor.shape[0] - max(0, -diagonal), tensor.shape[1] - max(0, diagonal)
    return (max(0, min(rows, columns)),)


def diagflat(tensor: Tensor, diagonal: int) -> Shape:
    """Return the shape of a matrix with all elements on a diagonal."""
    side = tensor.size + abs(diagonal)
    return side, side


def first_of(tensor: Tensor, count: int, dim: int) -> Shape:
    """Return the shape with so many places along a dimension."""
    shape = list(tensor.shape)
    if -len(shape) <= dim < len(shape):
        shape[dim] = max(0, count)
    return tuple(shape)


def drawn_places(tensor: Tensor, count: int) -> Shape:
    """Return the shape with so many places in the last dimension."""
    return first_of(tensor, count, -1)


def taken(tensor: Tensor, dim: int, index: Tensor) -> Shape:
    """Return the shape with that of an index in the place of a dimension."""
    if tensor.ndim == 0 or not -tensor.ndim <= dim < tensor.ndim:
        return tensor.shape
    dim %= tensor.ndim
    return (*tensor.shape[:dim], *(index.shape or (1,)), *tensor.shape[dim + 1 :])


def embedded(weight: Tensor, indices: Tensor) -> Shape:
    """Return the shape of a row for each index."""
    return (*indices.shape, *weight.shape[1:])


def indexed(tensor: Tensor, indices: Sequence[Tensor]) -> Shape:
    """Return the shape of a tensor indexed as in Python; one without elements is a full slice.

    Raises
    ------
    ValueError
        For bools: how many places they choose is known on the device.
    """
    if any(t.size and t.dtype == bool for t in indices):
        raise ValueError("how many elements are true is known on the device only; pass out=")
    chosen = [i for i, t in enumerate(indices) if t.size]
    numbers = np.broadcast_shapes(*(indices[i].shape for i in chosen))
    whole = [n for i, n in enumerate(tensor.shape) if i not in chosen]
    together = chosen == list(range(chosen[0], chosen[-1] + 1)) if chosen else True
    place = chosen[0] if chosen and together else 0
    return (*whole[:place], *numbers, *whole[place:])


def all_of(tensor: Tensor, mask: Tensor) -> Shape:
    """Return one dimension with room for all elements of two tensors that broadcast."""
    return (math.prod(np.broadcast_shapes(tensor.shape, mask.shape)),)


def elements(tensor: Tensor) -> Shape:
    """Return one dimension with room for all elements."""
    return (tensor.size,)


def interleaved(tensor: Tensor, repeats: int) -> Shape:
    """Return one dimension, in which each element is so many times."""
    return (tensor.size * max(0, repeats),)


def interleaved_along(tensor: Tensor, repeats: int, dim: int) -> Shape:
    """Return the shape with each place of a dimension so many times."""
    extent = tensor.shape[dim] if -tensor.ndim <= dim < tensor.ndim else 0
    return first_of(tensor, extent * max(0, repeats), dim)


def chunks(tensors: Sequence[Tensor], count: int) -> Shape:
    """Return a row for each chunk of tensors, which lie behind one another."""
    rows = [math.prod((-(-t.shape[0] // max(1, count)), *t.shape[1:])) for t in tensors if t.ndim]
    return max(0, count), sum(rows)


def strided(
    tensor: Tensor, begin: Sequence[int], end: Sequence[int], strides: Sequence[int], *masks: int
) -> Shape:
    """Return the shape of a slice whose masks say what an entry is; CANN refuses what is none."""
    try:
        return extents.strided(tensor.shape, begin, end, strides, *masks)
    except (IndexError, ValueError):
        return tensor.shape


def confused(
    tensor: Tensor, order: Sequence[int], shape: Sequence[int], order_first: bool
) -> Shape:
    """Return another shape of as many elements, with its axes in order unless they were before."""
    if order_first or sorted(order) != list(range(len(shape))):
        return numbers_of(shape)
    return numbers_of([shape[axis] for axis in order])


def place_rows(tensor: Tensor) -> Shape:
    """Return a row of indices for each element."""
    return tensor.size, tensor.ndim


def place_columns(tensor: Tensor) -> Shape:
    """Return a column of indices for each element."""
    return tensor.ndim, tensor.size


SHAPES: dict[str, Callable[..., Shape]] = {
    rule.__name__: rule
    for rule in (
        all_of,
        chunks,
        confused,
        diag,
        diagflat,
        elements,
        embedded,
        first_of,
        flattened,
        indexed,
        interleaved,
        interleaved_along,
        numbers,
        numbers_of,
        padded,
        place_columns,
        place_rows,
        drawn_places,
        slices,
        strided,
        steps_including,
        steps_to,
        taken,
    )
}
