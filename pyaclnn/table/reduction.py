"""Reductions over axes."""

from __future__ import annotations

from .dtypes import COMPLEX, FLOATS, NUMBERS, REAL, REAL_BOOL, Dtypes, dtypes
from .row import Output, Row
from .steps import Castable, Cpp, DtypeIn, Null, RankAtMost, SameDtype, Step, That

_FAMILY = "reduction"
_INCLUDE = ("reduction/reduce.hpp",)


def _mask(dims: str, tensor: str = "self") -> Cpp:
    return Cpp(f"const AxisMask axes = axis_mask(check, {tensor}, {dims});")


def _kernel(kind: str, keep: str, compute: str = "self.dtype()", gives: str = "") -> Cpp:
    gives = gives or compute
    return Cpp(f"reduce(plan, Reduce::{kind}, {compute}, {gives}, self, out, axes, {keep});")


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
            _mask("dim.values()"),
            That("self.elements() > 0 || out.elements() == 0", "self has an empty dimension"),
            _shape("keepDim"),
            _kernel(kind, "keepDim"),
        ),
        {"out": Output("reduced self dim keepDim", "same self")},
        include=_INCLUDE,
    )  # fmt: skip


def _whole(name: str, kind: str) -> Row:
    """Make the row of an extremum of all elements."""
    return Row(
        name, _FAMILY,
        (
            Null(("self", "out")),
            DtypeIn(REAL_BOOL, ("self", "out")),
            RankAtMost(8, ("self", "out")),
            That("self.elements() > 0", "self is empty"),
            _mask("{}"),
            _kernel(kind, "false"),
        ),
        {"out": Output("scalar", "same self")},
        include=_INCLUDE,
    )  # fmt: skip


def _place(name: str, kind: str) -> Row:
    """Make the row of the place of an extremum along one axis."""
    return Row(
        name, _FAMILY,
        (
            Null(("self", "out")),
            DtypeIn(REAL, ("self",)),
            RankAtMost(8, ("self", "out")),
            _mask("{dim}"),
            That("self.elements() > 0 || out.elements() == 0", "self has an empty dimension"),
            _kernel(kind, "keepdim", gives="ACL_INT64"),
        ),
        {"out": Output("reduced self dim keepdim", "int64")},
        include=_INCLUDE,
    )  # fmt: skip


def _truth(name: str, kind: str) -> Row:
    """Make the row of All or Any."""
    return Row(
        name, _FAMILY,
        (
            Null(("self", "dim", "out")),
            DtypeIn(REAL_BOOL, ("self",)),
            DtypeIn(dtypes("bool uint8"), ("out",)),
            RankAtMost(8, ("self", "out")),
            _mask("dim.values()"),
            _shape("keepdim"),
            _kernel(kind, "keepdim", gives="ACL_BOOL"),
        ),
        {"out": Output("reduced self dim keepdim", "bool")},
        include=_INCLUDE,
    )  # fmt: skip


def _norm() -> Row:
    """Make the row of the norm of vectors: before the 950 CANN computes others in float32."""
    own = "order == 0 || order == 1 || order == 2 || order == 3 || std::isinf(order)"
    return Row(
        "LinalgVectorNorm", "matmul",
        (
            Null(("self", "ord", "dims", "out")),
            That("out.dtype() == dtype", "out is not of the type asked for"),
            DtypeIn(FLOATS, ("self", "out")),
            That("self.dtype() == dtype || dtype == ACL_FLOAT",
                 "dtype is %d, it must be that of self or float32", ("int(dtype)",)),
            _mask("dims.values()"),
            RankAtMost(8, ("self", "out")),
            _shape("keepDims"),
            Cpp("if (out.is_empty()) return;"),
            Cpp("if (self.is_empty()) return launch_zero(plan, out);"),
            Cpp("const double order = norm_order(ord->to_double());"),
            Cpp(f"const bool in_own = config().has_bf16() && (on_950() || {own});"),
            Cpp("vector_norm(plan, order, in_own ? dtype : ACL_FLOAT, self, out, axes, "
                "keepDims);"),
        ),
        {"out": Output("reduced self dims keepDims", "given dtype")},
        include=("reduction/norms.hpp", "common/fill.hpp"),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    Row(
        "ReduceSum", _FAMILY,
        (
            Null(("self", "dims", "out")),
            DtypeIn(NUMBERS, ("self", "out")),
            _over(NUMBERS),
            That("out.dtype() == dtype", "out is not of the type asked for"),
            RankAtMost(8, ("self",)),
            _mask("dims.values()"),
            _kernel("kSum", "keepDims", "dtype"),
        ),
        {"out": Output("reduced self dims keepDims", "given dtype")},
        include=_INCLUDE,
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
            _mask("dim.values()"),
            RankAtMost(8, ("self", "out")),
            _kernel("kMean", "keepDim", "dtype"),
        ),
        {"out": Output("reduced self dim keepDim", "given dtype")},
        include=_INCLUDE,
    ),
    _extremum("Amax", "kMaximum"),
    _extremum("Amin", "kMinimum"),
    _whole("Max", "kMaximum"),
    _whole("Min", "kMinimum"),
    _place("ArgMax", "kArgMax"),
    _place("ArgMin", "kArgMin"),
    _truth("All", "kAll"),
    _truth("Any", "kAny"),
    _norm(),
)  # fmt: skip
