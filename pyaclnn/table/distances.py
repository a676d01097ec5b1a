"""Distances of points, overlaps of boxes, transport plans, and gradients of distances.

Sources are the ``aclnn_*.cpp`` of CANN 9.0 that bear the operators' names.
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
    HasShape,
    Inside,
    Kernel,
    KernelExists,
    Null,
    NullInside,
    OnlyOn,
    RankAtMost,
    SameDtype,
    SameShape,
    Step,
    That,
)

_FAMILY, _DISTANCE = "pointwise", "embedding"


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
            Call("pair_distances", f"plan self {p} out"),
        ),
        {"out": Output("pairs self", "same self")},
    )  # fmt: skip


_CDIST = ("grad", "x1", "x2", "cdist", "out")
_CHAMFER = ("xyz1", "xyz2", "idx1", "idx2", "gradDist1", "gradDist2")
_POINTS = dtypes("float32 float16")
#: CANN's comparison of chips holds for all of them; where the kernel is looked for it is missing.
_ALL = dtypes("float32 float16 bfloat16")
_ON_A2 = KernelExists("on_a2_or_a3()")
#: Where A2 computes bfloat16 as float32, the 950 has no kernel.
_LATE = KernelExists("on_a2_or_a3() || (on_late_950() && grad.dtype() != ACL_BF16)")

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
            Kernel("distances"),
        ),
        {"out": Output("distances x1 x2", "same x1")},
    ),
    _pairs(
        "Pdist", Null(("self", "out")), "p",
        That("p >= 0", "p is %g, it must not be negative", ("double(p)",)),
    ),
    _pairs(
        "PdistForward", NullInside(("self", "pScalar", "out")), "float(pScalar->to_double())",
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
            KernelExists("chip().has_bf16() || (on_310p() && bBoxes.dtype() != ACL_BF16)"),
            Cpp('overlaps(plan, bBoxes, gtBoxes, mode.text == "iou", eps, aligned, overlap);'),
        ),
        {"overlap": Output("overlaps bBoxes gtBoxes aligned", "same bBoxes")},
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
        missing=("a tolerance that 1000 rounds do not reach: there the iteration ends",),
    ),
    Row(
        "CdistBackward", "embedding",
        (
            Null(_CDIST),
            DtypeIn(_ALL, _CDIST),
            SameDtype(_CDIST),
            RankAtMost(7, ("grad",)),
            That("grad.rank() >= 2", "grad has %zu dimensions, it must have 2 or more",
                 ("grad.rank()",)),
            *(That(f"{name}.rank() == grad.rank()",
                   f"{name} has %zu dimensions, it must have %zu as grad has",
                   (f"{name}.rank()", "grad.rank()")) for name in _CDIST[1:]),
            Call("pairs_shape", "check x1 x2", "pairs"),
            HasShape("cdist", "Dims(pairs.begin(), grad.rank())",
                     "a distance for each pair of points"),
            SameShape(("cdist", "grad")),
            SameShape(("x1", "out")),
            That("p == -1.0f || !(p < 0.0f)", "p is %g, it must not be negative", ("double(p)",)),
            DoneIfEmpty(_CDIST[:-1]),
            Inside("chip().has_bf16() || grad.dtype() != ACL_BF16",
                   "there is no kernel of bfloat16"),
            _LATE,
            Call("cdist_gradient", "plan pairs grad x1 x2 cdist p out"),
        ),
        {"out": Output("like x1", "same x1")},
    ),
    Row(
        "ChamferDistanceBackward", "embedding",
        (
            Null((*_CHAMFER, "gradXyz1", "gradXyz2")),
            DtypeIn(_POINTS, ("xyz1", "xyz2")),
            DtypeIn(dtypes("int32"), ("idx1", "idx2")),
            DtypeIn(_POINTS, ("gradDist1", "gradDist2", "gradXyz1", "gradXyz2")),
            DoneIfEmpty(_CHAMFER),
            _ON_A2,
            Kernel("check_chamfer_gradient"),
            Kernel("chamfer_gradient"),
        ),
        {"gradXyz1": Output("like xyz1", "same xyz1"),
         "gradXyz2": Output("like xyz2", "same xyz2")},
    ),
)  # fmt: skip
