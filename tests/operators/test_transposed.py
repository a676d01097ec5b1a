"""Copies between memory that is dense along different axes, beside NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import pyaclnn as pa

#: Shapes that fill tiles and lines of tiles, or do not, and orders of their axes.
CASES = (
    ((64, 64), (1, 0)),
    ((65, 131), (1, 0)),
    ((131, 65), (1, 0)),
    ((1000, 9), (1, 0)),
    ((5, 70, 33), (0, 2, 1)),
    ((3, 70, 129), (2, 1, 0)),
    ((9, 8, 200, 3), (2, 0, 3, 1)),
)


@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "float32", "int64"])
@pytest.mark.parametrize(("shape", "order"), CASES)
def test_axes_in_another_order(shape: tuple[int, ...], order: tuple[int, ...], dtype: str) -> None:
    values = np.random.default_rng(0).integers(0, 100, shape).astype(dtype)
    found = pa.ops.permute(pa.asarray(values), list(order))
    np.testing.assert_array_equal(found.numpy(), values.transpose(order))


def test_parts_of_transposed_matrices() -> None:
    values = np.random.default_rng(0).random((200, 150), np.float32)
    target = pa.zeros((151, 203))
    pa.ops.inplace_copy(target[1:, 2:201], pa.asarray(values).T[:, 1:])
    expected = np.zeros((151, 203), np.float32)
    expected[1:, 2:201] = values.T[:, 1:]
    np.testing.assert_array_equal(target.numpy(), expected)


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "int64"])
@pytest.mark.parametrize("way", ["apart", "repeated", "alike", "short"])
def test_a_transposed_copy_is_of_dense_axes(way: str, dtype: str) -> None:
    values = np.random.default_rng(0).integers(0, 100, (192, 200)).astype(dtype)
    source, target = pa.asarray(values), pa.zeros((200, 402), dtype)
    if way == "apart":
        source, target = source.T, target[:, :384:2]
    elif way == "repeated":
        source, target = (
            source[:, :, None].broadcast_to((192, 200, 9)),
            pa.zeros((192, 200, 9), dtype),
        )
    elif way == "alike":
        source, target = source[:, 3:], target[:192, 5:202]
    else:
        source, target = source[:3].T, target[:, :3]

    expected = source.numpy().copy()
    pa.ops.inplace_copy(target, source)

    np.testing.assert_array_equal(target.numpy(), expected)


def test_a_matrix_beyond_the_caches() -> None:
    values = np.random.default_rng(0).random((1500, 1700), np.float32)
    found = pa.ops.permute(pa.asarray(values), [1, 0])
    np.testing.assert_array_equal(found.numpy(), values.T)


@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "complex64", "complex128"])
@pytest.mark.parametrize("shape", [(5, 1, 3, 1), (1, 7, 1), (2, 1)])
def test_one_element_all_along_a_row(shape: tuple[int, ...], dtype: str) -> None:
    values = np.random.default_rng(0).integers(0, 100, shape).astype(dtype)
    wide = (*shape[:-1], 70_000 if len(shape) == 2 else 130)
    target = pa.zeros((*wide[:-1], wide[-1] + 3), dtype)
    pa.ops.inplace_copy(target[..., 1:-2], pa.asarray(values).broadcast_to(wide))
    expected = np.zeros(target.shape, dtype)
    expected[..., 1:-2] = np.broadcast_to(values, wide)
    np.testing.assert_array_equal(target.numpy(), expected)


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "complex128"])
@pytest.mark.parametrize("width", [1, 2, 16, 17, 31, 33, 63, 127, 200, 600])
def test_many_short_rows(width: int, dtype: str) -> None:
    values = np.random.default_rng(0).integers(0, 100, (3, 5, 7, width + 2)).astype(dtype)
    moved = pa.asarray(values)[..., 1:-1].permute((0, 2, 1, 3))
    target = pa.zeros((3, 7, 6, width + 1), dtype)
    pa.ops.inplace_copy(target[:, :, 1:, 1:], moved)
    expected = np.zeros(target.shape, dtype)
    expected[:, :, 1:, 1:] = values[..., 1:-1].transpose(0, 2, 1, 3)
    np.testing.assert_array_equal(target.numpy(), expected)


@pytest.mark.parametrize("width", [15, 40, 3000])
def test_one_row_again_and_again(width: int) -> None:
    row = np.random.default_rng(0).random((1, width), np.float32)
    target = pa.zeros((9, width + 1))
    pa.ops.inplace_copy(target[:, 1:], pa.asarray(row).broadcast_to((9, width)))
    np.testing.assert_array_equal(target.numpy()[:, 1:], np.broadcast_to(row, (9, width)))
    assert not target.numpy()[:, 0].any()
