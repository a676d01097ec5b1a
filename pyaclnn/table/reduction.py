"""Reductions over axes."""

from __future__ import annotations

from .dtypes import COMPLEX, FLOATS, NUMBERS, REAL, REAL_BOOL, Dtypes, dtypes
from .format_steps import NoPrivateFormat
from .optional_steps import If, Since
from .output_steps import ShapeOrOne
from .row import Output, Row
from .shape_steps import Axes
from .steps import (
    LATE_950,
    Call,
    Castable,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    Inside,
    Null,
    OnlyOn,
    RankAtMost,
    ResultType,
    SameDtype,
    Step,
    That,
)

_FAMILY = "reduction"


def _kernel(kind: str, keep: str, compute: str = "self.dtype()", gives: str = "") -> Step:
    gives = gives or compute
    return Call("reduce", f"plan Reduce::{kind} {compute} {gives} self out axes {keep}")


def _over(accepted: Dtypes) -> Step:
    words = "dtype is %d, no type that this operator gives"
    return That(f"({accepted.cpp()}).contains(dtype)", words, ("int(dtype)",))


def _shape(keep: str) -> That:
    return That(
        f"out.shape() == reduced_shape(self.shape(), axes, {keep})",
        "out has shape %s, which is not that of self without these dimensions",
        ("out.shape().text().c_str()",),
    )


_MEANS = REAL | COMPLEX


def _extremum(name: str, kind: str) -> Row:
    """Make the row of an extremum over some axes, none of which may be empty."""
    return Row(
        name, _FAMILY,
        (
            Null(("self", "dim", "out")),
            SameDtype(("self", "out")),
            DtypeIn(REAL_BOOL, ("self",)),
            RankAtMost(8, ("self", "out")),
            Axes("dim.values()"),
            That("self.elements() > 0 || out.elements() == 0", "self has an empty dimension"),
            _shape("keepDim"),
            _kernel(kind, "keepDim"),
        ),
        {"out": Output("reduced self dim keepDim", "same self")},
    )  # fmt: skip


def _shape_or_one(keep: str) -> That:
    """Make the check of an output that may have any shape of one element where one is left."""
    return That(
        "self.rank() == 0 || self.is_empty() || "
        f"same_or_one(out.shape(), reduced_shape(self.shape(), axes, {keep}))",
        "out has shape %s, which is not that of self without these dimensions",
        ("out.shape().text().c_str()",),
    )


def _whole(name: str, kind: str) -> Row:
    """Make the row of an extremum of all elements."""
    return Row(
        name, _FAMILY,
        (
            Null(("self", "out")),
            DtypeIn(REAL_BOOL, ("self", "out")),
            RankAtMost(8, ("self", "out")),
            DoneIfEmpty(("self", "out")),
            Axes("{}"),
            ShapeOrOne(("out",), "Dims()"),
            _kernel(kind, "false"),
        ),
        {"out": Output("scalar", "same self")},
    )  # fmt: skip


_AT_AXIS = ShapeOrOne(("out",), "reduced_shape(self.shape(), axes, keepdim)")
_arg_max = Row(
    "ArgMax", _FAMILY,
    (
        Null(("self", "out")),
        DtypeIn(REAL | dtypes("", "", "uint16"), ("self",)),
        RankAtMost(8, ("self", "out")),
        Axes("{dim}"),
        DoneIfEmpty(("self", "out")),
        _AT_AXIS,
        _kernel("kArgMax", "keepdim", gives="ACL_INT64"),
    ),
    {"out": Output("reduced self dim keepdim", "int64")},
)  # fmt: skip
_arg_min = Row(
    "ArgMin", _FAMILY,
    (
        Null(("self", "out")),
        Axes("{dim}"),
        DtypeIn(REAL, ("self",)),
        DtypeIn(dtypes("int32 int64"), ("out",)),
        NoPrivateFormat(("self", "out")),
        RankAtMost(8, ("self", "out")),
        That("reduced_shape(self.shape(), ~axes, false).product() != 0",
             "self of shape %s has no places to choose from", ("self.shape().text().c_str()",)),
        DoneIfEmpty(("self",)),
        _AT_AXIS,
        _kernel("kArgMin", "keepdim", gives="ACL_INT64"),
    ),
    {"out": Output("reduced self dim keepdim", "int64")},
)  # fmt: skip


