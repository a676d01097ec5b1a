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
from .row import Output, Row, Trial
from .schemes import in_place
from .shape_steps import Axis
from .steps import (
    Castable,
    Cpp,
    DoneIfEmpty,
    DtypeIn,
    Null,
    Pointwise,
    RankAtMost,
    ResultType,
    SameDtype,
    SameShape,
    ScalarCastable,
    ShapeIs,
    ShapeOf,
    Step,
)

_FLOATS_ALWAYS = dtypes("float32 float16 float64 bfloat16")


def _row(
    name: str, accepted: Dtypes, formula: str, *, scalars: tuple[str, ...] = (), out: str = "same",
    checks: tuple[Step, ...] = (), ranks: bool = True, self: str = "self", result: str = "out",
    family: str = "activation", trial: Trial | None = None,
) -> Row:  # fmt: skip
    """Make the row of out = f(self, scalars...).

    ``out`` says how the output's type is checked: ``same`` as the input's, ``castable``, or
    ``listed`` in the same list and castable.
    """
    given = tuple(s for s in scalars if s.isidentifier())
    types: dict[str, tuple[Step, ...]] = {
        "same": (SameDtype((self, result)),),
        "castable": (Castable((result,)),),
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
    return row, in_place(row, ref=ref, operand="self", without=(SameDtype, SameShape, SameFormat))


def _clamp(name: str, formula: str, bounds: tuple[str, ...], family: str = "pointwise") -> Row:
    """Make the row of a clamp to numbers, in the tensor's type."""
    values = {"clipValueMin": (-1, 0, 2), "clipValueMax": (2, 5, 3)}
    return _row(
        name, REAL, formula, scalars=bounds, out="listed", family=family,
        trial=Trial(values={b: values[b] for b in bounds}),
    )  # fmt: skip


def _clamp_to_given(row: Row) -> Row:
    """Make the row whose bounds may be left out, one of them."""
    null, *checks, both = row.steps
    low, high = "clipValueMin", "clipValueMax"

    def one(given: str, left_out: str, formula: str) -> Step:
        call = Pointwise(formula, ("self",), (given,)).cpp()
        return Cpp(f"if (!{left_out}.given()) {{ {call} return; }}")

    assert isinstance(null, Null)
    steps: tuple[Step, ...] = (
        replace(null, names=("self", "out")),
        Cpp(f'check.that_given({low}.given() || {high}.given(), "every bound");'),
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
    scalars=("threshold", "value"), out="castable",
    trial=Trial(values={"threshold": (1, 0, -2), "value": (3, 0, 7)}),
)  # fmt: skip
_clamp_max = _clamp("ClampMax", "clamp_max", ("clipValueMax",))


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
            Cpp(f"softmax(plan, self, out, axis, {gives}, {logarithm});"),
        ),
        {"out": Output("like self", "same self")},
        include=("softmax/softmax.hpp",),
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
    _row("Softplus", FLOATS_NOT_950, "softplus", scalars=("beta", "threshold"), out="castable",
         checks=(ScalarCastable(("beta", "threshold")),),
         trial=Trial(low=-6, high=6, values={"beta": (1.0, 2.0), "threshold": (20.0, 3.0)})),
    *(
        replace(row, family="activation")
        for row in listed(
            "Sigmoid", REAL_BOOL | COMPLEX, _FLOATS_ALWAYS | COMPLEX, FLOATS_DOUBLE | COMPLEX,
            kind="own_or_output", trial=Trial(low=-12, high=12),
        )
    ),
    *_both(_row("Tanh", FLOATS, "tanh", out="listed", trial=Trial(low=-6, high=6))),
    _clamp_to_given(_clamp("Clamp", "clamp", ("clipValueMin", "clipValueMax"))),
    _clamp("ClampMin", "clamp_min", ("clipValueMin",)),
    *_both(_clamp_max),
    *_both(_clamp("Hardtanh", "clamp", ("clipValueMin", "clipValueMax"), "activation")),
)  # fmt: skip
