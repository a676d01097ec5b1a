"""Resampling refuses what CANN's refuses."""

from __future__ import annotations

from typing import Any

from operators.calls import INNER_NULL, INVALID, NULL, ones
from operators.status_tests import status_tests

from pyaclnn.tensor.formats import with_format

half = "float16"
_RESIZED = {"self": ones(2, 3, 4, 5), "output_size": (8, 3), "out": ones(2, 3, 8, 3)}
RIGHT: dict[str, dict[str, Any]] = {
    "upsample_nearest2d": _RESIZED,
    "upsample_nearest3d": {
        "self": ones(2, 3, 4, 5, 6), "output_size": (8, 3, 2), "scales_d": 0.0, "scales_h": 0.0,
        "scales_w": 0.0, "out": ones(2, 3, 8, 3, 2),
    },
    "upsample_bilinear2d": {**_RESIZED, "align_corners": False, "scales_h": 0.0, "scales_w": 0.0},
    "grid_sampler2d": {
        "input": ones(2, 3, 4, 5), "grid": ones(2, 6, 7, 2), "interpolation_mode": 0,
        "padding_mode": 0, "align_corners": False, "out": ones(2, 3, 6, 7),
    },
    "grid_sampler3d": {
        "input": ones(2, 3, 4, 5, 6), "grid": ones(2, 6, 7, 8, 3), "interpolation_mode": 0,
        "padding_mode": 0, "align_corners": False, "out": ones(2, 3, 6, 7, 8),
    },
    "im2col": {
        "self": ones(2, 3, 6, 7), "kernel_size": (2, 3), "dilation": (1, 1), "padding": (0, 1),
        "stride": (2, 1), "out": ones(2, 18, 21),
    },
}  # fmt: skip

_IMAGES: tuple[tuple[str, Any, int], ...] = (
    ("out", ones(2, 3, 8, 3, dtype=half), INVALID), ("self", ones(3, 4, 5), INVALID),
    ("self", ones(2, 3, 4, 5, dtype="int32"), INVALID), ("output_size", (8,), INVALID),
    ("output_size", (8, 4), INVALID), ("out", ones(2, 2, 8, 3), INVALID),
    ("self", with_format(ones(2, 3, 4, 5), "ND"), INVALID),
    ("self", with_format(ones(2, 3, 4, 5), "NHWC"), INVALID),
)  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "upsample_nearest2d": (
        *_IMAGES, ("self", None, NULL), ("output_size", None, NULL),
        ("self", ones(2, 3, 4, 0), INVALID), ("output_size", (0, 3), INVALID),
    ),
    "upsample_nearest3d": (
        ("self", None, NULL), ("output_size", None, NULL), ("self", ones(3, 4, 5, 6), INVALID),
        ("self", ones(2, 3, 4, 5, 6, dtype="uint8"), INVALID), ("output_size", (8, 3), INVALID),
        ("out", ones(2, 3, 8, 3, 2, dtype=half), INVALID), ("output_size", (8, 3, 1), INVALID),
        ("self", ones(2, 3, 4, 5, 0), INVALID), ("output_size", (0, 3, 2), INVALID),
        ("self", ones(2, 2, 4, 5, 6), INVALID), ("scales_d", 1e-300, 0), ("scales_w", -1.0, 0),
        ("scales_h", float("nan"), 0),
    ),
    "upsample_bilinear2d": (
        *_IMAGES, ("self", None, INNER_NULL), ("output_size", None, INVALID),
        ("scales_h", -1.0, INVALID), ("scales_w", float("nan"), 0),
    ),
    "grid_sampler2d": (
        ("grid", None, NULL), ("grid", ones(2, 6, 7, 2, dtype=half), INVALID),
        ("input", ones(2, 3, 4, 5, dtype="int32"), INVALID), ("interpolation_mode", 3, INVALID),
        ("interpolation_mode", 3, INVALID), ("padding_mode", -1, INVALID),
        ("grid", ones(2, 6, 7, 3), INVALID), ("grid", ones(1, 6, 7, 2), INVALID),
        ("out", ones(2, 3, 7, 6), INVALID), ("input", ones(2, 3, 0, 5), INVALID),
    ),
    "grid_sampler3d": (
        ("grid", None, NULL), ("grid", ones(2, 6, 7, 8, 3, dtype=half), INVALID),
        ("input", ones(2, 3, 4, 5, 6, dtype="int32"), INVALID), ("interpolation_mode", 2, INVALID),
        ("padding_mode", 3, INVALID), ("grid", ones(2, 6, 7, 8, 2), INVALID),
        ("grid", ones(1, 6, 7, 8, 3), INVALID), ("out", ones(2, 3, 6, 8, 7), INVALID),
        ("input", ones(2, 3, 4, 0, 6), INVALID), ("input", ones(2, 3, 0, 5, 6), 0),
        ("input", with_format(ones(2, 3, 4, 5, 6), "NCHW"), INVALID),
        ("input", with_format(ones(2, 4, 5, 6, 3), "NDHWC"), INVALID),
    ),
    "im2col": (
        ("self", None, NULL), ("stride", None, NULL), ("self", ones(6, 7), INVALID),
        ("self", ones(2, 3, 6, 7, dtype="int32"), INVALID), ("self", ones(2, 0, 6, 7), INVALID),
        ("kernel_size", (2,), INVALID), ("kernel_size", (0, 3), INVALID),
        ("stride", (0, 1), INVALID), ("padding", (-1, 1), INVALID), ("dilation", (1, 0), INVALID),
        ("kernel_size", (7, 3), INVALID), ("out", ones(2, 21, 18), INVALID),
        ("out", ones(2, 18, 21, dtype=half), 0),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)
