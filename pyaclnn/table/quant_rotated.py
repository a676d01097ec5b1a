"""Rows that are multiplied by small matrices, or scattered, and quantised."""

from __future__ import annotations

from .dtypes import Dtypes, dtypes
from .optional_steps import if_given
from .quant import _HYBRID
from .quant_blocks import _HALVES
from .row import Output, Row
from .steps import DoneIfEmpty, DtypeIn, Kernel, Null, OnlyOn, SameDtype, That

_FAMILY = "quant"
_NUMBERS = dtypes("int32 int64")
_INT4 = Dtypes(("int32", "int4"), (), ("float4_e2m1fn",))
_SCALE = Dtypes(("float32",), (), ("float8_e8m0fnu",))


def _flat(name: str) -> Row:
    matrices = ("kroneckerP1", "kroneckerP2")
    return Row(
        name, _FAMILY,
        (
            Null(("x", *matrices, "out", "quantScale")),
            OnlyOn(("A2", "950")),
            DtypeIn(_HALVES, ("x", *matrices)),
            DtypeIn(_INT4, ("out",)),
            DtypeIn(_SCALE, ("quantScale",)),
            SameDtype(("x", *matrices)),
            Kernel("flat_quant", of="FlatQuantV3"),
        ),
        missing=("groups",) if name.endswith("V3") else (),
    )  # fmt: skip


def _scatter(name: str, *, second: bool) -> Row:
    half = "updates.dtype() == ACL_FLOAT16"
    fits = (
        f"{half} ? quantScales.dtype() == ACL_FLOAT && (!quantZeroPoints.given() || "
        "quantZeroPoints.dtype() == ACL_INT32) : quantScales.dtype() == ACL_BF16 && "
        "(!quantZeroPoints.given() || quantZeroPoints.dtype() == ACL_BF16)"
    )
    narrow = dtypes("int8 float8_e4m3fn float8_e5m2 hifloat8" if second else "int8")
    mode = (
        '(selfRef.dtype() == ACL_HIFLOAT8 ? roundMode.text == "round" || '
        'roundMode.text == "hybrid" : roundMode.text == "rint")'
    )
    newer = (
        Null(("roundMode",)),
        That(mode, "roundMode must be rint, or round or hybrid beside hifloat8"),
    )
    return Row(
        name, _FAMILY,
        (
            *((OnlyOn(("950",)),) if second else ()),
            Null(("selfRef", "indices", "updates", "quantScales")),
            DtypeIn(narrow, ("selfRef",)),
            DtypeIn(_NUMBERS, ("indices",)),
            DtypeIn(dtypes("float16 bfloat16"), ("updates",)),
            DtypeIn(dtypes("float32 bfloat16"), ("quantScales",)),
            That(fits, "quantScales and quantZeroPoints must be float32 and int32 beside float16, "
                 "bfloat16 beside bfloat16"),
            That("selfRef.rank() == updates.rank()", "selfRef has %zu dimensions, updates %zu",
                 ("selfRef.rank()", "updates.rank()")),
            *(newer if second else ()),
            DoneIfEmpty(("selfRef", "indices", "updates", "quantScales")),
            OnlyOn(("310P", "A2", "950"), inside=True),
            Kernel("inplace_quant_scatter", of="InplaceQuantScatterV2"),
        ),
        missing=(_HYBRID,) if second else (),
    )  # fmt: skip


_CACHES = ("kCacheRef", "vCacheRef")
#: Of keys and values, which are left empty, not out.
_HEADS = "(*x[:-1], sizeSplits[{}] // cos[-1], cos[-1]) if kvOutput else (0,)"

ROWS: tuple[Row, ...] = (
    *map(_flat, ("FlatQuant", "FlatQuantV2", "FlatQuantV3")),
    Row(
        "RotateQuant", _FAMILY,
        (
            Null(("x", "rotation", "yOut", "scaleOut")),
            OnlyOn(("A2", "950")),
            DtypeIn(_HALVES, ("x", "rotation")),
            SameDtype(("x", "rotation")),
            DtypeIn(
                Dtypes((), (), ("float4_e2m1fn", "float8_e4m3fn", "float8_e5m2"),
                       ("int32", "int8")), ("yOut",)),
            DtypeIn(Dtypes((), (), ("float8_e8m0fnu",), ("float32",)), ("scaleOut",)),
            Kernel("rotate_quant"),
        ),
    ),
    Row(
        "DequantRopeQuantKvcache", _FAMILY,
        (
            Null(("x", "cos", "sin", *_CACHES, "indices", "scaleK", "scaleV", "sizeSplits", "qOut",
                  "kOut", "vOut")),
            OnlyOn(("A2",), inside=True),
            DtypeIn(dtypes("int32 float16 bfloat16"), ("x",)),
            DtypeIn(_HALVES, ("cos", "sin")),
            DtypeIn(dtypes("int8"), _CACHES),
            DtypeIn(dtypes("int32"), ("indices",)),
            DtypeIn(dtypes("float32"), ("scaleK", "scaleV")),
            *(if_given(n, DtypeIn(dtypes("float32"), (n,)))
              for n in ("offsetKOptional", "offsetVOptional", "weightScaleOptional",
                        "activationScaleOptional")),
            if_given("biasOptional",
                     DtypeIn(dtypes("float32 float16 int32 bfloat16"), ("biasOptional",))),
            DtypeIn(_HALVES, ("qOut", "kOut", "vOut")),
            Kernel("dequant_rope_quant_kvcache"),
        ),
        {
            "qOut": Output("(*x[:-1], sizeSplits[0] // cos[-1], cos[-1])", "same cos"),
            "kOut": Output(_HEADS.format(1), "same cos"),
            "vOut": Output(_HEADS.format(2), "same cos"),
        },
    ),
    _scatter("InplaceQuantScatter", second=False),
    _scatter("InplaceQuantScatterV2", second=True),
)  # fmt: skip
