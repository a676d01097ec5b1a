"""Reductions of the tensors of a list, element by element: sums, maxima and minima."""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .list_steps import EachTensor
from .row import Output, Row
from .steps import (
    Call,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    ForKernel,
    Inside,
    Null,
    OnlyOn,
    RankAtMost,
    SameDtype,
    ShapeIs,
    Step,
    Steps,
    That,
)


def _row(
    name: str, fold: str, types: tuple[Step, ...], *last: Step,
    missing: tuple[str, ...] = (),
) -> Row:  # fmt: skip
    return Row(
        name, "reduction",
        (
            Null(("tensors",)),
            EachTensor("tensors", Null(("tensor",))),
            Null(("out",)),
            *types,
            EachTensor("tensors", RankAtMost(8, ("tensor",))),
            RankAtMost(8, ("out",)),
            That("!tensors.tensors.empty()", "tensors is an empty list"),
            Call("broadcast_list", "check tensors", "result_shape"),
            ShapeIs(("out",)),
            *last,
            Call("reduce_list", f"plan ListReduction::{fold} tensors out"),
        ),
        {"out": Output("broadcast_list tensors", "same tensors")},
        missing=missing,
    )  # fmt: skip


_ORDERED = FLOATS | dtypes("int8 int32 int64", "", "uint8")
_SUMMED = dtypes("float16 float32 int8 int32 uint8")


def _extremum(name: str, fold: str) -> Row:
    return _row(
        name, fold,
        (
            DtypeIn(_ORDERED, ("out",)),
            EachTensor("tensors",
                       Steps((DtypeIn(_ORDERED, ("tensor",)), SameDtype(("out", "tensor"))))),
        ),
        DoneIfEmpty(("out",)),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _row(
        "Sum",
        "kSum",
        (
            EachTensor("tensors", DtypeIn(_SUMMED, ("tensor",))),
            DtypeIn(_SUMMED, ("out",)),
        ),
        DoneIf("tensors.tensors.front().is_empty()"),
        OnlyOn(("910", "A2"), late=True),
        Cpp("const TensorArgument& first = tensors.tensors.front();"),
        # CANN compares no types: a kernel for others is not found, and no other sum is copied.
        ForKernel((EachTensor("tensors", SameDtype(("first", "tensor"))),)),
        Inside("first.dtype() == out.dtype()", "out is %s", ("dtype_name(out.dtype())",)),
        missing=("an empty list, the first tensor of which CANN 9.0 reads",),
    ),
    _extremum("MaxN", "kMaximum"),
    _extremum("MinN", "kMinimum"),
    Row(
        "AddN",
        "pointwise",
        (
            Null(("tensors",)),
            EachTensor("tensors", Null(("tensor",))),
            Null(("out",)),
            DoneIf("is_unchecked_sum_of_nothing(tensors, out)"),
            Call("check_addends", "check plan tensors out"),
            Call("reduce_list", "plan ListReduction::kSum tensors out"),
        ),
        {"out": Output("like_first tensors", "common tensors")},
        missing=("an empty list, the first tensor of which CANN 9.0 reads",),
    ),
)
