"""Gradients of element-wise activations.

Formulas take numbers as float32, whatever is computed in; what is more than a formula has a kernel
in ``opapi/activation/activation.hpp``. Cases are in ``selftest/suites``: zeros of a derivative, and
what NaN and infinities give, differ from one to the next.
"""

from __future__ import annotations

from .dtypes import (
    BOOL,
    COMPLEX,
    FLOATS,
    FLOATS_DOUBLE,
    FLOATS_NOT_950,
    INTEGERS,
    REAL_BOOL,
    dtypes,
)
from .optional_steps import If, if_given
from .row import Output, Row
from .shape_steps import Formats
from .steps import (
    Broadcast,
    Call,
    Castable,
    CommonCastable,
    Cpp,
    DoneIfEmpty,
    DtypeIn,
    HasResultType,
    HasShape,
    Kernel,
    KernelExists,
    Null,
    OnlyOn,
    Pointwise,
    RankAtMost,
    ResultType,
    ResultTypeIn,
    SameDtype,
    SameShape,
    ScalarCastable,
    ShapeIs,
    ShapeOf,
    Stage,
    Step,
    That,
)

_FAMILY = "activation"

_PAIR = ("gradOutput", "self")
_OUT = ("gradInput",)
_ALL = (*_PAIR, *_OUT)
_COMMON = ResultType("common", _PAIR)
_EMPTY = DoneIfEmpty(_PAIR)


def _row(
    name: str, null: tuple[str, ...], *steps: Step, formula: str = "", kernel: Step | None = None,
    numbers: tuple[str, ...] = (), pair: tuple[str, str] = _PAIR, out: str = "gradInput",
    like: str = "", choice: str = "",
) -> Row:  # fmt: skip
    """Make the row of out = f(gradient, x, numbers...): null, the steps, the formula or kernel.

    The output is ``like`` a tensor, or what the pair broadcasts to.
    """
    staged = isinstance(steps[-1], Stage)
    last: Step = Pointwise(formula, pair, out=out, choice=choice, exact=numbers, staged=staged)
    if kernel:
        last = kernel
    both = " ".join(pair)
    output = Output(f"broadcast {both}", f"common_or_float32 {both}")
    if like:
        output = Output(f"like {like}", f"same {like}")
    return Row(name, _FAMILY, (Null(null), *steps, last), {out: output})


def _broadcast(*names: str, out: str = "gradInput") -> tuple[Step, ...]:
    return Broadcast(names), ShapeIs((out,))


def _both(first: str, second: str, out: str) -> tuple[Step, ...]:
    """Return the same in other words."""
    words = f"the broadcast shape of {first} and {second}"
    return (
        Call("check.broadcast", f"{first} {second}", "result_shape"),
        HasShape(out, "result_shape", words),
    )


def _as_they_are(like: str, *names: str, out: str) -> tuple[Step, ...]:
    """Stage operands of one element type, that of the result, which has the shape of one."""
    return (
        ResultType("same", (like,)), ShapeOf(like), Stage(names, out, spreads=False, casts=False)
    )  # fmt: skip


def _swish(name: str, beta: str, *steps: Step) -> Row:
    """Make the row of the gradient of x sigmoid(beta x)."""
    return _row(
        name, _ALL, *steps, formula="swish_backward", numbers=(beta,), like="self",
    )  # fmt: skip


def _hardswish(name: str, choice: str) -> Row:
    tensors = ("self", "gradOutput", "out")
    return _row(
        name, (*_PAIR, "out"), DtypeIn(FLOATS, _PAIR), SameDtype(tensors), RankAtMost(8, _PAIR),
        SameShape(tensors), _EMPTY, ResultType("same", ("self",)),
        formula="hardswish_backward", out="out", like="self", choice=choice,
    )  # fmt: skip


def _gelu(name: str, null: tuple[str, ...], *steps: Step, staged: Stage, choice: str = "") -> Row:
    return _row(
        name, null, _COMMON, ResultTypeIn(FLOATS), *steps, _EMPTY, staged,
        formula="gelu_tanh_backward", choice=choice,
    )  # fmt: skip


