"""Convolutions in one to three dimensions, plain and transposed, grouped and dilated."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import (
    Array,
    Case,
    Operand,
    Suite,
    in_views,
    layout_pairs,
    numpy_dtype,
)
from pyaclnn.selftest.chips import has_bfloat16

Axes = tuple[int, ...]

_DTYPES = ("float32", "float16", "bfloat16")
_ALL = (True, True, True)
MASKS = tuple((bool(i & 1), bool(i & 2), bool(i & 4)) for i in range(1, 8))


def convolution_backward(
    grad: Array, x: Array, weight: Array, stride: Axes, padding: Axes, dilation: Axes,
    transposed: bool, groups: int,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Gradients of torch.nn.functional.conv{1,2,3}d and conv_transpose{1,2,3}d.

    A transposed convolution is the gradient of a plain one by its input; so what is the image of
    the one is the result of the other. Each tap of the weight is one product of matrices.
    """
    image, positions = (grad, x) if transposed else (x, grad)
    grad_image = np.zeros_like(image)
    grad_positions = np.zeros_like(positions)
    grad_weight = np.zeros_like(weight)
    n = image.shape[0]
    ci, co = weight.shape[1], weight.shape[0] // groups
    taps = weight.shape[2:]
    # The image with its padding, long enough for the last position's last tap.
    reach = [
        max(p + i, (o - 1) * s + (k - 1) * d + 1)
        for p, i, o, s, k, d in zip(
            padding, image.shape[2:], positions.shape[2:], stride, taps, dilation, strict=True
        )
    ]
    padded = np.zeros((n, groups, ci, *reach))
    inner: tuple[Any, ...] = tuple(
        slice(p, p + i) for p, i in zip(padding, image.shape[2:], strict=True)
    )
    inner = (..., *inner)
    padded[inner] = image.reshape(n, groups, ci, *image.shape[2:])
    grad_padded = np.zeros_like(padded)
    y = positions.reshape(n, groups, co, -1)
    w = weight.reshape(groups, co, ci, *taps)
    for tap in product(*(range(k) for k in taps)):
        window: tuple[Any, ...] = tuple(
            slice(k * d, k * d + (o - 1) * s + 1, s)
            for k, d, o, s in zip(tap, dilation, positions.shape[2:], stride, strict=True)
        )
        window = (..., *window)
        seen = padded[window]
        columns = seen.reshape(n, groups, ci, -1)
        at: tuple[Any, ...] = (..., *tap)
        grad_weight.reshape(w.shape)[at] = np.einsum("ngop,ngip->goi", y, columns)
        grad_padded[window] += np.einsum("ngop,goi->ngip", y, w[at]).reshape(seen.shape)
        grad_positions += np.einsum("ngip,goi->ngop", columns, w[at]).reshape(positions.shape)
    grad_image += grad_padded[inner].reshape(image.shape)
    bias = grad.sum(axis=(0, *range(2, grad.ndim)))
    return (grad_positions if transposed else grad_image), grad_weight, bias


def conv_tbc_backward(grad: Array, x: Array, weight: Array, pad: int) -> tuple[Array, Array, Array]:
    """Gradients of torch.conv_tbc."""
    times, length = grad.shape[0], x.shape[0]
    padded = np.zeros((max(length + pad, times + weight.shape[0] - 1), *x.shape[1:]))
    padded[pad : pad + length] = x
    grad_padded = np.zeros_like(padded)
    grad_weight = np.zeros_like(weight)
    for k in range(weight.shape[0]):
        grad_weight[k] = np.einsum("tbi,tbo->io", padded[k : k + times], grad)
        grad_padded[k : k + times] += grad @ weight[k].T
    return grad_padded[pad : pad + length], grad_weight, grad.sum(axis=(0, 1))


def cube_math_type(dtype: str) -> int:
    """Return the most precise type of computation that the chip has; old ones lack float32."""
    return 1 if dtype == "float32" and not has_bfloat16() else 0


def exact_values(shape: Axes, dtype: str, rng: np.random.Generator) -> Array:
    """Return multiples of 1/8: every type of computation holds them and sums their products."""
    return np.asarray(rng.integers(-16, 17, shape) / 8).astype(numpy_dtype(dtype))


def uneven_values(shape: Axes, dtype: str, rng: np.random.Generator) -> Array:
    """Return values of full length and of one sign, whose sums do not cancel."""
    return np.asarray(rng.uniform(0.5, 2.0, shape)).astype(numpy_dtype(dtype))


