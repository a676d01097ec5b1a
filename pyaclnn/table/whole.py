"""Operators on whole tensors that are element-wise at heart.

Sources are ``aclnn_equal.cpp``, ``aclnn_reduce_nansum.cpp`` and ``aclnn_logspace.cpp`` of CANN 9.0.
"""

from __future__ import annotations

from .dtypes import FLOATS, REAL_BOOL, dtypes
from .output_steps import ShapeOrOne
from .row import Output, Row
from .shape_steps import Axes
from .steps import (
    Call,
    Castable,
    Cpp,
    DoneIf,
    DtypeIn,
    Null,
    NullInside,
    OnlyOn,
    RankAtMost,
    ResultType,
    ResultTypeIn,
    That,
)

_SUMMED = FLOATS | dtypes("int8 int16 int32 int64 uint8 bool")

ROWS: tuple[Row, ...] = (
    Row(
        "Equal", "pointwise",
        (
            Null(("self", "other", "out")),
            ResultType("common", ("self", "other")),
            ResultTypeIn(REAL_BOOL | dtypes("uint16 uint32 uint64")),
            DtypeIn(dtypes("bool"), ("out",)),
            RankAtMost(8, ("self", "other", "out")),
            That("out.rank() == 1 && out.elements() == 1", "out must have the shape (1,)"),
            Call("tensors_equal", "plan result_type self other out"),
        ),
        {"out": Output("one", "bool")},
        include=("pointwise/whole.hpp",),
    ),
    Row(
        "ReduceNansum", "reduction",
        (
            Null(("self", "dim", "out")),
            OnlyOn(("A2",)),
            DtypeIn(_SUMMED, ("self",)),
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
        include=("pointwise/whole.hpp", "reduction/reduce.hpp"),
    ),
    Row(
        "LogSpace", "pointwise",
        (
            NullInside(("start", "end", "result")),
            DtypeIn(dtypes("float32 float16 bfloat16"), ("result",)),
            That("steps >= 0", "steps is %lld; it must not be negative",
                 ("static_cast<long long>(steps)",)),
            DoneIf("steps == 0"),
            Cpp("check_shape_inside(plan, result, Dims({steps}));"),
            Call("linspace", "plan start end result"),
            Cpp("pointwise(plan, formulas::power_of_scalar, result.dtype(), result.dtype(), result,"
                " {&result}, {Number(double(base))});"),
        ),
        {"result": Output("numbers steps", "float32")},
        include=("pointwise/checks.hpp", "creation/creation.hpp"),
    ),
)  # fmt: skip
