"""Shapes of what a normalisation hands to its gradient: a number for each row, group or channel."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyaclnn.tensor import Tensor

Shape = tuple[int, ...]


def _with_ones(shape: Shape, covered: int) -> Shape:
    axis = max(len(shape) - covered, 0)
    return (*shape[:axis], *(1,) * (len(shape) - axis))


def layer_statistic(x: Tensor, normalized: Sequence[int]) -> Shape:
    """Return the shape with 1 in place of the axes that are normalised."""
    return _with_ones(x.shape, len(normalized))


def row_statistic(x: Tensor, gamma: Tensor) -> Shape:
    """Return the shape with 1 in place of the axes that gamma covers."""
    return _with_ones(x.shape, gamma.ndim)


def group_statistic(x: Tensor, groups: int) -> Shape:
    """Return samples and groups."""
    return (*x.shape[:1], max(groups, 0))


def last_statistic(x: Tensor) -> Shape:
    """Return the shape with 1 in place of the last axis."""
    return _with_ones(x.shape, 1)


def plane_statistic(x: Tensor, layout: str) -> Shape:
    """Return the shape of images with 1 in place of height and width."""
    if layout.startswith("NHWC"):
        return (*x.shape[:1], 1, 1, *x.shape[3:4])
    return _with_ones(x.shape, 2)


def channels(x: Tensor) -> Shape:
    """Return the number of channels."""
    return x.shape[1:2]


def channels_if(x: Tensor, wanted: bool) -> Shape | None:
    """Return the number of channels, or None where nothing is wanted."""
    return x.shape[1:2] if wanted else None


#: What a row names -> the shape.
SHAPES: dict[str, Callable[..., Shape | None]] = {
    "channels": channels,
    "channels_if": channels_if,
    "group_statistic": group_statistic,
    "last_statistic": last_statistic,
    "layer_statistic": layer_statistic,
    "plane_statistic": plane_statistic,
    "row_statistic": row_statistic,
}