def _truth(name: str, kind: str, *shape: Step) -> Row:
    """Make the row of All or Any, whose output has a shape."""
    return Row(
        name, _FAMILY,
        (
            Null(("self", "dim", "out")),
            DtypeIn(REAL_BOOL, ("self",)),
            DtypeIn(dtypes("bool uint8"), ("out",)),
            RankAtMost(8, ("self", "out")),
            *shape,
            _kernel(kind, "keepdim", gives="ACL_BOOL"),
        ),
        {"out": Output("reduced self dim keepdim", "bool")},
    )  # fmt: skip


def _named(tensor: str, dims: str, none: str) -> Step:
    """Return the step that finds the axes: all where none is named, unless that means none."""
    return Call("axes_unless_none", f"check {tensor} {dims} {none}", "axes")


_extremum_or_self = Row(
    "MaxV2", _FAMILY,
    (
        Null(("self", "dims", "out")),
        SameDtype(("self", "out")),
        DtypeIn(REAL_BOOL, ("self",)),
        _named("self", "dims", "noopWithEmptyDims"),
        That("self.rank() == 0 || dims.values().empty() || "
             "reduced_shape(self.shape(), ~axes, false).product() != 0",
             "self of shape %s has no places to choose from", ("self.shape().text().c_str()",)),
        RankAtMost(8, ("self", "out")),
        _shape("keepDims"),
        DoneIfEmpty(("self",)),
        Call("ordered_type", "self.dtype()", "ordered"),
        Call("reduce", "plan Reduce::kMaximum ordered ordered self out axes keepDims"),
    ),
    {"out": Output("reduced_unless self dims keepDims noopWithEmptyDims", "same self")},
)  # fmt: skip

_mean_or_self = Row(
    "MeanV2", _FAMILY,
    (
        Null(("self", "dim", "out")),
        DtypeIn(_MEANS, ("self", "out")),
        SameDtype(("self", "out")),
        _named("self", "dim", "noopWithEmptyAxes"),
        RankAtMost(8, ("self", "out")),
        That("!self.is_empty() || (out.dtype() != ACL_COMPLEX64 && out.dtype() != ACL_COMPLEX128)",
             "self is empty, and the result complex"),
        DoneIf("self.is_empty() && out.is_empty()"),
        DoneIf("self.is_empty()", Call("fill_real", "plan out NAN")),
        ShapeOrOne(("out",), "reduced_shape(self.shape(), axes, keepDim)"),
        DoneIf("axes == 0", Call("cast", "plan self self.dtype() out")),
        _kernel("kMean", "keepDim"),
    ),
    {"out": Output("reduced_unless self dim keepDim noopWithEmptyAxes", "same self")},
)  # fmt: skip

_log_sum = Row(
    "ReduceLogSum", _FAMILY,
    (
        Null(("data", "axes", "reduce")),
        Since("9.1", DtypeIn(dtypes("float16 float32", newest="bfloat16"), ("data", "reduce")),
              before=DtypeIn(dtypes("float16 float32"), ("data", "reduce"))),
        RankAtMost(8, ("data",)),
        Call("axes_unless_none", "check data axes noopWithEmptyAxes true", "mask"),
        DoneIf("data.is_empty() && reduce.is_empty()"),
        DoneIf("data.is_empty()", Call("launch_zero", "plan reduce")),
        DoneIf("mask == 0", Call("cast", "plan data data.dtype() reduce")),
        OnlyOn(("A2", "310P", LATE_950), late=True),
        ShapeOrOne(("reduce",), "reduced_shape(data.shape(), mask, keepDims)"),
        Inside("data.dtype() == reduce.dtype()", "reduce is %s",
               ("dtype_name(reduce.dtype())",)),
        Call("statistic", "plan Statistic::kLogSum data reduce mask keepDims"),
    ),
    {"reduce": Output("reduced_unless data axes keepDims noopWithEmptyAxes", "same data")},
)  # fmt: skip


