"""Shapes of operators that create, move or choose elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

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


SHAPES: dict[str, Callable[..., Shape]] = {
    rule.__name__: rule
    for rule in (
        diag,
        diagflat,
        first_of,
        flattened,
        numbers,
        numbers_of,
        padded,
        slices,
        steps_including,
        steps_to,
    )
}
