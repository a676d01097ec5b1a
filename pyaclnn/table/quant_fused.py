"""Normalisations and gated units whose results are quantised."""

from __future__ import annotations

from .dtypes import EVERY_FLOAT, EVERY_HALF, FLOATS, Dtypes, dtypes
from .optional_steps import If, if_given
from .quant import _HYBRID
from .quant_blocks import _950_ONLY, _E8M0, _FLOAT32, _MX, GAPS
from .row import Output, Row
from .steps import (
    Call,
    DoneIfEmpty,
    DtypeIn,
    Inside,
    Kernel,
    Null,
    On950,
    OnlyOn,
    RankAtMost,
    SameDtype,
    SameShape,
    Step,
    Steps,
    That,
    bfloat16_kernel,
)

_FAMILY = "quant"
_ROWS = "(*x1[:-1],)"
_SECOND = "smoothScale2Optional is not None"
_SECOND_GIVEN = "smoothScale2Optional.given()"
#: What the copy of the sum notices.
_SUM_OF_X1 = Inside("xOut.dtype() == x1.dtype()", "xOut and x1 differ in type")
_DYNAMIC = {
    "y1Out": Output("like x1", "int8"),
    "y2Out": Output(f"(x1 if {_SECOND} else (1,))", "int8"),
    "xOut": Output("like x1", "same x1"),
    "scale1Out": Output(_ROWS, "float32"),
    "scale2Out": Output(f"(x1[:-1] if {_SECOND} else (1,))", "float32"),
}
_OUTS = ("y1Out", "y2Out", "xOut", "scale1Out", "scale2Out")
_SMOOTH = ("smoothScale1Optional", "smoothScale2Optional")


def _dynamic(
    name: str, y: Dtypes, *checks: Step, more: tuple[str, ...] = (), inside: tuple[Step, ...] = ()
) -> Row:  # fmt: skip
    return Row(
        name, _FAMILY,
        (
            Null(("x1", "x2", "gamma", *_OUTS)),
            DtypeIn(EVERY_HALF, ("x1", "x2", "gamma")),
            *(if_given(n, DtypeIn(EVERY_HALF, (n,))) for n in (*more, *_SMOOTH)),
            DtypeIn(y, ("y1Out", "y2Out")),
            DtypeIn(EVERY_HALF, ("xOut",)),
            DtypeIn(dtypes("float32"), ("scale1Out", "scale2Out")),
            *checks,
            DoneIfEmpty(("x1", "gamma", "y2Out")),
            OnlyOn(("A2", "950"), inside=True),
            *inside,
            Kernel("add_rms_norm_dynamic_quant", of="AddRmsNormDynamicQuantV2"),
        ),
        _DYNAMIC,
    )  # fmt: skip


_FIRST_GIVEN = "smoothScale1Optional.given() || !smoothScale2Optional.given()"
_BOTH = That(_FIRST_GIVEN, "smoothScale2Optional is given without the first")
_FLAGS = If(
    "outputMask.given()",
    Steps((
        That("outputMask.values().size() == 2", "outputMask must have 2 elements"),
        That("(outputMask.values()[0] || !smoothScale1Optional.given()) && "
             "(outputMask.values()[1] || !smoothScale2Optional.given())",
             "a scale is given for an output not wanted"),
        That("outputMask.values()[0] || outputMask.values()[1]", "no output is wanted"),
    )),
    _BOTH,
)  # fmt: skip

_BYTES = "float8_e4m3fn float8_e5m2 hifloat8"
_SECOND_950 = That(
    "(smoothScale1Optional.given() && smoothScale2Optional.given()) || y2Out.rank() == 0 || "
    "y2Out.shape() == Dims{1}",
    "y2Out must have one element where there are not both scales",
)

_ZEROS = dtypes("int32 float32 float16", "bfloat16")


