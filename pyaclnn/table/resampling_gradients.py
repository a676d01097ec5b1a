"""Gradients of resampling: each adds up, for an element, what was taken from it."""

from __future__ import annotations

from .dtypes import EVERY_FLOAT, FLOATS, FLOATS_DOUBLE, INTEGERS, Dtypes, dtypes
from .format_steps import KeepsFormat
from .optional_steps import If, Since
from .resampling_steps import HasInputSize, Images, Sizes, SizesOfGradient
from .row import Output, Row
from .shape_steps import Formats, NumberIn
from .steps import (
    Call,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    HasShape,
    Inside,
    Null,
    On950,
    OnlyOn,
    SameDtype,
    SameShape,
    Step,
    Steps,
    That,
    bfloat16_kernel,
)

_FAMILY = "resample"
_COPIES = ("copies of integers where nothing is resized",)
_SINCE_A2 = OnlyOn(("A2", "950"), inside=True)
_SCALES = {1: "{scales}", 2: "{scalesH, scalesW}", 3: "{scalesD, scalesH, scalesW}"}


def _row(
    name: str, *steps: Step, gradient: str = "gradOut", result: str = "out",
    missing: tuple[str, ...] = (),
) -> Row:  # fmt: skip
    return Row(
        name, _FAMILY, steps,
        {result: Output(f"whole_size {gradient} inputSize", f"same {gradient}")},
        missing=("private formats", *missing),
    )  # fmt: skip


def _alike(accepted: Dtypes, gradient: str, result: str) -> tuple[Step, ...]:
    return (DtypeIn(accepted, (gradient,)), SameDtype((gradient, result)))


def _scales_at_most_50(axes: int) -> Step:
    return Call("check_scales", f"check sizes {_SCALES[axes]} 50")


def _nearest_exact(name: str, axes: int, *first: Step) -> Row:
    """Make the row of lines and images: out[i] is the sum of gradients whose middle lies in i."""
    return _row(
        name,
        Null(("gradOutput", "inputSize", "out")),
        *first,
        *_alike(EVERY_FLOAT, "gradOutput", "out"),
        Null(("outputSize",)),
        Formats(("gradOutput", "out")),
        Images(axes, ("gradOutput", "out")),
        Call("check_leading_axes", "check gradOutput out"),
        *(
            That(f"!({n} < 0)", "a scale is %g, it must not be negative", (f"double({n})",))
            for n in _SCALES[axes][1:-1].split(", ")
        ),
        SizesOfGradient("gradOutput"),
        _scales_at_most_50(axes),
        DoneIfEmpty(("out",)),
        _SINCE_A2,
        Call("nearest_gradient", f"plan {{gradOutput, out, sizes, {_SCALES[axes]}}} true"),
        gradient="gradOutput",
    )


def _volume(name: str, accepted: Dtypes, *last: Step, formats: tuple[Step, ...] = ()) -> Row:
    return _row(
        name,
        Null(("gradOut", "outputSize", "inputSize", "gradInput")),
        *_alike(accepted, "gradOut", "gradInput"),
        Images(3, ("gradOut",)),
        *formats,
        Sizes("gradOut", "gradOut", order="kChannelsSecond"),
        # Its own format says where gradInput has its channels.
        HasShape(
            "gradInput",
            "resize_of(gradInput, outputSize, inputSize, "
            "SizeOrder::kChannelsSecond).grad_input_shape()",
            "inputSize",
        ),
        *last,
        result="gradInput",
    )


def _nearest_volume(exact: str) -> Step:
    return Steps(
        (
            Call("all_or_none", _SCALES[3], "scales"),
            Call("nearest_gradient", f"plan {{gradOut, gradInput, sizes, scales}} {exact}"),
        )
    )


def _filtered(name: str, *steps: Step, kernel: str) -> Row:
    """Make the row of a filter that widens where an image was made smaller."""
    return _row(
        name,
        Null(("gradOutput", "inputSize", "out", "outputSize")),
        *_alike(EVERY_FLOAT, "gradOutput", "out"),
        *steps,
        _SINCE_A2,
        Cpp(
            "antialias_gradient(plan, {gradOutput, out, resize_of_gradient(gradOutput, inputSize), "
            f"{{scalesH, scalesW}}, alignCorners}}, {kernel});"
        ),
        gradient="gradOutput",
    )


_WANTS_NOTHING = "!wants(outputMask, 0) && !wants(outputMask, 1)"


_LINEAR = NumberIn("interpolationMode", 0, "be 0 (bilinear) or 1 (nearest)", 1)
_CUBIC = NumberIn("interpolationMode", 0, "be 0 (bilinear), 1 (nearest) or 2 (bicubic)", 2)


