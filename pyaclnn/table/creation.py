"""Tensors whose elements follow from their places: sequences, the unit matrix, triangles."""

from __future__ import annotations

from .dtypes import REAL_BOOL, Dtypes, dtypes
from .format_steps import Formatted, public_and_same, same_format
from .optional_steps import If
from .output_steps import ShapeOrOne
from .row import Output, Row
from .row_templates import in_place
from .steps import (
    About,
    Call,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    Inside,
    Null,
    NullInside,
    Promotes,
    RankAtMost,
    SameDtype,
    SameShape,
    Step,
    Steps,
    That,
)

_FAMILY = "creation"
_UNSIGNED = dtypes("uint16 uint32 uint64")
_STEPPED = dtypes("float16 float32 float64 int64 int32", "bfloat16")
_OUT_TEXT = ("out.shape().text().c_str()",)
#: float32 and its kind, but no complex numbers.
_REAL = REAL_BOOL | _UNSIGNED


def _stepped(name: str, shape: str, *checks: Step) -> Row:
    """Make the row of a sequence with a step."""
    return Row(
        name, _FAMILY,
        (
            NullInside(("start", "end", "step", "out")),
            DtypeIn(REAL_BOOL, ("start", "end", "step")),
            DtypeIn(_STEPPED, ("out",)),
            *checks,
            Call("check_steps", "check start end step out"),
            DoneIfEmpty(("out",)),
            Call("arange", "plan start step out"),
        ),
        {"out": Output(f"{shape} start end step", "counted_in start end step")},
    )  # fmt: skip


def _triangle(name: str, lower: str, formats: Formatted, *, or_empty: bool = False) -> Row:
    unless = "{0}.is_empty() || " if or_empty else ""
    return Row(
        name, _FAMILY,
        (
            Null(("self", "out")),
            DtypeIn(_REAL | dtypes("", "", "complex64 complex32"), ("self",)),
            SameDtype(("self", "out")),
            *formats("self", "out"),
            RankAtMost(8, ("self", "out")),
            About(lambda matrix: That(unless.format(matrix) + f"{matrix}.rank() >= 2",
                                      f"{matrix} has %zu dimensions, a matrix has two",
                                      (f"{matrix}.rank()",)), ("self",)),
            SameShape(("self", "out")),
            DoneIfEmpty(("self",)),
            Call("triangle", f"plan self diagonal {lower} out"),
        ),
        {"out": Output("like self", "same self")},
    )  # fmt: skip


def _square(name: str, given: Step, accepted: Dtypes, *steps: Step) -> Row:
    return Row(
        name, _FAMILY,
        (given, DtypeIn(accepted, ("self",)), *steps),
        {"out": Output(f"{name.lower()} self diagonal", "same self")},
    )  # fmt: skip


_DIAGONAL = REAL_BOOL | dtypes("complex64")
_TRIL = _triangle("Tril", "true", same_format)
_TRIU = _triangle("Triu", "false", public_and_same, or_empty=True)

