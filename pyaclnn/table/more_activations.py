"""Activation functions of later days, and shrinkages.

Sources are the files of these names under ``activation`` of CANN 9.0's ops-nn, and the documents.
"""

from __future__ import annotations

from dataclasses import replace

from .dtypes import FLOATS, FLOATS_NOT_950, Dtypes, dtypes
from .format_steps import SameFormat
from .optional_steps import if_given
from .row import Output, Row, Trial
from .row_templates import in_place
from .shape_steps import Formats
from .steps import (
    Broadcast,
    Call,
    Castable,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    FitsInPlace,
    Null,
    OnlyOn,
    Pointwise,
    RankAtMost,
    ResultType,
    SameDtype,
    SameShape,
    ScalarCastable,
    ShapeIs,
    ShapeOf,
    Step,
    That,
)

_NEW_FLOATS = dtypes("", "float32 float16 bfloat16")


def _row(
    name: str, formula: str, dtypes_: tuple[Step, ...], *, self: str = "self", out: str = "out",
    nulls: tuple[str, ...] = (), ranked: tuple[str, ...] = (), checks: tuple[Step, ...] = (),
    kernel: Pointwise | None = None, trial: Trial | None = None,
) -> Row:  # fmt: skip
    """Make the row of out = f(self): null, dtypes, shape, rank, ``checks``, empty."""
    return Row(
        name, "activation",
        (
            Null((self, *nulls, out)),
            *dtypes_,
            ShapeOf(self),
            ShapeIs((out,)),
            *((RankAtMost(8, ranked),) if ranked else ()),
            *checks,
            DoneIfEmpty((self,)),
            *((ResultType("same", (self,)),) if kernel is None else ()),
            kernel or Pointwise(formula, (self,), nulls, out=out),
        ),
        {out: Output(f"like {self}", f"same {self}")},
        trial or Trial(low=-6, high=6),
    )  # fmt: skip


def _same(accepted: Dtypes, self: str = "self", out: str = "out") -> tuple[Step, ...]:
    return DtypeIn(accepted, (self, out)), SameDtype((self, out))


_celu = _row(
    "Celu", "celu", (
        DtypeIn(FLOATS, ("self",)),
        ScalarCastable(("alpha",), to="float32"),
        ResultType("same", ("self",)),
        Castable(("out",)),
    ),
    nulls=("alpha",), ranked=("self",),
    checks=(That("alpha->to_float() > 0 || alpha->to_float() < 0", "alpha is 0 or no number"),),
    kernel=Pointwise("celu", ("self",), ("alpha",)),
    trial=Trial(low=-4, high=4, values={"alpha": (1, 0.5, -2, 3)}, edges=False),
)  # fmt: skip
#: Integers are computed in floating point, and their results cut off.
_selu = _row(
    "Selu", "selu", (
        DtypeIn(dtypes("float32 float16 int32 int8", "bfloat16"), ("self", "out")),
        ResultType("float_of", ("self",)),
    ),
    kernel=Pointwise("selu", ("self",), gives="self"),
    trial=Trial(dtypes=("float32", "float16", "bfloat16"), low=-4, high=4),
)  # fmt: skip
_BETA = Trial(low=-6, high=6, values={"betaOptional": (1.0, 2, 0.25)})
_LAMBDA = Trial(values={"lambd": (0.5, 0, 1.25), "bias": (0.25, -1.0)})
_BOUND = That("!(lambd->to_float() < 0)", "lambd is %g; it must not be negative",
              ("double(lambd->to_float())",))  # fmt: skip

_log_sigmoid_forward = _row("LogSigmoidForward", "log_sigmoid", _same(FLOATS))
#: The buffer is not written.
_log_sigmoid_forward = replace(
    _log_sigmoid_forward,
    outputs={**_log_sigmoid_forward.outputs, "buffer": Output("like self", "same self")},
)

