"""Normalisations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pyaclnn.ops.rules.common import Description, Descriptions, Rule, Rules, like, reads, wanted
from pyaclnn.tensor import Tensor

_MASK = "outputMask"
_FLOAT32 = np.dtype(np.float32)


def _float32_like(name: str) -> Rule:
    def rule(arguments: Mapping[str, Any]) -> Description:
        tensor: Tensor = arguments[name]
        return tensor.shape, _FLOAT32

    return rule


@reads("input", "weight")
def _per_channel(arguments: Mapping[str, Any]) -> Description:
    """Describe a value for each channel, in the type of the weights or, without, of the input."""
    tensor: Tensor = arguments["input"]
    weight: Tensor | None = arguments["weight"]
    return tensor.shape[1:2], tensor.dtype if weight is None else weight.dtype


def _if_flag(flag: str, rule: Rule) -> Rule:
    def flagged(arguments: Mapping[str, Any]) -> Descriptions:
        return rule(arguments) if arguments[flag] else None

    return flagged


def _channel_statistic(arguments: Mapping[str, Any]) -> Description:
    tensor: Tensor = arguments["input"]
    mean: Tensor = arguments["mean"]
    return tensor.shape[1:2], mean.dtype


@reads("weightOptional", "input", "normalizedShape")
def _layer_weight(arguments: Mapping[str, Any]) -> Description:
    weight: Tensor | None = arguments["weightOptional"]
    if weight is not None:
        return weight.shape, weight.dtype
    tensor: Tensor = arguments["input"]
    return tuple(int(extent) for extent in arguments["normalizedShape"]), tensor.dtype


@reads("mean", "gamma", "C")
def _group_weight(arguments: Mapping[str, Any]) -> Description:
    mean: Tensor = arguments["mean"]
    gamma: Tensor | None = arguments["gamma"]
    return (int(arguments["C"]),) if gamma is None else gamma.shape, mean.dtype


_BATCH_NORM: dict[str, Rule] = {
    "gradInput": wanted(_MASK, 0, like("input")),
    "gradWeight": wanted(_MASK, 1, _per_channel),
    "gradBias": wanted(_MASK, 2, _per_channel),
}

RULES: Rules = {
    "aclnnAddLayerNormGrad": {
        "dxOut": like("dy"),
        "dgammaOut": _float32_like("gamma"),
        "dbetaOut": _float32_like("gamma"),
    },
    "aclnnBatchNormBackward": _BATCH_NORM,
    "aclnnBatchNormElemtBackward": {"gradInput": like("input")},
    "aclnnBatchNormReduceBackward": {
        "sumDy": _if_flag("inputG", _channel_statistic),
        "sumDyXmu": _if_flag("inputG", _channel_statistic),
        "gradWeight": _if_flag("weightG", _channel_statistic),
        "gradBias": _if_flag("biasG", _channel_statistic),
    },
    "aclnnDeepNormGrad": {
        "dxOut": like("x"),
        "dgxOut": like("x"),
        "dbetaOut": _float32_like("gamma"),
        "dgammaOut": _float32_like("gamma"),
    },
    "aclnnFastBatchNormBackward": _BATCH_NORM,
    "aclnnGroupNormBackward": {
        "gradInput": wanted(_MASK, 0, like("input")),
        "gradGammaOut": wanted(_MASK, 1, _group_weight),
        "gradBetaOut": wanted(_MASK, 2, _group_weight),
    },
    "aclnnGroupNormSwishGrad": {
        "dxOut": like("x"),
        "dgammaOut": like("gamma"),
        "dbetaOut": like("beta"),
    },
    "aclnnLayerNormBackward": {
        "gradInputOut": wanted(_MASK, 0, like("input")),
        "gradWeightOut": wanted(_MASK, 1, _layer_weight),
        "gradBiasOut": wanted(_MASK, 2, _layer_weight),
    },
    "aclnnRmsNormGrad": {"dxOut": like("x"), "dgammaOut": _float32_like("gamma")},
}
