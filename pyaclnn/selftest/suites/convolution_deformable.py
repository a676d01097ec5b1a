"""Convolutions at points that are moved, by the hat function of every pixel, in float64."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import NEWEST, has_bfloat16, is_950
from pyaclnn.selftest.suites.convolution_forward import convolution


@dataclass(frozen=True)
class Moved:
    """An image, where its points are moved to, and how a kernel goes over it.

    Attributes
    ----------
    x : ndarray
        (n, c, h, w).
    offset : ndarray
        (n, 3, parts, taps, height, width): of x, of y, and what the point's value is multiplied by.
    taps, stride, padding, dilation : tuple of int
        Of y and x; padding at the top, bottom, left and right.
    """

    x: Array
    offset: Array
    taps: tuple[int, int]
    stride: tuple[int, int]
    padding: tuple[int, int, int, int]
    dilation: tuple[int, int]

    def places(self, axis: int) -> Array:
        """Return where the points lie, y for axis 0: (n, parts, taps, height, width)."""
        number = np.arange(self.taps[0] * self.taps[1])
        tap = (number // self.taps[1], number % self.taps[1])[axis] * self.dilation[axis]
        size = self.offset.shape[4 + axis]
        grid = np.arange(size) * self.stride[axis] - self.padding[2 * axis]
        grid = grid[:, None] if axis == 0 else grid[None, :]
        return np.asarray(self.offset[:, 1 - axis] + tap[:, None, None] + grid)

    def hats(self, axis: int) -> tuple[Array, Array]:
        """Return the weight of each line of pixels at each point, and its slope."""
        away = self.places(axis)[..., None] - np.arange(self.x.shape[2 + axis])
        near = np.abs(away) < 1
        return near * (1 - np.abs(away)), -np.sign(away) * near

    def values(self, by_y: Array, by_x: Array) -> Array:
        """Return the sums of pixels with these weights: (n, c, taps, height, width)."""
        n, c, height, width = self.x.shape
        parts = self.offset.shape[2]
        image = self.x.reshape(n, parts, c // parts, height, width)
        sums = np.einsum("ngthwy,ngthwx,ngcyx->ngcthw", by_y, by_x, image, optimize=True)
        return np.asarray(sums.reshape(n, c, *sums.shape[3:]))

    def mask(self) -> Array:
        """Return the factors as those of each channel."""
        return np.repeat(self.offset[:, 2], self.x.shape[1] // self.offset.shape[2], axis=1)

    def sampled(self) -> Array:
        """Return the points' values, the taps of a position beside one another."""
        return self.spread(self.values(self.hats(0)[0], self.hats(1)[0]) * self.mask())

    def spread(self, values: Array) -> Array:
        """Return (n, c, height * taps, width * taps) of (n, c, taps, height, width)."""
        n, c, _, height, width = values.shape
        split = values.reshape(n, c, *self.taps, height, width).transpose(0, 1, 4, 2, 5, 3)
        return np.asarray(split.reshape(n, c, height * self.taps[0], width * self.taps[1]))

    def gathered(self, values: Array) -> Array:
        """Undo :meth:`spread`."""
        n, c, height, width = values.shape
        a, b = self.taps
        split = values.reshape(n, c, height // a, a, width // b, b).transpose(0, 1, 3, 5, 2, 4)
        return np.asarray(split.reshape(n, c, a * b, height // a, width // b))

    def out(self, weight: Array, bias: Array | None, groups: int) -> Array:
        """Return the convolution."""
        return convolution(self.sampled(), weight, bias, self.taps, (0, 0), (1, 1), groups)

    def gradients(self, grad: Array, weight: Array, groups: int) -> tuple[Array, ...]:
        """Return those by image, weight, offset and bias; none of the places is a whole number."""
        n, c = self.x.shape[:2]
        o, parts = weight.shape[0], self.offset.shape[2]
        by_result = grad.reshape(n, groups, o // groups, *grad.shape[2:])
        kernel = weight.reshape(groups, o // groups, c // groups, -1)
        seen = self.gathered(self.sampled()).reshape(n, groups, c // groups, -1, *grad.shape[2:])
        by_weight = np.einsum("nkohw,nkcthw->koct", by_result, seen).reshape(weight.shape)
        by_value = np.einsum("nkohw,koct->nkcthw", by_result, kernel).reshape(
            n, c, -1, *grad.shape[2:]
        )
        y, slope_y = self.hats(0)
        x, slope_x = self.hats(1)
        masked = (by_value * self.mask()).reshape(n, parts, c // parts, *by_value.shape[2:])
        by_image = np.einsum("ngcthw,ngthwy,ngthwx->ngcyx", masked, y, x, optimize=True)

        def by_part(values: Array) -> Array:
            product = by_value * values
            return np.asarray(product.reshape(masked.shape).sum(2))

        by_offset = np.stack((
            by_part(self.values(y, slope_x) * self.mask()),
            by_part(self.values(slope_y, x) * self.mask()), by_part(self.values(y, x)),
        ), axis=1)  # fmt: skip
        return by_image.reshape(self.x.shape), by_weight, by_offset, grad.sum((0, 2, 3))


#: Label, samples, channels, results, image, taps, stride, padding, dilation, groups, parts.
GEOMETRIES = (
    ("plain", 1, 4, 3, (5, 6), (3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1, 1),
    ("groups", 2, 6, 4, (6, 5), (2, 3), (2, 1), (1, 0, 2, 1), (1, 2), 2, 3),
    ("one tap", 2, 2, 2, (3, 4), (1, 1), (1, 2), (0, 0, 0, 0), (1, 1), 2, 1),
    ("wide", 1, 17, 33, (7, 19), (3, 1), (1, 1), (3, 2, 0, 0), (2, 1), 1, 17),
)


def _cases(dtype: str, rng: np.random.Generator, backward: bool) -> Iterator[Case]:
    kind = numpy_dtype(dtype)
    for label, n, c, o, image, taps, stride, padding, dilation, groups, parts in GEOMETRIES:
        size = [
            (image[i] + padding[2 * i] + padding[2 * i + 1] - (taps[i] - 1) * dilation[i] - 1)
            // stride[i] + 1
            for i in range(2)
        ]  # fmt: skip
        area = taps[0] * taps[1]
        # Halves and quarters off the pixels, so that no sum of a place is rounded, nor at a kink.
        moved = rng.integers(-6, 7, (n, 2, parts, area, *size)) / 2 + 0.25
        factors = rng.uniform(0.5, 1, (n, 1, parts, area, *size))
        offset = np.concatenate((moved, factors), axis=1).astype(kind)
        # Pixels grow with their numbers: no difference of neighbours is near 0.
        slope = np.arange(image[0])[:, None] / 4 + np.arange(image[1]) / 2
        x = (1 + slope + rng.uniform(0, 0.1, (n, c, *image))).astype(kind)
        weight = rng.uniform(0.5, 1, (o, c // groups, *taps)).astype(kind)
        truth = Moved(x.astype(float), offset.astype(float), taps, stride, padding, dilation)
        flat = offset.reshape(n, 3 * parts * area, *size)
        numbers = (taps, (1, 1, *stride), padding, (1, 1, *dilation), groups, parts, True)
        if not backward:
            bias = None if label == "wide" else rng.uniform(1, 2, o).astype(kind)
            out = truth.out(
                weight.astype(float), None if bias is None else bias.astype(float), groups
            )
            given = (
                Operand(x),
                Operand(weight),
                Operand(flat),
                None if bias is None else Operand(bias),
            )
            yield Case(label, (*given, *numbers), (out, truth.sampled()))
            continue
        grad = rng.uniform(0.5, 1, (n, o, *size)).astype(kind)
        # As a training step: the points' values are those that the forward pass rounded.
        seen = truth.sampled().astype(kind)
        by_image, by_weight, by_offset, by_bias = truth.gradients(
            grad.astype(float), weight.astype(float), groups
        )
        yield Case(
            label,
            (*(Operand(a) for a in (x, grad, seen, weight, flat)), *numbers),
            (by_image, by_weight, by_offset.reshape(flat.shape), by_bias),
        )


def _forward(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if has_bfloat16():
        yield from _cases(dtype, rng, backward=False)


def _backward(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if is_950():
        yield from _cases(dtype, rng, backward=True)


_DTYPES = ("float32", "float16", "bfloat16")
SUITES = (
    Suite("deformable_conv2d", _DTYPES, _forward),
    Suite("deformable_conv2d_backward", _DTYPES, _backward, chip=NEWEST),
)