def _dequant_swiglu(name: str, y: Output, rows: str, given: dict[str, str]) -> Row:
    """Make a row; ``given`` is what the first version does not tell."""
    return Row(
        name, _FAMILY,
        (
            Null(("x", "yOut", "scaleOut")),
            OnlyOn(("A2", "950"), inside=True),
            DtypeIn(dtypes("float16 bfloat16 int32"), ("x",)),
            *(if_given(n, DtypeIn(dtypes("float32"), (n,)))
              for n in ("weightScaleOptional", "activationScaleOptional", "quantOffsetOptional")),
            if_given("biasOptional",
                     DtypeIn(dtypes("float32 float16 bfloat16 int32"), ("biasOptional",))),
            if_given("quantScaleOptional",
                     DtypeIn(dtypes("float32 float16 bfloat16"), ("quantScaleOptional",))),
            if_given("groupIndexOptional", DtypeIn(dtypes("int64"), ("groupIndexOptional",))),
            DtypeIn(dtypes("int8", newest="hifloat8 float8_e5m2 float8_e4m3fn float4_e2m1fn "
                           "float4_e1m2"), ("yOut",)),
            DtypeIn(dtypes("float32"), ("scaleOut",)),
            Call("check_dense", "check {&x, &yOut, &scaleOut}"),
            Kernel("dequant_swiglu_quant", of="DequantSwigluQuantV2", given=given),
        ),
        {
            "yOut": y,
            "scaleOut": Output(rows, "float32"),
        },
        missing=(
            "on the 950: another axis than the last, which the document quantises with given "
            "scales and the kernel with those that it finds",
            "before the 950: groups that are named beside their sizes, swigluMode 1 without groups",
        ),
    )  # fmt: skip


_DEQUANT_SWIGLU = (
    _dequant_swiglu(
        "DequantSwigluQuant", Output("(*x[:-1], x[-1] // 2)", "int8"), "(*x[:-1],)",
        {"dstType": "2", "activateDim": "-1", "clampLimit": "7.0f"},
    ),
    _dequant_swiglu(
        "DequantSwigluQuantV2", Output("(*halved(x, activateDim),)", "given dstType"),
        "(*halved(x, activateDim)[:-1],)", {},
    ),
)  # fmt: skip


def _swi_glu(name: str, y: Output, given: dict[str, str]) -> Row:
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
            Call("check_dense", "check {&x, &yOut, &scaleOut}"),
            Kernel("swi_glu_quant", of="SwiGluQuantV2", given=given),
        ),
        {"yOut": y, "scaleOut": Output("(*x[:-1],)", "float32")},
    )  # fmt: skip


def _rms_norm_mx(name: str, *, adds: bool) -> Row:
    x = "x1" if adds else "x"
    operands = ("x1", "x2") if adds else ("x",)
    outs = ("yOut", *(("xOut",) if adds else ()), "mxscaleOut")
    outputs = {
        "yOut": Output(f"like {x}", "given dstType"),
        **({"xOut": Output("like x1", "same x1")} if adds else {}),
        "mxscaleOut": Output(f"(*{x}[:-1], -(-{x}[-1] // 64), 2)", "float8_e8m0fnu"),
        "rstdOut": Output(f"if outputRstd: (*{x}[:-1], 1)", "float32"),
    }
    return Row(
        name, _FAMILY,
        (
            Null((*operands, "gamma", *outs)),
            If("outputRstd", Null(("rstdOut",))),
            _950_ONLY,
            DtypeIn(dtypes("float16 bfloat16"), operands),
            *((SameDtype(("x1", "x2", "xOut")),) if adds else ()),
            DtypeIn(FLOATS, ("gamma",)),
            if_given("beta", DtypeIn(FLOATS, ("beta",))),
            DtypeIn(_MX, ("yOut",)),
            DtypeIn(_E8M0, ("mxscaleOut",)),
            If("outputRstd", DtypeIn(_FLOAT32, ("rstdOut",))),
            Kernel("add_rms_norm_dynamic_mx_quant", of="AddRmsNormDynamicMxQuant",
                   given={} if adds else {"x1": "x"}),
        ),
        outputs,
    )  # fmt: skip


#: All axes but the last are those of x.
_SAME_AXES = (
    "x.rank() == y.rank() && std::equal(y.shape().begin(), y.shape().end() - 1, x.shape().begin())"
)


def _no_scalars(*names: str) -> tuple[Step, ...]:
    return tuple(That(f"{name}.rank() >= 1", f"{name} is a scalar") for name in names)


def _axes(*names: str) -> tuple[Step, ...]:
    """Return the steps of tensors that have from one axis to eight."""
    return RankAtMost(8, names), *_no_scalars(*names)


_GELU = dtypes("float8_e4m3fn float8_e5m2 int8 hifloat8")
_IS_DYNAMIC = 'quantMode.text.rfind("dynamic", 0) == 0'
_SCALES = ("inputScaleOptional", "inputOffsetOptional")


