"""Complex operands, and real results that are given as complex numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from children import found_on
from operators.calls import INVALID, VIEW_COPY, code

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

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


_HALVES = np.random.default_rng(9).normal(0, 30, (4, 5, 2)).astype(np.float16)
_HALVES[0, 0] = 60000  # whose magnitude float16 does not hold


def of_halves(values: Any) -> pa.Tensor:
    """Return pairs of float16 as complex32, which Python lacks."""
    words = np.ascontiguousarray(values).view(np.uint32)[..., 0]
    return with_format(pa.asarray(words), "ND", shape=words.shape, dtype="complex32")


def complex32(operator: str, *attributes: Any, real: bool = False) -> tuple[int, list[Any]]:
    """Return the status of an operator of a matrix of complex32, and its result as pairs."""
    made = pa.zeros((4, 5), "float16" if real else "uint32")
    out = made if real else with_format(made, "ND", dtype="complex32")
    status = code(operator, of_halves(_HALVES), *attributes, out=out)
    result = made.numpy() if real else made.numpy().view(np.float16).reshape(4, 5, 2)
    return status, result.astype(np.float64).tolist()


def found_with_complex32() -> list[Any]:
    """Return what a process makes of complex32, and what it refuses."""
    memory = pa.zeros((4, 10), "uint32")
    gaps = with_format(memory, "ND", shape=(4, 5), dtype="complex32", strides=(10, 2))
    wide = pa.zeros((4, 5), "float32")
    return [
        complex32("abs", real=True), complex32("real", real=True), complex32("tril", 1),
        complex32("triu", -1), code("abs", of_halves(_HALVES), out=wide),
        code("tril", of_halves(_HALVES), 0, out=gaps),
    ]  # fmt: skip


def test_the_950_has_complex_numbers_of_halves() -> None:
    sizes, reals, lower, upper, other, gaps = found_on(
        "Ascend950", "operators.test_complex", "found_with_complex32()"
    )
    single = _HALVES.astype(np.float32)
    golden = np.minimum(np.sqrt(single[..., 0] ** 2 + single[..., 1] ** 2), np.float32(65504))
    below = np.tri(4, 5, 1)[..., None]
    above = 1 - np.tri(4, 5, -2)[..., None]

    assert [found[0] for found in (sizes, reals, lower, upper)] == [0] * 4
    assert np.array_equal(sizes[1], golden.astype(np.float16))
    assert np.array_equal(reals[1], _HALVES[..., 0])
    assert np.array_equal(lower[1], _HALVES * below)
    assert np.array_equal(upper[1], _HALVES * above)
    assert [other, gaps] == [INVALID, VIEW_COPY]


def test_the_a2_takes_the_real_part_of_halves_alone() -> None:
    sizes, reals, lower, upper, *_ = found_with_complex32()

    assert [found[0] for found in (sizes, reals, lower, upper)] == [INVALID, 0, INVALID, INVALID]
    assert np.array_equal(reals[1], _HALVES[..., 0])
