"""Shapes of systems of equations and factorisations: the last two axes are matrices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyaclnn.tensor import Tensor

Shape = tuple[int, ...]


def equations(first: Tensor, second: Tensor) -> Shape:
    """Return the shape of the matrices of the first, for the batches of both."""
    return (*np.broadcast_shapes(first.shape[:-2], second.shape[:-2]), *first.shape[-2:])


#: What a row names -> the shape.
SHAPES: dict[str, Callable[..., Shape | None]] = {"equations": equations}