ROWS: tuple[Row, ...] = (
    Row(
        "AddRmsNormQuant", _FAMILY,
        (
            Null(("x1", "x2", "gamma", "scales1", "y1Out", "y2Out", "xOut")),
            DtypeIn(EVERY_FLOAT, ("x1", "x2", "gamma", "scales1")),
            if_given("scales2Optional", DtypeIn(EVERY_FLOAT, ("scales2Optional",))),
            *(if_given(n, DtypeIn(EVERY_FLOAT | dtypes("int32"), (n,)))
              for n in ("zeroPoints1Optional", "zeroPoints2Optional")),
            DtypeIn(dtypes("int8 float8_e4m3fn float8_e5m2 hifloat8"), ("y1Out", "y2Out")),
            SameDtype(("y1Out", "y2Out")),
            DtypeIn(EVERY_FLOAT, ("xOut",)),
            *_axes("x1", "x2", "gamma", "scales1", "y1Out", "y2Out", "xOut"),
            *(if_given(name, Steps(_axes(name))) for name in
              ("scales2Optional", "zeroPoints1Optional", "zeroPoints2Optional")),
            DoneIfEmpty(("x1", "gamma", "y2Out")),
            OnlyOn(("310P", "A2", "950"), inside=True),
            bfloat16_kernel("x1"),
            _SUM_OF_X1,
            Kernel("add_rms_norm_quant", of="AddRmsNormQuantV2"),
        ),
        {
            "y1Out": Output("like x1", "int8"),
            "y2Out": Output("like x1", "int8"),
            "xOut": Output("like x1", "same x1"),
        },
    ),
    Row(
        "AddRmsNormQuantV2", _FAMILY,
        (
            Null(("x1", "x2", "gamma", "scales1", "y1Out", "y2Out")),
            DoneIfEmpty(("x1", "gamma", "y2Out")),
            Kernel("add_rms_norm_quant_v2"),
        ),
        {
            "y1Out": Output("like x1", "int8"),
            "y2Out": Output("like x1", "int8"),
            "xOut": Output("like x1", "same x1"),
            "rmsNormOut": Output("none", ""),
        },
    ),
    _dynamic("AddRmsNormDynamicQuant", dtypes("int8 float8_e4m3fn float8_e5m2 hifloat8"),
             SameDtype(("y1Out", "y2Out")),
             Kernel("check_add_rms_norm_dynamic_quant", of="AddRmsNormDynamicQuantV2"),
             inside=(
                 Inside(_FIRST_GIVEN, "smoothScale2Optional is given without the first"),
                 _SUM_OF_X1,
                 Inside(f"{_SECOND_GIVEN} ? y2Out.shape() == x1.shape() : y2Out.elements() == 1",
                        "y2Out has shape %s", ("y2Out.shape().text().c_str()",)),
             )),
    _dynamic("AddRmsNormDynamicQuantV2",
             dtypes("int8", newest=_BYTES, middle="int4 int32", first="int4 int32"),
             SameDtype(("y1Out", "y2Out")), On950(_SECOND_950), _FLAGS, On950(_BOTH),
             more=("betaOptional",)),
    *_DEQUANT_SWIGLU,
    _swi_glu("SwiGluQuant", Output("(*x[:-1], x[-1] // 2)", "int8"), {"dstType": "2"}),
    _swi_glu("SwiGluQuantV2", Output("(*x[:-1], x[-1] // 2)", "given dstType"), {}),
    _rms_norm_mx("RmsNormDynamicMxQuant", adds=False),
    _rms_norm_mx("AddRmsNormDynamicMxQuant", adds=True),
    Row(
        "SwigluMxQuant", _FAMILY,
        (
            Null(("x", "yOut", "mxscaleOut")),
            _950_ONLY,
            DtypeIn(dtypes("float16 bfloat16"), ("x",)),
            if_given("groupIndexOptional",
                     DtypeIn(dtypes("int32 int64"), ("groupIndexOptional",))),
            DtypeIn(_MX, ("yOut",)),
            DtypeIn(_E8M0, ("mxscaleOut",)),
            Kernel("swiglu_mx_quant"),
        ),
        {
            "yOut": Output("(*x[:-1], x[-1] // 2)", "given dstType"),
            "mxscaleOut": Output("(*x[:-1], -(-x[-1] // 128), 2)", "float8_e8m0fnu"),
        },
        missing=(GAPS,),
    ),
    Row(
        "SwigluMxQuantWithDualAxis", _FAMILY,
        (
            Null(("x", "y1Out", "mxscale1Out", "y2Out", "mxscale2Out")),
            _950_ONLY,
            DtypeIn(dtypes("float16 bfloat16"), ("x",)),
            if_given("groupIndexOptional", DtypeIn(dtypes("int64"), ("groupIndexOptional",))),
            DtypeIn(_MX, ("y1Out", "y2Out")),
            DtypeIn(_E8M0, ("mxscale1Out", "mxscale2Out")),
            Kernel("swiglu_mx_quant_with_dual_axis"),
        ),
        {
            "y1Out": Output("(x[0], x[1] // 2)", "given dstType"),
            "mxscale1Out": Output("(x[0], -(-x[1] // 128), 2)", "float8_e8m0fnu"),
            "y2Out": Output("(x[0], x[1] // 2)", "given dstType"),
            "mxscale2Out": Output(
                "(-(-x[0] // 64) if groupIndexOptional is None else "
                "x[0] // 64 + groupIndexOptional[0], x[1] // 2, 2)",
                "float8_e8m0fnu",
            ),
        },
        missing=(GAPS,),
    ),
    Row(
        "SwigluBackwardMxQuantWithDualAxis", _FAMILY,
        (
            Null(("x", "yGrad", "y1Out", "mxscale1Out", "y2Out", "mxscale2Out")),
            _950_ONLY,
            DtypeIn(dtypes("float16 bfloat16"), ("x", "yGrad")),
            if_given("groupIndexOptional", DtypeIn(dtypes("int64"), ("groupIndexOptional",))),
            DtypeIn(dtypes("float8_e4m3fn"), ("y1Out", "y2Out")),
            DtypeIn(_E8M0, ("mxscale1Out", "mxscale2Out")),
            Kernel("swiglu_backward_mx_quant_with_dual_axis"),
        ),
        {
            "y1Out": Output("like x", "given dstDtype"),
            "mxscale1Out": Output("(*x[:-1], -(-x[-1] // 64), 2)", "float8_e8m0fnu"),
            "y2Out": Output("like x", "given dstDtype"),
            "mxscale2Out": Output(
                "(*x[:-2], -(-x[-2] // 64) if groupIndexOptional is None else "
                "x[-2] // 64 + groupIndexOptional[0], x[-1], 2)",
                "float8_e8m0fnu",
            ),
        },
    ),
    Row(
        "RmsNormQuant", _FAMILY,
        (
            Null(("x", "gamma", "beta", "scale", "offset", "y")),
            # Matrices become their rows before anything else.
            *(Inside(f"{n}.rank() != 2 || {n}.shape()[0] == 1", f"{n} has more than one row")
              for n in ("gamma", "beta")),
            DtypeIn(Dtypes(("float16",), ("bfloat16",), ("float32",)), ("x",)),
            SameDtype(("x", "gamma", "beta")),
            DtypeIn(dtypes("int8", "int4 int32", "hifloat8 float8_e5m2 float8_e4m3fn"), ("y",)),
            OnlyOn(("310P", "A2", "950")),
            If("!on_950()", SameDtype(("x", "scale"))),
            If("!on_950()", DtypeIn(dtypes("int8"), ("offset",))),
            If("on_950()", DtypeIn(dtypes("int32 float32 float16 bfloat16 int8"), ("offset",))),
            If("on_950() && scale.dtype() == ACL_FLOAT",
               That("offset.dtype() == ACL_FLOAT || "
                    "(offset.dtype() == ACL_INT32 && x.dtype() != ACL_FLOAT)",
                    "offset is of no type that goes with x and a scale of float32")),
            If("on_950() && scale.dtype() != ACL_FLOAT",
               That("scale.dtype() == x.dtype() && "
                    "(offset.dtype() == scale.dtype() || offset.dtype() == ACL_INT8)",
                    "scale or offset is of no type that goes with x")),
            RankAtMost(8, ("x", "y")),
            RankAtMost(2, ("gamma", "beta")),
            *_no_scalars("x", "gamma", "beta", "y"),
            That("gamma.shape().back() == x.shape().back()",
                 "gamma is not as long as the last axis of x"),
            That("x.shape().back() == y.shape().back() * (y.dtype() == ACL_INT32 ? 8 : 1)",
                 "the last axis of y does not fit that of x"),
            If("on_950()", That(_SAME_AXES, "y has other axes than x")),
            If("on_950() && y.dtype() == ACL_INT4",
               That("x.shape().back() % 2 == 0", "the last axis of x has an odd number")),
            That("gamma.elements() == beta.elements()", "gamma and beta differ in length"),
            SameShape(("scale", "offset")),
            Inside(_SAME_AXES, "y has other axes than x"),
            Kernel("rms_norm_quant"),
        ),
        {"y": Output("like x", "int8")},
    ),
    Row(
        "LayerNormQuant", _FAMILY,
        (
            Null(("x", "gammma", "beta", "scale", "res")),
            If("quantMode == 0", Null(("zeroPointsOptional",))),
            DtypeIn(Dtypes(("float16",), ("bfloat16",), ("float32",)), ("x",)),
            SameDtype(("x", "gammma", "beta", "scale")),
            if_given("zeroPointsOptional", DtypeIn(dtypes("int8"), ("zeroPointsOptional",))),
            DtypeIn(dtypes("int8"), ("res",)),
            RankAtMost(8, ("x",)),
            RankAtMost(2, ("gammma",)),
            That("quantMode == 0", "quantMode must be 0"),
            That("x.rank() >= 1 && gammma.rank() >= 1", "x or gammma is a scalar"),
            That("x.shape().back() == gammma.shape().back()",
                 "gammma is not as long as the last axis of x"),
            SameShape(("gammma", "beta")),
            That("scale.rank() == 1 && scale.elements() == 1", "scale must have the shape (1,)"),
            That("zeroPointsOptional.rank() == 1", "zeroPointsOptional must have the shape (1,)"),
            SameShape(("x", "res")),
            DoneIfEmpty(("x",)),
            OnlyOn(("310P", "A2", "950"), inside=True),
            Kernel("layer_norm_quant"),
        ),
        {"res": Output("like x", "int8"), "scaleOut": Output("(*x[:-1],)", "float32")},
    ),
    Row(
        "GeluQuant", _FAMILY,
        (
            OnlyOn(("950",)),
            Null(("self", "approximate", "quantMode", "roundMode", "y")),
            That(f'{_IS_DYNAMIC} || quantMode.text.rfind("static", 0) == 0',
                 "quantMode must be static or dynamic"),
            If(f"!({_IS_DYNAMIC})", Null(("inputScaleOptional",))),
            If(_IS_DYNAMIC, Null(("outScaleOptional",))),
            If(f"!({_IS_DYNAMIC})",
               That("!outScaleOptional.given()", "outScaleOptional is given beside static")),
            That("inputScaleOptional.given() || !inputOffsetOptional.given()",
                 "inputOffsetOptional is given without a scale"),
            DtypeIn(FLOATS, ("self",)),
            DtypeIn(_GELU, ("y",)),
            *(if_given(n, DtypeIn(FLOATS, (n,))) for n in _SCALES),
            if_given("inputScaleOptional", That(
                "inputScaleOptional.dtype() == ACL_FLOAT || self.dtype() == ACL_FLOAT || "
                "inputScaleOptional.dtype() == self.dtype()",
                "inputScaleOptional has the other half type")),
            if_given("inputOffsetOptional", SameDtype(_SCALES)),
            If(_IS_DYNAMIC, DtypeIn(_FLOAT32, ("outScaleOptional",))),
            That('approximate.text == "none" || approximate.text == "tanh"',
                 "approximate must be none or tanh"),
            That("std::int64_t(y.dtype()) == dstType", "y is not of dstType"),
            That(f"self.rank() >= ({_IS_DYNAMIC} ? 2 : 0) && self.rank() <= 8",
                 "self must have up to 8 dimensions, and 2 with quantMode dynamic"),
            If(_IS_DYNAMIC, That(
                "outScaleOptional.rank() + 1 == self.rank() && "
                "outScaleOptional.elements() * self.shape().back() == self.elements()",
                "outScaleOptional must have the shape of self without the last axis")),
            *(if_given(n, That(f"{n}.rank() == 1", f"{n} must have one dimension"))
              for n in _SCALES),
            if_given("inputOffsetOptional", SameShape(_SCALES)),
            SameShape(("self", "y")),
            That('dstType == 34 ? roundMode.text == "round" || roundMode.text == "hybrid" '
                 ': roundMode.text == "rint"',
                 "roundMode must be rint, or round or hybrid beside hifloat8"),
            That("!self.is_empty()", "self is empty"),
            *(if_given(n, That(f"!{n}.is_empty()", f"{n} is empty")) for n in _SCALES),
            That("self.rank() >= 1", "self is a scalar"),
            Kernel("gelu_quant"),
        ),
        {
            "y": Output("like self", "given dstType"),
            "outScaleOptional": Output("if quantMode != 'static': (*self[:-1],)", "float32"),
        },
        missing=(_HYBRID,),
    ),
)  # fmt: skip
