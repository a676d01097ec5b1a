"""Quantisation by itself: with scales that are given, or found, and back."""

from __future__ import annotations

from .dtypes import FLOATS, Dtypes, dtypes
from .format_steps import FormatIn, NoPrivateFormat
from .optional_steps import If, Since, if_given
from .row import Output, Row
from .steps import (
    LATE_950,
    Call,
    DoneIfEmpty,
    DtypeIn,
    Given,
    Inside,
    Kernel,
    Null,
    OnlyOn,
    SameDtype,
    SameShape,
    Step,
    That,
)

_FAMILY = "quant"
#: Where the caller names int32, eight numbers of four bits are in each.
PACKED = "((*x[:-1], x[-1] // 8) if dstType == 3 else x)"
_ROWS = "(*x[:-1],)"
_NARROW = "hifloat8 float8_e5m2 float8_e4m3fn"
_HALVES = Dtypes(("float16", "float32"))
_HYBRID = "the hybrid rounding of hifloat8, which draws"


def _ascend_quant(name: str, chips: tuple[str, ...], narrow: str, given: dict[str, str],
                  missing: tuple[str, ...]) -> Row:  # fmt: skip
    return Row(
        name, _FAMILY,
        (
            Null(("x", "scale", "y")),
            OnlyOn(chips),
            DtypeIn(FLOATS, ("x",)),
            # The inference chips before have int8 only.
            DtypeIn(dtypes("int8", "int8 int32 int4", narrow), ("y",)),
            DtypeIn(FLOATS, ("scale",)),
            if_given("offset", DtypeIn(FLOATS, ("offset",))),
            Kernel("ascend_quant", of="AscendQuantV3", given=given),
        ),
        {"y": Output(PACKED, "given dstType")},
        missing=missing,
    )  # fmt: skip


def _dynamic_quant(
    name: str, outputs: dict[str, Output], given: dict[str, str] | None = None, *,
    of_950: bool = False,
) -> Row:  # fmt: skip
    """Make a row; ``given`` is what a version before the third does not tell."""
    # A null quantMode is no mode, where there is one.
    newer: tuple[Step, ...] = (
        Call("require_950", "plan"), Null(("x", "yOut", "scaleOut")), Given(("quantMode",)),
    )  # fmt: skip
    return Row(
        name, _FAMILY,
        (
            *(newer if of_950 else ()),
            Kernel("dynamic_quant", of="DynamicQuantV4", given=given or {}),
        ),
        outputs,
    )  # fmt: skip


_OF_MODE = (
    "((1,) if quantMode == 'pertensor' else (*x[:-2], x[-1]) if quantMode == 'perchannel'"
    " else x[:-1])"
)
_SCALED = {
    "yOut": Output(PACKED, "given dstType"),
    "scaleOut": Output(_OF_MODE, "float32"),
    "offsetOut": Output(f"if not isSymmetrical: {_OF_MODE}", "float32"),
}


_FAKE_QUANT = OnlyOn(("A2", LATE_950), inside=True)


def _fake_quant(name: str, axis: str, first: str, kernel: Step, *checks: Step) -> Row:
    return Row(
        name, _FAMILY,
        (
            Inside("self.given() && scale.given() && zeroPoint.given() && out.given() && "
                   "mask.given()", "an argument is null"),
            DtypeIn(_HALVES, ("self", "scale")),
            DtypeIn(dtypes(first), ("zeroPoint",)),
            # Not the other way round, as it is elsewhere.
            That("can_cast(out.dtype(), common(check, self, scale))",
                 "out cannot be cast to what self and scale have in common"),
            DtypeIn(dtypes("bool"), ("mask",)),
            *checks,
            SameShape(("self", "out", "mask")),
            That("quantMin <= quantMax", "quantMin is larger than quantMax"),
            DoneIfEmpty(("self", "out", "mask")),
            kernel,
            Call("fake_quant",
                 f"plan {{self, scale, zeroPoint, out, mask, {axis}, quantMin, quantMax}}"),
        ),
        {"out": Output("like self", "same self"), "mask": Output("like self", "bool")},
    )  # fmt: skip


