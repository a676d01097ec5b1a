"""Distances, overlaps, determinants, signs as bits, sums of stretches, transport plans.

Sources are the ``aclnn_*.cpp`` of CANN 9.0 that bear the operators' names; that of ExpSegsum is
``aclnn_segsum.cpp``. RepeatInterleaveGrad is generated from its kernel.
"""

from __future__ import annotations

from .dtypes import FLOATS, dtypes
from .row import Output, Row
from .shape_steps import Formats
from .steps import (
    Call,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    KernelExists,
    Null,
    OnlyOn,
    RankAtMost,
    SameDtype,
    SameShape,
    Step,
    That,
)

_FAMILY, _DISTANCE = "pointwise", "embedding"
_INCLUDE = (
    "activation/gated_rows.hpp",
    "common/format.hpp",
    "common/kernel_checks.hpp",
    "embedding/distances.hpp",
    "linalg/determinant.hpp",
    "pointwise/checks.hpp",
    "pointwise/sign_bits.hpp",
    "pointwise/sinkhorn.hpp",
    "pointwise/whole.hpp",
    "reduction/segments.hpp",
)
_EXACT = dtypes("float32 float64 complex64 complex128")
_ALONE_950 = ("950",)


def _pairs(name: str, null: Step, p: str, positive: That) -> Row:
    """Make the row of distances between the rows of one matrix."""
    return Row(
        name, _DISTANCE,
        (
            null,
            DtypeIn(dtypes("float16 float32"), ("self", "out")),
            SameDtype(("self", "out")),
            Call("check_pairs", "check self out"),
            positive,
            DoneIf("self.shape()[0] <= 1"),
            OnlyOn(("910", "A2"), late=True),
            Cpp(f"pair_distances(plan, self, {p}, out);"),
        ),
        {"out": Output("pairs self", "same self")},
        include=_INCLUDE,
    )  # fmt: skip


def _determinants(name: str, outs: tuple[str, ...], chips: tuple[str, ...]) -> Row:
    """Make the row of logarithms of determinants."""
    tensors = ("self", *outs)
    complex_ = tuple(
        That(f"!is_complex(self.dtype()) || is_complex({out}.dtype())",
             f"self is complex, {out} is not")
        for out in outs
    )  # fmt: skip
    return Row(
        name, "linalg",
        (
            Null(tensors),
            DtypeIn(_EXACT, tensors),
            *complex_,
            *(Call("check_determinants", f"check self {out}") for out in outs),
            DoneIfEmpty(("self",)),
            OnlyOn(chips, inside=True),
            Call("log_determinants", f"plan {' '.join(tensors)}"),
        ),
        {out: Output("batch_of self", "same self") for out in outs},
        include=(*_INCLUDE, "linalg/batch.hpp"),
    )  # fmt: skip


_CHIPS_WITH_BITS = ("310P", "A2")

