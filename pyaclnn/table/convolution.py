"""Convolutions."""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .optional_steps import If, Since, if_given
from .row import Output, Row
from .shape_steps import Formats
from .steps import (
    Call,
    DoneIf,
    DtypeIn,
    Kernel,
    Null,
    On950,
    ResultType,
    SameDtype,
    Step,
    Struct,
    That,
)

_FAMILY = "convolution"
_HFLOAT32 = "results that a product computed in hfloat32 rounds further"
_MISSING = ("private formats of the matrix unit", _HFLOAT32)
_CONVOLVED = FLOATS | dtypes(newest="hifloat8")


def _bias_type(every: str, newer: str = "") -> Step:
    return if_given("bias", DtypeIn(dtypes(every, newer), ("bias",)))


def _tensors(names: str) -> Step:
    return Struct("ConvolutionTensors", names, "tensors")


def _has_rank(rank: int, *names: str) -> tuple[Step, ...]:
    words = f"has %zu dimensions, it must have {rank}"
    return tuple(That(f"{n}.rank() == {rank}", f"{n} {words}", (f"{n}.rank()",)) for n in names)


#: Outputs of the gradient, and the arguments whose types they have on the 950.
_GRADIENTS = (("gradInput", "input"), ("gradWeight", "weight"), ("gradBias", "gradOutput"))
_TBC_GRADIENTS = (*_GRADIENTS[:2], ("gradBias", "bias"))
_CUBE = (
    Call("check_cube_math_type", "check cubeMathType result_type"),
    Call("cube_precision", "cubeMathType result_type", "precision"),
)

_ARRAYS = ("kernelSize", "stride", "padding", "dilation")