_OPERANDS = ("self", "other")
_add_relu = Row(
    "AddRelu", "activation",
    (
        Null((*_OPERANDS, "alpha", "out")),
        DtypeIn(dtypes("float32 float16 int8 uint8 int16 int32 int64", "bfloat16"), _OPERANDS),
        ResultType("in_float32", _OPERANDS),
        ScalarCastable(("alpha",)),
        Castable(("out",)),
        RankAtMost(8, _OPERANDS),
        Broadcast(_OPERANDS),
        ShapeIs(("out",)),
        DoneIfEmpty(_OPERANDS),
        Pointwise("add_relu", _OPERANDS, ("alpha",)),
    ),
    {"out": Output("broadcast self other", "common self other")},
    Trial(values={"alpha": (1, 2, -3)}),
)  # fmt: skip

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
        missing=(_STREAM,),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _celu,
    in_place(_celu),
    _selu,
    in_place(_selu),
    _row("FastGelu", "fast_gelu", (SameDtype(("self", "out")), DtypeIn(_NEW_FLOATS, ("self",))),
         ranked=("self",), checks=(SameFormat(("self", "out")),)),
    _row(
        "GeluV2", "gelu_v2", (SameDtype(("y", "x")), DtypeIn(FLOATS, ("x",)),
                              ResultType("same", ("x",))),
        self="x", out="y",
        kernel=Pointwise(
            "gelu_v2", ("x",), ("approximate",), out="y",
            choice="approximate == 1 ? formulas::gelu_tanh : formulas::gelu",
        ),
        trial=Trial(low=-3, high=6, values={"approximate": (0, 1)}, edges=False),
    ),
    _row("LogSigmoid", "log_sigmoid", _same(FLOATS)),
    _log_sigmoid_forward,
    _row(
        "Swish", "swish", (
            *_same(FLOATS),
            if_given("betaOptional", ScalarCastable(("betaOptional",), to="float32")),
            ResultType("same", ("self",)),
        ),
        ranked=("self", "out"),
        checks=(
            DoneIfEmpty(("self",)),
            DoneIf("!betaOptional.given()",
                   Call("pointwise", "plan formulas::silu result_type result_type out {&self} {}")),
        ),
        kernel=Pointwise("swish", ("self",), ("betaOptional",)),
        trial=_BETA,
    ),
    _row(
        "Hardshrink", "hardshrink", (DtypeIn(FLOATS, ("self", "out")),),
        nulls=("lambd",), ranked=("self",), trial=_LAMBDA,
    ),
    _row(
        "Softshrink", "softshrink", (DtypeIn(FLOATS, ("self", "out")),),
        nulls=("lambd",), ranked=("self",), checks=(_BOUND,), trial=_LAMBDA,
    ),
    _row(
        "Shrink", "shrink", (DtypeIn(dtypes("float32 float16"), ("self", "out")),),
        nulls=("lambd", "bias"), checks=(_BOUND, SameFormat(("self", "out"))), trial=_LAMBDA,
    ),
    _row(
        "Logit", "logit", (
            OnlyOn(("A2", "950"), inside=True),
            *_same(dtypes("float32 float16 bfloat16"), "input"),
            ResultType("in_float32", ("input",)),
        ),
        self="input", ranked=("input",),
        kernel=Pointwise("logit", ("input",), ("eps",), gives="input"),
        trial=Trial(low=0.6, high=0.95, values={"eps": (-1.0, 0.2, 0.0)}, edges=False),
    ),
    _row(
        "SquaredRelu", "squared_relu", (
            OnlyOn(("A2", "950"), inside=True),
            *_same(dtypes("float32 float16 bfloat16"), "input"),
        ),
        self="input", ranked=("input",),
    ),
    _add_relu,
    in_place(_add_relu, first=(Null(("selfRef", "other")), FitsInPlace(("selfRef", "other")))),
    _rrelu("RReluWithNoise", "out"),
    _rrelu("InplaceRReluWithNoise", "self"),
)  # fmt: skip
