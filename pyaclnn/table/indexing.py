"""Choosing, writing and combining parts of tensors by number or by a mask."""

from __future__ import annotations

from .dtypes import BOOL, FLOAT8_E8M0, NUMBERS, REAL_BOOL, Dtypes, dtypes
from .format_steps import NoPrivateFormat, SameFormat
from .list_steps import EachTensor, ListsInPublicFormats
from .optional_steps import If, Since, dtypes_by_release
from .row import Output, Row
from .row_templates import in_place
from .shape_steps import Axis, ExtentsInInt32
from .steps import (
    About,
    Broadcast,
    Call,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    FitsInPlace,
    Inside,
    Kernel,
    KernelExists,
    Null,
    Promotes,
    RankAtMost,
    SameDtype,
    SameShape,
    ShapeIs,
    Step,
    That,
)

_FAMILY = "indexing"
_UNSIGNED = dtypes("uint16 uint32 uint64")
_NUMBER = dtypes("int32 int64")

#: What aclnnScatter and its like know.
_SCATTERED = NUMBERS
_INDEXED = dtypes("float32 float16 int64 int32 bool int8 uint8 float64 int16", "bfloat16")
_FILLED = dtypes("float32 int32 int64 float16 int8 bool", "bfloat16")


def _slices(
    name: str, accepted: Dtypes, table: str, index: str, *checks: Step, shape: str, wraps: str,
) -> Row:  # fmt: skip
    """Make the row of an operator that takes slices by their numbers."""
    return Row(
        name, _FAMILY,
        (
            Null((table, index, "out")),
            DtypeIn(accepted, (table,)),
            SameDtype((table, "out")),
            DtypeIn(_NUMBER, (index,)),
            RankAtMost(8, (table, index)),
            *checks,
            DoneIfEmpty((table, index)),
            Call("take_slices", f"plan {table} axis {index} out {wraps}"),
        ),
        {"out": Output(shape, f"same {table}")},
    )  # fmt: skip


def _scattered(name: str, combine: str, *, value: bool = False) -> Row:
    """Make the row of Scatter, ScatterValue or ScatterAdd."""
    what = "value" if value else "src"
    accepted = DtypeIn(_SCATTERED, ("self",))
    # Where there is no index CANN looks no further, but it copies, which it refuses inside.
    nothing = DoneIf("index.is_empty()", Call("copy_self", "plan self out"))
    if value:
        known: tuple[Step, ...] = (
            About(
                lambda tensor: That(
                    "(value->dtype() != ACL_COMPLEX64 && value->dtype() != ACL_COMPLEX128) || "
                    f"{tensor}.dtype() == ACL_COMPLEX64 || {tensor}.dtype() == ACL_COMPLEX128",
                    f"value is complex, {tensor} is not",
                ),
                ("self",),
            ),
            nothing,
            accepted,
            SameDtype(("self", "out")),
        )
    else:
        known = (accepted, SameDtype(("self", "src")), SameDtype(("self", "out")), nothing)
    pointer = "nullptr" if value else "&src"
    function = "scatter_value" if value else "scatter"
    return Row(
        name, _FAMILY,
        (
            Null(("self", "index", what, "out")),
            *known,
            DtypeIn(_NUMBER, ("index",)),
            Call("check_scatter", f"check self dim index {pointer} out", "axis"),
            DoneIfEmpty(("self",)),
            Call(function, f"plan self axis index {what} out {combine}"),
        ),
        {"out": Output("like self", "same self")},
    )  # fmt: skip


def _filled(name: str, *checks: Step) -> Row:
    return Row(
        name, _FAMILY,
        (
            Null(("selfRef", "mask", "value")),
            DtypeIn(_FILLED, ("selfRef",)),
            *checks,
            DtypeIn(BOOL, ("mask",)),
            RankAtMost(8, ("selfRef", "mask")),
            FitsInPlace(("selfRef", "mask")),
            DoneIfEmpty(("selfRef", "mask")),
            Call("masked_fill", "plan selfRef mask value"),
        ),
    )  # fmt: skip


def _places(name: str, accepted: Dtypes, columns: str, shape: str) -> Row:
    return Row(
        name, _FAMILY,
        (
            Null(("self", "out")),
            DtypeIn(accepted, ("self",)),
            DtypeIn(dtypes("int64"), ("out",)),
            RankAtMost(8, ("self", "out")),
            ExtentsInInt32(("self",)),
            DoneIfEmpty(("self", "out")),
            Call("nonzero", f"check plan self out {columns}"),
        ),
        {"out": Output(shape, "int64")},
        found=True,
    )  # fmt: skip


_TAKEN = That(
    "out.shape() == taken_shape(self, axis, index)",
    "out has shape %s, which is not that of the slices",
    ("out.shape().text().c_str()",),
)
_SCATTER_ROW = _scattered("Scatter", "combine_of(reduce)")
_VALUE_ROW = _scattered("ScatterValue", "combine_of(reduce)", value=True)

