"""Strides and offsets of a sample's tensors, written as idiomatic views."""

from __future__ import annotations

import itertools
import math

from pyaclnn.port.writing.pycode import shape_text

Shape = tuple[int, ...]


def contiguous(shape: Shape) -> Shape:
    """Return row-major strides."""
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * max(shape[axis + 1], 1)
    return tuple(strides)


def is_contiguous(shape: Shape, strides: Shape | None) -> bool:
    """Return whether elements lie row-major and without gaps."""
    if strides is None or math.prod(shape) <= 1:
        return True
    expected = contiguous(shape)
    return all(n == 1 or a == b for n, a, b in zip(shape, strides, expected, strict=True))


def reach(shape: Shape, strides: Shape | None, offset: int) -> int:
    """Return how many elements of storage a view needs."""
    if 0 in shape:
        return 0
    steps = contiguous(shape) if strides is None else strides
    return offset + 1 + sum((n - 1) * s for n, s in zip(shape, steps, strict=True))


def view_source(base: str, storage: Shape, shape: Shape, strides: Shape, offset: int,
                dtype: str, made: bool = False) -> tuple[str, Shape]:  # fmt: skip
    """Return the expression of a view, and the shape its base must have.

    Parameters
    ----------
    base : str
        Name of the base tensor.
    storage : tuple of int
        Shape the sample gives the storage.
    shape, strides, offset
        Of the view, in elements.
    dtype : str
        Python source of the dtype.
    made : bool
        Whether there is a base already, which has the shape of the storage.
    """
    for candidate in [storage] if made else _bases(storage, shape, strides):
        text = _transposed(base, candidate, shape, strides, offset)
        if text is None:
            text = _sliced(base, candidate, shape, strides, offset)
        if text is None:
            text = _broadcast(base, candidate, shape, strides, offset)
        if text is not None:
            return text, candidate
    place = f", offset={offset}" if offset else ""
    general = (
        f"pa.Tensor({base}.buffer, {shape_text(shape)}, {dtype}, {shape_text(strides)}{place})"
    )
    return general, storage


def _bases(storage: Shape, shape: Shape, strides: Shape) -> list[Shape]:
    found = [storage]
    # The storage is often given as a plain number of elements: guess the shape behind it.
    order = sorted(range(len(shape)), key=lambda axis: -strides[axis])
    guess = tuple(shape[axis] for axis in order)
    if math.prod(guess) == math.prod(storage) and guess not in found:
        found.append(guess)
    return found


def _transposed(base: str, storage: Shape, shape: Shape, strides: Shape, offset: int) -> str | None:
    if offset or len(storage) != len(shape) or len(shape) > 6:
        return None
    steps = contiguous(storage)
    for axes in itertools.permutations(range(len(shape))):
        if tuple(storage[a] for a in axes) == shape and tuple(steps[a] for a in axes) == strides:
            if axes == tuple(range(len(shape))):
                return base
            if axes == tuple(reversed(range(len(shape)))):
                return f"{base}.T"
            return f"{base}.transpose({', '.join(map(str, axes))})"
    return None


def _sliced(base: str, storage: Shape, shape: Shape, strides: Shape, offset: int) -> str | None:
    if len(storage) != len(shape) or 0 in shape:
        return None
    rest = offset
    parts = []
    for extent, length, step, stride in zip(
        storage, shape, contiguous(storage), strides, strict=True
    ):
        start, rest = divmod(rest, step)
        jump, left = divmod(stride, step)
        if length == 1:
            jump, left = 1, 0
        if left or jump < 1 or start + (length - 1) * jump >= extent:
            return None
        stop = start + (length - 1) * jump + 1
        if start == 0 and jump == 1 and length == extent:
            parts.append(":")
            continue
        first = str(start) if start else ""
        last = "" if (stop + jump > extent and jump > 1) or stop == extent else str(stop)
        parts.append(f"{first}:{last}" + (f":{jump}" if jump > 1 else ""))
    if rest:
        return None
    while len(parts) > 1 and parts[-1] == ":":
        parts.pop()
    return f"{base}[{', '.join(parts)}]"


def _broadcast(base: str, storage: Shape, shape: Shape, strides: Shape, offset: int) -> str | None:
    if offset or 0 not in strides:
        return None
    kept = tuple(n for n, s in zip(shape, strides, strict=True) if s != 0)
    steps = tuple(s for s in strides if s != 0)
    if math.prod(kept) != math.prod(storage) or steps != contiguous(kept):
        return None
    ones = tuple(1 if s == 0 else n for n, s in zip(shape, strides, strict=True))
    spread = f".broadcast_to({', '.join(map(str, shape))})"
    return f"{base}.reshape({', '.join(map(str, ones))}){spread}"
