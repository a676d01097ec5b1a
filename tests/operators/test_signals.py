"""Spectra refuse what CANN's operators refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INVALID, NULL, TILING, code_with, device, ones
from operators.status_tests import status_tests

import pyaclnn as pa

RIGHT: dict[str, dict[str, Any]] = {
    "rfft1d": {"self": ones(2, 8), "n": 8, "dim": -1, "norm": 1, "out": ones(2, 5, 2)},
    "stft": {
        "self": ones(2, 100), "window_optional": ones(16), "n_fft": 16, "hop_length": 4,
        "win_length": 16, "normalized": False, "onesided": True, "return_complex": True,
        "out": pa.zeros((2, 9, 22), "complex64"),
    },
}  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "rfft1d": (
        ("self", None, NULL), ("self", ones(2, 8, dtype="float16"), INVALID),
        ("self", ones(*(1,) * 8), INVALID), ("n", 0, INVALID), ("n", 262145, INVALID),
        ("n", -(2**63), INVALID), ("n", -1, INVALID), ("dim", 2, INVALID), ("dim", -3, INVALID),
        ("norm", 0, INVALID), ("norm", 4, INVALID), ("out", ones(2, 8, 2), INVALID),
        ("self", pa.empty((0, 8), "float32"), 0),
    ),
    "stft": (
        ("self", None, NULL), ("self", ones(2, 100, dtype="float16"), INVALID),
        ("self", ones(1, 2, 100), INVALID), ("window_optional", ones(15), INVALID),
        ("window_optional", ones(16, dtype="float64"), INVALID), ("window_optional", None, 0),
        ("n_fft", 101, INVALID), ("n_fft", -1, INVALID), ("hop_length", 0, INVALID),
        ("hop_length", 2**62, INVALID), ("win_length", 17, INVALID), ("win_length", 0, INVALID),
        ("onesided", False, INVALID), ("return_complex", False, INVALID),
        ("self", pa.zeros((2, 100), "complex64"), INVALID),
    ),
}  # fmt: skip

#: Of -1 the first phase makes one bin, which no kernel computes.
WITHOUT_LENGTH = {**RIGHT["rfft1d"], "n": -1, "out": ones(2, 1, 2)}

test_right_calls_succeed, test_wrong_calls_are_answered_as_by_cann = status_tests(RIGHT, WRONG)


def test_a_spectrum_needs_a_length() -> None:
    assert code_with("rfft1d", WITHOUT_LENGTH) == TILING


def test_a_long_signal_of_prime_length_has_the_spectrum_of_numpy() -> None:
    signal = np.random.default_rng(2).normal(0, 1, 65537).astype(np.float32)

    seen = pa.ops.rfft1d(device(signal), 65537, 0, 1).numpy()

    wanted = np.fft.rfft(signal.astype(np.float64))
    np.testing.assert_allclose(seen[:, 0] + 1j * seen[:, 1], wanted, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("points", [15, 16])
def test_both_sides_of_the_spectrum_of_a_real_signal(points: int) -> None:
    signal = np.random.default_rng(2).normal(size=4 * points).astype(np.float32)

    found = pa.ops.stft(
        pa.asarray(signal), None, points, points, points, False, False, True,
        out=pa.zeros((points, 4), "complex64"),
    )  # fmt: skip

    expected = np.fft.fft(signal.astype(np.float64).reshape(4, points)).T
    np.testing.assert_allclose(found.numpy(), expected, rtol=1e-5, atol=1e-5)
