"""Resampling: images of another size, samples at the points of a grid, windows as columns."""

from __future__ import annotations

from .dtypes import EVERY_FLOAT, FLOATS, Dtypes, dtypes
from .optional_steps import If, Since
from .row import Output, Row
from .shape_steps import Formats
from .steps import Call, DoneIfEmpty, DtypeIn, Kernel, Null, SameDtype, Step, That

_FAMILY = "resample"
_SIZED = {"out": Output("of_size self outputSize", "same self")}

_NUMBERS = dtypes("float16 float32 float64 uint8", "bfloat16")
#: What the 950 moves besides floats.
_MOVED = "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float64 bool complex32 complex64"


def _given_alike(tensor: str, size: str, accepted: Dtypes) -> tuple[Step, ...]:
    return (
        Null((tensor, size, "out")),
        DtypeIn(accepted, (tensor,)),
        SameDtype((tensor, "out")),
    )


def _filtered(name: str, tensor: str, kernel: str) -> Row:
    return Row(
        name, _FAMILY,
        (
            *_given_alike(tensor, "outputSize", EVERY_FLOAT),
            Call(kernel, f"check plan {tensor} outputSize alignCorners {{scalesH, scalesW}} out"),
        ),
        {"out": Output(f"of_size {tensor} outputSize", f"same {tensor}")},
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    Row(
        "UpsampleNearest2d", _FAMILY,
        (
            Null(("self", "out")),
            DtypeIn(dtypes("float16 float32 float64 uint8", "bfloat16"), ("self",)),
            SameDtype(("self", "out")),
            Null(("outputSize",)),
            Call("upsample_nearest2d", "check plan self outputSize out"),
        ),
        _SIZED,
    ),
    Row(
        "UpsampleNearest3d", _FAMILY,
        (
            Null(("self", "out", "outputSize")),
            Call("upsample_nearest3d",
                 "check plan self outputSize {scalesD, scalesH, scalesW} out"),
        ),
        _SIZED,
    ),
    Row(
        "UpsampleBilinear2d", _FAMILY,
        (
            Call("need_images", "plan self out"),
            DtypeIn(dtypes("float16 float32 float64 bfloat16"), ("self",)),
            SameDtype(("self", "out")),
            Kernel("upsample_bilinear2d"),
        ),
        _SIZED,
    ),
    Row(
        "UpsampleNearest1d", _FAMILY,
        (
            *_given_alike("self", "outputSize", _NUMBERS),
            Call("upsample_nearest1d", "check plan self outputSize 0 out"),
        ),
        _SIZED,
    ),
    Row(
        "UpsampleNearest1dV2", _FAMILY,
        (
            *_given_alike("self", "outputSize", _NUMBERS),
            That(
                "!outputSize.values().empty() && out.rank() >= 3 && "
                "out.shape()[2] == outputSize.values()[0]",
                "out has shape %s, which is not outputSize's", ("out.shape().text().c_str()",),
            ),
            Call("upsample_nearest1d", "check plan self outputSize scaleL out"),
        ),
        _SIZED,
    ),
    Row(
        "UpsampleNearest2dV2", _FAMILY,
        (
            # CANN does nothing to images without elements, whatever else is wrong.
            Null(("self", "out")),
            DoneIfEmpty(("self", "out")),
            DtypeIn(_NUMBERS, ("self",)),
            SameDtype(("self", "out")),
            Null(("outputSize",)),
            Call("upsample_nearest2d_v2", "check plan self outputSize {scalesH, scalesW} out"),
        ),
        _SIZED,
    ),
    Row(
        "UpsampleNearestExact1d", _FAMILY,
        (
            *_given_alike("self", "outputSize", EVERY_FLOAT),
            Kernel("upsample_nearest_exact1d"),
        ),
        _SIZED,
    ),
    Row(
        "UpsampleNearestExact2d", _FAMILY,
        (
            Null(("self", "outputSize", "out")),
            Call("upsample_nearest_exact2d", "check plan self outputSize {scalesH, scalesW} out"),
        ),
        _SIZED,
    ),
    Row(
        "UpsampleNearestExact3d", _FAMILY,
        (
            Null(("self", "outputSize", "out")),
            Call("upsample_nearest_exact3d",
                 "check plan self outputSize {scalesD, scalesH, scalesW} out"),
        ),
        _SIZED,
    ),
    Row(
        "UpsampleLinear1d", _FAMILY,
        (
            Null(("self", "out", "outputSize")),
            Kernel("upsample_linear1d"),
        ),
        _SIZED,
    ),
    Row(
        "UpsampleTrilinear3d", _FAMILY,
        (
            Null(("self", "outputSize", "out")),
            If("on_950()", Since("9.1", DtypeIn(EVERY_FLOAT, ("self",)))),
            Call("upsample_trilinear3d",
                 "check plan self outputSize alignCorners {scalesD, scalesH, scalesW} out"),
        ),
        _SIZED,
    ),
    Row(
        "UpsampleBicubic2d", _FAMILY,
        (
            *_given_alike("self", "outputSize", FLOATS),
            Call("upsample_bicubic2d",
                 "check plan self outputSize alignCorners {scalesH, scalesW} out"),
        ),
        _SIZED,
    ),
    _filtered("UpsampleBicubic2dAA", "x", "upsample_bicubic2d_aa"),
    _filtered("UpsampleBilinear2dAA", "input", "upsample_bilinear2d_aa"),
    Row(
        "Resize", _FAMILY,
        (
            Null(("self", "scales", "out", "mode")),
            That(
                'mode.text.rfind("nearest", 0) == 0 || mode.text.rfind("bilinear", 0) == 0',
                "mode is %s, it must be nearest or bilinear", ("mode.text.c_str()",),
            ),
            DtypeIn(EVERY_FLOAT, ("self",)),
            SameDtype(("self", "out")),
            Formats(("self", "out")),
            Call("resize", "check plan self scales.values() mode.text out"),
        ),
        {"out": Output("of_scales self scales", "same self")},
    ),
    Row(
        "AffineGrid", _FAMILY,
        (
            Null(("theta", "size", "out")),
            Kernel("affine_grid"),
        ),
        {"out": Output("grid_of theta size", "same theta")},
    ),
    Row(
        "GridSampler2D", _FAMILY,
        (
            Null(("input", "grid", "out")),
            SameDtype(("input", "grid", "out")),
            Since("9.1", DtypeIn(dtypes("float32 float16 float64", "bfloat16"), ("input",)),
                  DtypeIn(dtypes("float32 float16 float64", "", "bfloat16"), ("input",))),
            Call("check_grid_sampler2d", "check input grid interpolationMode paddingMode out"),
            DoneIfEmpty(("input", "grid")),
            Kernel("grid_sampler2d"),
        ),
        {"out": Output("sampled input grid", "same input")},
    ),
    Row(
        "GridSampler3D", _FAMILY,
        (
            Null(("input", "grid", "out")),
            SameDtype(("input", "grid", "out")),
            DtypeIn(dtypes("float32 float16 float64 bfloat16"), ("input",)),
            Call("check_grid_sampler3d", "check input grid interpolationMode paddingMode out"),
            DoneIfEmpty(("input", "grid")),
            Kernel("grid_sampler3d"),
        ),
        {"out": Output("sampled input grid", "same input")},
    ),
    Row(
        "Im2col", "unfold",
        (
            Null(("self", "kernelSize", "dilation", "padding", "stride", "out")),
            DtypeIn(dtypes("float32 float16 bfloat16", newest=_MOVED), ("self",)),
            Kernel("im2col"),
        ),
        {"out": Output("columns self kernelSize dilation padding stride", "same self")},
    ),
)  # fmt: skip
