"""Shapes of systems of equations and factorisations: the last two axes are matrices."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyaclnn.tensor import Tensor

Shape = tuple[int, ...]


def equations(first: Tensor, second: Tensor) -> Shape:
    """Return the shape of the matrices of the first, for the batches of both."""
    return (*np.broadcast_shapes(first.shape[:-2], second.shape[:-2]), *first.shape[-2:])


def _split(matrix: Tensor) -> tuple[Shape, int, int]:
    """Return the batch, rows and columns; of fewer than two axes, which CANN refuses, any."""
    shape = (1,) * (2 - matrix.ndim) + matrix.shape
    return shape[:-2], shape[-2], shape[-1]


def some_q(matrix: Tensor, some: bool) -> Shape:
    """Return the shape of Q, square unless only some columns are wanted."""
    batch, rows, columns = _split(matrix)
    return (*batch, rows, min(rows, columns) if some else rows)


def some_r(matrix: Tensor, some: bool) -> Shape:
    """Return the shape of R, as many rows as Q has columns."""
    batch, rows, columns = _split(matrix)
    return (*batch, min(rows, columns) if some else rows, columns)


def mode_q(matrix: Tensor, mode: int) -> Shape:
    """Return the shape of Q: reduced, complete, or empty."""
    return (0,) if mode == 2 else some_q(matrix, mode != 1)


def mode_r(matrix: Tensor, mode: int) -> Shape:
    """Return the shape of R."""
    return some_r(matrix, mode != 1)


def svd_values(matrix: Tensor) -> Shape:
    """Return the shape of the singular values."""
    batch, rows, columns = _split(matrix)
    return (*batch, min(rows, columns))


def svd_left(matrix: Tensor, full: bool) -> Shape:
    """Return the shape of the left singular vectors."""
    return some_q(matrix, not full)


def svd_right(matrix: Tensor, full: bool) -> Shape:
    """Return the shape of the right singular vectors."""
    batch, rows, columns = _split(matrix)
    return (*batch, columns, columns if full else min(rows, columns))


#: What a row names -> the shape.
SHAPES: dict[str, Callable[..., Shape | None]] = {
    rule.__name__: rule
    for rule in (
        equations, mode_q, mode_r, some_q, some_r, svd_left, svd_right, svd_values,
    )
}  # fmt: skip
