"""Shapes of attention, by the layouts that CANN's operators name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyaclnn.tensor import Tensor

Shape = tuple[int, ...]


def _layout(name: str | bytes) -> str:
    return name.decode() if isinstance(name, bytes) else name


def attended(query: Tensor, value: Sequence[Tensor], heads: int, layout: str) -> Shape:
    """Return the query's shape with the depth of the values; the last layout turns two axes."""
    name = _layout(layout)
    if name == "BSH" and query.ndim == 3 and heads > 0:
        return query.shape
    depth = value[0].shape[-1:] if value else query.shape[-1:]
    if name == "BNSD_BSND" and query.ndim == 4:
        return (query.shape[0], query.shape[2], query.shape[1], *depth)
    return (*query.shape[:-1], *depth)


def row_powers_if(query: Tensor, heads: int, layout: str, wanted: bool) -> Shape | None:
    """Return samples, heads, rows and 1, or None where nothing is wanted."""
    if not wanted:
        return None
    rows = query.shape[2] if _layout(layout).startswith("BNSD") else query.shape[1]
    return (query.shape[0], heads, rows, 1)


def like_or_nothing(tensor: Tensor, condition: Tensor | None) -> Shape:
    """Return the shape of an argument, or an empty one where another is left out."""
    return (0,) if condition is None else tensor.shape


#: What a row names -> the shape.
SHAPES: dict[str, Callable[..., Shape | None]] = {
    "attended": attended,
    "like_or_nothing": like_or_nothing,
    "row_powers_if": row_powers_if,
}
