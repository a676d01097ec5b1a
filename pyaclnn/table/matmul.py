"""Matrix products."""

from __future__ import annotations

from .dtypes import COMPLEX, FLOATS, REAL, dtypes
from .format_steps import FormatIn, FormatNotIn, SameFormat
from .optional_steps import If, Since, if_given
from .row import Output, Row
from .row_templates import in_place
from .shape_steps import Formats, rank_is
from .steps import (
    About,
    Broadcast,
    Call,
    Castable,
    Cpp,
    DoneIfEmpty,
    DtypeIn,
    Inside,
    Kernel,
    Null,
    NullInside,
    On950,
    OnlyOn,
    RankAtMost,
    ResultType,
    SameDtype,
    SameShape,
    ShapeIs,
    Step,
    That,
)

_FAMILY = "matmul"


#: The product is empty and so is the output, or the output has its shape.
_OUT_FITS = About(
    lambda out: That(
        f"result_shape.product() == 0 ? {out}.is_empty() : {out}.shape() == result_shape",
        f"{out} has shape %s, the product %s",
        (f"{out}.shape().text().c_str()", "result_shape.text().c_str()"),
    ),
    ("out",),
)
#: The product and what is added to it are empty, or neither is.
_BOTH_EMPTY = About(
    lambda tensor: That(
        f"{tensor}.is_empty() == (result_shape.product() == 0)",
        f"{tensor} and the product must both be empty, or neither",
    ),
    ("self",),
)
#: The mode that keeps float16 and gives float32 is inner to operators before the 950.
_NO_INNER_MODE = On950(That("cubeMathType != -1", "cubeMathType is -1"))


_SHAPES = ("result_shape.text().c_str()", "out.shape().text().c_str()")
#: CANN brings the product into the shape of the output, which the documents do not allow.
_RESHAPED = (
    Inside(
        "self.is_empty() || mat2.is_empty() || out.elements() == result_shape.product()",
        "the product of shape %s cannot be brought into the shape %s of out",
        _SHAPES,
    ),
    That("out.shape() == result_shape", "the product has shape %s, and out %s", _SHAPES),
)


_LEFT_IN_ND = Call("check_left_format", "plan self mat2 cubeMathType")


def _product(
    name: str, *checks: Step, second: str = "mat2", most: str = "", last: tuple[Step, ...] = (),
    reshapes: bool = False,
) -> Row:  # fmt: skip
    ranks = (That(most, "at most 6 dimensions are allowed"),) if most else ()
    return Row(
        name, _FAMILY,
        (
            Null(("self", second, "out")),
            DtypeIn(FLOATS, ("self", second, "out")),
            *checks,
            *ranks,
            Call("product_shape", f"check self {second}", "result_shape"),
            *(() if reshapes else (ShapeIs(("out",)),)),
            Call("check_known_math_type", f"check self {second} cubeMathType"),
            _NO_INNER_MODE,
            *(_RESHAPED if reshapes else ()),
            DoneIfEmpty(("out",)),
            *last,
            Call("matmul", f"plan self {second} out cubeMathType"),
        ),
        {"out": Output(f"product self {second}", f"common self {second}")},
    )  # fmt: skip


def _sum(
    name: str, a: str, b: str, rank: int, *checks: Step, rounds: str, first: tuple[Step, ...] = (),
    last: tuple[Step, ...] = (), missing: tuple[str, ...] = (),
) -> Row:  # fmt: skip
    """Make the row of out = beta * self + alpha * a b; C++ says what ``rounds`` may be."""
    return Row(
        name, _FAMILY,
        (
            *first,
            Null(("self", a, b, "beta", "alpha", "out")),
            DtypeIn(FLOATS, (a, b, "self", "out")),
            rank_is(a, rank),
            rank_is(b, rank),
            Call("product_shape", f"check {a} {b}", "result_shape"),
            Call("check_broadcasts_to", "check self result_shape"),
            *checks,
            Call("check_known_math_type", f"check {a} {b} cubeMathType"),
            _NO_INNER_MODE,
            Call("check_sum_math_type", "check self result_shape cubeMathType"),
            DoneIfEmpty(("out",)),
            *last,
            Call(
                "addmm",
                f"plan self {a} {b} Number(beta) Number(alpha) out cubeMathType Sum::{rounds}",
            ),
        ),
        {"out": Output(f"product {a} {b}", f"common self {a} {b}")},
        missing=missing,
    )  # fmt: skip


