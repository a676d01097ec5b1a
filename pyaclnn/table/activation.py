"""Activation functions."""

from __future__ import annotations

from dataclasses import replace

from .dtypes import (
    COMPLEX,
    FLOATS,
    FLOATS_DOUBLE,
    FLOATS_NOT_950,
    REAL,
    REAL_BOOL,
    Dtypes,
    dtypes,
)
from .elementary import listed
from .format_steps import NoPrivateFormat, SameFormat
from .optional_steps import If, Since
from .row import Output, Row, Trial
from .row_templates import in_place
from .shape_steps import Axis
from .steps import (
    Call,
    Castable,
    CommonCastable,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    Null,
    Pointwise,
    RankAtMost,
    ResultType,
    ResultTypeIn,
    SameDtype,
    SameShape,
    ScalarCastable,
    ShapeIs,
    ShapeOf,
    Step,
    Steps,
    That,
    ThatGiven,
)

_FLOATS_ALWAYS = dtypes("float32 float16 float64 bfloat16")


def _row(
    name: str, accepted: Dtypes, formula: str, *, scalars: tuple[str, ...] = (), out: str = "same",
    checks: tuple[Step, ...] = (), ranks: bool = True, self: str = "self", result: str = "out",
    family: str = "activation", trial: Trial | None = None,
) -> Row:  # fmt: skip
    """Make the row of out = f(self, scalars...).

    ``out`` says how the output's type is checked: ``same`` as the input's, ``castable``,
    ``unchecked_on_950`` and castable elsewhere, or ``listed`` in the same list and castable.
    """
    given = tuple(s for s in scalars if s.isidentifier())
    types: dict[str, tuple[Step, ...]] = {
        "same": (SameDtype((self, result)),),
        "castable": (Castable((result,)),),
        "unchecked_on_950": (If("!on_950()", Castable((result,))),),
        "listed": (DtypeIn(accepted, (result,)), Castable((result,))),
    }
    steps: tuple[Step, ...] = (
        Null((self, *given, result)),
        DtypeIn(accepted, (self,)),
        ResultType("same", (self,)),
        *checks,
        *types[out],
        *((RankAtMost(8, (self,)),) if ranks else ()),
        ShapeOf(self),
        ShapeIs((result,)),
        DoneIfEmpty((self,)),
        Pointwise(formula, (self,), scalars, out=result),
    )
    outputs = {result: Output(f"like {self}", f"same {self}")}
    return Row(name, family, steps, outputs, trial or Trial(edges=False))


def _both(row: Row, ref: str = "selfRef") -> tuple[Row, Row]:
    return row, in_place(row, ref=ref)


_BOUNDS = {"clipValueMin": (-1, 0, 2), "clipValueMax": (2, 5, 3)}
_LOW, _HIGH = _BOUNDS


def _clamp(name: str, formula: str, bounds: tuple[str, ...]) -> Row:
    """Make the row of a clamp to numbers, of which nothing is wrong where there are no elements."""
    return Row(
        name, "pointwise",
        (
            Null(("self", *bounds, "out")),
            DtypeIn(REAL, ("self", "out")),
            ShapeOf("self"),
            ShapeIs(("out",)),
            RankAtMost(8, ("self", "out")),
            DoneIfEmpty(("self",)),
            ResultType("clamped_in", ("self", *bounds, "out")),
            ResultTypeIn(REAL),
            If("on_950()", Castable(("out",))),
            If("!on_950()", CommonCastable(("self",), ("out",))),
            Pointwise(formula, ("self",), bounds),
        ),
        {"out": Output("like self", "same self")},
        # Numbers that the output's type holds and the tensor's does not would bound it otherwise.
        Trial(values={b: _BOUNDS[b] for b in bounds}, edges=False, outputs=False),
    )  # fmt: skip


_IN_ORDER = (
    f"can_cast({_LOW}->dtype(), ACL_INT64) ? {_LOW}->to_int() <= {_HIGH}->to_int()"
    f" : !({_LOW}->to_double() > {_HIGH}->to_double())"
)
_hardtanh = Row(
    "Hardtanh", "activation",
    (
        Null(("self", *_BOUNDS, "out")),
        DtypeIn(REAL, ("self", *_BOUNDS)),
        SameDtype(("self", "out")),
        RankAtMost(8, ("self",)),
        ShapeOf("self"),
        ShapeIs(("out",)),
        That(_IN_ORDER, "clipValueMin is %g, clipValueMax is %g",
             (f"{_LOW}->to_double()", f"{_HIGH}->to_double()")),
        DoneIfEmpty(("self",)),
        ResultType("same", ("self",)),
        Pointwise("clamp", ("self",), (_LOW, _HIGH)),
    ),
    {"out": Output("like self", "same self")},
    Trial(values={_LOW: (-1, 0), _HIGH: (2, 5, 3)}, edges=False),
)  # fmt: skip


