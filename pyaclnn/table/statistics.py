"""Reductions that look at their elements more than once, or give more than one result."""

from __future__ import annotations

from .dtypes import BOOL, COMPLEX, FLOATS, INTEGERS, NUMBERS, REAL_BOOL, Dtypes, dtypes
from .optional_steps import If
from .output_steps import ShapeOrOne
from .row import Output, Row
from .shape_steps import Axes
from .steps import (
    Call,
    Castable,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    Inside,
    Null,
    RankAtMost,
    ResultType,
    SameDtype,
    ShapeIs,
    Steps,
    That,
)
from .steps import Step as _Step

_FAMILY, _SORTING = "reduction", "sorting"


#: A reduction over all axes.
_ALL_AXES = Cpp("const AxisMask axes = ~AxisMask(0);")


#: bfloat16 on Atlas A2 and A3, not on the 950.
_TRACED = dtypes("float32 float16 float64", middle="bfloat16") | INTEGERS | BOOL | COMPLEX
_OPTIONAL = Call("optional_axes", "check self dim", "axes")
_ONE, _LISTED = Axes("{dim}"), Axes("dim.values()")


def _shaped(keep: str, *outs: str, or_one: bool = False) -> tuple[_Step, ...]:
    """Give outputs the shape of the result; with ``or_one`` also any other of one element."""
    return (
        Call("reduced_shape", f"self.shape() axes {keep}", "result_shape"),
        ShapeOrOne(outs) if or_one else ShapeIs(outs),
    )


def _shaped_or_one_of_all(*outs: str) -> tuple[_Step, ...]:
    result, shape = _shaped("keepdim", *outs)
    named = "dim.given() && !dim.values().empty()"
    inside = tuple(
        Inside(f"{out}.shape() == result_shape || "
               f"({out}.elements() == 1 && result_shape.product() == 1)",
               f"{out} has shape %s", (f"{out}.shape().text().c_str()",))
        for out in outs
    )  # fmt: skip
    return result, If(named, shape, Steps(inside))


def _spread(
    name: str, kind: str, accepted: Dtypes, correction: str, *checks: _Step, mean: str = "",
    out: str = "out", one: bool = False,
) -> Row:  # fmt: skip
    """Make the row of a variance or standard deviation, perhaps with the mean.

    Over all axes the outputs may have any shape of ``one`` element.
    """
    outs = (out, mean) if mean else (out,)
    kernels: tuple[_Step, ...] = (
        Call("statistic", f"plan Statistic::{kind} self {out} axes keepdim {correction}"),
    )
    if mean:
        kernels += (Call("statistic", f"plan Statistic::kMean self {mean} axes keepdim"),)
    return Row(
        name, _FAMILY,
        (
            Null(("self", *outs)),
            DtypeIn(accepted, ("self", *outs)),
            *checks,
            _OPTIONAL,
            RankAtMost(8, ("self", *outs)),
            *(_shaped_or_one_of_all(*outs) if one else _shaped("keepdim", *outs)),
            *kernels,
        ),
        {o: Output("reduced self dim keepdim", "same self") for o in outs},
    )  # fmt: skip


def _place(name: str, largest: str) -> Row:
    return Row(
        name, _FAMILY,
        (
            Null(("self", "out", "indices")),
            DtypeIn(FLOATS | BOOL | dtypes("int64", "", "int32"), ("self",)),
            SameDtype(("self", "out")),
            RankAtMost(8, ("self", "out", "indices")),
            _ONE,
            DoneIfEmpty(("self",)),
            DtypeIn(dtypes("int32 int64"), ("indices",)),
            *_shaped("keepdim", "indices", "out", or_one=True),
            Call("extremum_at", f"plan {largest} self out indices axes keepdim"),
        ),
        {"out": Output("reduced self dim keepdim", "same self"),
         "indices": Output("reduced self dim keepdim", "int64")},
    )  # fmt: skip


def _has_places(dim: str) -> str:
    """Return the condition, in C++, that an axis counted from the front is not empty.

    CANN does not look at axes that are counted from the end.
    """
    return f"self.rank() == 0 || {dim} < 0 || self.shape()[std::size_t({dim})] != 0"