_SUMMED = FLOATS | dtypes("int8 int16 int32 int64 uint8 bool")

ROWS: tuple[Row, ...] = (
    Row(
        "ReduceSum", _FAMILY,
        (
            Null(("self", "dims", "out")),
            DtypeIn(NUMBERS, ("self", "out")),
            _over(NUMBERS),
            That("out.dtype() == dtype", "out is not of the type asked for"),
            RankAtMost(8, ("self",)),
            Axes("dims.values()"),
            If("self.is_empty()", DtypeIn(REAL_BOOL, ("out",))),
            DoneIf("self.is_empty()", Call("launch_zero", "plan out")),
            _shape_or_one("keepDims"),
            _kernel("kSum", "keepDims", "dtype"),
        ),
        {"out": Output("reduced self dims keepDims", "given dtype")},
    ),
    Row(
        "Mean", _FAMILY,
        (
            Null(("self", "dim", "out")),
            DtypeIn(_MEANS, ("self",)),
            _over(_MEANS),
            DtypeIn(_MEANS, ("out",)),
            Cpp("const aclDataType result_type = dtype;"),
            That("can_cast(self.dtype(), dtype)", "self cannot be cast to dtype"),
            Castable(("out",)),
            Axes("dim.values()"),
            RankAtMost(8, ("self", "out")),
            If("!self.is_empty()",
               ShapeOrOne(("out",), "reduced_shape(self.shape(), axes, keepDim)")),
            _kernel("kMean", "keepDim", "dtype"),
        ),
        {"out": Output("reduced self dim keepDim", "given dtype")},
    ),
    _extremum("Amax", "kMaximum"),
    _extremum("Amin", "kMinimum"),
    _whole("Max", "kMaximum"),
    _whole("Min", "kMinimum"),
    _arg_max,
    _arg_min,
    _truth("All", "kAll", NoPrivateFormat(("self",)), Axes("dim.values()"), _shape("keepdim")),
    _truth(
        "Any", "kAny",
        Call("check_dims", "check self dim.values()"),
        DoneIf("self.is_empty()", Call("launch_zero", "plan out")),
        Axes("dim.values()", repeated=True),
        ShapeOrOne(("out",), "reduced_shape(self.shape(), axes, keepdim)"),
    ),
    _extremum_or_self,
    _mean_or_self,
    _log_sum,
    Row(
        "ReduceNansum", "reduction",
        (
            Null(("self", "dim", "out")),
            OnlyOn(("A2", LATE_950)),
            If("on_950()", DtypeIn(FLOATS, ("self",)), DtypeIn(_SUMMED, ("self",))),
            That(f"({_SUMMED.cpp()}).contains(dtype)", "dtype is %d, no type of a sum",
                 ("int(dtype)",)),
            That("out.dtype() == dtype", "out is not of the type asked for"),
            ResultType("same", ("self",)),
            Castable(("out",)),
            Axes("dim.values()"),
            RankAtMost(8, ("self", "out")),
            DoneIf("self.is_empty()", Call("fill_number", "plan out 0")),
            ShapeOrOne(("out",), "reduced_shape(self.shape(), axes, keepDim)"),
            DoneIf("dtype == ACL_BOOL",
                   Call("reduce", "plan Reduce::kAny self.dtype() ACL_BOOL self out axes keepDim")),
            DoneIf("DtypeSet{ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_UINT8, "
                   "ACL_BOOL}.contains(self.dtype())",
                   Call("reduce", "plan Reduce::kSum dtype dtype self out axes keepDim")),
            Call("nan_sum", "plan self axes keepDim dtype out"),
        ),
        {"out": Output("reduced self dim keepDim", "given dtype")},
    ),
)  # fmt: skip
