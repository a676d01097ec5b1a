"""SiTU and clipped SwiGLU units whose rows are quantised, and a gradient."""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .optional_steps import If, if_given
from .quant_blocks import _950_ONLY, _E8M0, _FLOAT32, _HALVES, _MX
from .row import Output, Row
from .steps import Call, Cpp, Divides, DtypeIn, Kernel, Null, OnlyOn, SameDtype, Struct

_FAMILY = "quant"
_INT64 = dtypes("int64")
_SITU_OPTIONAL = (
    "weightScaleOptional", "activationScaleOptional", "biasOptional", "quantScaleOptional",
    "quantOffsetOptional",
)  # fmt: skip

ROWS: tuple[Row, ...] = (
    Row(
        "DequantSituQuant", _FAMILY,
        (
            Null(("x", "yOut", "yScaleOut")),
            OnlyOn(("A2",), inside=True),
            DtypeIn(dtypes("int8 int32 float16 bfloat16"), ("x",)),
            *(if_given(n, DtypeIn(_FLOAT32, (n,))) for n in _SITU_OPTIONAL),
            if_given("groupIndexOptional", DtypeIn(_INT64, ("groupIndexOptional",))),
            DtypeIn(dtypes("int8"), ("yOut",)),
            DtypeIn(_FLOAT32, ("yScaleOut",)),
            Kernel("dequant_situ_quant"),
        ),
        {
            "yOut": Output("(*x[:-1], x[-1] // 2)", "int8"),
            "yScaleOut": Output("(*x[:-1],)", "float32"),
        },
    ),
    Row(
        "SituMxQuant", _FAMILY,
        (
            Null(("x", "yOut", "yScaleOut")),
            _950_ONLY,
            DtypeIn(_HALVES, ("x",)),
            DtypeIn(_MX, ("yOut",)),
            DtypeIn(_E8M0, ("yScaleOut",)),
            Kernel("situ_mx_quant"),
        ),
        {
            "yOut": Output("(*x[:-1], x[-1] // 2)", "given dstType"),
            "yScaleOut": Output("(*x[:-1], -(-x[-1] // 128), 2)", "float8_e8m0fnu"),
        },
    ),
    Row(
        "SwigluGroupQuant", _FAMILY,
        (
            Null(("x", "yOut", "yScaleOut", "yOriginOut")),
            _950_ONLY,
            DtypeIn(FLOATS, ("x",)),
            if_given("weightOptional", DtypeIn(_FLOAT32, ("weightOptional",))),
            if_given("groupIndexOptional", DtypeIn(_INT64, ("groupIndexOptional",))),
            Kernel("swiglu_group_quant"),
        ),
        {"yOriginOut": Output("(*x[:-1], x[-1] // 2)", "same x")},
    ),
    Row(
        "SwigluGroupQuantGrad", _FAMILY,
        (
            Null(("gradY", "x", "gradXOut")),
            _950_ONLY,
            DtypeIn(FLOATS, ("gradY", "x")),
            SameDtype(("gradY", "x", "gradXOut")),
            if_given("weightOptional", DtypeIn(_FLOAT32, ("weightOptional",))),
            if_given("yOriginOptional", SameDtype(("gradY", "yOriginOptional"))),
            if_given("groupIndexOptional", DtypeIn(_INT64, ("groupIndexOptional",))),
            if_given("gradWeightOutOptional", DtypeIn(_FLOAT32, ("gradWeightOutOptional",))),
            Call("limit_or_none", "clampLimit -1", "limit"),
            Divides("limit > 0", "clampLimit is %g, it must be positive, or -1",
                    ("double(limit)",)),
            Cpp("const std::size_t axis = x.rank() - 1;"),
            Call("check_swiglu_group_quant_grad",
                 "plan gradY x weightOptional yOriginOptional groupIndexOptional gradXOut "
                 "gradWeightOutOptional"),
            Struct("GatedRows", "SwigluGate::kClippedInside {1, limit, 0} axis false false",
                   "call"),
            Call("gated_rows_backward",
                 "plan call gradY x &weightOptional &groupIndexOptional gradXOut"),
            If("weightOptional.given()",
               Call("row_products",
                    "plan gradY yOriginOptional gradWeightOutOptional &groupIndexOptional")),
        ),
        {
            "gradXOut": Output("like x", "same x"),
            "gradWeightOutOptional": Output("like_given weightOptional", "float32"),
        },
    ),
)  # fmt: skip
