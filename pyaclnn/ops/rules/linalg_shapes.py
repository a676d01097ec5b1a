"""Shapes of products, systems of equations and factorisations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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


def outer(first: Tensor, second: Tensor) -> Shape:
    """Return the shape of an outer product."""
    return (*first.shape[:1], *second.shape[:1])


def sum_of_products(first: Tensor, second: Tensor) -> Shape:
    """Return the shape of a sum of matrix products."""
    return (*first.shape[1:2], *second.shape[2:3])


def gemm(a: Tensor, b: Tensor, transpose_a: int, transpose_b: int) -> Shape:
    """Return the shape of a product of matrices that may be transposed first."""
    left = a.shape[1:2] if transpose_a else a.shape[:1]
    return (*left, *(b.shape[:1] if transpose_b else b.shape[1:2]))


def transposed_product(
    a: Tensor, b: Tensor, order_a: Sequence[int], order_b: Sequence[int], parts: int
) -> Shape:
    """Return the shape of the products of a batch, which may be in parts."""
    batch, rows = (_extent(a, order_a, i) for i in (0, 1))
    columns = _extent(b, order_b, 2)
    return (rows, batch, columns) if parts <= 1 else (parts, rows, batch * columns // parts)


def _extent(tensor: Tensor, order: Sequence[int], place: int) -> int:
    """Return the extent of the axis at a place of an order; 1 if there is none."""
    axis = order[place] if place < len(order) else -1
    return tensor.shape[axis] if 0 <= axis < tensor.ndim else 1


def einsum(tensors: Sequence[Tensor]) -> Shape:
    """Return the shape of the results of the two equations that CANN knows."""
    first, second = tensors[0], tensors[-1]
    return second.shape[:4] if first.ndim > 1 else outer(first, second)


def last_of(first: Tensor, second: Tensor) -> Shape:
    """Return the shape of the first with the columns of the second."""
    return (*first.shape[:-1], *second.shape[-1:])


#: What a row names -> the shape.
SHAPES: dict[str, Callable[..., Shape | None]] = {
    rule.__name__: rule
    for rule in (
        einsum, equations, gemm, last_of, mode_q, mode_r, outer, some_q, some_r, sum_of_products,
        svd_left, svd_right, svd_values, transposed_product,
    )
}  # fmt: skip
