"""Attention to points of feature maps: pixels by their bilinear weights, in float64."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16


@dataclass
class Deformable:
    """Values [b, keys, heads, c], points [b, q, heads, levels, p, 2] and their weights."""

    value: Array
    sizes: tuple[tuple[int, int], ...]
    location: Array
    weight: Array
    rounds: bool = False

    def maps(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield the number, first key, height and width of each feature map."""
        first = 0
        for level, (height, width) in enumerate(self.sizes):
            yield level, first, height, width
            first += height * width

    def _corners(self, level: int, height: int, width: int) -> Iterator[tuple[Array, ...]]:
        """Yield the pixels around all points: number, whether it is one, weight and slopes."""
        # In float32 the operator rounds places, which at a border decides the pixel.
        kind = np.float32 if self.rounds else np.float64
        point, half = self.location[:, :, :, level].astype(kind), kind(0.5)
        x = (point[..., 0] * kind(width) - half).astype(np.float64)
        y = (point[..., 1] * kind(height) - half).astype(np.float64)
        left, top = np.floor(x), np.floor(y)
        for right in (0, 1):
            for low in (0, 1):
                column, line = left + right, top + low
                there = (column >= 0) & (column < width) & (line >= 0) & (line < height)
                across = np.abs(1 - right - (x - left))
                down = np.abs(1 - low - (y - top))
                number = np.where(there, line * width + column, 0).astype(int)
                sign_x, sign_y = 2 * right - 1, 2 * low - 1
                yield number, there, across * down, sign_x * down * width, sign_y * across * height

    def _pixels(self, first: int, number: Array, there: Array) -> Array:
        b, _, heads, _ = number.shape
        pixels = self.value[
            np.arange(b)[:, None, None, None],
            first + number,
            np.arange(heads)[None, None, :, None],
        ]
        return np.asarray(pixels * there[..., None])

    def out(self) -> Array:
        """Return the weighted sum of all points, [b, q, heads, c]."""
        result = np.zeros((*self.weight.shape[:3], self.value.shape[-1]))
        for level, first, height, width in self.maps():
            for number, there, near, _, _ in self._corners(level, height, width):
                share = (self.weight[:, :, :, level] * near)[..., None]
                result += (share * self._pixels(first, number, there)).sum(-2)
        return result

    def gradients(self, grad: Array) -> tuple[Array, Array, Array]:
        """Return the gradients of values, points and weights; ``grad`` is [b, q, heads, c]."""
        by_value = np.zeros(self.value.shape)
        by_point = np.zeros(self.location.shape)
        by_weight = np.zeros(self.weight.shape)
        b, _, heads = grad.shape[:3]
        for level, first, height, width in self.maps():
            weight = self.weight[:, :, :, level]
            for number, there, near, by_x, by_y in self._corners(level, height, width):
                pixels = self._pixels(first, number, there)
                product = (pixels * grad[..., None, :]).sum(-1)
                by_weight[:, :, :, level] += near * product
                by_point[:, :, :, level, :, 0] += weight * by_x * product
                by_point[:, :, :, level, :, 1] += weight * by_y * product
                share = (weight * near * there)[..., None] * grad[..., None, :]
                sample = np.arange(b)[:, None, None, None]
                head = np.arange(heads)[None, None, :, None]
                np.add.at(by_value, (sample, first + number, head), share)
        return by_value, by_point, by_weight


def _cases(operator: str, dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)
    sizes = ((6, 5), (3, 4), (1, 2))
    keys = sum(height * width for height, width in sizes)
    for label, b, heads, channels, points, low, high in (
        ("inside", 1, 2, 8, 3, 0.4, 0.6), ("borders", 2, 3, 16, 4, -0.2, 1.2),
    ):  # fmt: skip
        # Values grow with their numbers, so that no difference of pixels is near 0.
        slope = np.arange(keys)[None, :, None, None] / 4
        value = (slope + rng.uniform(0, 0.1, (b, keys, heads, channels))).astype(kind)
        location = rng.uniform(low, high, (b, 32, heads, 3, points, 2)).astype(kind)
        weight = rng.uniform(0.5, 1, (b, 32, heads, 3, points)).astype(kind)
        index = np.int32 if label == "inside" else np.int64
        starts = np.cumsum([0, *(height * width for height, width in sizes[:-1])]).astype(index)
        inputs: list[Any] = [
            Operand(value), Operand(np.array(sizes, index)), Operand(starts), Operand(location),
            Operand(weight),
        ]  # fmt: skip
        given = [x.astype(np.float64) for x in (value, location, weight)]
        truth = Deformable(given[0], sizes, given[1], given[2], rounds=True)
        if not operator.endswith("grad"):
            yield Case(label, tuple(inputs), (truth.out().reshape(b, 32, -1),))
            continue
        grad = rng.uniform(0.5, 1, (b, 32, heads, channels)).astype(kind)
        inputs.append(Operand(grad.reshape(b, 32, -1)))
        yield Case(label, tuple(inputs), truth.gradients(grad.astype(np.float64)))


def _of(operator: str) -> Suite:
    def drawn(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if has_bfloat16():
            yield from _cases(operator, dtype, rng)

    return Suite(operator, ("float32", "float16", "bfloat16"), drawn)


SUITES = (
    _of("multi_scale_deformable_attn_function"),
    _of("multi_scale_deformable_attention_grad"),
)
