"""Normalised rows that are quantised, beyond those of ``quant_fused``."""

from __future__ import annotations

from .dtypes import FLOATS, Dtypes, dtypes
from .optional_steps import If, if_given
from .quant_blocks import _FLOAT32, _HALVES, _generated
from .row import Output, Row
from .shape_steps import Formats
from .steps import (
    DoneIfEmpty,
    DtypeIn,
    Kernel,
    Null,
    OnlyOn,
    RankAtMost,
    SameDtype,
    SameShape,
    That,
)

_FAMILY = "quant"
_INT8 = dtypes("int8")
_ROWS = Output("(*x[:-1],)", "float32")
_BATCH = ("weight", "bias", "mean", "var")
_SCALARS = ("inputScale", "inputZeroPoint", "outputScale", "outputZeroPoint")
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
        missing=("the kernels of chips before the 950",) if second else (),
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
    ),
    Row(
        "RmsNormGradQuant", _FAMILY,
        (
            Null(("dy", "x", "rstd", "gamma", "scalesX", "dxOut", "dgammaOut")),
            DoneIfEmpty(("gamma",)),
            OnlyOn(("950",), inside=True),
            Kernel("rms_norm_grad_quant"),
        ),
        {"dxOut": Output("like dy", "int8"), "dgammaOut": Output("like gamma", "float32")},
    ),
    Row(
        "GroupNormSiluQuant", _FAMILY,
        (
            Null(("self", "quantScale", "out", "meanOut", "rstdOut")),
            DtypeIn(_HALVES, ("self",)),
            *(if_given(n, DtypeIn(_HALVES, (n,))) for n in ("gamma", "beta")),
            DtypeIn(_FLOAT32, ("quantScale",)),
            if_given("gamma", if_given("beta", SameDtype(("self", "gamma", "beta")))),
            DtypeIn(_INT8, ("out",)),
            SameDtype(("self", "meanOut", "rstdOut")),
            That("self.rank() >= 2", "self must have 2 dimensions at least"),
            RankAtMost(8, ("self",)),
            SameShape(("self", "out")),
            *(That(f"{n}.shape() == Dims({{self.shape()[0], group}})",
                   f"{n} must have the shape of samples and groups")
              for n in ("meanOut", "rstdOut")),
            *(if_given(n, That(f"{n}.shape() == Dims{{self.shape()[1]}}",
                               f"{n} must be as long as self has channels"))
              for n in ("gamma", "beta")),
            That("quantScale.rank() == 1 && (quantScale.elements() == 1 || "
                 "quantScale.elements() == self.shape()[1])",
                 "quantScale must have one element, or one for each channel"),
            That("group > 0", "group must be positive"),
            That("self.shape()[0] > 0 && self.shape()[1] > 0", "self has no samples or channels"),
            That("eps > 0", "eps must be positive"),
            That("activateSilu", "activateSilu must be true"),
            That("self.shape()[1] % group == 0", "the channels of self make no such groups"),
            Kernel("group_norm_silu_quant"),
        ),
        {
            "out": Output("like self", "int8"),
            "meanOut": Output("(self[0], group)", "same self"),
            "rstdOut": Output("(self[0], group)", "same self"),
        },
    ),
    Row(
        "QuantizedBatchNorm", _FAMILY,
        (
            Null(("input", "output", "mean", "var", *_SCALARS)),
            *(That(f"!{n}.is_empty()", f"{n} is empty") for n in ("input", "mean", "var")),
            *(if_given(n, That(f"!{n}.is_empty()", f"{n} is empty")) for n in ("weight", "bias")),
            DtypeIn(dtypes("int8 uint8 int32"), ("input", "output")),
            Formats(("input", "output")),
            SameShape(("input", "output")),
            *(if_given(n, DtypeIn(_FLOAT32, (n,))) for n in _BATCH),
            *(if_given(n, That(f"input.rank() >= 2 && {n}.shape() == Dims{{input.shape()[1]}}",
                               f"{n} must be as long as input has channels"))
              for n in _BATCH),
            *(DtypeIn(dtypes(d), (n,))
              for n, d in zip(_SCALARS, ("float32", "int32") * 2, strict=True)),
            That("input.rank() == 4", "input must have 4 dimensions"),
            OnlyOn(("A2", "950"), inside=True),
            Kernel("quantized_batch_norm"),
        ),
        {"output": Output("like input", "same input")},
    ),
)  # fmt: skip