def _grid_sampler(axes: int, channels_last: str) -> Row:
    """Make the row of a gradient by what is sampled, and by the points of the grid."""
    return Row(
        f"GridSampler{axes}DBackward", _FAMILY,
        (
            Since("9.1", DoneIf("!outputMask.given()"), DoneIf(_WANTS_NOTHING)),
            Null(("gradOutput", "input", "grid", "inputGrad", "gridGrad")),
            SameDtype(("input", "gradOutput", "grid", "inputGrad", "gridGrad")),
            DtypeIn(FLOATS_DOUBLE, ("input",)),
            Since("9.1", _CUBIC, before=_LINEAR) if axes == 2 else _LINEAR,
            NumberIn("paddingMode", 0, "be 0 (zeros), 1 (border) or 2 (reflection)", 2),
            Images(axes, ("input", "grid", "gradOutput"), sized=False),
            Cpp(f"const bool channels_last = {channels_last};"),
            Call("check_grid_gradient", "check gradOutput input grid channels_last"),
            SameShape(("input", "inputGrad")),
            SameShape(("grid", "gridGrad")),
            Since("9.1", That("outputMask.values().size() == 2", "outputMask has %zu values, not 2",
                              ("outputMask.values().size()",))),
            DoneIfEmpty(("gradOutput", "input", "grid")),
            DoneIf(_WANTS_NOTHING),
            If("wants(outputMask, 1)", KeepsFormat("grid", ("gridGrad",))),
            Call("wanted", "outputMask 0 inputGrad", "input_grad"),
            Call("wanted", "outputMask 1 gridGrad", "grid_grad"),
            Call("grid_sampling", "interpolationMode paddingMode alignCorners", "sampling"),
            Call(
                f"grid_sampler{axes}d_gradient",
                "plan {gradOutput, input, grid, input_grad, grid_grad, channels_last} sampling",
            ),
        ),
        {
            "inputGrad": Output("like input", "same input"),
            "gridGrad": Output("like grid", "same grid"),
        },
    )  # fmt: skip


_NOT_NEGATIVE = That(
    "!(scalesH < 0) && !(scalesW < 0)", "the scales are %g and %g, they must not be negative",
    ("double(scalesH)", "double(scalesW)"),
)  # fmt: skip
_FILTERED_IMAGES: tuple[Step, ...] = (
    Formats(("gradOutput", "out")),
    Images(2, ("gradOutput", "out")),
    If(
        "gradOutput.meta().format == ACL_FORMAT_NCHW",
        Call("check_leading_axes", "check gradOutput out"),
    ),
)