_SOFTPLUS = FLOATS_NOT_950 | dtypes("float64")
_THRESHOLD = dtypes("float32 float16 int32 int8 uint8", "bfloat16")

ROWS: tuple[Row, ...] = (
    _row(
        "EluBackward",
        ("gradOutput", "alpha", "scale", "inputScale", "selfOrResult", "gradInput"),
        SameDtype(("gradOutput", "selfOrResult")),
        DtypeIn(FLOATS, ("gradOutput",)),
        ResultType("same", ("gradOutput",)),
        ScalarCastable(("alpha", "scale", "inputScale")),
        Castable(_OUT),
        SameShape(("gradOutput", "selfOrResult", "gradInput")),
        RankAtMost(8, ("gradOutput",)),
        That(
            "!isResult || !(alpha->to_float() < 0)",
            "alpha is %g; the gradient from the result needs alpha >= 0",
            ("double(alpha->to_float())",),
        ),
        DoneIfEmpty(("gradOutput",)),
        formula="elu_backward", pair=("gradOutput", "selfOrResult"), like="gradOutput",
        numbers=(
            "scale->to_float()", "inputScale->to_float()", "alpha->to_float() * scale->to_float()",
        ),
        choice="isResult ? formulas::elu_backward_of_result : formulas::elu_backward",
    ),
    _swish(
        "FastGeluBackward", "1.702f",
        SameDtype(("self", "gradOutput")),
        SameDtype(("gradOutput", "gradInput")),
        DtypeIn(dtypes("", "float32 float16 bfloat16"), _OUT),
        SameShape(("self", "gradOutput", "gradInput")),
        RankAtMost(8, ("self",)),
        Formats(("self", "gradInput", "gradOutput")),
        _EMPTY,
        ResultType("same", ("self",)),
    ),
    # CANN's kernel of this name computes the tanh approximation; that of V2 has both.
    _gelu(
        "GeluBackward", _ALL, RankAtMost(8, _PAIR), *_broadcast(*_PAIR),
        staged=Stage(_ALL, "gradInput"),
    ),
    _gelu(
        "GeluBackwardV2", (*_ALL, "approximate"),
        HasResultType(("gradInput",)),
        *_broadcast(*_PAIR),
        That(
            'approximate.text == "tanh" || approximate.text == "none"',
            "approximate is '%s', it must be 'none' or 'tanh'",
            ("approximate.text.c_str()",),
        ),
        staged=Stage(_PAIR, "gradInput", casts=False),
        choice='approximate.text == "tanh" ? formulas::gelu_tanh_backward : '
        "formulas::gelu_backward",
    ),
    # Shapes are not looked at where there is nothing to compute; a lambd below 0 counts as 0.
    _row(
        "HardshrinkBackward", (*_PAIR, "lambd", *_OUT),
        DtypeIn(FLOATS, _ALL), RankAtMost(8, _ALL), _COMMON, Castable(_OUT), _EMPTY,
        *_broadcast(*_PAIR), Stage(_PAIR, "gradInput"),
        formula="shrink_backward",
        numbers=("lambd->to_float() < 0 ? 0.0f : lambd->to_float()",),
    ),
    _row(
        "SoftshrinkBackward", (*_PAIR, "lambda", *_OUT),
        DtypeIn(FLOATS, _ALL),
        RankAtMost(8, _PAIR),
        *_broadcast(*_PAIR),
        That("!(lambda->to_float() < 0)", "lambda is %g, it must not be below 0",
             ("double(lambda->to_float())",)),
        DoneIfEmpty(("gradOutput", "gradInput")),
        _COMMON,
        Stage(_PAIR, "gradInput", casts=False),
        formula="shrink_backward", numbers=("lambda->to_float()",),
    ),
    _row(
        "HardsigmoidBackward", (*_PAIR, "out"),
        DtypeIn(FLOATS, _PAIR), _COMMON, Castable(("out",)), RankAtMost(8, (*_PAIR, "out")),
        SameShape(("self", "gradOutput", "out")), DoneIfEmpty(("gradOutput",)),
        formula="hardsigmoid_backward", out="out",
    ),
    # The kernels of 8.1, which also serve all chips but the 950 in 9.0, give the constant 1 for a
    # NaN in float32 and bfloat16, and NaN in float16; those of the 950 give the gradient.
    _hardswish(
        "HardswishBackward",
        "has_950_kernels() ? formulas::hardswish_backward_950 : self.dtype() == ACL_FLOAT16 ? "
        "formulas::hardswish_backward : formulas::hardswish_backward_one_for_nan",
    ),
    _hardswish("HardswishBackwardV2", "formulas::hardswish_backward_v2"),
    # CANN does not look at the output: what does not fit cannot be copied to it.
    _row(
        "HardtanhBackward", ("self", "gradOutput", "out", "min", "max"),
        DtypeIn(FLOATS, (*_PAIR, "out")), SameDtype(("self", "gradOutput")), RankAtMost(8, _PAIR),
        SameShape(("self", "gradOutput")), DoneIfEmpty(("gradOutput",)),
        *_as_they_are("self", *_PAIR, "out", out="out"),
        formula="hardtanh_backward", numbers=("min->to_float()", "max->to_float()"), out="out",
        like="self",
    ),
    _row(
        "LeakyReluBackward", (*_PAIR, "negativeSlope", "out"),
        DtypeIn(FLOATS_DOUBLE, _PAIR),
        DtypeIn(REAL_BOOL, ("negativeSlope",)),
        RankAtMost(8, _PAIR),
        *_broadcast(*_PAIR, out="out"),
        That(
            "!selfIsResult || !(negativeSlope->to_double() < 0)",
            "negativeSlope is %g; the gradient from the result needs a slope >= 0",
            ("negativeSlope->to_double()",),
        ),
        _COMMON,
        Castable(("out",)),
        DoneIfEmpty(("self",)),
        formula="leaky_relu_backward", numbers=("negativeSlope->to_float()",), out="out",
    ),
    # The buffer of the forward function is not read.
    _row(
        "LogSigmoidBackward", (*_PAIR, "buffer", *_OUT),
        DtypeIn(FLOATS, _PAIR), SameDtype(("gradInput", *_PAIR)), SameShape(("gradInput", *_PAIR)),
        _EMPTY, ResultType("same", ("self",)),
        formula="log_sigmoid_backward", like="self",
    ),
    _row(
        "MishBackward", _ALL,
        CommonCastable(("self",), _OUT), DtypeIn(FLOATS, _ALL), RankAtMost(8, _ALL),
        *_broadcast("self", "gradOutput"), DoneIfEmpty(_ALL), _COMMON,
        Stage(_PAIR, "gradInput", cast_first=True),
        formula="mish_backward",
    ),
    _row(
        "LogitGrad", ("x", "dy", "out"),
        OnlyOn(("A2", "950"), inside=True),
        DtypeIn(dtypes("float32 float16 bfloat16"), ("x", "dy", "out")),
        SameDtype(("x", "dy", "out")),
        Formats(("x", "dy", "out")),
        RankAtMost(8, ("x",)),
        SameShape(("x", "dy", "out")),
        DoneIfEmpty(("x",)),
        *_as_they_are("x", "x", "dy", out="out"),
        kernel=Call("logit_gradient", "plan x dy float(eps) out"), out="out", like="x",
    ),
    _row(
        "SeluBackward", ("gradOutput", "result", "gradInput"),
        DtypeIn(dtypes("float32 float16 int32 int8", "bfloat16"),
                ("gradOutput", "result", "gradInput")),
        SameShape(("gradOutput", "result", "gradInput")),
        DoneIfEmpty(("gradOutput", "result")),
        KernelExists("gradOutput.dtype() == result.dtype()"),
        ResultType("same", ("gradOutput",)),
        ShapeOf("gradOutput"),
        Stage(("gradOutput", "result"), "gradInput", spreads=False),
        kernel=Call("selu_gradient", "plan gradOutput result gradInput"), like="result",
    ),
    _row(
        "SigmoidBackward", ("gradOutput", "output", "gradInput"),
        DtypeIn(FLOATS_DOUBLE | COMPLEX, ("gradOutput", "output", "gradInput")),
        RankAtMost(8, ("gradOutput", "output")),
        ResultType("common", ("gradOutput", "output")),
        Castable(_OUT),
        *_both("gradOutput", "output", "gradInput"),
        DoneIfEmpty(("gradOutput", "output")),
        Stage(("gradOutput", "output"), "gradInput"),
        formula="sigmoid_backward", pair=("gradOutput", "output"),
    ),
    # The 950 broadcasts and mixes types; the result is then float32.
    _row(
        "SiluBackward", _ALL,
        DtypeIn(FLOATS, _ALL),
        Cpp("const bool mixes = has_950_kernels() && gradOutput.dtype() != self.dtype();"),
        If("!mixes", SameDtype(("gradInput", "gradOutput", "self"))),
        That("!mixes || gradInput.dtype() == ACL_FLOAT",
             "gradInput must be float32 where gradOutput and self differ"),
        RankAtMost(8, _PAIR),
        If("!has_950_kernels()", SameShape(("gradInput", "gradOutput", "self"))),
        *_broadcast(*_PAIR),
        _EMPTY,
        ResultType("same", _OUT),
        Stage(_PAIR, "gradInput", spreads=False, casts=False),
        formula="swish_backward", numbers=("1.0f",),
    ),
    # In float32 even where operands are float64.
    _row(
        "SoftplusBackward", _ALL,
        DtypeIn(_SOFTPLUS, ("gradOutput",)),
        DtypeIn(_SOFTPLUS | INTEGERS | BOOL, ("self",)),
        DtypeIn(_SOFTPLUS, _OUT),
        RankAtMost(8, _ALL),
        SameShape(("self", "gradOutput", "gradInput")),
        DoneIfEmpty(("self",)),
        # CANN does not look whether they are there.
        Null(("beta", "threshold")),
        Call("softplus_type", "check gradOutput self", "result_type"),
        formula="softplus_backward", numbers=("beta->to_float()", "threshold->to_float()"),
        like="gradOutput",
    ),
    # beta is 1 where it is not given.
    _swish(
        "SwishBackward", "betaOptional.given() ? betaOptional->to_float() : 1.0f",
        DtypeIn(FLOATS, _PAIR),
        if_given("betaOptional", ScalarCastable(("betaOptional",), to="float32")),
        SameDtype(("gradInput", *_PAIR)),
        RankAtMost(8, _ALL),
        SameShape(("gradInput", *_PAIR)),
        _EMPTY,
        ResultType("same", ("self",)),
    ),
    _row(
        "TanhBackward", ("gradOutput", "output", "gradInput"),
        DtypeIn(FLOATS_DOUBLE, ("gradOutput", "output", "gradInput")),
        SameDtype(("gradOutput", "output", "gradInput")),
        RankAtMost(8, ("gradOutput", "output")),
        *_broadcast("gradOutput", "output"),
        DoneIfEmpty(("gradOutput", "output")),
        ResultType("same", ("output",)),
        formula="tanh_backward", pair=("gradOutput", "output"),
    ),
    _row(
        "ThresholdBackward", ("threshold", "out", *_PAIR),
        If("is_relu_threshold(threshold)",
           DtypeIn((_THRESHOLD | dtypes('', '', 'int64')), ("gradOutput", "self")),
           DtypeIn(_THRESHOLD, ("gradOutput", "self"))),
        SameDtype(("self", "gradOutput", "out")),
        RankAtMost(8, _PAIR),
        *_both("self", "gradOutput", "out"),
        _EMPTY,
        ResultType("same", ("self",)),
        Stage(_PAIR, "out", spreads=False, casts=False),
        kernel=Kernel("threshold_gradient"), out="out",
    ),
)  # fmt: skip
