"""Gradients of losses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pyaclnn.ops.rules.common import Description, Rule, Rules, like
from pyaclnn.tensor import Tensor


def _broadcast_all(*names: str) -> Rule:
    """Broadcast shape of several inputs; their dtype, or float32 where they differ."""

    def rule(arguments: Mapping[str, Any]) -> Description:
        tensors: list[Tensor] = [arguments[name] for name in names]
        first = tensors[0]
        same_shape = all(tensor.shape == first.shape for tensor in tensors)
        same_dtype = all(tensor.dtype == first.dtype for tensor in tensors)
        shape = first.shape if same_shape else np.broadcast_shapes(*(t.shape for t in tensors))
        return shape, first.dtype if same_dtype else np.dtype(np.float32)

    return rule


RULES: Rules = {
    "aclnnBinaryCrossEntropyBackward": {"out": like("self")},
    "aclnnBinaryCrossEntropyWithLogitsBackward": {"out": like("target")},
    "aclnnBinaryCrossEntropyWithLogitsTargetBackward": {"gradTarget": like("target")},
    "aclnnCrossEntropyLossGrad": {"out": like("logProb")},
    "aclnnCtcLossBackward": {"out": like("logProbs")},
    "aclnnKlDivBackward": {"out": like("self")},
    "aclnnKlDivTargetBackward": {"gradTarget": like("target")},
    "aclnnL1LossBackward": {"gradInput": _broadcast_all("gradOutput", "self", "target")},
    "aclnnMseLossBackward": {"out": _broadcast_all("gradOutput", "self", "target")},
    "aclnnNLLLoss2dBackward": {"out": like("self")},
    "aclnnNLLLossBackward": {"out": like("self")},
    "aclnnSmoothL1LossBackward": {"gradInput": _broadcast_all("gradOut", "self", "target")},
    "aclnnSoftMarginLossBackward": {"out": _broadcast_all("gradOutput", "self", "target")},
}
