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
    "aclnnEluBackward": {"gradInput": like("gradOutput")},
    "aclnnFastGeluBackward": {"gradInput": like("self")},
    "aclnnGeGluBackward": {"gradInput": like("self")},
    "aclnnGeGluV3Backward": {"gradInput": like("self")},
    "aclnnGeluBackward": {"gradInput": broadcast("gradOutput", "self")},
    "aclnnGeluBackwardV2": {"gradInput": broadcast("gradOutput", "self")},
    "aclnnGluBackward": {"out": like("self")},
    "aclnnHardshrinkBackward": {"gradInput": broadcast("gradOutput", "self")},
    "aclnnHardsigmoidBackward": {"out": broadcast("gradOutput", "self")},
    "aclnnHardswishBackward": {"out": like("self")},
    "aclnnHardswishBackwardV2": {"out": like("self")},
    "aclnnHardtanhBackward": {"out": like("self")},
    "aclnnLeakyReluBackward": {"out": broadcast("gradOutput", "self")},
    "aclnnLogSigmoidBackward": {"gradInput": like("self")},
    "aclnnLogitGrad": {"out": like("x")},
    "aclnnMishBackward": {"gradInput": broadcast("gradOutput", "self")},
    "aclnnPreluBackward": {"gradInput": like("self"), "gradWeight": _prelu_weight},
    "aclnnSeluBackward": {"gradInput": like("result")},
    "aclnnSigmoidBackward": {"gradInput": broadcast("gradOutput", "output")},
    "aclnnSiluBackward": {"gradInput": broadcast("gradOutput", "self")},
    "aclnnSoftplusBackward": {"gradInput": like("gradOutput")},
    "aclnnSoftshrinkBackward": {"gradInput": broadcast("gradOutput", "self")},
    "aclnnSwiGluGrad": {"out": like("x")},
    "aclnnSwishBackward": {"gradInput": like("self")},
    "aclnnTanhBackward": {"gradInput": broadcast("gradOutput", "output")},
    "aclnnThresholdBackward": {"out": broadcast("gradOutput", "self")},
}

SCALAR_DTYPES: ScalarDtypes = {
    ("aclnnSoftshrinkBackward", "lambda"): "float32",
    ("aclnnThresholdBackward", "threshold"): "float32",
}