_COPY_ROW = Row(
    "IndexCopy", _FAMILY,
    (
        Null(("selfRef", "index", "source", "outRef")),
        DtypeIn(NUMBERS | dtypes("", "", "uint32 uint64"), ("selfRef",)),
        DtypeIn(_NUMBER, ("index",)),
        SameDtype(("selfRef", "source", "outRef")),
        Call("check_index_copy", "check selfRef dim index source outRef", "axis"),
        SameFormat(("selfRef", "outRef")),
        DoneIfEmpty(("selfRef", "index")),
        Call("copy_slices", "plan selfRef axis index source outRef"),
    ),
    {"outRef": Output("like selfRef", "same selfRef")},
)  # fmt: skip


def _slice_fill(
    name: str, accepted: Step, first: tuple[Step, ...], *checks: Step, numbers: str = "index"
) -> Row:
    """Make the row of an operator that fills slices with a number."""
    return Row(
        name, _FAMILY,
        (
            Null(("self", "index", "value", "out")),
            accepted,
            SameDtype(("self", "out")),
            *first,
            DoneIfEmpty(("self",)),
            SameShape(("self", "out")),
            RankAtMost(8, ("self",)),
            Axis(),
            *checks,
            Call("fill_slices", f"plan self axis {numbers} value out"),
        ),
        {"out": Output("like self", "same self")},
    )  # fmt: skip


_IN_FILLED = "int32 float16 float32 int64 bool bfloat16"
#: Atlas A2 and A3 have the first, and the 950 since 9.1. Before, CANN did not mind its index, but
#: had kernels for integers only.
_FILL_ROW = _slice_fill(
    "IndexFill",
    Since("9.1",
          DtypeIn(dtypes("", middle=_IN_FILLED,
                         newest=f"{_IN_FILLED} int8 uint8 int16 float64"), ("self",)),
          DtypeIn(dtypes("", middle=_IN_FILLED), ("self",))),
    (Since("9.1", DtypeIn(_NUMBER, ("index",))),),
    If("!index.is_empty()", KernelExists("index.dtype() == ACL_INT32 || index.dtype() == "
                                         "ACL_INT64")),
)  # fmt: skip
_LISTED_FILL_ROW = _slice_fill(
    "IndexFillTensor",
    Since("9.1",
          DtypeIn(dtypes("int32 float16 float32 int64 bool", "bfloat16",
                         "int8 uint8 int16 float64"), ("self",)),
          DtypeIn(dtypes("int32 float16 float32 int64 bool", "bfloat16"), ("self",))),
    (That("value->dtype() != ACL_COMPLEX64 && value->dtype() != ACL_COMPLEX128",
          "value is complex"),
     # Without numbers, self is copied to out.
     About(lambda a, b: Inside(f"!index.values().empty() || !{a}.is_empty() || "
                               f"{a}.shape() == {b}.shape()",
                               "index is empty, and out of another shape than self"),
           ("self", "out"))),
    Call("check_fill_numbers", "check self axis index.values()"),
    numbers="index.values()",
)  # fmt: skip

