"""Quantisation in blocks: of rows, of columns, of both, and rectangles."""

from __future__ import annotations

from .dtypes import FLOATS, Dtypes, dtypes
from .quant import _HYBRID
from .row import Output, Row
from .steps import DoneIfEmpty, DtypeIn, Given, Kernel, Null, OnlyOn, SameShape, Step, That

_FAMILY = "quant"
_HALVES = dtypes("float16 bfloat16")
_FLOAT8 = dtypes("float8_e5m2 float8_e4m3fn")
_MX = dtypes("float8_e5m2 float8_e4m3fn float4_e2m1fn float4_e1m2")
_E8M0 = dtypes("float8_e8m0fnu")
#: Of which the kernel does not know: it writes numbers behind one another.
GAPS = "outputs of float4 with gaps"
_FLOAT32 = dtypes("float32")
_950_ONLY = OnlyOn(("950",), inside=True)

_ROW_PAIRS = Output("(*x[:-1], -(-x[-1] // 64), 2)", "float8_e8m0fnu")
_COLUMN_PAIRS = Output("(*x[:-2], -(-x[-2] // 64), x[-1], 2)", "float8_e8m0fnu")
_LIKE_X = Output("like x", "given dstType")


def _generated(
    name: str, function: str, of: str, inputs: dict[str, Dtypes],
    outputs: dict[str, tuple[Dtypes, Output]], *more: Step, chips: OnlyOn = _950_ONLY,
    missing: tuple[str, ...] = (), given: dict[str, str] | None = None,
) -> Row:  # fmt: skip
    """Make a row of an operator whose first phase asks for null, its chip and dtypes only."""
    dtypes_of = {**inputs, **{n: d for n, (d, _) in outputs.items()}}
    return Row(
        name, _FAMILY,
        (
            Null(tuple(dtypes_of)),
            chips,
            *(DtypeIn(d, (n,)) for n, d in dtypes_of.items()),
            *more,
            Kernel(function, of=of, given=given or {}),
        ),
        {n: o for n, (_, o) in outputs.items()},
        missing=missing,
    )  # fmt: skip


def _mx(name: str, x: Dtypes) -> Row:
    scales = Output(
        "(*x[: axis % len(x)], -(-(-(-x[axis] // blocksize)) // 2), *x[axis % len(x) + 1 :], 2)",
        "float8_e8m0fnu",
    )
    return _generated(
        name, "dynamic_mx_quant", "DynamicMxQuantV3", {"x": x},
        {"yOut": (_MX, _LIKE_X), "mxscaleOut": (_E8M0, scales)}, missing=(GAPS,),
    )  # fmt: skip


def _dual_axis(name: str) -> Row:
    return _generated(
        name, "dynamic_mx_quant_with_dual_axis", "DynamicMxQuantWithDualAxisV2", {"x": _HALVES},
        {
            "y1Out": (_MX, _LIKE_X),
            "mxscale1Out": (_E8M0, _ROW_PAIRS),
            "y2Out": (_MX, _LIKE_X),
            "mxscale2Out": (_E8M0, _COLUMN_PAIRS),
        },
        missing=(GAPS,),
    )  # fmt: skip


_RECTANGLES = {
    False: "(*x[:-2], -(-x[-2] // rowBlockSize), -(-x[-1] // colBlockSize))",
    True: "(*x[:-2], x[-2] // rowBlockSize + groupList[0], -(-x[-1] // colBlockSize))",
}


def _rectangles(name: str, *, grouped: bool) -> Row:
    # Atlas A2 quantises to int8, the 950 to floats of a byte; only it has groups.
    y = Dtypes((), (), ("hifloat8", "float8_e5m2", "float8_e4m3fn"), () if grouped else ("int8",))
    function = "grouped_dynamic_block_quant" if grouped else "dynamic_block_quant"
    inputs = {"x": _HALVES, **({"groupList": dtypes("int32")} if grouped else {})}
    return _generated(
        name, function, ("Grouped" if grouped else "") + "DynamicBlockQuantV2", inputs,
        {"yOut": (y, _LIKE_X), "scaleOut": (_FLOAT32, Output(_RECTANGLES[grouped], "float32"))},
        chips=_950_ONLY if grouped else OnlyOn(("A2", "950"), inside=True),
        missing=(_HYBRID,) if grouped else (),
    )  # fmt: skip


def _grouped_mx(name: str, *more: Step) -> Row:
    return Row(
        name, _FAMILY,
        (
            Null(("x", "groupIndex", "roundMode", "y", "mxscale")),
            OnlyOn(("950",)),
            DtypeIn(_HALVES, ("x",)),
            DtypeIn(dtypes("int32"), ("groupIndex",)),
            DtypeIn(_FLOAT8, ("y",)),
            DtypeIn(_E8M0, ("mxscale",)),
            That('roundMode.text == "rint"', "roundMode must be rint"),
            That("blocksize == 32", "blocksize must be 32"),
            *more,
            That("std::int64_t(y.dtype()) == dstType", "y is not of dstType"),
            That("x.rank() == 2", "x must have 2 dimensions"),
            That("groupIndex.rank() == 1", "groupIndex must have 1 dimension"),
            Kernel("grouped_dynamic_mx_quant", of="GroupedDynamicMxQuantV2"),
        ),
        {
            "y": _LIKE_X,
            "mxscale": Output("(x[0] // (2 * blocksize) + groupIndex[0], x[1], 2)",
                              "float8_e8m0fnu"),
        },
    )  # fmt: skip


