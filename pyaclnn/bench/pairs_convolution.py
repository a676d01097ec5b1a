"""Pairs of convolutions: windows, strides, groups, dilation, one to three axes, transposed."""

from __future__ import annotations

from typing import Any

import numpy as np

from pyaclnn.bench.pairs import Pair, gradients, normal

_ALL = (True, True, True)
_EXACT = 0


def _convolution(
    label: str, x: tuple[int, ...], channels: int, kernel: int, *, stride: int = 1,
    dilation: int = 1, groups: int = 1, transposed: bool = False,
) -> Pair:  # fmt: skip
    """Pair with an input, as many channels of the output, and a window with equal sides.

    Padded so that the output is as large as the input divided, or multiplied, by the stride.
    """
    axes = len(x) - 2
    padding = dilation * (kernel - 1) // 2
    extra = stride - 1 if transposed else 0
    reach = dilation * (kernel - 1)

    def length(n: int) -> int:
        if transposed:
            return (n - 1) * stride - 2 * padding + reach + extra + 1
        return (n + 2 * padding - reach - 1) // stride + 1

    def arguments() -> tuple[Any, ...]:
        shape = x[1], channels // groups
        weight = normal(*(shape if transposed else (channels, x[1] // groups)), *(kernel,) * axes)
        return (
            normal(x[0], channels, *map(length, x[2:])), normal(*x), weight / np.float32(kernel),
            (channels,), (stride,) * axes, (padding,) * axes, (dilation,) * axes, transposed,
            (extra,) * axes, groups, _ALL, _EXACT,
        )  # fmt: skip

    def torch(torch: Any, *arguments: Any) -> tuple[Any, ...]:
        return torch.ops.aten.convolution_backward, *arguments[:-1]

    return Pair("convolution_backward", arguments, torch, label=label)


def _tbc_arguments() -> tuple[Any, ...]:
    length, batch, channels, taps = 1024, 64, 64, 3
    return (
        normal(length, batch, channels), normal(length, batch, channels),
        normal(taps, channels, channels), normal(channels), taps // 2, _EXACT,
    )  # fmt: skip


def _tbc(
    torch: Any, grad: Any, x: Any, weight: Any, bias: Any, pad: int, _: int
) -> tuple[Any, ...]:
    return torch.ops.aten.conv_tbc_backward, grad, x, weight, bias, pad


def _fold_arguments() -> tuple[Any, ...]:
    size, kernel = (128, 128), (3, 3)
    return normal(8, 4 * 9, 128 * 128), size, kernel, (1, 1), (1, 1), (1, 1)


def _fold(torch: Any, *arguments: Any) -> tuple[Any, ...]:
    return torch.nn.functional.fold, *arguments


def _slide_arguments() -> tuple[Any, ...]:
    shape, dim, size, step = (64, 64, 1026), 2, 4, 2
    windows = (shape[dim] - size) // step + 1
    return normal(*shape[:dim], windows, size), shape, dim, size, step


def _slide(torch: Any, grad: Any, shape: Any, dim: int, size: int, step: int) -> tuple[Any, ...]:
    return gradients(torch, lambda leaf: leaf.unfold(dim, size, step), grad, torch.zeros(shape))


CONVOLUTIONS = (
    _convolution("3x3", (8, 32, 128, 128), 32, 3),
    _convolution("3x3 stride 2", (8, 32, 128, 128), 64, 3, stride=2),
    _convolution("3x3 small planes", (32, 256, 14, 14), 256, 3),
    _convolution("1x1", (8, 32, 128, 128), 32, 1),
    _convolution("1x1 stride 2", (8, 64, 64, 64), 128, 1, stride=2),
    _convolution("7x7 stride 2", (16, 3, 224, 224), 64, 7, stride=2),
    _convolution("5x5", (8, 16, 128, 128), 16, 5),
    _convolution("depthwise 3x3", (8, 32, 128, 128), 32, 3, groups=32),
    _convolution("depthwise 3x3 stride 2", (8, 32, 128, 128), 32, 3, stride=2, groups=32),
    _convolution("8 groups", (8, 64, 64, 64), 64, 3, groups=8),
    _convolution("dilated", (8, 32, 128, 128), 32, 3, dilation=2),
    _convolution("1d", (64, 64, 1024), 64, 3),
    _convolution("3d", (4, 16, 16, 64, 64), 16, 3),
    _convolution("transposed stride 2", (8, 64, 64, 64), 32, 4, stride=2, transposed=True),
    _convolution("transposed 3x3", (8, 32, 128, 128), 32, 3, transposed=True),
    Pair("conv_tbc_backward", _tbc_arguments, _tbc),
    Pair("im2col_backward", _fold_arguments, _fold),
    Pair("unfold_grad", _slide_arguments, _slide),
)
