"""Boxes, images and regions of interest: what is refused on the chips that have the operators."""

from __future__ import annotations

from typing import Any

import pytest
from operators.calls import INVALID, NO_KERNEL, NULL, TILING, ones
from operators.reasons import Written, assert_refused_on, written_reasons

import pyaclnn as pa
from pyaclnn.tensor.formats import with_format


def byte(*shape: int) -> pa.Tensor:
    return ones(*shape, dtype="uint8")


def nd(tensor: pa.Tensor) -> pa.Tensor:
    return with_format(tensor, "ND")


def nchw(tensor: pa.Tensor) -> pa.Tensor:
    return with_format(tensor, "NCHW")


def int32(*shape: int) -> pa.Tensor:
    return pa.zeros(shape, "int32")


_BOXES, _BLENDED, _CLOSE, _BEST, _OVER, _WEIGHT, _MERGED = (
    "roi_pooling_with_arg_max", "blend_images_custom", "c_io_u", "non_max_suppression",
    "background_replace", "trans_convolution_weight", "mrgba_custom",
)  # fmt: skip


def right() -> dict[str, dict[str, Any]]:
    """Return the arguments of a right call of each operator."""
    return {
        _BOXES: {
            "x": nd(ones(1, 1, 4, 4)), "rois": pa.zeros((2, 5)), "pooled_h": 2, "pooled_w": 2,
            "spatial_scale_h": 1.0, "spatial_scale_w": 1.0, "y": nd(ones(2, 1, 2, 2)),
            "argmax": nd(int32(2, 1, 2, 2)),
        },
        _CLOSE: {
            "b_boxes": ones(4, 1024), "gt_boxes": ones(4, 1024), "trans": False,
            "is_cross": False, "mode": "iou", "overlap": ones(1, 1024), "atan_sub": ones(1, 1024),
        },
        _BEST: {
            "boxes": ones(1, 3, 4), "scores": ones(1, 2, 3), "max_output_boxes_per_class": [700],
            "iou_threshold": [0.5], "score_threshold": [0.0], "center_point_box": 0,
            "selected_indices": int32(4, 3),
        },
        _WEIGHT: {
            "weight_in": ones(16, 16, 1, 1), "transposed": False, "groups": 1,
            "weight_out": ones(16, 16, 1, 1, dtype="float16"),
        },
        _BLENDED: {
            "rgb": byte(4, 5, 3), "alpha": byte(4, 5, 1), "frame": byte(4, 5, 3),
            "out": byte(4, 5, 3),
        },
        _MERGED: {"rgb": byte(4, 5, 3), "alpha": byte(4, 5, 1), "out": byte(4, 5, 3)},
        _OVER: {
            "bkg": ones(4, 5, 3, dtype="float16"), "src": ones(4, 5, 3, dtype="float16"),
            "mask": ones(4, 5, 1, dtype="float16"), "out": ones(4, 5, 3, dtype="float16"),
        },
    }  # fmt: skip


