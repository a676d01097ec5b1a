"""Copies in another shape, padding, indexing, resampling, pooling, losses."""

from __future__ import annotations

from pyaclnn.ops.rules.notation import Texts

OUTPUTS: Texts = {}

NOT_INFERRED = {}
