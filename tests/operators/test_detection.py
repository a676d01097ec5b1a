"""Boxes and regions of interest refuse what CANN's operators refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operators.calls import INNER_NULL, INVALID, NO_KERNEL, NULL, RUNTIME, TILING, device, ones
from operators.status_tests import outside_test, status_tests

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format

_ALIGN: dict[str, Any] = {
    "self": ones(2, 3, 6, 8), "rois": ones(4, 4), "batch_indices": pa.zeros((4,), "int32"),
    "mode": "avg", "output_height": 2, "output_width": 3, "sampling_ratio": 0,
    "spatial_scale": 1.0, "out": ones(4, 3, 2, 3),
}  # fmt: skip
RIGHT: dict[str, dict[str, Any]] = {
    "roi_align": _ALIGN,
    "roi_align_v2": {
        "self": ones(2, 3, 6, 8), "boxes": ones(4, 5), "pooled_height": 2, "pooled_width": 3,
        "spatial_scale": 1.0, "sampling_ratio": 0, "aligned": True, "out": ones(4, 3, 2, 3),
    },
    "three_interpolate_backward": {
        "grad_x": ones(2, 3, 5, 1), "idx": pa.zeros((2, 5, 3), "int32"), "weight": ones(2, 5, 3),
        "m": 6, "grad_y": ones(2, 3, 6, 1),
    },
    "rasterizer": {
        "v": ones(3, 4), "f": device([[0, 1, 2]], "int32"), "d_optional": None, "width": 5,
        "height": 4, "occlusion_truncation": 0.0, "use_depth_prior": 0,
        "findices_out": pa.zeros((4, 5), "int32"), "barycentric_out": ones(4, 5, 3),
    },
}  # fmt: skip
_OF_ALIGN: tuple[tuple[str, Any, int], ...] = (
    ("self", None, NULL), ("self", ones(3, 6, 8), INVALID),
    ("self", ones(2, 3, 6, 8, dtype="float16"), INVALID), ("sampling_ratio", -1, INVALID),
    ("spatial_scale", 0.0, INVALID), ("spatial_scale", -1.0, INVALID),
    ("spatial_scale", 3e38, 0), ("out", ones(4, 3, 3, 2), INVALID),
    ("out", ones(4, 2, 2, 3), INVALID),
)  # fmt: skip
WRONG: dict[str, tuple[tuple[str, Any, int], ...]] = {
    "roi_align": (
        *_OF_ALIGN, ("mode", "sum", INVALID), ("mode", None, INVALID), ("mode", "max", NO_KERNEL),
        ("rois", ones(4, 5), INVALID), ("batch_indices", pa.zeros((3,), "int32"), INVALID),
        ("batch_indices", pa.zeros((4,), "int64"), INVALID), ("output_height", -1, INVALID),
        ("self", pa.empty((0, 3, 6, 8), "float32"), 0),
    ),
    "roi_align_v2": (
        *_OF_ALIGN, ("boxes", ones(4, 4), INVALID), ("pooled_width", 2**62, INVALID),
        ("self", pa.empty((0, 3, 6, 8), "float32"), INVALID),
        ("boxes", device([[1e30, -1e30, 0, 1e30, np.nan]] * 4), 0),
    ),
    "three_interpolate_backward": (
        ("grad_x", None, NULL), ("idx", ones(2, 5, 3), INVALID), ("m", -1, TILING),
        ("m", 0, TILING),
        ("m", 5, INNER_NULL), ("weight", ones(2, 5, 2), TILING),
        ("grad_x", ones(2, 3, 5), TILING), ("grad_x", pa.empty((2, 0, 5, 1), "float32"), 0),
    ),
    "rasterizer": (
        ("v", None, NULL), ("v", ones(3, 3), TILING), ("f", ones(1, 3), INVALID),
        ("width", 4097, TILING), ("height", -(2**63), TILING), ("use_depth_prior", 1, TILING),
        ("findices_out", pa.zeros((5, 4), "int32"), TILING), ("v", pa.zeros((3, 4)), 0),
        ("v", device([[1e38, -1e38, 0, 1e-38]] * 3), 0), ("v", device([[np.nan] * 4] * 3), 0),
    ),
}  # fmt: skip

test_right_calls_succeed, test_wrong_calls_are_answered_as_by_cann = status_tests(RIGHT, WRONG)
test_a_neighbour_that_is_none_ends_the_task = outside_test(
    RIGHT,
    [
        ("three_interpolate_backward", {"idx": pa.full((2, 5, 3), value, "int32")})
        for value in (-1, 6, -(2**31))
    ]
    + [("rasterizer", {"f": device([[0, 1, value]], "int32")}) for value in (-1, 3)],
)


@pytest.mark.parametrize("operator", ["c_io_u", "roi_pooling_with_arg_max", "non_max_suppression"])
def test_a_chip_without_the_operator_says_so(operator: str) -> None:
    boxes = ones(4, 1024)
    calls: dict[str, tuple[Any, ...]] = {
        "c_io_u": (boxes, boxes, False, False, "iou"),
        "roi_pooling_with_arg_max": (ones(1, 1, 4, 4), ones(1, 5), 2, 2, 1.0, 1.0),
        "non_max_suppression": (
            _plain(ones(1, 7, 4)), _plain(ones(1, 1, 7)), (3,), (0.5,), (0.0,), 0
        ),
    }  # fmt: skip

    with pytest.raises(pa.AclError) as error:
        pa.ops[operator](*calls[operator])

    assert error.value.code == RUNTIME


def _plain(tensor: pa.Tensor) -> pa.Tensor:
    return with_format(tensor, "ND")


def test_boxes_of_no_image_give_zeros() -> None:
    boxes = device([[5, 0, 0, 2, 2], [-1, 0, 0, 2, 2], [0, 0, 0, 2, 2]])

    out = pa.ops.roi_align_v2(ones(1, 2, 4, 4), boxes, 2, 2, 1.0, 2, True).numpy()

    assert not out[:2].any()
    assert out[2].all()


@pytest.mark.parametrize("points", [10, 5000])
def test_points_below_an_image_of_one_row_give_nothing(points: int) -> None:
    boxes = device([[0, 0, 0, 2, 2]])  # from the only row to two below it

    out = pa.ops.roi_align_v2(ones(1, 1, 1, 4), boxes, 1, 1, 1.0, points, False)

    np.testing.assert_allclose(out.numpy(), [[[[0.5]]]], rtol=1e-6)
