"""Normalisations and what they keep for their gradients."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

OUTPUTS: Texts = {
    "QuantizedBatchNorm": {"output": "like input"},
}
