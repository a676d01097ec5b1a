"""Cross entropy over a part of the vocabulary, fused with the product that makes its logits."""

from __future__ import annotations

from .row import Output, Row
from .steps import Kernel

_FAMILY = "loss"
_ROWS = Output("(input[0],)", "float32")

ROWS: tuple[Row, ...] = (
    Row(
        "FusedLinearOnlineMaxSum", _FAMILY, (Kernel("fused_linear_online_max_sum"),),
        {
            "logitsMaxLocalOut": _ROWS, "sumExpLogitsLocalOut": _ROWS,
            "predictedLogitsLocalOut": _ROWS,
            "targetMaskOut": Output("((input[0] + 7) // 8,)", "uint8"),
            "maskedTargetOut": Output("(input[0],)", "same target"),
            "vocabParallelLogitsOutOptional": Output("(input[0], weight[0])", "same input"),
        },
    ),
    Row(
        "FusedCrossEntropyLossWithMaxSum", _FAMILY,
        (Kernel("fused_cross_entropy_loss_with_max_sum"),),
        {
            "lossOut": Output("like logitsMax", "float32"),
            "softMaxOutOptional": Output(
                "if vocabParallelLogitsOptional is not None: like vocabParallelLogitsOptional",
                "float32",
            ),
        },
    ),
    Row(
        "FusedLinearCrossEntropyLossGrad", _FAMILY,
        (Kernel("fused_linear_cross_entropy_loss_grad"),),
        {
            "inputGradOut": Output("like input", "same input"),
            "weightGradOut": Output("like weight", "same weight"),
        },
    ),
)  # fmt: skip
