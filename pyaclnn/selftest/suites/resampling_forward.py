"""Resampling: images of another size, samples at the points of a grid, windows as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, layout_pairs, numpy_dtype
from pyaclnn.selftest.chips import (
    has_950_kernels,
    has_bfloat16,
    is_950,
    is_a2_or_a3,
    release,
    soc_name,
)
from pyaclnn.selftest.layouts import LAYOUTS
from pyaclnn.selftest.suites.creation import exact, values_of
from pyaclnn.selftest.suites.grid_sample import (
    BICUBIC,
    BILINEAR,
    BORDER,
    NEAREST,
    REFLECTION,
    SAMPLES_2D,
    SAMPLES_3D,
    ZEROS,
    cubic_weights,
    places_of,
)
from pyaclnn.selftest.suites.resample_reference import Matrix, linear, nearest
from pyaclnn.selftest.suites.unfold import FLOATS, IMAGES, Windows

#: Image and its new height and width.
_SIZES: tuple[tuple[tuple[int, ...], tuple[int, int]], ...] = (
    ((1, 1, 1, 1), (1, 1)), ((1, 1, 1, 1), (3, 2)), ((2, 3, 4, 5), (4, 5)), ((2, 3, 4, 5), (8, 10)),
    ((2, 3, 4, 5), (2, 3)), ((2, 3, 9, 7), (3, 15)), ((1, 70, 3, 2), (5, 1)),
    ((1, 1, 40, 33), (100, 20)), ((3, 2, 1, 6), (4, 6)), ((3, 2, 6, 1), (6, 4)),
    ((1, 2, 16, 16), (7, 31)),
)  # fmt: skip


def _resized(
    x: Array, size: tuple[int, ...], matrix: Matrix, scales: tuple[float, ...] = (0, 0, 0),
    align: bool = False,
) -> Array:  # fmt: skip
    result = x.astype(np.float64)
    for axis in range(2, x.ndim):
        weights = matrix(x.shape[axis], size[axis - 2], scales[axis - 2], align)
        result = np.moveaxis(np.tensordot(weights, result, (1, axis)), 0, axis)
    return result


def _values(shape: tuple[int, ...], dtype: str, rng: np.random.Generator) -> Array:
    return np.asarray(rng.uniform(0.5, 2.0, shape)).astype(numpy_dtype(dtype))


def _channels_last(case: Case) -> Case:
    """Return the same case with channels last, forward and back."""
    (x, *rest), (golden,) = case.inputs, case.golden
    order = "NHWC" if x.values.ndim == 4 else "NDHWC"
    moved, expected = (np.moveaxis(a, 1, -1).copy() for a in (x.values, golden))
    return Case(
        f"{case.label} {order}", (Operand(moved, format=order), *rest), (expected,),
        ("contiguous",), out_format=order,
    )  # fmt: skip


def _nearest(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    def case(x: Array, size: tuple[int, int], layout: str = "contiguous", **more: Any) -> Case:
        label = f"{x.shape} to {size} {layout}"
        return Case(label, (Operand(x, layout), size), (_resized(x, size, nearest),), **more)

    for shape, size in _SIZES:
        yield case(_values(shape, dtype, rng), size)
    for layout in LAYOUTS[1:]:
        yield case(_values((2, 3, 4, 5), dtype, rng), (8, 3), layout, out_layouts=(layout,))
    yield _channels_last(case(_values((2, 3, 4, 5), dtype, rng), (8, 3)))
    yield case(np.zeros((0, 3, 4, 5), numpy_dtype(dtype)), (2, 2))


def _nearest_3d(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if dtype == "bfloat16" and not has_bfloat16():
        return
    if dtype == "float64" and soc_name().startswith("Ascend310P"):
        return
    if dtype == "uint8" and not is_950():
        return

    def case(
        shape: tuple[int, ...], size: tuple[int, ...], scales: tuple[float, ...] = (0.0, 0.0, 0.0),
        layout: str = "contiguous", **more: Any,
    ) -> Case:  # fmt: skip
        x = _values(shape, dtype, rng)
        golden = _resized(x, size, nearest, scales)
        label = f"{x.shape} to {size} {scales} {layout}"
        return Case(label, (Operand(x, layout), size, *scales), (golden,), **more)

    for shape, size in (
        ((1, 1, 1, 1, 1), (2, 3, 1)), ((2, 3, 4, 5, 6), (4, 5, 6)), ((2, 3, 4, 5, 6), (8, 10, 3)),
        ((1, 70, 2, 3, 1), (1, 1, 4)), ((1, 2, 9, 16, 7), (5, 31, 20)),
    ):  # fmt: skip
        yield case(shape, size)
    # Scales of their own, whose inverses float32 holds; what they lead to behind the volume is the
    # last element.
    yield case((2, 3, 4, 5, 6), (8, 5, 9), (2.0, 0.5, 4.0))
    yield case((2, 3, 4, 5, 6), (3, 7, 2), (0.25, 8.0, 0.5))
    for layout in LAYOUTS[1:]:
        yield case((2, 3, 2, 4, 5), (3, 8, 3), layout=layout, out_layouts=(layout,))
    yield _channels_last(case((2, 3, 2, 4, 5), (3, 8, 3)))
    yield case((0, 3, 2, 4, 5), (2, 2, 2))


def _bilinear(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if dtype == "bfloat16" and not has_bfloat16():
        return

    def case(
        x: Array, size: tuple[int, int], align: bool, scales: tuple[float, float] = (0.0, 0.0),
        layout: str = "contiguous", counted: bool = False, **more: Any,
    ) -> Case:  # fmt: skip
        golden = _resized(x, size, linear, scales if counted else (0, 0), align)
        label = f"{x.shape} to {size} {align} {scales} {layout}"
        return Case(label, (Operand(x, layout), size, align, *scales), (golden,), **more)

    for shape, size in _SIZES:
        for align in (False, True):
            yield case(_values(shape, dtype, rng), size, align)
    # What a scale leads to is no element behind the image.
    counts = is_a2_or_a3() or has_950_kernels()
    yield case(_values((2, 3, 5, 6), dtype, rng), (8, 15), False, (1.7, 2.5), counted=counts)
    yield case(_values((2, 3, 8, 9), dtype, rng), (3, 6), False, (0.45, 0.7), counted=counts)
    for layout in LAYOUTS[1:]:
        x = _values((2, 3, 4, 5), dtype, rng)
        yield case(x, (7, 3), False, layout=layout, out_layouts=(layout,))
    yield _channels_last(case(_values((2, 3, 4, 5), dtype, rng), (7, 3), False))
    yield case(np.zeros((0, 3, 4, 5), numpy_dtype(dtype)), (2, 2), False)


def grid_sampled(values: Array, grid: Array, mode: int, padding: int, align: bool) -> Array:
    """Return torch.nn.functional.grid_sample of images or volumes."""
    axes = values.ndim - 2
    place, _ = places_of(grid, values.shape[2:], padding, align)
    low = np.rint(place) if mode == NEAREST else np.floor(place)
    above = place - low
    result = np.zeros((*values.shape[:2], *grid.shape[1:-1]))
    batch = np.arange(values.shape[0]).reshape(-1, *(1,) * axes)
    for corner in [(0,) * axes] if mode == NEAREST else list(product((0, 1), repeat=axes)):
        at = (low + corner).astype(int)
        inside = np.all((at >= 0) & (at < np.array(values.shape[:1:-1])), axis=-1)
        index = (batch, *(np.where(inside, at[..., axes - 1 - i], 0) for i in range(axes)))
        ends = np.where(np.array(corner) == 1, above, 1 - above)
        weight = inside * (1.0 if mode == NEAREST else ends.prod(axis=-1))
        seen = np.moveaxis(values, 1, -1)[index]
        result += np.moveaxis(weight[..., None] * seen, -1, 1)
    return result


def cubic_sampled(values: Array, grid: Array, padding: int, align: bool) -> Array:
    """Return torch.nn.functional.grid_sample(mode="bicubic") of images, which are made larger."""
    extents = np.array(values.shape[:1:-1])
    place = ((grid + 1) * (extents - 1) if align else (grid + 1) * extents - 1) / 2
    low = np.floor(place)
    weights, _ = cubic_weights(place - low)
    margin = int(extents.max()) * 2 + 4
    ways: dict[int, Any] = {ZEROS: "constant", BORDER: "edge"}
    how = ways.get(padding, "reflect" if align else "symmetric")
    image = np.pad(values, ((0, 0), (0, 0), (margin, margin), (margin, margin)), mode=how)
    at = low[..., None].astype(int) + np.arange(-1, 3) + margin
    batch = np.arange(len(values)).reshape(-1, 1, 1, 1, 1)
    x, y = at[..., 0, None, :], at[..., 1, :, None]
    seen = np.moveaxis(image, 1, -1)[batch, y, x]
    both = weights[..., 1, :, None] * weights[..., 0, None, :]
    return np.moveaxis((seen * both[..., None]).sum(axis=(3, 4)), -1, 1)


def _grid_case(
    dtype: str, rng: np.random.Generator, shape: tuple[int, ...], points: tuple[int, ...],
    mode: int, padding: int, align: bool,
    layouts: tuple[str, str] = ("contiguous", "contiguous"), **more: Any,
) -> Case:  # fmt: skip
    x = _values(shape, dtype, rng)
    # Eighths, which every type holds: a place is no other one after rounding.
    grid = rng.integers(-11, 12, (shape[0], *points, len(points))) / 8
    grid = grid.astype(numpy_dtype(dtype))
    wide = x.astype(np.float64), grid.astype(np.float64)
    if mode == BICUBIC:
        golden = cubic_sampled(*wide, padding, align)
    else:
        golden = grid_sampled(*wide, mode, padding, align)
    inputs = (Operand(x, layouts[0]), Operand(grid, layouts[1]), mode, padding, align)
    return Case(f"{shape} at {points} {inputs[2:]} {layouts}", inputs, (golden,), **more)


def _grid_sampler(
    samples: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...],
) -> Callable[[str, np.random.Generator], Iterator[Case]]:
    def cases(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
        if dtype == "bfloat16" and not has_bfloat16():
            return
        for shape, points in samples:
            for mode in (BILINEAR, NEAREST):
                for padding in (ZEROS, BORDER, REFLECTION):
                    yield _grid_case(dtype, rng, shape, points, mode, padding, bool(padding % 2))
            yield _grid_case(dtype, rng, shape, points, BILINEAR, ZEROS, True)
        first_shape, first_points = samples[0]
        for first, second, out in layout_pairs():
            yield _grid_case(
                dtype, rng, first_shape, first_points, BILINEAR, ZEROS, False, (first, second),
                out_layouts=(out,),
            )  # fmt: skip
        yield _grid_case(dtype, rng, (0, *first_shape[1:]), first_points, BILINEAR, ZEROS, False)
        if len(first_points) == 3:
            case = _grid_case(dtype, rng, first_shape, first_points, BILINEAR, BORDER, False)
            yield _channels_last(case)
        elif dtype != "float64" and has_bfloat16():
            for padding, align in product((ZEROS, BORDER, REFLECTION), (False, True)):
                yield _grid_case(dtype, rng, first_shape, first_points, BICUBIC, padding, align)

    return cases


def unfolded(x: Array, w: Windows) -> Array:
    """Return torch.nn.functional.unfold of [..., C, H, W]."""
    (ph, pw), (kh, kw) = w.padding, w.kernel
    padded = np.pad(x, [(0, 0)] * (x.ndim - 2) + [(ph, ph), (pw, pw)])
    counts = [
        (n - d * (k - 1) - 1) // s + 1
        for n, d, k, s in zip(padded.shape[-2:], w.dilation, w.kernel, w.stride, strict=True)
    ]
    taps = []
    for i, j in np.ndindex(kh, kw):
        top, left = i * w.dilation[0], j * w.dilation[1]
        rows = slice(top, top + (counts[0] - 1) * w.stride[0] + 1, w.stride[0])
        columns = slice(left, left + (counts[1] - 1) * w.stride[1] + 1, w.stride[1])
        taps.append(padded[..., rows, columns].reshape(*x.shape[:-2], 1, counts[0] * counts[1]))
    joined = np.concatenate(taps, axis=-2)
    return np.asarray(joined.reshape(*x.shape[:-3], x.shape[-3] * kh * kw, counts[0] * counts[1]))


#: What the 950 moves besides floats.
_MOVED = (
    "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float64", "bool",
    "complex64",
)  # fmt: skip


def _im2col(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    if (dtype == "bfloat16" and not has_bfloat16()) or (dtype in _MOVED and not is_950()):
        return

    def case(axes: tuple[int, ...], w: Windows, layout: str = "contiguous", **more: Any) -> Case:
        x = values_of((*axes, *w.size), dtype, rng)
        inputs = (Operand(x, layout), w.kernel, w.dilation, w.padding, w.stride)
        return Case(f"{axes} {w} {layout}", inputs, (unfolded(exact(x), w),), **more)

    for axes, windows in IMAGES:
        yield case(axes, windows)
    for layout in LAYOUTS[1:]:
        yield case(*IMAGES[6], layout, out_layouts=(layout,))
    yield case((0, 2), Windows((4, 5), (2, 2)))
    others = {"float16": "float32", "int32": "float32", "float64": "complex64"}
    if dtype in others:
        yield case(*IMAGES[2], out_dtypes=(others[dtype],))
    if dtype == "float32":  # a cast to integers cuts off
        x = rng.uniform(-9, 9, (2, 3, 6, 7)).astype(np.float32)
        w = Windows((6, 7), (3, 2), padding=(1, 1))
        inputs = (Operand(x), w.kernel, w.dilation, w.padding, w.stride)
        yield Case("to int32", inputs, (np.trunc(unfolded(x, w)).astype(np.int64),),
                   out_dtypes=("int32",))  # fmt: skip


def _planes(dtype: str, rng: np.random.Generator) -> Iterable[Case]:
    if dtype == "bfloat16" and release() < (9, 1) and not is_950():
        return ()
    return _grid_sampler(SAMPLES_2D)(dtype, rng)


SUITES = (
    Suite("upsample_nearest2d", (*FLOATS, "float64", "uint8"), _nearest),
    Suite("upsample_bilinear2d", FLOATS, _bilinear),
    Suite("upsample_nearest3d", (*FLOATS, "float64", "uint8"), _nearest_3d),
    Suite(
        "grid_sampler2d", ("float32", "float16", "bfloat16", "float64"), _planes,
    ),
    Suite(
        "grid_sampler3d", ("float32", "float16", "bfloat16", "float64"), _grid_sampler(SAMPLES_3D),
    ),
    Suite(
        "im2col", (*FLOATS, *_MOVED), _im2col,
    ),
)  # fmt: skip