ON_950: list[Written] = [
    (_CLOSE, "", 0, ""), (_CLOSE, "mode='iof'", 0, ""),
    (_CLOSE, "is_cross=True", INVALID, "isCross is true"),
    (_CLOSE, "mode='giou'", INVALID, "it must be iou or iof"),
    (_BOXES, "", 0, ""),
    (_BOXES, "x=nchw(ones(1, 1, 4, 4))", INVALID, "x is not of format ND"),
    (_BOXES, "y=nchw(ones(2, 1, 2, 2))", INVALID, "y is not of format ND"),
    (_BOXES, "pooled_h=0, y=nd(ones(2, 1, 0, 2)), argmax=nd(int32(2, 1, 0, 2))", INVALID,
     "there are no bins"),
    (_BOXES, "pooled_w=0, y=nd(ones(2, 1, 2, 0)), argmax=nd(int32(2, 1, 2, 0))", INVALID,
     "there are no bins"),
]  # fmt: skip
ON_310P: list[Written] = [
    (_BEST, "", 0, ""), (_BEST, "max_output_boxes_per_class=[701]", INVALID, "701, at most 700"),
    (_BEST, "boxes=None", NULL, ""), (_BEST, "scores=None", NULL, ""),
    (_BEST, "iou_threshold=None", NULL, ""), (_BEST, "iou_threshold=[]", NULL, ""),
    (_BEST, "scores=ones(1, 2, 3, dtype='float16')", INVALID,
     "scores is float16, it must be"),
    (_BEST, "iou_threshold=[1.0]", 0, ""), (_BEST, "iou_threshold=[0.0]", 0, ""),
    (_BEST, "iou_threshold=[1.001]", INVALID, "iouThreshold is 1.001"),
    (_BEST, "iou_threshold=[-0.001]", INVALID, "iouThreshold is -0.001"),
    (_BEST, "boxes=nchw(ones(1, 3, 4))", INVALID, "boxes is not of format ND"),
    (_BEST, "selected_indices=nchw(int32(4, 3))", INVALID, "is not of format ND"),
    (_BEST, "boxes=ones(1, 3, 5)", INVALID, "boxes has shape"),
    (_BEST, "boxes=ones(2, 3, 4)", INVALID, "boxes has shape"),
    (_BEST, "boxes=ones(1, 4, 4)", INVALID, "boxes has shape"),
    (_BEST, "boxes=ones(3, 4)", INVALID, "boxes has shape"),
    (_BEST, "scores=ones(2, 3)", INVALID, "boxes has shape"),
    (_BEST, "center_point_box=1", 0, ""),
    (_BEST, "center_point_box=2", INVALID, "centerPointBox is 2"),
    (_BEST, "center_point_box=-1", INVALID, "centerPointBox is -1"),
    (_BEST, "selected_indices=pa.zeros((4, 3), 'int64')", NO_KERNEL, ""),
    (_BEST, "selected_indices=int32(4, 4)", TILING, "selectedIndices has shape"),
    (_BEST, "selected_indices=int32(12)", TILING, "selectedIndices has shape"),
    (_WEIGHT, "", 0, ""), (_WEIGHT, "weight_in=None", NULL, ""),
    (_WEIGHT, "weight_in=ones(16, 16, 1)", INVALID, "3 dimensions, it must have 4"),
    (_WEIGHT, "transposed=True", INVALID, "transposed convolutions"),
    (_WEIGHT, "groups=0", INVALID, "groups is 0"),
    (_WEIGHT, "weight_in=nd(ones(16, 16, 1, 1))", INVALID, "weightIn has format 2"),
    (_WEIGHT, "weight_out=nd(ones(16, 16, 1, 1, dtype='float16'))", INVALID,
     "weightOut has format 2"),
    (_WEIGHT, "weight_out=ones(16, 32, 1, 1, dtype='float16')[:, ::2]", INVALID,
     "weightOut must be contiguous"),
    (_WEIGHT, "weight_in=nchw(ones(0, 16, 1, 1)), weight_out=ones(16, 16, 1, 1, dtype='float16')",
     INVALID, "must both be empty"),
    (_WEIGHT, "weight_in=nchw(ones(0, 16, 1, 1)), weight_out=ones(0, 16, 1, 1, dtype='float16')", 0,
     ""),
    (_OVER, "", 0, ""), (_OVER, "mask=ones(4, 5, 3, dtype='float16')", 0, ""),
    (_OVER, "bkg=ones(4, 6, 3, dtype='float16')", INVALID, "bkg has shape"),
    (_OVER, "out=ones(4, 6, 3, dtype='float16')", INVALID, "out has shape"),
    (_OVER, "mask=ones(4, 5, 2, dtype='float16')", INVALID, "mask has shape"),
    (_OVER, "mask=ones(4, 6, 1, dtype='float16')", INVALID, "mask has shape"),
    (_BLENDED, "", 0, ""), (_MERGED, "", 0, ""),
    *((name, f"rgb=byte({shape}), alpha=byte({of}), frame=byte({shape}), out=byte({shape})",
       INVALID, "rgb has shape") for name in (_BLENDED,)
      for shape, of in (("4, 5, 4", "4, 5, 1"), ("", ""))),
    *((_MERGED, f"rgb=byte({shape}), alpha=byte({of}), out=byte({shape})", INVALID,
       "rgb has shape") for shape, of in (("4, 5, 4", "4, 5, 4"), ("", ""))),
]  # fmt: skip
LISTS = {"Ascend950": ON_950, "Ascend310P1": ON_310P}


def found(chip: str) -> list[list[Any]]:
    """Return the statuses and messages of all calls of a chip."""
    return written_reasons(right(), LISTS[chip], globals())


@pytest.mark.parametrize("chip", LISTS)
def test_what_does_not_fit_is_refused(chip: str) -> None:
    assert_refused_on(chip, "test_detection_checks", f"found({chip!r})", LISTS[chip])
