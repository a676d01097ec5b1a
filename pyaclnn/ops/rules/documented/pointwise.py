"""Element-wise operators, activations and their gates, distances."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

_MASK_BYTES = "((prod({0}) + 127) // 128 * 16,) as uint8"
_CHOSEN = "the caller chooses the dtype"

OUTPUTS: Texts = {
    # One operand.
    "MaskedScale": "like self",
    "MaskedSoftmaxWithRelPosBias": "like x",
    "RReluWithNoise": "like self",
    "ScaledMaskedSoftmax": {"y": "like x"},
    "Sinkhorn": {"p": "like cost"},
    # Two that broadcast, or a tensor and a number.
    # Any number of operands.
    # Distances and the like.
    "Cdist": "(*broadcast(x1[:-2], x2[:-2]), x1[-2], x2[-2]) as same x1",
    "ExpSegsum": "(*self, self[-1]) as same self",
    "Iou": {"overlap": "(bBoxes[0], 1 if aligned else gtBoxes[0]) as same bBoxes"},
    "Logdet": "(*self[:-2],) as same self",
    "ModulateBackward": {
        "grad_input": "like input",
        "grad_scale": "like scale",
        "grad_shift": "like shift",
    },
    "Pdist PdistForward": "(self[0] * (self[0] - 1) // 2,) as same self",
    "Slogdet": {"signOut": "(*self[:-2],) as same self", "logOut": "(*self[:-2],) as same self"},
    # Training: loss scales, checks, masks of one bit for each element.
    "DropoutV3": {"out": "like input", "maskOut": _MASK_BYTES.format("input")},
    "Multinomial MultinomialTensor": "(*self[:-1], numsamples) as int64",
    "PrecisionCompare": "scalar as uint32",
    "SignBitsPack": "(size, -(-prod(self) // 8) // size) as uint8",
    "SignBitsUnpack": "(size, self[0] * 8 // size) as given dtype",
    "SilentCheck SilentCheckV2": {"result": "one as int32"},
}

NOT_INFERRED = {
    "NormalFloatFloat": "no argument says how many numbers are drawn",
    "Randperm": _CHOSEN,
}
