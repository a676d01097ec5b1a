"""Unfolding and regions of interest: the shape of a gradient is given as a list."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from pyaclnn.ops.rules.common import Description, Rule, Rules
from pyaclnn.tensor import Tensor


def _sizes(values: Any) -> tuple[int, ...]:
    return tuple(max(0, int(value)) for value in values)


def _shaped(gradient: str, sizes: str) -> Rule:
    """Make the rule of an output that has its shape in a list, and the dtype of the gradient."""

    def rule(arguments: Mapping[str, Any]) -> Description:
        tensor: Tensor = arguments[gradient]
        shape = arguments[sizes]
        return tensor.shape if shape is None else _sizes(shape), tensor.dtype

    return rule


def _folded(arguments: Mapping[str, Any]) -> Description:
    """Channels, which are the rows for each element of the kernel, and inputSize."""
    columns: Tensor = arguments["gradOutput"]
    size, kernel = arguments["inputSize"], arguments["kernelSize"]
    if size is None or kernel is None or len(columns.shape) < 2:
        return columns.shape, columns.dtype
    channels = columns.shape[-2] // max(1, prod(_sizes(kernel)))
    return (*columns.shape[:-2], channels, *_sizes(size)), columns.dtype


RULES: Rules = {
    "aclnnIm2colBackward": {"out": _folded},
    "aclnnRoiAlignV2Backward": {"gradInput": _shaped("gradOutput", "inputShape")},
    "aclnnUnfoldGrad": {"gradIn": _shaped("gradOut", "inputSizes")},
}
