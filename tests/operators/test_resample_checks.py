"""Images whose extents are beyond what the resizing operators count with are refused."""

from __future__ import annotations

from typing import Any

from operators.calls import INNER_NULL, INVALID, ones
from operators.reasons import Refused, reason_tests

import pyaclnn as pa

_TOO_LONG = 2**31


def _image(*extents: int) -> pa.Tensor:
    return ones(*[1] * (2 + len(extents))).broadcast_to((1, 1, *extents))


def _resized(axes: int, *scales: str, aligned: bool = True, image: str = "self") -> dict[str, Any]:
    rest = (1,) * (axes - 1)
    return {
        image: _image(2, *rest), "output_size": (4, *rest), "out": ones(1, 1, 4, *rest),
        **({"align_corners": False} if aligned else {}), **dict.fromkeys(scales, -1.0),
    }  # fmt: skip


_HW = ("scales_h", "scales_w")
RIGHT: dict[str, dict[str, Any]] = {
    "upsample_nearest1d": _resized(1, aligned=False),
    "upsample_nearest2d": _resized(2, aligned=False),
    "upsample_linear1d": _resized(1, "scale"),
    "upsample_bilinear2d": {**_resized(2, *_HW), **dict.fromkeys(_HW, 0.0)},
    "upsample_bicubic2d_aa": _resized(2, *_HW, image="x"),
    "upsample_trilinear3d": _resized(3, "scales_d", *_HW),
}
WRONG: list[Refused] = [
    ("upsample_nearest1d", {"self": _image(_TOO_LONG)}, INNER_NULL, "the image is too large"),
    ("upsample_linear1d", {"self": _image(_TOO_LONG)}, INNER_NULL, "the image is too large"),
    ("upsample_bilinear2d", {"self": _image(_TOO_LONG, 1)}, INNER_NULL, "the image is too large"),
    ("upsample_nearest2d", {"self": _image(_TOO_LONG, 1)}, INVALID,
     "extent 2147483648, at most 2^31 - 1"),
    ("upsample_bicubic2d_aa", {"x": _image(_TOO_LONG, 1)}, INVALID,
     "extent is 2147483648, at most 2^31 - 1"),
    ("upsample_trilinear3d", {"self": _image(_TOO_LONG, 1, 1)}, INVALID,
     "extent is 2147483648, at most 2^31 - 1"),
]  # fmt: skip
test_right_calls_succeed, test_wrong_calls_are_refused = reason_tests(RIGHT, WRONG)
