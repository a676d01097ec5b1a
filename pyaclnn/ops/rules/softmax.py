"""The softmax family."""

from __future__ import annotations

from pyaclnn.ops.rules.common import Rules, like

RULES: Rules = {
    "aclnnSoftmaxBackward": {"out": like("output")},
}
