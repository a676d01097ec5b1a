"""Types that operators take since CANN 9.1, some on the 950 alone."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from children import found_on
from operators.calls import INVALID, code, device, hifloat8, ones

import pyaclnn as pa

_FLOAT8 = ("float8_e4m3fn", "float8_e5m2")
_NUMBERS = np.random.default_rng(3).integers(0, 65536, (7, 5)).astype(np.uint16)
_SMALL = np.random.default_rng(4).normal(size=(3, 8))
_SCALES, _OFFSETS = np.linspace(0.25, 2, 8, dtype=np.float32), np.arange(8, dtype=np.float32) / 8


def _restored(dtype: str, scale: str = "float32") -> int:
    x = hifloat8(3, 8) if dtype == "hifloat8" else ones(3, 8, dtype=dtype)
    return code("ascend_anti_quant", x, ones(8, dtype=scale), None, 1, False)


def _unpooled(dtype: str) -> Any:
    gradient = device(np.arange(1.0, 9).reshape(1, 1, 2, 2, 2))
    places = pa.asarray(np.array([0, 3, 12, 15, 48, 51, 60, 63], dtype).reshape(1, 1, 2, 2, 2))
    image = ones(1, 1, 4, 4, 4)
    return pa.ops.adaptive_max_pool3d_backward(gradient, image, places)


def statuses() -> list[int]:
    """Return how calls with these types are answered."""
    out = pa.zeros((1, 1, 4, 4, 4))
    places = ones(1, 1, 2, 2, 2, dtype="int64")
    return [
        code("roll", ones(3, 4, dtype="int16"), (1,), (1,)),
        code("adaptive_max_pool3d_backward", ones(1, 1, 2, 2, 2), out, places),
        *(_restored(dtype) for dtype in ("hifloat8", *_FLOAT8)),
        _restored("float8_e5m2", "bfloat16"), code("arg_max", device(_NUMBERS, "uint16"), 0, False),
    ]  # fmt: skip


def results() -> list[Any]:
    """Return what the 950 makes of uint16, of places of int64, and of floats of 8 bits."""
    scale, offset = device(_SCALES), device(_OFFSETS)
    restored = [
        pa.ops.ascend_anti_quant(device(_SMALL, dtype), scale, offset, 1, False).numpy()
        for dtype in _FLOAT8
    ]
    places = pa.ops.arg_max(device(_NUMBERS, "uint16"), 0, False).numpy()
    return [places.tolist(), _unpooled("int64").numpy().tolist(), [x.tolist() for x in restored]]


@pytest.mark.parametrize(
    ("chip", "release", "expected"),
    [
        ("Ascend950", "9.1", [0, 0, 0, 0, 0, INVALID, 0]),
        ("Ascend950", "9.0", [INVALID, INVALID, INVALID, INVALID, INVALID, INVALID, 0]),
        ("Ascend910B1", "9.1", [0, INVALID, INVALID, INVALID, INVALID, INVALID, INVALID]),
    ],
)
def test_types_are_taken_since_a_release(
    chip: str, release: str, expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYACLNN_SIM_CANN", release)

    assert found_on(chip, "operators.test_types_since_9_1", "statuses()") == expected


def test_the_950_computes_with_them() -> None:
    places, unpooled, restored = found_on(
        "Ascend950", "operators.test_types_since_9_1", "results()"
    )
    image = np.zeros(64)
    image[[0, 3, 12, 15, 48, 51, 60, 63]] = np.arange(1, 9)

    assert places == _NUMBERS.argmax(0).tolist()
    assert np.ravel(unpooled).tolist() == image.tolist()
    for dtype, found in zip(_FLOAT8, restored, strict=True):
        exact = _SMALL.astype(getattr(ml_dtypes, dtype)).astype(np.float64)
        golden = (exact + _OFFSETS) * _SCALES
        np.testing.assert_allclose(found, golden, rtol=1e-3, atol=1e-6)


def test_numbers_of_16_bits_are_rolled() -> None:
    x = np.arange(-6, 6, dtype=np.int16).reshape(3, 4)

    assert np.array_equal(pa.ops.roll(device(x, "int16"), (1,), (1,)).numpy(), np.roll(x, 1, 1))
