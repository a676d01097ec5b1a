"""Unfolding and regions of interest: elements are summed over all the windows they lie in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, layout_pairs, numpy_dtype
from pyaclnn.selftest.chips import before_cann_8_5, is_a2_or_late_950, soc_name
from pyaclnn.selftest.suites.elementwise import Cases, only_with_bfloat16

FLOATS = ("float32", "float16", "bfloat16")


class Windows(NamedTuple):
    """Windows over an image; two numbers each, height and width."""

    size: tuple[int, int]
    kernel: tuple[int, int]
    dilation: tuple[int, int] = (1, 1)
    padding: tuple[int, int] = (0, 0)
    stride: tuple[int, int] = (1, 1)


#: Axes before the image, and the windows.
IMAGES: tuple[tuple[tuple[int, ...], Windows], ...] = (
    ((2, 3), Windows((6, 7), (2, 3))), ((3,), Windows((6, 7), (2, 3))),
    ((2, 3), Windows((6, 7), (3, 2), padding=(1, 1))), ((1, 1), Windows((1, 1), (1, 1))),
    ((2, 3), Windows((6, 7), (3, 2), stride=(2, 3))), ((4, 2), Windows((9, 8), (3, 3), (2, 2))),
    ((2, 3), Windows((6, 7), (3, 2), (2, 1), (1, 2), (1, 2))), ((1,), Windows((1, 1), (1, 1))),
    ((2, 1), Windows((8, 8), (2, 2), stride=(2, 2))), ((1, 2), Windows((8, 8), (1, 1))),
    ((2, 2), Windows((5, 9), (5, 9))), ((2, 2), Windows((5, 9), (1, 4))),
    ((2, 2), Windows((5, 9), (4, 1))), ((1, 3), Windows((3, 3), (2, 2), stride=(3, 3))),
    ((1, 40), Windows((17, 16), (3, 3), padding=(1, 1))), ((2, 1), Windows((33, 65), (3, 5))),
    ((1, 1), Windows((128, 130), (3, 3), padding=(1, 1))), ((9,), Windows((4, 5), (2, 2))),
    ((1, 2), Windows((2, 2), (2, 2), padding=(3, 3))), ((1, 1), Windows((1, 300), (1, 7))),
    ((1, 1), Windows((1, 1), (2, 2), padding=(1, 1), stride=(1, 2))),
    ((3, 2), Windows((6, 6), (2, 2), (3, 3), (2, 1))), ((1, 64), Windows((7, 7), (7, 7))),
)  # fmt: skip

#: Shape, dim, size, step.
SLIDES: tuple[tuple[tuple[int, ...], int, int, int], ...] = (
    ((7,), 0, 2, 1), ((7,), 0, 2, 2), ((7,), 0, 2, 3), ((7,), 0, 7, 1), ((1,), 0, 1, 1),
    ((7,), 0, 1, 4), ((4, 9), 1, 3, 1), ((4, 9), 0, 3, 1), ((4, 9), 0, 2, 2), ((4, 9), 1, 4, 5),
    ((2, 3, 8), 0, 2, 1), ((2, 3, 8), 1, 2, 1), ((2, 3, 8), 2, 5, 2), ((5, 2, 3, 4), 0, 3, 1),
    ((5, 2, 3, 4), 2, 2, 1), ((2, 2, 3, 2, 5), 4, 2, 3), ((2, 5, 2, 1, 2, 3), 1, 4, 1),
    ((1, 2, 1, 2, 6, 1, 2), 4, 3, 2), ((1000,), 0, 16, 8), ((3, 1025), 1, 8, 3),
    ((6, 1030), 0, 3, 2), ((2, 33, 65), 1, 5, 4), ((300, 41), 0, 10, 10), ((4097,), 0, 3, 1),
    ((2, 5, 700), 1, 2, 2),
)  # fmt: skip


class Align(NamedTuple):
    """What a region of interest is pooled with."""

    shape: tuple[int, int, int, int]
    pooled: tuple[int, int]
    boxes: tuple[tuple[float, float, float, float, float], ...]
    scale: float = 1.0
    ratio: int = 2
    aligned: bool = False


_BOXES = ((0.0, 1.0, 1.5, 5.0, 4.5), (1.0, 0.0, 0.0, 7.0, 6.0), (0.0, 2.25, 0.5, 6.5, 5.75))

REGIONS: tuple[Align, ...] = (
    *(
        Align((2, 3, 7, 8), pooled, _BOXES, 1.0, ratio, aligned)
        for pooled in ((2, 2), (1, 4))
        for ratio in (0, 1, 2, 3)
        for aligned in (False, True)
    ),
    Align((1, 1, 6, 6), (3, 3), ((0.0, -2.0, -2.0, 22.0, 22.0),), 0.25, 2),
    Align((1, 1, 6, 6), (3, 3), ((0.0, -2.0, -2.0, 22.0, 22.0),), 0.25, 2, True),
    Align((2, 2, 9, 5), (2, 4), ((1.0, 4.0, 8.0, 40.0, 60.0),), 0.125, 0, True),
    Align((2, 2, 9, 5), (7, 7), ((0.0, 0.5, 0.5, 4.5, 8.25), (1.0, 1.0, 1.0, 3.0, 7.0))),
    Align((1, 2, 5, 5), (2, 2), ((0.0, 2.0, 2.0, 2.0, 2.0),)),
    Align((1, 2, 5, 5), (2, 2), ((0.0, 2.0, 2.0, 2.0, 2.0),), 1.0, 0, True),
    Align((1, 2, 5, 5), (2, 2), ((0.0, 50.0, 50.0, 60.0, 60.0),)),
    Align((3, 2, 5, 5), (2, 2), ((1.75, 1.0, 1.0, 4.0, 4.0), (2.0, 0.0, 1.0, 3.0, 3.0))),
    Align((1, 1, 1, 1), (1, 1), ((0.0, 0.0, 0.0, 1.0, 1.0),)),
    Align((1, 1, 1, 9), (1, 3), ((0.0, 0.0, 0.0, 8.0, 1.0),), 1.0, 0),
    Align((2, 16, 33, 40), (7, 7), ((0.0, 3.0, 4.0, 31.0, 30.0), (1.0, 0.0, 2.0, 38.0, 32.0))),
    Align((1, 1, 8, 8), (2, 2), tuple((0.0, i / 4, 0.0, 4 + i / 4, 6.0) for i in range(9))),
)


def fold(columns: Array, windows: Windows) -> Array:
    """Add every column's elements at their places (torch.nn.functional.fold)."""
    rows, places = _places(windows)
    lead = (*columns.shape[:-2], columns.shape[-2] // len(rows))
    padded = [n + 2 * p for n, p in zip(windows.size, windows.padding, strict=True)]
    image = np.zeros((*lead, *padded), columns.dtype)
    columns = columns.reshape(*lead, *rows.shape)
    for tap in range(len(rows)):
        image[..., rows[tap], places[tap]] += columns[..., tap, :]
    (top, left), (height, width) = windows.padding, windows.size
    return image[..., top : top + height, left : left + width]


def im2col(x: Array, windows: Windows) -> Array:
    """Return the windows of an image as columns (torch.nn.functional.unfold)."""
    sides = [(n, n) for n in windows.padding]
    padded = np.pad(x, [(0, 0)] * (x.ndim - 2) + sides)
    rows, columns = _places(windows)
    taken = padded[..., rows, columns]
    return taken.reshape(*x.shape[:-3], x.shape[-3] * len(rows), rows.shape[1])


def _places(windows: Windows) -> tuple[Array, Array]:
    """Rows and columns in the padded image, (taps, windows) each."""
    axes = []
    for size, kernel, dilation, padding, stride in zip(*windows, strict=True):
        count = (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1
        axes.append(np.arange(kernel)[:, None] * dilation + np.arange(count) * stride)
    (kh, lh), (kw, lw) = axes[0].shape, axes[1].shape
    shape = (kh, kw, lh, lw)
    rows = np.broadcast_to(axes[0][:, None, :, None], shape).reshape(kh * kw, lh * lw)
    columns = np.broadcast_to(axes[1][None, :, None, :], shape).reshape(kh * kw, lh * lw)
    return rows, columns


def unfold(x: Array, dim: int, size: int, step: int) -> Array:
    """Return the windows over an axis, their elements last (torch.Tensor.unfold)."""
    views = np.lib.stride_tricks.sliding_window_view(x, size, axis=dim)
    return np.asarray(views[(slice(None),) * dim + (slice(None, None, step),)])


def unfold_backward(grad: Array, shape: tuple[int, ...], dim: int, size: int, step: int) -> Array:
    """Return the sums of ``grad`` over the windows of each element."""
    positions = unfold(np.arange(np.prod(shape)).reshape(shape), dim, size, step)
    return np.bincount(positions.ravel(), grad.ravel(), int(np.prod(shape))).reshape(shape)


def _samples(start: np.float32, length: np.float32, bins: int, ratio: int) -> Array:
    """Return the sampling points along an axis, (bins, points), as float32 places them."""
    bin_size = length / np.float32(bins)
    points = np.float32(ratio) if ratio > 0 else np.ceil(bin_size)
    steps = np.arange(int(points), dtype=np.float32) + np.float32(0.5)
    starts = start + np.arange(bins, dtype=np.float32) * bin_size
    with np.errstate(all="ignore"):
        return np.asarray(starts[:, None] + steps * bin_size / points)


def _bilinear(image: Array, y: float, x: float) -> Array:
    """Return the value between elements; outside by more than an element there is none."""
    height, width = image.shape[-2:]
    if not (-1 <= y <= height and -1 <= x <= width):
        return np.zeros(image.shape[:-2])
    y, x = min(max(y, 0.0), height - 1.0), min(max(x, 0.0), width - 1.0)
    top, left = int(y), int(x)
    low, right = min(top + 1, height - 1), min(left + 1, width - 1)
    above = image[..., top, left] * (1 - x + left) + image[..., top, right] * (x - left)
    below = image[..., low, left] * (1 - x + left) + image[..., low, right] * (x - left)
    return np.asarray(above * (1 - y + top) + below * (y - top))


def roi_align(x: Array, align: Align) -> Array:
    """Return the mean of the sampling points of each bin (torchvision.ops.roi_align)."""
    result = np.zeros((len(align.boxes), x.shape[1], *align.pooled))
    offset = np.float32(0.5 if align.aligned else 0.0)
    for k, (image, *corners) in enumerate(align.boxes):
        if not 0 <= image < x.shape[0]:
            continue
        x1, y1, x2, y2 = np.array(corners, np.float32) * np.float32(align.scale) - offset
        height, width = y2 - y1, x2 - x1
        if not align.aligned:
            height, width = max(height, np.float32(1)), max(width, np.float32(1))
        rows = _samples(y1, height, align.pooled[0], align.ratio)
        columns = _samples(x1, width, align.pooled[1], align.ratio)
        for i, j in np.ndindex(align.pooled):
            values = [_bilinear(x[int(image)], v, u) for v in rows[i] for u in columns[j]]
            result[k, :, i, j] = np.mean(values, axis=0) if values else 0.0
    return result


def roi_align_backward(grad: Array, align: Align) -> Array:
    """Return the gradient: the sampling is linear, so it is taken of each unit image."""
    batch, _, height, width = align.shape
    result = np.zeros(align.shape)
    units = np.eye(height * width).reshape(1, -1, height, width)
    for image in range(batch):
        own = [k for k, box in enumerate(align.boxes) if int(np.floor(box[0])) == image]
        boxes = tuple((0.0, *align.boxes[k][1:]) for k in own)
        weights = roi_align(units, align._replace(boxes=boxes))
        summed = np.einsum("kcij,kpij->cp", grad[own].astype(np.float64), weights)
        result[image] = summed.reshape(-1, height, width)
    return result


def _gradients(shape: Sequence[int], dtype: str, rng: np.random.Generator) -> Array:
    """Return values of one sign, so that nothing cancels."""
    return np.asarray(rng.uniform(0.25, 2.0, tuple(shape))).astype(numpy_dtype(dtype))


def _im2col_cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        label: str, lead: tuple[int, ...], windows: Windows,
        layout: str = "contiguous", out: tuple[str, ...] = (),
    ) -> Case:  # fmt: skip
        shape = im2col(np.zeros((*lead, *windows.size)), windows).shape
        grad = _gradients(shape, dtype, rng)
        golden = fold(grad.astype(np.float64), windows)
        return Case(label, (Operand(grad, layout), *windows), (golden,), out)

    for lead, windows in IMAGES:
        yield case(f"{lead} {tuple(windows)}", lead, windows)
    for first, _, out in layout_pairs():
        yield case(f"{first} → {out}", *IMAGES[6], first, (out,))
    yield case("no images", (0, 3), IMAGES[0][1])


def _unfold_cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        label: str, shape: tuple[int, ...], dim: int, size: int, step: int,
        layout: str = "contiguous", out: tuple[str, ...] = (),
    ) -> Case:  # fmt: skip
        grad = _gradients(unfold(np.zeros(shape), dim, size, step).shape, dtype, rng)
        golden = unfold_backward(grad.astype(np.float64), shape, dim, size, step)
        return Case(label, (Operand(grad, layout), shape, dim, size, step), (golden,), out)

    for shape, dim, size, step in SLIDES:
        yield case(f"{shape} dim {dim} size {size} step {step}", shape, dim, size, step)
    for first, _, out in layout_pairs():
        yield case(f"{first} → {out}", (5, 2, 3, 4), 1, 2, 1, first, (out,))
    empty = Operand(np.zeros((0, 3, 2), numpy_dtype(dtype)))
    yield Case("empty", (empty, (0, 4), 1, 2, 1), (np.zeros((0, 4)),))


