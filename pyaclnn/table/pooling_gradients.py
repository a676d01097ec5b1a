"""Gradients of pooling."""

from __future__ import annotations

from .dtypes import FLOATS, FLOATS_DOUBLE, Dtypes, dtypes
from .optional_steps import If, Since, if_given, on_a2_and_950_since
from .row import Output, Row
from .shape_steps import ForEachAxis, Formats, SameRank, Spatial
from .steps import (
    Call,
    DoneIfEmpty,
    DtypeIn,
    Given,
    Null,
    OnlyOn,
    SameDtype,
    SameShape,
    Step,
    That,
)

_FAMILY = "pooling"
_PAIR = ("gradOutput", "self")
_MAX = ("self", "gradOutput", "gradInput")
_ALL_OF_MAX = (*_PAIR, "indices", "gradInput")
_INDEXED = (*_MAX, "indices")
_WINDOW = ("kernelSize", "stride", "padding", "dilation")
_OF_MAX = "gradOutput self indices gradInput"
_POOLED = Call("pooled_shape", "self.shape() all ceilMode", "pooled")

#: Types of chips with bfloat16, where others have no kernel.
_NEWER = dtypes("", "float32 float16 bfloat16")
_INT32, _INT64 = dtypes("int32"), dtypes("int64")
_INDEX = dtypes("int32 int64")
_UNPOOLED = dtypes("float32 float16 int8 uint8 int16 int32 int64")


def _row(name: str, out: str, *steps: Step, missing: tuple[str, ...] = ()) -> Row:
    return Row(
        name, _FAMILY, steps, {out: Output("like self", "same self")},
        missing=missing,
    )  # fmt: skip


def _call(axes: int, out: str, more: str = "") -> Step:
    return Call(
        f"avg_pool{axes}d_gradient",
        "check plan gradOutput {self, kernelSize, stride, padding, ceilMode, countIncludePad, "
        f"divisorOverride, {out}}}{more}",
    )


def _max_pool_2d(name: str, missing: tuple[str, ...], first: tuple[Step, ...], *last: Step) -> Row:
    """Make the row of a gradient with windows of images; ``first`` come null and types."""
    return _row(
        name, "gradInput",
        *first,
        Formats(_INDEXED),
        Spatial(2, ("self", "gradInput", "gradOutput", "indices")),
        *last,
        missing=missing,
    )  # fmt: skip


_IMAGE: tuple[Step, ...] = (
    Call("max_pool2d_windows", "check kernelSize stride padding dilation", "all"),
    SameShape(("self", "gradInput")),
    Call("refuse_channels_last", "check plan self gradOutput all ceilMode"),
    Call("check_pooled_gradient", "check gradOutput self all ceilMode"),
    DoneIfEmpty(("self",)),
)  # fmt: skip


def _adaptive_max_pool(axes: int, *checks: Step) -> Row:
    return _row(
        f"AdaptiveMaxPool{axes}dBackward", "gradInput",
        Since("9.1", Null(_ALL_OF_MAX), Given(_ALL_OF_MAX)),
        SameDtype(_MAX),
        on_a2_and_950_since("9.1", DtypeIn(FLOATS, ("self",)), DtypeIn(Dtypes(()), ("self",))),
        DtypeIn(_INDEX, ("indices",)),
        SameRank(("self", "gradOutput", "indices", "gradInput")),
        SameShape(("gradOutput", "indices")),
        SameShape(("self", "gradInput")),
        *checks,
        # The document of images has no 950, whose type passes all the same.
        *((OnlyOn(("A2",), inside=True),) if axes == 2 else ()),
        DoneIfEmpty((*_PAIR, "indices")),
        Call("adaptive_max_pool_gradient", f"plan {_OF_MAX} {axes}"),
    )  # fmt: skip


def _numbers(name: str, count: int) -> That:
    size = f"{name}.values().size()"
    return That(f"{size} == {count}", f"{name} has %zu entries, it takes {count}", (size,))


def _in_int32(axes: int) -> Step:
    return Call("check_places", f'check self {axes} "plane"')


_ALL_OF_ARGMAX = (*_PAIR, "indices", *_WINDOW, "gradInput")

