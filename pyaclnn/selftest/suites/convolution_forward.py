"""Convolutions: every geometry that their gradients are tried with, bias, types that differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, layout_pairs, numpy_dtype
from pyaclnn.selftest.chips import has_bfloat16
from pyaclnn.selftest.suites.convolution import (
    PLAIN,
    TBC,
    Axes,
    cube_math_type,
    exact_values,
    uneven_values,
)

_DTYPES = ("float32", "float16", "bfloat16")


def convolution(
    x: Array, weight: Array, bias: Array | None, stride: Axes, padding: Axes, dilation: Axes,
    groups: int,
) -> Array:  # fmt: skip
    """Return torch.nn.functional.conv{1,2,3}d; padding is one number an axis or a side."""
    axes = x.ndim - 2
    each = len(padding) // axes
    sides = [(padding[i * each], padding[i * each + each - 1]) for i in range(axes)]
    n, taps = x.shape[0], weight.shape[2:]
    co, ci = weight.shape[0] // groups, weight.shape[1]
    padded = np.pad(x, [(0, 0), (0, 0), *sides]).reshape(n, groups, ci, *[
        size + p + q for size, (p, q) in zip(x.shape[2:], sides, strict=True)
    ])  # fmt: skip
    size = [
        (m - (k - 1) * d - 1) // s + 1
        for m, k, s, d in zip(padded.shape[3:], taps, stride, dilation, strict=True)
    ]
    result = np.zeros((n, groups, co, *size))
    w = weight.reshape(groups, co, ci, *taps)
    for tap in product(*(range(k) for k in taps)):
        window = tuple(
            slice(k * d, k * d + (m - 1) * s + 1, s)
            for k, d, m, s in zip(tap, dilation, size, stride, strict=True)
        )
        seen = padded[_last(window)].reshape(n, groups, ci, int(np.prod(size)))
        result += np.einsum("goi,ngip->ngop", w[_last(tap)], seen).reshape(result.shape)
    result = result.reshape(n, groups * co, *size)
    return result if bias is None else result + bias.reshape(-1, *(1,) * axes)


def convolution_transposed(
    x: Array, weight: Array, bias: Array | None, stride: Axes, padding: Axes, dilation: Axes,
    extra: Axes, groups: int,
) -> Array:  # fmt: skip
    """Return torch.nn.functional.conv_transpose{1,2,3}d: every element scatters its taps."""
    axes = x.ndim - 2
    each = len(padding) // axes
    n, taps = x.shape[0], weight.shape[2:]
    ci, co = weight.shape[0] // groups, weight.shape[1]
    whole = [
        (m - 1) * s + (k - 1) * d + 1 + e
        for m, s, k, d, e in zip(x.shape[2:], stride, taps, dilation, extra, strict=True)
    ]
    image = np.zeros((n, groups, co, *whole))
    y = x.reshape(n, groups, ci, -1)
    w = weight.reshape(groups, ci, co, *taps)
    for tap in product(*(range(k) for k in taps)):
        window = tuple(
            slice(k * d, k * d + (m - 1) * s + 1, s)
            for k, d, m, s in zip(tap, dilation, x.shape[2:], stride, strict=True)
        )
        seen = image[_last(window)]
        seen += np.einsum("gio,ngip->ngop", w[_last(tap)], y).reshape(seen.shape)
    inner = tuple(
        slice(padding[i * each], whole[i] - padding[i * each + each - 1]) for i in range(axes)
    )
    result: Array = image[_last(inner)]
    result = result.reshape(n, groups * co, *result.shape[3:])
    return result if bias is None else result + bias.reshape(-1, *(1,) * axes)


def _last(index: Iterable[Any]) -> Any:
    """Return the index of trailing axes."""
    return (..., *index)


class _Maker:
    """Makes cases of one dtype."""

    def __init__(self, dtype: str, rng: np.random.Generator) -> None:
        self.dtype, self.rng = dtype, rng

    def plain(
        self, row: tuple[Any, ...], label: str = "", *, bias: str = "", padding: Axes = (),
        layouts: tuple[str, ...] = ("contiguous",) * 2, math: int | None = None,
        uneven: bool = False, dtypes: tuple[str, ...] = (), **options: Any,
    ) -> Case:  # fmt: skip
        n, groups, ci, co, image, taps, stride, usual, dilation = row
        shapes = ((n, groups * ci, *image), (groups * co, ci, *taps))
        operands = self._operands(shapes, groups * co, layouts, bias, uneven, dtypes)
        x, weight, added = (None if o is None else o.values.astype(np.float64) for o in operands)
        assert x is not None
        assert weight is not None
        pads = padding or usual
        golden = convolution(x, weight, added, stride, pads, dilation, groups)
        inputs = (
            *operands, stride, pads, dilation, False, (0,) * len(stride), groups, self._math(math)
        )  # fmt: skip
        return Case(label or f"{row} {bias}", inputs, (golden,), **options)

    def turned(
        self, row: tuple[Any, ...], extra: Axes, label: str = "", *, bias: str = "",
        padding: Axes = (), layouts: tuple[str, ...] = ("contiguous",) * 2,
        math: int | None = None, uneven: bool = False, **options: Any,
    ) -> Case:  # fmt: skip
        n, groups, ci, co, size, taps, stride, usual, dilation = row
        shapes = ((n, groups * co, *size), (groups * co, ci, *taps))
        operands = self._operands(shapes, groups * ci, layouts, bias, uneven, ())
        x, weight, added = (None if o is None else o.values.astype(np.float64) for o in operands)
        assert x is not None
        assert weight is not None
        pads = padding or usual
        golden = convolution_transposed(x, weight, added, stride, pads, dilation, extra, groups)
        inputs = (*operands, stride, pads, dilation, True, extra, groups, self._math(math))
        return Case(label or f"transposed {row} {extra} {bias}", inputs, (golden,), **options)

    def _operands(
        self, shapes: tuple[Axes, Axes], channels: int, layouts: tuple[str, ...], bias: str,
        uneven: bool, dtypes: tuple[str, ...],
    ) -> tuple[Operand | None, ...]:  # fmt: skip
        draw = uneven_values if uneven else exact_values
        names = dtypes or (self.dtype,) * 2
        drawn = [draw(s, d, self.rng) for s, d in zip(shapes, names, strict=True)]
        tensors = [Operand(v, where) for v, where in zip(drawn, layouts, strict=True)]
        added = None
        if bias:
            dtype = self.dtype if bias in ("own", "view") else bias
            where = "every_second" if bias == "view" else "contiguous"
            added = Operand(draw((channels,), dtype, self.rng), where)
        return (*tensors, added)

    def _math(self, math: int | None) -> int:
        return cube_math_type(self.dtype) if math is None else math


def _fits_transposed(row: tuple[Any, ...]) -> bool:
    # In three dimensions the taps must reach the padding and no less.
    taps, padding, dilation = row[5], row[7], row[8]
    reaches = [(k - 1) * d - p for k, p, d in zip(taps, padding, dilation, strict=True)]
    size = [(m - 1) * s + r - p + 1 for m, s, r, p in zip(row[4], row[6], reaches, padding,
                                                         strict=True)]  # fmt: skip
    return min(size) > 0 and (len(taps) < 3 or min(reaches[1:]) >= 0)


def _convolution(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    make = _Maker(dtype, rng)
    for number, row in enumerate(PLAIN):
        axes = len(row[4])
        if axes == 3 and not has_bfloat16():
            continue
        bias = "own" if number % 2 else ""
        yield make.plain(row, bias=bias)
        if _fits_transposed(row):
            extra = tuple(i % s for i, s in enumerate(row[6], start=1))
            yield make.turned(row, extra, bias=bias)
    small = (2, 2, 2, 3, (6, 5), (3, 2), (2, 1), (1, 1), (1, 2))
    for first, second, out in layout_pairs():
        yield make.plain(
            small, f"{first} × {second} → {out}", layouts=(first, second), out_layouts=(out,),
            bias="view",
        )  # fmt: skip
    yield make.turned(
        small, (1, 0), "transposed, strided", layouts=("transposed", "inner_slice"),
        out_layouts=("every_second",), bias="view",
    )  # fmt: skip
    yield make.plain(small, "padded by sides", padding=(1, 2, 0, 3), bias="own")
    yield make.turned(small, (0, 0), "transposed, padded by sides", padding=(1, 0, 0, 1))
    line = (2, 1, 3, 4, (9,), (3,), (2,), (1,), (1,))
    yield make.plain(line, "a line, padded by sides", padding=(2, 1))
    # Values are exact in every type of computation.
    for math in (1, 2, 3) if has_bfloat16() else (1, 2):
        yield make.plain(small, f"cubeMathType {math}", math=math, bias="own")
    if dtype == "float16":
        yield make.plain(
            small, "types that differ", dtypes=("float16", "float32"), out_dtypes=("float32",),
            math=1, bias="float32",
        )  # fmt: skip
        yield make.plain(small, "a bias of another type", bias="float32")
        yield make.plain(small, "a wider result", out_dtypes=("float32",))
    if has_bfloat16():
        for row in PLAIN[4:]:
            yield make.plain(row, f"uneven values, {row}", uneven=True, bias="own")
        yield make.turned(small, (1, 0), "transposed, uneven values", uneven=True, bias="own")
    yield _empty(dtype)


def _empty(dtype: str) -> Case:
    kind = numpy_dtype(dtype)
    x, weight = np.zeros((0, 2, 5, 5), kind), np.ones((4, 2, 3, 3), kind)
    one, none = (1, 1), (0, 0)
    inputs = (
        Operand(x), Operand(weight), None, one, none, one, False, none, 1, cube_math_type(dtype)
    )  # fmt: skip
    return Case("no samples", inputs, (np.zeros((0, 4, 3, 3)),))


def _tbc(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        row: tuple[int, ...], label: str = "", math: int | None = None,
        layouts: tuple[str, ...] = ("contiguous",) * 3, **options: Any,
    ) -> Case:  # fmt: skip
        t, b, ci, co, k, pad = row
        values = [exact_values(s, dtype, rng) for s in ((t, b, ci), (k, ci, co), (co,))]
        x, weight, bias = (v.astype(np.float64) for v in values)
        golden = convolution(
            x.transpose(1, 2, 0), weight.transpose(2, 1, 0), bias, (1,), (pad,), (1,), 1
        ).transpose(2, 0, 1)
        operands = [Operand(v, where) for v, where in zip(values, layouts, strict=True)]
        number = cube_math_type(dtype) if math is None else math
        return Case(label or f"{row}", (*operands, pad, number), (golden,), **options)

    for row in TBC:
        # Here the padding counts once.
        if row[0] + row[5] >= row[4]:
            yield case(row)
    small = (6, 3, 2, 4, 3, 1)
    for first, second, out in layout_pairs():
        yield case(
            small, f"{first} × {second} → {out}", layouts=(first, second, "every_second"),
            out_layouts=(out,),
        )  # fmt: skip
    for math in (1, 2, 3) if has_bfloat16() else (1, 2):
        yield case(small, f"cubeMathType {math}", math)
    yield case((3, 2, 0, 4, 2, 1), "no channels: the bias alone")


#: samples, channels, filters of a channel, image, taps, stride, padding, dilation
_BY_CHANNEL: tuple[tuple[Any, ...], ...] = (
    (1, 1, 1, (1, 1), (1, 1), (1, 1), (0, 0), (1, 1)),
    (2, 3, 1, (7, 8), (3, 3), (1, 1), (1, 1), (1, 1)),
    (2, 4, 2, (9, 5), (3, 2), (2, 1), (0, 1), (1, 2)),
    (1, 17, 1, (12, 13), (5, 5), (2, 3), (2, 2), (1, 1)),
    (3, 2, 3, (40, 41), (3, 3), (1, 1), (1, 1), (2, 2)),
)


def _by_channel(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(row: tuple[Any, ...], bias: bool, layouts: tuple[str, str], **options: Any) -> Case:
        n, channels, filters, image, taps, stride, padding, dilation = row
        values = [
            exact_values(s, dtype, rng)
            for s in ((n, channels, *image), (channels * filters, 1, *taps), (channels * filters,))
        ]
        x, weight, added = (v.astype(np.float64) for v in values)
        golden = convolution(
            x, weight, added if bias else None, stride, padding, dilation, channels
        )
        inputs = (
            Operand(values[0], layouts[0]), Operand(values[1], layouts[1]), taps,
            Operand(values[2]) if bias else None, stride, padding, dilation, cube_math_type(dtype),
        )  # fmt: skip
        return Case(f"{row} {bias} {layouts}", inputs, (golden,), **options)

    for row in _BY_CHANNEL:
        for bias in (False, True):
            yield case(row, bias, ("contiguous", "contiguous"))
    for first, second, out in layout_pairs():
        yield case(_BY_CHANNEL[2], True, (first, second), out_layouts=(out,))


SUITES = (
    Suite(
        "convolution", _DTYPES, _convolution,
    ),
    Suite("conv_tbc", _DTYPES, _tbc),
    Suite("conv_depthwise2d", _DTYPES, _by_channel),
)  # fmt: skip