def _both(name: str, shape: str, keep: str, given: tuple[str, ...], *checks: _Step) -> Row:
    return Row(
        name, _FAMILY,
        (
            Null(("self", *given, "minOut", "maxOut")),
            DtypeIn(REAL_BOOL, ("self",)),
            SameDtype(("self", "minOut", "maxOut")),
            RankAtMost(8, ("self", "minOut", "maxOut")),
            *checks,
            DoneIfEmpty(("self",)),
            *_shaped(keep, "minOut", "maxOut", or_one=True),
            Call("both_extrema", f"plan self minOut maxOut axes {keep}"),
        ),
        {"minOut": Output(shape, "same self"), "maxOut": Output(shape, "same self")},
    )  # fmt: skip


def _product(name: str, shape: str, axes: _Step, keep: str) -> Row:
    return Row(
        name, _FAMILY,
        (
            Null(("self", "out")),
            DtypeIn(NUMBERS, ("self",)),
            That("out.dtype() == dtype", "out is not of the type asked for"),
            DtypeIn(NUMBERS, ("out",)),
            RankAtMost(8, ("self", "out")),
            axes,
            That("!self.is_empty() || (dtype != ACL_COMPLEX64 && dtype != ACL_COMPLEX128)",
                 "self is empty, and the result complex"),
            DoneIf("self.is_empty()",
                   If("!out.is_empty()", Call("fill_real", "plan out 1"))),
            *_shaped(keep, "out", or_one=True),
            Call("product", f"plan self out axes {keep}"),
        ),
        {"out": Output(shape, "given dtype")},
    )  # fmt: skip


_ORDERED = FLOATS | INTEGERS


def _one_in_bfloat16(dim: bool) -> tuple[_Step, ...]:
    """Return the steps of bfloat16: more than one along the dimension, or else the last one."""
    extent = "reduced_shape(self.shape(), ~axes, false).product()" if dim else "self.shape().back()"
    number = Inside("!on_a2_or_a3() || self.dtype() != ACL_BF16 || self.rank() != 0",
                    "self is a number of bfloat16")  # fmt: skip
    return (
        That(f"self.dtype() != ACL_BF16 || self.rank() == 0 || {extent} != 1",
             "self is bfloat16, of shape %s", ("self.shape().text().c_str()",)),
        *((number,) if dim else ()),
    )  # fmt: skip


def _of_nothing(kind: str, outs: tuple[str, ...], dim: bool) -> tuple[_Step, ...]:
    """Return what CANN does with tensors without elements: nothing, or it fills the output."""
    if not dim:
        if kind == "kNanMedian":
            done = DoneIf("self.is_empty() && out.is_empty()")
            return done, DoneIf("self.is_empty()", Call("median_of_nothing", "plan out"))
        return DoneIfEmpty(outs), DoneIf(
            "self.is_empty()", Call("median_of_nothing", f"plan {outs[0]}")
        )
    rank = "self.rank() - (keepDim || self.rank() == 0 ? 0 : 1)"
    ranks = (
        That(f"{o}.rank() == {rank}", f"{o} has %zu dimensions, it must have %zu",
             (f"{o}.rank()", rank))
        for o in outs
    )  # fmt: skip
    if kind == "kMedian":
        return *ranks, DoneIfEmpty(("self", *outs))
    has_some = That(
        "self.rank() == 0 || "
        "self.shape()[std::size_t(dim < 0 ? dim + std::int64_t(self.rank()) : dim)] != 0",
        "self of shape %s has nothing along dim", ("self.shape().text().c_str()",),
    )  # fmt: skip
    return *ranks, has_some, DoneIfEmpty(("self",))


