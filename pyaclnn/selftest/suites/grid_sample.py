"""Sampling at grid points: gradients by the input and by the grid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import release
from pyaclnn.selftest.layouts import LAYOUTS

DTYPES = ("float32", "float16", "bfloat16", "float64")

BILINEAR, NEAREST, BICUBIC = 0, 1, 2
ZEROS, BORDER, REFLECTION = 0, 1, 2

#: Shape of the input, and extents of the grid.
SAMPLES_2D: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((2, 3, 5, 6), (4, 7)), ((1, 1, 1, 1), (1, 1)), ((1, 2, 1, 5), (3, 3)), ((3, 1, 5, 1), (2, 9)),
    ((1, 4, 16, 17), (33, 20)), ((2, 9, 8, 8), (8, 8)), ((1, 65, 4, 3), (5, 5)),
    ((1, 2, 40, 30), (70, 90)),
)  # fmt: skip
SAMPLES_3D: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = (
    ((2, 3, 3, 5, 6), (2, 4, 7)), ((1, 1, 1, 1, 1), (1, 1, 1)), ((1, 2, 2, 1, 5), (3, 3, 2)),
    ((3, 1, 4, 5, 1), (2, 2, 9)), ((1, 4, 6, 8, 7), (9, 11, 6)), ((1, 65, 2, 4, 3), (2, 5, 5)),
    ((1, 2, 9, 12, 13), (14, 15, 16)),
)  # fmt: skip


def places_of(
    grid: Array, extents: tuple[int, ...], padding: int, align: bool
) -> tuple[Array, Array]:
    """Return coordinates in elements, innermost axis first, and their derivatives by the grid."""
    extent = np.array(extents[::-1], dtype=np.float64)
    span = extent - 1 if align else extent
    low = np.zeros_like(extent) if align else np.full_like(extent, -0.5)
    place = (grid + 1) / 2 * span + low
    slope = np.broadcast_to(span / 2, grid.shape).copy()
    if padding == REFLECTION:
        safe = np.where(span > 0, span, 1.0)
        phase = np.mod(place - low, 2 * safe)
        slope = np.where(phase >= safe, -slope, slope)
        place = np.where(span > 0, low + np.where(phase >= safe, 2 * safe - phase, phase), 0.0)
    if padding != ZEROS:
        slope = np.where((place <= 0) | (place >= extent - 1), 0.0, slope)
        place = np.clip(place, 0, extent - 1)
    return place, slope


def grid_sampler_backward(
    grad: Array, values: Array, grid: Array, mode: int, padding: int, align: bool
) -> tuple[Array, Array]:
    """Gradients by input and grid (torch.nn.functional.grid_sample)."""
    extents = values.shape[2:]
    axes = len(extents)
    place, slope = places_of(grid, extents, padding, align)
    input_grad, grid_grad = np.zeros_like(values), np.zeros_like(grid)
    low = np.rint(place) if mode == NEAREST else np.floor(place)
    above = place - low
    corners = [(0,) * axes] if mode == NEAREST else list(product((0, 1), repeat=axes))
    batch = np.arange(values.shape[0]).reshape(-1, *(1,) * axes)
    for corner in corners:
        at = (low + corner).astype(int)
        inside = np.all((at >= 0) & (at < np.array(extents[::-1])), axis=-1)
        # The batch, and each axis from the outermost on; channels are last.
        index = (batch, *(np.where(inside, at[..., axes - 1 - i], 0) for i in range(axes)))
        ends = np.where(np.array(corner) == 1, above, 1 - above)
        weight = inside * (1.0 if mode == NEAREST else ends.prod(axis=-1))
        channels_last = np.moveaxis(input_grad, 1, -1)
        gradients = np.moveaxis(grad, 1, -1)
        np.add.at(channels_last, index, weight[..., None] * gradients)
        if mode == NEAREST:
            continue
        sampled = np.moveaxis(values, 1, -1)[index]
        product_sum = np.where(inside, (sampled * gradients).sum(axis=-1), 0.0)
        for axis in range(axes):
            others = np.delete(ends, axis, axis=-1).prod(axis=-1)
            sign = 1.0 if corner[axis] else -1.0
            grid_grad[..., axis] += sign * others * slope[..., axis] * product_sum
    return input_grad, grid_grad


def cubic_weights(above: Array) -> tuple[Array, Array]:
    """Return the weights of four elements around places that lie so far above the second one.

    They are Keys' cubic convolution with A = -3/4. The second result is their derivatives by the
    place; both have the elements in a further axis.
    """
    signed = above[..., None] - np.arange(-1, 3)
    x = np.abs(signed)
    near, far = 1.25 * x**3 - 2.25 * x**2 + 1, -0.75 * (x**3 - 5 * x**2 + 8 * x - 4)
    slope = np.where(x <= 1, 3.75 * x**2 - 4.5 * x, -0.75 * (3 * x**2 - 10 * x + 8))
    return np.where(x <= 1, near, far), np.sign(signed) * slope


def cubic_backward(
    grad: Array, values: Array, grid: Array, padding: int, align: bool
) -> tuple[Array, Array]:
    """Gradients of torch.nn.functional.grid_sample(mode="bicubic") by images and grid."""
    extents = np.array(values.shape[:1:-1])
    spans = extents - 1 if align else extents
    place = ((grid + 1) * spans - (0 if align else 1)) / 2
    low = np.floor(place)
    weight, slope = cubic_weights(place - low)
    margin = int(extents.max()) * 2 + 4
    at = low[..., None].astype(int) + np.arange(-1, 3) + margin

    def elements(axis: int) -> Array:
        own = np.arange(extents[axis])
        if padding == ZEROS:
            padded = np.pad(own, margin, mode="constant", constant_values=-1)
        elif padding == BORDER:
            padded = np.pad(own, margin, mode="edge")
        else:
            padded = np.pad(own, margin, mode="reflect" if align else "symmetric")
        return np.asarray(padded[at[..., axis, :]])

    x, y = elements(0)[..., None, :], elements(1)[..., :, None]
    inside = (x >= 0) & (y >= 0)
    index = (np.arange(len(values)).reshape(-1, 1, 1, 1, 1), np.maximum(y, 0), np.maximum(x, 0))
    gradients = np.moveaxis(grad, 1, -1)[..., None, None, :]
    by_x, by_y = (
        weight[..., 1, :, None] * slope[..., 0, None, :],
        slope[..., 1, :, None] * weight[..., 0, None, :],
    )
    both = inside * weight[..., 1, :, None] * weight[..., 0, None, :]
    input_grad = np.zeros_like(values)
    np.add.at(np.moveaxis(input_grad, 1, -1), index, both[..., None] * gradients)
    seen = inside * (np.moveaxis(values, 1, -1)[index] * gradients).sum(-1)
    sums = [(seen * w).sum((-2, -1)) for w in (by_x, by_y)]
    return input_grad, np.stack(sums, -1) * spans / 2


def _ramp(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Return values that grow along every axis: the grid's gradients then cancel nothing."""
    values = rng.uniform(1.0, 1.2, shape)
    for axis in range(2, len(shape)):
        steps = np.arange(shape[axis], dtype=np.float64)
        values = values + 0.5 * steps.reshape(-1, *(1,) * (len(shape) - 1 - axis))
    return np.asarray(values)


