"""Element-wise operators, activations and their gates, distances."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

_CHOSEN = "the caller chooses the dtype"

OUTPUTS: Texts = {
    # One operand.
    "RReluWithNoise": "like self",
    # Two that broadcast, or a tensor and a number.
    # Any number of operands.
    # Distances and the like.
    "ModulateBackward": {
        "grad_input": "like input",
        "grad_scale": "like scale",
        "grad_shift": "like shift",
    },
    # Training: loss scales, checks, masks of one bit for each element.
    "SilentCheck SilentCheckV2": {"result": "one as int32"},
}

NOT_INFERRED = {
    "NormalFloatFloat": "no argument says how many numbers are drawn",
    "Randperm": _CHOSEN,
}