ROWS: tuple[Row, ...] = (
    _slices(
        "IndexSelect", NUMBERS | _UNSIGNED, "self", "index",
        Call("check_index_select", "check self dim index out", "axis"),
        NoPrivateFormat(("self", "index", "out")),
        shape="selected self dim index", wraps="true",
    ),
    _slices(
        "GatherV2", NUMBERS | dtypes("", "", "uint16"), "self", "index", Axis(), _TAKEN,
        shape="taken self dim index", wraps="true",
    ),
    _slices(
        "Embedding", NUMBERS, "weight", "indices",
        RankAtMost(8, ("out",)),
        That("out.rank() == indices.rank() + 1", "out has %zu dimensions, indices %zu",
             ("out.rank()", "indices.rank()")),
        Call("check_embedded", "check indices out"),
        Cpp("const std::size_t axis = 0;"),
        shape="embedded weight indices", wraps="false",
    ),
    Row(
        "Gather", _FAMILY,
        (
            Null(("self", "index", "out")),
            *dtypes_by_release(
                ("self",), REAL_BOOL | _UNSIGNED,
                ("9.0", FLOAT8_E8M0 | dtypes(newest="float8_e5m2 float8_e4m3fn")),
            ),
            If("!index.is_empty()", DtypeIn(Dtypes(("int32", "int64")), ("index",))),
            SameDtype(("self", "out")),
            Call("check_gather", "check self dim index out", "axis"),
            DoneIfEmpty(("index", "self")),
            Call("gather", "plan self axis index out"),
        ),
        {"out": Output("like index", "same self")},
    ),
    _SCATTER_ROW,
    _VALUE_ROW,
    _scattered("ScatterAdd", "Combine::kAdd"),
    in_place(_SCATTER_ROW),
    in_place(_VALUE_ROW),
    Row(
        "Index", _FAMILY,
        (
            Null(("self", "out", "indices")),
            EachTensor("indices", Null(("tensor",))),
            SameDtype(("self", "out")),
            DtypeIn(_INDEXED, ("self",)),
            EachTensor("indices",
                       If("!tensor.is_empty()",
                          DtypeIn(Dtypes(("int32", "int64", "bool")), ("tensor",)))),
            NoPrivateFormat(("self", "out")),
            ListsInPublicFormats(("indices",)),
            RankAtMost(8, ("self",)),
            EachTensor("indices", RankAtMost(8, ("tensor",))),
            DoneIfEmpty(("self", "out")),
            That("!chooses_nothing(indices)", "none of the indices has an element"),
            DoneIf("has_masks(indices)", Call("index_by_masks", "plan self indices out")),
            Call("indexed_shape", "check self indices", "result_shape"),
            If("chooses_transposed(self, indices)",
               Inside("out.shape() == result_shape", "out has shape %s, the result %s",
                      ("out.shape().text().c_str()", "result_shape.text().c_str()"))),
            ShapeIs(("out",)),
            Call("index", "check plan self indices out"),
        ),
        {"out": Output("indexed self indices", "same self")},
    ),
    Row(
        "IndexPutImpl", _FAMILY,
        (
            Null(("selfRef", "values", "indices")),
            EachTensor("indices", Null(("tensor",))),
            DtypeIn(_INDEXED, ("selfRef", "values")),
            SameDtype(("selfRef", "values")),
            RankAtMost(8, ("selfRef",)),
            That("indices.tensors.size() <= selfRef.rank()",
                 "there are %zu indices, selfRef has %zu dimensions",
                 ("indices.tensors.size()", "selfRef.rank()")),
            EachTensor("indices",
                       If("!tensor.is_empty()",
                          DtypeIn(Dtypes(("int32", "int64", "bool")), ("tensor",)))),
            Since("9.1", Call("check_mask_shapes", "check selfRef indices")),
            DoneIfEmpty(("selfRef", "values")),
            DoneIf("chooses_nothing(indices)"),
            DoneIf("has_masks(indices)",
                   Call("index_put_by_masks", "plan selfRef indices values accumulate")),
            Kernel("index_put"),
        ),
    ),
    _filled("InplaceMaskedFillScalar"),
    _filled(
        "InplaceMaskedFillTensor",
        DtypeIn(_FILLED, ("value",)),
        That("value.rank() == 0", "value has %zu dimensions, it is one number", ("value.rank()",)),
    ),
    Row(
        "SWhere", _FAMILY,
        (
            Null(("self", "other", "condition", "out")),
            DtypeIn(NUMBERS | _UNSIGNED, ("self", "other", "out")),
            DtypeIn(dtypes("bool uint8"), ("condition",)),
            RankAtMost(8, ("self", "other", "condition")),
            Broadcast(("self", "other", "condition")),
            ShapeIs(("out",)),
            Promotes(("self", "other")),
            DoneIfEmpty(("self", "condition", "other")),
            # CANN selects bools as bytes, and casts the result of other types only.
            Inside("self.dtype() != ACL_BOOL || other.dtype() != ACL_BOOL || "
                   "out.dtype() == ACL_BOOL", "self and other are bools, out is not"),
            Call("where", "check plan condition self other out"),
        ),
        {"out": Output("broadcast condition self other", "common self other")},
    ),
    Row(
        "MaskedSelect", _FAMILY,
        (
            Null(("self", "mask", "out")),
            DtypeIn(REAL_BOOL | dtypes("", "", "uint16 uint32 uint64"), ("self", "out")),
            DtypeIn(dtypes("uint8 bool"), ("mask",)),
            RankAtMost(8, ("self", "mask")),
            Broadcast(("self", "mask")),
            That("out.rank() == 1 && out.elements() == result_shape.product()",
                 "out has shape %s, it must have one dimension of %lld places",
                 ("out.shape().text().c_str()", "static_cast<long long>(result_shape.product())")),
            DoneIfEmpty(("self", "mask", "out")),
            Call("masked_select", "check plan self mask out"),
        ),
        {"out": Output("all_of self mask", "same self")},
        found=True,
    ),
    _places("Nonzero", REAL_BOOL | dtypes("", "", "uint16 uint32 uint64"), "false",
            "place_rows self"),
    _places("NonzeroV2", REAL_BOOL | _UNSIGNED, "true", "place_columns self"),
    Row(
        "Take", _FAMILY,
        (
            Null(("self", "index", "out")),
            DtypeIn(NUMBERS | _UNSIGNED, ("self",)),
            SameDtype(("self", "out")),
            DtypeIn(_NUMBER, ("index",)),
            RankAtMost(8, ("index",)),
            SameShape(("index", "out")),
            That("!self.is_empty() || index.is_empty()", "self has no elements to take"),
            NoPrivateFormat(("self", "index", "out")),
            DoneIfEmpty(("self", "index")),
            Call("take", "plan self index out"),
        ),
        {"out": Output("like index", "same self")},
    ),
    _COPY_ROW,
    in_place(_COPY_ROW, operand="selfRef", out="outRef"),
    _FILL_ROW,
    in_place(_FILL_ROW),
    _LISTED_FILL_ROW,
    in_place(_LISTED_FILL_ROW),
)  # fmt: skip
