"""Convolutions."""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .row import Output, Row
from .steps import Cpp, DtypeIn, Null, SameDtype, Step

_FAMILY = "convolution"
_INCLUDE = ("convolution/forward.hpp",)
_MISSING = (
    "float8 and hifloat8 of the 950 series",
    "private formats of the matrix unit",
    "results that a product computed in hfloat32 rounds further",
)


def _bias_type(every: str, newer: str = "") -> Step:
    accepted = dtypes(every, newer).cpp()
    return Cpp(f"if (bias.given()) check.dtype_in({accepted}, bias);")


def _tensors(names: str) -> Step:
    return Cpp(f"const ConvolutionTensors tensors{{{names}}};")


ROWS: tuple[Row, ...] = (
    Row(
        "Convolution", _FAMILY,
        (
            Null(("input", "weight", "stride", "padding", "dilation", "output")),
            Cpp("if (transposed) check.not_null(outputPadding);"),
            _bias_type("float32 float16 bfloat16"),
            DtypeIn(FLOATS, ("input", "weight", "output")),
            _tensors("input, weight, bias, output"),
            Cpp(
                "const ConvolutionAttributes attributes{stride.values(), padding.values(), "
                "dilation.values(), transposed, transposed ? outputPadding.values() : "
                "std::vector<std::int64_t>(), groups, cubeMathType};"
            ),
            Cpp("check_convolution(check, tensors, attributes);"),
            Cpp("convolution(plan, tensors, attributes);"),
        ),
        {
            "output": Output(
                "convolved input weight stride padding dilation transposed outputPadding groups",
                "common input weight",
            )
        },
        include=_INCLUDE,
        missing=(*_MISSING, "format NDHWC of chips before the 950"),
    ),
    Row(
        "ConvTbc", _FAMILY,
        (
            Null(("self", "weight", "bias", "output")),
            _bias_type("float32 float16", "bfloat16"),
            DtypeIn(FLOATS, ("self",)),
            SameDtype(("self", "weight", "output")),
            _tensors("self, weight, bias, output"),
            Cpp("check_conv_tbc(check, tensors, pad, cubeMathType);"),
            Cpp("conv_tbc(plan, tensors, pad, cubeMathType);"),
        ),
        {"output": Output("convolved_tbc self weight pad", "same self")},
        include=_INCLUDE,
        missing=_MISSING,
    ),
    Row(
        "ConvDepthwise2d", _FAMILY,
        (
            Null(("weight", "kernelSize", "self", "stride", "padding", "dilation", "out")),
            _tensors("self, weight, bias, out"),
            Cpp(
                "const ConvolutionAttributes attributes{stride.values(), padding.values(), "
                "dilation.values(), false, {}, 1, cubeMathType};"
            ),
            Cpp("check_depthwise(check, tensors, kernelSize.values(), attributes);"),
            Cpp("depthwise(plan, tensors, attributes);"),
        ),
        {"out": Output("convolved_by_channel self weight stride padding dilation", "same self")},
        include=_INCLUDE,
        missing=_MISSING,
    ),
)  # fmt: skip
