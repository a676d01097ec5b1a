"""Normalised rows that are quantised, beyond those of ``quant_fused``."""

from __future__ import annotations

from .dtypes import FLOATS, Dtypes, dtypes
from .optional_steps import If, if_given
from .quant import _STRIDED
from .quant_blocks import _FLOAT32, _HALVES, _generated
from .row import Output, Row
from .steps import DtypeIn, Kernel, Null, OnlyOn, RankAtMost, SameDtype, That

_FAMILY = "quant"
_INT8 = dtypes("int8")
_ROWS = Output("(*x[:-1],)", "float32")
_DYNAMIC = 'quantMode.text.rfind("dynamic", 0) == 0'
_STATIC = 'quantMode.text.rfind("static", 0) == 0'


def _add_layer_norm(name: str, *, second: bool) -> Row:
    more = ("layernormRes",) if second else ()
    scales = ("outScales1Out", "outScales2Out")
    others = ("scales2Optional", "zeroPoints1Optional", "zeroPoints2Optional")
    of_rows = Output("(*x1[:-1],)", "float32")
    modes = f"{_STATIC} || (on_950() && {_DYNAMIC})"
    return Row(
        name, _FAMILY,
        (
            *(() if second else (OnlyOn(("950",)),)),
            Null(("x1", "x2", "gamma", "beta", "y1Out", "y2Out", "xOut", *more, *scales,
                  "quantMode")),
            That(modes, "quantMode must be static, or dynamic on Ascend950"),
            If(_DYNAMIC, DtypeIn(_HALVES, ("x1",))),
            If(_STATIC, DtypeIn(FLOATS, ("x1",))),
            SameDtype(("x1", "x2", "gamma", "beta")),
            if_given("biasOptional", SameDtype(("x1", "biasOptional"))),
            DtypeIn(_INT8, ("y1Out", "y2Out")),
            SameDtype(("x1", "xOut", *more)),
            DtypeIn(_FLOAT32, scales),
            if_given("scales1Optional", DtypeIn(FLOATS, ("scales1Optional",))),
            if_given("scales1Optional", If(_DYNAMIC, SameDtype(("x1", "scales1Optional")))),
            *(if_given("scales1Optional", if_given(n, SameDtype(("scales1Optional", n))))
              for n in others),
            RankAtMost(8, ("x1", "gamma")),
            Kernel("add_layer_norm_quant", of="AddLayerNormQuantV2"),
        ),
        {
            "y1Out": Output("like x1", "int8"),
            "y2Out": Output("like x1", "int8"),
            "xOut": Output("like x1", "same x1"),
            **({"layernormRes": Output("like x1", "same x1")} if second else {}),
            "outScales1Out": of_rows,
            "outScales2Out": of_rows,
        },
        missing=(
            *(("the kernels of chips before the 950",) if second else ()),
            "rows without elements",
        ),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _add_layer_norm("AddLayerNormQuant", second=False),
    _add_layer_norm("AddLayerNormQuantV2", second=True),
    Row(
        "AdaLayerNormQuant", _FAMILY,
        (
            Null(("x", "scale", "shift", "out", "quantScale")),
            OnlyOn(("A2", "950"), inside=True),
            DtypeIn(_HALVES, ("x",)),
            SameDtype(("x", "scale", "shift")),
            *(if_given(n, SameDtype(("x", n)))
              for n in ("weightOptional", "biasOptional", "smoothScalesOptional")),
            DtypeIn(Dtypes(("int8",), (), ("hifloat8", "float8_e5m2", "float8_e4m3fn")), ("out",)),
            DtypeIn(_FLOAT32, ("quantScale",)),
            That("!quantOffsetOptional.given()", "quantOffsetOptional must be null"),
            Kernel("ada_layer_norm_quant"),
        ),
        {
            "out": Output("like x", "int8"),
            "quantScale": _ROWS,
            "quantOffsetOptional": Output("none", ""),
        },
    ),
    _generated(
        "RmsNormDynamicQuant", "rms_norm_dynamic_quant", "", {"x": _HALVES, "gamma": _HALVES},
        {"yOut": (_INT8, Output("like x", "int8")), "scaleOut": (_FLOAT32, _ROWS)},
        *(if_given(n, DtypeIn(_HALVES, (n,))) for n in ("smoothScalesOptional", "betaOptional")),
        chips=OnlyOn(("A2",), inside=True),
    ),
    Row(
        "RmsNormQuantV3", _FAMILY,
        (
            Null(("x", "gamma", "scale", "y")),
            If("outputRstd", Null(("rstd",))),
            OnlyOn(("950",), inside=True),
            That("gamma.rank() == 1 || gamma.rank() == 2", "gamma must have 1 or 2 dimensions"),
            That("scale.rank() == 1", "scale must have 1 dimension"),
            If("y.dtype() == ACL_INT32", That(
                "x.rank() >= 1 && y.rank() >= 1 && x.shape().back() % 8 == 0 && "
                "x.shape().back() == y.shape().back() * 8",
                "the last axis of y must be an eighth of that of x")),
            Kernel("rms_norm_quant_v3"),
        ),
        {"y": Output("like x", "int8"),
         "rstd": Output("if outputRstd: (*x[:-1], 1)", "float32")},
        missing=(_STRIDED,),
    ),
)  # fmt: skip