def _quant_max(name: str, *, grouped: bool) -> Row:
    groups = ("groupList",) if grouped else ()
    first = 2 if grouped else 1
    words = "roundMode must be rint, or round or hybrid beside hifloat8"
    mode = (
        '(dstType == 34 ? roundMode.text == "round" || roundMode.text == "hybrid" '
        ': roundMode.text == "rint")'
    )
    one = That("scale.rank() == 1 && scale.elements() == 1", "scale must have the shape (1,)")
    full = That("!groupList.is_empty()", "groupList is empty")
    return Row(
        name, _FAMILY,
        (
            Null(("x", "scale", *groups, "y", "amax")),
            DtypeIn(dtypes("float32 float16 bfloat16"), ("x",)),
            That(f"x.rank() >= {first} && x.rank() <= 8", f"x must have {first} to 8 dimensions"),
            DtypeIn(_FLOAT32, ("scale",)),
            That("!scale.is_empty()", "scale is empty"),
            *((DtypeIn(dtypes("int64"), groups), full) if grouped else (one,)),
            That("dstType >= 34 && dstType <= 36", "dstType must be 34, 35 or 36"),
            Given(("roundMode",)),
            That(mode, words),
            That("std::int64_t(y.dtype()) == dstType", "y is not of dstType"),
            SameShape(("x", "y")),
            That("amax.dtype() == x.dtype()", "amax is of another type than x"),
            *(() if grouped else (
                That("amax.rank() == 1 && amax.elements() == 1", "amax must have the shape (1,)"),
            )),
            DoneIfEmpty(("x",)),
            OnlyOn(("950",), inside=True),
            Kernel("quant_max", of="GroupedQuantMax"),
        ),
        {
            "y": _LIKE_X,
            "amax": Output("(groupList[0],)" if grouped else "(1,)", "same x"),
        },
        missing=(_HYBRID,),
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _mx("DynamicMxQuant", _HALVES),
    _mx("DynamicMxQuantV2", FLOATS),
    _mx("DynamicMxQuantV3", FLOATS),
    _dual_axis("DynamicMxQuantWithDualAxis"),
    _dual_axis("DynamicMxQuantWithDualAxisV2"),
    _generated(
        "DynamicBlockMxQuant", "dynamic_block_mx_quant", "", {"x": _HALVES},
        {"yOut": (_MX, _LIKE_X), "scale1Out": (_E8M0, _ROW_PAIRS),
         "scale2Out": (_E8M0, _COLUMN_PAIRS)},
        missing=(GAPS,),
    ),
    _generated(
        "DynamicDualLevelMxQuant", "dynamic_dual_level_mx_quant", "", {"x": _HALVES},
        {"yOut": (dtypes("float4_e2m1fn"), Output("like x", "float4_e2m1fn")),
         "level0ScaleOut": (_FLOAT32, Output("(*x[:-1], -(-x[-1] // 512))", "float32")),
         "level1ScaleOut": (_E8M0, _ROW_PAIRS)},
        missing=(GAPS,),
    ),
    _rectangles("DynamicBlockQuant", grouped=False),
    _rectangles("DynamicBlockQuantV2", grouped=False),
    _rectangles("GroupedDynamicBlockQuant", grouped=True),
    _rectangles("GroupedDynamicBlockQuantV2", grouped=True),
    _grouped_mx("GroupedDynamicMxQuant"),
    _grouped_mx("GroupedDynamicMxQuantV2",
                That("scaleAlg == 0 || scaleAlg == 1", "scaleAlg must be 0 or 1")),
    _generated(
        "GroupedDynamicMxQuantWithDualAxis", "grouped_dynamic_mx_quant_with_dual_axis", "",
        {"x": _HALVES, "groupIndex": dtypes("int64")},
        {
            "y1Out": (_FLOAT8, Output("like x", "given dstDtype")),
            "y1ScaleOut": (_E8M0, Output("(x[0], -(-x[1] // 64), 2)", "float8_e8m0fnu")),
            "y2Out": (_FLOAT8, Output("like x", "given dstDtype")),
            "y2ScaleOut": (_E8M0, Output("(x[0] // 64 + groupIndex[0], x[1], 2)",
                                         "float8_e8m0fnu")),
        },
    ),
    _generated(
        "MxToBlockMxQuant", "mx_to_block_mx_quant", "",
        {"x": dtypes("float4_e2m1fn float4_e1m2"), "mxscale": _E8M0},
        {"y": (_FLOAT8, _LIKE_X), "scale1": (_E8M0, _ROW_PAIRS), "scale2": (_E8M0, _COLUMN_PAIRS)},
    ),
    _quant_max("QuantMax", grouped=False),
    _quant_max("GroupedQuantMax", grouped=True),
    Row(
        "AntiMxQuant", _FAMILY,
        (
            Null(("x", "mxscale", "y")),
            DtypeIn(_MX, ("x",)),
            DtypeIn(_E8M0, ("mxscale",)),
            DtypeIn(dtypes("float16 bfloat16 float32"), ("y",)),
            That("std::int64_t(y.dtype()) == dstType", "y is not of dstType"),
            That("x.rank() == y.rank() && x.rank() >= 1 && x.rank() <= 7",
                 "x and y must have as many dimensions, 1 to 7"),
            That("mxscale.rank() == x.rank() + 1", "mxscale must have one dimension more than x"),
            That("axis >= -std::int64_t(x.rank()) && axis < std::int64_t(x.rank())",
                 "axis is no dimension of x"),
            DoneIfEmpty(("x", "mxscale")),
            That("x.meta().is_contiguous() || x.dtype() == ACL_FLOAT8_E4M3FN || "
                 "x.dtype() == ACL_FLOAT8_E5M2", "x of float4 is not contiguous"),
            OnlyOn(("950",), inside=True),
            Kernel("anti_mx_quant"),
        ),
        {"y": _LIKE_X},
    ),
)  # fmt: skip
