"""Lists of tensors of all sizes, small ones of which share a kernel."""

from __future__ import annotations

import numpy as np
import pytest

import pyaclnn as pa

#: Around the elements that are worked on at a time, and those of a small tensor.
SIZES = (1, 255, 256, 257, 1000, 32768, 32769, 70000)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int32"])
def test_products_of_tensors_of_all_sizes(dtype: str) -> None:
    rng, element = np.random.default_rng(0), pa.tensor.as_dtype(dtype)
    first, second = ([(rng.random(n) * 50).astype(element) for n in SIZES] for _ in range(2))
    found = pa.ops.foreach_mul_list([*map(pa.asarray, first)], [*map(pa.asarray, second)])
    for x, y, z in zip(first, second, found, strict=True):
        np.testing.assert_array_equal(z.numpy(), x * y)


def test_every_tensor_has_its_own_number() -> None:
    tensors = [pa.asarray(np.full(n, n, np.float32)) for n in SIZES]
    numbers = [float(i) for i in range(len(SIZES))]
    found = pa.ops.foreach_mul_scalar_list(tensors, numbers)
    for size, number, tensor in zip(SIZES, numbers, found, strict=True):
        np.testing.assert_array_equal(tensor.numpy(), np.float32(size * number))
