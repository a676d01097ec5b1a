"""Images, boxes, regions of interest; signals; recurrent networks; losses over a vocabulary."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

_SELECTED = "like logits as float32"

OUTPUTS: Texts = {
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
