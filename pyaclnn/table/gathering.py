"""Slices taken by tuples of numbers or batch by batch, and classes as rows of two numbers."""

from __future__ import annotations

from .dtypes import COMPLEX, REAL_BOOL, dtypes
from .row import Output, Row
from .shape_steps import Axis
from .steps import (
    Call,
    DoneIfEmpty,
    DtypeIn,
    Kernel,
    Null,
    On950,
    OnlyOn,
    RankAtMost,
    SameDtype,
    That,
)

_FAMILY = "indexing"
_NUMBER = dtypes("int32 int64")
_VALUES = dtypes("float16 float32 int32 int64", "", "int8 uint8")

ROWS: tuple[Row, ...] = (
    Row(
        "GatherNd", _FAMILY,
        (
            Null(("self", "indices", "out")),
            SameDtype(("self", "out")),
            DtypeIn(dtypes("float32 int32 int64 float16 int8 uint8 bool", "bfloat16",
                           "float64 int16 uint16 uint32 uint64"), ("self",)),
            DtypeIn(_NUMBER, ("indices",)),
            That("self.rank() > 0", "self has no dimensions"),
            RankAtMost(8, ("self",)),
            That("indices.rank() > 0", "indices has no dimensions"),
            RankAtMost(8, ("indices",)),
            That("indices.shape().back() >= 1 && fits_tuples(self, indices, out)",
                 "indices has shape %s and self %s: out, of shape %s, is not what they choose",
                 ("indices.shape().text().c_str()", "self.shape().text().c_str()",
                  "out.shape().text().c_str()")),
            DoneIfEmpty(("self", "indices")),
            Kernel("gather_tuples"),
        ),
        {"out": Output("tuples self indices", "same self")},
    ),
    Row(
        "GatherV3", _FAMILY,
        (
            Null(("self", "index", "out")),
            SameDtype(("self", "out")),
            DtypeIn(REAL_BOOL | COMPLEX, ("self",)),
            DtypeIn(_NUMBER, ("index",)),
            RankAtMost(8, ("self", "index")),
            Axis(),
            Call("check_batches", "check self axis dim index batchDims mode out", "batch"),
            DoneIfEmpty(("self", "index")),
            Call("take_batches", "plan self axis index batch out"),
        ),
        {"out": Output("batches self dim index batchDims", "same self")},
    ),
    Row(
        "OneHot", _FAMILY,
        (
            Null(("self", "onValue", "offValue", "out")),
            DtypeIn(_NUMBER | dtypes("", "", "uint8"), ("self",)),
            DtypeIn(_VALUES, ("out", "onValue", "offValue")),
            SameDtype(("onValue", "out")),
            SameDtype(("offValue", "out")),
            On950(RankAtMost(7, ("self",))),
            RankAtMost(8, ("self", "onValue", "offValue", "out")),
            That("numClasses > (self.is_empty() ? 0 : -1)", "numClasses is %d",
                 ("int(numClasses)",)),
            Call("check_one_hot", "check self numClasses axis out", "place"),
            DoneIfEmpty(("self", "out")),
            That("!onValue.is_empty() && !offValue.is_empty()",
                 "onValue and offValue must have an element"),
            Call("one_hot", "plan self onValue offValue place out"),
        ),
        {"out": Output("classes self numClasses axis", "same onValue")},
    ),
    Row(
        "ExpandIntoJaggedPermute", _FAMILY,
        (
            Null(("permute", "inputOffset", "outputOffset", "outputPermuteOut")),
            OnlyOn(("A2",), inside=True),
            DtypeIn(dtypes("int32"),
                    ("permute", "inputOffset", "outputOffset", "outputPermuteOut")),
            Kernel("expand_into_jagged_permute"),
        ),
        {"outputPermuteOut": Output("(outputSize,)", "int32")},
    ),
)  # fmt: skip
