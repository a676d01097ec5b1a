"""Functions of one tensor: powers, logarithms, trigonometry, rounding, signs and tests.

Three forms of check cover nearly all of them: lists for input and output (``listed``), an output
that the result may be cast to (``castable``), and an output of the input's type (``same``).
"""

from __future__ import annotations

from dataclasses import replace

from .dtypes import BOOL, COMPLEX, FLOATS, FLOATS_DOUBLE, INTEGERS, REAL_BOOL, Dtypes, dtypes
from .format_steps import (
    Formatted,
    any_format,
    public_and_same,
    public_formats,
    same_format,
)
from .optional_steps import If
from .row import Output, Row, Trial
from .row_templates import in_place
from .shape_steps import FlatOrRankAtMost
from .steps import (
    Call,
    Castable,
    CastableFrom,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    HasResultType,
    Inside,
    Null,
    NullInside,
    OnlyOn,
    Pointwise,
    RankAtMost,
    ResultIs,
    ResultType,
    SameDtype,
    SameShape,
    ShapeIs,
    ShapeOf,
    Step,
    Steps,
    That,
)

_ANY = REAL_BOOL | COMPLEX
_FLOAT_COMPLEX = FLOATS_DOUBLE | COMPLEX
#: What has a sign; bfloat16 does where the chip has it.
_SIGNED = dtypes("float32 float16 float64 int32 int64 bool") | COMPLEX
#: bfloat16 is in these lists on every chip, though the first generation refuses it as input.
_OUT = dtypes("float32 float16 float64 bfloat16")
_OUT_COMPLEX = _OUT | COMPLEX


def _row(
    name: str, formula: str, checks: tuple[Step, ...], kind: tuple[str, ...], trial: Trial,
    self: str = "self", out: str = "out", gives: str = "", formats: Formatted = any_format,
    null: tuple[Step, ...] = (), family: str = "pointwise",
) -> Row:  # fmt: skip
    result = ResultType(kind[0], kind[1:]) if len(kind) > 1 else ResultIs(kind[0])
    steps: tuple[Step, ...] = (
        *(null or (Null((self, out)),)),
        result,
        *checks,
        *formats(self, out),
        RankAtMost(8, (self,)),
        ShapeOf(self),
        ShapeIs((out,)),
        DoneIfEmpty((self,)),
        Pointwise(formula, (self,), out=out, gives=gives),
    )
    # An integer's result is float32, unless the output asks for another type.
    dtype = gives or ("float_of " + self if kind[0] == "own_or_output" else " ".join(kind))
    return Row(name, family, steps, {out: Output(f"like {self}", dtype)}, trial)


def _with_in_place(
    row: Row, accepted: Dtypes, self: str = "self", ref: str = "selfRef"
) -> tuple[Row, Row]:
    first = (Null((ref,)), DtypeIn(accepted, (ref,)))
    return row, in_place(
        row, ref=ref, operand=self, first=first, without=(CastableFrom, NullInside)
    )


def listed(
    name: str, accepted: Dtypes, out: Dtypes, ref: Dtypes, formula: str = "", *,
    self: str = "self", kind: str = "float_of", trial: Trial | None = None,
    formats: Formatted = any_format, null: tuple[Step, ...] = (),
) -> tuple[Row, Row]:  # fmt: skip
    """Make rows with lists for the input, for the output, and for the operand in place."""
    checks = (DtypeIn(accepted, (self,)), DtypeIn(out, ("out",)))
    names = (self, "out") if kind == "own_or_output" else (self,)
    row = _row(
        name, formula or name.lower(), checks, (kind, *names), trial or Trial(), self,
        formats=formats, null=null,
    )  # fmt: skip
    return _with_in_place(row, ref, self, self + "Ref")


