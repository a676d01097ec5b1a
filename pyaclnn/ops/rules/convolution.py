"""Convolutions: gradients that a mask asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyaclnn.tensor import Tensor


def _wanted(place: int, axes: slice = slice(None)) -> Callable[..., tuple[int, ...] | None]:
    """Make the rule of an output that a mask asks for: the extents of a tensor's axes."""

    def shape(mask: Sequence[bool] | None, tensor: Tensor) -> tuple[int, ...] | None:
        flags = mask or ()
        return tensor.shape[axes] if place < len(flags) and flags[place] else None

    return shape


SHAPES: dict[str, Callable[..., tuple[int, ...] | None]] = {
    "wanted_first": _wanted(0),
    "wanted_second": _wanted(1),
    "wanted_channels": _wanted(2, slice(1, 2)),
}
