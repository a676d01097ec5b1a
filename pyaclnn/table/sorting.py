"""Running sums and extrema, sorting, and choosing elements by their order."""

from __future__ import annotations

from .dtypes import BOOL, COMPLEX, INTEGERS, REAL, REAL_BOOL, Dtypes, dtypes
from .format_steps import KeepsFormat, NoPrivateFormat
from .optional_steps import If
from .output_steps import ShapeOrOne
from .row import Output, Row
from .row_templates import in_place
from .shape_steps import Axis
from .steps import (
    Call,
    Cpp,
    DoneIfEmpty,
    DtypeIn,
    Inside,
    Null,
    RankAtMost,
    SameDtype,
    SameShape,
    Step,
    Struct,
    That,
)

_REDUCTION, _SORTING = "reduction", "sorting"
_UNSIGNED = dtypes("uint16 uint32 uint64")
_ON_950 = dtypes("", "", "uint16 uint32 uint64")
_SUMMED = REAL | COMPLEX
_HALVES = dtypes("float32 float16", "bfloat16")
_INT64 = dtypes("int64")


def _product(name: str) -> Row:
    accepted = REAL | _UNSIGNED
    return Row(
        name, _REDUCTION,
        (
            Null(("input", "dim", "out")),
            DtypeIn(accepted, ("input", "out")),
            DtypeIn(dtypes("int32 int64"), ("dim",)),
            Call("axis_of", "check input dim", "axis"),
            SameShape(("input", "out")),
            That("dtype == ACL_DT_UNDEFINED || dtype == out.dtype()",
                 "out is not of the type asked for"),
            DoneIfEmpty(("input",)),
            Call("scan", "plan Scan::kProduct input axis out"),
        ),
        {"out": Output("like input", "given dtype")},
    )  # fmt: skip


def _running(name: str, largest: str, *checks: Step, more: tuple[Step, ...] = ()) -> Row:
    return Row(
        name, _REDUCTION,
        (
            Null(("self", "valuesOut", "indicesOut")),
            *checks,
            Axis(),
            DtypeIn(REAL_BOOL, ("self", "valuesOut")),
            DtypeIn(dtypes("int32 int64"), ("indicesOut",)),
            RankAtMost(8, ("self",)),
            SameShape(("self", "valuesOut", "indicesOut")),
            DoneIfEmpty(("self",)),
            *more,
            Call("running_extremum", f"plan {largest} self axis valuesOut indicesOut"),
        ),
        {"valuesOut": Output("like self", "same self"), "indicesOut": Output("like self", "int64")},
    )  # fmt: skip


_CUMPROD = _product("Cumprod")

#: self, its axis, and outputs of the same shape but along it.
_SORTED: Dtypes = _HALVES | INTEGERS

