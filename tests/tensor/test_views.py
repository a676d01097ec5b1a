"""Views agree with NumPy's, which does the same arithmetic in bytes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.tensor import views

HOST = np.arange(2 * 3 * 4 * 5, dtype=np.int32).reshape(2, 3, 4, 5)


@pytest.fixture(scope="module")
def tensor() -> pa.Tensor:
    return pa.asarray(HOST)


def assert_same(view: pa.Tensor, expected: np.ndarray) -> None:
    assert view.shape == expected.shape
    assert view.offset * view.itemsize == byte_offset(expected)
    steps = [s // 4 for s, n in zip(expected.strides, expected.shape, strict=True) if n > 1]
    assert [s for s, n in zip(view.strides, view.shape, strict=True) if n > 1] == steps
    np.testing.assert_array_equal(view.numpy(), expected)


def byte_offset(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0] - HOST.__array_interface__["data"][0]


KEYS = [
    np.s_[0],
    np.s_[-1],
    np.s_[1, 2, 3, 4, ...],  # without the ellipsis NumPy gives a number, not a view
    np.s_[:],
    np.s_[...],
    np.s_[1:],
    np.s_[:, ::2],
    np.s_[:, 1:3, ::3, 4:1:1],
    np.s_[..., -1],
    np.s_[0, ..., 2:],
    np.s_[None],
    np.s_[:, None, 0],
    np.s_[..., None],
    np.s_[1, None, ..., None, 2],
    np.s_[:, :, -100:100],
    np.s_[np.int64(1), np.uint8(2)],
]


@pytest.mark.parametrize("key", [k for k in KEYS if 0 not in HOST[k].shape], ids=str)
def test_indexing(tensor: pa.Tensor, key: Any) -> None:
    assert_same(tensor[key], HOST[key])


@pytest.mark.parametrize("key", [np.s_[5:], np.s_[:, 2:1], np.s_[0:0, 1]])
def test_an_empty_selection_has_numpys_shape(tensor: pa.Tensor, key: Any) -> None:
    assert tensor[key].shape == HOST[key].shape
    assert tensor[key].numpy().shape == HOST[key].shape


@pytest.mark.parametrize(
    "change",
    [
        lambda a: a.T,
        lambda a: a.transpose(),
        lambda a: a.transpose(1, 0, 3, 2),
        lambda a: a.transpose((3, -2, 0, 1)),
        lambda a: a[1].T[::2].T,
        lambda a: a.reshape(6, 20),
        lambda a: a.reshape((2, -1)),
        lambda a: a.reshape(-1),
        lambda a: a.reshape(2, 1, 3, 1, 4, 5, 1),
        lambda a: a[:, 1:].reshape(2, 40),
        lambda a: a[..., ::2].reshape(6, 4, 3),
        lambda a: a.transpose(2, 3, 0, 1).reshape(20, 6),
        lambda a: a[:, :, 1:2].squeeze(),
        lambda a: a[:1, :, :1].squeeze(2),
        lambda a: a[:1, :, :1].squeeze((0, -2)),
        lambda a: a[0, 0, 0, 0, ...],
    ],
    ids=range(16),
)
def test_changing_axes(tensor: pa.Tensor, change: Callable[[Any], Any]) -> None:
    assert_same(change(tensor), change(HOST))


@pytest.mark.parametrize("axis", [0, 2, 4, -1, -5])
def test_expand_dims(tensor: pa.Tensor, axis: int) -> None:
    assert_same(tensor.expand_dims(axis), np.expand_dims(HOST, axis))


@pytest.mark.parametrize("shape", [(2, 3, 4, 5), (7, 2, 3, 4, 5)])
def test_broadcasting(tensor: pa.Tensor, shape: tuple[int, ...]) -> None:
    assert_same(tensor.broadcast_to(shape), np.broadcast_to(HOST, shape))


def test_broadcasting_repeats_with_stride_zero(tensor: pa.Tensor) -> None:
    column = tensor[0, 0, :, :1]

    assert_same(column.broadcast_to(2, 4, 3), np.broadcast_to(HOST[0, 0, :, :1], (2, 4, 3)))
    assert column.broadcast_to((2, 4, 3)).strides == (0, 5, 0)


def test_views_share_memory(tensor: pa.Tensor) -> None:
    own = pa.asarray(HOST)

    own[1].copy_from(np.zeros((3, 4, 5), np.int32))

    assert not own.numpy()[1].any()
    assert own[0].buffer is own.buffer


def test_a_view_keeps_the_memory_alive() -> None:
    view = pa.asarray(HOST)[1]

    np.testing.assert_array_equal(view.numpy(), HOST[1])


REFUSALS = [
    (lambda t: t[2], IndexError, "index 2 is out of range for axis 0 with extent 2"),
    (lambda t: t[0, 0, 0, 0, 0], IndexError, "5 indices for 4 dimensions"),
    (lambda t: t[..., ...], IndexError, "only one ellipsis"),
    (lambda t: t[::0], ValueError, "slice step cannot be zero"),
    (lambda t: t[1.0], IndexError, "valid indices, not float"),
    (lambda t: t.reshape(7, 7), ValueError, "120 elements of shape"),
    (lambda t: t.reshape(-1, -1), ValueError, "one of them may be -1"),
    (lambda t: t.reshape(-1, 7), ValueError, "do not make shape"),
    (lambda t: t.T.reshape(-1), ValueError, "without copying; copy first"),
    (lambda t: t.transpose(0, 1), ValueError, "not a permutation of 4 axes"),
    (lambda t: t.transpose(0, 0, 1, 2), ValueError, "not a permutation"),
    (lambda t: t.transpose(0, 1, 2, 4), ValueError, "axis 4 does not exist"),
    (lambda t: t.broadcast_to(2, 3, 4, 6), ValueError, "cannot be broadcast"),
    (lambda t: t.broadcast_to(5), ValueError, "cannot be broadcast"),
    (lambda t: t.squeeze(1), ValueError, "has not extent 1"),
    (lambda t: t.expand_dims(6), ValueError, "axis 6 does not exist"),
]


@pytest.mark.parametrize(("wrong", "error", "text"), REFUSALS, ids=[r[2] for r in REFUSALS])
def test_refusals(
    tensor: pa.Tensor, wrong: Callable[[pa.Tensor], object], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        wrong(tensor)


def test_random_reshapes_are_views_exactly_where_numpy_has_views() -> None:
    random = np.random.default_rng(7)
    outcomes = set()
    for _ in range(500):
        host = np.arange(96, dtype=np.int32).reshape(random.permutation([2, 3, 4, 4]))
        host = host.transpose(random.permutation(4))[:, : random.integers(1, 5)]
        factors = random.permutation([n for n in (*host.shape, 1) if n])
        cut = random.integers(1, len(factors))
        shape = (math.prod(factors[:cut].tolist()), *factors[cut:].tolist())
        expected = host.reshape(shape)
        is_view = np.shares_memory(host, expected)
        view = (host.shape, tuple(s // 4 for s in host.strides), 0)
        try:
            _, strides, _ = views.reshape(view, shape)
        except ValueError:
            assert not is_view
            outcomes.add("copy")
            continue
        assert is_view
        relevant = [i for i, n in enumerate(shape) if n > 1]
        assert [strides[i] * 4 for i in relevant] == [expected.strides[i] for i in relevant]
        outcomes.add("view")

    assert outcomes == {"copy", "view"}


@pytest.mark.parametrize(
    ("shape", "strides", "expected"),
    [
        ((2, 3), (3, 1), True),
        ((2, 3), (1, 2), False),
        ((1, 3), (99, 1), True),
        ((3, 1), (1, 99), True),
        ((1,), (7,), True),
        ((), (), True),
        ((0, 5), (1, 1), True),
        ((2, 2), (0, 1), False),
    ],
)
def test_contiguity_is_judged_as_aclnn_does(
    shape: tuple[int, ...], strides: tuple[int, ...], expected: bool
) -> None:
    assert views.is_contiguous(shape, strides) is expected
