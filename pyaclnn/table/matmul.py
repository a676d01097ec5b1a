"""Matrix products."""

from __future__ import annotations

from .dtypes import FLOATS
from .row import Output, Row
from .schemes import in_place
from .steps import Cpp, DoneIfEmpty, DtypeIn, Null, ShapeIs, Step, That

_FAMILY = "matmul"
_INCLUDE = ("matmul/matmul.hpp",)


def _rank(name: str, *ranks: int) -> Step:
    allowed = " || ".join(f"{name}.rank() == {r}" for r in ranks)
    words = " or ".join(str(r) for r in ranks)
    return That(allowed, f"{name} has %zu dimensions, it must have {words}", (f"{name}.rank()",))


def _product(name: str, *checks: Step, second: str = "mat2", most: str = "") -> Row:
    ranks = (That(most, "at most 6 dimensions are allowed"),) if most else ()
    return Row(
        name, _FAMILY,
        (
            Null(("self", second, "out")),
            DtypeIn(FLOATS, ("self", second, "out")),
            *checks,
            *ranks,
            Cpp(f"const Dims result_shape = product_shape(check, self, {second});"),
            ShapeIs(("out",)),
            Cpp(f"check_math_type(check, self, {second}, cubeMathType);"),
            DoneIfEmpty(("out",)),
            Cpp(f"matmul(plan, self, {second}, out, cubeMathType);"),
        ),
        {"out": Output(f"product self {second}", f"common self {second}")},
        include=_INCLUDE,
        missing=("private formats",),
    )  # fmt: skip


def _sum(name: str, a: str, b: str, rank: int) -> Row:
    """Make the row of out = beta * self + alpha * a b."""
    return Row(
        name, _FAMILY,
        (
            Null(("self", a, b, "beta", "alpha", "out")),
            DtypeIn(FLOATS, (a, b, "self", "out")),
            _rank(a, rank),
            _rank(b, rank),
            That(f"self.rank() >= 1 && self.rank() <= {rank}", "self has %zu dimensions",
                 ("self.rank()",)),
            Cpp(f"const Dims result_shape = product_shape(check, {a}, {b});"),
            Cpp("check_broadcasts_to(check, self, result_shape);"),
            ShapeIs(("out",)),
            Cpp(f"check_math_type(check, {a}, {b}, cubeMathType);"),
            DoneIfEmpty(("out",)),
            Cpp(f"addmm(plan, self, {a}, {b}, Number(beta), Number(alpha), out, cubeMathType);"),
        ),
        {"out": Output(f"product {a} {b}", f"common self {a} {b}")},
        include=_INCLUDE,
        missing=("private formats",),
    )  # fmt: skip


_addmm = _sum("Addmm", "mat1", "mat2", 2)
_baddbmm = _sum("Baddbmm", "batch1", "batch2", 3)

ROWS: tuple[Row, ...] = (
    _product("Mm", _rank("self", 2), _rank("mat2", 2)),
    _product("Matmul", most="self.rank() <= 6 && mat2.rank() <= 6"),
    _product("BatchMatMul", _rank("self", 3), _rank("mat2", 3)),
    _product("Mv", _rank("self", 2), _rank("vec", 1), second="vec"),
    _addmm,
    in_place(_addmm),
    _baddbmm,
    in_place(_baddbmm),
)
