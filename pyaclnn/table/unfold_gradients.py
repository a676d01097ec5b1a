"""Gradients of windows as columns, of windows along an axis, and of regions of interest."""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .format_steps import FormatNotIn
from .resampling_steps import Images
from .row import Output, Row
from .shape_steps import Formats, NumberIn, Spatial
from .steps import (
    LATE_950,
    Call,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    HasShape,
    Inside,
    KernelExists,
    Null,
    OnlyOn,
    RankAtMost,
    SameDtype,
    That,
)

ROWS: tuple[Row, ...] = (
    Row(
        "Im2colBackward", "unfold",
        (
            Null((
                "gradOutput", "inputSize", "kernelSize", "dilation", "padding", "stride", "out",
            )),
            DtypeIn(FLOATS, ("gradOutput", "out")),
            Spatial(1, ("gradOutput",)),
            That("out.rank() == gradOutput.rank() + 1", "out has %zu dimensions, it must have %zu",
                 ("out.rank()", "gradOutput.rank() + 1")),
            Call("im2col_gradient",
                 "check plan gradOutput {inputSize, kernelSize, dilation, padding, stride} out"),
        ),
        {"out": Output("folded gradOutput inputSize kernelSize", "same gradOutput")},
    ),
    Row(
        "UnfoldGrad", "unfold",
        (
            *(
                Inside(f"{name}.given()", f"{name} is null")
                for name in ("gradOut", "inputSizes", "gradIn")
            ),
            DtypeIn(dtypes("float32 float16 bfloat16"), ("gradOut", "gradIn")),
            FormatNotIn(("FRACTAL_NZ",), ("gradOut",)),
            RankAtMost(8, ("gradOut", "gradIn")),
            That("gradOut.rank() >= 1 && gradIn.rank() >= 1",
                 "gradOut has shape %s, gradIn %s: they must have one dimension or more",
                 ("gradOut.shape().text().c_str()", "gradIn.shape().text().c_str()")),
            That("inputSizes.values().size() + 1 == gradOut.rank()",
                 "inputSizes has %zu values, it must have one less than gradOut has dimensions, "
                 "%zu", ("inputSizes.values().size()", "gradOut.rank()")),
            HasShape("gradIn", "Dims(inputSizes.values().data(), inputSizes.values().size())",
                     "inputSizes"),
            That("dim >= 0 && dim < std::int64_t(gradOut.rank()) - 1",
                 "dim is %lld, it must be from 0 to %zu",
                 ("static_cast<long long>(dim)", "gradOut.rank() - 2")),
            NumberIn("size", 1, "be positive"),
            NumberIn("step", 1, "be positive"),
            DoneIfEmpty(("gradOut", "gradIn")),
            Cpp("plan.stage(gradOut).contiguous();"),
            OnlyOn(("A2", LATE_950), inside=True),
            Call("unfold_gradient", "plan gradOut std::size_t(dim.value) size step gradIn"),
        ),
        {"gradIn": Output("whole_size gradOut inputSizes", "same gradOut")},
    ),
    Row(
        "RoiAlignV2Backward", "unfold",
        (
            Null(("gradOutput", "boxes", "inputShape", "gradInput")),
            DtypeIn(dtypes("float32"), ("gradOutput",)),
            SameDtype(("gradOutput", "boxes", "gradInput")),
            Formats(("gradOutput", "boxes", "gradInput")),
            Images(2, ("gradOutput",), sized=False),
            That("boxes.rank() == 2 && boxes.shape()[1] == 5",
                 "boxes has shape %s, it must be [boxes, 5]", ("boxes.shape().text().c_str()",)),
            Cpp("const Dims& pooled = gradOutput.shape();"),
            Cpp("const std::vector<std::int64_t>& shape = inputShape.values();"),
            That("shape.size() == 4", "inputShape has %zu values, it must have 4",
                 ("shape.size()",)),
            HasShape("gradOutput",
                     "{boxes.shape()[0], pooled[1], pooledHeight.value, pooledWidth.value}",
                     "the boxes, the channels, pooledHeight and pooledWidth"),
            HasShape("gradInput", "Dims(shape.data(), shape.size())", "inputShape"),
            That("shape[1] == pooled[1]", "gradInput has %lld channels, gradOutput has %lld",
                 ("static_cast<long long>(shape[1])", "static_cast<long long>(pooled[1])")),
            NumberIn("samplingRatio", 0, "not be negative"),
            # CANN compares with the smallest normal number.
            That("!(spatialScale <= 0x1p-126f)", "spatialScale is %g, it must be positive",
                 ("double(spatialScale)",)),
            *(Cpp(f"plan.stage({t}).contiguous();") for t in ("gradOutput", "boxes")),
            Cpp("plan.result(ACL_FLOAT, gradInput.shape()).copy_to(gradInput);"),
            DoneIfEmpty(("gradInput",)),
            DoneIf("gradOutput.is_empty()", Call("launch_zero", "plan gradInput")),
            KernelExists("!on_310p() && (!on_950() || has_950_kernels())"),
            Call("roi_align_gradient",
                 "plan gradOutput boxes {spatialScale, samplingRatio, aligned} gradInput"),
        ),
        {"gradInput": Output("whole_size gradOutput inputShape", "same gradOutput")},
    ),
)  # fmt: skip
