"""Pooling with what CANN calls a mask: indices in the bytes of an int8 tensor."""

from __future__ import annotations

import numpy as np
import pytest

import pyaclnn as pa

FIND_KERNEL = 561003


def test_a_mask_may_have_any_shape_that_holds_the_indices() -> None:
    grad, image = pa.ones((1, 1, 2, 2)), pa.ones((1, 1, 4, 4))
    window = ((2, 2), (2, 2), (0, 0), (1, 1), False)
    places = np.array([0, 3, 8, 15], np.int32)
    for size in (16, 64, 400):
        mask = np.zeros((1, 1, size), np.int8)
        mask.view(np.int32)[0, 0, :4] = places
        result = pa.ops.max_pool2d_with_mask_backward(grad, image, pa.asarray(mask), *window)
        np.testing.assert_array_equal(np.flatnonzero(result.numpy()), places)


def test_a_mask_of_bits_is_said_not_to_be_simulated() -> None:
    grad, image = pa.ones((2, 3, 4, 4)), pa.ones((2, 3, 4, 4))
    mask = pa.ones((2, 3, 1, 64), "int8")

    with pytest.raises(pa.AclError, match="not simulated") as caught:
        pa.ops.max_pool2d_with_mask_backward(grad, image, mask, (1,), (), (0,), (1,), False)

    assert caught.value.code == FIND_KERNEL