def _points(
    shape: tuple[int, ...], size: tuple[int, ...], align: bool, rng: np.random.Generator
) -> Array:
    """Return a grid whose points keep away from elements and from the middles between them.

    Both are kinks, of one mode or of the other; every sixth point or so is outside.
    """
    extents = np.array(shape[:1:-1], dtype=np.float64)
    whole = np.floor(rng.uniform(-1.4, extents + 0.4, (shape[0], *size, len(extents))))
    part = rng.uniform(0.15, 0.35, whole.shape) + 0.5 * rng.integers(0, 2, whole.shape)
    place = whole + part
    span = np.maximum(extents - 1, 1) if align else extents
    return np.asarray((2 * place + (0 if align else 1)) / span - 1)


def _cases(dtype: str, rng: np.random.Generator, axes: int) -> Iterator[Case]:
    kind = numpy_dtype(dtype)

    def case(
        label: str, shape: tuple[int, ...], size: tuple[int, ...], mode: int, padding: int,
        align: bool, mask: tuple[bool, bool] = (True, True), layout: str = "contiguous",
        which: int = -1, out: tuple[str, ...] = (),
    ) -> Case:  # fmt: skip
        operands = [
            rng.uniform(0.5, 1.5, (*shape[:2], *size)).astype(kind),
            _ramp(shape, rng).astype(kind),
            _points(shape, size, align, rng).astype(kind),
        ]
        exact = [operand.astype(np.float64) for operand in operands]
        golden = grid_sampler_backward(exact[0], exact[1], exact[2], mode, padding, align)
        layouts = [layout if which in (-1, i) else "contiguous" for i in range(3)]
        tensors = [Operand(o, at) for o, at in zip(operands, layouts, strict=True)]
        # Both results are passed even where one is masked, which is then left alone.
        expected = tuple(g if wanted else None for g, wanted in zip(golden, mask, strict=True))
        return Case(label, (*tensors, mode, padding, align, mask), expected, out)

    samples = SAMPLES_2D if axes == 2 else SAMPLES_3D
    for mode, padding, align in product((BILINEAR, NEAREST), range(3), (False, True)):
        for shape, size in samples:
            if kind.itemsize == 2 and max(shape[2:]) > 20:
                continue  # half a grid coordinate's spacing is a good part of an element
            label = f"{shape} at {size} mode {mode} padding {padding} align {align}"
            yield case(label, shape, size, mode, padding, align)
    shape, size = samples[0]
    for layout in LAYOUTS[1:]:
        for which in range(3):
            label = f"{layout} operand {which}"
            yield case(label, shape, size, 0, 0, False, layout=layout, which=which)
        yield case(f"{layout} results", shape, size, 0, 1, True, out=(layout, layout))
    yield case("only the input's", shape, size, 0, 0, False, (True, False))
    yield case("only the grid's", shape, size, 0, 0, False, (False, True))
    yield case("empty batch", (0, *shape[1:]), size, 0, 0, False)


