"""Windows of tokens that NSA compresses to one."""

from __future__ import annotations

from .row import Output, Row
from .steps import Kernel, Null, NullInside

_FAMILY = "attention"

ROWS: tuple[Row, ...] = (
    Row(
        "NsaCompress", _FAMILY, (Null(("input", "weight", "output")), Kernel("nsa_compress")),
        {
            "output": Output(
                "(sum(compressed(n, compressBlockSize, compressStride)"
                " for n in lengths(actSeqLenOptional)), *input[1:])",
                "same input",
            ),
        },
        since_9_0=True,
    ),
    Row(
        "NsaCompressGrad", _FAMILY,
        (
            Null(("outputGrad", "input", "weight", "inputGradOut", "weightGradOut")),
            Kernel("nsa_compress_grad"),
        ),
        {
            "inputGradOut": Output("like input", "same input"),
            "weightGradOut": Output("like weight", "same weight"),
        },
        since_9_0=True, missing=("a null actSeqLen", "an actSeqLenType but 0"),
    ),
    Row(
        "NsaCompressWithCache", _FAMILY,
        (
            NullInside(("input", "weight", "slotMapping", "outputCache")),
            Kernel("nsa_compress_with_cache"),
        ),
        since_9_0=True,
    ),
)  # fmt: skip
