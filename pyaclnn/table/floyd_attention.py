"""Attention over two axes, whose keys and values are sums of two."""

from __future__ import annotations

from .row import Output, Row
from .steps import Kernel, Null

_FAMILY = "attention"
_GIVEN = ("query", "key1", "value1", "key2", "value2")
_STATISTIC = Output("(*query[:4], 8)", "float32")
_GRADIENTS = {"dqOut": "query", "dk1Out": "key1", "dv1Out": "value1", "dk2Out": "key2",
              "dv2Out": "value2"}  # fmt: skip

ROWS: tuple[Row, ...] = (
    Row(
        "FusedFloydAttention", _FAMILY,
        (
            Null((*_GIVEN, "softmaxMaxOut", "softmaxSumOut", "attentionOutOut")),
            Kernel("fused_floyd_attention"),
        ),
        {
            "softmaxMaxOut": _STATISTIC, "softmaxSumOut": _STATISTIC,
            "attentionOutOut": Output("like query", "same query"),
        },
    ),
    Row(
        "FusedFloydAttentionGrad", _FAMILY,
        (
            Null((*_GIVEN, "dy", "softmaxMax", "softmaxSum", "attentionIn", *_GRADIENTS)),
            Kernel("fused_floyd_attention_grad"),
        ),
        {out: Output(f"like {of}", f"same {of}") for out, of in _GRADIENTS.items()},
    ),
)  # fmt: skip
