"""Activations, element-wise, gated, and PReLU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyaclnn.ops.rules.common import Description, Rules, ScalarDtypes, broadcast, like
from pyaclnn.tensor import Tensor


def _prelu_weight(arguments: Mapping[str, Any]) -> Description:
    weight: Tensor = arguments["weight"]
    return (weight.shape if weight.size == 1 else (weight.size,)), weight.dtype


RULES: Rules = {
    "aclnnGeGluBackward": {"gradInput": like("self")},
    "aclnnGeGluV3Backward": {"gradInput": like("self")},
    "aclnnGluBackward": {"out": like("self")},
    "aclnnLogitGrad": {"out": like("x")},
    "aclnnPreluBackward": {"gradInput": like("self"), "gradWeight": _prelu_weight},
    "aclnnSeluBackward": {"gradInput": like("result")},
    "aclnnSigmoidBackward": {"gradInput": broadcast("gradOutput", "output")},
    "aclnnSwiGluGrad": {"out": like("x")},
    "aclnnThresholdBackward": {"out": broadcast("gradOutput", "self")},
}

SCALAR_DTYPES: ScalarDtypes = {
    ("aclnnSoftshrinkBackward", "lambda"): "float32",
    ("aclnnThresholdBackward", "threshold"): "float32",
}
