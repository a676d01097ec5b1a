"""Attention for training, and its gradients: one function for all versions of each."""

from __future__ import annotations

from .row import Output, Row
from .steps import Kernel, Null, Step, That

_FAMILY = "attention"

#: Versions that have all parameters.
_SCORE = "FlashAttentionVarLenScoreV5"
_GRAD = "FlashAttentionUnpaddingScoreGradV5"

#: What versions without the parameter do: a sum with the bias is scaled.
_OLD = {"pseType": "1"}

_STATISTICS = Output("(*softmax_statistics(query, inputLayout, headNum, 8),)", "float32")

_SCORED = {
    "softmaxMaxOut": _STATISTICS,
    "softmaxSumOut": _STATISTICS,
    "softmaxOutOut": Output("none", ""),  # reserved
    "attentionOutOut": Output("attended_groups query key value headNum inputLayout", "same query"),
}


def _layout(condition: str = "") -> Step:
    """Return the check of operators that take sequences one behind another."""
    return That(
        f'{condition}inputLayout.text == "TND"', "inputLayout is %s, it must be TND",
        ("inputLayout.text.c_str()",),
    )  # fmt: skip


_RESULTS = ("softmaxMaxOut", "softmaxSumOut", "attentionOutOut")
_NEEDED = ("query", "keyIn", "value", "dy", "attentionInOptional", "inputLayout")


def _newest(name: str, required: tuple[str, ...], function: str, outputs: dict[str, Output]) -> Row:
    """Return a version whose document allows any layout, on the 950."""
    return Row(name, _FAMILY, (Null(required), Kernel(function)), outputs)


def _score(name: str, *, old: bool = False) -> Row:
    """Return a forward operator."""
    is_packed = "VarLen" in name
    are_empty = "".join(f"{out}.is_empty() && " for out in _RESULTS).removesuffix(" && ")
    return Row(
        name, _FAMILY,
        (
            Null(("query", "key", "value", "inputLayout", *_RESULTS)),
            *(_layout(f"({are_empty}) || "),) * is_packed,
            Kernel("flash_attention_score", of=_SCORE, given=_OLD if old else {}),
        ),
        _SCORED,
    )  # fmt: skip


def _gradients(**more: str) -> dict[str, Output]:
    """Return gradients, of these tensors too."""
    outputs = {"dqOut": "query", "dkOut": "keyIn", "dvOut": "value", **more}
    return {
        **{
            out: Output(f"if {of} is not None: like {of}", f"same {of}")
            for out, of in outputs.items()
        },
        "dpseOut": Output("none", ""),  # reserved
    }


def _grad(name: str, *more: str, old: bool = False) -> Row:
    """Return a backward operator, and which further tensors have a gradient."""
    is_packed = "Unpadding" in name
    first: tuple[Step, ...] = (Null(("inputLayout",)), _layout()) if is_packed else ()
    if name.endswith("V4"):
        first += (
            That(
                'softmaxInLayout.text.empty() || softmaxInLayout.text == "same_as_input"',
                "softmaxInLayout is %s, it must be same_as_input or empty",
                ("softmaxInLayout.text.c_str()",),
            ),
        )
    outputs = _gradients(**{out: _BELONGS[out] for out in more})
    return Row(
        name, _FAMILY,
        (
            *first,
            Null((*_NEEDED, "dqOut", "dkOut", "dvOut")),
            Kernel("flash_attention_score_grad", of=_GRAD, given=_OLD if old else {}),
        ),
        outputs,
    )  # fmt: skip


_BELONGS = {"dqRopeOut": "queryRope", "dkRopeOut": "keyInRope", "dsinkOut": "sinkInOptional"}
_ROPE = ("dqRopeOut", "dkRopeOut")

#: The layout of the result differs from the query's for one pair.
_LAID_OUT = Output(
    "(q[0], q[2], q[1], q[3]) if (layoutQ, layoutOut) == ('BNSD', 'BSND') else (*q,)", "same q"
)  # fmt: skip
_LSE = Output(
    "if returnSoftmaxLse: (q[1], q[0]) if layoutQ == 'TND' else (q[0], q[2], q[1])"
    " if layoutQ == 'BSND' else (*q[:3],)", "float32",
)  # fmt: skip
#: Of hifloat8, which Python sees as bytes, a row has one number.
_NARROW_STATISTICS = Output(
    "(*softmax_statistics(query, inputLayout, headNum, 1 if query.dtype == 'uint8' else 8),)",
    "float32",
)  # fmt: skip
_PLAN = Output(
    "(core_plan(batchSize, cuSeqlensQOptional, sequsedQOptional, numHeadsKv),)", "int32"
)  # fmt: skip

ROWS: tuple[Row, ...] = (
    _score("FlashAttentionScore", old=True),
    _score("FlashAttentionScoreV2"),
    _score("FlashAttentionScoreV3"),
    _newest(
        "FlashAttentionScoreV4",
        ("query", "key", "value", "inputLayout", *_RESULTS),
        "flash_attention_score_v4",
        _SCORED,
    ),
    _score("FlashAttentionVarLenScore", old=True),
    _score("FlashAttentionVarLenScoreV2"),
    _score("FlashAttentionVarLenScoreV3"),
    _score("FlashAttentionVarLenScoreV4", old=True),
    _score("FlashAttentionVarLenScoreV5"),
    _grad("FlashAttentionScoreGrad", old=True),
    _grad("FlashAttentionScoreGradV2"),
    _grad("FlashAttentionScoreGradV3", "dsinkOut"),
    _newest(
        "FlashAttentionScoreGradV4",
        (*_NEEDED, "dqOut", "dkOut", "dvOut"),
        "flash_attention_score_grad_v4",
        _gradients(
            dqRopeOut="queryRopeOptional", dkRopeOut="keyRopeOptional", dsinkOut="sinkInOptional"
        ),
    ),
    _grad("FlashAttentionUnpaddingScoreGrad", old=True),
    _grad("FlashAttentionUnpaddingScoreGradV2"),
    _grad("FlashAttentionUnpaddingScoreGradV3", *_ROPE),
    _grad("FlashAttentionUnpaddingScoreGradV4", old=True),
    _grad("FlashAttentionUnpaddingScoreGradV5", *_ROPE, "dsinkOut"),
    Row(
        "QuantFlashAttentionScore", _FAMILY,
        (
            Null(("query", "key", "value", "inputLayout", *_RESULTS)),
            Kernel("quant_flash_attention_score"),
        ),
        {
            "softmaxMaxOut": _NARROW_STATISTICS, "softmaxSumOut": _NARROW_STATISTICS,
            "softmaxOutout": Output("none", ""),  # reserved
            "attentionOutOut": Output(
                "attended_groups query key value headNum inputLayout",
                "bfloat16 if query.dtype == 'uint8' else same query",
            ),
        },
    ),
    Row(
        "FlashAttn", _FAMILY, (Null(("q", "k", "v", "attnOut")), Kernel("flash_attn")),
        {"attnOut": _LAID_OUT, "softmaxLseOptional": _LSE},
    ),
    Row(
        "FlashAttnMetadata", _FAMILY, (Kernel("flash_attn_metadata"),), {"metaData": _PLAN},
    ),
)  # fmt: skip
