"""Copies, casts, and filling with a number."""

from __future__ import annotations

from .dtypes import FLOAT4, FLOAT8, FLOAT8_E8M0, NUMBERS, REAL_BOOL, Dtypes, dtypes
from .optional_steps import If
from .row import Output, Row, Trial
from .steps import (
    Call,
    Cast,
    Copy,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    FitsInPlace,
    Inside,
    Null,
    OnlyOn,
    Pointwise,
    Promotes,
    RankAtMost,
    ResultType,
    SameDtype,
    SameShape,
    ShapeIs,
    ShapeOf,
    Step,
    That,
)

_ALL = NUMBERS | dtypes("uint16 uint32 uint64")
_FAMILY = "copy"


#: Types that the AI cores' kernel of zeros has.
_ZEROED = dtypes("int8 int32 int64 uint8 float16 float32 bool", "bfloat16") | FLOAT8 | FLOAT4


def _fill(
    name: str, accepted: Dtypes, number: str, *checks: Step, ranks: bool = True,
    inside: tuple[Step, ...] = (),
) -> Row:  # fmt: skip
    """Every element becomes one number; a scalar parameter's, or a constant."""
    given = (number,) if number.isidentifier() else ()
    steps: tuple[Step, ...] = (
        Null(("selfRef", *given)),
        DtypeIn(accepted, ("selfRef",)),
        *checks,
        *((RankAtMost(8, ("selfRef",)),) if ranks else ()),
        ResultType("same", ("selfRef",)),
        DoneIfEmpty(("selfRef",)),
        *inside,
        Pointwise("fill", (), (number,), out="selfRef"),
    )
    values = {number: (2, 0, -1, 1.5, True)} if given else {}
    return Row(name, _FAMILY, steps, trial=Trial(values=values))


_OUT_TEXT = ("out.shape().text().c_str()",)


def _moved(
    name: str, accepted: Dtypes, shape: str, arrays: tuple[str, ...], *steps: Step
) -> Row:  # fmt: skip
    """Make the row of an operator that copies its elements to other places."""
    return Row(
        name, _FAMILY,
        (Null(("self", *arrays, "out")), DtypeIn(accepted, ("self",)), *steps),
        {"out": Output(shape, "same self")},
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    Row(
        "Cast", _FAMILY,
        (
            Null(("self", "out")),
            DtypeIn(_ALL | FLOAT8 | FLOAT4, ("self",)),
            That(
                f"({(_ALL | FLOAT8 | FLOAT4 | dtypes(newest='int4')).cpp()}).contains(dtype)",
                "dtype is %d, no type a tensor is cast to",
                ("int(dtype)",),
            ),
            RankAtMost(8, ("self",)),
            ShapeOf("self"),
            ShapeIs(("out",)),
            Call("check_int4", "check plan self out"),
            DoneIfEmpty(("self",)),
            Call("check_has_cast", "plan self.dtype() dtype"),
            Cast("self", "dtype"),
        ),
        {"out": Output("like self", "given dtype")},
        missing=("on the 950: float4 with gaps",),
    ),
    Row(
        "InplaceCopy", _FAMILY,
        (
            Null(("selfRef", "src")),
            DtypeIn(
                NUMBERS | dtypes("uint16 uint32 uint64 bfloat16") | FLOAT8 | FLOAT8_E8M0,
                ("selfRef", "src"),
            ),
            RankAtMost(8, ("selfRef", "src")),
            FitsInPlace(("selfRef", "src")),
            DoneIfEmpty(("selfRef", "src")),
            Call("check_has_cast", "plan src.dtype() selfRef.dtype()"),
            Copy("src", "selfRef"),
        ),
    ),
    _fill("InplaceFillScalar", NUMBERS, "value", Promotes(("selfRef", "value"))),
    _fill("InplaceOne", REAL_BOOL, "1.0"),
    _fill("InplaceZero", NUMBERS | dtypes("bfloat16 uint16") | FLOAT8 | FLOAT4, "0.0",
          ranks=False, inside=(
        DoneIf(f"({(FLOAT8 | FLOAT4).cpp()}).contains(selfRef.dtype())",
               Call("zero_narrow", "plan selfRef")),
        # Contiguous tensors go to the kernel as they are stored.
        If(f"!({_ZEROED.cpp()}).contains(selfRef.dtype())",
           Inside("(selfRef.meta().is_contiguous() ? selfRef.meta().storage_shape.size() "
                  ": selfRef.rank()) <= 8", "selfRef has too many dimensions for the AI CPU")),
    )),
    _moved(
        "Permute", _ALL | FLOAT8, "permuted self dims", ("dims",),
        SameDtype(("self", "out")),
        Call("check_permutation", "check self dims.values()"),
        RankAtMost(8, ("self",)),
        That("out.shape() == permuted_shape(self.shape(), dims.values())",
             "out has shape %s, which is not that of self permuted", _OUT_TEXT),
        DoneIfEmpty(("self",)),
        Call("permute", "plan self dims.values() out"),
    ),
    _moved(
        "Flip", NUMBERS | dtypes("", "", "uint16 uint32 uint64"), "like self", ("dims",),
        SameDtype(("self", "out")),
        SameShape(("self", "out")),
        RankAtMost(8, ("self",)),
        Call("flip", "check plan self dims.values() out"),
    ),
    _moved(
        "Slice", dtypes("float32 float16 int64 int8 int32 uint8 bool", "bfloat16"),
        "sliced self dim start end step", (),
        SameDtype(("self", "out")),
        RankAtMost(8, ("self",)),
        Call("check_slice", "check self dim start end step out", "range"),
        DoneIfEmpty(("out",)),
        Call("slice", "plan self range out"),
    ),
    _moved(
        "Repeat", NUMBERS | dtypes("bfloat16 uint16 uint32 uint64") | FLOAT8,
        "repeated self repeats", ("repeats",),
        If("self.dtype() == ACL_UINT16", OnlyOn(("310P", "A2", "950"))),
        SameDtype(("self", "out")),
        RankAtMost(8, ("self",)),
        Call("repeated_shape", "check self repeats.values()", "result_shape"),
        DoneIf("out.is_empty() || result_shape.product() == 0"),
        If("repeats.values().empty()", Call("check_shape_inside", "plan out result_shape"),
           ShapeIs(("out",))),
        Call("repeat", "plan self repeats.values() out"),
    ),
)  # fmt: skip