ROWS: tuple[Row, ...] = (
    _row(
        "UpsampleNearest1dBackward",
        Null(("gradOut", "outputSize", "inputSize", "out")),
        Images(1, ("gradOut",)),
        *_alike(FLOATS_DOUBLE, "gradOut", "out"),
        Sizes("gradOut", "gradOut", order="kChannelsSecond"),
        Call("check_leading_axes", "check gradOut out"),
        DoneIfEmpty(("gradOut", "out")),
        Call("nearest1d_gradient", "check plan {gradOut, out, sizes, {scales}}"),
    ),
    _row(
        "UpsampleNearest2dBackward",
        Null(("gradOut", "outputSize", "inputSize", "gradInput")),
        *_alike(FLOATS, "gradOut", "gradInput"),
        Images(2, ("gradOut",)),
        Formats(("gradInput",)),
        Call("check_batch_and_channels", "check gradInput gradOut"),
        Sizes("gradOut", "gradOut"),
        DoneIfEmpty(("gradOut", "gradInput")),
        Call("nearest2d_gradient", "check plan {gradOut, gradInput, sizes, {scalesH, scalesW}}"),
        result="gradInput",
    ),
    _volume(
        "UpsampleNearest3dBackward", EVERY_FLOAT | dtypes("float64"),
        DoneIfEmpty(("gradOut",)),
        bfloat16_kernel("gradOut"),
        _nearest_volume("false"),
    ),
    _nearest_exact("UpsampleNearestExact1dBackward", 1),
    # CANN does nothing to images without elements, whatever else is wrong.
    _nearest_exact("UpsampleNearestExact2dBackward", 2, DoneIfEmpty(("gradOutput", "out"))),
    _volume(
        "UpsampleNearestExact3dBackward", EVERY_FLOAT,
        _scales_at_most_50(3),
        DoneIfEmpty(("gradOut",)),
        _SINCE_A2,
        _nearest_volume("true"),
    ),
    _row(
        "UpsampleLinear1dBackward",
        Null(("gradOut", "outputSize", "inputSize", "out")),
        Images(1, ("gradOut",)),
        That("!on_310p()", "%s has no kernel for it", ("chip().name",)),
        Sizes("gradOut", "gradOut", order="kChannelsSecond"),
        # Before the 950 CANN looks at neither where something is resized.
        If("on_950() || sizes.keeps_size()", DtypeIn(EVERY_FLOAT, ("gradOut",))),
        SameDtype(("gradOut", "out")),
        On950(Images(1, ("out",), sized=False)),
        On950(HasInputSize("out")),
        Call("check_leading_axes", "check gradOut out"),
        DoneIfEmpty(("gradOut",)),
        DtypeIn(FLOATS, ("gradOut",)),
        Inside("out.rank() == 3", "out has %zu dimensions, it must have 3", ("out.rank()",)),
        HasInputSize("out"),
        Call("linear1d_gradient", "check plan {gradOut, out, sizes, {scales}, alignCorners}"),
        missing=_COPIES,
    ),
    _row(
        "UpsampleBilinear2dBackward",
        Null(("gradOut", "outputSize", "inputSize", "out")),
        Images(2, ("gradOut",)),
        Sizes("gradOut", "out", order="kLastUnlessNCHW"),
        HasInputSize("out"),
        Call("check_bilinear2d_dtypes", "check gradOut sizes out"),
        Formats(("gradOut", "out")),
        Call("check_batch_and_channels", "check gradOut out"),
        DoneIfEmpty(("gradOut",)),
        Call("bilinear2d_gradient", "plan {gradOut, out, sizes, {scalesH, scalesW}, alignCorners}"),
    ),
    _row(
        "UpsampleBilinear2dBackwardV2",
        Null(("gradOut", "inputSize", "outputSize", "out")),
        Images(2, ("gradOut",)),
        Formats(("out", "gradOut")),
        Sizes("gradOut", "gradOut"),
        Call("check_batch_and_channels", "check gradOut out"),
        # Where nothing is resized, Atlas A2 takes other types by way of float32.
        If("on_a2_or_a3() && sizes.keeps_size()", DtypeIn(FLOATS | INTEGERS, ("gradOut",)),
           DtypeIn(FLOATS, ("gradOut",))),
        SameDtype(("gradOut", "out")),
        DoneIfEmpty(("gradOut", "out")),
        HasInputSize("out"),
        Call("bilinear2d_v2_gradient",
             "plan {gradOut, out, sizes, {scalesH, scalesW}, alignCorners}"),
        missing=(
            "copies of float64, bool and complex numbers where nothing is resized, and of integers "
            "with a scale other than 1",
        ),
    ),
    _volume(
        "UpsampleTrilinear3dBackward", FLOATS_DOUBLE,
        DoneIfEmpty(("gradOut", "gradInput")),
        Call("trilinear3d_gradient",
             f"plan {{gradOut, gradInput, sizes, {_SCALES[3]}, alignCorners}}"),
        formats=(Formats(("gradOut",)),),
    ),
    _row(
        "UpsampleBicubic2dBackward",
        Null(("inputSize", "gradInput", "gradOut", "outputSize")),
        Images(2, ("gradOut", "gradInput")),
        Sizes("gradOut", "gradInput", order="kLastUnlessNCHWOrND"),
        HasInputSize("gradInput"),
        Formats(("gradOut", "gradInput")),
        *_alike(FLOATS, "gradOut", "gradInput"),
        DoneIfEmpty(("gradOut",)),
        Call("bicubic2d_gradient",
             "plan {gradOut, gradInput, sizes, {scalesH, scalesW}, alignCorners}"),
        result="gradInput",
    ),
    _filtered(
        "UpsampleBilinear2dAABackward",
        *_FILTERED_IMAGES,
        _NOT_NEGATIVE,
        Call("resize_of", "gradOutput outputSize inputSize SizeOrder::kAsTensor", "sizes"),
        That(
            "sizes.batch > 0 && sizes.channels > 0",
            "inputSize has a batch of %lld and %lld channels, both must be at least 1",
            ("static_cast<long long>(sizes.batch)", "static_cast<long long>(sizes.channels)"),
        ),
        Call("check_positive", "check sizes"),
        If("!on_950()", _scales_at_most_50(2)),
        DoneIfEmpty(("gradOutput", "out")),
        DoneIf("!on_950() && sizes.keeps_size()", Call("launch_unresized", "plan gradOutput out")),
        kernel="Filter::kTriangle, ComputeIn::kFloat",
    ),
    _filtered(
        "UpsampleBicubic2dAAGrad",
        _NOT_NEGATIVE,
        *_FILTERED_IMAGES,
        SizesOfGradient("gradOutput"),
        If("!on_950()", _scales_at_most_50(2)),
        DoneIfEmpty(("out",)),
        kernel="Filter::kCubic, ComputeIn::kOwnType",
    ),
    _grid_sampler(2, "false"),
    _grid_sampler(3, "input.meta().format == ACL_FORMAT_NDHWC"),
)  # fmt: skip
