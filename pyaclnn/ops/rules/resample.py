"""Resizing and sampling: inputSize is the shape of a resizing gradient."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyaclnn.ops.rules.common import Description, Rule, Rules, like
from pyaclnn.tensor import Tensor


def _resized(gradient: str) -> Rule:
    """Shape inputSize, dtype of the gradient."""

    def rule(arguments: Mapping[str, Any]) -> Description:
        tensor: Tensor = arguments[gradient]
        sizes = arguments["inputSize"]
        shape = tensor.shape if sizes is None else tuple(max(0, int(size)) for size in sizes)
        return shape, tensor.dtype

    return rule


_GRID_GRADIENTS: dict[str, Rule] = {"inputGrad": like("input"), "gridGrad": like("grid")}

RULES: Rules = {
    "aclnnGridSampler2DBackward": _GRID_GRADIENTS,
    "aclnnGridSampler3DBackward": _GRID_GRADIENTS,
    "aclnnUpsampleBicubic2dAAGrad": {"out": _resized("gradOutput")},
    "aclnnUpsampleBicubic2dBackward": {"gradInput": _resized("gradOut")},
    "aclnnUpsampleBilinear2dAABackward": {"out": _resized("gradOutput")},
    "aclnnUpsampleBilinear2dBackward": {"out": _resized("gradOut")},
    "aclnnUpsampleBilinear2dBackwardV2": {"out": _resized("gradOut")},
    "aclnnUpsampleLinear1dBackward": {"out": _resized("gradOut")},
    "aclnnUpsampleNearest1dBackward": {"out": _resized("gradOut")},
    "aclnnUpsampleNearest2dBackward": {"gradInput": _resized("gradOut")},
    "aclnnUpsampleNearest3dBackward": {"gradInput": _resized("gradOut")},
    "aclnnUpsampleNearestExact1dBackward": {"out": _resized("gradOutput")},
    "aclnnUpsampleNearestExact2dBackward": {"out": _resized("gradOutput")},
    "aclnnUpsampleNearestExact3dBackward": {"gradInput": _resized("gradOut")},
    "aclnnUpsampleTrilinear3dBackward": {"gradInput": _resized("gradOut")},
}