#: Extents with which eighths fall on quarters of elements: for corners that are not aligned, and
#: for those that are.
_CUBIC_SAMPLES: tuple[tuple[tuple[tuple[int, ...], tuple[int, int]], ...], ...] = (
    (((2, 3, 4, 8), (4, 7)), ((1, 2, 1, 4), (3, 3)), ((1, 70, 8, 16), (20, 16))),
    (((2, 3, 5, 9), (4, 7)), ((3, 1, 1, 3), (3, 3)), ((1, 70, 9, 17), (20, 16))),
)  # fmt: skip


def _cubic_cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    """Take numbers of which float32 holds all sums, for gradients by the grid cancel."""
    kind = numpy_dtype(dtype)
    for align, padding in product((False, True), range(3)):
        for number, (shape, size) in enumerate(_CUBIC_SAMPLES[align]):
            grad = rng.integers(1, 3, (*shape[:2], *size)).astype(kind)
            values = rng.integers(-2, 3, shape).astype(kind)
            grid = (rng.integers(-11, 12, (shape[0], *size, 2)) / 8).astype(kind)
            exact = [x.astype(np.float64) for x in (grad, values, grid)]
            layout = LAYOUTS[number % len(LAYOUTS)]
            tensors = [Operand(x, layout) for x in (grad, values, grid)]
            yield Case(f"{shape} at {size} cubic padding {padding} align {align}",
                       (*tensors, BICUBIC, padding, align, (True, True)),
                       cubic_backward(exact[0], exact[1], exact[2], padding, align))  # fmt: skip


def _image_cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    yield from _cases(dtype, rng, 2)
    if release() >= (9, 1):
        yield from _cubic_cases(dtype, rng)


SUITES = (
    Suite("grid_sampler2d_backward", DTYPES, _image_cases),
    Suite("grid_sampler3d_backward", DTYPES, lambda d, r: _cases(d, r, 3)),
)
