"""Gradients of look-ups, masks, sums over groups and distances between points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyaclnn.ops.rules.common import Description, Rules, like
from pyaclnn.tensor import Tensor


def _embedding(arguments: Mapping[str, Any]) -> Description:
    """Return a row for each weight."""
    grad: Tensor = arguments["grad"]
    return (arguments["numWeights"], *grad.shape[-1:]), grad.dtype


def _grouped_bias(arguments: Mapping[str, Any]) -> Description:
    """Return a row for each group."""
    grad: Tensor = arguments["gradY"]
    groups: Tensor | None = arguments["groupIdxOptional"]
    count = grad.shape[:1] if groups is None else groups.shape[:1]
    return (*count, *grad.shape[-1:]), grad.dtype


def _exp_segsum(arguments: Mapping[str, Any]) -> Description:
    """Return an element for each row of the matrices."""
    grad: Tensor = arguments["gradOutput"]
    return grad.shape[:-1], grad.dtype


RULES: Rules = {
    "aclnnCdistBackward": {"out": like("x1")},
    "aclnnChamferDistanceBackward": {"gradXyz1": like("xyz1"), "gradXyz2": like("xyz2")},
    "aclnnDropoutBackward": {"out": like("gradOutput")},
    "aclnnDropoutV3Grad": {"gradX": like("gradY")},
    "aclnnEmbeddingDenseBackward": {"out": _embedding},
    "aclnnExpSegsumBackward": {"gradInput": _exp_segsum},
    "aclnnGroupedBiasAddGrad": {"out": _grouped_bias},
    "aclnnGroupedBiasAddGradV2": {"out": _grouped_bias},
}
