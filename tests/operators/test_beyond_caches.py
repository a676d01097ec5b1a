"""Results so large that kernels write them past the caches, in blocks, by several threads."""

from __future__ import annotations

import numpy as np
import pytest

import pyaclnn as pa

_DTYPES = ["float32", "float16", "bfloat16"]


def _values(count: int, dtype: str, seed: int) -> np.ndarray:
    values = np.random.default_rng(seed).uniform(-2, 2, count)
    return values.astype(pa.tensor.as_dtype(dtype))


@pytest.mark.parametrize("dtype", _DTYPES)
@pytest.mark.parametrize("offset", [0, 1], ids=["aligned", "one element off"])
def test_a_selection_is_exact(dtype: str, offset: int) -> None:
    count = (1 << 22) + 261
    grad, x = _values(count + offset, dtype, 1), _values(count + offset, dtype, 2)
    out = pa.zeros(count + offset + 3, dtype)

    pa.ops.softshrink_backward(
        pa.asarray(grad)[offset:], pa.asarray(x)[offset:], 0.5, out=out[offset : offset + count]
    )

    # The elements beside the result are still 0.
    expected = np.zeros(count + offset + 3, grad.dtype)
    expected[offset : offset + count] = np.where(np.abs(x) <= 0.5, 0, grad)[offset:]
    np.testing.assert_array_equal(out.numpy(), expected)


@pytest.mark.parametrize("dtype", _DTYPES)
@pytest.mark.parametrize(("length", "step"), [(1023, 1), (4097, 1), (4097, 2)])
def test_softmax_rows(dtype: str, length: int, step: int) -> None:
    shape = ((1 << 22) // length + 3, length)
    grad = _values(shape[0] * length, dtype, 3).reshape(shape)
    y = (_values(shape[0] * length, dtype, 4).reshape(shape) / 64).astype(grad.dtype)

    lying = pa.asarray(np.repeat(y, step, 1))[:, ::step]
    result = pa.ops.softmax_backward(pa.asarray(grad), lying, 1).numpy()

    wide_grad, wide_y = grad.astype(np.float64), y.astype(np.float64)
    expected = wide_y * (wide_grad - (wide_grad * wide_y).sum(1, keepdims=True))
    error = np.abs(result.astype(np.float64) - expected) / (np.abs(expected) + 1e-3)
    assert error.max() < {"float32": 1e-3, "float16": 5e-3, "bfloat16": 2e-2}[dtype]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_every_number_of_a_narrow_type(dtype: str) -> None:
    patterns = np.tile(np.arange(1 << 16, dtype=np.uint16), 65)
    values = patterns.view(pa.tensor.as_dtype(dtype))

    found = pa.ops.abs(pa.asarray(values)).numpy()

    wide = np.abs(values.astype(np.float32))
    np.testing.assert_array_equal(found.astype(np.float32), wide)


@pytest.mark.parametrize("dtype", [*_DTYPES, "int8"])
def test_a_fill_reaches_all_and_no_more(dtype: str) -> None:
    # With float32 so much that it goes past the caches.
    count = ((3 << 22) if dtype == "float32" else (1 << 23)) + 261
    out = pa.zeros(count + 2, dtype)

    pa.ops.inplace_fill_scalar(out[1 : count + 1], 3)

    expected = np.full(count + 2, 3, pa.tensor.as_dtype(dtype))
    expected[[0, -1]] = 0
    np.testing.assert_array_equal(out.numpy(), expected)


@pytest.mark.parametrize("dtype", ["float32", "float16", "int8"])
def test_turned_rows(dtype: str) -> None:
    values = (np.arange((1 << 21) + 3 * 1031) % 113).astype(pa.tensor.as_dtype(dtype))
    for x in (np.resize(values, (2035, 1031)), np.resize(values, (9, 1 << 18)), values):
        flipped = pa.ops.flip(pa.asarray(x), [x.ndim - 1]).numpy()

        np.testing.assert_array_equal(flipped, np.flip(x, -1))
