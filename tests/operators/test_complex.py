"""Complex operands, and real results that are given as complex numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyaclnn as pa

COMPLEX = pytest.mark.parametrize("dtype", ["complex64", "complex128"])


def given(*values: Any, dtype: str = "float32") -> pa.Tensor:
    return pa.asarray(np.array(values, dtype))


@COMPLEX
def test_the_gradient_of_a_complex_sigmoid_is_not_conjugated(dtype: str) -> None:
    g, y = 1 + 2j, 0.5 + 0.25j

    result = pa.ops.sigmoid_backward(given(g, dtype=dtype), given(y, dtype=dtype)).numpy()

    assert result.dtype == dtype
    np.testing.assert_allclose(result, [g * y * (1 - y)], rtol=1e-6)


def test_double_complex_is_computed_in_double() -> None:
    y = 0.5 + 1e-12j

    result = pa.ops.sigmoid_backward(given(1, dtype="complex128"), given(y, dtype="complex128"))

    np.testing.assert_allclose(result.numpy(), [y * (1 - y)], rtol=1e-15)


@pytest.mark.parametrize(
    ("grad_dtype", "dtype", "expected"),
    [
        ("float16", "complex64", "complex64"),
        ("float64", "complex64", "complex128"),
        ("float32", "float64", "float64"),
        ("float16", "bfloat16", "float32"),
    ],
)
def test_an_output_that_is_left_out_has_the_type_of_the_result(
    grad_dtype: str, dtype: str, expected: str
) -> None:
    result = pa.ops.sigmoid_backward(pa.ones((2,), grad_dtype), pa.ones((2,), dtype))

    assert result.dtype == expected


def test_a_complex_result_is_not_cast_to_a_real_one() -> None:
    z = pa.ones((2,), "complex64")

    with pytest.raises(pa.AclParameterError, match="can't be cast"):
        pa.ops.sigmoid_backward(z, z, out=pa.empty((2,), "float32"))


@COMPLEX
@pytest.mark.parametrize("source", ["float32", "float16"])
# Shorter and longer than what is written past the caches.
@pytest.mark.parametrize("count", [5, 1 << 20])
def test_a_real_result_has_no_imaginary_part(dtype: str, source: str, count: int) -> None:
    grad = pa.asarray(np.resize(np.array([1.5, -2.0, 3.0], source), count))
    mask = pa.asarray(np.full((count + 127) // 128 * 16, 255, np.uint8))
    out = pa.asarray(np.full(count, 7 + 7j, dtype))

    pa.ops.dropout_backward(grad, mask, 2.0, out=out)

    np.testing.assert_array_equal(out.numpy(), grad.numpy().astype(dtype) * 2)


@COMPLEX
def test_a_view_of_complex_numbers_is_filled_with_a_step(dtype: str) -> None:
    whole = pa.asarray(np.full((3, 4), 7 + 7j, dtype))
    x = pa.ones((3, 2))

    pa.ops.leaky_relu_backward(x, x, 0.5, False, out=whole[:, ::2])

    assert whole.numpy().tolist() == [[1, 7 + 7j, 1, 7 + 7j]] * 3
