"""The namespace holds what the standard names, and computes where CANN lacks a dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pyaclnn as pa
import pyaclnn.array_api as xp

RNG = np.random.default_rng(3)


def drawn(dtype: str, *shape: int) -> np.ndarray[Any, Any]:
    values = RNG.normal(size=shape)
    return (values + 1j * RNG.normal(size=shape) if dtype[0] == "c" else values).astype(dtype)


def close(result: pa.Tensor, expected: Any) -> None:
    expected = np.asarray(expected)
    assert (result.shape, result.dtype.kind) == (expected.shape, expected.dtype.kind)
    wide = result.dtype.name in ("float64", "complex128")
    tolerance = 1e-11 if wide else 3e-5
    np.testing.assert_allclose(result.numpy(), expected, rtol=tolerance, atol=tolerance)


def test_a_tensor_names_its_namespace() -> None:
    x = pa.zeros(2)

    assert x.__array_namespace__() is xp
    assert x.__array_namespace__(api_version="2023.12") is xp
    with pytest.raises(ValueError, match=r"2024\.12 is"):
        x.__array_namespace__(api_version="1999.12")
    assert x.to_device(x.device) is x
    assert all(hasattr(xp, name) for name in xp.__all__)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("name", ["asin", "acos", "atan", "expm1", "log1p", "tanh", "sign", "abs",
                                  "exp", "square", "isfinite"])  # fmt: skip
def test_functions_of_each_element_in_every_dtype(name: str, dtype: str) -> None:
    host = drawn(dtype, 4, 5) * 0.2

    close(getattr(xp, name)(pa.asarray(host)), getattr(np, name)(host))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128", "int64"])
def test_products_in_every_dtype(dtype: str) -> None:
    a, b = (drawn(dtype, *shape) * 3 for shape in ((2, 3, 4), (4, 5)))
    a, b = a.astype(dtype), b.astype(dtype)

    close(xp.matmul(pa.asarray(a), pa.asarray(b)), a @ b)
    close(xp.tensordot(pa.asarray(a), pa.asarray(b), axes=1), np.tensordot(a, b, 1))
    close(xp.vecdot(pa.asarray(a), pa.asarray(a[:1])), np.vecdot(a, a[:1]))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_decompositions(dtype: str) -> None:
    a = drawn(dtype, 2, 4, 4)
    x, good = pa.asarray(a), a @ a.conj().mT + 4 * np.eye(4, dtype=dtype)

    close(xp.linalg.det(x), np.linalg.det(a))
    close(xp.linalg.inv(pa.asarray(good)), np.linalg.inv(good))
    close(xp.linalg.solve(pa.asarray(good), x), np.linalg.solve(good, a))
    close(xp.linalg.pinv(pa.asarray(good)), np.linalg.pinv(good))
    values, vectors = xp.linalg.eigh(pa.asarray(good))
    wide = values.dtype == np.float64
    np.testing.assert_allclose(
        values.numpy(), np.linalg.eigvalsh(good), rtol=1e-11 if wide else 1e-4
    )
    v = vectors.numpy()
    np.testing.assert_allclose(
        good @ v, v * values.numpy()[:, None, :], atol=1e-10 if wide else 1e-3
    )
    lower = xp.linalg.cholesky(pa.asarray(good)).numpy()
    np.testing.assert_allclose(lower @ lower.conj().mT, good, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("n", [None, 5, 9])
@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
def test_transforms(dtype: str, n: int | None, norm: Any) -> None:
    host = drawn(dtype, 3, 8)
    x = pa.asarray(host)

    close(xp.fft.fft(x, n=n, norm=norm), np.fft.fft(host, n, norm=norm))
    close(xp.fft.ifft(x, n=n, axis=0, norm=norm), np.fft.ifft(host, n, 0, norm=norm))
    close(xp.fft.irfft(x, n=n, norm=norm), np.fft.irfft(host, n, norm=norm))
    close(xp.fft.hfft(x, n=n, norm=norm), np.fft.hfft(host, n, norm=norm))
    if dtype[0] == "f":
        close(xp.fft.rfft(x, n=n, norm=norm), np.fft.rfft(host, n, norm=norm))


@pytest.mark.parametrize("descending", [False, True])
def test_float64_is_sorted_by_its_bits(descending: bool) -> None:
    host = np.array([[3.0, -0.0, np.nan, 0.0], [-np.inf, 5e-324, -5e-324, np.inf]])

    result = xp.sort(pa.asarray(host), descending=descending).numpy()
    places = xp.argsort(pa.asarray(host), axis=0).numpy()

    expected = np.sort(host)
    if descending:
        expected = expected[:, ::-1]
    np.testing.assert_array_equal(result, expected)
    np.testing.assert_array_equal(places, np.argsort(host, axis=0, kind="stable"))


def test_sets_of_complex_numbers_and_of_nan() -> None:
    host = np.array([1j, 2, np.nan, 1j, 2 + 1j, np.nan, 2], np.complex64)

    found = xp.unique_all(pa.asarray(host))

    assert sorted(found.counts.tolist()) == [1, 1, 1, 2, 2]
    np.testing.assert_array_equal(found.values.numpy()[found.inverse_indices.numpy()], host)
    np.testing.assert_array_equal(host[found.indices.numpy()], found.values.numpy())


def test_signs_of_zeros_and_neighbours_of_numbers() -> None:
    host = np.array([0.0, -0.0, -np.nan, 1.0, -3.5, np.inf], np.float32)
    x, y = pa.asarray(host), pa.asarray(host[::-1].copy())

    np.testing.assert_array_equal(xp.signbit(x).numpy(), np.signbit(host))
    np.testing.assert_array_equal(xp.nextafter(x, y).numpy(), np.nextafter(host, host[::-1]))
    np.testing.assert_array_equal(
        np.signbit(xp.copysign(x, y).numpy()), np.signbit(np.copysign(host, host[::-1]))
    )
