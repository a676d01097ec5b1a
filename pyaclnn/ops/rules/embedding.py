"""Shapes of gradients of look-ups and of sums over groups and segments."""

from __future__ import annotations

from collections.abc import Callable

from pyaclnn.tensor import Tensor

Shape = tuple[int, ...]


def embedding_gradient(grad: Tensor, count: int) -> Shape:
    """Return the shape of a row for each weight."""
    return count, *grad.shape[-1:]


def group_sums(grad: Tensor, groups: Tensor | None) -> Shape:
    """Return the shape of a row for each group."""
    return *(grad if groups is None else groups).shape[:1], *grad.shape[-1:]


def without_last(tensor: Tensor) -> Shape:
    """Return the shape without its last extent."""
    return tensor.shape[:-1]


SHAPES: dict[str, Callable[..., Shape]] = {
    "embedding_gradient": embedding_gradient,
    "group_sums": group_sums,
    "without_last": without_last,
}
