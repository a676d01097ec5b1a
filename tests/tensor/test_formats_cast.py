"""Tensors in FRACTAL_NZ as Python has them: values there and back, products, what they have not."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import pyaclnn as pa
from pyaclnn.selftest.layouts import in_blocks


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int8", "int32"])
@pytest.mark.parametrize("shape", [(3, 5), (16, 32), (2, 3, 33, 17)])
def test_values_come_back(shape: tuple[int, ...], dtype: str) -> None:
    kind = np.dtype(ml_dtypes.bfloat16) if dtype == "bfloat16" else np.dtype(dtype)
    values = (np.arange(np.prod(shape)) % 100).reshape(shape).astype(kind)

    blocks = pa.format_cast(pa.asarray(values), "FRACTAL_NZ")

    assert blocks.format == "FRACTAL_NZ"
    assert blocks.shape == shape
    assert np.array_equal(blocks.numpy(), values)
    assert str(blocks) == str(values)
    back = pa.format_cast(blocks, "ND")
    assert np.array_equal(back.numpy(), values)
    assert back.format == {2: "ND", 4: "NCHW"}[len(shape)]
    memory = pa.Tensor(blocks.buffer, in_blocks(values).shape, kind)
    assert np.array_equal(memory.numpy(), in_blocks(values))


def test_values_are_written_into_blocks() -> None:
    blocks = pa.format_cast(pa.zeros((5, 7), "float16"), "FRACTAL_NZ")
    values = np.arange(35).reshape(5, 7).astype(np.float16)

    blocks.copy_from(values)

    assert np.array_equal(pa.format_cast(blocks, "ND").numpy(), values)


def test_a_weight_that_was_cast_is_multiplied() -> None:
    a, b = np.ones((3, 20), np.float16), (np.arange(140) % 5).reshape(20, 7).astype(np.float16)
    weight = pa.format_cast(pa.asarray(b), "FRACTAL_NZ")

    product = pa.ops.matmul_weight_nz(pa.asarray(a), weight, 0)

    assert np.array_equal(product.numpy(), a @ b)


def test_blocks_have_no_views() -> None:
    blocks = pa.format_cast(pa.zeros((32, 32), "float16"), "FRACTAL_NZ")

    for view in (lambda: blocks[1:], lambda: blocks.T, lambda: blocks.reshape(-1)):
        with pytest.raises(TypeError, match="FRACTAL_NZ"):
            view()
    with pytest.raises(TypeError, match="FRACTAL_NZ"):
        blocks.numpy(stream=pa.current_stream())


def test_other_formats_and_vectors_are_refused() -> None:
    with pytest.raises(ValueError, match="neither"):
        pa.format_cast(pa.zeros((3, 4)), "NHWC")
    with pytest.raises(ValueError, match="no matrices"):
        pa.format_cast(pa.zeros((3,)), "FRACTAL_NZ")
    with pytest.raises(pa.AclError):
        pa.format_cast(pa.zeros((3, 4), "float64"), "FRACTAL_NZ")
