"""Padding with a tensor's own elements: gradients sum over all the places of an element."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, layout_pairs, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16

#: NumPy's names of the modes.
Mode = Literal["reflect", "edge", "wrap"]

#: Padding is given innermost axis first, before and after.
Example = tuple[tuple[int, ...], tuple[int, ...]]

FLOATS = ("float32", "float16", "bfloat16")

EXAMPLES: dict[int, tuple[Example, ...]] = {
    1: (
        ((3, 8), (2, 3)), ((2, 3, 8), (2, 3)), ((2, 3, 8), (0, 0)), ((2, 3, 8), (7, 0)),
        ((2, 3, 8), (0, 7)), ((2, 3, 8), (7, 7)), ((1, 1), (0, 0)), ((1, 1, 1), (0, 0)),
        ((1, 1, 2), (1, 1)), ((4, 5, 9), (1, 1)), ((1, 70, 6), (3, 2)), ((3, 2, 1000), (40, 70)),
        ((2, 2, 4097), (1, 3)), ((2, 300, 17), (8, 8)), ((5, 33), (16, 1)),
    ),
    2: (
        ((3, 6, 8), (2, 3, 1, 4)), ((2, 3, 6, 8), (2, 3, 1, 4)), ((2, 3, 6, 8), (0, 0, 0, 0)),
        ((2, 3, 6, 8), (7, 7, 5, 5)), ((2, 3, 6, 8), (3, 0, 0, 2)), ((2, 3, 6, 8), (0, 3, 2, 0)),
        ((1, 1, 1, 1), (0, 0, 0, 0)), ((1, 1, 2, 2), (1, 1, 1, 1)), ((4, 2, 9, 3), (1, 2, 6, 0)),
        ((1, 70, 5, 6), (3, 2, 4, 1)), ((2, 2, 40, 3), (2, 2, 7, 7)), ((2, 2, 3, 40), (7, 7, 2, 2)),
        ((2, 3, 33, 65), (5, 6, 7, 1)), ((3, 16, 15), (1, 1, 1, 1)), ((1, 4, 3, 30), (20, 9, 0, 0)),
    ),
    3: (
        ((3, 4, 6, 8), (2, 3, 1, 4, 2, 3)), ((2, 3, 4, 6, 8), (2, 3, 1, 4, 2, 3)),
        ((2, 3, 4, 6, 8), (0, 0, 0, 0, 0, 0)), ((2, 3, 4, 6, 8), (7, 7, 5, 5, 3, 3)),
        ((2, 3, 4, 6, 8), (3, 0, 0, 2, 1, 0)), ((2, 3, 4, 6, 8), (0, 3, 2, 0, 0, 1)),
        ((1, 1, 1, 1, 1), (0, 0, 0, 0, 0, 0)), ((1, 1, 2, 2, 2), (1, 1, 1, 1, 1, 1)),
        ((4, 2, 5, 9, 3), (1, 2, 6, 0, 4, 1)), ((1, 40, 3, 5, 6), (3, 2, 4, 1, 2, 2)),
        ((2, 2, 2, 20, 3), (2, 2, 9, 11, 1, 0)), ((2, 1, 12, 3, 30), (11, 9, 2, 2, 8, 3)),
        ((2, 2, 7, 17, 16), (4, 5, 6, 1, 0, 3)), ((3, 3, 6, 5), (1, 1, 1, 1, 1, 1)),
    ),
}  # fmt: skip


def source_places(extent: int, before: int, after: int, mode: Mode) -> Array:
    """Return the element that each place of a padded axis holds, by NumPy's own padding."""
    return np.asarray(np.pad(np.arange(extent), (before, after), mode=mode))


