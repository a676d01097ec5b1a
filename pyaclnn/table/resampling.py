"""Resampling: images of another size, samples at the points of a grid, windows as columns."""

from __future__ import annotations

from .dtypes import dtypes
from .row import Output, Row
from .steps import Cpp, DtypeIn, Null, SameDtype

_FAMILY = "resampling"
_UPSAMPLE = ("resample/upsample.hpp",)
_SIZED = {"out": Output("of_size self outputSize", "same self")}

ROWS: tuple[Row, ...] = (
    Row(
        "UpsampleNearest2d", _FAMILY,
        (
            Null(("self", "out", "outputSize")),
            DtypeIn(dtypes("float16 float32 float64 uint8", "bfloat16"), ("self",)),
            SameDtype(("self", "out")),
            Cpp("upsample_nearest2d(check, plan, self, outputSize, out);"),
        ),
        _SIZED,
        include=_UPSAMPLE,
        missing=("format NHWC", "uint8"),
    ),
    Row(
        "UpsampleNearest3d", _FAMILY,
        (
            Null(("self", "out", "outputSize")),
            Cpp(
                "upsample_nearest3d(check, plan, self, outputSize, {scalesD, scalesH, scalesW}, "
                "out);"
            ),
        ),
        _SIZED,
        include=_UPSAMPLE,
        missing=("format NDHWC", "uint8 of the 950 series"),
    ),
    Row(
        "UpsampleBilinear2d", _FAMILY,
        (
            Cpp("need_images(plan, self, out);"),
            DtypeIn(dtypes("float16 float32 float64 bfloat16"), ("self",)),
            SameDtype(("self", "out")),
            Cpp(
                "upsample_bilinear2d(check, plan, self, outputSize, alignCorners, scalesH, "
                "scalesW, out);"
            ),
        ),
        _SIZED,
        include=_UPSAMPLE,
        missing=("format NHWC",),
    ),
    Row(
        "GridSampler2D", _FAMILY,
        (
            Null(("input", "grid", "out")),
            SameDtype(("input", "grid", "out")),
            DtypeIn(dtypes("float32 float16 float64", "", "bfloat16"), ("input",)),
            Cpp("check_grid_sampler2d(check, input, grid, interpolationMode, paddingMode, out);"),
            Cpp("if (input.is_empty() || grid.is_empty()) return;"),
            Cpp(
                "grid_sampler2d(check, plan, input, grid, interpolationMode, paddingMode, "
                "alignCorners, out);"
            ),
        ),
        {"out": Output("sampled input grid", "same input")},
        include=("resample/grid_sample.hpp",),
        missing=("bicubic interpolation",),
    ),
    Row(
        "GridSampler3D", _FAMILY,
        (
            Null(("input", "grid", "out")),
            SameDtype(("input", "grid", "out")),
            DtypeIn(dtypes("float32 float16 float64 bfloat16"), ("input",)),
            Cpp("check_grid_sampler3d(check, input, grid, interpolationMode, paddingMode, out);"),
            Cpp("if (input.is_empty() || grid.is_empty()) return;"),
            Cpp(
                "grid_sampler3d(check, plan, input, grid, interpolationMode, paddingMode, "
                "alignCorners, out);"
            ),
        ),
        {"out": Output("sampled input grid", "same input")},
        include=("resample/grid_sample.hpp",),
        missing=("format NDHWC",),
    ),
    Row(
        "Im2col", "shape and copy",
        (
            Null(("self", "kernelSize", "dilation", "padding", "stride", "out")),
            DtypeIn(dtypes("float32 float16 bfloat16"), ("self",)),
            Cpp("im2col(check, plan, self, kernelSize, dilation, padding, stride, out);"),
        ),
        {"out": Output("columns self kernelSize dilation padding stride", "same self")},
        include=("unfold/unfold.hpp",),
        missing=("integers, float64 and complex numbers of the 950 series",),
    ),
)  # fmt: skip