def castable(
    name: str, accepted: Dtypes, ref: Dtypes, formula: str = "", *, kind: str = "float_of",
    trial: Trial | None = None, out: tuple[Step, ...] = (), formats: Formatted = any_format,
    family: str = "pointwise",
) -> tuple[Row, Row]:  # fmt: skip
    """Make rows with a list for the input, and an output that the result may be cast to.

    ``out`` are further checks of the output.
    """
    checks = (DtypeIn(accepted, ("self",)), *out, Castable(("out",)))
    row = _row(
        name, formula or name.lower(), checks, (kind, "self"), trial or Trial(), formats=formats,
        family=family,
    )  # fmt: skip
    return _with_in_place(row, ref)


def same(
    name: str, accepted: Dtypes, formula: str = "", *, self: str = "self", out: str = "out",
    trial: Trial | None = None, formats: Formatted = any_format, null: tuple[Step, ...] = (),
) -> Row:  # fmt: skip
    """Make a row with a list for the input, and an output of its type."""
    checks = (SameDtype((self, out)), DtypeIn(accepted, (self,)))
    return _row(
        name, formula or name.lower(), checks, ("same", self), trial or Trial(), self, out,
        formats=formats, null=null,
    )  # fmt: skip


_NEAR = Trial(low=-4, high=4)
_UNIT = Trial(low=-1, high=1)
_INSIDE = Trial(low=-0.95, high=0.95)
_POSITIVE = Trial(low=0.05, high=60)
#: The chip multiplies by pi in float32: between its zeros only, and what integers give is no zero.
_NEAR_ONE = Trial(
    dtypes=("float32", "float16", "bfloat16", "float64"), low=-0.9, high=0.9, edges=False
)
#: Large arguments are reduced with float32's few digits on the chip.
_ANGLE = Trial(low=-9, high=9, edges=False)

_sqrt = castable("Sqrt", _ANY, _FLOAT_COMPLEX, trial=_POSITIVE)[0]
_logical_not = _row(
    "LogicalNot", "logical_not", (DtypeIn(REAL_BOOL, ("self",)), DtypeIn(REAL_BOOL, ("out",))),
    ("same", "self"), Trial(), gives="bool",
)  # fmt: skip
_logical_not = replace(
    _logical_not,
    steps=tuple(
        FlatOrRankAtMost(8, ("self",), ("self", "out")) if isinstance(step, RankAtMost) else step
        for step in _logical_not.steps
    ),
)
_bits = same(
    "BitwiseNot",
    dtypes("int16 int32 int64 int8 uint8 bool", newest="uint16 uint32 uint64"),
    "bitwise_not", formats=public_formats, null=(NullInside(("self", "out")),),
)  # fmt: skip
_bitwise_not = replace(
    _bits,
    steps=(*_bits.steps[:-1], Pointwise("bitwise_not", ("self",), of_bool="logical_not")),
)

_UNSIGNED = dtypes("uint16 uint32 uint64")
_NOT_910 = OnlyOn(("310P", "A2", "950"))
_FLOATING_OUT = (DtypeIn(_FLOAT_COMPLEX, ("out",)),)

#: Of a complex number real; complex numbers are those of the newer chips.
_abs = _row(
    "Abs", "absolute",
    (
        DtypeIn(REAL_BOOL | dtypes("", "complex64", "complex32"), ("self",)),
        That("out.dtype() == (self.dtype() == ACL_COMPLEX64 ? ACL_FLOAT : "
             "self.dtype() == ACL_COMPLEX32 ? ACL_FLOAT16 : self.dtype())",
             "out has element type %d beside %d", ("int(out.dtype())", "int(self.dtype())")),
    ),
    ("same", "self"), Trial(outputs=False), gives="out", formats=public_and_same,
)  # fmt: skip
_HALVES = DoneIf("self.dtype() == ACL_COMPLEX32", Call("magnitudes", "plan self out"))
_abs = replace(
    _abs, steps=(*_abs.steps[:-1], _HALVES, _abs.steps[-1]),
    outputs={"out": Output("like self", "real_of self")},
)  # fmt: skip