#: samples, groups, input and output channels of a group, image, taps, stride, padding, dilation
PLAIN: tuple[tuple[int, int, int, int, Axes, Axes, Axes, Axes, Axes], ...] = (
    (1, 1, 1, 1, (1,), (1,), (1,), (0,), (1,)),
    (2, 1, 3, 4, (9,), (3,), (1,), (1,), (1,)),
    (2, 3, 2, 5, (17,), (4,), (3,), (2,), (2,)),
    (1, 1, 2, 3, (70000,), (3,), (1,), (1,), (1,)),
    (3, 1, 5, 2, (4,), (7,), (2,), (9,), (1,)),
    (2, 1, 2, 2, (7, 7), (1, 1), (1, 1), (0, 0), (1, 1)),
    (2, 1, 3, 4, (6, 7), (3, 3), (1, 1), (1, 1), (1, 1)),
    (1, 1, 3, 8, (15, 16), (7, 7), (2, 2), (3, 3), (1, 1)),
    (2, 2, 3, 2, (9, 8), (3, 2), (2, 3), (1, 0), (1, 1)),
    (2, 1, 2, 3, (11, 12), (3, 3), (1, 2), (2, 1), (2, 3)),
    (2, 6, 1, 1, (8, 9), (3, 3), (1, 1), (1, 1), (1, 1)),
    (1, 4, 1, 3, (8, 9), (3, 5), (2, 1), (0, 2), (1, 1)),
    (1, 1, 70, 33, (5, 6), (3, 3), (1, 1), (1, 1), (1, 1)),
    (1, 1, 300, 9, (3, 3), (3, 3), (1, 1), (1, 1), (1, 1)),
    (5, 1, 2, 270, (3, 2), (2, 2), (1, 1), (0, 0), (1, 1)),
    (2, 1, 4, 5, (10, 9), (2, 2), (4, 5), (0, 0), (1, 1)),
    (1, 1, 3, 16, (40, 41), (3, 3), (1, 1), (1, 1), (1, 1)),
    (2, 1, 2, 3, (4, 5, 6), (3, 3, 3), (1, 1, 1), (1, 1, 1), (1, 1, 1)),
    (1, 2, 2, 2, (7, 6, 5), (2, 3, 1), (2, 1, 3), (1, 2, 0), (2, 1, 1)),
    (2, 1, 3, 2, (3, 8, 8), (1, 2, 2), (1, 2, 2), (0, 0, 0), (1, 1, 1)),
    (1, 3, 1, 2, (5, 5, 5), (3, 2, 2), (1, 2, 1), (2, 1, 0), (1, 3, 2)),
)  # fmt: skip


def _positions(image: Axes, taps: Axes, stride: Axes, pads: Axes, dilation: Axes) -> Axes:
    return tuple(
        (i + p - (k - 1) * d - 1) // s + 1
        for i, k, s, p, d in zip(image, taps, stride, pads, dilation, strict=True)
    )


def _transposed_image(
    size: Axes, taps: Axes, stride: Axes, padding: Axes, dilation: Axes, extra: Axes
) -> Axes:
    return tuple(
        (n - 1) * s - 2 * p + (k - 1) * d + 1 + e
        for n, k, s, p, d, e in zip(size, taps, stride, padding, dilation, extra, strict=True)
    )


class _Maker:
    """Makes cases of one dtype."""

    def __init__(self, dtype: str, rng: np.random.Generator) -> None:
        self.dtype, self.rng = dtype, rng

    def case(
        self, label: str, shapes: tuple[Axes, Axes, Axes], stride: Axes, padding: Axes,
        dilation: Axes, transposed: bool = False, extra: Axes = (), groups: int = 1,
        mask: tuple[bool, ...] = _ALL, layouts: tuple[str, ...] = (), math: int | None = None,
        dtypes: tuple[str, ...] = (), before: Axes = (), uneven: bool = False, **case: Any,
    ) -> Case:  # fmt: skip
        names = dtypes or (self.dtype,) * 3
        draw = uneven_values if uneven else exact_values
        values = [draw(s, d, self.rng) for s, d in zip(shapes, names, strict=True)]
        grad, x, weight = (v.astype(np.float64) for v in values)
        golden = convolution_backward(
            grad, x, weight, stride, before or padding, dilation, transposed, groups
        )
        chosen = layouts or ("contiguous",) * 3
        operands = [Operand(v, where) for v, where in zip(values, chosen, strict=True)]
        inputs = (
            *operands, (shapes[0][1],), stride, padding, dilation, transposed,
            extra or (0,) * len(stride), groups, mask,
            cube_math_type(self.dtype) if math is None else math,
        )  # fmt: skip
        wanted = tuple(g if m else None for g, m in zip(golden, mask, strict=True))
        return Case(label, inputs, wanted, **case)

    def plain(self, row: tuple[Any, ...], label: str = "", **options: Any) -> Case:
        n, groups, ci, co, image, taps, stride, padding, dilation = row
        size = _positions(image, taps, stride, tuple(2 * p for p in padding), dilation)
        shapes = ((n, groups * co, *size), (n, groups * ci, *image), (groups * co, ci, *taps))
        return self.case(
            label or f"{row}", shapes, stride, padding, dilation, groups=groups, **options
        )

    def turned(self, row: tuple[Any, ...], extra: Axes, label: str = "", **options: Any) -> Case:
        n, groups, ci, co, size, taps, stride, padding, dilation = row
        image = _transposed_image(size, taps, stride, padding, dilation, extra)
        shapes = ((n, groups * ci, *image), (n, groups * co, *size), (groups * co, ci, *taps))
        return self.case(
            label or f"transposed {row} {extra}", shapes, stride, padding, dilation, True, extra,
            groups, **options,
        )  # fmt: skip


