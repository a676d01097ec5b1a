"""Signals against pocketfft, which NumPy uses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyaclnn.selftest.cases import Array, Case, Operand, Suite, numpy_dtype


def _pairs(values: Array) -> Array:
    return np.stack((values.real, values.imag), axis=-1)


def _impulses(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return signals whose spectra are nowhere nearly nothing."""
    values = rng.uniform(0.01, 0.02, shape)
    values[..., 0] += shape[-1] ** 0.5 + 1
    return values


def _spectra(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    lengths = (1, 2, 3, 8, 30, 97, 128, 251, 1000, 4096)
    for place, length in enumerate(lengths):
        norm = place % 3 + 1
        for shape, dim, n in (
            ((3, length), -1, length), ((length, 2), 0, length),
            ((2, length), 1, max(1, length - 1)), ((2, length), 1, length + 3),
        ):  # fmt: skip
            x = np.moveaxis(_impulses(rng, (*np.delete(shape, dim), length)), -1, dim)
            x = x.astype(np.float32)
            golden = np.fft.rfft(x.astype(float), n, dim) / (1, n, n**0.5)[norm - 1]
            inputs = (Operand(x, format="ND"), n, dim, norm)
            yield Case(f"{shape} {dim} {n} {norm}", inputs, (_pairs(golden),))


def _windows(dtype: str, rng: np.random.Generator) -> Iterator[Case]:
    kind = numpy_dtype(dtype)
    for points, hop, wide in ((16, 4, 16), (15, 3, 10), (67, 20, 61)):
        for returns_complex in (True, False):
            onesided, normalized = kind.kind != "c" and points != 15, points == 15
            shape = (150,) if points == 16 else (2, 150)
            x = rng.normal(0, 1, shape).astype(kind)
            window = rng.uniform(0.5, 1, wide).astype(kind) if points != 67 else None
            given = np.ones(wide) if window is None else window.astype(complex)
            padded = np.zeros(points, complex)
            padded[(points - wide) // 2 :][:wide] = given
            begins = range(0, 150 - points + 1, hop)
            frames = np.stack([x[..., b : b + points] * padded for b in begins], axis=-2)
            golden = np.fft.fft(frames, norm="ortho" if normalized else "backward")
            golden = np.swapaxes(golden, -1, -2)
            if onesided:
                golden = golden[..., : points // 2 + 1, :]
            inputs = (
                Operand(x, format="ND"), None if window is None else Operand(window), points, hop,
                wide, normalized, onesided, returns_complex,
            )  # fmt: skip
            label = f"{points} {hop} {wide} {returns_complex}"
            yield Case(label, inputs, (golden if returns_complex else _pairs(golden),))


SUITES = (
    Suite("rfft1d", ("float32",), _spectra),
    Suite("stft", ("float32", "float64", "complex64", "complex128"), _windows),
)