def _parameters(name: str) -> Row:
    return Row(
        name, _FAMILY,
        (
            Null(("scale", "out")),
            DtypeIn(dtypes("float32"), ("scale",)),
            if_given("offset", DtypeIn(dtypes("float32"), ("offset",))),
            DtypeIn(dtypes("uint64 int64"), ("out",)),
            FormatIn(("ND",), ("scale", "out")),
            if_given("offset", FormatIn(("ND",), ("offset",))),
            Kernel("trans_quant_param", of="TransQuantParamV3"),
        ),
        {
            "out": Output(
                "((max(scale[0], offset[0] if offset is not None else 0),) "
                "if len(scale) == 1 else scale)",
                "uint64",
            )
        },
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _ascend_quant("AscendQuant", ("310P", "A2"), "", {"axis": "kNoAxis"}, ()),
    _ascend_quant("AscendQuantV3", ("310P", "A2", "950"), _NARROW, {}, (_HYBRID,)),
    Row(
        "Quantize", _FAMILY,
        (
            Null(("x", "scales", "out")),
            Call("check_quantize", "check x scales zeroPoints axis out"),
            DtypeIn(FLOATS, ("x", "scales")),
            if_given("zeroPoints",
                     DtypeIn(dtypes("int8 uint8 int32", "bfloat16", "float32"), ("zeroPoints",))),
            DtypeIn(dtypes("int8 uint8 int32", "", _NARROW), ("out",)),
            Call("check_is_type", "check out dtype.value"),
            NoPrivateFormat(("x", "scales", "out", "zeroPoints")),
            Call("check_quantize_bfloat16", "check x scales zeroPoints"),
            DoneIfEmpty(("x", "scales")),
            Kernel("quantize"),
        ),
        {"out": Output("like x", "given dtype")},
    ),
    Row(
        "AscendAntiQuant", _FAMILY,
        (
            Null(("x", "scale", "y")),
            OnlyOn(("310P", "A2", "950")),
            Since("9.1", DtypeIn(dtypes("int8", "int4 int32", _NARROW), ("x",)),
                  before=DtypeIn(dtypes("int8", "int4 int32"), ("x",))),
            DtypeIn(dtypes("float16", "bfloat16"), ("y",)),
            DtypeIn(dtypes("float32", "bfloat16"), ("scale",)),
            if_given("offset", DtypeIn(dtypes("float32", "bfloat16"), ("offset",))),
            if_given("offset", SameDtype(("scale", "offset"))),
            Kernel("ascend_anti_quant"),
        ),
        {"y": Output("((*x[:-1], x[-1] * 8) if x.dtype == 'int32' else x)", "given dstType")},
    ),
    Row(
        "GroupQuant", _FAMILY,
        (
            Null(("x", "scale", "groupIndex", "y")),
            OnlyOn(("A2", "950")),
            DtypeIn(FLOATS, ("x", "scale")),
            DtypeIn(dtypes("int32 int64"), ("groupIndex",)),
            DtypeIn(dtypes("int8 int32 int4"), ("y",)),
            if_given("offsetOptional", DtypeIn(FLOATS, ("offsetOptional",))),
            if_given("offsetOptional", SameDtype(("scale", "offsetOptional"))),
            Kernel("group_quant"),
        ),
        {"y": Output(PACKED, "given dstType")},
    ),
    _dynamic_quant(
        "DynamicQuant",
        # int8 unless the caller gives an output for int4 or float8.
        {"yOut": Output("like x", "int8"), "scaleOut": Output(_ROWS, "float32")},
        {"isSymmetrical": "true"},
    ),
    _dynamic_quant(
        "DynamicQuantV2",
        {
            "yOut": Output(PACKED, "given dstType"),
            "scaleOut": Output(_ROWS, "float32"),
            "offsetOut": Output(_ROWS, "float32"),
        },
        {"isSymmetrical": "!offsetOut.given()"},
    ),
    _dynamic_quant("DynamicQuantV3", _SCALED, of_950=True),
    _dynamic_quant("DynamicQuantV4", _SCALED, of_950=True),
    _fake_quant(
        "FakeQuantPerChannelAffineCachemask", "axis, 1.0f", "int32 float16 float32",
        _FAKE_QUANT,
        Call("check_fake_channels", "check self scale zeroPoint axis"),
    ),
    _fake_quant(
        "FakeQuantPerTensorAffineCachemask", "0, fakeQuantEnabled", "int32",
        If("fakeQuantEnabled >= 1", _FAKE_QUANT),
        That("scale.elements() == 1 && zeroPoint.elements() == 1",
             "scale and zeroPoint must have one element"),
    ),
    _parameters("TransQuantParamV2"),
    _parameters("TransQuantParamV3"),
    Row(
        "DequantBias", _FAMILY,
        (
            Null(("x", "weightScale", "out")),
            OnlyOn(("A2",), inside=True),
            DtypeIn(dtypes("int32"), ("x",)),
            DtypeIn(dtypes("float32 bfloat16"), ("weightScale",)),
            if_given("activateScaleOptional",
                     DtypeIn(dtypes("float32"), ("activateScaleOptional",))),
            if_given("biasOptional",
                     DtypeIn(dtypes("float32 float16 bfloat16 int32"), ("biasOptional",))),
            If("weightScale.dtype() == ACL_BF16", DtypeIn(Dtypes(("bfloat16",)), ("out",)),
               DtypeIn(Dtypes(("float16",)), ("out",))),
            Call("check_dense", "check {&x, &out}"),
            Kernel("dequant_bias"),
        ),
        {"out": Output("like x", "given outputDtype")},
    ),
)  # fmt: skip