ROWS: tuple[Row, ...] = (
    Row(
        "Convolution", _FAMILY,
        (
            Null(("input", "weight", "stride", "padding", "dilation", "output")),
            If("transposed", Null(("outputPadding",))),
            _bias_type("float32 float16 bfloat16"),
            If("transposed",
               DtypeIn(_CONVOLVED | dtypes(newest="float8_e4m3fn"), ("input", "weight", "output")),
               DtypeIn(_CONVOLVED, ("input", "weight", "output"))),
            _tensors("input weight bias output"),
            Call("output_padding_if", "transposed outputPadding", "output_padding"),
            Struct("ConvolutionAttributes",
                   "stride.values() padding.values() dilation.values() transposed "
                   "output_padding groups cubeMathType", "attributes"),
            Call("check_convolution", "check tensors attributes"),
            Call("convolution", "plan tensors attributes"),
        ),
        {
            "output": Output(
                "convolved input weight stride padding dilation transposed outputPadding groups",
                "common input weight",
            )
        },
        missing=(*_MISSING, "format NDHWC of chips before the 950"),
    ),
    Row(
        "ConvTbc", _FAMILY,
        (
            Null(("self", "weight", "bias", "output")),
            _bias_type("float32 float16", "bfloat16"),
            DtypeIn(_CONVOLVED, ("self",)),
            SameDtype(("self", "weight", "output")),
            _tensors("self weight bias output"),
            Call("check_conv_tbc", "check tensors pad cubeMathType"),
            Call("conv_tbc", "plan tensors pad cubeMathType"),
        ),
        {"output": Output("convolved_tbc self weight pad", "same self")},
        missing=_MISSING,
    ),
    Row(
        "ConvDepthwise2d", _FAMILY,
        (
            Null(("weight", "kernelSize", "self", "stride", "padding", "dilation", "out")),
            _tensors("self weight bias out"),
            Struct("ConvolutionAttributes",
                   "stride.values() padding.values() dilation.values() false {} 1 cubeMathType",
                   "attributes"),
            Call("check_depthwise", "check tensors kernelSize.values() attributes"),
            Call("depthwise", "plan tensors attributes"),
        ),
        {"out": Output("convolved_by_channel self weight stride padding dilation", "same self")},
        missing=_MISSING,
    ),
    Row(
        "ConvolutionBackward", _FAMILY,
        (
            Null(("gradOutput", "input", "weight", "stride", "padding", "dilation",
                  "outputPadding", "outputMask")),
            Struct("ConvolutionCall",
                   "check gradOutput input weight biasSizes stride padding dilation outputPadding "
                   "transposed groups outputMask {&gradInput, &gradWeight, &gradBias}", "call"),
            Call("check_wanted", "call"),
            DtypeIn(FLOATS, ("gradOutput", "input", "weight")),
            *(
                if_given(out, step)
                for out, like in _GRADIENTS
                for step in (DtypeIn(FLOATS, (out,)), On950(SameDtype((like, out))))
            ),
            Call("check_convolved", "call"),
            Call("check_values", "call"),
            ResultType("common", ("gradOutput", "input", "weight")),
            *_CUBE,
            DoneIf("input.is_empty() || weight.is_empty()", Call("empty_gradients", "plan call")),
            Call("check_shapes", "call"),
            Call("check_positions", "call precision result_type"),
            Call("convolution_gradients", "plan call precision result_type"),
        ),
        {
            "gradInput": Output("wanted_first outputMask input", "same input"),
            "gradWeight": Output("wanted_second outputMask weight", "same weight"),
            "gradBias": Output("wanted_channels outputMask gradOutput", "same gradOutput"),
        },
        missing=(
            "float8 and hifloat8 of the 950 series", "channels-last formats of the 950 series",
            "private formats of the matrix unit", _HFLOAT32,
        ),
    ),
    Row(
        "ConvTbcBackward", _FAMILY,
        (
            Null(("self", "input", "weight", "bias", "gradInput", "gradWeight", "gradBias")),
            DtypeIn(FLOATS, ("self", "input", "weight")),
            DtypeIn(dtypes("float32 float16 bfloat16"), ("bias",)),
            DtypeIn(FLOATS, ("gradInput", "gradWeight", "gradBias")),
            Formats(("self", "input", "weight", "bias", "gradInput", "gradWeight", "gradBias")),
            That("!self.is_empty()", "self is empty: %s", ("self.shape().text().c_str()",)),
            *_has_rank(3, "self", "input", "weight"),
            *_has_rank(1, "bias", "gradBias"),
            *_has_rank(3, "gradInput", "gradWeight"),
            Struct("ConvTbcTensors", "self input weight bias gradInput gradWeight gradBias",
                   "tensors"),
            Call("check_conv_tbc_gradients", "check tensors pad"),
            ResultType("common", ("self", "input", "weight")),
            *_CUBE,
            *(Since("9.1", On950(SameDtype((of, out)))) for out, of in _TBC_GRADIENTS),
            That("!on_950() || pad <= 255", "pad is %lld, %s takes up to 255",
                 ("static_cast<long long>(pad)", "chip().name")),
            Call("conv_tbc_gradients", "plan tensors pad precision result_type"),
        ),
        {out: Output(f"like {of}", f"same {of}")
         for out, of in _TBC_GRADIENTS},
        missing=(_HFLOAT32,),
    ),
    *(
        Row(
            name, _FAMILY, (Kernel(function, of="QuantConvolution"),),
        )
        for name, function in (
            ("QuantConvolution", "quant_convolution"),
            ("QuantConvolutionWeightNz", "quant_convolution_nz"),
        )
    ),
    Row(
        "DeformableConv2d", _FAMILY,
        (
            Null(("x", "offset", "weight", "out", *_ARRAYS)),
            Kernel("deformable_conv2d"),
        ),
        {
            "out": Output("(x[0], weight[0], *offset[2:])", "same x"),
            "deformOutOptional": Output(
                "(*x[:2], offset[2] * kernelSize[0], offset[3] * kernelSize[1])", "same x"
            ),
        },
    ),
    Row(
        "DeformableConv2dBackward", _FAMILY,
        (
            Null(("gradOutput", "input", "weight", "offsetOut", "offset", "gradInput",
                  "gradWeight", "gradBias", "gradOffset", *_ARRAYS)),
            Kernel("deformable_conv2d_backward"),
        ),
        {
            "gradInput": Output("like input", "same input"),
            "gradWeight": Output("like weight", "same weight"),
            "gradOffset": Output("like offset", "same offset"),
            "gradBias": Output("(weight[0],)", "same input"),
        },
    ),
)  # fmt: skip
