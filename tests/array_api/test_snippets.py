"""What NumPy's and CuPy's quickstarts teach first, with `xp` for `np`, gives what NumPy gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyaclnn as pa
import pyaclnn.array_api as xp

SNIPPETS: list[Callable[[Any], Any]] = []


def snippet(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Take a function of the namespace for a snippet."""
    SNIPPETS.append(function)
    return function


def floats(np: Any, *shape: int) -> Any:
    """Return a few numbers that are not in order."""
    count = int(np.prod(np.asarray(shape)))
    return np.reshape(np.astype(np.arange(count), np.float32) * 7 % 11 - 4, shape)


@snippet
def arange_and_shape(np: Any) -> Any:
    a = np.reshape(np.arange(15), (3, 5))
    return a, a.shape, a.ndim, a.size, a.dtype.name


@snippet
def arrays_of_lists(np: Any) -> Any:
    return np.asarray([(1, 2, 3), (4, 5, 6)]), np.asarray([[1, 2], [3, 4]], dtype=np.complex64)


@snippet
def placeholders(np: Any) -> Any:
    return np.zeros((3, 4)), np.ones((2, 3, 4), dtype=np.int16), np.full((2, 2), 7)


@snippet
def ranges(np: Any) -> Any:
    return np.arange(10, 30, 5), np.arange(0, 2, 0.3), np.linspace(0, 2, 9)


@snippet
def a_function_of_many_points(np: Any) -> Any:
    return np.sin(np.linspace(0, 2 * np.pi, 100))


@snippet
def basic_operations(np: Any) -> Any:
    a, b = np.asarray([20, 30, 40, 50]), np.arange(4)
    return a - b, b**2, a < 35, 10 * np.sin(np.astype(a, np.float32))


@snippet
def products(np: Any) -> Any:
    a, b = np.asarray([[1.0, 1.0], [0.0, 1.0]]), np.asarray([[2.0, 0.0], [3.0, 4.0]])
    return a * b, a @ b, np.matmul(a, b)


@snippet
def in_place(np: Any) -> Any:
    a, b = np.ones((2, 3), dtype=np.int64), floats(np, 2, 3)
    a *= 3
    b += np.astype(a, np.float32)
    return a, b


@snippet
def reductions(np: Any) -> Any:
    a = floats(np, 3, 4)
    return np.sum(a), np.min(a), np.max(a), np.sum(a, axis=0), np.min(a, axis=1)


@snippet
def sums_along_an_axis(np: Any) -> Any:
    a = np.reshape(np.arange(12), (3, 4))
    return np.cumulative_sum(a, axis=1), a.sum(axis=0), a.max(axis=1)


@snippet
def universal_functions(np: Any) -> Any:
    b = np.astype(np.arange(3), np.float32)
    return np.exp(b), np.sqrt(b), np.add(b, np.asarray([2.0, -1.0, 4.0]))


@snippet
def indexing_one_axis(np: Any) -> Any:
    a = np.arange(10) ** 3
    a[:6:2] = 1000
    return a[2], a[2:5], a[::-1], [int(i) for i in a]


@snippet
def indexing_several_axes(np: Any) -> Any:
    b = np.reshape(np.arange(20), (5, 4))
    return b[2, 3], b[0:5, 1], b[:, 1], b[1:3, :], b[-1], b[..., 0]


@snippet
def changing_shapes(np: Any) -> Any:
    a = floats(np, 3, 4)
    return np.reshape(a, (-1,)), a.T, np.reshape(a, (6, 2)), a.T.shape


@snippet
def stacking(np: Any) -> Any:
    a, b = floats(np, 2, 2), floats(np, 2, 2) + 1
    return np.concat([a, b]), np.concat([a, b], axis=1), np.stack([a, b])


@snippet
def views_and_copies(np: Any) -> Any:
    a = np.reshape(np.arange(12), (3, 4))
    view, copy = a[:, 1:3], np.asarray(a, copy=True)
    view[:] = 10
    return a, copy


@snippet
def arrays_of_indices(np: Any) -> Any:
    a = np.arange(12) ** 2
    return a[np.asarray([1, 1, 3, 8, 5])], a[np.asarray([[3, 4], [9, 7]])]


@snippet
def indices_of_several_axes(np: Any) -> Any:
    a = np.reshape(np.arange(12), (3, 4))
    i, j = np.asarray([[0, 1], [1, 2]]), np.asarray([[2, 1], [3, 3]])
    return a[i, j], a[i, 2], a[:, j]


@snippet
def largest_of_series(np: Any) -> Any:
    data = np.sin(np.reshape(np.astype(np.arange(20), np.float32), (5, 4)))
    at = np.argmax(data, axis=0)
    return at, data[at, np.arange(4)], np.all(data[at, np.arange(4)] == np.max(data, axis=0))


@snippet
def masks(np: Any) -> Any:
    a = np.reshape(np.arange(12), (3, 4))
    b = a > 4
    chosen = a[b]
    a[b] = 0
    return b, chosen, a, a[np.asarray([False, True, True]), :]


@snippet
def sorting_and_sets(np: Any) -> Any:
    a = np.asarray([2, 1, 5, 3, 7, 4, 6, 8, 2, 1])
    values, counts = np.unique_counts(a)
    return np.sort(a), np.argsort(a, stable=True), values, counts, np.flip(a)


@snippet
def linear_algebra(np: Any) -> Any:
    a = np.asarray([[1.0, 2.0], [3.0, 4.0]])
    y = np.asarray([[5.0], [7.0]])
    return np.linalg.inv(a), np.linalg.solve(a, y), np.linalg.trace(a), np.linalg.det(a)


@snippet
def norm_and_means(np: Any) -> Any:
    a = floats(np, 5, 3)
    norm = np.linalg.vector_norm(a, axis=1, keepdims=True)
    return norm, a / norm, np.mean(a), np.std(a, axis=0), np.var(a, correction=1)


def flattened(result: Any) -> list[Any]:
    return (
        [f for r in result for f in flattened(r)] if isinstance(result, (tuple, list)) else [result]
    )


@pytest.mark.parametrize("function", SNIPPETS, ids=lambda f: f.__name__)
def test_snippets_give_what_numpy_gives(function: Callable[[Any], Any]) -> None:
    results, expected = flattened(function(xp)), flattened(function(np))

    assert len(results) == len(expected)
    for result, wanted in zip(results, expected, strict=True):
        if not isinstance(result, pa.Tensor):
            assert result == wanted
            continue
        assert result.shape == np.shape(wanted)
        assert result.dtype.kind == np.asarray(wanted).dtype.kind
        np.testing.assert_allclose(result.numpy(), wanted, rtol=2e-5, atol=2e-6)
