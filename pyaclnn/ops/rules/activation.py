"""Activations, element-wise."""

from __future__ import annotations

from pyaclnn.ops.rules.common import Rules, ScalarDtypes, broadcast, like

RULES: Rules = {
    "aclnnHardswishBackward": {"out": like("self")},
    "aclnnHardswishBackwardV2": {"out": like("self")},
    "aclnnSeluBackward": {"gradInput": like("result")},
    "aclnnSoftshrinkBackward": {"gradInput": broadcast("gradOutput", "self")},
    "aclnnThresholdBackward": {"out": broadcast("gradOutput", "self")},
}

SCALAR_DTYPES: ScalarDtypes = {
    ("aclnnSoftshrinkBackward", "lambda"): "float32",
    ("aclnnThresholdBackward", "threshold"): "float32",
}