def pad(x: Array, padding: Sequence[int], mode: Mode) -> Array:
    """Pad the last axes (torch.nn.functional.pad)."""
    for i in range(len(padding) // 2):
        places = source_places(x.shape[-1 - i], padding[2 * i], padding[2 * i + 1], mode)
        x = np.take(x, places, axis=-1 - i)
    return x


def pad_backward(grad: Array, shape: tuple[int, ...], padding: Sequence[int], mode: Mode) -> Array:
    """Return the sums of ``grad`` over the places of each element."""
    for i in range(len(padding) // 2):
        axis = grad.ndim - 1 - i
        places = source_places(shape[axis], padding[2 * i], padding[2 * i + 1], mode)
        summed = np.zeros((shape[axis], *np.delete(grad.shape, axis)), grad.dtype)
        np.add.at(summed, places, np.moveaxis(grad, axis, 0))
        grad = np.moveaxis(summed, 0, axis)
    return grad


def _gradients(shape: tuple[int, ...], dtype: str, rng: np.random.Generator, axes: int) -> Array:
    """Return values of one sign in each plane, so that nothing cancels."""
    signs = rng.choice([-1.0, 1.0], (*shape[:-axes], *(1,) * axes))
    values = rng.uniform(0.25, 2.0, shape) * signs
    kind = numpy_dtype(dtype)
    if kind.kind == "c":
        return np.asarray(values + 1j * rng.uniform(0.25, 2.0, shape)).astype(kind)
    return np.asarray(values).astype(kind)


def _takes(dtype: str, padding: Sequence[int], axes: int, mode: Mode) -> bool:
    """Whether CANN has a kernel: bfloat16 images need little padding, or none of the height."""
    if dtype != "bfloat16" or axes != 2 or mode == "wrap":
        return True
    return max(padding) <= 7 or padding[2:] == (0, 0)


def _cases(dtype: str, rng: np.random.Generator, *, axes: int, mode: Mode) -> Iterator[Case]:
    wide = np.complex128 if numpy_dtype(dtype).kind == "c" else np.float64

    def case(
        label: str, shape: tuple[int, ...], padding: tuple[int, ...], grad: Array | None = None,
        layouts: tuple[str, str] = ("contiguous", "contiguous"), out: tuple[str, ...] = (),
    ) -> Case:  # fmt: skip
        x = np.ones(shape, dtype=numpy_dtype(dtype))
        padded = pad(np.zeros(shape), padding, mode).shape
        grad = _gradients(padded, dtype, rng, axes) if grad is None else grad
        golden = pad_backward(grad.astype(wide), shape, padding, mode)
        inputs = (Operand(grad, layouts[0]), Operand(x, layouts[1]), padding)
        return Case(label, inputs, (golden,), out)

    if mode == "wrap" and not has_bfloat16():
        return
    for shape, padding in EXAMPLES[axes]:
        if _takes(dtype, padding, axes, mode):
            yield case(f"{shape} {padding}", shape, padding)
    if mode == "edge":
        padding = (9, 12, 0, 0, 0, 0)[: 2 * axes]
        yield case("longer than the axis", (2, 3, 1, 5, 6)[: axes + 2], padding)
    shape, padding = EXAMPLES[axes][1]
    for first, second, out in layout_pairs():
        yield case(f"{first} × {second} → {out}", shape, padding, None, (first, second), (out,))
    padded = pad(np.zeros(shape), padding, mode).shape
    for special in (np.nan, np.inf, -np.inf, 0.0):
        grad = _gradients(padded, dtype, rng, axes)
        grad[(0,) * grad.ndim] = special
        yield case(f"{special} in the padding", shape, padding, grad)
    row = np.broadcast_to(_gradients((1, *padded[1:]), dtype, rng, axes), padded)
    yield case("expanded", shape, padding, np.array(row), ("expanded", "expanded"))
    yield case("empty batch", (0, *shape[1:]), padding)


def _suite(name: str, axes: int, mode: Mode, dtypes: tuple[str, ...]) -> Suite:
    cases: Callable[[str, np.random.Generator], Iterator[Case]]
    cases = partial(_cases, axes=axes, mode=mode)
    return Suite(f"{name}_pad{axes}d_backward", dtypes, cases)


_ALL = (*FLOATS, "float64", "complex64", "complex128")

SUITES = (
    *(_suite("reflection", axes, "reflect", _ALL) for axes in (1, 2, 3)),
    *(_suite("replication", axes, "edge", _ALL) for axes in (1, 2, 3)),
    *(_suite("circular", axes, "wrap", FLOATS) for axes in (2, 3)),
)