#: Chips that have products with a weight in FRACTAL_NZ.
_WITH_BLOCKS = OnlyOn(("A2", "950"))


def _in_blocks(name: str, rank: int) -> tuple[Step, ...]:
    """Return the steps of operators whose weight is in FRACTAL_NZ."""
    stored = f"{name}.meta().storage_shape.size()"
    return (
        That(f"is_nz({name}.meta().format)", f"{name} is not in FRACTAL_NZ"),
        rank_is(name, rank),
        That(f"{stored} == {rank + 2}", f"{name} is stored with %zu dimensions", (stored,)),
    )


def _in_two(name: str) -> Step:
    """Return the step that refuses a matrix of one row or column."""
    one = f"{name}.shape()[0] != 1 && {name}.shape()[1] != 1"
    return That(
        one, f"{name} of shape %s has one row or column", (f"{name}.shape().text().c_str()",)
    )


_SAME_HALVES = (
    DtypeIn(dtypes("float16 bfloat16"), ("self", "mat2", "out")),
    SameDtype(("self", "mat2", "out")),
)

_addmm = _sum(
    "Addmm", "mat1", "mat2", 2,
    FormatNotIn(("FRACTAL_NZ",), ("self",)),
    # A number has the view of one, and may not be stored as one.
    About(lambda tensor: That(f"!{tensor}.meta().storage_shape.empty()",
                              f"{tensor} is stored without dimensions"), ("self",)),
    _OUT_FITS,
    rounds="kInFloat",
    last=(If("!is_nearly(Number(alpha), 0)",
             Call("check_left_format", "plan mat1 mat2 cubeMathType")),),
)  # fmt: skip
_baddbmm = _sum(
    "Baddbmm", "batch1", "batch2", 3,
    That("batch1.shape()[0] == result_shape[0]",
         "batch1 has %lld matrices, which do not broadcast to %lld",
         ("static_cast<long long>(batch1.shape()[0])", "static_cast<long long>(result_shape[0])")),
    _BOTH_EMPTY,
    ShapeIs(("out",)),
    SameFormat(("batch1", "batch2", "out")),
    rounds="kOfRounded",
    missing=("batches and a result in FRACTAL_NZ",),
)  # fmt: skip

_ANY_REAL = FLOATS | dtypes("float64 int8 uint8 int16 int32 int64 bool")

_addmv = Row(
    "Addmv", _FAMILY,
    (
        Null(("self", "mat", "vec", "alpha", "beta", "out")),
        DtypeIn(_ANY_REAL, ("self", "mat", "vec", "alpha", "beta", "out")),
        Call("addmv_type", "check self mat vec alpha beta", "type"),
        Call("check_castable", "check type out"),
        FormatNotIn(("FRACTAL_NZ",), ("self", "mat", "vec", "out")),
        That("self.rank() <= 1", "self has %zu dimensions, it must have 0 or 1", ("self.rank()",)),
        rank_is("mat", 2),
        rank_is("vec", 1),
        Call("product_shape", "check mat vec", "result_shape"),
        ShapeIs(("out",)),
        Call("check_broadcasts_to", "check self result_shape"),
        Call("check_math_type", "check mat vec cubeMathType"),
        DoneIfEmpty(("self", "out")),
        Call("addmv", "plan self mat vec Number(alpha) Number(beta) type out cubeMathType"),
    ),
    {"out": Output("product mat vec", "common self mat vec")},
)  # fmt: skip

_dot = Row(
    "Dot", _FAMILY,
    (
        Null(("self", "tensor", "out")),
        SameDtype(("self", "tensor", "out")),
        DtypeIn(FLOATS | dtypes("int8 int32 uint8"), ("self",)),
        rank_is("self", 1),
        rank_is("tensor", 1),
        SameShape(("self", "tensor")),
        rank_is("out", 0),
        Call("dot", "plan self tensor out"),
    ),
    {"out": Output("scalar", "same self")},
)  # fmt: skip

_ger = Row(
    "Ger", _FAMILY,
    (
        Null(("self", "vec2", "out")),
        DtypeIn(
            dtypes("float32 float16 float64 int8 uint8 int16 int32 int64 bool complex64 complex128",
                   newest="bfloat16"),
            ("self", "vec2"),
        ),
        ResultType("common", ("self", "vec2")),
        Castable(("out",)),
        rank_is("self", 1),
        rank_is("vec2", 1),
        Cpp("const Dims result_shape{self.shape()[0], vec2.shape()[0]};"),
        ShapeIs(("out",)),
        DoneIfEmpty(("self", "vec2")),
        Call("outer_product", "plan self vec2 result_type out"),
    ),
    {"out": Output("outer self vec2", "common self vec2")},
)  # fmt: skip