ROWS: tuple[Row, ...] = (
    Row(
        "Cdist", _DISTANCE,
        (
            Null(("x1", "x2", "out")),
            OnlyOn(("A2", "950")),
            DtypeIn(FLOATS, ("x1", "x2", "out")),
            SameDtype(("x1", "x2", "out")),
            RankAtMost(8, ("x1", "x2", "out")),
            *(That(f"{name}.rank() >= 2", f"{name} has %zu dimensions, it must have 2 or more",
                   (f"{name}.rank()",)) for name in ("x1", "x2", "out")),
            That("x1.shape().back() == x2.shape().back()",
                 "points of x1 have %lld coordinates, those of x2 %lld",
                 ("static_cast<long long>(x1.shape().back())",
                  "static_cast<long long>(x2.shape().back())")),
            That("p >= 0", "p is %g, it must not be negative", ("double(p)",)),
            That("!(std::fabs(double(p) - 2.0) < 1e-6) || compute_mode == 2",
                 "compute_mode is %lld; beside p = 2 it must be 2",
                 ("static_cast<long long>(compute_mode)",)),
            Call("distances", "check plan x1 x2 p out"),
        ),
        {"out": Output("distances x1 x2", "same x1")},
        include=_INCLUDE,
    ),
    _pairs(
        "Pdist", Null(("self", "out")), "p",
        That("p >= 0", "p is %g, it must not be negative", ("double(p)",)),
    ),
    _pairs(
        "PdistForward", Null(("self", "pScalar", "out")), "float(pScalar->to_double())",
        That("!(pScalar->to_double() < 0)", "pScalar is %g, it must not be negative",
             ("pScalar->to_double()",)),
    ),
    Row(
        "Iou", _DISTANCE,
        (
            Null(("bBoxes", "gtBoxes", "mode", "overlap")),
            SameDtype(("bBoxes", "gtBoxes", "overlap")),
            DtypeIn(dtypes("float32 float16 bfloat16"), ("bBoxes",)),
            Formats(("bBoxes", "gtBoxes", "overlap")),
            That('mode.text == "iou" || mode.text == "iof"', "mode is %s, it must be iou or iof",
                 ("mode.text.c_str()",)),
            That("!(eps < 0)", "eps is %g, it must not be negative", ("double(eps)",)),
            Call("check_boxes", "check bBoxes gtBoxes aligned overlap"),
            DoneIfEmpty(("bBoxes", "gtBoxes")),
            KernelExists("config().has_bf16() || (on_310p() && bBoxes.dtype() != ACL_BF16)"),
            Cpp('overlaps(plan, bBoxes, gtBoxes, mode.text == "iou", eps, aligned, overlap);'),
        ),
        {"overlap": Output("overlaps bBoxes gtBoxes aligned", "same bBoxes")},
        include=_INCLUDE,
    ),
    _determinants("Logdet", ("out",), ("910", "A2", "950")),
    _determinants("Slogdet", ("signOut", "logOut"), ("910", "310P", "A2")),
    Row(
        "SignBitsPack", _FAMILY,
        (
            Null(("self", "out")),
            OnlyOn(_CHIPS_WITH_BITS),
            DtypeIn(dtypes("float32 float16"), ("self",)),
            DtypeIn(dtypes("uint8"), ("out",)),
            Formats(("self", "out")),
            Call("sign_bytes", "self.elements()", "bytes"),
            Call("check_sign_bits", "check self size bytes out"),
            DoneIfEmpty(("self", "out")),
            Cpp("check_shape_inside(plan, out, Dims({size, bytes / size}));"),
            Call("pack_signs", "plan self out"),
        ),
        {"out": Output("sign_bytes self size", "uint8")},
        include=_INCLUDE,
    ),
    Row(
        "SignBitsUnpack", _FAMILY,
        (
            Null(("self", "out")),
            OnlyOn(_CHIPS_WITH_BITS),
            DtypeIn(dtypes("uint8"), ("self",)),
            DtypeIn(dtypes("float32 float16"), ("out",)),
            That("out.dtype() == dtype", "out is not of the type asked for"),
            Formats(("self", "out")),
            That("self.elements() <= INT64_MAX / 8", "self has more elements than can be unpacked"),
            Cpp("const std::int64_t numbers = self.elements() * 8;"),
            Call("check_sign_bits", "check self size numbers out"),
            That("out.shape()[0] == size", "out has shape %s, it must have %lld rows",
                 ("out.shape().text().c_str()", "static_cast<long long>(size)")),
            DoneIfEmpty(("self", "out")),
            Cpp("check_shape_inside(plan, out, Dims({size, numbers / size}));"),
            Call("unpack_signs", "plan self out"),
        ),
        {"out": Output("sign_numbers self size", "given dtype")},
        include=_INCLUDE,
    ),
    Row(
        "PrecisionCompare", _FAMILY,
        (
            OnlyOn(("A2", "950")),
            Null(("golden", "realdata", "out")),
            SameDtype(("golden", "realdata")),
            DtypeIn(FLOATS, ("golden",)),
            DtypeIn(dtypes("uint32"), ("out",)),
            SameShape(("golden", "realdata")),
            RankAtMost(8, ("golden",)),
            That("out.rank() == 0", "out has %zu dimensions, it must have none", ("out.rank()",)),
            DoneIfEmpty(("golden",)),
            Call("compare_precision", "plan golden realdata out"),
        ),
        {"out": Output("scalar", "uint32")},
        include=_INCLUDE,
        missing=("whether NaN is the same as NaN, of which no document speaks: it is not",),
    ),
    Row(
        "ExpSegsum", _FAMILY,
        (
            # CANN looks for elements first, which a null argument does not survive there.
            Null(("self",)),
            DoneIfEmpty(("self",)),
            Null(("out",)),
            DtypeIn(FLOATS, ("self",)),
            SameDtype(("self", "out")),
            Call("check_exp_segsum", "check self out"),
            Formats(("self", "out")),
            OnlyOn(("A2",), inside=True),
            Call("exp_segsum", "plan self out"),
        ),
        {"out": Output("with_last_twice self", "same self")},
        include=_INCLUDE,
    ),
    Row(
        "RepeatInterleaveGrad", "copy",
        (
            Null(("yGrad", "repeats", "out")),
            OnlyOn(_ALONE_950, inside=True),
            DtypeIn(FLOATS, ("yGrad", "out")),
            DtypeIn(dtypes("int32 int64"), ("repeats",)),
            SameDtype(("yGrad", "out")),
            Call("check_dense", "check {&out}"),
            Call("check_repeats", "plan yGrad repeats axis out", "along"),
            DoneIfEmpty(("out",)),
            Call("sum_repeats", "plan yGrad repeats along out"),
        ),
        {"out": Output("uninterleaved yGrad repeats axis", "same yGrad")},
        include=_INCLUDE,
    ),
    Row(
        "Sinkhorn", _FAMILY,
        (
            Null(("cost", "p")),
            DtypeIn(FLOATS, ("cost", "p")),
            That("cost.rank() == 2", "cost has %zu dimensions, it must have 2", ("cost.rank()",)),
            SameShape(("cost", "p")),
            That("cost.shape()[1] <= 4096", "cost has %lld columns, at most 4096 are allowed",
                 ("static_cast<long long>(cost.shape()[1])",)),
            DoneIfEmpty(("cost",)),
            # CANN writes the plan as it was computed, in float32.
            That("cost.dtype() != ACL_FLOAT || p.dtype() == ACL_FLOAT",
                 "cost is float32, p must be, too"),
            Call("check_dense", "check {&p}"),
            OnlyOn(("A2",), inside=True),
            Call("sinkhorn", "plan cost tol p"),
        ),
        {"p": Output("like cost", "same cost")},
        include=_INCLUDE,
        missing=("a tolerance that 1000 rounds do not reach: there the iteration ends",),
    ),
)  # fmt: skip
