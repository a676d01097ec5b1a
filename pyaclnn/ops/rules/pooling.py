"""Pooling: every gradient is like the input that was pooled."""

from __future__ import annotations

from pyaclnn.ops.rules.common import Rules, like

RULES: Rules = {
    "aclnnAdaptiveAvgPool2dBackward": {"out": like("self")},
    "aclnnAdaptiveAvgPool3dBackward": {"out": like("self")},
    "aclnnAdaptiveMaxPool2dBackward": {"gradInput": like("self")},
    "aclnnAdaptiveMaxPool3dBackward": {"gradInput": like("self")},
    "aclnnAvgPool2dBackward": {"gradInput": like("self")},
    "aclnnAvgPool3dBackward": {"output": like("self")},
    "aclnnMaxPool2dWithIndicesBackward": {"gradInput": like("self")},
    "aclnnMaxPool2dWithMaskBackward": {"gradInput": like("self")},
    "aclnnMaxPool3dWithArgmaxBackward": {"gradInput": like("self")},
    "aclnnMaxUnpool2dBackward": {"out": like("self")},
    "aclnnMaxUnpool3dBackward": {"out": like("self")},
}
