"""When a result passes: CANN's own acceptance standard.

Relative error is ``|actual - golden| / (|golden| + 1e-7)`` against a float64 reference. The mean
must stay below T and the maximum below 10·T, with T = 2^-10 for float16, 2^-7 for bfloat16 and
2^-13 for float32; complex numbers are held to it part by part. Integers must be exact, NaN and
infinities in the same places. An element that equals the golden value rounded to its dtype, or a
neighbour of it, passes whatever its relative error, which matters for subnormal results.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

THRESHOLDS = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-13, "float64": 2.0**-13}


@dataclass(frozen=True, slots=True)
class Comparison:
    """How one result compares with its reference.

    Attributes
    ----------
    passed : bool
        Whether it meets the standard.
    error, limit : float
        The figure closest to its limit (mean or maximum relative error), and that limit; for
        integers the largest difference and 0.
    reason : str
        Empty, or what is wrong and where.
    """

    passed: bool
    error: float
    limit: float
    reason: str = ""

    @property
    def ratio(self) -> float:
        """Share of the allowed error that is used."""
        return self.error / self.limit if self.limit else float(self.error > 0)


def compare(actual: np.ndarray[Any, Any], golden: np.ndarray[Any, Any]) -> Comparison:
    """Compare a result with its float64 reference.

    Parameters
    ----------
    actual : ndarray
        As the device gave it; its dtype decides the threshold.
    golden : ndarray
        Reference of the same shape, float64 (or integers, for integer results).
    """
    if actual.shape != golden.shape:
        return Comparison(False, np.inf, 0, f"shape {actual.shape}, expected {golden.shape}")
    if actual.size == 0:
        return Comparison(True, 0.0, THRESHOLDS.get(actual.dtype.name, 0.0))
    if actual.dtype.kind == "c":
        return _compare_floats(_parts(actual), _parts(golden.astype(np.complex128)))
    if actual.dtype.name not in THRESHOLDS:
        return _compare_exactly(actual, golden)
    return _compare_floats(actual, golden)


def _parts(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Real and imaginary parts, on an axis of their own."""
    return np.asarray(np.stack([values.real, values.imag], axis=-1))


def _compare_exactly(actual: np.ndarray[Any, Any], golden: np.ndarray[Any, Any]) -> Comparison:
    difference = np.abs(actual.astype(np.float64) - golden.astype(np.float64))
    worst = int(np.argmax(difference))
    error = float(difference.flat[worst])
    reason = "" if error == 0 else _where(actual, golden, worst)
    return Comparison(error == 0, error, 0.0, reason)


@np.errstate(all="ignore")
def _compare_floats(actual: np.ndarray[Any, Any], golden: np.ndarray[Any, Any]) -> Comparison:
    threshold = THRESHOLDS[actual.dtype.name]
    rounded = golden.astype(actual.dtype)
    got = actual.astype(np.float64)
    special = ~np.isfinite(rounded.astype(np.float64))
    wanted = np.where(special, rounded.astype(np.float64), golden)
    same_special = (np.isnan(got) == np.isnan(wanted)) & (
        (~np.isinf(got) & ~np.isinf(wanted)) | (got == wanted)
    )
    if not same_special.all():
        worst = int(np.argmin(same_special))
        return Comparison(False, np.inf, 10 * threshold, _where(actual, golden, worst))
    regular = ~special
    if not regular.any():
        return Comparison(True, 0.0, 10 * threshold)
    difference = np.where(regular, np.abs(got - wanted), 0.0)
    spacing = np.where(regular, np.abs(_spacing(rounded)), 0.0)
    relative = np.where(difference <= spacing, 0.0, difference / (np.abs(wanted) + 1e-7))
    plain = np.where(regular, difference / (np.abs(wanted) + 1e-7), 0.0)
    # If the plain figures pass, they are reported.
    if plain.max() < 10 * threshold and plain[regular].mean() < threshold:
        relative = plain
    worst = int(np.argmax(relative))
    maximum, mean = float(relative.flat[worst]), float(relative[regular].mean())
    passed = maximum < 10 * threshold and mean < threshold
    reason = "" if passed else _where(actual, golden, worst)
    if mean * 10 > maximum:
        return Comparison(passed, mean, threshold, reason)
    return Comparison(passed, maximum, 10 * threshold, reason)


def _spacing(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Distance to the next representable number; NumPy's own knows no bfloat16."""
    if values.dtype.name != "bfloat16":
        return np.asarray(np.spacing(values), np.float64)
    _, exponent = np.frexp(values.astype(np.float64))
    return np.asarray(np.ldexp(1.0, np.maximum(exponent - 8, -133)))


def _where(actual: np.ndarray[Any, Any], golden: np.ndarray[Any, Any], flat: int) -> str:
    index = tuple(int(i) for i in np.unravel_index(flat, actual.shape))
    return f"element {index}: got {actual[index]!s}, expected {golden[index]!s}"
