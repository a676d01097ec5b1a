"""Choosing parts of tensors by number."""

from __future__ import annotations

from .dtypes import NUMBERS, dtypes
from .row import Output, Row
from .steps import Cpp, DoneIfEmpty, DtypeIn, Null, RankAtMost, SameDtype

ROWS: tuple[Row, ...] = (
    Row(
        "IndexSelect", "indexing",
        (
            Null(("self", "index", "out")),
            DtypeIn(NUMBERS | dtypes("uint16 uint32 uint64"), ("self",)),
            SameDtype(("self", "out")),
            DtypeIn(dtypes("int32 int64"), ("index",)),
            RankAtMost(8, ("self",)),
            Cpp("const std::size_t axis = check_index_select(check, self, dim, index, out);"),
            DoneIfEmpty(("self", "index")),
            Cpp("index_select(plan, self, axis, index, out);"),
        ),
        {"out": Output("selected self dim index", "same self")},
        include=("indexing/index_select.hpp",),
    ),
)  # fmt: skip
