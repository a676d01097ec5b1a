"""Pooling."""

from __future__ import annotations

from .dtypes import FLOATS_DOUBLE, Dtypes, dtypes
from .optional_steps import Since
from .row import Output, Row
from .shape_steps import Formats
from .steps import (
    Call,
    Cpp,
    Divides,
    DoneIfEmpty,
    DtypeIn,
    Given,
    Kernel,
    KernelExists,
    Null,
    OnlyOn,
    SameDtype,
    ShapeIs,
    Step,
    Struct,
    That,
)

_FAMILY = "pooling"

_ALL_OF_MAX = ("self", "kernelSize", "stride", "padding", "dilation", "out", "indices")
_POOLED = "kernelSize stride padding dilation ceilMode"


def _max_pool_2d(
    name: str, first: tuple[Step, ...], kernel: str, indices: Output, *missing: str
) -> Row:
    return Row(
        name, _FAMILY,
        (
            *first,
            Null(_ALL_OF_MAX),
            Kernel(kernel, of="MaxPool2dWithIndices"),
        ),
        {"out": Output(f"pooled self {_POOLED}", "same self"), "indices": indices},
        missing=missing,
    )  # fmt: skip


def _avg_pool(axes: int, stride: str, padding: str, out: str, more: str) -> Row:
    return Row(
        f"AvgPool{axes}d", _FAMILY,
        (
            Null(("self", "kernelSize", stride, padding, out)),
            Struct("AvgPool",
                   f"self kernelSize {stride} {padding} ceilMode countIncludePad divisorOverride "
                   f"{out}", "call"),
            Call(f"avg_pool{axes}d", f"check plan call{more}"),
        ),
        {out: Output(f"averaged_{axes}d self kernelSize {stride} {padding} ceilMode", "same self")},
    )  # fmt: skip


#: One place is a mean, which all chips have.
_MEANS_3D = "is_one_place(out, 3) || on_310p() || !on_first_generation()"


def _adaptive_avg_pool(axes: int) -> Row:
    return Row(
        f"AdaptiveAvgPool{axes}d", _FAMILY,
        (
            Null(("self", "outputSize", "out")),
            Call(f"check_adaptive_avg_pool{axes}d", "check self outputSize.values() out"),
            DoneIfEmpty(("self",)),
            *((KernelExists(_MEANS_3D),) if axes == 3 else ()),
            Call("adaptive_avg_pool", f"check plan self out {axes}"),
        ),
        {"out": Output("of_size self outputSize", "same self")},
    )  # fmt: skip


def _global(name: str, accepted: Dtypes, kind: str, shape: Step) -> Row:
    return Row(
        name, _FAMILY,
        (
            Null(("self", "out")),
            DtypeIn(accepted, ("self", "out")),
            SameDtype(("self", "out")),
            Formats(("self", "out")),
            That("self.rank() >= 4 && self.rank() <= 8", "self has %zu dimensions, it must have 4 "
                 "to 8", ("self.rank()",)),
            Cpp("const AxisMask axes = (AxisMask(1) << self.rank()) - 4;"),
            Call("reduced_shape", "self.shape() axes true", "result_shape"),
            shape,
            Divides("!self.is_empty()", "self has no elements: %s",
                    ("self.shape().text().c_str()",)),
            Call("reduce", f"plan Reduce::{kind} self.dtype() self.dtype() self out axes true"),
        ),
        {"out": Output("one_place self", "same self")},
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _max_pool_2d(
        "MaxPool2dWithIndices", (), "max_pool2d_with_indices",
        Output(f"pooled self {_POOLED}", "int32"),
    ),
    _max_pool_2d(
        "MaxPool2dWithMask", (Call("check_mask_kernel", "check self kernelSize out"),),
        "max_pool2d_with_mask", Output(f"window_mask self {_POOLED}", "int8"),
        "masks of bits, which kernels of 1 by 1 and chips before A2 give",
    ),
    Row(
        "MaxPool", _FAMILY,
        (
            Null(("self", "kernelShape", "strides", "pads", "dilations", "out")),
            DtypeIn(
                dtypes("float16", "float32", "bfloat16 int8 uint8 int16 uint16 int32 int64"),
                ("self",),
            ),
            SameDtype(("self", "out")),
            Kernel("max_pool"),
        ),
        {"out": Output("max_pooled self kernelShape strides pads ceilMode", "same self")},
    ),
    Row(
        "AdaptiveMaxPool2d", _FAMILY,
        (
            Null(("self", "outputSize", "outputOut", "indicesOut")),
            DtypeIn(FLOATS_DOUBLE, ("self",)),
            SameDtype(("self", "outputOut")),
            DtypeIn(dtypes("int64"), ("indicesOut",)),
            Kernel("adaptive_max_pool2d"),
        ),
        {
            "outputOut": Output("of_size self outputSize", "same self"),
            "indicesOut": Output("of_size self outputSize", "int64"),
        },
        missing=("format NHWC of float64, and of chips before Atlas A2",),
    ),
    _avg_pool(2, "strides", "paddings", "out", " cubeMathType"),
    _avg_pool(3, "stride", "padding", "out", ""),
    _adaptive_avg_pool(2),
    _adaptive_avg_pool(3),
    Row(
        "MaxPool3dWithArgmax", _FAMILY,
        (
            OnlyOn(("A2", "950")),
            Since("9.1", Null(_ALL_OF_MAX), Given(_ALL_OF_MAX)),
            Kernel("max_pool3d_with_argmax"),
        ),
        {
            "out": Output(f"pooled_3d self {_POOLED}", "same self"),
            "indices": Output(f"pooled_3d self {_POOLED}", "int32"),
        },
        missing=("format NDHWC of the 950 series",),
    ),
    Row(
        "AdaptiveMaxPool3d", _FAMILY,
        (
            Null(("self", "outputSize", "outputOut", "indicesOut")),
            Kernel("adaptive_max_pool3d"),
        ),
        {
            "outputOut": Output("adaptive_3d self outputSize", "same self"),
            "indicesOut": Output("adaptive_3d self outputSize", "int32"),
        },
    ),
    Row(
        "MaxUnpool2d", _FAMILY,
        (
            Null(("self", "indices", "outputSize", "out")),
            Kernel("max_unpool2d"),
        ),
        {"out": Output("of_size self outputSize", "same self")},
    ),
    Row(
        "MaxUnpool3d", _FAMILY,
        (
            Null(("self", "indices", "outputSize", "stride", "padding", "outRef")),
            Kernel("max_unpool3d"),
        ),
        {"outRef": Output("of_size self outputSize", "same self")},
    ),
    _global("GlobalAveragePool", FLOATS_DOUBLE, "kMean",
            ShapeIs(("out",))),
    _global("GlobalMaxPool", dtypes("float32 float16 float64"), "kMaximum",
            ShapeIs(("out",))),
)  # fmt: skip
