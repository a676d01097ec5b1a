"""Convolutions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyaclnn.ops.rules.common import Description, Rules, like, reads, wanted
from pyaclnn.tensor import Tensor

_MASK = "outputMask"


@reads("gradOutput")
def _channel_of_grad_output(arguments: Mapping[str, Any]) -> Description:
    tensor: Tensor = arguments["gradOutput"]
    return tensor.shape[1:2], tensor.dtype


RULES: Rules = {
    "aclnnConvTbcBackward": {
        "gradInput": like("input"),
        "gradWeight": like("weight"),
        "gradBias": like("bias"),
    },
    "aclnnConvolutionBackward": {
        "gradInput": wanted(_MASK, 0, like("input")),
        "gradWeight": wanted(_MASK, 1, like("weight")),
        "gradBias": wanted(_MASK, 2, _channel_of_grad_output),
    },
}
