"""Norms of vectors."""

from __future__ import annotations

from .dtypes import FLOATS, REAL_BOOL, dtypes
from .optional_steps import If
from .row import Output, Row
from .row_templates import in_place
from .shape_steps import Axes, Axis
from .steps import (
    About,
    Call,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    Null,
    OnlyOn,
    Promotes,
    RankAtMost,
    SameDtype,
    SameShape,
    Step,
    That,
)


def _norm() -> Row:
    """Make the row of the norm of vectors.

    Before the 950 any real number has a norm, computed in float32 where CANN has no kernel.
    """
    own = "order == 0 || order == 1 || order == 2 || order == 3 || std::isinf(order)"
    return Row(
        "LinalgVectorNorm", "matmul",
        (
            Null(("self", "ord", "dims", "out")),
            That("out.dtype() == dtype", "out is not of the type asked for"),
            If("on_950()", DtypeIn(FLOATS, ("self", "out"))),
            If("on_950()", That(
                "self.dtype() == dtype || dtype == ACL_FLOAT",
                "dtype is %d, it must be that of self or float32", ("int(dtype)",),
            )),
            DtypeIn(REAL_BOOL, ("self", "out")),
            Promotes(("self", "out")),
            Axes("dims.values()"),
            RankAtMost(8, ("self", "out")),
            That("out.shape() == reduced_shape(self.shape(), axes, keepDims)",
                 "out has shape %s, which is not that of self without these dimensions",
                 ("out.shape().text().c_str()",)),
            DoneIfEmpty(("out",)),
            DoneIf("self.is_empty()", Call("launch_zero", "plan out")),
            Call("norm_order", "ord->to_double()", "order"),
            Cpp(f"const bool in_own = chip().has_bf16() && (on_950() || {own}) && "
                f"self.dtype() == dtype && {FLOATS.cpp()}.contains(dtype);"),
            Call("own_or_float", "in_own dtype", "computed"),
            Call("vector_norm", "plan order computed self out axes keepDims"),
        ),
        {"out": Output("reduced self dims keepDims", "given dtype")},
        missing=("complex numbers, whose real parts count before the 950",),
    )  # fmt: skip


def _is_matrix(name: str) -> Step:
    return That(f"{name}.rank() >= 2", "there must be at least 2 dimensions")


_renorm = Row(
    "Renorm", "reduction",
    (
        Null(("self", "p", "maxNorm", "out")),
        # CANN's comparison of chips takes the 310P for one of the newer ones.
        If("on_310p()", DtypeIn(dtypes("float32 float16 bfloat16"), ("self", "out")),
           DtypeIn(FLOATS, ("self", "out"))),
        SameDtype(("self", "out")),
        About(lambda a, b: That(f"{a}.meta().format == {b}.meta().format",
                                f"{a} and {b} differ in format"), ("self", "out")),
        *(About(_is_matrix, (name,)) for name in ("self", "out")),
        RankAtMost(8, ("self", "out")),
        SameShape(("self", "out")),
        That("!(p->to_double() < 0)", "p is %g, it must not be below 0", ("p->to_double()",)),
        Axis(),
        That("!(maxNorm->to_double() < 0)", "maxNorm is %g, it must not be below 0",
             ("maxNorm->to_double()",)),
        DoneIfEmpty(("self",)),
        OnlyOn(("910", "A2", "950"), late=True),
        Call("renorm", "plan self p axis maxNorm out"),
    ),
    {"out": Output("like self", "same self")},
)  # fmt: skip

ROWS: tuple[Row, ...] = (_norm(), _renorm, in_place(_renorm))