def _median(name: str, kind: str, out: str, accepted: Dtypes, *, dim: bool) -> Row:
    """Make the row of a median of all elements, or of those along one dimension."""
    outs = (out, "indicesOut") if dim else (out,)
    keep = "keepDim" if dim else "false"
    shape = "reduced self dim keepDim" if dim else "scalar"
    indices = "&indicesOut" if dim else "nullptr"
    return Row(
        name, _SORTING,
        (
            Null(("self", *outs)),
            DtypeIn(accepted, ("self",)),
            SameDtype(("self", out)),
            *((DtypeIn(dtypes("int64"), ("indicesOut",)),) if dim else ()),
            RankAtMost(8, ("self", *outs)),
            _ONE if dim else _ALL_AXES,
            *_one_in_bfloat16(dim)[: 1 if kind == "kNanMedian" else 2],
            *_of_nothing(kind, outs, dim),
            *_shaped(keep, *outs, or_one=not dim),
            Call("choose", f"plan self axes {{Chosen::{kind}, 0}} {keep} {out} {indices}"),
        ),
        {out: Output(shape, "same self"),
         **({"indicesOut": Output(shape, "int64")} if dim else {})},
    )  # fmt: skip


_MATCHES = That(
    "on_950() || (self.dtype() == stdOut.dtype() && self.dtype() == meanOut.dtype())",
    "self, stdOut and meanOut are not of one type",
)
_ON_950 = dtypes("float32 float16", "", "bfloat16")

ROWS: tuple[Row, ...] = (
    _spread("Std", "kDeviation", FLOATS, "correction",
            ResultType("same", ("self",)), Castable(("out",)), one=True),
    _spread("Var", "kVariance", FLOATS, "unbiased"),
    _spread("VarCorrection", "kVariance", FLOATS, "correction"),
    _spread("VarMean", "kVariance", _ON_950, "correction", out="varOut", mean="meanOut"),
    _spread("StdMeanCorrection", "kDeviation", FLOATS, "correction", _MATCHES,
            out="stdOut", mean="meanOut", one=True),
    Row(
        "LogSumExp", _FAMILY,
        (
            Null(("self", "dim", "out")),
            DtypeIn(FLOATS | INTEGERS | BOOL, ("self",)),
            DtypeIn(FLOATS, ("out",)),
            ResultType("same", ("self",)),
            Castable(("out",)),
            _LISTED,
            RankAtMost(8, ("self", "out")),
            *_shaped("keepDim", "out"),
            Call("statistic", "plan Statistic::kLogSumExp self out axes keepDim"),
        ),
        {"out": Output("reduced self dim keepDim", "float_of self")},
    ),
    _place("MaxDim", "true"),
    _place("MinDim", "false"),
    _both("Aminmax", "reduced_unless self dim keepDim", "keepDim", ("dim",),
          # Without axes, every element is its least and largest.
          Call("axes_unless_none", "check self dim true true", "axes"),
          # A number is copied as it is.
          Inside("self.rank() != 0 || (minOut.elements() == 1 && maxOut.elements() == 1)",
                 "minOut or maxOut has other elements than one"),
          That("dim.values().size() == 1 || !self.is_empty()", "self is empty"),
          That(f"dim.values().size() != 1 || {_has_places('dim.values()[0]')}",
               "self has no elements along dim")),
    _both("AminmaxDim", "reduced self dim keepDim", "keepDim", (), _ONE,
          That(_has_places("dim"), "self has no elements along dim")),
    _both("AminmaxAll", "scalar", "false", (), _ALL_AXES),
    _product("Prod", "scalar", _ALL_AXES, "false"),
    _product("ProdDim", "reduced self dim keepDim", _ONE, "keepDim"),
    Row(
        "Trace", _FAMILY,
        (
            Null(("self", "out")),
            That("self.rank() == 2 && out.rank() == 0", "self has %zu dimensions, out has %zu",
                 ("self.rank()", "out.rank()")),
            DtypeIn(_TRACED, ("self",)),
            That("out.dtype() == (is_integral(self.dtype()) ? ACL_INT64 : self.dtype())",
                 "out has element type %d", ("int(out.dtype())",)),
            Call("trace", "plan self out"),
        ),
        {"out": Output("scalar", "summed_in self")},
    ),
    _median("Median", "kMedian", "valuesOut", _ORDERED, dim=False),
    _median("MedianDim", "kMedian", "valuesOut", _ORDERED, dim=True),
    _median("NanMedian", "kNanMedian", "out", _ORDERED, dim=False),
    _median("NanMedianDim", "kNanMedian", "valuesOut", _ORDERED, dim=True),
)  # fmt: skip
