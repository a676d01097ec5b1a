"""Windows of tokens that NSA compresses to one, and the attention to them."""

from __future__ import annotations

from .format_steps import FormatIn
from .optional_steps import if_given
from .row import Output, Row
from .steps import Kernel, Null, NullInside

_FAMILY = "attention"
_PLAIN = ("ND", "NCL", "NCHW", "NCDHW")

_COMPRESSED = (
    "query", "key", "value", "inputLayout", "softmaxMaxOut", "softmaxSumOut", "attentionOutOut",
    "topkIndicesOut",
)  # fmt: skip
_INFERRED = (
    "query", "key", "value", "blockTableOptional", "actualCmpKvSeqLenOptional", "layoutOptional",
    "output", "topKOutput",
)  # fmt: skip
_STATISTIC = Output("(query[0], headNum, 8)", "float32")

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
        missing=("a null actSeqLen, at which CANN's kernel reads lengths all the same",),
    ),
    Row(
        "NsaCompressWithCache", _FAMILY,
        (
            NullInside(("input", "weight", "slotMapping", "outputCache")),
            FormatIn(_PLAIN, ("input", "weight", "slotMapping", "outputCache")),
            if_given("blockTableOptional", FormatIn(_PLAIN, ("blockTableOptional",))),
            Kernel("nsa_compress_with_cache"),
        ),
    ),
    Row(
        "NsaCompressAttention", _FAMILY,
        (NullInside(_COMPRESSED), Kernel("nsa_compress_attention")),
        {
            "softmaxMaxOut": _STATISTIC, "softmaxSumOut": _STATISTIC,
            "attentionOutOut": Output("(*query[:-1], value[-1])", "same query"),
            "topkIndicesOut": Output("(query[0], key[1], selectBlockCount)", "int32"),
        },
    ),
    Row(
        "NsaCompressAttentionInfer", _FAMILY,
        (Null(_INFERRED), Kernel("nsa_compress_attention_infer")),
        {
            "output": Output("(*query[:-1], value[-1] // numKeyValueHeads)", "same query"),
            "topKOutput": Output("(*query[:-2], numKeyValueHeads, selectBlockCount)", "int32"),
        },
    ),
)  # fmt: skip