def _convolution(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    make = _Maker(dtype, rng)
    for row in PLAIN:
        axes = len(row[4])
        if axes == 3 and not has_bfloat16():
            continue
        yield make.plain(row)
        extra = tuple(i % s for i, s in enumerate(row[6], start=1))
        image = _transposed_image(row[4], row[5], row[6], row[7], row[8], extra)
        if min(image) > 0:
            yield make.turned(row, extra)
            yield make.turned(row, (0,) * axes)
    small = (2, 2, 2, 3, (6, 5), (3, 2), (2, 1), (1, 1), (1, 2))
    for mask in MASKS:
        yield make.plain(small, f"mask {mask}", mask=mask)
        yield make.turned(small, (1, 0), f"transposed, mask {mask}", mask=mask)
    for first, second, out in layout_pairs():
        yield make.plain(
            small, f"{first} × {second} → {out}", layouts=(first, second, first),
            out_layouts=(out, second, "offset"),
        )  # fmt: skip
    yield make.turned(
        small, (1, 0), "transposed, strided",
        layouts=("transposed", "inner_slice", "reversed_axes"),
        out_layouts=("inner_slice", "every_second", "offset"),
    )  # fmt: skip
    shapes = ((2, 3, 5, 6), (2, 2, 4, 5), (3, 2, 3, 3))
    yield make.case("padded by sides", shapes, (1, 1), (1, 2, 0, 3), (1, 1), before=(1, 0))
    # Values are exact in every type of computation.
    for math in (1, 2, 3) if has_bfloat16() else (1, 2):
        yield make.plain(small, f"cubeMathType {math}", math=math)
    if dtype == "float16":
        mixed = ("float16", "float32", "float16")
        yield make.plain(
            small, "types that differ", dtypes=mixed, out_dtypes=("float32", "float16", "float16"),
            math=1,
        )  # fmt: skip
    if has_bfloat16():
        for row in PLAIN[4:]:
            yield make.plain(row, f"uneven values, {row}", uneven=True)
        yield make.turned(small, (1, 0), "transposed, uneven values", uneven=True)
        yield _empty(dtype)


def _empty(dtype: str) -> Case:
    kind = numpy_dtype(dtype)
    grad, x = np.zeros((0, 4, 3, 3), kind), np.zeros((0, 2, 5, 5), kind)
    weight = np.ones((4, 2, 3, 3), kind)
    one, none = (1, 1), (0, 0)
    inputs = (
        Operand(grad), Operand(x), Operand(weight), (4,), one, none, one, False, none, 1, _ALL, 0,
    )  # fmt: skip
    return Case("no samples", inputs, (x, np.zeros_like(weight), np.zeros(4, kind)))


#: times, samples, input and output channels, taps, pad
TBC: tuple[tuple[int, int, int, int, int, int], ...] = (
    (1, 1, 1, 1, 1, 0), (5, 2, 2, 2, 1, 0), (5, 2, 3, 4, 3, 1), (9, 1, 4, 1, 2, 0),
    (9, 3, 1, 5, 4, 3), (17, 2, 16, 8, 3, 2), (33, 4, 7, 15, 5, 2), (4, 2, 3, 3, 8, 2),
    (64, 3, 5, 6, 3, 0), (3, 5, 33, 17, 3, 1), (257, 1, 2, 3, 9, 4), (2, 40, 3, 2, 2, 0),
    (300, 2, 4, 4, 1, 3), (12, 2, 260, 3, 3, 1), (12, 2, 3, 260, 3, 1), (5000, 1, 2, 2, 3, 1),
)  # fmt: skip


def _tbc(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        row: tuple[int, ...], label: str = "", math: int | None = None,
        layouts: tuple[str, ...] = ("contiguous",) * 3, **options: Any,
    ) -> Case:  # fmt: skip
        t, b, ci, co, k, pad = row
        shapes = ((t + 2 * pad + 1 - k, b, co), (t, b, ci), (k, ci, co))
        values = [exact_values(shape, dtype, rng) for shape in shapes]
        grad, x, weight = (v.astype(np.float64) for v in values)
        golden = conv_tbc_backward(grad, x, weight, pad)
        operands = [Operand(v, where) for v, where in zip(values, layouts, strict=True)]
        bias = Operand(exact_values((co,), dtype, rng))
        number = cube_math_type(dtype) if math is None else math
        return Case(label or f"{row}", (*operands, bias, pad, number), golden, **options)

    for row in TBC:
        yield case(row)
    small = (6, 3, 2, 4, 3, 1)
    for first, second, out in layout_pairs():
        yield case(
            small, f"{first} × {second} → {out}", layouts=(first, second, first),
            out_layouts=(out, second, "offset"),
        )  # fmt: skip
    yield from in_views(case(small), 3)
    for math in (1, 2, 3) if has_bfloat16() else (1, 2):
        yield case(small, f"cubeMathType {math}", math)


SUITES = (
    Suite(
        "convolution_backward", _DTYPES, _convolution,
    ),
    Suite(
        "conv_tbc_backward", _DTYPES, _tbc,
    ),
)  # fmt: skip
