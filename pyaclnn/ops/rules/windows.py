"""Shapes that windows moving over an image make: convolution, pooling, unfolding."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pyaclnn.tensor import Tensor

Shape = tuple[int, ...]


def _sides(padding: Sequence[int], axes: int) -> list[int]:
    """Return both sides' padding of each axis, given as one number an axis or a side."""
    each = max(len(padding) // max(axes, 1), 1)
    return [p + q for p, q in zip(padding[::each], padding[each - 1 :: each], strict=False)]


def _spatial(
    shape: Shape, kernel: Shape, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int],
) -> Shape:  # fmt: skip
    """Return the number of positions along each axis."""
    return tuple(
        max((n + p - d * (k - 1) - 1) // s + 1, 0)
        for n, k, s, p, d in zip(
            shape, kernel, stride, _sides(padding, len(shape)), dilation, strict=False
        )
    )


def _unstrided(
    shape: Shape, kernel: Shape, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], extra: Sequence[int],
) -> Shape:  # fmt: skip
    return tuple(
        max((n - 1) * s - p + d * (k - 1) + e + 1, 0)
        for n, k, s, p, d, e in zip(
            shape, kernel, stride, _sides(padding, len(shape)), dilation, extra, strict=False
        )
    )


def convolved(
    x: Tensor, weight: Tensor, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], transposed: bool, extra: Sequence[int] | None, groups: int,
) -> Shape:  # fmt: skip
    """Return the shape of a convolution, or of a transposed one."""
    if 0 in stride:
        return x.shape
    size, taps = x.shape[2:], weight.shape[2:]
    if transposed:
        spatial = _unstrided(size, taps, stride, padding, dilation, extra or (0,) * len(size))
        return (x.shape[0], weight.shape[1] * groups, *spatial)
    return (x.shape[0], weight.shape[0], *_spatial(size, taps, stride, padding, dilation))


def convolved_by_channel(
    x: Tensor, weight: Tensor, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int],
) -> Shape:  # fmt: skip
    """Return the shape of a convolution with a filter of its own for each channel."""
    return convolved(x, weight, stride, padding, dilation, False, None, 1)


def convolved_tbc(x: Tensor, weight: Tensor, pad: int) -> Shape:
    """Return the shape of a convolution of time, batch, channel."""
    times = x.shape[0] + 2 * pad + 1 - weight.shape[0]
    return (max(times, 0), x.shape[1], weight.shape[2])


#: What a row names -> the shape.
SHAPES: dict[str, Callable[..., Shape]] = {
    "convolved": convolved,
    "convolved_by_channel": convolved_by_channel,
    "convolved_tbc": convolved_tbc,
}