def _sum_with_outer(*fits: Step) -> Row:
    """Row of a matrix and an outer product, with more checks of the shapes."""
    return Row(
        "Addr", _FAMILY,
        (
            Null(("self", "vec1", "vec2", "out")),
            DtypeIn(_ANY_REAL, ("self", "vec1", "vec2", "out")),
            *(if_given(n, DtypeIn(_ANY_REAL, (n,)))
              for n in ("betaOptional", "alphaOptional")),
            ResultType("common", ("self", "vec1", "vec2")),
            Call("check_outer_scalars", "check betaOptional alphaOptional result_type"),
            rank_is("vec1", 1),
            rank_is("vec2", 1),
            RankAtMost(2, ("self",)),
            Cpp("const Dims result_shape{vec1.shape()[0], vec2.shape()[0]};"),
            Call("check_broadcasts_to", "check self result_shape"),
            *fits,
            DoneIfEmpty(("vec1", "vec2")),
            ShapeIs(("out",)),
            Call("add_outer_product",
                 "plan self vec1 vec2 betaOptional alphaOptional result_type out"),
        ),
        {"out": Output("outer vec1 vec2", "common self vec1 vec2")},
    )  # fmt: skip


_addr = _sum_with_outer()

_addbmm = Row(
    "Addbmm", _FAMILY,
    (
        Null(("self", "batch1", "batch2", "beta", "alpha", "out")),
        DtypeIn(FLOATS, ("self", "batch1", "batch2", "out")),
        SameDtype(("self", "out")),
        Call("check_known_math_type", "check batch1 batch2 cubeMathType"),
        _NO_INNER_MODE,
        SameFormat(("batch1", "batch2")),
        rank_is("batch1", 3),
        rank_is("batch2", 3),
        Call("product_shape", "check batch1 batch2", "products"),
        Cpp("const Dims result_shape{products[1], products[2]};"),
        _BOTH_EMPTY,
        RankAtMost(2, ("self",)),
        Call("check_broadcasts_to", "check self result_shape"),
        ShapeIs(("out",)),
        DoneIfEmpty(("out",)),
        Call("addbmm", "plan self batch1 batch2 Number(beta) Number(alpha) out cubeMathType"),
    ),
    {"out": Output("sum_of_products batch1 batch2", "same self")},
)  # fmt: skip

_gemm = Row(
    "Gemm", _FAMILY,
    (
        NullInside(("C", "A", "B", "out")),
        DtypeIn(FLOATS, ("A", "B", "C", "out")),
        rank_is("A", 2),
        rank_is("B", 2),
        Cpp("const Dims result_shape = gemm_shape(check, A, B, transA != 0, transB != 0);"),
        Call("check_broadcasts_to", "check C result_shape"),
        _OUT_FITS,
        Call("check_math_type", "check A B cubeMathType"),
        Formats(("A", "B", "C", "out")),
        DoneIfEmpty(("C", "out")),
        Cpp("gemm(plan, A, B, C, Number(alpha), Number(beta), transA != 0, transB != 0, out,"
            " cubeMathType);"),
    ),
    {"out": Output("gemm A B transA transB", "common A B C")},
)  # fmt: skip

_cross = Row(
    "LinalgCross", _FAMILY,
    (
        Null(("self", "other", "out")),
        DtypeIn(REAL | COMPLEX, ("self",)),
        SameDtype(("self", "other", "out")),
        RankAtMost(8, ("self", "other", "out")),
        Broadcast(("self", "other")),
        ShapeIs(("out",)),
        Call("cross_axis", "check self other dim result_shape", "axis"),
        DoneIfEmpty(("out",)),
        Call("cross_product", "plan self other axis out"),
    ),
    {"out": Output("broadcast self other", "same self")},
)  # fmt: skip


def _weight_quant(name: str, *checks: Step) -> Row:
    """Make the row of a product with a weight that scales and offsets restore."""
    return Row(
        name, _FAMILY,
        (
            OnlyOn(("310P", "A2", "950")),
            Null(("x", "weight", "antiquantScale", "y")),
            *checks,
            Kernel("weight_quant_matmul_plain", of="WeightQuantBatchMatmulV3"),
        ),
        # Words hold numbers of the depth where they were exchanged with the columns. On the 310P
        # blocks have columns first.
        {"y": Output(
            "(*matrix_product(x, weight, False, weight.dtype == 'int8' and weight[-2] != x[-1])"
            "[:-1], weight[-1] * 8 if weight.dtype in ('int32', 'float32') and weight[-2] == x[-1] "
            "else weight[-2] if weight.dtype == 'int8' and weight[-2] != x[-1] else weight[-1])",
            "int8 if quantScaleOptional is not None else same x")},
    )  # fmt: skip