ROWS: tuple[Row, ...] = (
    Row(
        "Cumsum", _REDUCTION,
        (
            Null(("self", "out")),
            DtypeIn(_SUMMED, ("out",)),
            That("dtype == out.dtype()", "out is not of the type asked for"),
            SameShape(("self", "out")),
            RankAtMost(8, ("self",)),
            Axis(),
            DoneIfEmpty(("self",)),
            Call("scan", "plan Scan::kSum self axis out"),
        ),
        {"out": Output("like self", "given dtype")},
    ),
    Row(
        "CumsumV2", _REDUCTION,
        (
            Null(("self", "out")),
            DtypeIn(_SUMMED, ("self", "out")),
            SameDtype(("self", "out")),
            SameShape(("self", "out")),
            RankAtMost(8, ("self",)),
            Axis(),
            DoneIfEmpty(("self",)),
            Call("scan", "plan Scan::kSum self axis out {exclusive, reverse}"),
        ),
        {"out": Output("like self", "same self")},
    ),
    _CUMPROD,
    in_place(_CUMPROD, ref="input", operand="input", without=(That,)),
    _running("Cummax", "true", That("self.rank() > 0", "self has no dimensions")),
    _running(
        "Cummin", "false",
        # The 950 casts what it computes in another type only.
        more=(
            Inside(
                "!on_950() || self.dtype() == valuesOut.dtype() || self.dtype() == ACL_BOOL || "
                "self.dtype() == ACL_INT8 || self.dtype() == ACL_UINT8",
                "valuesOut is not of self's type",
            ),
        ),
    ),
    Row(
        "Sort", _SORTING,
        (
            Null(("self", "valuesOut", "indicesOut")),
            DtypeIn(_SORTED | BOOL | _ON_950, ("self",)),
            DtypeIn(_SORTED | BOOL | dtypes(middle="float64", first="float64") | _ON_950,
                    ("valuesOut",)),
            DtypeIn(_INT64, ("indicesOut",)),
            Axis(),
            SameShape(("self", "valuesOut", "indicesOut")),
            DoneIfEmpty(("self",)),
            If("self.rank() == 0", KeepsFormat("self", ("valuesOut", "indicesOut")),
               KeepsFormat("self", ("valuesOut", "indicesOut"), as_null=True)),
            Call("sort", "plan self axis descending valuesOut indicesOut"),
        ),
        {"valuesOut": Output("like self", "same self"), "indicesOut": Output("like self", "int64")},
    ),
    Row(
        "Topk", _SORTING,
        (
            Null(("self", "valuesOut", "indicesOut")),
            Axis(),
            That("k >= 0 && k <= (self.rank() == 0 ? 1 : self.shape()[axis])",
                 "k is %lld, self has shape %s",
                 ("static_cast<long long>(k)", "self.shape().text().c_str()")),
            DtypeIn(_SORTED | dtypes("float64") | _ON_950, ("self",)),
            SameDtype(("self", "valuesOut")),
            DtypeIn(_INT64, ("indicesOut",)),
            RankAtMost(8, ("self",)),
            DoneIfEmpty(("self", "valuesOut", "indicesOut")),
            Cpp("Dims result_shape = self.shape();"),
            If("self.rank() > 0", Call("result_shape.set", "axis k")),
            ShapeOrOne(("valuesOut", "indicesOut")),
            Call("topk", "plan self axis largest valuesOut indicesOut"),
        ),
        {"valuesOut": Output("first_of self k dim", "same self"),
         "indicesOut": Output("first_of self k dim", "int64")},
    ),
    Row(
        "Argsort", _SORTING,
        (
            Null(("self", "out")),
            Axis(),
            That("self.dtype() != ACL_BF16 || on_950() || "
                 "(self.rank() > 0 && self.shape()[axis] != 1)",
                 "self is bfloat16 and has one element along dim"),
            DtypeIn(_SORTED | _ON_950, ("self",)),
            DtypeIn(_INT64, ("out",)),
            NoPrivateFormat(("self", "out")),
            RankAtMost(8, ("self", "out")),
            SameShape(("self", "out")),
            DoneIfEmpty(("self",)),
            Call("argsort", "plan self axis descending out"),
        ),
        {"out": Output("like self", "int64")},
    ),
    Row(
        "Kthvalue", _SORTING,
        (
            Null(("self", "valuesOut", "indicesOut")),
            Axis(),
            That("k > 0 && k <= (self.rank() == 0 ? 1 : self.shape()[axis])",
                 "k is %lld, self has shape %s",
                 ("static_cast<long long>(k)", "self.shape().text().c_str()")),
            DtypeIn(_SORTED | _ON_950, ("self",)),
            SameDtype(("self", "valuesOut")),
            DtypeIn(_INT64, ("indicesOut",)),
            RankAtMost(8, ("self",)),
            DoneIfEmpty(("self",)),
            Call("reduced_shape", "self.shape() one_axis(axis) keepdim", "result_shape"),
            ShapeOrOne(("valuesOut", "indicesOut")),
            Inside("!on_a2_or_a3() || self.dtype() != ACL_BF16 || "
                   "(self.rank() != 0 && self.shape()[axis] != 1)",
                   "self is bfloat16 and has one element along dim"),
            Cpp("choose(plan, self, one_axis(axis), {Chosen::kFrom, k - 1}, keepdim, valuesOut, "
                "&indicesOut);"),
        ),
        {"valuesOut": Output("reduced self dim keepdim", "same self"),
         "indicesOut": Output("reduced self dim keepdim", "int64")},
    ),
    Row(
        "Unique2", _SORTING,
        (
            Null(("self", "valueOut", "inverseOut", "countsOut")),
            DtypeIn(REAL_BOOL | _UNSIGNED, ("self",)),
            DtypeIn(_INT64, ("inverseOut", "countsOut")),
            RankAtMost(8, ("self",)),
            If("returnInverse || returnCounts", SameShape(("self", "inverseOut"))),
            If("returnCounts", SameShape(("valueOut", "countsOut"))),
            DoneIfEmpty(("self",)),
            SameDtype(("self", "valueOut")),
            Cpp("const UniqueOptions wanted{returnInverse || returnCounts, returnCounts};"),
            Call("check_unique", "check self valueOut &countsOut wanted"),
            Call("unique", "plan self valueOut inverseOut &countsOut wanted"),
        ),
        {"valueOut": Output("elements self", "same self"),
         "inverseOut": Output("like self", "int64"),
         "countsOut": Output("elements self", "int64")},
        found=True,
    ),
    Row(
        "Unique", _SORTING,
        (
            Null(("self", "valueOut", "inverseOut")),
            DtypeIn(REAL_BOOL | _UNSIGNED, ("self",)),
            DtypeIn(_INT64, ("inverseOut",)),
            RankAtMost(8, ("self",)),
            If("returnInverse", SameShape(("self", "inverseOut"))),
            DoneIfEmpty(("self",)),
            SameDtype(("self", "valueOut")),
            Struct("UniqueOptions", "returnInverse false", "wanted"),
            Call("check_unique", "check self valueOut nullptr wanted"),
            Call("unique", "plan self valueOut inverseOut nullptr wanted"),
        ),
        {"valueOut": Output("elements self", "same self"),
         "inverseOut": Output("like self", "int64")},
        found=True,
    ),
)  # fmt: skip
