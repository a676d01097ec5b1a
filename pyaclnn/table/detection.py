"""Boxes, regions of interest, and images that are laid over one another."""

from __future__ import annotations

from .dtypes import Dtypes, dtypes
from .optional_steps import If
from .row import Output, Row
from .steps import (
    Call,
    DoneIf,
    DtypeIn,
    HasShape,
    Kernel,
    NotSimulated,
    Null,
    OnlyOn,
    SameDtype,
    That,
)

_FAMILY = "detection"
_HALVES = Dtypes(("float32", "float16"))
_POOLED = "(rois[0], x[1], pooled_h, pooled_w)"


def _roi_align(name: str, boxes: str, numbers: int, size: tuple[str, str], images: str,
               smallest: str, aligned: str) -> Row:  # fmt: skip
    """Make a row; the boxes have so many numbers, or begin in a tensor of their own."""
    height, width = size
    others = (boxes, *((images,) if images else ()))
    formats = " && ".join(f"{n}.meta().format == ACL_FORMAT_ND" for n in others)
    pooled = f"Dims{{{boxes}.shape()[0], self.shape()[1], {height}, {width}}}"
    return Row(
        name, "unfold",
        (
            Null(("self", *others, "out")),
            DtypeIn(_HALVES, ("self",)),
            *((DtypeIn(dtypes("int32"), (images,)),) if images else ()),
            SameDtype(("self", boxes, "out")),
            That(f"self.meta().format == ACL_FORMAT_NCHW && out.meta().format == ACL_FORMAT_NCHW"
                 f" && {formats}", "images must be NCHW, and all else ND"),
            That("self.rank() == 4", "self has %zu dimensions, it must have 4", ("self.rank()",)),
            That(f"{boxes}.rank() == 2 && {boxes}.shape()[1] == {numbers}",
                 f"{boxes} has shape %s", (f"{boxes}.shape().text().c_str()",)),
            *((HasShape(images, f"Dims{{{boxes}.shape()[0]}}", "the boxes"),)
              if images else
              (That("self.shape()[0] != 0 && self.shape()[2] != 0 && self.shape()[3] != 0",
                    "self has shape %s", ("self.shape().text().c_str()",)),)),
            HasShape("out", pooled, "the boxes and channels"),
            *((That('mode.text == "avg" || mode.text == "max"', "mode is %s",
                    ("mode.text.c_str()",)),) if images else ()),
            That("samplingRatio >= 0", "samplingRatio is negative"),
            That(f"!(spatialScale <= {smallest})", "spatialScale is not positive"),
            DoneIf(f"self.is_empty() || {boxes}.is_empty()", Call("launch_zero", "plan out")),
            OnlyOn(("910", "310P", "A2"), inside=True),
            *((If('mode.text == "max"', NotSimulated("the mode max")),)
              if images else ()),
            Call("roi_align",
                 f"plan self {boxes} {'&' + images if images else 'nullptr'} "
                 f"{{spatialScale, samplingRatio, {aligned}}} out"),
        ),
        {"out": Output(f"({boxes}[0], self[1], {height}, {width})", "same self")},
        missing=("mode max",) if images else (),
    )  # fmt: skip


def _laid(name: str, accepted: Dtypes, front: tuple[str, ...], weight: str, function: str) -> Row:
    return Row(
        name, _FAMILY,
        (
            Null((*front, weight, "out")),
            OnlyOn(("310P",), inside=True),
            DtypeIn(accepted, (front[0],)),
            SameDtype((*front, "out")),
            DtypeIn(dtypes("float16" if weight == "mask" else "uint8"), (weight,)),
            Kernel(function),
        ),
        {"out": Output(f"like {front[0]}", f"same {front[0]}")},
    )  # fmt: skip


_BYTES = dtypes("uint8")

ROWS: tuple[Row, ...] = (
    _roi_align("RoiAlign", "rois", 4, ("outputHeight", "outputWidth"), "batchIndices", "0.0f",
               "false"),
    _roi_align("RoiAlignV2", "boxes", 5, ("pooledHeight", "pooledWidth"), "", "0x1p-126f",
               "aligned"),
    Row(
        "RoiPoolingWithArgMax", _FAMILY, (Kernel("roi_pooling_with_arg_max"),),
        {"y": Output(_POOLED, "same x"), "argmax": Output(_POOLED, "int32")},
    ),
    Row(
        "RoiPoolingGradWithArgMax", _FAMILY, (Kernel("roi_pooling_grad_with_arg_max"),),
    ),
    Row(
        "CIoU", _FAMILY, (Kernel("ciou"),),
        dict.fromkeys(("overlap", "atanSub"), Output("(1, bBoxes[1])", "same bBoxes")),
    ),
    Row(
        "NonMaxSuppression", _FAMILY, (Kernel("non_max_suppression"),),
        {"selectedIndices": Output(
            "((maxOutputBoxesPerClass[0] if maxOutputBoxesPerClass else 0) * scores[0] * scores[1],"
            " 3)", "int32")},
    ),
    Row(
        "ThreeInterpolateBackward", _FAMILY, (Kernel("three_interpolate_backward"),),
        {"grad_y": Output("(*grad_x[:2], m, *grad_x[3:])", "same grad_x")},
    ),
    Row(
        "Rasterizer", _FAMILY,
        (
            Null(("v", "f", "findicesOut", "barycentricOut")),
            OnlyOn(("A2",), inside=True),
            DtypeIn(dtypes("float32"), ("v", "barycentricOut")),
            DtypeIn(dtypes("int32"), ("f", "findicesOut")),
            If("dOptional.given()", DtypeIn(dtypes("float32"), ("dOptional",))),
            Kernel("rasterizer"),
        ),
        {
            "findicesOut": Output("(height, width)", "int32"),
            "barycentricOut": Output("(height, width, 3)", "float32"),
        },
    ),
    _laid("BackgroundReplace", dtypes("uint8 float16"), ("bkg", "src"), "mask",
          "background_replace"),
    _laid("BlendImagesCustom", _BYTES, ("frame", "rgb"), "alpha", "blend_images_custom"),
    _laid("MrgbaCustom", _BYTES, ("rgb",), "alpha", "mrgba_custom"),
)  # fmt: skip
