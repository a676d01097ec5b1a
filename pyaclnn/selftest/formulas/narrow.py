"""Narrow numbers, from CANN's documents: rounding, saturation, packing, 64-bit parameters.

Values are float32 where kernels compute in it, operation by operation, so results are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pyaclnn.tensor import as_dtype

Array = np.ndarray[Any, Any]


def _away_from_zero(values: Array) -> Array:
    return np.asarray(np.copysign(np.floor(np.abs(values.astype(np.float64)) + 0.5), values))


ROUNDING: Mapping[str, Callable[[Array], Array]] = {
    "rint": np.rint,
    "round": _away_from_zero,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
}

_INTEGERS = {
    "int4": (-8, 7), "int8": (-128, 127), "uint8": (0, 255), "int32": (-(2**31), 2**31 - 1),
}  # fmt: skip

#: The largest number that results are scaled to, and their span.
LARGEST = {"int4": 7, "int8": 127, "float8_e4m3fn": 448, "float8_e5m2": 57344}


def span(dtype: str) -> int:
    """Return the distance between the ends that asymmetric results are scaled to."""
    return 2 * LARGEST[dtype] + (dtype.startswith("int"))


def narrowed(values: Array, dtype: str, mode: str = "rint") -> Array:
    """Return values rounded and saturated; NaN is 0 as an integer."""
    if dtype in _INTEGERS:
        low, high = _INTEGERS[dtype]
        with np.errstate(invalid="ignore"):  # NaN of every kind
            whole = ROUNDING[mode](values.astype(np.float64))
        whole = np.nan_to_num(whole, nan=0, posinf=high, neginf=low)
        return np.asarray(np.clip(whole, low, high).astype(as_dtype(dtype)))
    most = LARGEST[dtype]
    with np.errstate(invalid="ignore"):
        return np.asarray(np.clip(values.astype(np.float32), -most, most).astype(as_dtype(dtype)))


def in_words(numbers: Array) -> Array:
    """Return int4 numbers with eight of them in an int32, the first in the lowest bits."""
    bits = (numbers.astype(np.int64) & 0xF).reshape(*numbers.shape[:-1], -1, 8)
    words = (bits << (4 * np.arange(8))).sum(-1)
    return np.asarray(words.astype(np.uint32).view(np.int32))


def symmetric(values: Array, dtype: str, *, multiplies: bool) -> tuple[Array, Array]:
    """Return rows scaled to the largest number, and their scales.

    With ``multiplies`` a row is multiplied with the inverse scale, which rounds twice.
    """
    most = np.float32(LARGEST[dtype])
    size = np.abs(values).max(-1, keepdims=True).astype(np.float32)
    scale = size * (np.float32(1) / most)
    with np.errstate(all="ignore"):
        wide = values * (most / size) if multiplies else values / scale
    return narrowed(wide, dtype), scale[..., 0]


def asymmetric(values: Array, dtype: str, *, multiplies: bool) -> tuple[Array, Array, Array]:
    """Return rows scaled to both ends, their scales and offsets."""
    one, width = np.float32(1), np.float32(span(dtype))
    low, high = values.min(-1, keepdims=True), values.max(-1, keepdims=True)
    if multiplies:
        scale = np.maximum((high - low) / width, np.float32(1e-12))
        wide = values * (one / scale)
    else:
        scale = (high - low) * (one / width)
        wide = values / scale
    offset = np.float32(LARGEST[dtype]) - high / scale
    return narrowed(wide + offset, dtype), scale[..., 0], offset[..., 0]


def quant_parameter(scale: Array, offset: Array | None, rounds: bool = False) -> Array:
    """Return scales and offsets as the words that matrix products take."""
    bits = scale.astype(np.float32).view(np.uint32).astype(np.uint64)
    if rounds:
        kept = bits + np.uint64(0xFFF) + ((bits >> np.uint64(13)) & np.uint64(1))
        bits = np.where(np.abs(scale) < np.finfo(np.float32).tiny, bits & np.uint64(1 << 31), kept)
    words = (bits & np.uint64(0xFFFFE000)) | np.uint64(1 << 46)
    if offset is not None:
        nine = np.clip(np.rint(offset), -256, 255).astype(np.int64) & 0x1FF
        words = words | (nine.astype(np.uint64) << np.uint64(37))
    return np.asarray(words)


def whole_results(values: Array, offset: Array) -> Array:
    """Return the int8 that the matrix unit makes: whole, within 9 bits, and then the offset."""
    whole = np.clip(np.rint(values), -256, 255) + offset
    return np.asarray(np.clip(whole, -128, 127).astype(np.int8))


def hifloat8_values() -> Array:
    """Return the value of each of the 256 codes.

    A sign; a prefix that says how many bits of an exponent follow: 11, 10, 01, 001 and 0001 for
    4, 3, 2, 1 and none; the exponent, a sign and a size without its leading one; a fraction. What
    begins with 0000 is a power of two below the others, or zero; the negative zero is NaN.
    """
    values = np.zeros(256)
    for code in range(128):
        bits = f"{code:07b}"
        prefix, width = next(
            (p, w)
            for p, w in (("11", 4), ("10", 3), ("01", 2), ("001", 1), ("0001", 0), ("0000", -1))
            if bits.startswith(p)
        )
        rest = bits[len(prefix) :]
        if width < 0:
            values[code] = 2.0 ** (int(rest, 2) - 23) if int(rest, 2) else 0.0
            continue
        field, fraction = rest[:width], rest[width:]
        exponent = 0
        if width:
            exponent = int("1" + field[1:], 2) * (-1 if field[0] == "1" else 1)
        values[code] = (1 + int(fraction, 2) / 2 ** len(fraction)) * 2.0**exponent
    values[0x6F] = np.inf
    values[128:] = -values[:128]
    values[128] = np.nan
    return values


def sparse_weight(weight: Array) -> tuple[Array, Array]:
    """Return the two numbers of every four that are kept, and the index as it lies in memory.

    A byte of the index is about eight numbers, its low half about the first four of them: the place
    of the first number that is kept, and that of the second one, less 1, above it.
    """
    rows, depth = weight.shape
    fours = np.zeros((rows, -(-depth // 8) * 2, 4), weight.dtype)
    fours.reshape(rows, -1)[:, :depth] = weight
    kept = np.zeros((*fours.shape[:2], 2), weight.dtype)
    bits = np.zeros(fours.shape[:2], np.uint8)
    for row, four in np.ndindex(bits.shape):
        places = np.flatnonzero(fours[row, four])
        # Two places that ascend, whatever is there.
        first = min(int(places[0]), 2) if len(places) else 0
        second = int(places[-1]) if len(places) and places[-1] > first else first + 1
        kept[row, four] = fours[row, four, [first, second]]
        bits[row, four] = first | (second - 1) << 2
    index = np.zeros((-(-rows // 16) * 16, -(-bits.shape[1] // 16) * 8), np.uint8)
    index[:rows, : bits.shape[1] // 2] = bits[:, ::2] | bits[:, 1::2] << 4
    blocks = np.moveaxis(index.reshape(index.shape[0] // 16, 16, -1, 8), 2, 0)
    return kept.reshape(rows, -1), np.ascontiguousarray(blocks)
