"""Shapes of distances, overlaps, determinants and signs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pyaclnn.tensor import Tensor

Shape = tuple[int, ...]


def distances(x1: Tensor, x2: Tensor) -> Shape:
    """Return the shape of the distances of each point to each of the others, in a batch."""
    batch = np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    return (*batch, *x1.shape[-2:-1], *x2.shape[-2:-1])


def pairs(rows: Tensor) -> Shape:
    """Return the shape of one number for each pair of rows."""
    count = rows.shape[0] if rows.ndim else 0
    return (count * (count - 1) // 2,)


def overlaps(boxes: Tensor, others: Tensor, aligned: bool) -> Shape:
    """Return the shape of the overlaps of each box with each, or of one with one."""
    return boxes.shape[0], 1 if aligned else others.shape[0]


def batch_of(matrices: Tensor) -> Shape:
    """Return the shape without its last two extents."""
    return matrices.shape[:-2]


def uninterleaved(grad: Tensor, repeats: Tensor, axis: int) -> Shape:
    """Return the shape with a result for each number of repeats.

    Raises
    ------
    ValueError
        For a single number, which is for all and lies on the device.
    """
    if repeats.size == 1:
        raise ValueError("repeats has one number for all, and that is on the device: pass out=")
    shape = list(grad.shape)
    shape[axis] = repeats.size
    return tuple(shape)


def sign_bytes(numbers: Tensor, rows: int) -> Shape:
    """Return the shape of the signs of numbers, eight in a byte."""
    return rows, -(-numbers.size // 8) // rows if rows > 0 else 0


def sign_numbers(packed: Tensor, rows: int) -> Shape:
    """Return the shape of numbers whose signs are eight in a byte."""
    return rows, packed.size * 8 // rows if rows > 0 else 0


def with_last_twice(tensor: Tensor) -> Shape:
    """Return the shape with its last extent once more."""
    return (*tensor.shape, *tensor.shape[-1:])


SHAPES: dict[str, Callable[..., Shape | None]] = {
    rule.__name__: rule
    for rule in (
        batch_of,
        distances,
        overlaps,
        pairs,
        sign_bytes,
        sign_numbers,
        uninterleaved,
        with_last_twice,
    )
}
