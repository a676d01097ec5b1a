"""Shapes of gradients that a mask asks for: by the input, by weights, by what is added."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyaclnn.ops.rules.statistics import channels
from pyaclnn.tensor import Tensor

Shape = tuple[int, ...]


def _like(tensor: Tensor) -> Shape:
    """Return the shape of an argument."""
    return tensor.shape


def _layer_weight(weight: Tensor | None, normalized: Sequence[int]) -> Shape:
    """Return the shape of the weights, or that of what is normalised."""
    return tuple(int(n) for n in normalized) if weight is None else weight.shape


def _group_weight(gamma: Tensor | None, count: int) -> Shape:
    """Return the shape of the weights, or a number for each channel."""
    return (int(count),) if gamma is None else gamma.shape


def _wanted(place: int, shape: Callable[..., Shape]) -> Callable[..., Shape | None]:
    """Make the rule of an output that the mask before the arguments asks for at a place."""

    def rule(mask: Sequence[bool] | None, *arguments: object) -> Shape | None:
        flags = mask or ()
        return shape(*arguments) if place < len(flags) and flags[place] else None

    return rule


#: What a row names -> the shape.
SHAPES: dict[str, Callable[..., Shape | None]] = {
    "wanted_first": _wanted(0, _like),
    "wanted_second": _wanted(1, _like),
    "wanted_scales": _wanted(1, channels),
    "wanted_channels": _wanted(2, channels),
    "wanted_group_weight": _wanted(1, _group_weight),
    "wanted_group_bias": _wanted(2, _group_weight),
    "wanted_layer_weight": _wanted(1, _layer_weight),
    "wanted_layer_bias": _wanted(2, _layer_weight),
}