_REAL_SIGNS = Trial(dtypes=("float32", "float16", "bfloat16", "float64", "int32", "int64", "bool"))

#: Ascend 310P lets other types pass, too, which no kernel takes unless they are empty.
_sign = Row(
    "Sign", "pointwise",
    (
        Null(("self", "result")),
        ShapeOf("self"),
        ShapeIs(("result",)),
        # There a type that is not in the list is left to the kernel, elsewhere bfloat16's result.
        If(f"on_310p() ? !({_SIGNED.cpp()}).contains(self.dtype()) : "
           "self.dtype() == ACL_BF16 && (on_a2_or_a3() || on_950())",
           Steps((DoneIfEmpty(("self",)),
                  Inside("self.dtype() == result.dtype()", "self and result differ in type")))),
        SameDtype(("self", "result")),
        DtypeIn(_SIGNED | FLOATS, ("self",)),
        ResultType("same", ("self",)),
        DoneIfEmpty(("self",)),
        Pointwise("sign", ("self",), out="result"),
    ),
    {"result": Output("like self", "same self")},
    _REAL_SIGNS,
)  # fmt: skip

_signbit = _row(
    "Signbit", "is_negative",
    (
        DtypeIn(REAL_BOOL | _UNSIGNED, ("self",)), DtypeIn(REAL_BOOL | _UNSIGNED, ("out",)),
        CastableFrom("bool", ("out",)),
    ),
    ("same", "self"), Trial(), gives="bool",
)  # fmt: skip

_square = Row(
    "Square", "pointwise",
    (
        Null(("self", "out")),
        OnlyOn(("950",)),
        SameDtype(("self", "out")),
        DtypeIn(FLOATS | dtypes("int32 int64"), ("self",)),
        *public_and_same("self", "out"),
        SameShape(("self", "out")),
        RankAtMost(8, ("self",)),
        DoneIfEmpty(("self",)),
        ResultType("same", ("self",)),
        Pointwise("square", ("self",)),
    ),
    {"out": Output("like self", "same self")},
)  # fmt: skip

