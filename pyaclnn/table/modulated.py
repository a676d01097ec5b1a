"""Gradients of modulations, slopes that are drawn, a stream that waits.

Sources are ``aclnn_modulate_backward.cpp``, ``aclnn_ada_layer_norm_backward.cpp`` and
``aclnn_rrelu_with_noise.cpp`` of CANN 9.0; Sleep is generated from its kernel.
"""

from __future__ import annotations

from .dtypes import FLOATS_NOT_950, dtypes
from .row import Output, Row
from .shape_steps import Formats
from .steps import Call, Cpp, DoneIfEmpty, DtypeIn, Null, OnlyOn, SameDtype, SameShape, Struct, That

_MODULATED = ("norm/modulated_backward.hpp", "common/kernel_checks.hpp")
_SLOPES = ("random/random_slopes.hpp", "common/format.hpp", "common/kernel_checks.hpp")
_STREAM = "the numbers of Atlas A2 and A3, whose generator is not public: those of the 950 instead"


def _rrelu(name: str, out: str) -> Row:
    """Make the row of a rectifier with slopes that are drawn; ``out`` may be its operand."""
    tensors = tuple(dict.fromkeys(("self", "noise", out)))
    others = tuple(t for t in tensors if t != "self")
    return Row(
        name, "activation",
        (
            Null(tuple(dict.fromkeys(("self", "noise", "lower", "upper", out)))),
            DtypeIn(FLOATS_NOT_950, tensors),
            DtypeIn(dtypes("float32 float16 float64 bfloat16"), ("lower", "upper")),
            SameDtype(("self", *others)),
            *((SameShape(("self", out)),) if out != "self" else ()),
            That("!training || self.elements() <= noise.elements()",
                 "noise has %lld elements, self %lld",
                 ("static_cast<long long>(noise.elements())",
                  "static_cast<long long>(self.elements())")),
            Formats((', '.join(tensors),)),
            DoneIfEmpty(("self", "noise")),
            OnlyOn(("910", "A2"), inside=True),
            Cpp("rrelu_with_noise(plan, self, noise, {float(lower->to_double()), "
                "float(upper->to_double()), std::uint64_t(std::int64_t(seed)), "
                f"std::uint64_t(std::int64_t(offset))}}, training, {out});"),
        ),
        {"out": Output("like self", "same self")} if out != "self" else {},
        include=_SLOPES, missing=(_STREAM,),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    Row(
        "ModulateBackward", "norm",
        (
            Null(("grad_output", "input", "grad_input")),
            Struct("ModulateGradient",
                   "grad_output input scale shift grad_input grad_scale grad_shift", "call"),
            Call("check_modulate_backward", "check call"),
            DoneIfEmpty(("grad_output", "grad_input")),
            OnlyOn(("A2",), inside=True),
            Call("modulate_backward", "plan call"),
        ),
        {
            "grad_input": Output("like input", "same input"),
            "grad_scale": Output("like_given scale", "same input"),
            "grad_shift": Output("like_given shift", "same input"),
        },
        include=_MODULATED,
    ),
    Row(
        "AdaLayerNormBackward", "norm",
        (
            Null(("gradOut", "input", "normalizedShape", "mean", "rstd", "scale", "shift")),
            Struct("AdaLayerNormGradient",
                   "gradOut input rstd mean scale shift weightOptional biasOptional gradInputOut "
                   "gradScaleOut gradShiftOut gradWeightOut gradBiasOut", "call"),
            Call("check_ada_layer_norm_backward", "check call normalizedShape.values()"),
            OnlyOn(("A2",), inside=True),
            Call("ada_layer_norm_backward", "plan call"),
        ),
        {
            "gradInputOut": Output("like input", "same input"),
            "gradScaleOut": Output("like scale", "same input"),
            "gradShiftOut": Output("like shift", "same input"),
            "gradWeightOut": Output("like_given weightOptional", "common_of_given weightOptional"),
            "gradBiasOut": Output("like_given biasOptional", "common_of_given biasOptional"),
        },
        include=_MODULATED,
    ),
    _rrelu("RReluWithNoise", "out"),
    _rrelu("InplaceRReluWithNoise", "self"),
    Row(
        "Sleep", "pointwise",
        (
            Null(("cycles",)),
            OnlyOn(("950",), inside=True),
            Call("sleep_cycles", "plan cycles.values()"),
        ),
        include=("control/sleep.hpp", "common/kernel_checks.hpp"),
        missing=("a sleep of more than a second, which ends then",),
    ),
)  # fmt: skip