def _roi_cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(
        label: str, align: Align, layouts: tuple[str, str] = ("contiguous", "contiguous"),
        out: tuple[str, ...] = (),
    ) -> Case:  # fmt: skip
        count = len(align.boxes)
        grad = _gradients((count, align.shape[1], *align.pooled), dtype, rng)
        boxes = np.array(align.boxes, np.float32).reshape(count, 5)
        golden = roi_align_backward(grad, align)
        attributes = (align.shape, *align.pooled, align.scale, align.ratio, align.aligned)
        inputs = (Operand(grad, layouts[0]), Operand(boxes, layouts[1]), *attributes)
        return Case(label, inputs, (golden,), out)

    for number, align in enumerate(REGIONS):
        yield case(f"{number}: {align[0]} → {align[1]} ratio {align.ratio}", align)
    for first, second, out in layout_pairs():
        yield case(f"{first} × {second} → {out}", REGIONS[4], (first, second), (out,))
    yield case("no boxes", REGIONS[4]._replace(boxes=()))


def _only_on_a2_or_late_950(cases: Cases) -> Cases:
    return lambda dtype, rng: cases(dtype, rng) if is_a2_or_late_950() else ()


def _where_roi_align_is(cases: Cases) -> Cases:
    def chosen(dtype: str, rng: np.random.Generator) -> Iterable[Case]:
        name = soc_name()
        newest = name.startswith(("Ascend910_95", "Ascend950"))
        refused = name.startswith("Ascend310") or (newest and before_cann_8_5())
        return () if refused else cases(dtype, rng)

    return chosen


SUITES = (
    Suite("im2col_backward", FLOATS, only_with_bfloat16(_im2col_cases)),
    Suite("unfold_grad", FLOATS, _only_on_a2_or_late_950(_unfold_cases)),
    Suite("roi_align_v2_backward", ("float32",), _where_roi_align_is(_roi_cases)),
)
