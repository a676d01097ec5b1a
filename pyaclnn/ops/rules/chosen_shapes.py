"""Shapes of what is chosen by number, and of what is counted or searched for."""

from __future__ import annotations

from collections.abc import Callable

from pyaclnn.tensor import Tensor

Shape = tuple[int, ...]

_NO_DIM = 1000


def tuples(table: Tensor, indices: Tensor) -> Shape:
    """Return the shape of what tuples choose along the first axes."""
    return (*indices.shape[:-1], *table.shape[indices.shape[-1] if indices.ndim else 0 :])


def batches(table: Tensor, dim: int, index: Tensor, batch: int) -> Shape:
    """Return the shape with that of an index, but its batches, in the place of a dimension."""
    axis = dim + table.ndim if dim < 0 else dim
    if table.ndim == 0:
        return ()
    return (*table.shape[:axis], *index.shape[max(batch, 0) :], *table.shape[axis + 1 :])


def classes(tensor: Tensor, count: int, axis: int) -> Shape:
    """Return the shape with a dimension of classes inserted, the last one by default."""
    place = tensor.ndim if axis < 0 else axis
    return (*tensor.shape[:place], max(0, count), *tensor.shape[place:])


def slices_of(tensor: Tensor, dim: int) -> Shape:
    """Return the shape with room for all slices, or for all elements in a list."""
    return (tensor.size,) if dim == _NO_DIM else tensor.shape


def slice_places(tensor: Tensor, dim: int) -> Shape:
    """Return how many slices there are, or the shape where elements are meant."""
    return tensor.shape if dim == _NO_DIM else slice_counts(tensor, dim)


def slice_counts(tensor: Tensor, dim: int) -> Shape:
    """Return how many slices there are."""
    if dim == _NO_DIM or tensor.ndim == 0:
        return (tensor.size,)
    return tensor.shape[dim : dim + 1 or None] if -tensor.ndim <= dim < tensor.ndim else ()


#: What a row names -> the shape.
SHAPES: dict[str, Callable[..., Shape | None]] = {
    "batches": batches,
    "classes": classes,
    "slice_counts": slice_counts,
    "slice_places": slice_places,
    "slices_of": slices_of,
    "tuples": tuples,
}
