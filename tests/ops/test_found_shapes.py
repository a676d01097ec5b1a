"""Outputs whose shape depends on data: the aclTensor says it after the run, `trimmed` in Python."""

from __future__ import annotations

import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.abi import ffi, lib


def view_shape(tensor: pa.Tensor) -> tuple[int, ...]:
    extents, count = ffi.new("int64_t **"), ffi.new("uint64_t *")
    assert lib.aclGetViewShape(tensor.handle, extents, count) == 0
    return tuple(extents[0][i] for i in range(count[0]))


def test_the_tensor_of_c_has_the_shape_that_was_found() -> None:
    x = pa.asarray(np.arange(6, dtype=np.float32))
    mask = pa.asarray(np.array([1, 0, 1, 0, 0, 1], bool))

    found = pa.ops.masked_select(x, mask)
    pa.current_stream().sync()

    assert view_shape(found) == (3,)
    assert found.shape == (6,)
    assert pa.trimmed(found).numpy().tolist() == [0.0, 2.0, 5.0]


def test_memory_that_is_used_again_has_its_own_shape() -> None:
    mask = pa.asarray(np.array([1, 0, 0, 0], bool))
    for _ in range(4):
        found = pa.ops.masked_select(pa.ones((4,)), mask)
        assert pa.trimmed(found).shape == (1,)
        del found

        assert pa.ops.abs(pa.full((4,), -2.0)).numpy().tolist() == [2.0] * 4


def test_the_same_output_is_given_anew() -> None:
    out = pa.empty((4,))
    for count in (3, 1, 4):
        mask = pa.asarray(np.arange(4) < count)

        pa.ops.masked_select(pa.ones((4,)), mask, out=out)

        assert pa.trimmed(out).shape == (count,)


def test_an_output_that_is_not_contiguous_is_refused() -> None:
    out = pa.empty((8,))[::2]

    with pytest.raises(pa.AclParameterError, match="not contiguous"):
        pa.ops.masked_select(pa.ones((4,)), pa.ones((4,), "bool"), out=out)


def test_a_number_that_the_table_does_not_have_ends_the_task() -> None:
    picked = pa.ops.gather_v2(pa.ones((4,)), 0, pa.asarray(np.array([0, 4])))

    with pytest.raises(pa.AclError) as error:
        picked.numpy()

    assert error.value.code == 507015