ROWS: tuple[Row, ...] = (
    _stepped("Arange", "steps_to"),
    _stepped("Range", "steps_including",
             That("out.rank() > 0", "out has no dimensions, it takes one")),
    Row(
        "Linspace", _FAMILY,
        (
            NullInside(("start", "end", "out")),
            DtypeIn(_REAL, ("start", "end")),
            DtypeIn(dtypes("float32 float16 int32 int8 uint8 float64", "bfloat16 int16 int64"),
                    ("out",)),
            That("steps >= 0 && out.elements() == steps",
                 "steps is %lld, out has %lld elements",
                 ("static_cast<long long>(steps)", "static_cast<long long>(out.elements())")),
            DoneIfEmpty(("out",)),
            Inside("out.rank() == 1 || (steps == 1 && out.rank() <= 8)",
                   "out has %zu dimensions, the numbers have one", ("out.rank()",)),
            Call("linspace", "plan start end out"),
        ),
        {"out": Output("numbers steps", "float32")},
    ),
    Row(
        "Eye", _FAMILY,
        (
            Null(("out",)),
            DtypeIn(dtypes("float32 int32 float16 int8 int16 uint8 int64 bool", "bfloat16"),
                    ("out",)),
            That("out.rank() == 2 && n >= 0 && m >= 0 && out.shape() == Dims({n, m})",
                 "out has shape %s, it must be [%lld, %lld]",
                 (*_OUT_TEXT, "static_cast<long long>(n)", "static_cast<long long>(m)")),
            DoneIfEmpty(("out",)),
            Call("eye", "plan out"),
        ),
        {"out": Output("numbers n m", "float32")},
    ),
    _TRIL, _TRIU, in_place(_TRIL), in_place(_TRIU),
    _square(
        "Diag", Null(("self", "out")), _DIAGONAL,
        SameDtype(("self", "out")),
        RankAtMost(2, ("self",)),
        DoneIf("(self.is_empty() && diagonal == 0) || is_no_diagonal(self.shape(), diagonal)"),
        DoneIf("self.is_empty()", Steps((
            That("self.dtype() != ACL_COMPLEX64", "self has no elements and is complex"),
            Call("diagonal_of_nothing", "plan out"),
        ))),
        ShapeOrOne(("out",), "diag_shape(check, self.shape(), diagonal)"),
        DoneIfEmpty(("out",)),
        Call("diag", "plan self diagonal out"),
    ),
    _square(
        "DiagFlat", NullInside(("self", "out")), _DIAGONAL,
        DtypeIn(_DIAGONAL, ("out",)),
        RankAtMost(8, ("self", "out")),
        DoneIfEmpty(("self",)),
        # The copy to out refuses it, which takes one element for another.
        Inside("same_or_one(out.shape(), diag_flat_shape(check, self, diagonal))",
               "out has shape %s, which is not that of the matrix", _OUT_TEXT),
        Call("diag_flat", "plan self diagonal out"),
    ),
    Row(
        "InplaceFillDiagonal", _FAMILY,
        (
            Null(("selfRef", "fillValue")),
            DtypeIn(REAL_BOOL, ("selfRef",)),
            RankAtMost(8, ("selfRef",)),
            Call("check_fill_diagonal", "check selfRef fillValue"),
            DoneIfEmpty(("selfRef",)),
            Call("fill_diagonal", "plan selfRef fillValue wrap"),
        ),
    ),
    Row(
        "InplaceFillTensor", _FAMILY,
        (
            Null(("selfRef", "value")),
            DtypeIn(_DIAGONAL | dtypes("complex128"), ("selfRef",)),
            RankAtMost(8, ("selfRef",)),
            That("value.rank() <= 1 && value.elements() == 1",
                 "value has shape %s, it must be one number", ("value.shape().text().c_str()",)),
            # Wide unsigned integers have no type in common with others, and are cast all the same.
            If(
                "!DtypeSet{ACL_UINT16, ACL_UINT32, ACL_UINT64}.contains(value.dtype())",
                Promotes(("selfRef", "value")),
            ),
            DoneIfEmpty(("selfRef",)),
            Call("fill_with", "plan value selfRef"),
        ),
    ),
    Row(
        "LogSpace", "pointwise",
        (
            NullInside(("start", "end", "result")),
            DtypeIn(dtypes("float32 float16 bfloat16"), ("result",)),
            That("steps >= 0", "steps is %lld; it must not be negative",
                 ("static_cast<long long>(steps)",)),
            DoneIf("steps == 0"),
            Cpp("check_shape_inside(plan, result, Dims({steps}));"),
            Call("linspace", "plan start end result"),
            Cpp("pointwise(plan, formulas::power_of_scalar, result.dtype(), result.dtype(), result,"
                " {&result}, {Number(double(base))});"),
        ),
        {"result": Output("numbers steps", "float32")},
    ),
)  # fmt: skip
