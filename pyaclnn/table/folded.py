"""Sums, maxima and minima of the tensors of a list, element by element."""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .row import Output, Row
from .steps import Cpp, DtypeIn, Null, OnlyOn, RankAtMost, ShapeIs, Step, That

_EACH = "for (const TensorArgument& tensor : tensors.tensors)"


def _row(
    name: str, fold: str, types: tuple[Step, ...], *last: Step,
    missing: tuple[str, ...] = (),
) -> Row:  # fmt: skip
    return Row(
        name, "reduction",
        (
            Null(("tensors",)),
            Cpp(f"{_EACH} check.not_null(tensor);"),
            Null(("out",)),
            *types,
            Cpp(f"{_EACH} check.rank_at_most(8, tensor);"),
            RankAtMost(8, ("out",)),
            That("!tensors.tensors.empty()", "tensors is an empty list"),
            Cpp("const Dims result_shape = broadcast_list(check, tensors);"),
            ShapeIs(("out",)),
            *last,
            Cpp(f"fold_all(plan, Fold::{fold}, tensors, out);"),
        ),
        {"out": Output("broadcast_list tensors", "same tensors")},
        include=("pointwise/scaled.hpp", "common/kernel_checks.hpp"), missing=missing,
    )  # fmt: skip


_ORDERED = FLOATS | dtypes("int8 int32 int64", "", "uint8")
_SUMMED = dtypes("float16 float32 int8 int32 uint8")


def _extremum(name: str, fold: str) -> Row:
    return _row(
        name, fold,
        (
            DtypeIn(_ORDERED, ("out",)),
            Cpp(f"{_EACH} {{ check.dtype_in({_ORDERED.cpp()}, tensor); "
                "check.same_dtype(out, tensor); }"),
        ),
        Cpp("if (out.is_empty()) return;"),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _row(
        "Sum",
        "kSum",
        (
            Cpp(f"{_EACH} check.dtype_in({_SUMMED.cpp()}, tensor);"),
            DtypeIn(_SUMMED, ("out",)),
            Cpp(f"{_EACH} check.same_dtype(out, tensor);"),
        ),
        Cpp("if (tensors.tensors.front().is_empty()) return;"),
        OnlyOn(("910", "A2"), late=True),
        missing=("an empty list, the first tensor of which CANN 9.0 reads",),
    ),
    _extremum("MaxN", "kMaximum"),
    _extremum("MinN", "kMinimum"),
)
