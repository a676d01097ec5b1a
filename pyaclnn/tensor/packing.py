"""4-bit elements: one byte each on the host, two in a byte on the device."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def pack(values: Array) -> Array:
    """Return the bytes of elements: the first of two in the lower half, 0 after an odd last one.

    Parameters
    ----------
    values : ndarray
        Of int4 or float4; any shape.

    Returns
    -------
    ndarray
        uint8, 1-d.
    """
    bits = np.ascontiguousarray(values).reshape(-1).view(np.uint8) & 0xF
    if bits.size % 2:
        bits = np.append(bits, np.uint8(0))
    packed: Array = bits[0::2] | bits[1::2] << 4
    return packed


def unpack(packed: Array, dtype: np.dtype[Any]) -> Array:
    """Return the elements of bytes as an array, 1-d, two for each; the inverse of `pack`."""
    bits = np.empty(packed.size * 2, np.uint8)
    bits[0::2] = packed & 0xF
    bits[1::2] = packed >> 4
    if dtype.name.startswith("int"):
        # Sign-extended, as ml_dtypes stores them.
        bits = ((bits ^ 8) - np.uint8(8)).astype(np.uint8)
    return bits.view(dtype)
