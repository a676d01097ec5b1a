"""Linear algebra: systems of equations, inverses, factorisations."""

from __future__ import annotations

from .dtypes import dtypes
from .format_steps import public_and_same
from .optional_steps import if_given
from .row import Output, Row
from .steps import (
    LATE_950,
    Call,
    Cpp,
    DoneIf,
    DoneIfEmpty,
    DtypeIn,
    Null,
    NullInside,
    OnlyOn,
    RankAtMost,
    SameDtype,
    ShapeIs,
    ShapeOf,
    Step,
    That,
)

_FAMILY = "linalg"

_EXACT = dtypes("float32 float64 complex64 complex128")
_WITH_HALF = _EXACT | dtypes("float16")
#: CANN leaves the chip to the search for a kernel; that of the 950 came with 9.1.
_SINCE_9_1 = OnlyOn(("A2", LATE_950), inside=True)


def _matrices(*names: str) -> tuple[Step, ...]:
    return tuple(
        That(f"{n}.rank() >= 2 && {n}.rank() <= 8", f"{n} has %zu dimensions, it must have 2 to 8",
             (f"{n}.rank()",))
        for n in names
    )  # fmt: skip


def _square(name: str) -> Step:
    shape = f"{name}.shape()"
    return That(
        f"{shape}[{name}.rank() - 2] == {shape}.back()",
        f"{name} of shape %s holds matrices that are not square", (f"{shape}.text().c_str()",),
    )  # fmt: skip


_triangular_solve = Row(
    "TriangularSolve", _FAMILY,
    (
        NullInside(("self", "A", "xOut")),
        DtypeIn(_EXACT, ("self", "A", "xOut")),
        SameDtype(("self", "A", "xOut")),
        if_given("mOut", SameDtype(("self", "mOut"))),
        *_matrices("self", "A", "xOut"),
        _square("A"),
        Call("check_equations", "check self A xOut mOut"),
        DoneIfEmpty(("A", "self")),
        That("!unitriangular || A.dtype() == ACL_FLOAT", "unitriangular goes with float32 only"),
        Call("triangular_solve", "plan self A {upper, transpose, unitriangular} xOut mOut"),
    ),
    {
        "xOut": Output("equations self A", "same self"),
        "mOut": Output("equations A self", "same self"),
    },
)  # fmt: skip

_inverse = Row(
    "Inverse", _FAMILY,
    (
        Null(("self", "out")),
        _SINCE_9_1,
        DtypeIn(_WITH_HALF, ("self",)),
        Call("check_castable", "check self.dtype() out"),
        ShapeOf("self"),
        ShapeIs(("out",)),
        RankAtMost(8, ("self",)),
        DoneIfEmpty(("self",)),
        *_matrices("self"),
        _square("self"),
        Call("invert", "plan self out"),
    ),
    {"out": Output("like self", "same self")},
)  # fmt: skip


def _qr(name: str, attribute: str, complete: str, wants_q: str, chips: tuple[str, ...]) -> Row:
    return Row(
        name, _FAMILY,
        (
            NullInside(("self", "Q", "R")),
            OnlyOn(chips, inside=True),
            DtypeIn(_WITH_HALF, ("self", "Q", "R")),
            *_matrices("self"),
            Cpp(f"check_qr(check, self, {complete}, {wants_q}, Q, R);"),
            DoneIf("self.is_empty() && Q.is_empty()"),
            Cpp(f"factor_qr(plan, self, Q, {wants_q}, R);"),
        ),
        {
            "Q": Output(f"{attribute}_q self {attribute}", "same self"),
            "R": Output(f"{attribute}_r self {attribute}", "same self"),
        },
    )  # fmt: skip


_cholesky = Row(
    "LinalgCholesky", _FAMILY,
    (
        Null(("self", "out")),
        OnlyOn(("A2", "950")),
        OnlyOn(("A2",), inside=True),
        SameDtype(("self", "out")),
        DtypeIn(dtypes("float32 float16", "bfloat16"), ("self",)),
        *public_and_same("self", "out"),
        *_matrices("self"),
        ShapeOf("self"),
        ShapeIs(("out",)),
        _square("self"),
        DoneIfEmpty(("self",)),
        Call("factor_cholesky", "plan self upper out"),
    ),
    {"out": Output("like self", "same self")},
)  # fmt: skip

_svd = Row(
    "Svd", _FAMILY,
    (
        Null(("input", "sigma", "u", "v")),
        _SINCE_9_1,
        DtypeIn(_EXACT, ("input", "sigma", "u", "v")),
        SameDtype(("input", "sigma", "u", "v")),
        *_matrices("input"),
        Call("check_svd", "check input fullMatrices computeUV sigma u v"),
        DoneIfEmpty(("input",)),
        Call("factor_svd", "plan input fullMatrices computeUV sigma u v"),
    ),
    {
        "sigma": Output("svd_values input", "same input"),
        "u": Output("svd_left input fullMatrices", "same input"),
        "v": Output("svd_right input fullMatrices", "same input"),
    },
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
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _triangular_solve,
    _inverse,
    # Modes: reduced, complete, R alone.
    _qr("LinalgQr", "mode", "mode == 1", "mode != 2", ("910", "A2")),
    _qr("Qr", "some", "!some", "true", ("910", "A2", "950")),
    _cholesky,
    _svd,
    _determinants("Logdet", ("out",), ("910", "A2", "950")),
    _determinants("Slogdet", ("signOut", "logOut"), ("910", "310P", "A2", LATE_950)),
)
