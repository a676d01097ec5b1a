"""Places in sorted numbers, numbers among others, counts, slices that differ, candidates."""

from __future__ import annotations

from .dtypes import BOOL, COMPLEX, FLOATS, INTEGERS, REAL, REAL_BOOL, dtypes
from .format_steps import NoPrivateFormat, SameFormat
from .optional_steps import If, Since, if_given
from .row import Output, Row
from .shape_steps import Formats
from .steps import (
    LATE_950,
    Call,
    Divides,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    HasShape,
    Inside,
    Kernel,
    Null,
    OnlyOn,
    RankAtMost,
    ResultIs,
    SameDtype,
    SameShape,
    Step,
    That,
)

_FAMILY = "sorting"
_INT64 = dtypes("int64")
_SEARCHED = dtypes("float16 float32 int16 int8 uint8 int32 int64 float64")
#: What CANN makes a tensor of a float of.
_OF_NUMBERS = _SEARCHED | dtypes("bfloat16 uint16 uint32 uint64 bool")
_UNSIGNED = dtypes("uint16 uint32 uint64")
_COUNTED = dtypes("float32 float16 int64 int32 int16 int8 uint8")
_PLACES = "index_type outInt32"

_AS_ASKED = That("out.dtype() == (outInt32 ? ACL_INT32 : ACL_INT64)",
                 "out must be an int32 where outInt32 is true, an int64 otherwise")  # fmt: skip
_SORTER = That("!sorter.given() || sorter.dtype() == ACL_INT64", "sorter must be an int64")


def _slices(name: str, options: Step, *accepted: Step) -> Row:
    """Make the row of an operator that finds slices that differ."""
    return Row(
        name, _FAMILY,
        (
            Null(("self", "valueOut", "inverseOut", "countsOut")),
            *accepted,
            DtypeIn(_INT64, ("inverseOut", "countsOut")),
            SameDtype(("self", "valueOut")),
            RankAtMost(8, ("self",)),
            options,
            DoneIfEmpty(("self",)),
            Call("check_unique_slices", "check valueOut inverseOut countsOut wanted"),
            Call("unique_slices", "plan self valueOut inverseOut countsOut wanted"),
        ),
        {"valueOut": Output("slices_of self dim", "same self"),
         "inverseOut": Output("slice_places self dim", "int64"),
         "countsOut": Output("slice_counts self dim", "int64")},
        found=True,
    )  # fmt: skip


_ALL_BUT_COMPLEX = REAL_BOOL | _UNSIGNED

_TOKENS = {"logitsSelectIdx": Output("(*logits[:-1],)", "int64"),
           "logitsTopKPSelect": Output("like logits", "float32")}  # fmt: skip
_SORTED_TOKENS = {
    "logitsIdx": Output("like logits", "int64"),
    "logitsSortMasked": Output("like logits", "float32"),
}


def _sampled(
    name: str, accepted: str, shares: tuple[str, ...], function: str,
    outputs: dict[str, Output], chips: Step,
) -> Row:  # fmt: skip
    """Make the row of an operator that CANN generates from its kernel."""
    places = tuple(out for out, of in outputs.items() if of.dtype == "int64")
    values = tuple(out for out in outputs if out not in places)
    return Row(
        name, _FAMILY,
        (
            Null(("logits", "topK", "topP", *outputs)),
            chips,
            DtypeIn(dtypes(accepted, "bfloat16"), ("logits",)),
            DtypeIn(dtypes("int32"), ("topK",)),
            SameDtype(("logits", "topP")),
            *(if_given(share, SameDtype(("logits", share))) for share in shares),
            if_given("q", DtypeIn(dtypes("float32"), ("q",))),
            DtypeIn(_INT64, places),
            DtypeIn(dtypes("float32"), values),
            Kernel(function),
        ),
        outputs,
    )  # fmt: skip


_ON_A2 = OnlyOn(("A2",), inside=True)

