"""Normalisations and gated units whose results are quantised."""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .optional_steps import if_given
from .quant import _STRIDED
from .row import Output, Row
from .steps import Cpp, DoneIfEmpty, DtypeIn, Kernel, Null, OnlyOn, RankAtMost, SameDtype, Step

_FAMILY = "quant"
_HALVES = dtypes("float16", "bfloat16")
_950 = "Ascend950"
_ROWS = "(*x1[:-1],)"
_SECOND = "smoothScale2Optional is not None"
_DYNAMIC = {
    "y1Out": Output("like x1", "int8"),
    "y2Out": Output(f"(x1 if {_SECOND} else (1,))", "int8"),
    "xOut": Output("like x1", "same x1"),
    "scale1Out": Output(_ROWS, "float32"),
    "scale2Out": Output(f"(x1[:-1] if {_SECOND} else (1,))", "float32"),
}
_OUTS = ("y1Out", "y2Out", "xOut", "scale1Out", "scale2Out")
_SMOOTH = ("smoothScale1Optional", "smoothScale2Optional")


def _dynamic(name: str, y: str, *checks: Step, more: tuple[str, ...] = (),
             since_9_0: bool = False) -> Row:  # fmt: skip
    return Row(
        name, _FAMILY,
        (
            Null(("x1", "x2", "gamma", *_OUTS)),
            DtypeIn(_HALVES, ("x1", "x2", "gamma")),
            *(if_given(n, DtypeIn(_HALVES, (n,))) for n in (*more, *_SMOOTH)),
            DtypeIn(dtypes(y), ("y1Out", "y2Out")),
            DtypeIn(_HALVES, ("xOut",)),
            DtypeIn(dtypes("float32"), ("scale1Out", "scale2Out")),
            *checks,
            DoneIfEmpty(("x1", "gamma", "y2Out")),
            OnlyOn(("A2", "950"), inside=True),
            Kernel("add_rms_norm_dynamic_quant", of="AddRmsNormDynamicQuantV2"),
        ),
        _DYNAMIC, since_9_0=since_9_0, missing=(_950, _STRIDED),
    )  # fmt: skip


_FLAGS = Cpp(
    "if (outputMask.given()) { "
    'check.that(outputMask.values().size() == 2, "outputMask must have 2 elements"); '
    "const auto& mask = outputMask.values(); "
    "check.that((mask[0] || !smoothScale1Optional.given()) && "
    '(mask[1] || !smoothScale2Optional.given()), "a scale is given for an output not wanted"); '
    'check.that(mask[0] || mask[1], "no output is wanted"); } '
    "else { check.that(smoothScale1Optional.given() || !smoothScale2Optional.given(), "
    '"smoothScale2Optional is given without the first"); }'
)

_ZEROS = dtypes("int32 float32 float16", "bfloat16")


def _swi_glu(name: str, y: Output, given: dict[str, str], *, since_9_0: bool) -> Row:
    """Make a row; ``given`` is what the first version does not tell."""
    return Row(
        name, _FAMILY,
        (
            Null(("x", "yOut", "scaleOut")),
            OnlyOn(("A2", "950"), inside=True),
            DtypeIn(FLOATS, ("x",)),
            *(if_given(n, DtypeIn(dtypes("float32"), (n,)))
              for n in ("smoothScalesOptional", "offsetsOptional")),
            if_given("groupIndexOptional", DtypeIn(dtypes("int32"), ("groupIndexOptional",))),
            DtypeIn(dtypes("int8 int4"), ("yOut",)),
            DtypeIn(dtypes("float32"), ("scaleOut",)),
            Cpp("check_dense(check, {&x, &yOut, &scaleOut});"),
            Kernel("swi_glu_quant", of="SwiGluQuantV2", given=given),
        ),
        {"yOut": y, "scaleOut": Output("(*x[:-1],)", "float32")},
        include=("activation/gated_rows.hpp",), since_9_0=since_9_0,
        missing=("quantMode dynamic_msd",),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    Row(
        "AddRmsNormQuant", _FAMILY,
        (
            Null(("x1", "x2", "gamma", "scales1", "y1Out", "y2Out", "xOut")),
            DtypeIn(FLOATS, ("x1", "x2", "gamma", "scales1")),
            if_given("scales2Optional", DtypeIn(FLOATS, ("scales2Optional",))),
            *(if_given(n, DtypeIn(_ZEROS, (n,)))
              for n in ("zeroPoints1Optional", "zeroPoints2Optional")),
            DtypeIn(dtypes("int8 float8_e4m3fn float8_e5m2 hifloat8"), ("y1Out", "y2Out")),
            SameDtype(("y1Out", "y2Out")),
            DtypeIn(FLOATS, ("xOut",)),
            RankAtMost(8, ("x1", "x2", "gamma", "scales1", "y1Out", "y2Out", "xOut")),
            DoneIfEmpty(("x1", "gamma", "y2Out")),
            OnlyOn(("310P", "A2", "950"), inside=True),
            Kernel("add_rms_norm_quant"),
        ),
        {
            "y1Out": Output("like x1", "int8"),
            "y2Out": Output("like x1", "int8"),
            "xOut": Output("like x1", "same x1"),
        },
        missing=(_950, "axes that are not the last"),
    ),
    _dynamic("AddRmsNormDynamicQuant", "int8 float8_e4m3fn float8_e5m2 hifloat8",
             SameDtype(("y1Out", "y2Out"))),
    _dynamic("AddRmsNormDynamicQuantV2", "int8 int4 int32", _FLAGS, more=("betaOptional",),
             since_9_0=True),
    Row(
        "DequantSwigluQuant", _FAMILY,
        (
            Null(("x", "yOut", "scaleOut")),
            OnlyOn(("A2", "950"), inside=True),
            Cpp('if (on_950()) fail_not_simulated(plan, "the kernels of Ascend950");'),
            DtypeIn(dtypes("float16 bfloat16 int32"), ("x",)),
            *(if_given(n, DtypeIn(dtypes("float32"), (n,)))
              for n in ("weightScaleOptional", "activationScaleOptional", "quantOffsetOptional")),
            if_given("biasOptional",
                     DtypeIn(dtypes("float32 float16 bfloat16 int32"), ("biasOptional",))),
            if_given("quantScaleOptional",
                     DtypeIn(dtypes("float32 float16 bfloat16"), ("quantScaleOptional",))),
            if_given("groupIndexOptional", DtypeIn(dtypes("int64"), ("groupIndexOptional",))),
            DtypeIn(dtypes("int8"), ("yOut",)),
            DtypeIn(dtypes("float32"), ("scaleOut",)),
            Cpp("check_dense(check, {&x, &yOut, &scaleOut});"),
            Kernel("dequant_swiglu_quant"),
        ),
        {
            "yOut": Output("(*x[:-1], x[-1] // 2)", "int8"),
            "scaleOut": Output("(*x[:-1],)", "float32"),
        },
        include=("activation/gated_rows.hpp",),
        missing=(_950, "groups that are named beside their sizes"),
    ),
    _swi_glu("SwiGluQuant", Output("(*x[:-1], x[-1] // 2)", "int8"), {"dstType": "2"},
             since_9_0=False),
    _swi_glu("SwiGluQuantV2", Output("(*x[:-1], x[-1] // 2)", "given dstType"), {},
             since_9_0=True),
)  # fmt: skip
