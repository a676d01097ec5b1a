"""Masks, integer arrays, slices backwards and mixtures select what NumPy selects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyaclnn as pa

VALUES = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5)
MASK2 = np.array([[True, False, True], [False, False, True]])
MASK4 = VALUES % 3 == 0
I = np.array([2, 0, -1, 2])  # noqa: E741
J = np.array([[1], [0]])

KEYS: list[Any] = [
    MASK4,
    MASK2,
    np.zeros((2, 3), bool),
    (MASK2, 1),
    (MASK2, slice(1, 3), np.array([0, 4, 1])),
    (slice(None), I),
    (slice(None), I[None], slice(None, None, -1)),
    (J % 2, I, I),
    (0, slice(None), I),
    (0, I),
    (0, slice(1, 3), slice(None), I),
    (J, slice(None), I),
    (..., I),
    (..., I, None),
    (None, J, ..., None, I),
    (slice(None), I, slice(None, None, -2), I),
    slice(None, None, -1),
    (slice(None), slice(2, 0, -1), 1, slice(None, None, -3)),
    (slice(0, 0, -1), 1),
    np.zeros((0,), np.int64),
    (slice(None), np.zeros((0, 2), np.int64), 1),
    True,
    False,
    (slice(None), True),
    [1, 0, 1],
    ([0, 1], [2, 0]),
    (np.int64(1), I),
    (np.array(1), slice(None, None, -1)),
    (slice(None), np.array([1, 2], np.uint8)),
]


def on_device(key: Any) -> Any:
    """The same key with its arrays as tensors."""
    if isinstance(key, tuple):
        return tuple(map(on_device, key))
    return pa.asarray(key) if isinstance(key, np.ndarray) and key.ndim else key


@pytest.mark.parametrize("key", KEYS, ids=range(len(KEYS)))
@pytest.mark.parametrize("arrays", ["host", "device"])
@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "complex64", "uint16", "bfloat16"])
def test_selecting(key: Any, arrays: str, dtype: str) -> None:
    values = VALUES.astype(pa.tensor.as_dtype(dtype))

    selected = pa.asarray(values)[key if arrays == "host" else on_device(key)]

    expected = values[key]
    assert (selected.shape, selected.dtype) == (expected.shape, expected.dtype)
    assert np.array_equal(selected.numpy(), expected)


@pytest.mark.parametrize("key", KEYS, ids=range(len(KEYS)))
@pytest.mark.parametrize("arrays", ["host", "device"])
@pytest.mark.parametrize("dtype", ["float32", "int8", "complex64", "uint32"])
def test_assigning_numbers_and_tensors(key: Any, arrays: str, dtype: str) -> None:
    values = VALUES.astype(dtype)
    x = pa.asarray(values)
    place = key if arrays == "host" else on_device(key)

    x[place] = 7
    values[key] = 7
    assert np.array_equal(x.numpy(), values)
    # Each element a value of its own; where one is written twice, with the same.
    given = -VALUES.astype(dtype)[key]
    x[place] = pa.asarray(given)
    values[key] = given
    assert np.array_equal(x.numpy(), values)


def test_selecting_from_views_and_writing_to_them() -> None:
    values = VALUES.astype(np.float32)
    x = pa.asarray(values)

    view, host = x[1].transpose(2, 0, 1)[::2], values[1].transpose(2, 0, 1)[::2]
    assert np.array_equal(view[I[:2], :, [1, 2]].numpy(), host[I[:2], :, [1, 2]])
    view[:, [2, 0]] = pa.asarray(np.float32([[1], [2]]))
    host[:, [2, 0]] = np.float32([[1], [2]])
    view[host > 50] += 1
    host[host > 50] += 1
    view[::-1] = view
    host[::-1] = host.copy()
    assert np.array_equal(x.numpy(), values)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (np.array([0, 2]), "index 2 is out of bounds for axis 0 with size 2"),
        ((slice(None), [-4]), "index -4 is out of bounds for axis 1 with size 3"),
        (np.ones((3, 3), bool), "boolean index did not match"),
        (np.array([0.5]), "integer or bool type, not float64"),
        (1.5, "not float"),
        ("text", "not str"),
        ((0, 0, 0, 0, I), "5 indices for 4 dimensions"),
        ((..., I, ...), "only one ellipsis"),
        (([0, 1], [0, 1, 2]), "could not be broadcast together"),
    ],
)
def test_keys_of_the_host_are_refused_before_any_launch(key: Any, message: str) -> None:
    x = pa.asarray(VALUES)

    with pytest.raises(IndexError, match=message):
        x[key]
    with pytest.raises(IndexError, match=message):
        x[key] = 1
    with pytest.raises(ValueError, match="zero"):
        x[::0]


def test_values_that_do_not_fit_are_refused() -> None:
    x = pa.asarray(VALUES)

    with pytest.raises(ValueError, match="broadcast"):
        x[I % 2] = pa.zeros((7,))
    with pytest.raises(TypeError, match=r"pyaclnn\.asarray"):
        x[I % 2] = VALUES[I % 2]
