"""Normalisations and what they keep for their gradients."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

OUTPUTS: Texts = {
    "AdaLayerNormBackward": {
        "gradInputOut": "like input",
        "gradScaleOut": "like scale",
        "gradShiftOut": "like scale",
        "gradWeightOut": "if weightOptional is not None: like weightOptional",
        "gradBiasOut": "if biasOptional is not None: like biasOptional",
    },
    "QuantizedBatchNorm": {"output": "like input"},
}
