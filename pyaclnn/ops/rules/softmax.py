"""The softmax family."""

from __future__ import annotations

from pyaclnn.ops.rules.common import Rules, like

RULES: Rules = {
    "aclnnLogSoftmaxBackward": {"out": like("output")},
    "aclnnScaledMaskedSoftmaxBackward": {"out": like("gradOutput")},
    "aclnnSoftmaxBackward": {"out": like("output")},
}
