"""References of element-wise operators: a NumPy formula for each that a row of the table names.

A formula gets float64, complex128 or int64 arrays, then the scalars, and is written down from the
operator's document, not from the kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyaclnn.selftest.formulas import activation, arithmetic, division, elementary, special

FORMULAS: dict[str, Callable[..., Any]] = {
    **activation.FORMULAS,
    **arithmetic.FORMULAS,
    **division.FORMULAS,
    **elementary.FORMULAS,
    **special.FORMULAS,
}
