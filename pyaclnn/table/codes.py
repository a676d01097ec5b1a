"""Lossless codes of floats."""

from __future__ import annotations

from .dtypes import dtypes
from .row import Output, Row
from .steps import DtypeIn, Kernel, Null, OnlyOn

_FLOATS = dtypes("float32 float16 bfloat16")
_COUNTS = dtypes("int32")
_PARTS = ("mantissaOut", "fixedOut", "varOut")

ROWS: tuple[Row, ...] = (
    Row(
        "HansEncode",
        "quant",
        (
            Null(("inputTensor", "pdfRef", *_PARTS)),
            OnlyOn(("A2",), inside=True),
            DtypeIn(_FLOATS, ("inputTensor",)),
            DtypeIn(_COUNTS, ("pdfRef",)),
            DtypeIn(_FLOATS, _PARTS),
            Kernel("hans_encode"),
        ),
    ),
    Row(
        "HansDecode",
        "quant",
        (
            Null(("mantissa", "fixed", "var", "pdf", "out")),
            OnlyOn(("A2",), inside=True),
            DtypeIn(_FLOATS, ("mantissa", "fixed", "var")),
            DtypeIn(_COUNTS, ("pdf",)),
            DtypeIn(_FLOATS, ("out",)),
            Kernel("hans_decode"),
        ),
        # Without out a row: how the elements lay is not in the code.
        {
            "out": Output(
                "(prod(mantissa) * 4 // 3 if mantissa.dtype == 'float32' else prod(mantissa) * 2,)",
                "same mantissa",
            )
        },
    ),
)
