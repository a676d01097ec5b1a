"""Floats of a byte as codes, for tests that know what each is worth."""

from __future__ import annotations

from typing import Any

import numpy as np

import pyaclnn as pa
from pyaclnn.selftest.formulas.narrow import hifloat8_values
from pyaclnn.selftest.suites.mla_narrow import hifloat8
from pyaclnn.tensor import as_dtype
from pyaclnn.tensor.formats import with_format

Array = np.ndarray[Any, Any]


def values_of(kind: str) -> Array:
    """Return the values of all codes of a type."""
    if kind == "hifloat8":
        return hifloat8_values()
    return np.arange(256, dtype=np.uint8).view(as_dtype(kind)).astype(np.float64)


def eighths(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """Return codes of small multiples of an eighth, of which float32 has exact sums."""
    values = values_of(kind).tolist()
    few = [code for code, v in enumerate(values) if abs(v) <= 4 and (8 * v).is_integer()]
    return rng.choice(few, shape).astype(np.uint8)


def nearest(values: Array, kind: str) -> Array:
    """Return values as a type has them, which NumPy or hifloat8 is."""
    single = values.astype(np.float32)
    near = hifloat8(single) if kind == "hifloat8" else single.astype(as_dtype(kind))
    return near.astype(np.float64)


def described(memory: pa.Tensor, kind: str) -> pa.Tensor:
    """Return the tensor over bytes, or another, as one of a type."""
    format = {3: "NCL", 4: "NCHW", 5: "NCDHW"}[memory.ndim]
    return with_format(memory, format, shape=memory.shape, dtype=kind)


def results(memory: pa.Tensor, kind: str) -> Array:
    """Return what lies in a tensor that was described so."""
    made = memory.numpy()
    return np.take(values_of(kind), made) if made.dtype == np.uint8 else made.astype(np.float64)
