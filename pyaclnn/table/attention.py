"""Attention."""

from __future__ import annotations

from .row import Output, Row
from .steps import Cpp, Null

_FAMILY = "attention"

#: What parts of the fused operator would need that are not simulated.
_NOT_SIMULATED = (
    "deqScale1Optional", "quantScale1Optional", "deqScale2Optional", "quantScale2Optional",
    "quantOffset2Optional", "antiquantScaleOptional", "antiquantOffsetOptional",
    "blockTableOptional", "queryPaddingSizeOptional", "kvPaddingSizeOptional",
    "keyAntiquantScaleOptional", "keyAntiquantOffsetOptional", "valueAntiquantScaleOptional",
    "valueAntiquantOffsetOptional", "keySharedPrefixOptional", "valueSharedPrefixOptional",
)  # fmt: skip

ROWS: tuple[Row, ...] = (
    Row(
        "FusedInferAttentionScoreV2", _FAMILY,
        (
            Null(("query", "key", "value", "inputLayout", "attentionOut")),
            Cpp(
                "check_not_given(plan, {"
                + ", ".join(f"&{name}" for name in _NOT_SIMULATED)
                + "});"
            ),
            Cpp(
                "fused_infer_attention(check, plan, {query, key, value, pseShiftOptional, "
                "attenMaskOptional, actualSeqLengthsOptional, actualSeqLengthsKvOptional, "
                "numHeads, scaleValue, preTokens, nextTokens, inputLayout, numKeyValueHeads, "
                "sparseMode, innerPrecise, softmaxLseFlag, attentionOut, softmaxLse});"
            ),
        ),
        {
            "attentionOut": Output("attended query value numHeads inputLayout", "same query"),
            "softmaxLse": Output(
                "row_powers_if query numHeads inputLayout softmaxLseFlag", "float32"
            ),
        },
        include=("attention/fused_infer.hpp",),
        missing=(
            "quantised tensors", "keys and values in pages or in lists", "shared prefixes",
            "padding in front", "queries of different lengths", "sparseMode 4",
            "bands of tokens beside a mask",
        ),
    ),
)  # fmt: skip
