"""The largest element of each window, whichever of equal ones and of NaNs it is."""

from __future__ import annotations

import numpy as np
import pytest

import pyaclnn as pa


def _image(dtype: str, height: int, width: int) -> np.ndarray:
    """Return few different values, some rows of -inf only, and some NaNs."""
    random = np.random.default_rng(11)
    x = random.integers(-2, 3, (2, 2, height, width)).astype(np.float32)
    x[:, :, :7] = -np.inf
    x[0][random.random(x[0].shape) < 0.1] = np.nan
    return x.astype(pa.tensor.as_dtype(dtype))


def _largest(x: np.ndarray, rows: list[range], columns: list[range]) -> tuple[np.ndarray, ...]:
    """Return the largest elements and their places: the last NaN, else the first of equal ones."""
    values = np.empty((*x.shape[:2], len(rows), len(columns)), x.dtype)
    places = np.empty(values.shape, np.int64)
    for n, c, i, j in np.ndindex(values.shape):
        inside = [(h, w) for h in rows[i] for w in columns[j]]
        taken = [float(x[n, c, h, w]) for h, w in inside]
        nans = np.flatnonzero(np.isnan(taken))
        at = nans[-1] if len(nans) else int(np.argmax(taken))
        values[n, c, i, j] = x[n, c][inside[at]]
        places[n, c, i, j] = inside[at][0] * x.shape[3] + inside[at][1]
    return values, places


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("ceil_mode", [False, True])
@pytest.mark.parametrize(
    ("kernel", "stride", "padding"),
    [((3, 3), (2, 2), (1, 1)), ((2, 2), (2, 2), (0, 0)), ((3, 5), (1, 1), (1, 2)),
     ((2, 4), (3, 3), (0, 1)), ((5, 1), (4, 2), (2, 0)), ((1, 2), (1, 5), (0, 1))],
)  # fmt: skip
def test_windows_at_a_time(
    kernel: tuple[int, int],
    stride: tuple[int, int],
    padding: tuple[int, int],
    ceil_mode: bool,
    dtype: str,
) -> None:
    x = _image(dtype, 17, 83)
    out, indices = pa.ops.max_pool2d_with_indices(
        pa.asarray(x), kernel, stride, padding, (1, 1), ceil_mode
    )

    def inside(axis: int) -> list[range]:
        extent = x.shape[2 + axis]
        starts = (i * stride[axis] - padding[axis] for i in range(out.shape[2 + axis]))
        return [range(max(s, 0), min(s + kernel[axis], extent)) for s in starts]

    values, places = _largest(x, inside(0), inside(1))
    np.testing.assert_array_equal(out.numpy().astype(np.float32), values.astype(np.float32))
    np.testing.assert_array_equal(indices.numpy(), places)


@pytest.mark.parametrize("size", [(4, 20), (5, 27), (17, 83), (3, 40)])
def test_adaptive_windows(size: tuple[int, int]) -> None:
    x = _image("float32", 17, 80)
    out, indices = pa.ops.adaptive_max_pool2d(pa.asarray(x), size)

    def inside(axis: int) -> list[range]:
        extent, count = x.shape[2 + axis], size[axis]
        return [range(i * extent // count, -(-(i + 1) * extent // count)) for i in range(count)]

    values, places = _largest(x, inside(0), inside(1))
    np.testing.assert_array_equal(out.numpy(), values)
    np.testing.assert_array_equal(indices.numpy(), places)
