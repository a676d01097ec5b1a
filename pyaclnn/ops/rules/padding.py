"""Padding: every gradient is like the input that was padded."""

from __future__ import annotations

from pyaclnn.ops.rules.common import Rules, like

RULES: Rules = {
    "aclnnCircularPad2dBackward": {"gradInput": like("self")},
    "aclnnCircularPad3dBackward": {"gradInput": like("self")},
    "aclnnReflectionPad1dBackward": {"gradInput": like("self")},
    "aclnnReflectionPad2dBackward": {"gradInput": like("self")},
    "aclnnReflectionPad3dBackward": {"gradInput": like("self")},
    "aclnnReplicationPad1dBackward": {"gradInput": like("self")},
    "aclnnReplicationPad2dBackward": {"gradInput": like("self")},
    "aclnnReplicationPad3dBackward": {"gradInput": like("self")},
}