ROWS: tuple[Row, ...] = (
    Row(
        "SearchSorted", _FAMILY,
        (
            Null(("sortedSequence", "self", "out")),
            DtypeIn(_SEARCHED, ("sortedSequence", "self")),
            _AS_ASKED,
            _SORTER,
            Call("check_search", "check sortedSequence self out sorter"),
            Call("common", "check sortedSequence self", "type"),
            DoneIf("sortedSequence.is_empty() || self.is_empty()",
                   Call("fill_number", "plan out 0")),
            Call("search", "plan type sortedSequence self right &sorter out"),
        ),
        {"out": Output("like self", _PLACES)},
    ),
    Row(
        "SearchSorteds", _FAMILY,
        (
            Null(("sortedSequence", "self", "out")),
            Inside(f"{_OF_NUMBERS.cpp()}.contains(sortedSequence.dtype())",
                   "no number is made of %s", ("dtype_name(sortedSequence.dtype())",)),
            That("!out.is_empty()", "out must have an element"),
            DtypeIn(_SEARCHED, ("sortedSequence",)),
            _AS_ASKED,
            _SORTER,
            if_given("sorter", SameShape(("sortedSequence", "sorter"))),
            That("sortedSequence.rank() == 1", "sortedSequence has %zu dimensions, it must have 1",
                 ("sortedSequence.rank()",)),
            DoneIf("sortedSequence.is_empty()", Call("fill_number", "plan out 0")),
            Call("search_number", "plan sortedSequence self right sorter out"),
        ),
        {"out": Output("one", _PLACES)},
    ),
    Row(
        "Bucketize", _FAMILY,
        (
            Call("check_buckets_exist", "check"),
            Null(("self", "boundaries", "out")),
            DtypeIn(FLOATS | INTEGERS, ("self", "boundaries")),
            _AS_ASKED,
            RankAtMost(8, ("self",)),
            SameShape(("self", "out")),
            That("boundaries.rank() == 1", "boundaries has %zu dimensions, it must have one",
                 ("boundaries.rank()",)),
            DoneIfEmpty(("self",)),
            DoneIf("boundaries.is_empty()", Call("fill_number", "plan out 0")),
            Call("bucket_type", "check self boundaries", "type"),
            Call("search", "plan type boundaries self right nullptr out"),
        ),
        {"out": Output("like self", _PLACES)},
    ),
    Row(
        "IsInScalarTensor", "pointwise",
        (
            Null(("element", "testElements", "out")),
            DtypeIn(REAL, ("element", "testElements")),
            DtypeIn(BOOL, ("out",)),
            Call("scalar_among_type", "check element testElements", "type"),
            RankAtMost(8, ("testElements",)),
            That("out.rank() == 0", "out has %zu dimensions, it is one number", ("out.rank()",)),
            DoneIf("testElements.is_empty()", Call("fill_number", "plan out invert")),
            Call("is_in", "plan type testElements element invert out true"),
        ),
        {"out": Output("scalar", "bool")},
    ),
    Row(
        "IsInTensorScalar", "pointwise",
        (
            Null(("element", "testElement", "out")),
            DtypeIn(REAL, ("element", "testElement")),
            DtypeIn(BOOL, ("out",)),
            Call("among_scalar_type", "check element testElement", "type"),
            RankAtMost(8, ("element", "out")),
            SameShape(("element", "out")),
            DoneIfEmpty(("element",)),
            Call("is_in", "plan type element testElement invert out false"),
        ),
        {"out": Output("like element", "bool")},
    ),
    Row(
        "IsInf", "pointwise",
        (
            Null(("x", "out")),
            DtypeIn(REAL_BOOL, ("x",)),
            DtypeIn(BOOL, ("out",)),
            SameShape(("x", "out")),
            OnlyOn(("310P", "A2", "950"), inside=True),
            Divides("x.rank() <= 8", "x has %zu dimensions, it has at most eight", ("x.rank()",)),
            DoneIfEmpty(("x",)),
            ResultIs("bool"),
            Call("pointwise", "plan formulas::is_infinite x.dtype() result_type out {&x} {}"),
        ),
        {"out": Output("like x", "bool")},
    ),
    Row(
        "Bincount", _FAMILY,
        (
            Null(("self", "out")),
            DtypeIn(INTEGERS, ("self",)),
            DtypeIn(dtypes("float32 float64 int32 int64"), ("out",)),
            if_given("weights", DtypeIn(dtypes(
                "float32 float16 float64 int8 int16 int32 int64 uint8 bool"), ("weights",))),
            NoPrivateFormat(("self", "out")),
            That("self.rank() == 1", "self has %zu dimensions, it must have one",
                 ("self.rank()",)),
            if_given("weights", SameFormat(("self", "weights"))),
            If("weights.given()", HasShape("weights", "self.shape()", "self")),
            DoneIf("self.is_empty()", If("minlength > 0", Call("fill_number", "plan out 0"))),
            Kernel("bincount"),
        ),
    ),
    Row(
        "Histc", _FAMILY,
        (
            Null(("self", "min", "max", "out")),
            DtypeIn(_COUNTED, ("self", "out")),
            Call("check_histogram", "check self bins min max out"),
            DoneIf("self.is_empty()", Call("fill_number", "plan out 0")),
            Kernel("histogram"),
        ),
        {"out": Output("numbers bins", "same self")},
    ),
    _slices(
        "UniqueConsecutive",
        Call("slices_or_elements", "check self dim returnInverse returnCounts", "wanted"),
        DtypeIn(_ALL_BUT_COMPLEX | COMPLEX, ("self",)),
    ),
    _slices(
        "UniqueDim",
        Call("slices_in_order", "check self dim returnInverse", "wanted"),
        DtypeIn(_ALL_BUT_COMPLEX, ("self",)),
        Since("9.1", DtypeIn(_ALL_BUT_COMPLEX, ("self",)),
              before=That("self.dtype() != ACL_BF16 || !on_950()",
                          "self is a bfloat16, which this chip does not have here")),
    ),
    Row(
        "ApplyTopKTopP", _FAMILY,
        (
            Null(("logits", "out")),
            DtypeIn(dtypes("float32 float16 bfloat16"), ("logits",)),
            That("!k.given() || k.dtype() == ACL_INT32", "k must be an int32"),
            if_given("p", SameDtype(("logits", "p"))),
            SameDtype(("logits", "out")),
            That("logits.rank() == 2", "logits has %zu dimensions, it must have two",
                 ("logits.rank()",)),
            SameShape(("logits", "out")),
            If("p.given()", HasShape("p", "Dims({logits.shape()[0]})", "rows of logits")),
            If("k.given()", HasShape("k", "Dims({logits.shape()[0]})", "rows of logits")),
            Formats(("logits", "p", "k", "out")),
            DoneIfEmpty(("logits",)),
            # Phase 1 only logs it; the kernel, which one column does not come to, refuses.
            Inside("p.given() || k.given() || logits.shape()[1] == 1",
                   "there is no kernel without p and k"),
            Kernel("apply_top_k_top_p"),
        ),
        {"out": Output("like logits", "same logits")},
    ),
    _sampled("TopKTopPSample", "float16", (), "top_k_top_p_sample", _TOKENS, _ON_A2),
    _sampled(
        "TopKTopPSampleV2", "float32 float16", ("minPs",), "top_k_top_p_sample_v2",
        {**_TOKENS, **_SORTED_TOKENS},
        OnlyOn(("A2", LATE_950), inside=True),
    ),
)  # fmt: skip
