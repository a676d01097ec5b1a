"""What stands before and behind attention: queries, keys and values, and partial results."""

from __future__ import annotations

from .row import Output, Row
from .steps import Kernel, Null

_FAMILY = "attention"
_RING = (
    "prevAttnOut", "prevSoftmaxMax", "prevSoftmaxSum", "curAttnOut", "curSoftmaxMax",
    "curSoftmaxSum", "attnOutOut", "softmaxMaxOut", "softmaxSumOut",
)  # fmt: skip
_QKV = ("qOut", "kOut", "vOut")


def _ring(name: str) -> Row:
    return Row(
        name, _FAMILY,
        (Null(_RING), Kernel("ring_attention_update", of="RingAttentionUpdateV2")),
        {
            "attnOutOut": Output("like prevAttnOut", "same prevAttnOut"),
            "softmaxMaxOut": Output("like prevSoftmaxMax", "same prevSoftmaxMax"),
            "softmaxSumOut": Output("like prevSoftmaxSum", "same prevSoftmaxSum"),
        },
    )  # fmt: skip


ROWS: tuple[Row, ...] = (
    _ring("RingAttentionUpdate"),
    _ring("RingAttentionUpdateV2"),
    Row(
        "AttentionUpdate", _FAMILY, (Kernel("attention_update"),),
        {
            "out": Output("(*localOut[0],)", "same localOut"),
            "lseOut": Output("if updateType == 1: (*lse[0],)", "float32"),
        },
    ),
    Row(
        "TransformBiasRescaleQkv", _FAMILY,
        (Null(("qkv", "qkvBias", *_QKV)), Kernel("transform_bias_rescale_qkv")),
        dict.fromkeys(
            _QKV, Output("(qkv[0], numHeads, qkv[1], qkv[2] // 3 // max(numHeads, 1))", "same qkv")
        ),
    ),
)  # fmt: skip