_precise = That("innerPrecise == 0 || innerPrecise == 1", "innerPrecise is %lld, neither 0 nor 1",
                ("(long long)innerPrecise",))  # fmt: skip

ROWS: tuple[Row, ...] = (
    Row(
        "WeightQuantBatchMatmulNz",
        _FAMILY,
        (Kernel("weight_quant_matmul_nz", of="WeightQuantBatchMatmulV3"),),
        {"y": Output("(x[0], antiquantScale[-1])", "same x")},
    ),
    _weight_quant("WeightQuantBatchMatmulV2"),
    _weight_quant("WeightQuantBatchMatmulV3", _precise),
    _product("Mm", rank_is("self", 2), rank_is("mat2", 2), last=(_LEFT_IN_ND,)),
    _product(
        "Matmul",
        FormatNotIn(("FRACTAL_NZ",), ("self", "out")),
        most="self.rank() <= 6 && mat2.rank() <= 6",
        last=(_LEFT_IN_ND,),
        reshapes=True,
    ),
    _product(
        "BatchMatMul",
        FormatNotIn(("FRACTAL_NZ",), ("self", "out")),
        rank_is("self", 3),
        rank_is("mat2", 3),
    ),
    _product(
        "MatmulWeightNz",
        If(
            "!on_a2_or_a3()",
            That(
                "self.dtype() != ACL_FLOAT && mat2.dtype() != ACL_FLOAT",
                "%s has no float32 weights in FRACTAL_NZ",
                ("chip().name",),
            ),
        ),
        That(
            "cubeMathType != 0 || self.dtype() != ACL_FLOAT || out.dtype() != ACL_FLOAT16",
            "float32 is kept, out is float16",
        ),
        That(
            "(self.dtype() == ACL_BF16) == (mat2.dtype() == ACL_BF16) || self.dtype() == ACL_FLOAT"
            " || mat2.dtype() == ACL_FLOAT",
            "float16 and bfloat16 do not go together",
        ),
        rank_is("self", 2),
        Since("9.1", OnlyOn(("310P", "A2", "950")), _WITH_BLOCKS),
        *_in_blocks("mat2", 2),
        _in_two("mat2"),
        last=(
            If(
                "on_310p() && !self.is_empty()",
                That(
                    "cubeMathType >= -1 && cubeMathType <= 4",
                    "cubeMathType is %d",
                    ("int(cubeMathType)",),
                ),
            ),
            If("!self.is_empty()", FormatIn(("ND",), ("self",))),
            If(
                "!self.is_empty()",
                That(
                    "mat2.meta().storage_shape.product() == stored_in_blocks(mat2)",
                    "mat2 is stored in %s, which its blocks do not fill",
                    ("mat2.meta().storage_shape.text().c_str()",),
                ),
            ),
        ),
    ),
    _product(
        "BatchMatMulWeightNz",
        *_SAME_HALVES,
        rank_is("self", 3),
        _WITH_BLOCKS,
        *_in_blocks("mat2", 3),
    ),
    _sum(
        "AddmmWeightNz",
        "mat1",
        "mat2",
        2,
        FormatIn(("ND",), ("self", "mat1")),
        That("self.rank() > 0", "self has no dimensions"),
        *_in_blocks("mat2", 2),
        DtypeIn(dtypes("float16 bfloat16"), ("mat1", "mat2")),
        SameDtype(("mat1", "mat2")),
        _in_two("mat2"),
        _OUT_FITS,
        rounds="kBiased",
        first=(_WITH_BLOCKS,),
    ),
    _product(
        "Mv",
        SameDtype(("out", "vec")),
        If("!self.is_empty()", SameDtype(("self", "vec"))),
        rank_is("self", 2),
        rank_is("vec", 1),
        second="vec",
    ),
    _addmm,
    in_place(_addmm),
    _baddbmm,
    in_place(_baddbmm),
    _addmv,
    _dot,
    _ger,
    _addr,
    in_place(_sum_with_outer(ShapeIs(("out",)))),
    _addbmm,
    in_place(_addbmm),
    _gemm,
    _cross,
)
