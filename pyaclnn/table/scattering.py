"""Elements and slices written to places by number, where numbers repeat combined."""

from __future__ import annotations

from .dtypes import FLOAT8, FLOAT8_E8M0, NUMBERS, REAL_BOOL, dtypes
from .optional_steps import If, Since, dtypes_by_release
from .row import Output, Row
from .row_templates import in_place
from .shape_steps import NumberIn
from .steps import (
    About,
    Call,
    Divides,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    FitsInPlace,
    Kernel,
    Null,
    OnlyOn,
    RankAtMost,
    SameDtype,
    SameShape,
    Step,
    Steps,
    That,
)

_FAMILY = "indexing"
_NUMBER = dtypes("int32 int64")
#: Of two tensors that are changed by tuples; the 950 has no int16 and int32 here.
_CHANGED = dtypes("float32 float16 bool", "bfloat16 int64 int8", middle="int16 int32")

_A2 = "on_a2_or_a3()"

_ADDED: tuple[Step, ...] = (
    Call("check_index_add", "check self dim index source out", "axis"),
    DoneIfEmpty(("self", "source")),
)

_REDUCE = Row(
    "ScatterReduce", _FAMILY,
    (
        About(
            lambda tensor: That(
                f"!{_A2} || !{tensor}.given() || "
                f"({tensor}.dtype() == ACL_FLOAT && reduce == 1 && includeSelf)",
                "this chip adds float32 to what is there, and does nothing else here",
            ),
            ("self",),
        ),
        NumberIn("reduce", 0, "be from 0 to 5", 5),
        Null(("self", "index", "src", "out")),
        DtypeIn(NUMBERS, ("self",)),
        SameDtype(("self", "src")),
        SameDtype(("self", "out")),
        DoneIf("index.is_empty()", Steps((SameShape(("self", "out")),
                                          Call("copy_self", "plan self out")))),
        DtypeIn(_NUMBER, ("index",)),
        Call("check_scatter", "check self dim index &src out", "axis"),
        DoneIfEmpty(("self",)),
        Call("scatter", "plan self axis index src out mean_or_combine_of(reduce) includeSelf"),
    ),
    {"out": Output("like self", "same self")},
)  # fmt: skip


def _tuples(*names: str) -> tuple[Step, ...]:
    """Tensors of one to eight dimensions."""
    return tuple(
        step
        for name in names
        for step in (
            That(f"{name}.rank() > 0", f"{name} has no dimensions"),
            RankAtMost(8, (name,)),
        )
    )


_FITS = That(
    "fits_tuples({0}, indices, updates)",
    "updates has shape %s, which is not that of what indices choose",
    ("updates.shape().text().c_str()",),
)


