"""Shapes of what stands beside attention."""

from __future__ import annotations

from collections.abc import Callable

from pyaclnn.tensor import Tensor

Shape = tuple[int, ...]


def like_or_nothing(tensor: Tensor, condition: Tensor | None) -> Shape:
    """Return the shape of an argument, or an empty one where another is left out."""
    return (0,) if condition is None else tensor.shape


#: What a row names -> the shape.
SHAPES: dict[str, Callable[..., Shape | None]] = {
    "like_or_nothing": like_or_nothing,
}
