"""Resizing forward refuses what CANN's refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, code_with, ones
from operators.status_tests import status_tests

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

half = "float16"
_LINE = {"self": ones(2, 3, 5), "output_size": (8,), "out": ones(2, 3, 8)}
_IMAGE = {"self": ones(2, 3, 4, 5), "output_size": (8, 3), "out": ones(2, 3, 8, 3)}
_VOLUME = {"self": ones(2, 3, 4, 5, 6), "output_size": (8, 3, 2), "out": ones(2, 3, 8, 3, 2)}
_SCALES = {"scales_h": 0.0, "scales_w": 0.0}
_ALIGNED = {**_SCALES, "align_corners": False}
RIGHT: dict[str, dict[str, Any]] = {
    "upsample_nearest1d": _LINE,
    "upsample_nearest1d_v2": {**_LINE, "scale_l": 0.0},
    "upsample_nearest2d_v2": {**_IMAGE, **_SCALES},
    "upsample_nearest_exact1d": {**_LINE, "scales": 0.0},
    "upsample_nearest_exact2d": {**_IMAGE, **_SCALES},
    "upsample_nearest_exact3d": {**_VOLUME, **_SCALES, "scales_d": 0.0},
    "upsample_linear1d": {**_LINE, "align_corners": False, "scale": -1.0},
    "upsample_trilinear3d": {**_VOLUME, **_ALIGNED, "scales_d": 0.0},
    "upsample_bicubic2d": {**_IMAGE, **_ALIGNED},
    "upsample_bicubic2d_aa": {
        "x": _IMAGE["self"], "output_size": (8, 3), "out": _IMAGE["out"], **_ALIGNED,
    },
    "upsample_bilinear2d_aa": {
        "input": _IMAGE["self"], "output_size": (8, 3), "out": _IMAGE["out"], **_ALIGNED,
    },
    "resize": {
        "self": ones(2, 3, 4, 5), "scales": (1.0, 1.0, 2.0, 0.6), "mode": "nearest",
        "out": ones(2, 3, 8, 3),
    },
    "affine_grid": {
        "theta": ones(2, 2, 3), "size": (2, 3, 4, 5), "align_corners": True,
        "out": ones(2, 4, 5, 2),
    },
}  # fmt: skip

_BIG = 2**62
_LINES: tuple[tuple[str, Any, int], ...] = (
    ("self", None, NULL), ("output_size", None, NULL), ("self", ones(3, 5), INVALID),
    ("self", ones(2, 3, 5, dtype="int32"), INVALID), ("out", ones(2, 3, 8, dtype=half), INVALID),
    ("output_size", (), INVALID), ("output_size", (0,), INVALID), ("self", ones(2, 0, 5), INVALID),
    ("self", ones(2, 3, 0), INVALID),
)  # fmt: skip
_NEAREST_LINES = (
    *_LINES, ("self", with_format(ones(2, 3, 5), "ND"), INVALID), ("self", ones(0, 3, 5), 0),
)  # fmt: skip
_IMAGES: tuple[tuple[str, Any, int], ...] = (
    ("output_size", None, NULL), ("out", ones(2, 3, 8, 3, dtype=half), INVALID),
    ("output_size", (8,), INVALID), ("output_size", (8, 4), INVALID),
    ("output_size", (-8, 3), INVALID), ("output_size", (_BIG, 3), INVALID),
)  # fmt: skip
_SELVES = (
    ("self", None, NULL), ("self", ones(3, 4, 5), INVALID), ("self", ones(2, 2, 4, 5), INVALID),
    ("self", ones(2, 3, 4, 5, dtype="int32"), INVALID),
)  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "upsample_nearest1d": (
        *_NEAREST_LINES, ("output_size", (8, 9), 0), ("output_size", (7,), INNER_NULL),
        ("output_size", (-8,), INNER_NULL), ("out", ones(2, 2, 8), INNER_NULL),
        ("output_size", (_BIG,), INNER_NULL),
    ),
    "upsample_nearest1d_v2": (
        *_NEAREST_LINES, ("output_size", (7,), INVALID), ("out", ones(2, 2, 8), INNER_NULL),
        ("scale_l", float("nan"), 0), ("scale_l", 1e-40, 0),
    ),
    "upsample_nearest2d_v2": (
        *_IMAGES, *_SELVES, ("self", ones(2, 3, 4, 0), 0), ("out", ones(0, 2), 0),
        ("self", with_format(ones(2, 3, 4, 5), "ND"), INVALID), ("scales_h", 1e-40, 0),
    ),
    "upsample_nearest_exact1d": (
        *_LINES, ("self", ones(0, 3, 5), INVALID), ("output_size", (7,), INNER_NULL),
        ("output_size", (8, 8), INVALID), ("scales", 1e-320, 0),
    ),
    "upsample_nearest_exact2d": (
        *_SELVES, ("output_size", None, NULL), ("output_size", (8,), INVALID),
        ("output_size", (8, 4), INNER_NULL), ("self", ones(2, 0, 4, 5), 0),
        ("out", ones(2, 2, 8, 3), INVALID), ("output_size", (0, 3), INVALID),
    ),
    "upsample_nearest_exact3d": (
        ("self", None, NULL), ("self", ones(3, 4, 5, 6), INVALID), ("output_size", (8, 3), INVALID),
        ("self", ones(2, 3, 4, 5, 6, dtype="float64"), INVALID),
        ("output_size", (8, 3, 3), INVALID), ("self", ones(0, 3, 4, 5, 6), INVALID),
        ("scales_d", 1.5, 0), ("scales_d", 1e300, 0),
    ),
    "upsample_linear1d": (
        *_LINES, ("output_size", (7,), INVALID), ("scale", 0.0, INVALID), ("scale", 1.7, 0),
        ("scale", 1.5, INVALID), ("scale", 1e300, INVALID), ("scale", float("nan"), 0),
    ),
    "upsample_trilinear3d": (
        ("self", None, NULL), ("self", ones(3, 4, 5, 6), INVALID), ("output_size", (8, 3), INVALID),
        ("self", ones(2, 3, 4, 5, 6, dtype="int32"), INVALID), ("output_size", (8, 3, 3), INVALID),
        ("self", with_format(ones(2, 3, 4, 5, 6), "NCHW"), INVALID), ("scales_d", -1.0, 0),
    ),
    "upsample_bicubic2d": (
        *_IMAGES, *_SELVES, ("scales_h", 2.0, 0), ("scales_h", 2.5, INVALID), ("scales_w", -1.0, 0),
        ("self", ones(2, 3, 4, 5, dtype="float64"), INVALID), ("scales_h", 1e300, INVALID),
    ),
    "upsample_bicubic2d_aa": (
        *_IMAGES, ("x", None, NULL), ("x", ones(3, 4, 5), INVALID), ("scales_h", -1.0, 0),
        ("x", with_format(ones(2, 3, 4, 5), "NHWC"), INVALID), ("scales_w", 0.0199, INVALID),
        ("scales_w", 0.0201, 0),
        ("out", ones(2, 2, 8, 3), INNER_NULL),
    ),
    "upsample_bilinear2d_aa": (
        *_IMAGES[:3], ("output_size", (8, 4), INNER_NULL), ("input", None, NULL),
        ("input", with_format(ones(2, 3, 4, 5), "ND"), INVALID), ("scales_h", -1.0, INVALID),
        ("input", ones(2, 2, 4, 5), INVALID), ("input", ones(0, 3, 4, 5), INVALID),
        ("scales_w", 0.0199, INVALID), ("scales_w", 0.0201, 0),
    ),
    "resize": (
        ("self", None, NULL), ("scales", None, NULL), ("mode", None, NULL),
        ("mode", "cubic", INVALID), ("mode", "bilinear", 0), ("scales", (2.0, 0.6), INVALID),
        ("self", ones(2, 3, 4, 5, dtype="float64"), INVALID), ("scales", (1.0, 1.0, 2.0, 0.7), 0),
        ("scales", (1.0, 1.0, 2.5, 0.6), INVALID), ("out", ones(2, 2, 8, 3), INVALID),
        ("self", with_format(ones(2, 3, 4, 5), "ND"), INVALID),
        ("scales", (1.0, 1.0, float("inf"), 0.6), INVALID),
    ),
    "affine_grid": (
        ("theta", None, NULL), ("size", None, NULL), ("size", (2, 3, 4), INVALID),
        ("theta", ones(2, 3, 4), INVALID), ("theta", ones(0, 2, 3), INVALID),
        ("theta", ones(2, 2, 3, dtype="float64"), INVALID), ("out", ones(2, 5, 4, 2), INVALID),
        ("size", (1, 3, 4, 5), INVALID), ("size", (2, 3, _BIG, _BIG), INVALID),
    ),
}  # fmt: skip

test_the_right_call_succeeds, test_it_answers_as_cann = status_tests(RIGHT, WRONG)


def test_all_three_scales_of_a_volume_must_lead_to_its_size() -> None:
    right = RIGHT["upsample_nearest_exact3d"]

    assert (
        code_with("upsample_nearest_exact3d", right, scales_d=2.0, scales_h=0.6, scales_w=0.4) == 0
    )
    assert (
        code_with("upsample_nearest_exact3d", right, scales_d=2.0, scales_h=0.6, scales_w=0.6)
        == INVALID
    )


def test_cubic_images_with_channels_last_are_for_the_950() -> None:
    last = {
        "self": with_format(ones(2, 4, 5, 3), "NHWC"),
        "out": with_format(ones(2, 8, 3, 3), "NHWC"),
    }
    assert code_with("upsample_bicubic2d", RIGHT["upsample_bicubic2d"], **last) == NO_KERNEL


def test_an_image_made_twice_as_large_ignores_its_scales_while_it_is_small() -> None:
    # A scale of 3 takes element 1 of the result from element 0, and element 5 from element 1.
    small = pa.asarray(np.arange(3, dtype=np.float32).reshape(1, 1, 1, 3))
    large = pa.asarray(np.arange(100, dtype=np.float32).reshape(1, 1, 1, 100))

    doubled = pa.ops.upsample_nearest2d_v2(small, (1, 6), 1.0, 3.0).numpy()
    scaled = pa.ops.upsample_nearest2d_v2(large, (1, 200), 1.0, 3.0).numpy()

    assert doubled.ravel().tolist() == [0, 0, 1, 1, 2, 2]
    assert scaled.ravel()[:9].tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_places_behind_the_last_element_are_its_copies() -> None:
    # A scale of a half goes two elements on for each of the result.
    line = pa.asarray(np.arange(100, dtype=np.float32).reshape(1, 1, 100))

    of_line = pa.ops.upsample_nearest1d_v2(line, (200,), 0.5).numpy()
    of_image = pa.ops.upsample_nearest2d_v2(line.reshape(1, 1, 1, 100), (1, 200), 1.0, 0.5).numpy()

    expected = np.minimum(2 * np.arange(200), 99).tolist()
    assert of_line.ravel().tolist() == of_image.ravel().tolist() == expected


def test_the_grid_of_the_identity_samples_every_element_at_its_place() -> None:
    image = np.random.default_rng(3).normal(size=(2, 3, 4, 5)).astype(np.float32)
    identity = np.tile(np.eye(2, 3, dtype=np.float32), (2, 1, 1))
    for align in (False, True):
        grid = pa.ops.affine_grid(pa.asarray(identity), image.shape, align)
        sampled = pa.ops.grid_sampler2d(pa.asarray(image), grid, 0, 0, align)
        np.testing.assert_allclose(sampled.numpy(), image, rtol=1e-5, atol=1e-5)