def _first(name: str, combine: str) -> Row:
    """Make the row of TensorFlow's scatter_... along the first axis, which only the 950 has."""
    return Row(
        name, _FAMILY,
        (
            Null(("varRef", "indices", "updates")),
            DtypeIn(dtypes("float16 float32 int32 int8 uint8"), ("varRef", "updates")),
            DtypeIn(_NUMBER, ("indices",)),
            SameDtype(("varRef", "updates")),
            OnlyOn(("950",), inside=True),
            Divides("varRef.rank() > 0 && varRef.rank() <= 8 && indices.rank() > 0 && "
                    "indices.rank() <= 8 && fits_numbers(varRef, indices, updates)",
                    "updates has shape %s, which is not that of the slices",
                    ("updates.shape().text().c_str()",)),
            DoneIfEmpty(("varRef", "indices", "updates")),
            Call("scatter_first", f"plan varRef indices updates {combine}"),
        ),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    Row(
        "IndexAdd", _FAMILY,
        (
            Null(("self", "index", "source", "alpha", "out")),
            DtypeIn(REAL_BOOL, ("self",)),
            DtypeIn(_NUMBER, ("index",)),
            DtypeIn(REAL_BOOL, ("source", "out")),
            SameDtype(("self", "source")),
            SameDtype(("self", "out")),
            *_ADDED,
            Call("index_add", "plan self axis index source &alpha out"),
        ),
        {"out": Output("like self", "same self")},
    ),
    Row(
        "IndexAddV2", _FAMILY,
        (
            Null(("self", "index", "source", "alpha", "out")),
            DtypeIn(REAL_BOOL | dtypes("bfloat16"), ("self",)),
            DtypeIn(_NUMBER, ("index",)),
            SameDtype(("self", "source")),
            That("can_cast(alpha->dtype(), self.dtype())",
                 "alpha cannot be cast to the element type of self"),
            SameDtype(("self", "out")),
            *_ADDED,
            OnlyOn(("A2",), inside=True),
            If("mode == 0", Call("check_fast_index_add", "plan self dim")),
            DoneIf("mode == 0", Call("index_add", "plan self axis index source nullptr out")),
            Call("index_add", "plan self axis index source &alpha out"),
        ),
        {"out": Output("like self", "same self")},
        missing=("determinism by aclrtCtxSetSysParamOpt, where the mode has no effect",),
    ),
    _REDUCE,
    in_place(_REDUCE),
    Row(
        "InplacePut", _FAMILY,
        (
            Null(("selfRef", "index", "source")),
            DtypeIn(NUMBERS, ("selfRef",)),
            That("!accumulate || selfRef.dtype() != ACL_BF16", "bfloat16 is not added to"),
            DtypeIn(_NUMBER, ("index",)),
            SameDtype(("selfRef", "source")),
            RankAtMost(8, ("selfRef", "index")),
            That("index.elements() == source.elements()", "index has %lld numbers, source %lld",
                 ("static_cast<long long>(index.elements())",
                  "static_cast<long long>(source.elements())")),
            DoneIfEmpty(("index",)),
            That("!selfRef.is_empty()", "selfRef has no elements"),
            Call("put", "plan selfRef index source accumulate"),
        ),
    ),
    Row(
        "InplaceScatterUpdate", _FAMILY,
        (
            Null(("data", "indices", "updates")),
            *dtypes_by_release(
                ("data",), dtypes("int8 float16 float32 int32", "bfloat16", "uint8"),
                ("9.0", FLOAT8),
            ),
            DtypeIn(_NUMBER, ("indices",)),
            SameDtype(("data", "updates")),
            That("!data.is_empty() && !updates.is_empty() && !indices.is_empty()",
                 "data, indices and updates must have elements"),
            That("data.rank() == updates.rank()", "data has %zu dimensions, updates %zu",
                 ("data.rank()", "updates.rank()")),
            That("indices.rank() > 0 || (updates.rank() > 0 && updates.shape()[0] == 1)",
                 "indices is a number, updates has shape %s",
                 ("updates.shape().text().c_str()",)),
            That("indices.rank() <= 2", "indices has %zu dimensions, it has at most two",
                 ("indices.rank()",)),
            Call("scatter_update", "plan data indices updates axis"),
        ),
    ),
    Row(
        "InplaceMaskedScatter", _FAMILY,
        (
            Null(("selfRef", "mask", "source")),
            DtypeIn(REAL_BOOL, ("selfRef",)),
            DtypeIn(dtypes("uint8 bool"), ("mask",)),
            SameDtype(("selfRef", "source")),
            RankAtMost(8, ("selfRef", "mask", "source")),
            FitsInPlace(("selfRef", "mask")),
            DoneIfEmpty(("selfRef", "mask")),
            Call("masked_scatter", "plan selfRef mask source"),
        ),
    ),
    Row(
        "ScatterNd", _FAMILY,
        (
            Null(("data", "indices", "updates", "out")),
            DtypeIn(dtypes("float16 float32 bool", "bfloat16"), ("data",)),
            DtypeIn(_NUMBER, ("indices",)),
            SameDtype(("data", "updates")),
            SameDtype(("data", "out")),
            *_tuples("data", "indices", "updates"),
            SameShape(("data", "out")),
            That(_FITS.condition.format("data"), _FITS.message, _FITS.arguments),
            DoneIfEmpty(("data", "indices", "updates")),
            Call("scatter_tuples", "plan data indices updates out Combine::kReplace"),
        ),
        {"out": Output("like data", "same data")},
    ),
    Row(
        "ScatterNdUpdate", _FAMILY,
        (
            Null(("varRef", "indices", "updates")),
            Since("9.1", DtypeIn(_CHANGED | FLOAT8 | dtypes(newest="uint8"), ("varRef",)),
                  before=Since("9.0", DtypeIn(_CHANGED | FLOAT8_E8M0 |
                                              dtypes(newest="float8_e5m2 float8_e4m3fn"),
                                              ("varRef",)),
                               before=DtypeIn(_CHANGED, ("varRef",)))),
            DtypeIn(_NUMBER, ("indices",)),
            SameDtype(("varRef", "updates")),
            # Of more than eight dimensions CANN only warns.
            DoneIfEmpty(("varRef", "indices", "updates")),
            Call("check_tuples_inside", "plan varRef indices updates"),
            Since("9.1", Call("check_gaps", "plan varRef indices")),
            Call("scatter_tuples", "plan varRef indices updates varRef Combine::kReplace"),
        ),
    ),
    Row(
        "TfScatterAdd", _FAMILY,
        (
            Null(("varRef", "indices", "updates")),
            OnlyOn(("910", "A2", "950")),
            DtypeIn(dtypes("float32 float16 bfloat16 int32 int8 uint8"), ("varRef",)),
            DtypeIn(_NUMBER, ("indices",)),
            SameDtype(("varRef", "updates")),
            *_tuples("varRef", "indices", "updates"),
            That("(varRef.shape()[0] != 0 || indices.is_empty()) && "
                 "(fits_numbers(varRef, indices, updates) || "
                 "fits_tuples(varRef, indices, updates))",
                 "updates has shape %s, which is not that of the slices",
                 ("updates.shape().text().c_str()",)),
            DoneIfEmpty(("varRef", "indices", "updates")),
            DoneIf("fits_tuples(varRef, indices, updates)",
                   Call("scatter_tuples", "plan varRef indices updates varRef Combine::kAdd true")),
            Call("scatter_first", "plan varRef indices updates Combine::kAdd true"),
        ),
    ),
    Row(
        "CoalesceSparse", _FAMILY,
        (
            Null(("uniqueLen", "uniqueIndices", "indices", "values", "newIndicesOut",
                  "newValuesOut")),
            OnlyOn(("A2", "950"), inside=True),
            DtypeIn(_NUMBER, ("uniqueLen", "uniqueIndices", "indices")),
            DtypeIn(dtypes("float32 int32 float16"), ("values",)),
            SameDtype(("uniqueLen", "uniqueIndices")),
            SameDtype(("indices", "newIndicesOut")),
            SameDtype(("values", "newValuesOut")),
            Kernel("coalesce_sparse"),
        ),
    ),
    _first("ScatterDiv", "Combine::kDivide"),
    _first("ScatterMax", "Combine::kMaximum"),
    _first("ScatterMin", "Combine::kMinimum"),
    _first("ScatterMul", "Combine::kMultiply"),
)  # fmt: skip
