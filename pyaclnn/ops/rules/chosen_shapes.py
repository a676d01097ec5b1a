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


def bag_sizes(offsets: Tensor, include_last: bool) -> Shape:
    """Return how many bags there are."""
    return (max(0, offsets.size - (1 if include_last else 0)),)


def bags(table: Tensor, offsets: Tensor, include_last: bool) -> Shape:
    """Return a row for each bag."""
    return (*bag_sizes(offsets, include_last), *table.shape[1:2])


def bag_places(table: Tensor, offsets: Tensor, include_last: bool, mode: int) -> Shape:
    """Return a row for each bag where the largest are sought, otherwise a number."""
    rows = bags(table, offsets, include_last)
    return rows[:1] if mode in (0, 1) else rows


#: What a row names -> the shape.
SHAPES: dict[str, Callable[..., Shape | None]] = {
    "bag_places": bag_places,
    "bag_sizes": bag_sizes,
    "bags": bags,
    "batches": batches,
    "classes": classes,
    "slice_counts": slice_counts,
    "slice_places": slice_places,
    "slices_of": slices_of,
    "tuples": tuples,
}
