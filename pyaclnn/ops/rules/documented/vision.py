"""Images, boxes, regions of interest; signals; recurrent networks; losses over a vocabulary."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

_SELECTED = "like logits as float32"

OUTPUTS: Texts = {
    "aclRfft1D": {
        "out": "((*self[:dim % len(self)], (n or self[dim]) // 2 + 1, "
        "*self[dim % len(self) + 1:], 2)) as same self"
    },
    "aclStft": {
        "out": "(*self[:-1], nFft // 2 + 1 if onesided else nFft, "
        "(self[-1] - nFft) // hopLength + 1, *(() if returnComplex else (2,)))"
        " as same self if self.dtype[0] == 'c' or not returnComplex else"
        " complex64 if self.dtype == 'float32' else complex128"
    },
    "MultiScaleDeformableAttnFunction": {
        "output": "(value[0], location[1], value[2] * value[3]) as same value"
    },
    "Rasterizer": {
        "findicesOut": "(height, width) as int32",
        "barycentricOut": "(height, width, 3) as float32",
    },
    "TopKTopPSample": {
        "logitsSelectIdx": "(*logits[:-1],) as int64",
        "logitsTopKPSelect": _SELECTED,
    },
    "TopKTopPSampleV2": {
        "logitsSelectIdx": "(*logits[:-1],) as int64",
        "logitsTopKPSelect": _SELECTED,
        "logitsIdx": "like logits as int64",
        "logitsSortMasked": _SELECTED,
    },
}
