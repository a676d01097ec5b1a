"""Outputs whose shape depends on data: calls return them in it, `filled_part` reads others'."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.abi import ffi, lib


def view_shape(tensor: pa.Tensor) -> tuple[int, ...]:
    extents, count = ffi.new("int64_t **"), ffi.new("uint64_t *")
    assert lib.aclGetViewShape(tensor.handle, extents, count) == 0
    return tuple(extents[0][i] for i in range(count[0]))


MASK = np.array([1, 0, 1, 0, 0, 1], bool)
NUMBERS = np.array([3, 1, 3, 3, 2, 1], np.int32)


def test_the_tensor_of_c_has_the_shape_that_was_found() -> None:
    x, out = pa.asarray(np.arange(6, dtype=np.float32)), pa.empty((6,))

    found = pa.ops.masked_select(x, pa.asarray(MASK), out=out)
    pa.current_stream().sync()

    assert found is out
    assert out.shape == (6,)
    assert view_shape(out) == (3,)
    assert pa.filled_part(out).numpy().tolist() == [0.0, 2.0, 5.0]


def by_numpy(**options: bool) -> list[np.ndarray[Any, Any]]:
    return list(np.unique(NUMBERS, **options))


def runs() -> list[list[int]]:
    """Values of equal neighbours, which run each number belongs to, and how long each is."""
    new = np.flatnonzero(np.r_[True, NUMBERS[1:] != NUMBERS[:-1]])
    of_run = np.cumsum(np.r_[True, NUMBERS[1:] != NUMBERS[:-1]]) - 1
    return [NUMBERS[new].tolist(), of_run.tolist(), np.diff(np.r_[new, NUMBERS.size]).tolist()]


SORTED = [a.tolist() for a in by_numpy(return_inverse=True, return_counts=True)]


@pytest.mark.parametrize(
    ("name", "inputs", "expected"),
    [
        ("masked_select", (NUMBERS, MASK), [[3, 3, 1]]),
        ("nonzero", (MASK.reshape(2, 3),), [[[0, 0], [0, 2], [1, 2]]]),
        ("nonzero_v2", (MASK.reshape(2, 3),), [[[0, 0, 1], [0, 2, 2]]]),
        ("unique", (NUMBERS, True, True), SORTED[:2]),
        ("unique2", (NUMBERS, True, True, True), SORTED),
        ("unique_consecutive", (NUMBERS, True, True, 1000), runs()),
        ("unique_dim", (NUMBERS, True, True, 0), SORTED),
    ],
)
@pytest.mark.parametrize("elsewhere", [False, True])
def test_calls_return_tensors_of_the_right_shapes(
    name: str, inputs: tuple[Any, ...], expected: list[Any], elsewhere: bool
) -> None:
    given = [pa.asarray(v) if isinstance(v, np.ndarray) else v for v in inputs]
    pa.current_stream().sync()
    for _ in range(3):  # by the general call, and by the compiled one
        with pa.current_device().create_stream() as stream:
            found = pa.ops[name](*given, stream=stream if elsewhere else None)
        tensors = found if isinstance(found, tuple) else (found,)

        assert [t.shape for t in tensors] == [np.shape(e) for e in expected]
        assert [t.numpy().tolist() for t in tensors] == expected
        # They are tensors as others are.
        assert pa.ops.abs(tensors[0]).shape == tensors[0].shape


def test_a_graph_keeps_room_for_all_that_may_be_found() -> None:
    x, mask = pa.asarray(NUMBERS), pa.asarray(MASK)
    with pa.current_device().create_stream() as stream, stream:
        with pa.Graph.capture() as graph:
            found = pa.ops.masked_select(x, mask)
        assert found.shape == (6,)
        graph.run()
        assert pa.filled_part(found).numpy().tolist() == [3, 3, 1]
        graph.close()


def test_memory_that_is_used_again_has_its_own_shape() -> None:
    mask = pa.asarray(np.array([1, 0, 0, 0], bool))
    for _ in range(4):
        found = pa.ops.masked_select(pa.ones((4,)), mask)
        assert found.shape == (1,)
        del found

        assert pa.ops.abs(pa.full((4,), -2.0)).numpy().tolist() == [2.0] * 4


def test_the_same_output_is_given_anew() -> None:
    out = pa.empty((4,))
    for count in (3, 1, 4):
        mask = pa.asarray(np.arange(4) < count)

        pa.ops.masked_select(pa.ones((4,)), mask, out=out)

        assert pa.filled_part(out).shape == (count,)


def test_an_output_that_is_not_contiguous_is_refused() -> None:
    out = pa.empty((8,))[::2]

    with pytest.raises(pa.AclParameterError, match="not contiguous"):
        pa.ops.masked_select(pa.ones((4,)), pa.ones((4,), "bool"), out=out)


def test_a_number_that_the_table_does_not_have_ends_the_task() -> None:
    picked = pa.ops.gather_v2(pa.ones((4,)), 0, pa.asarray(np.array([0, 4])))

    with pytest.raises(pa.AclError) as error:
        picked.numpy()

    assert error.value.code == 507015