ROWS: tuple[Row, ...] = (
    _sqrt,
    in_place(
        _sqrt, ref="self", first=(Null(("self",)), DtypeIn(_FLOAT_COMPLEX, ("self",))),
        without=(CastableFrom,),
    ),
    _logical_not,
    in_place(_logical_not),
    *listed("Acos", REAL_BOOL, _OUT, REAL_BOOL, self="input", trial=_UNIT),
    *listed("Asin", REAL_BOOL, FLOATS_DOUBLE, FLOATS_DOUBLE, trial=_UNIT),
    *listed("Asinh", _ANY, _OUT_COMPLEX, _FLOAT_COMPLEX, self="input", trial=_NEAR),
    *listed("Atan", REAL_BOOL, _OUT, FLOATS_DOUBLE, self="input"),
    *listed("Atanh", _ANY, _OUT_COMPLEX, _FLOAT_COMPLEX, self="input", trial=_INSIDE),
    *listed("Cos", _ANY, _FLOAT_COMPLEX, _FLOAT_COMPLEX, self="input", trial=_ANGLE),
    *listed("Cosh", _ANY, _OUT_COMPLEX, _FLOAT_COMPLEX, trial=_NEAR),
    *listed(
        "Log1p", REAL_BOOL, FLOATS_DOUBLE, FLOATS_DOUBLE, kind="own_or_output", trial=_POSITIVE,
    ),
    *listed("Reciprocal", _ANY, _FLOAT_COMPLEX, _FLOAT_COMPLEX, trial=_POSITIVE,
            formats=same_format),
    *listed("Rsqrt", _ANY, _OUT_COMPLEX, _FLOAT_COMPLEX, kind="own_or_output", trial=_POSITIVE),
    *listed("Sin", _ANY, _OUT_COMPLEX, _FLOAT_COMPLEX, trial=_ANGLE),
    *listed("Sinc", REAL_BOOL, _OUT, FLOATS_DOUBLE, trial=_NEAR_ONE,
            null=(NullInside(("self", "out")),)),
    *listed("Sinh", _ANY, _FLOAT_COMPLEX, _FLOAT_COMPLEX, kind="own_or_output", trial=_NEAR),
    *castable("Acosh", _ANY, _ANY, trial=Trial(low=1.1, high=30)),
    *castable("Erf", FLOATS_DOUBLE | dtypes("bool int64"), FLOATS_DOUBLE),
    *castable("Erfc", FLOATS_DOUBLE | dtypes("bool int64"), FLOATS_DOUBLE, trial=_NEAR),
    *castable("Exp2", REAL_BOOL, FLOATS_DOUBLE, trial=_NEAR),
    *castable("Expm1", FLOATS | dtypes("bool int64"), FLOATS, trial=_NEAR),
    *castable("Log", _ANY, _FLOAT_COMPLEX, trial=_POSITIVE, out=_FLOATING_OUT),
    *castable("Log2", _ANY, _FLOAT_COMPLEX, trial=_POSITIVE, out=_FLOATING_OUT),
    *castable(
        "Log10", _ANY, _FLOAT_COMPLEX, trial=replace(_POSITIVE, outputs=False),
        out=(HasResultType(("out",)),),
    ),
    *castable(
        "Tanh", FLOATS | INTEGERS | BOOL, FLOATS, trial=Trial(low=-6, high=6),
        out=(DtypeIn(FLOATS | INTEGERS | BOOL, ("out",)),), formats=public_and_same,
        family="activation",
    ),
    *castable("Tan", _ANY, _ANY, trial=Trial(low=-1.2, high=1.2, edges=False)),
    *castable(
        "Neg", dtypes("int8 int32 int64 float16 float32 float64 complex64 complex128", "bfloat16"),
        dtypes("int8 int32 int64 float16 float32 float64 complex64 complex128", "bfloat16"),
        kind="same",
    ),
    _abs,
    *(
        row
        for base in (
            same("Ceil", FLOATS_DOUBLE),
            same("Floor", FLOATS_DOUBLE | INTEGERS | _UNSIGNED, formats=public_formats),
            same("Frac", FLOATS | INTEGERS, self="input"),
            same("Round", FLOATS_DOUBLE | dtypes("int32 int64"), formats=public_formats),
            same("Trunc", FLOATS | dtypes(newest="int8 uint8 int32")),
        )
        for row in (
            base,
            in_place(
                base, ref="inputRef" if base.name == "Frac" else "selfRef",
                operand="input" if base.name == "Frac" else "self",
            ),
        )
    ),
    _sign,
    _bitwise_not,
    _row(
        "IsFinite",
        "is_finite",
        (DtypeIn(REAL_BOOL, ("self",)), DtypeIn(BOOL, ("out",))),
        ("same", "self"),
        Trial(),
        gives="bool",
    ),
    _row(
        "IsPosInf", "is_positive_infinity",
        (_NOT_910, DtypeIn(FLOATS | INTEGERS | BOOL, ("self",)), DtypeIn(BOOL, ("out",))),
        ("same", "self"), Trial(), gives="bool",
    ),
    _row(
        "IsNegInf", "is_negative_infinity",
        (_NOT_910, DtypeIn(FLOATS | INTEGERS | BOOL, ("self",)), DtypeIn(BOOL, ("out",))),
        ("same", "self"), Trial(), gives="bool",
    ),
    replace(
        _signbit,
        steps=(
            *_signbit.steps[:-1],
            # Computed in int64; no integer is infinite, as no unsigned one is negative.
            Pointwise(
                "is_negative", ("self",), gives="bool",
                choice="self.dtype() == ACL_UINT64 ? formulas::is_positive_infinity "
                ": formulas::is_negative",
            ),
        ),
    ),
    _square,
)  # fmt: skip
