"""Shapes of what stands beside attention."""

from __future__ import annotations

from collections.abc import Callable

from pyaclnn.tensor import Tensor

Shape = tuple[int, ...]


def _layout(name: str | bytes) -> str:
    return name.decode() if isinstance(name, bytes) else name


def like_or_nothing(tensor: Tensor, condition: Tensor | None) -> Shape:
    """Return the shape of an argument, or an empty one where another is left out."""
    return (0,) if condition is None else tensor.shape


def attended_groups(query: Tensor, key: Tensor, value: Tensor, heads: int, layout: str) -> Shape:
    """Return the query's shape with the depth of values, of which groups of heads share one."""
    if "H" not in _layout(layout):
        return (*query.shape[:-1], *value.shape[-1:])
    depth = query.shape[-1] // max(heads, 1)
    key_heads = key.shape[-1] // max(depth, 1)
    if key_heads == 0:
        return query.shape
    return (*query.shape[:-1], heads * (value.shape[-1] // key_heads))


#: What a row names -> the shape.
SHAPES: dict[str, Callable[..., Shape | None]] = {
    "like_or_nothing": like_or_nothing,
    "attended_groups": attended_groups,
}