def _clamp_to_given(row: Row) -> Row:
    """Make the row whose bounds may be left out, one of them."""
    null, *checks, both = row.steps
    low, high = _LOW, _HIGH

    def one(given: str, left_out: str, formula: str) -> Step:
        return DoneIf(f"!{left_out}.given()", Pointwise(formula, ("self",), (given,)))

    assert isinstance(null, Null)
    steps: tuple[Step, ...] = (
        replace(null, names=("self", "out")),
        ThatGiven(f"{low}.given() || {high}.given()", "every bound"),
        *checks,
        one(high, low, "clamp_max"),
        one(low, high, "clamp_min"),
        both,
    )
    values = {name: (*tried, None) for name, tried in row.trial.values.items()}
    return replace(row, steps=steps, trial=replace(row.trial, values=values))


_relu = Row(
    "Relu", "activation",
    (
        Null(("self", "out")),
        DtypeIn(dtypes("float32 float16 int8 uint8 int32 int64", "bfloat16"), ("self",)),
        SameDtype(("self", "out")),
        RankAtMost(8, ("self", "out")),
        SameShape(("self", "out")),
        ResultType("same", ("self",)),
        DoneIfEmpty(("self",)),
        Pointwise("relu", ("self",)),
    ),
    {"out": Output("like self", "same self")},
)  # fmt: skip

_SLOPES = Trial(values={"negativeSlope": (0.01, 0.5, 2, -1.0)})
_SCALES = ("alpha", "scale", "inputScale")
_elu = _row(
    "Elu", _FLOATS_ALWAYS, "elu", scalars=_SCALES, out="castable",
    checks=(ScalarCastable(_SCALES, to="float32"),),
    trial=Trial(low=-4, high=4, values={
        "alpha": (1.0, 0.5), "scale": (1.0, 1.5), "inputScale": (1.0, 2.0),
    }),
)  # fmt: skip
_threshold = _row(
    "Threshold", dtypes("float32 int32 float16 int8 uint8 int16 int64", "bfloat16"), "threshold",
    scalars=("threshold", "value"), out="unchecked_on_950",
    trial=Trial(values={"threshold": (1, 0, -2), "value": (3, 0, 7)}),
)  # fmt: skip
_clamp_max = _clamp("ClampMax", "clamp_max", (_HIGH,))


def _softmax(name: str, logarithm: str, gives: str, *first: Step) -> Row:
    return Row(
        name, "softmax",
        (
            Null(("self", "out")),
            *first,
            DtypeIn(FLOATS_DOUBLE, ("self", "out")),
            Axis(),
            RankAtMost(8, ("self",)),
            SameShape(("self", "out")),
            DoneIfEmpty(("self",)),
            Call("softmax", f"plan self out axis {gives} {logarithm}"),
        ),
        {"out": Output("like self", "same self")},
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _softmax("Softmax", "false", "self.dtype()", DoneIfEmpty(("self",))),
    _softmax("LogSoftmax", "true", "out.dtype()"),
    *_both(_relu),
    *_both(_elu),
    *_both(_row(
        "LeakyRelu", FLOATS_DOUBLE, "leaky_relu", scalars=("negativeSlope",), out="castable",
        trial=_SLOPES,
    )),
    *_both(_row("Mish", FLOATS, "mish", trial=Trial(low=-6, high=6))),
    *_both(_threshold),
    *_both(_row("Hardswish", FLOATS, "hardswish", out="listed", ranks=False), ref="self"),
    *_both(
        _row("Hardsigmoid", dtypes("float32 float16 int32", "bfloat16"), "hardsigmoid",
             checks=(SameFormat(("self", "out")),),
             trial=Trial(dtypes=("float32", "float16", "bfloat16"))),
        ref="self",
    ),
    _row("Silu", FLOATS, "silu", ranks=False, trial=Trial(low=-8, high=8)),
    # The tanh form; that of the error function is GeluV2's.
    _row("Gelu", FLOATS, "gelu_tanh", checks=(NoPrivateFormat(("self", "out")),),
         trial=Trial(low=-4, high=4)),
    _row("Softplus", FLOATS, "softplus", scalars=("beta", "threshold"), out="castable",
         checks=(Since("9.1", Steps(()), before=DtypeIn(FLOATS_NOT_950, ("self",))),
                 ScalarCastable(("beta", "threshold"))),
         trial=Trial(low=-6, high=6, values={"beta": (1.0, 2.0), "threshold": (20.0, 3.0)})),
    *(
        replace(row, family="activation")
        for row in listed(
            "Sigmoid", REAL_BOOL | COMPLEX, _FLOATS_ALWAYS | COMPLEX, FLOATS_DOUBLE | COMPLEX,
            kind="own_or_output", trial=Trial(low=-12, high=12),
        )
    ),
    _clamp_to_given(_clamp("Clamp", "clamp", (_LOW, _HIGH))),
    _clamp("ClampMin", "clamp_min", (_LOW,)),
    *_both(_clamp_max),
    *_both(_hardtanh),
)  # fmt: skip
