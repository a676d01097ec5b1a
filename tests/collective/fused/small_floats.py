"""Floats of 8 and 4 bits, as they are stored and as tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
from collective.fused.ranks import Array, Ranks

from pyaclnn.selftest.formulas.narrow import hifloat8_values
from pyaclnn.tensor.formats import with_format

HIFLOAT8 = "hifloat8"  # which is no dtype in Python


def drawn(ranks: Ranks, kind: Any, shape: tuple[int, ...]) -> tuple[Array, Array]:
    """Return numbers as they are stored, and in float64."""
    if kind == HIFLOAT8:
        values = hifloat8_values()
        moderate = np.flatnonzero((np.abs(values) <= 3) & (np.abs(values) >= 2.0**-6))
        codes = ranks.rng.choice(moderate, shape).astype(np.uint8)
        return codes, values[codes]
    stored = ranks.rng.uniform(-3, 3, shape).astype(kind)
    return stored, stored.astype(np.float64)


def placed(stored: Any, kind: Any, turned: bool = False) -> Any:
    """Return a tensor of this kind, or one that is transposed."""
    if kind != HIFLOAT8:
        return stored.T if turned else stored
    if not turned:
        return with_format(stored, "ND", shape=stored.shape, dtype=kind)
    rows, width = stored.shape
    return with_format(stored, "ND", shape=(width, rows), strides=(1, width), dtype=kind)