ROWS: tuple[Row, ...] = (
    _row(
        "AvgPool2dBackward", "gradInput",
        Null((*_PAIR, "kernelSize", "padding", "gradInput")),
        DtypeIn(FLOATS, (*_PAIR, "gradInput")),
        SameDtype(("gradOutput", "gradInput")),
        Formats((*_PAIR, "gradInput")),
        That("(gradOutput.rank() == 3 || gradOutput.rank() == 4) && "
             "gradInput.rank() == gradOutput.rank()", "gradOutput has %zu dimensions and gradInput "
             "%zu, both must have 3 or both 4", ("gradOutput.rank()", "gradInput.rank()")),
        *(Call("check_not_negative", f"check {n}") for n in (*_PAIR, "gradInput")),
        ForEachAxis(2, ("kernelSize",), least=1),
        if_given("stride", ForEachAxis(2, ("stride",), 1, or_none=True)),
        ForEachAxis(2, ("padding",)),
        Call("windows", "2 kernelSize stride padding", "all"),
        Call("check_half_paddings", "check all"),
        That("cubeMathType >= 0 && cubeMathType <= 3",
             "cubeMathType is %d, it must be from 0 to 3", ("int(cubeMathType)",)),
        SameShape(("self", "gradInput")),
        DoneIfEmpty(_PAIR),
        _call(2, "gradInput", " cubeMathType"),
    ),
    _row(
        "AvgPool3dBackward", "output",
        Null((*_PAIR, "kernelSize", "stride", "padding", "output")),
        DtypeIn(_NEWER, (*_PAIR, "output")),
        Spatial(3, ("gradOutput",)),
        SameRank(("gradOutput", "self")),
        SameShape(("self", "output")),
        ForEachAxis(3, ("kernelSize", "padding")),
        ForEachAxis(3, ("stride",), or_none=True),
        Formats(("gradOutput", "output")),
        DoneIfEmpty(("gradOutput",)),
        _call(3, "output"),
    ),
    _row(
        "AdaptiveAvgPool2dBackward", "out",
        Null((*_PAIR, "out")),
        SameRank(("self", "gradOutput")),
        Call("check_not_negative", "check self"),
        Call("check_not_negative", "check gradOutput"),
        Spatial(2, ("out",)),
        SameRank(("self", "out")),
        Call("check_same_images", "check out self 2"),
        DtypeIn(FLOATS, _PAIR),
        SameDtype(("self", "gradOutput")),
        Call("check_same_images", "check gradOutput self 2"),
        Formats(("self", "gradOutput")),
        DoneIfEmpty(_PAIR),
        Call("adaptive_avg_pool_gradient", "plan gradOutput self out 2"),
    ),
    _row(
        "AdaptiveAvgPool3dBackward", "out",
        Null((*_PAIR, "out")),
        Spatial(3, ("self",)),
        That("gradOutput.rank() == self.rank() && out.rank() == self.rank()",
             "gradOutput has %zu dimensions and out %zu, self has %zu",
             ("gradOutput.rank()", "out.rank()", "self.rank()")),
        Call("check_adaptive_avg_pool3d_gradient", "check gradOutput self out"),
        Call("is_one_place", "gradOutput 3", "is_global"),
        If("is_global || on_first_generation()", DtypeIn(FLOATS_DOUBLE, ("gradOutput", "self")),
           DtypeIn(FLOATS, ("gradOutput", "self"))),
        SameDtype(_PAIR),
        SameDtype(("self", "out")),
        Formats(("self", "gradOutput", "out")),
        That("is_global || chip().soc != Soc::kAscend910",
             "gradOutput has shape %s, %s takes depth, height and width of 1 only",
             ("gradOutput.shape().text().c_str()", "chip().name")),
        DoneIfEmpty(_PAIR),
        Call("adaptive_avg_pool_gradient", "plan gradOutput self out 3"),
    ),
    _max_pool_2d(
        "MaxPool2dWithIndicesBackward", (),
        (
            Null((*_PAIR, "indices", *_WINDOW, "gradInput")),
            DtypeIn(dtypes("", "float32", "float16 bfloat16"), ("self",)),
            SameDtype(_MAX),
            If("on_950()", DtypeIn(dtypes("int32 int64"), ("indices",)),
               DtypeIn(dtypes("int32 int8"), ("indices",))),
        ),
        *_IMAGE,
        Call("max_pool2d_gradient", f"plan {_OF_MAX}"),
    ),
    _max_pool_2d(
        "MaxPool2dWithMaskBackward",
        ("masks of bits: a kernel of 1 by 1, and chips before A2", "masks that are not contiguous",
         "format NHWC"),
        (
            That("!on_950()", "use aclnnMaxPool2dWithIndicesBackward on %s",
                 ("chip().name",)),
            Null(("kernelSize", "self", "gradOutput")),
            Call("check_mask_kernel_given", "plan kernelSize"),
            Null(("indices", "stride", "padding", "dilation", "gradInput")),
            If("on_310p()", DtypeIn(Dtypes(()), ("self",)), DtypeIn(FLOATS, ("self",))),
            SameDtype(_MAX),
            DtypeIn(dtypes("int8"), ("indices",)),
        ),
        # The shape of the mask is compared, but what comes of it goes unheeded.
        *_IMAGE,
        _POOLED,
        Call("max_pool2d_mask_gradient", f"plan {_OF_MAX} all pooled"),
    ),
    _row(
        "MaxPool3dWithArgmaxBackward", "gradInput",
        Since("9.1", Null(_ALL_OF_ARGMAX), Given(_ALL_OF_ARGMAX)),
        DtypeIn(_NEWER, ("self",)),
        DtypeIn(dtypes("int32", "", "int64"), ("indices",)),
        SameDtype(_MAX),
        Formats(_INDEXED),
        Spatial(3, ("gradOutput", "gradInput", "indices", "self")),
        ForEachAxis(3, ("kernelSize",), least=1),
        ForEachAxis(3, ("stride",), least=1, or_none=True),
        ForEachAxis(3, ("padding",), least=0),
        Call("windows", "3 kernelSize stride padding", "close"),
        Call("check_at_most_half", "check close"),
        ForEachAxis(3, ("dilation",), least=1),
        Call("dilated", "close dilation", "all"),
        If("!on_950()", Call("check_places", 'check self 3 "volume"')),
        SameShape(("gradOutput", "indices")),
        SameShape(("self", "gradInput")),
        DoneIfEmpty(_PAIR),
        _POOLED,
        Call("max_pool3d_gradient", f"check plan {_OF_MAX} pooled"),
    ),
    _adaptive_max_pool(2, Formats(_INDEXED), Spatial(2, ("self",)), _in_int32(2)),
    _adaptive_max_pool(
        3, _in_int32(3), Formats(_INDEXED), Spatial(3, ("self",)),
        Since("9.1", DtypeIn(dtypes("int32", "", "int64"), ("indices",)),
              before=DtypeIn(_INT32, ("indices",))),
    ),
    _row(
        "MaxUnpool2dBackward", "out",
        Null((*_PAIR, "indices", "outputSize", "out")),
        DtypeIn(_UNPOOLED | dtypes("bool"), (*_PAIR, "out")),
        That("can_cast(gradOutput.dtype(), out.dtype())",
             "gradOutput cannot be converted to the type of out"),
        SameDtype(("self", "gradOutput")),
        DtypeIn(_INDEX, ("indices",)),
        Spatial(2, ("self",)),
        SameRank(("self", "gradOutput")),
        Call("check_unpooled_channels", "check gradOutput self 2"),
        SameShape(("self", "indices", "out")),
        _numbers("outputSize", 2),
        Call("check_unpooled_size", "check gradOutput outputSize"),
        That("!gradOutput.is_empty() || self.is_empty()", "gradOutput is empty, self is not"),
        DoneIfEmpty(("self",)),
        Call("max_unpool_gradient", "plan gradOutput indices out 2"),
    ),
    _row(
        "MaxUnpool3dBackward", "out",
        Null((*_PAIR, "indices", "outputSize", "stride", "padding", "out")),
        That("out.meta().is_contiguous()", "out is not contiguous"),
        DtypeIn(_UNPOOLED | dtypes("float64"), (*_PAIR, "out")),
        SameDtype((*_PAIR, "out")),
        DtypeIn(_INT64, ("indices",)),
        Spatial(3, ("self",)),
        SameShape(("self", "indices", "out")),
        Call("check_only_first_empty", "check self"),
        *(_numbers(n, 3) for n in ("outputSize", "stride", "padding")),
        Call("check_at_least", "check stride 1"),
        Call("check_at_least", "check outputSize 1"),
        Call("check_unpooled_room", "check self outputSize"),
        SameRank(("self", "gradOutput")),
        Call("check_unpooled_size", "check gradOutput outputSize"),
        Call("check_unpooled_channels", "check gradOutput self 3"),
        DoneIfEmpty(("gradOutput",)),
        Call("max_unpool_gradient", "plan gradOutput indices out 3"),
    ),
)  # fmt: skip
